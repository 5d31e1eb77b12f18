import type pg from 'pg';
import { plannedForEvent } from '../worker/db/planned.ts';
import type { Statement } from '../worker/db/statement.ts';
import { openJson } from '../worker/http/json-text.ts';
import { readPassings } from '../worker/passings/batch.ts';
import { listPassings } from '../worker/passings/queries.ts';
import { storePassings } from '../worker/passings/store.ts';
import { askingOf, distancesOf } from '../worker/results/leave.ts';
import { listResults } from '../worker/results/read/queries.ts';
import { LEAVE_RULES } from '../worker/results/schemas.ts';
import { readJsonBatch } from '../worker/results/upload/json-rows.ts';
import { limitsOf } from '../worker/results/upload/leave.ts';
import { beforeWriting, storeBatch } from '../worker/results/upload/store.ts';
import { cpuMs } from './cpu.ts';
import { raceRow } from './files.ts';
import {
  figureOf,
  type Line,
  measureInTurns,
  prepared,
  type Report,
  ratioLine,
} from './measure.ts';
import { createRace, finishRace, type Race, startServers } from './race.ts';
import { sendingWith, transaction } from './statements.ts';

const REGISTRATIONS = 50_000;
const POINTS = 8;
const LIVE_ROWS = 20;
const PAGE_SIZE = 100;
const POINT_MOST = 2;
/** The count of all points alone takes 2.3 times the floor. */
const ALL_POINTS_MOST = 3;
const OF_ALL = 'first page of all points';
const TURNS = { warmUps: 5, samples: 41 };
const LEAVING_MOST = 1.5;
const LEAVER = 'Finish laptop';
const LIVE_TURNS = { warmUps: 20, samples: 101 };

/** Compares passings with results of a race: a page, and a live batch. */
export async function benchPassings(): Promise<Report> {
  const servers = await startServers();
  const client = await servers.pool.connect();
  try {
    // The live batches have runners without a passing.
    const race = await createRace(servers.pool, REGISTRATIONS + LIVE_ROWS);
    await finishRace(servers.pool, race, REGISTRATIONS);
    await passPoints(client, race);
    return {
      lines: [...(await benchPages(client, race)), ...(await benchLive(client, race))],
      notes: [
        `Passings: an event with ${REGISTRATIONS} finishers that have passed ${POINTS} points each. The floor is ` +
          'the same of results, with the SQL that the API sends over one connection. Pages are measured in processor time ' +
          `of PostgreSQL, and live batches from \`begin\` to \`commit\`. Medians of ${TURNS.samples} pages and ` +
          `${LIVE_TURNS.samples} live batches, in turns.`,
      ],
    };
  } finally {
    client.release();
    await servers.stop();
  }
}

async function benchPages(client: pg.PoolClient, { key, eventId }: Race): Promise<Line[]> {
  const send = await sendingWith(key, 'events:read');
  const read = (statement: Statement) => () =>
    transaction(client, [send(plannedForEvent()), send(statement)]);
  const at = (page: number) => ({ page, page_size: PAGE_SIZE });
  const last = at(REGISTRATIONS / PAGE_SIZE);
  const pages = {
    'first page of a point': [
      listResults(eventId, at(1)),
      listPassings(eventId, { ...at(1), point: 'Km 20' }),
    ],
    'last page of a point': [
      listResults(eventId, last),
      listPassings(eventId, { ...last, point: 'Km 20' }),
    ],
    'page of a point and a group': [
      listResults(eventId, { ...at(3), gender: 'F' }),
      listPassings(eventId, { ...at(3), gender: 'F', point: 'Km 20' }),
    ],
    [OF_ALL]: [listResults(eventId, at(1)), listPassings(eventId, at(1))],
  } as const;
  const backend = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const backendPid = backend.rows[0]?.pid ?? 0;
  const runs = Object.entries(pages).flatMap(([name, [floor, page]]) => [
    { name: `floor of ${name}`, run: read(floor) },
    { name, run: read(page) },
  ]);
  const medians = await measureInTurns(
    runs.map((operation) => ({ ...operation, clock: () => cpuMs(backendPid) })),
    TURNS,
  );
  return Object.keys(pages).map((name) =>
    ratioLine(`passings, ${name}`, {
      ms: figureOf(medians, name),
      floorMs: figureOf(medians, `floor of ${name}`),
      most: name === OF_ALL ? ALL_POINTS_MOST : POINT_MOST,
      clock: 'processor',
    }),
  );
}

/** Compares live batches: of passings, and of results that leave rows to a person, with results. */
async function benchLive(client: pg.PoolClient, race: Race): Promise<Line[]> {
  const send = await sendingWith(race.key, 'results:write');
  const rows = Array.from({ length: LIVE_ROWS }, (_, index) => raceRow(REGISTRATIONS + index + 1));
  const bibs = rows.map(({ bib_number }) => bib_number);
  const undo = () =>
    client.query(
      `with runner as (select id from registrations where event_id = $1 and bib_number = any($2)),
      unfinished as (delete from results where registration_id in (select id from runner))
      delete from passings where registration_id in (select id from runner)`,
      [race.eventId, bibs],
    );
  const run = (statements: readonly Statement[]) => transaction(client, statements.map(send));
  const named = () => ({ idempotencyKey: crypto.randomUUID(), contentHash: '0' });
  const read = () => readJsonBatch(openJson(Buffer.from(JSON.stringify({ results: rows }))));
  const medians = await measureInTurns<'results' | 'leaving' | 'passings'>(
    [
      {
        name: 'results',
        ...prepared(() => {
          const batch = read();
          const facts = { source: 'json', ...named() } as const;
          return [...beforeWriting(LIVE_ROWS), storeBatch(race.eventId, batch, facts)];
        }, run),
        undo,
      },
      {
        name: 'leaving',
        ...prepared(() => {
          const facts = { source: 'json', sender: LEAVER, ...named() } as const;
          const asking = askingOf({ leave: LEAVE_RULES, sender: LEAVER }, limitsOf(['10K', '21K']));
          return [
            distancesOf.key({ eventId: race.eventId }),
            ...beforeWriting(LIVE_ROWS),
            storeBatch(race.eventId, read(), facts, 'key', asking),
          ];
        }, run),
        undo,
      },
      {
        name: 'passings',
        ...prepared(() => {
          const passings = bibs.map((bib_number) => ({ bib_number, point: 'Km 5', time: '20:00' }));
          const batch = readPassings(openJson(Buffer.from(JSON.stringify({ passings }))));
          const facts = { source: 'json', ...named() } as const;
          return [...beforeWriting(LIVE_ROWS), storePassings(race.eventId, batch, facts, 'key')];
        }, run),
        undo,
      },
    ],
    LIVE_TURNS,
  );
  const against = (name: string, of: 'leaving' | 'passings', most: number) =>
    ratioLine(`live batch of ${LIVE_ROWS} ${name} against results, database time`, {
      ms: figureOf(medians, of),
      floorMs: figureOf(medians, 'results'),
      most,
    });
  return [
    against('passings', 'passings', 1.2),
    against('results with each rule of `leave`', 'leaving', LEAVING_MOST),
  ];
}

/** Lets every finisher pass each point. */
async function passPoints(client: pg.PoolClient, { eventId }: Race): Promise<void> {
  await client.query(
    `insert into passings (registration_id, event_id, upload_id, point, time_ms)
    select registration_id, event_id, gen_random_uuid(), 'Km ' || 5 * n, finish_time_ms * n / ($2 + 1)
    from results cross join generate_series(1, $2::int) n where event_id = $1`,
    [eventId, POINTS],
  );
  await client.query('vacuum analyze passings');
}
