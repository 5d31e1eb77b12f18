import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { formatRaceTime } from '../timing-files/read/race-time.ts';
import { atOnce } from '../timing-files/read/turns.ts';
import { hashApiKey } from '../worker/auth/api-key/api-key.ts';
import { openJson } from '../worker/http/json-text.ts';
import { beforeWriting } from '../worker/results/upload/before-writing.ts';
import { readJsonBatch } from '../worker/results/upload/json-rows.ts';
import { storeBatch } from '../worker/results/upload/store.ts';
import { type RaceRow, raceRow } from './files.ts';
import {
  figureOf,
  type Line,
  measureInTurns,
  prepared,
  type Report,
  ratioLine,
} from './measure.ts';
import { createRace, type Race, startServers } from './race.ts';
import { type Send, type SentQuery, sendingWith, transaction } from './statements.ts';

const UPLOAD_ROWS = 5_000;
const LIVE_ROWS = 20;
const FEW = 1_000;
const MANY = 200_000;
const UPLOAD_TURNS = { warmUps: 1, samples: 9 };
const LIVE_TURNS = { warmUps: 20, samples: 101 };
const CORRECTION_MOST = 1.3;

/** Measures the time of Postgres for writing results: the API's own SQL without the Worker. */
export async function benchDatabase(): Promise<Report> {
  const servers = await startServers();
  const { pool } = servers;
  const client = await pool.connect();
  try {
    const unchanged = await benchRepeatedUpload(client, pool);
    const small = await raceWith(client, pool, FEW);
    const large = await raceWith(client, pool, MANY);
    return {
      lines: [
        unchanged,
        await benchGrowth(client, small, large),
        await benchCorrection(client, large),
      ],
      notes: [
        'Database time: from `begin` to `commit` over one connection, with the SQL that the API sends. The floor of a ' +
          'correction is the least that is as safe, statement by statement: the floor locks the event, the key and the ' +
          'registration, copies and updates the result, and records the batch. ' +
          `Medians of ${UPLOAD_TURNS.samples} uploads and ${LIVE_TURNS.samples} live batches, in turns.`,
      ],
    };
  } finally {
    client.release();
    await servers.stop();
  }
}

/** The rows of an upload sent again, with changed times and with equal times. */
async function benchRepeatedUpload(client: pg.PoolClient, pool: pg.Pool): Promise<Line> {
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
  const medians = await measureInTurns<'corrected' | 'unchanged'>(
    [
      { name: 'corrected', ...prepared(corrected, run), undo },
      { name: 'unchanged', ...prepared(unchanged, run), undo },
    ],
    UPLOAD_TURNS,
  );
  return ratioLine(`${UPLOAD_ROWS} unchanged rows against corrected ones`, {
    ms: figureOf(medians, 'unchanged'),
    floorMs: figureOf(medians, 'corrected'),
    most: 0.5,
  });
}

type Running = Race & { send: Send; finishers: number };

/** A race of which all but the last runners have finished. */
async function raceWith(client: pg.PoolClient, pool: pg.Pool, finishers: number): Promise<Running> {
  const race = await createRace(pool, finishers + LIVE_ROWS);
  const send = await sendingWith(race.key, 'results:write');
  await finish(client, race, send, finishers);
  return { ...race, send, finishers };
}

/**
 * A live batch of a large race beside a live batch of a small race, in turns: further work of the machine slows both.
 */
async function benchGrowth(client: pg.PoolClient, small: Running, large: Running): Promise<Line> {
  const batches = [small, large].map((race) => {
    const rows = Array.from({ length: LIVE_ROWS }, (_, at) => raceRow(race.finishers + at + 1));
    const bibs = rows.map(({ bib_number }) => bib_number);
    return {
      name: String(race.finishers),
      ...prepared(
        () => upload(race.send, race, rows),
        (statements) => transaction(client, statements),
      ),
      undo: () =>
        client.query(
          `delete from results where registration_id in (
            select id from registrations where event_id = $1 and bib_number = any($2)
          )`,
          [race.eventId, bibs],
        ),
    };
  });
  const medians = await measureInTurns(batches, LIVE_TURNS);
  return ratioLine(`live batch of ${LIVE_ROWS}, ${MANY} finishers against ${FEW}`, {
    ms: figureOf(medians, String(MANY)),
    floorMs: figureOf(medians, String(FEW)),
    most: 1.1,
  });
}

/** The slowest finisher becomes the first. */
async function benchCorrection(client: pg.PoolClient, race: Running): Promise<Line> {
  const slowest = await client.query<{ registration_id: string; bib_number: string }>(
    `select registration_id, bib_number from standings where event_id = $1
    order by position_overall desc limit 1`,
    [race.eventId],
  );
  const [last] = slowest.rows;
  if (!last) throw new Error('Nobody has finished.');
  const row = { ...raceRow(Number(last.bib_number)), chip_time: '00:00:01.000' };
  const undo = () =>
    client.query(
      'update results set chip_time_ms = 999 * 3600 * 1000::bigint where registration_id = $1',
      [last.registration_id],
    );
  const run = (statements: SentQuery[]) => transaction(client, statements);
  const medians = await measureInTurns<'update' | 'correction'>(
    [
      { name: 'update', ...prepared(() => bareCorrection(race.send, race, row), run), undo },
      { name: 'correction', ...prepared(() => upload(race.send, race, [row]), run), undo },
    ],
    LIVE_TURNS,
  );
  return ratioLine(`one correction from last to first of ${MANY}, database time`, {
    ms: figureOf(medians, 'correction'),
    floorMs: figureOf(medians, 'update'),
    most: CORRECTION_MOST,
  });
}

const batchOf = (rows: readonly RaceRow[]) =>
  atOnce(readJsonBatch(openJson(Buffer.from(JSON.stringify({ results: rows })))));

/** Locks the rows behind an upload: the event, the key and the registrations. */
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

/** The writing trip, after the parsing. */
const upload = (send: Send, { eventId }: Race, rows: readonly RaceRow[]): SentQuery[] => [
  ...beforeWriting(rows.length).map(send),
  send(storeBatch(eventId, batchOf(rows), { source: 'json' })),
];

/** Gives the first bibs a result each. */
async function finish(client: pg.PoolClient, race: Race, send: Send, finishers: number) {
  const batch = atOnce(readJsonBatch(openJson(Buffer.from('{"results":[]}'))));
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
