import { randomUUID } from 'node:crypto';
import { Agent, get } from 'node:http';
import { drizzle } from 'drizzle-orm/node-postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { setUpEvent } from '../../../dev/stack/seed.ts';
import {
  compareBeside,
  createNeighbour,
  type Neighbour,
  type Neighbours,
  SLOW_ONCE,
  startNeighbours,
} from './neighbours.ts';

const RUNNERS = 50_000;
const CONNECTIONS = 40;

let neighbours: Neighbours;
let watched: Neighbour;

beforeAll(async () => {
  // An isolate ends if the board needs more memory.
  neighbours = await startNeighbours(inject('servers'), { heapLimitMib: 64 });
  const { pool } = neighbours.day;
  watched = await createNeighbour(neighbours.day, RUNNERS);
  await setUpEvent(drizzle(pool), watched.eventId, {
    board_enabled: true,
    board_names: 'initials',
  });
  await pool.query(
    `with batch as (
      insert into result_batches (event_id, api_key_id, source, total_processed, uploaded, updated,
        not_found, errors, duplicates)
      select $1, id, 'csv', $2, $2, 0, 0, 0, 0 from api_keys where organization_id = $3 limit 1
      returning id
    )
    insert into results (registration_id, event_id, batch_id, status, chip_time_ms, splits)
    select registrations.id, event_id, batch.id, 'FINISHED', 3600000 + bib_number::int * 37,
      '{"Km 5": 1200000}'
    from registrations, batch where event_id = $1`,
    [watched.eventId, RUNNERS, watched.organizationId],
  );
});
afterAll(() => neighbours?.stop());

const random = (below: number) => Math.floor(Math.random() * below);

/** Any path under `/board/`: bibs that exist or not, pages, distances and events. */
function anyPath(): string {
  const board = `/board/${watched.eventId}`;
  const paths = [
    `${board}/bibs/${1 + random(RUNNERS)}`,
    `${board}/bibs/x${random(1e9)}`,
    `${board}/results?page=${1 + random(10_000)}`,
    `${board}/results?distance=${random(1e9)}`,
    `${board}/data`,
    `/board/${randomUUID()}/data`,
    `/board/${randomUUID()}/bibs/${random(RUNNERS)}`,
  ];
  return paths[random(paths.length)] ?? board;
}

/** Closed loops over as many connections. @param statuses receives the status of each answer */
function ask(pathOf: () => string, signal: AbortSignal, statuses = new Set<number>()) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const once = () =>
    new Promise<void>((resolve, reject) => {
      get(`${neighbours.day.origin}${pathOf()}`, { agent }, (response) => {
        statuses.add(response.statusCode ?? 0);
        response.resume().on('end', resolve);
      }).on('error', reject);
    });
  const loop = async () => {
    while (!signal.aborted) await once();
  };
  return Promise.all(Array.from({ length: CONNECTIONS }, loop)).finally(() => agent.destroy());
}

// On a machine that is too slow for 40 closed loops, any request delays the upload. On such a machine the board may
// delay the upload hardly more than requests without work.
test(
  'uploads in twice the time at most beside 40 anonymous connections that ask a board for anything',
  SLOW_ONCE,
  async () => {
    const { upload } = neighbours.quiet;
    const statuses = new Set<number>();
    const board = await compareBeside(upload, (signal) => ask(anyPath, signal, statuses));
    const nothing = await compareBeside(upload, (signal) => ask(() => '/healthz', signal));
    expect([...statuses].sort()).toEqual([200, 404]);
    expect(board.besideMs).toBeLessThan(Math.max(2 * board.aloneMs, 1.5 * nothing.besideMs));
  },
);

/** Opens boards of events of an organization, each with so many runners. */
async function openBoards(owner: Neighbour, events: number, runners: number): Promise<string[]> {
  const { pool } = neighbours.day;
  const { rows } = await pool.query<{ id: string }>(
    `with event as (
      insert into events (organization_id, name, city, event_date)
      select $1, 'Large ' || number, 'Port', now() from generate_series(1, $2) as number
      returning id
    )
    insert into event_settings (event_id, board_enabled, board_names)
    select id, true, 'initials' from event returning event_id as id`,
    [owner.organizationId, events],
  );
  const ids = rows.map(({ id }) => id);
  await pool.query(
    `with person as (insert into persons default values returning id)
    insert into registrations (event_id, person_id, status, bib_number, distance, given_names, surnames)
    select event_id, person.id, 'PAID', number::text, '10K', 'Ana', 'Ejemplo'
    from person, unnest($1::uuid[]) as event_id, generate_series(1, $2::int) as number`,
    [ids, runners],
  );
  return ids;
}

async function dataOf(eventId: string): Promise<{ status: number; body: string }> {
  const response = await fetch(`${neighbours.day.origin}/board/${eventId}/data`);
  return { status: response.status, body: await response.text() };
}

test('refuses a board of 150 000 registrations for good and with the reason, and serves the others', async () => {
  const large = await openBoards(neighbours.busy, 2, 150_000);
  for (let round = 0; round < 2; round++) {
    for (const { status, body } of await Promise.all(large.map(dataOf))) {
      expect(status).toBe(413);
      expect(JSON.parse(body)).toMatchObject({
        code: 'VALIDATION_ERROR',
        detail: expect.stringContaining('more than 100000 registrations'),
      });
    }
    expect((await dataOf(watched.eventId)).status).toBe(200);
  }
});

test('keeps the board of an organization in memory beside another one with three large boards', async () => {
  const large = await openBoards(neighbours.busy, 3, 60_000);
  expect((await dataOf(watched.eventId)).status).toBe(200);
  for (const eventId of large) expect((await dataOf(eventId)).status).toBe(200);
  expect((await dataOf(watched.eventId)).status).toBe(200);
});

test(
  'finds the splits of a runner beside boards with 1 000 long splits a row',
  SLOW_ONCE,
  async () => {
    const { pool } = neighbours.day;
    const { rows } = await pool.query<{ bib_number: string }>(
      `with long as (
      select jsonb_object_agg(repeat('x', 400) || number, number * 1000) as splits
      from generate_series(1, 1000) as number
    ), batch as (
      insert into result_batches (event_id, api_key_id, source, total_processed, uploaded, updated,
        not_found, errors, duplicates)
      select $1, id, 'csv', 1, 1, 0, 0, 0, 0 from api_keys where organization_id = $2 limit 1
      returning id
    ), stored as (
      insert into results (registration_id, event_id, batch_id, status, chip_time_ms, splits)
      select registrations.id, event_id, batch.id, 'FINISHED', 3600000, splits
      from registrations, batch, long where event_id = $1 and bib_number is not null
      on conflict (registration_id) do update set splits = excluded.splits
      returning registration_id
    )
    select bib_number from stored join registrations on id = registration_id`,
      [neighbours.busy.eventId, neighbours.busy.organizationId],
    );
    await setUpEvent(drizzle(pool), neighbours.busy.eventId, { board_enabled: true });
    const bibs = rows.map(({ bib_number }) => bib_number);
    const statuses = new Set<number>();
    const find = async () => {
      const bib = 1 + random(RUNNERS);
      const response = await fetch(`${neighbours.day.origin}/board/${watched.eventId}/bibs/${bib}`);
      expect(response.status).toBe(200);
      await response.arrayBuffer();
    };
    const busyBib = () => `/board/${neighbours.busy.eventId}/bibs/${bibs[random(bibs.length)]}`;
    await compareBeside(find, (signal) => ask(busyBib, signal, statuses));
    expect([...statuses]).toEqual([200]);
  },
);
