import { neon } from '@neondatabase/serverless';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createRace, db } from '../../../testing/factories.ts';
import { request, testConfig, withKey } from '../../../testing/harness.ts';
import { postJson, type Race, uploadRows } from '../../../testing/uploads.ts';
import type { LogLine } from '../../log.ts';
import { buildServices } from '../../services.ts';
import type { ResultsUploadOut } from '../upload/answer-schemas.ts';
import { pruneHistory } from './prune.ts';

/** Concurrent tests share the database: none has rows of this age. */
const KEEP_HISTORY_DAYS = 3_000;
const OLD = '2001-01-01';

/** Prunes like the Worker, with its role, and returns the logged lines. */
async function prune(keepHistoryDays: number | undefined = KEEP_HISTORY_DAYS, stepsMax?: number) {
  const logged: LogLine[] = [];
  const log = { info: (line: LogLine) => void logged.push(line), error: () => {} };
  await pruneHistory({ ...buildServices(testConfig), log, keepHistoryDays }, stepsMax);
  return logged;
}

const countOf = async (from: ReturnType<typeof sql>): Promise<number> => {
  const { rows } = await db.execute<{ count: number }>(sql`select count(*)::int as count ${from}`);
  return rows[0]?.count ?? 0;
};
const batchesOf = ({ eventId }: Race) =>
  countOf(sql`from result_batches where event_id = ${eventId}`);
const historyOf = ({ eventId }: Race) =>
  countOf(sql`from replaced_results join registrations on registrations.id = registration_id
    where registrations.event_id = ${eventId}`);

const upload = (race: Race, chip_time: string) =>
  uploadRows(race, [{ bib_number: '1', chip_time }]);
const makeOld = ({ eventId }: Race, batchId?: string) =>
  db.execute(sql`update result_batches set received_at = ${OLD}
    where event_id = ${eventId} and ${batchId === undefined ? sql`true` : sql`id = ${batchId}`}`);

test('deletes old uploads and what they replaced, and keeps young ones and every result', async () => {
  const race = await createRace({ bibs: ['1'] });
  await upload(race, '00:40:00');
  await upload(race, '00:39:00');
  await makeOld(race);
  await upload(race, '00:38:00');
  expect([await batchesOf(race), await historyOf(race)]).toEqual([3, 2]);

  expect(await prune()).toEqual([
    { level: 'info', message: 'The history of uploads was pruned', rows: 2 },
  ]);
  expect([await batchesOf(race), await historyOf(race)]).toEqual([1, 1]);
  expect(await countOf(sql`from results where event_id = ${race.eventId}`)).toBe(1);
});

test('deletes old uploads of passings and what they replaced, and keeps young ones and every passing', async () => {
  const race = await createRace({ bibs: ['1'] });
  const pass = (time: string) =>
    postJson(race, JSON.stringify({ passings: [{ bib_number: '1', point: 'Km 5', time }] }), {
      to: '/passings',
    });
  for (const time of ['21:00', '22:00', '23:00']) await pass(time);
  await db.execute(sql`update passing_uploads set received_at = ${OLD}
    where event_id = ${race.eventId} and id not in (select upload_id from passings)`);
  const held = () =>
    Promise.all([
      countOf(sql`from passing_uploads where event_id = ${race.eventId}`),
      countOf(sql`from replaced_passings join registrations on registrations.id = registration_id
        where event_id = ${race.eventId}`),
      countOf(sql`from passings where event_id = ${race.eventId}`),
    ]);
  expect(await held()).toEqual([3, 2, 1]);
  await prune();
  // The young upload can be reverted, so its replaced results stay.
  expect(await held()).toEqual([1, 1, 1]);
});

test('keeps the decision of a person who corrected or deleted a result', async () => {
  const race = await createRace({ bibs: ['1', '2'] });
  const send = async (query: string) => {
    const results = ['1', '2'].map((bib_number) => ({ bib_number, chip_time: '00:40:00' }));
    const answer = await postJson(race, JSON.stringify({ results }), { to: `/results${query}` });
    return answer.json<ResultsUploadOut>();
  };
  await send('');
  await request(`${race.path}/results/1`, { method: 'DELETE', headers: withKey(race.key) });
  const dnf = JSON.stringify({ results: [{ bib_number: '2', status: 'DNF' }] });
  await postJson(race, dnf, { to: '/results?by_hand=true' });
  await makeOld(race);
  await prune();
  expect(await batchesOf(race)).toBe(0);
  expect((await send('?leave=decided')).left).toMatchObject([
    { bib_number: '1', reason_code: 'deleted_by_person', stored: null, sender: null, at: null },
    { bib_number: '2', reason_code: 'decided_by_person', stored: { status: 'DNF' }, sender: null },
  ]);
});

test('deletes nothing unless a retention is set', async () => {
  const race = await createRace({ bibs: ['1'] });
  await upload(race, '00:40:00');
  await makeOld(race);
  const { keepHistoryDays } = buildServices(testConfig);
  expect(keepHistoryDays).toBeUndefined();
  const log = { info: () => {}, error: () => {} };
  await pruneHistory({ ...buildServices(testConfig), log });
  expect(await batchesOf(race)).toBe(1);
  await prune();
  expect(await batchesOf(race)).toBe(0);
});

test('keeps an old upload that took effect after a young one', async () => {
  const race = await createRace({ bibs: ['1'] });
  await upload(race, '00:40:00');
  const { batch_id } = await upload(race, '00:39:00');
  await makeOld(race, batch_id);
  await prune();
  expect(await batchesOf(race)).toBe(2);
});

test('ends a step at 1 000 uploads or 100 000 replaced results, and leaves the rest to the next run', async () => {
  const race = await createRace({ bibs: ['1'] });
  const { batch_id } = await upload(race, '00:40:00');
  const insertLike = (batches: number, updated: number) =>
    db.execute(sql`insert into result_batches (event_id, api_key_id, source, total_processed, uploaded, updated,
        not_found, errors, duplicates, received_at)
      select event_id, api_key_id, source, ${updated}::int, 0, ${updated}::int, 0, 0, 0, ${OLD}
      from result_batches, generate_series(1, ${batches}::int) where id = ${batch_id}`);
  // A young upload keeps older uploads that took effect later.
  await db.execute(
    sql`update result_batches set effect_order = 9007199254740991 where id = ${batch_id}`,
  );
  await insertLike(3, 60_000);
  await prune(KEEP_HISTORY_DAYS, 1);
  expect(await batchesOf(race)).toBe(1 + 1);
  await insertLike(1_100, 1);
  await prune(KEEP_HISTORY_DAYS, 1);
  expect(await batchesOf(race)).toBe(1 + 101);
  await prune(KEEP_HISTORY_DAYS, 1);
  expect(await batchesOf(race)).toBe(1);
});

test('refuses to delete what is younger than a week, also from whoever has the role of the Worker', async () => {
  const asWorker = neon(testConfig.DATABASE_URL);
  for (const until of ["now() - interval '6 days'", 'now()', 'null']) {
    await expect(asWorker.query(`select prune_history(${until})`)).rejects.toThrow(
      'must be at least 7 days ago',
    );
  }
  await expect(asWorker.query('delete from result_batches')).rejects.toThrow('permission denied');
});

test('names nothing by the search path of who calls it', async () => {
  const { rows } = await db.execute(sql`select prosecdef, proconfig,
      has_function_privilege('public', oid, 'execute') as for_all
    from pg_proc where proname = 'prune_history'`);
  expect(rows).toEqual([{ prosecdef: true, proconfig: ['search_path=""'], for_all: false }]);
});
