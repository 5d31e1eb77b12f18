import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { formatRaceTime } from '../timing-files/read/race-time.ts';
import { hashApiKey } from '../worker/auth/api-key/api-key.ts';
import { command, type Slots } from '../worker/db/statement.ts';
import { openJson } from '../worker/http/json-text.ts';
import { readJsonBatch } from '../worker/results/upload/json-rows.ts';
import type { RowValues } from '../worker/results/upload/row-values.ts';
import { rowsOf, splitsOf } from '../worker/results/upload/row-values.ts';
import { beforeWriting, storeBatch } from '../worker/results/upload/store.ts';
import { type RaceRow, raceRow } from './files.ts';
import {
  figureOf,
  type Line,
  measureInTurns,
  type Operation,
  prepared,
  type Report,
  ratioLine,
} from './measure.ts';
import { createRace, type Race, startServers } from './race.ts';
import { type Send, type SentQuery, sendingWith, transaction } from './statements.ts';

const UPLOAD_ROWS = 5_000;
const LIVE_ROWS = 20;
const FINISHERS = [1_000, 50_000, 200_000];
const UPLOAD_TURNS = { warmUps: 1, samples: 9 };
const LIVE_TURNS = { warmUps: 20, samples: 101 };
const CORRECTION_MOST = 1.3;

/** Measures the time of Postgres for writing results: the API's own SQL without the Worker. */
export async function benchDatabase(): Promise<Report> {
  const servers = await startServers();
  const { pool } = servers;
  const client = await pool.connect();
  try {
    const lines = [await benchUpload(client, pool), ...(await benchRepeatedUpload(client, pool))];
    const live: Operation[] = [];
    for (const finishers of FINISHERS) {
      const { batch, planning, correction, uploading } = await benchLive(client, pool, finishers);
      live.push({ ...uploading, name: String(finishers) });
      lines.push(batch);
      if (finishers === FINISHERS.at(-1)) lines.push(planning, await growth(live), correction);
    }
    return {
      lines,
      notes: [
        'Database time: from `begin` to `commit` over one connection, with the SQL that the API ' +
          'sends. The floor of an upload is a bare `insert … select` of the same parameters. The floor of a live ' +
          'batch and of a correction is the least that is as safe, statement by statement: it locks the event, the ' +
          'key and the registrations, inserts the rows or copies and updates one, and records the batch. ' +
          'What a live batch takes beyond its floor is its plan: one statement of nine parts, planned for each batch. ' +
          `Medians of ${UPLOAD_TURNS.samples} uploads and ` +
          `${LIVE_TURNS.samples} live batches, floors and figure in turns.`,
      ],
    };
  } finally {
    client.release();
    await servers.stop();
  }
}

async function benchUpload(client: pg.PoolClient, pool: pg.Pool): Promise<Line> {
  const race = await createRace(pool, UPLOAD_ROWS);
  const rows = Array.from({ length: UPLOAD_ROWS }, (_, index) => raceRow(index + 1));
  const { operations } = await writing(client, race, rows);
  const medians = await measureInTurns(
    operations.map(({ undo, ...operation }) => ({
      ...operation,
      undo: () => undo().then(() => client.query('vacuum results')),
    })),
    UPLOAD_TURNS,
  );
  return ratioLine(`upload of ${UPLOAD_ROWS} rows, database time`, {
    ms: figureOf(medians, 'upload'),
    floorMs: figureOf(medians, 'bare'),
  });
}

type Repeating = 'unkept' | 'corrected' | 'unchanged';

/** The same rows sent again, with other times and with the same ones. */
async function benchRepeatedUpload(client: pg.PoolClient, pool: pg.Pool): Promise<Line[]> {
  const race = await createRace(pool, UPLOAD_ROWS);
  const send = await sendingWith(race.key, 'results:write');
  let gunTimeMs = 4_000_000;
  const rowsWith = (ms: number) =>
    Array.from({ length: UPLOAD_ROWS }, (_, index) => ({
      ...raceRow(index + 1),
      gun_time: formatRaceTime(ms),
    }));
  const corrected = () => upload(send, race, rowsWith(++gunTimeMs));
  const unchanged = () => upload(send, race, rowsWith(gunTimeMs));
  const run = (statements: SentQuery[]) => transaction(client, statements);
  const undo = () => client.query('vacuum results, replaced_results');
  await run(corrected());
  const medians = await measureInTurns<Repeating>(
    [
      { name: 'unkept', ...prepared(() => keepingNothing(corrected()), run), undo },
      { name: 'corrected', ...prepared(corrected, run), undo },
      { name: 'unchanged', ...prepared(unchanged, run), undo },
    ],
    UPLOAD_TURNS,
  );
  const correctedMs = figureOf(medians, 'corrected');
  return [
    ratioLine(`${UPLOAD_ROWS} corrected rows against the same without what they replace`, {
      ms: correctedMs,
      floorMs: figureOf(medians, 'unkept'),
    }),
    ratioLine(`${UPLOAD_ROWS} unchanged rows against corrected ones`, {
      ms: figureOf(medians, 'unchanged'),
      floorMs: correctedMs,
      most: 0.5,
    }),
  ];
}

/** The upload without its insert into replaced_results. */
function keepingNothing(queries: SentQuery[]): SentQuery[] {
  const stored = queries.at(-1);
  const text = stored?.text.replace(/insert into replaced_results \([^)]*\)\s+(?=select)/, '');
  if (!stored || text === undefined || text === stored.text) {
    throw new Error('The upload keeps nothing of what it replaces.');
  }
  return [...queries.slice(0, -1), { text, values: stored.values }];
}

type Writing = 'bare' | 'floor' | 'upload';
type Correcting = 'correction' | 'update' | 'planning';

/** A live batch while this many have finished, and a correction among them. */
async function benchLive(client: pg.PoolClient, pool: pg.Pool, finishers: number) {
  const race = await createRace(pool, finishers + LIVE_ROWS);
  const rows = Array.from({ length: LIVE_ROWS }, (_, index) => raceRow(finishers + index + 1));
  const { operations, uploading, send } = await writing(client, race, rows);
  await finish(client, race, send, finishers);
  const slowest = await client.query<{ registration_id: string; bib_number: string }>(
    `select registration_id, bib_number from standings where event_id = $1
    order by position_overall desc limit 1`,
    [race.eventId],
  );
  const [last] = slowest.rows;
  if (!last) throw new Error('Nobody has finished.');
  const row = { ...raceRow(Number(last.bib_number)), chip_time: '00:00:01.000' };
  const back = () =>
    client.query(
      'update results set chip_time_ms = 999 * 3600 * 1000::bigint where registration_id = $1',
      [last.registration_id],
    );
  const correction: Operation<Correcting>[] = [
    {
      name: 'update',
      ...prepared(
        () => bareCorrection(send, race, row),
        (statements) => transaction(client, statements),
      ),
      undo: back,
    },
    {
      name: 'correction',
      ...prepared(
        () => upload(send, race, [row]),
        (statements) => transaction(client, statements),
      ),
      undo: back,
    },
    {
      name: 'planning',
      ...prepared(
        () => planningAlone(upload(send, race, rows)),
        (statements) => transaction(client, statements),
      ),
    },
  ];
  const medians = await measureInTurns<Writing | Correcting>(
    [...operations, ...correction],
    LIVE_TURNS,
  );
  return {
    uploading,
    batch: ratioLine(`live batch of ${LIVE_ROWS}, ${finishers} finishers, database time`, {
      ms: figureOf(medians, 'upload'),
      floorMs: figureOf(medians, 'floor'),
    }),
    planning: ratioLine(`live batch of ${LIVE_ROWS}, ${finishers} finishers, planned alone`, {
      ms: figureOf(medians, 'planning'),
      floorMs: figureOf(medians, 'floor'),
    }),
    correction: ratioLine(`one correction from last to first of ${finishers}, database time`, {
      ms: figureOf(medians, 'correction'),
      floorMs: figureOf(medians, 'update'),
      most: CORRECTION_MOST,
    }),
  };
}

/** The upload, whose last statement Postgres plans and does not run. */
const planningAlone = (queries: readonly SentQuery[]): SentQuery[] =>
  queries.map((query, index) =>
    index === queries.length - 1 ? { ...query, text: `explain ${query.text}` } : query,
  );

/** The largest race beside the smallest, in turns: what else the machine does meanwhile slows both. */
async function growth(live: readonly Operation[]): Promise<Line> {
  const medians = await measureInTurns(live, LIVE_TURNS);
  const [first, last] = [FINISHERS.at(0), FINISHERS.at(-1)];
  return ratioLine(`live batch of ${LIVE_ROWS}, ${last} against ${first}`, {
    ms: figureOf(medians, String(last)),
    floorMs: figureOf(medians, String(first)),
    most: 1.1,
  });
}

/** The API's upload of these rows, and the floors it is held against; all are undone. */
async function writing(client: pg.PoolClient, race: Race, rows: readonly RaceRow[]) {
  const send = await sendingWith(race.key, 'results:write');
  const bibs = rows.map(({ bib_number }) => bib_number);
  const undo = () =>
    client.query(
      `delete from results where registration_id in (
        select id from registrations where event_id = $1 and bib_number = any($2)
      )`,
      [race.eventId, bibs],
    );
  type Undone = Operation<Writing> & { undo: () => Promise<unknown> };
  const uploading: Undone = {
    name: 'upload',
    ...prepared(
      () => upload(send, race, rows),
      (statements) => transaction(client, statements),
    ),
    undo,
  };
  const operations: Undone[] = [
    {
      name: 'bare',
      ...prepared(
        () => bareInsert(send, race, rows),
        (queries) => transaction(client, queries),
      ),
      undo,
    },
    {
      name: 'floor',
      ...prepared(
        () => leastUpload(send, race, rows),
        (queries) => transaction(client, queries),
      ),
      undo,
    },
    uploading,
  ];
  return { operations, uploading, send };
}

const batchOf = (rows: readonly RaceRow[]) =>
  readJsonBatch(openJson(Buffer.from(JSON.stringify({ results: rows }))));

/** The least that puts what an upload sends into the table. */
const insertBare = command(
  (rows: Slots<RowValues & { eventId: string; batchId: string }>) => sql`
    insert into results
      (registration_id, event_id, batch_id, status, chip_time_ms, gun_time_ms, splits)
    select registration.id, registration.event_id, ${rows.batchId}::uuid, row.status,
      row.chip_time_ms, row.gun_time_ms, ${splitsOf(rows)}
    from ${rowsOf(rows)}
    join registrations registration
      on registration.event_id = ${rows.eventId} and registration.bib_number = row.bib_number`,
);

const bareInsert = (send: Send, { eventId }: Race, rows: readonly RaceRow[]): SentQuery[] => [
  ...beforeWriting(rows.length).map(send),
  send(insertBare({ ...batchOf(rows).loadable.values, eventId, batchId: randomUUID() })),
];

/** Locks what an upload relies on: the event, the key and the registrations. */
const lockTargets = ({ eventId, key }: Race, bibs: readonly string[]): SentQuery[] => [
  {
    text: `select events.id, api_keys.id from events, api_keys
      where events.id = $1 and api_keys.key_hash = $2 for key share`,
    values: [eventId, hashApiKey(key)],
  },
  {
    text: `select id from registrations where event_id = $1 and bib_number = any($2)
      order by id for key share`,
    values: [eventId, bibs],
  },
];

const recordBatch = ({ eventId, key }: Race, batchId: string, rows: number): SentQuery => ({
  text: `insert into result_batches (id, event_id, api_key_id, key_prefix, source,
      total_processed, uploaded, updated, not_found, errors, duplicates)
    select $1, $2, id, key_prefix, 'json', $3, $3, 0, 0, 0, 0 from api_keys where key_hash = $4`,
  values: [batchId, eventId, rows, hashApiKey(key)],
});

/** The floor of a live batch: locks, an insert and the record of the batch, each as its own statement. */
function leastUpload(send: Send, race: Race, rows: readonly RaceRow[]): SentQuery[] {
  const batch = batchOf(rows);
  const { eventId } = race;
  return [
    ...beforeWriting(rows.length).map(send),
    ...lockTargets(
      race,
      rows.map(({ bib_number }) => bib_number),
    ),
    send(insertBare({ ...batch.loadable.values, eventId, batchId: batch.id })),
    recordBatch(race, batch.id, rows.length),
  ];
}

/** The floor of a correction: locks, a copy of the replaced result, an update and the record of the batch. */
function bareCorrection(send: Send, race: Race, { bib_number }: RaceRow): SentQuery[] {
  const batchId = randomUUID();
  const values = [race.eventId, bib_number, batchId];
  const ofRunner = `registration_id = (
    select id from registrations where event_id = $1 and bib_number = $2)`;
  return [
    ...beforeWriting(1).map(send),
    ...lockTargets(race, [bib_number]),
    {
      text: `insert into replaced_results (replaced_by, registration_id, batch_id, status, chip_time_ms,
          gun_time_ms, splits, first_finished_at, updated_at)
        select $3::uuid, registration_id, batch_id, status, chip_time_ms, gun_time_ms, splits,
          first_finished_at, updated_at from results where ${ofRunner} for update`,
      values,
    },
    {
      text: `update results set batch_id = $3::uuid, chip_time_ms = 1000, updated_at = now()
        where ${ofRunner}`,
      values,
    },
    recordBatch(race, batchId, 1),
  ];
}

/** The trip that writes, as it is after parsing. */
const upload = (send: Send, { eventId }: Race, rows: readonly RaceRow[]): SentQuery[] => [
  ...beforeWriting(rows.length).map(send),
  send(storeBatch(eventId, batchOf(rows), { source: 'json' })),
];

/** Gives the first bibs a result each. */
async function finish(client: pg.PoolClient, race: Race, send: Send, finishers: number) {
  const batch = readJsonBatch(openJson(Buffer.from('{"results":[]}')));
  await transaction(client, [send(storeBatch(race.eventId, batch, { source: 'json' }))]);
  await client.query(
    `insert into results (registration_id, event_id, batch_id, status, chip_time_ms, gun_time_ms, splits)
    select id, event_id, $2, 'FINISHED', 4000000 + bib_number::bigint * 7919 % 9000000,
      4012345 + bib_number::bigint * 7919 % 9000000,
      jsonb_build_object('Km 5', 1000000, 'Km 10', 2000000, 'Km 15', 3000000)
    from registrations where event_id = $1 and bib_number::int <= $3`,
    [race.eventId, batch.id, finishers],
  );
  await client.query('vacuum analyze results');
}
