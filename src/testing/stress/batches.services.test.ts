import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import type { ResultBatch } from '../../worker/results/batches/answer-schemas.ts';
import { fetchDocumented } from '../documented.ts';
import { createRace, type RaceDay, startRaceDay } from './race-day.ts';

let day: RaceDay;

beforeAll(async () => {
  day = await startRaceDay(inject('servers'));
});
afterAll(() => day?.stop());
afterEach(() => day.stack.neon.faults.delete(day.tag));

async function startingRace(bibs: number) {
  const race = await createRace(day, { runners: bibs, keyCount: 4 });
  const { keys } = race;
  let turn = 0;
  /** Sends with each key in turn, so that none exceeds its limit. */
  const send = (path: string, init: RequestInit = {}) =>
    fetchDocumented(`${day.origin}${race.path}${path}`, {
      ...init,
      headers: { ...init.headers, 'X-API-Key': keys[turn++ % keys.length] ?? '' },
    });
  return { ...race, bibs, send };
}
type Race = Awaited<ReturnType<typeof startingRace>>;

const clock = (ms: number) => new Date(ms).toISOString().slice(11, 23);

/** All bibs of the race with this chip time. */
const rowsAt = ({ bibs }: Race, ms: number, from = 1) =>
  Array.from({ length: bibs - from + 1 }, (_, index) => ({
    bib_number: String(from + index),
    chip_time: clock(ms),
  }));

type Body = Record<string, unknown> & {
  batch_id: string;
  already_reverted: number;
  kept: number;
  meta: { total: number };
};

async function answerOf(response: Response): Promise<Body> {
  const body: Body = await response.json();
  expect(response.status, JSON.stringify(body)).toBe(200);
  return body;
}

const upload = (race: Race, ms: number, from?: number, headers: Record<string, string> = {}) =>
  race
    .send('/results', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ results: rowsAt(race, ms, from) }),
    })
    .then(answerOf);

const sendRevert = (race: Race, batchId: string) =>
  race.send(`/result-batches/${batchId}/revert`, { method: 'POST' });

const revert = (race: Race, batchId: string) => sendRevert(race, batchId).then(answerOf);

/** Every version of every result names the batch that replaced the version: no version is lost. */
async function expectWholeHistory({ eventId }: Race) {
  const { rows } = await day.pool.query(
    `select count(*)::int as breaks from (
      select replaced_by,
        lead(batch_id) over (partition by registration_id order by place) as next_batch_id
      from (
        select registration_id, id as place, batch_id, replaced_by from replaced_results
        union all
        select registration_id, 9e18, batch_id, null from results
      ) version
      join registrations on registrations.id = registration_id
      where event_id = $1
    ) version
    where replaced_by is distinct from next_batch_id`,
    [eventId],
  );
  expect(rows).toEqual([{ breaks: 0 }]);
}

const versionsOf = async ({ eventId }: Race) => {
  const { rows } = await day.pool.query<Record<string, number>>(
    `select (select count(*)::int from results where event_id = $1) as results,
      (select count(*)::int from replaced_results
        join registrations on registrations.id = registration_id where event_id = $1) as replaced,
      (select count(*)::int from result_batches where event_id = $1) as batches`,
    [eventId],
  );
  return rows[0];
};

test('keeps every result that uploads at the same time replace, the first ones included', async () => {
  const race = await startingRace(200);
  let ms = 3_600_000;
  for (let round = 0; round < 4; round++) {
    await Promise.all(
      Array.from({ length: 6 }, () => {
        ms += 1_000;
        return upload(race, ms);
      }),
    );
  }
  expect(await versionsOf(race)).toEqual({ results: 200, replaced: 200 * 23, batches: 24 });
  await expectWholeHistory(race);
});

test('stores an upload that arrives eight times at once under one key once', async () => {
  const race = await startingRace(200);
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => upload(race, 3_600_000, 1, headers)),
  );
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect(await versionsOf(race)).toEqual({ results: 200, replaced: 0, batches: 1 });
});

test('undoes no correction when an abandoned upload is repeated late', async () => {
  const race = await startingRace(20);
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  day.stack.neon.faults.set(day.tag, { kind: 'tear-after', times: 2 });
  const lost = await race.send('/results', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ results: rowsAt(race, 3_600_000) }),
  });
  expect(lost.status).toBe(503);
  day.stack.neon.faults.delete(day.tag);
  await upload(race, 3_600_000, 1, headers);
  const correction = await upload(race, 3_700_000);
  await upload(race, 3_600_000, 1, headers);
  const page = await answerOf(await race.send('/results?bib=1'));
  expect(page['data']).toMatchObject([{ chip_time: '01:01:40.000' }]);
  expect(correction).toMatchObject({ updated: 20 });
});

test('leaves every result with one upload after simultaneous uploads and reverts', async () => {
  const race = await startingRace(200);
  for (let round = 0; round < 5; round++) {
    const wrong = await upload(race, 3_600_000 + round * 10_000);
    const [reversal, ...others] = await Promise.all([
      revert(race, wrong.batch_id),
      upload(race, 3_601_000 + round * 10_000, 101),
      revert(race, wrong.batch_id),
      upload(race, 3_602_000 + round * 10_000, 151),
    ]);
    expect(reversal['reverts']).toBe(wrong.batch_id);
    expect(others).toHaveLength(3);
    const again = await revert(race, wrong.batch_id);
    expect(again).toMatchObject({ batch_id: null, restored: 0, removed: 0 });
    expect(again.already_reverted + again.kept).toBe(200);
  }
  const { rows } = await day.pool.query(
    `select count(*)::int as wrong from results join registrations on id = registration_id
    where results.event_id = $1 and bib_number::int > 100 and chip_time_ms % 10000 = 0`,
    [race.eventId],
  );
  expect(rows).toEqual([{ wrong: 0 }]);
});

test('changes nothing by a revert whose connection dies, and repeats it when it is sent again', async () => {
  const race = await startingRace(100);
  await upload(race, 3_600_000);
  const wrong = await upload(race, 3_700_000);
  const before = await versionsOf(race);
  const session = new pg.Client({ connectionString: day.stack.postgresUrl });
  await session.connect();
  await session.query('begin');
  // The revert changes this row last, so the revert waits after all other rows.
  await session.query(
    `select from results where registration_id =
      (select registration_id from results where event_id = $1 order by 1 desc limit 1) for update`,
    [race.eventId],
  );
  const answer = sendRevert(race, wrong.batch_id);
  const waiting = `from pg_stat_activity where datname = current_database()
    and wait_event_type = 'Lock' and query like '%target as materialized%'`;
  await expect
    .poll(async () => (await day.pool.query(`select 1 ${waiting}`)).rowCount, { timeout: 20_000 })
    .toBe(1);
  await day.pool.query(`select pg_terminate_backend(pid) ${waiting}`);
  expect((await answer).status).toBe(503);
  await session.query('rollback');
  await session.end();
  expect(await versionsOf(race)).toEqual(before);
  expect(await revert(race, wrong.batch_id)).toMatchObject({ restored: 100, kept: 0 });
});

/** Reverts a batch that waits for a transaction with this statement, whose parameter is the event. */
async function revertBeside(race: Race, batchId: string, statement: string) {
  const session = new pg.Client({ connectionString: day.stack.postgresUrl });
  await session.connect();
  await session.query('begin');
  await session.query(statement, [race.eventId]);
  const answer = revert(race, batchId);
  await sleep(300);
  await session.query('commit');
  await session.end();
  return answer;
}

test('reverts without a registration that is deleted meanwhile', async () => {
  const race = await startingRace(10);
  const wrong = await upload(race, 3_600_000);
  const deletion = `delete from registrations where event_id = $1 and bib_number = '5'`;
  expect(await revertBeside(race, wrong.batch_id, deletion)).toMatchObject({ removed: 9, kept: 0 });
});

test('reverts a deletion without a registration that is moved to another event meanwhile', async () => {
  const [race, otherRace] = [await startingRace(10), await startingRace(0)];
  await upload(race, 3_600_000);
  const deletion = await answerOf(await race.send('/results/5', { method: 'DELETE' }));
  const move = `update registrations set event_id = '${otherRace.eventId}'
    where event_id = $1 and bib_number = '5'`;
  expect(await revertBeside(race, deletion.batch_id, move)).toMatchObject({
    batch_id: null,
    reinstated: 0,
  });
});

test('leaves nothing when uploads of the same moment are reverted in the order of the list', async () => {
  const race = await startingRace(40);
  let ms = 3_600_000;
  const left: number[] = [];
  for (let round = 0; round < 25; round++) {
    const sent = await Promise.all(
      Array.from({ length: 4 }, () => {
        ms += 1_000;
        return upload(race, ms, 1 + (ms % 7));
      }),
    );
    const listed = await answerOf(await race.send('/result-batches?page_size=4'));
    const newest = (listed['data'] as ResultBatch[]).map(({ id }) => id);
    expect([...newest].sort()).toEqual(sent.map(({ batch_id }) => batch_id).sort());
    for (const batchId of newest) await revert(race, batchId);
    left.push((await versionsOf(race))?.['results'] ?? -1);
  }
  expect(left).toEqual(left.map(() => 0));
});

test('writes no unchanged row', async () => {
  const race = await startingRace(2_000);
  await upload(race, 3_600_000);
  /** The positions of the rows in the table. A written row moves. */
  const places = async () => {
    const { rows } = await day.pool.query<{ place: string }>(
      'select ctid::text as place from results where event_id = $1',
      [race.eventId],
    );
    return new Set(rows.map(({ place }) => place));
  };
  const before = await places();
  for (let round = 0; round < 3; round++) {
    expect(await upload(race, 3_600_000)).toMatchObject({ updated: 2_000, unchanged: 2_000 });
  }
  expect(await places()).toEqual(before);
  await upload(race, 3_700_000);
  expect([...(await places())].filter((place) => before.has(place))).toEqual([]);
});

test('takes back a file of 100 000 rows', async () => {
  const race = await startingRace(100_000);
  const csv = ['bib,time', ...rowsAt(race, 3_600_000).map((row) => `${row.bib_number},01:00:00`)];
  const wrong = await answerOf(
    await race.send('/results/file', {
      method: 'POST',
      headers: { 'Content-Type': 'text/csv' },
      body: `${csv.join('\n')}\n`,
    }),
  );
  expect(await revert(race, wrong.batch_id)).toMatchObject({ removed: 100_000 });
  const page = await answerOf(await race.send(`/result-batches/${wrong.batch_id}/changes`));
  expect(page.meta.total).toBe(100_000);
});
