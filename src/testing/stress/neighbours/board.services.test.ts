import { randomUUID } from 'node:crypto';
import { Agent, get } from 'node:http';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
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
  // An isolate that needs more memory for the board ends.
  neighbours = await startNeighbours(inject('servers'), { heapLimitMib: 64 });
  const { pool } = neighbours.day;
  watched = await createNeighbour(neighbours.day, RUNNERS);
  await pool.query(
    'update events set board_enabled = true, board_shows_names = true where id = $1',
    [watched.eventId],
  );
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

/** Anything under `/board/`: bibs that exist or not, pages, distances and events. */
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

// On a machine that is too slow for 40 closed loops, any request delays the upload. There the board may
// delay it hardly more than requests that need nothing.
test(
  'uploads in twice the time at most beside 40 anonymous connections that ask a board for anything',
  SLOW_ONCE,
  async () => {
    const { upload } = neighbours.other;
    const statuses = new Set<number>();
    const board = await compareBeside(upload, (signal) => ask(anyPath, signal, statuses));
    const nothing = await compareBeside(upload, (signal) => ask(() => '/healthz', signal));
    expect([...statuses].sort()).toEqual([200, 404]);
    expect(board.besideMs).toBeLessThan(Math.max(2 * board.aloneMs, 1.5 * nothing.besideMs));
  },
);
