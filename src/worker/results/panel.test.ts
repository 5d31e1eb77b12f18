import { and, eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import { createRace, createRegistrations, db } from '../../testing/factories.ts';
import { startApp, withKey } from '../../testing/harness.ts';
import { panelOf } from '../../testing/members.ts';
import {
  answered,
  type Race,
  storedBatches,
  storedResults,
  uploadCsv,
  uploadRows,
} from '../../testing/uploads.ts';
import { eventSettings, events, registrations, resultBatches } from '../db/schema.ts';
import type {
  OrganizationResultBatch,
  ResultBatch,
  ResultBatchReversal,
  ResultChange,
  ResultDeletion,
  ResultVersion,
} from './batches/answer-schemas.ts';
import type { ResultCorrection, Runner, Runners } from './panel-answer-schemas.ts';
import type { ResultsFilePreview } from './upload/preview-answer-schemas.ts';

/** The registration of a bib. Concurrent tests write in this database. */
const ofBib = ({ eventId }: { eventId: string }, bib: string) =>
  and(eq(registrations.event_id, eventId), eq(registrations.bib_number, bib));

const { request } = startApp();

/** An event with three runners, and its manager's requests. */
async function createManagedRace() {
  const race = await createRace({ bibs: ['1', '2', '3'] });
  const { ask, userId } = await panelOf(race, { role: 'admin', send: request });
  const revert = async (batchId: string, query = '') =>
    (
      await ask(`/result-batches/${batchId}/revert${query}`, { method: 'POST' })
    ).json<ResultBatchReversal>();
  return { race, userId, ask, revert };
}

type Batches = { data: OrganizationResultBatch[] };

const publicResults = async ({ path, key }: Race) =>
  (await request(`${path}/results/export`, { headers: withKey(key) })).text();

test('takes an upload back, with the user and the key of the upload on record', async () => {
  const { race, userId, ask, revert } = await createManagedRace();
  await uploadRows(race, [{ bib_number: '1', time: '1:00:00' }]);
  const before = await publicResults(race);
  const { batch_id } = await uploadCsv(race, 'bib,time\n1,2:00:00\n2,1:30:00\n');
  const after = await publicResults(race);

  expect(await revert(batch_id, '?dry_run=true')).toMatchObject({
    batch_id: null,
    dry_run: true,
    restored: 1,
    removed: 1,
    kept: 0,
  });
  expect(await publicResults(race)).toBe(after);
  const done = await revert(batch_id);
  expect(done).toMatchObject({ reverts: batch_id, dry_run: false, restored: 1, removed: 1 });
  expect(await publicResults(race)).toBe(before);
  expect(await revert(batch_id)).toMatchObject({ batch_id: null, already_reverted: 2 });

  const { data: named } = await (await ask('/result-batches')).json<Batches>();
  const data = named.map(({ runners: _, is_swap: __, ...batch }) => batch);
  expect(data).toMatchObject([
    { id: done.batch_id, source: 'revert', reverts: batch_id, user_id: userId },
    { id: batch_id, source: 'csv', reverted_by: done.batch_id, user_id: null },
    { source: 'json', user_id: null },
  ]);
  expect(data[0]).toMatchObject({ key_name: data[1]?.key_name, key_prefix: data[1]?.key_prefix });
  const shown = await request(`${race.path}/result-batches`, { headers: withKey(race.key) });
  expect(await shown.json()).toMatchObject({ data });

  // The revert can be reverted with a key, and the second revert in the panel again.
  const again = await request(`${race.path}/result-batches/${done.batch_id}/revert`, {
    method: 'POST',
    headers: withKey(race.key),
  });
  const { batch_id: redone } = await again.json<{ batch_id: string }>();
  expect(await publicResults(race)).toBe(after);
  expect(await revert(redone)).toMatchObject({ restored: 1, removed: 1 });
  expect(await publicResults(race)).toBe(before);
});

test('does not take a batch of another event back', async () => {
  const { race, ask } = await createManagedRace();
  const stranger = await createManagedRace();
  const { batch_id } = await uploadRows(stranger.race, [{ bib_number: '1', time: '1:00:00' }]);
  const stored = await publicResults(stranger.race);
  for (const query of ['', '?dry_run=true']) {
    const path = `/result-batches/${batch_id}/revert${query}`;
    expect((await ask(path, { method: 'POST' })).status).toBe(404);
  }
  expect(await publicResults(stranger.race)).toBe(stored);
  expect(await (await ask('/result-batches')).json()).toMatchObject({ data: [] });
  expect(await publicResults(race)).not.toBe(stored);
});

test('stores a file as the public API does, in a batch of the user', async () => {
  const { race, userId, ask, revert } = await createManagedRace();
  const send = (to: string, csv: string, headers = {}) =>
    ask(`/results/file${to}`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/csv', ...headers },
      body: csv,
    });
  const csv = 'dorsal,marca\n1,1:00:00\n2,DNF\n99,1:10:00\n';
  const query = '?bib=dorsal&chip_time=marca&status=marca';

  const seen = await (await send(`/preview${query}`, csv)).json<ResultsFilePreview>();
  expect(seen.counts).toMatchObject({ new: 2, not_found: 1 });
  expect(await storedResults(race.eventId)).toEqual({});

  const stored = await answered(await send(`${query}&reason=By%20mail`, csv));
  expect(stored).toMatchObject({ uploaded: 2, not_found: 1, failed: [{ row: 4 }] });
  expect(await storedResults(race.eventId)).toMatchObject({
    1: { status: 'FINISHED', chip: 3_600_000 },
    2: { status: 'DNF', chip: null },
  });
  const recorded = {
    id: stored.batch_id,
    source: 'csv',
    key_name: '',
    key_prefix: '',
    user_id: userId,
    reason: 'By mail',
  };
  const listed = await (await ask('/result-batches')).json<Batches>();
  expect(listed.data).toMatchObject([recorded]);
  const shown = await request(`${race.path}/result-batches`, { headers: withKey(race.key) });
  const [{ runners, is_swap, ...batch } = { runners: undefined, is_swap: undefined }] = listed.data;
  expect([runners, is_swap]).toEqual([[], false]);
  expect((await shown.json<{ data: ResultBatch[] }>()).data).toEqual([batch]);

  expect(await revert(stored.batch_id)).toMatchObject({ removed: 2 });
  expect(await storedResults(race.eventId)).toEqual({});
});

test('stores a file once under one idempotency key', async () => {
  const { race, ask } = await createManagedRace();
  const send = async (csv: string) =>
    ask('/results/file', {
      method: 'POST',
      headers: { 'Content-Type': 'text/csv', 'Idempotency-Key': 'mail-17' },
      body: csv,
    });
  const first = await answered(await send('bib,time\n1,1:00:00\n'));
  await uploadRows(race, [{ bib_number: '1', time: '2:00:00' }]);
  expect(await answered(await send('bib,time\n1,1:00:00\n'))).toEqual(first);
  expect((await send('bib,time\n1,1:00:01\n')).status).toBe(400);
  expect(await storedResults(race.eventId)).toMatchObject({ 1: { chip: 7_200_000 } });
});

test('takes back with a key what a user sent, and in the panel what was taken back', async () => {
  const { race, ask, revert } = await createManagedRace();
  const body = 'bib,time\n1,1:00:00\n';
  const { batch_id } = await answered(
    await ask('/results/file', { method: 'POST', headers: { 'Content-Type': 'text/csv' }, body }),
  );
  const undone = await request(`${race.path}/result-batches/${batch_id}/revert`, {
    method: 'POST',
    headers: withKey(race.key),
  });
  const { batch_id: revertId } = await undone.json<{ batch_id: string }>();
  expect(await storedResults(race.eventId)).toEqual({});
  expect(await revert(revertId)).toMatchObject({ reinstated: 1 });
  expect(await storedResults(race.eventId)).toMatchObject({ 1: { chip: 3_600_000 } });
});

describe('correctOrganizationEventResult', () => {
  const STORED = {
    status: 'FINISHED',
    chip: 3_600_000,
    gun: 3_610_000,
    splits: { 'Km 5': 1_200_000 },
  };

  /** A race whose runner 1 has a whole result. */
  async function createCorrectable() {
    const managed = await createManagedRace();
    await uploadRows(managed.race, [
      { bib_number: '1', chip_time: '1:00:00', gun_time: '1:00:10', splits: { 'Km 5': '20:00' } },
    ]);
    const correct = (body: unknown, bib = '1') =>
      managed.ask(`/results/${bib}`, {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    const stored = async () => (await storedResults(managed.race.eventId))['1'];
    return { ...managed, correct, stored };
  }

  test('changes what is named and keeps the rest, in a batch that can be taken back', async () => {
    const { race, userId, correct, revert, stored } = await createCorrectable();
    const response = await correct({ chip_time: '59:59.5', reason: 'Photo finish' });
    expect(response.status).toBe(200);
    const answer = await response.json<ResultCorrection>();
    expect(answer).toMatchObject({
      bib_number: '1',
      before: { chip_time: '01:00:00.000', gun_time: '01:00:10.000' },
      after: { status: 'FINISHED', chip_time: '00:59:59.500', gun_time: '01:00:10.000' },
    });
    expect(await stored()).toEqual({ ...STORED, chip: 3_599_500 });
    expect((await storedBatches(race.eventId)).at(-1)).toMatchObject({
      id: answer.batch_id,
      api_key_id: null,
      user_id: userId,
      reason: 'Photo finish',
      total_processed: 1,
      updated: 1,
    });
    expect(await revert(answer.batch_id ?? '')).toMatchObject({ restored: 1 });
    expect(await stored()).toEqual(STORED);
  });

  test('takes the times of a runner who is disqualified, and gives a finisher a time again', async () => {
    const { correct, stored } = await createCorrectable();
    expect((await correct({ status: 'DSQ' })).status).toBe(200);
    expect(await stored()).toEqual({ ...STORED, status: 'DSQ', chip: null, gun: null });
    expect((await correct({ status: 'FINISHED', gun_time: '1:00:10' })).status).toBe(200);
    expect(await stored()).toEqual({ ...STORED, chip: null });
    expect((await correct({ chip_time: '1:00:00', gun_time: null })).status).toBe(200);
    expect(await stored()).toEqual({ ...STORED, gun: null });
  });

  test('stores nothing unlikely before a person confirms it, and says what speaks against it', async () => {
    const { race, correct, stored } = await createCorrectable();
    await db
      .update(registrations)
      .set({ distance: 'Half marathon' })
      .where(eq(registrations.event_id, race.eventId));
    const mistyped = { chip_time: '0:09:00', gun_time: '1:48:46' };
    const refused = await correct(mistyped);
    expect(refused.status).toBe(409);
    const body = await refused.json<{
      code: string;
      detail: string;
      warnings: { code: string }[];
    }>();
    expect(body.code).toBe('VALIDATION_ERROR');
    expect(body.detail).toContain('Half marathon in 9 min 0 s');
    expect(body.warnings.map(({ code }) => code)).toEqual([
      'implausible_for_distance',
      'implausible_for_distance',
      'split_after_finish',
    ]);
    expect(await stored()).toEqual(STORED);
    expect(await storedBatches(race.eventId)).toHaveLength(1);
    expect((await correct({ ...mistyped, confirmed: false })).status).toBe(409);
    expect((await correct({ ...mistyped, confirmed: true })).status).toBe(200);
    expect(await stored()).toMatchObject({ chip: 540_000, gun: 6_526_000 });
  });

  test('compares a correction with the other finishers of the distance, and with what passed the points', async () => {
    const { race, ask, correct } = await createCorrectable();
    const runners = ['11', '12', '13'];
    await createRegistrations(
      race.eventId,
      runners.map((bib_number) => ({ bib_number })),
    );
    await uploadRows(
      race,
      runners.map((bib_number) => ({ bib_number, chip_time: '50:00' })),
    );
    expect((await correct({ chip_time: '44:00' }, '2')).status).toBe(409);
    expect((await correct({ chip_time: '46:00' }, '2')).status).toBe(200);
    await ask('/passings/file?point=Km%2018', {
      method: 'POST',
      headers: { 'Content-Type': 'text/csv' },
      body: 'bib,time\n2,47:00\n',
    });
    const refused = await correct({ chip_time: '46:30' }, '2');
    expect(await refused.json()).toMatchObject({ warnings: [{ code: 'split_after_finish' }] });
  });

  test('makes no batch of a result that is so already', async () => {
    const { race, correct } = await createCorrectable();
    const response = await correct({ status: 'FINISHED', gun_time: '1:00:10.000' });
    expect(await response.json()).toMatchObject({ batch_id: null });
    expect(await storedBatches(race.eventId)).toHaveLength(1);
  });

  test.each([
    [{}, 'Send an object'],
    [{ reason: 'none' }, 'Send an object'],
    [{ splits: {}, status: 'DNF' }, '"splits"'],
    [{ chip_Time: '1:00:00' }, '"chip_Time"'],
    [{ status: 'finished' }, 'status: expected FINISHED'],
    [{ chip_time: '1h00' }, 'chip_time: expected HH:MM:SS'],
    [{ chip_time: '0:00' }, 'chip_time: expected HH:MM:SS'],
    [{ gun_time: '00:00:00.000' }, 'gun_time: expected HH:MM:SS'],
    [{ chip_time: null, gun_time: null }, 'needs a chip time or a gun time'],
    [{ status: 'DNF', reason: 'x'.repeat(201) }, 'reason: expected at most 200'],
  ])('refuses %j and writes nothing', async (body, detail) => {
    const { race, correct, stored } = await createCorrectable();
    expect(await expectError(await correct(body), 400, 'VALIDATION_ERROR')).toContain(detail);
    expect(await stored()).toEqual(STORED);
    expect(await storedBatches(race.eventId)).toHaveLength(1);
  });

  test('refuses a time for a runner who did not finish, unless the status is named', async () => {
    const { race, correct, stored } = await createCorrectable();
    await correct({ status: 'DNF' });
    for (const body of [{ chip_time: '1:00:00' }, { gun_time: '1:00:00', reason: 'x' }]) {
      expect(await expectError(await correct(body), 400, 'VALIDATION_ERROR')).toContain('is DNF');
    }
    await expectError(await correct({ status: 'FINISHED' }), 400, 'VALIDATION_ERROR');
    expect(await stored()).toMatchObject({ status: 'DNF' });
    expect(await storedBatches(race.eventId)).toHaveLength(2);
  });

  test('enters the first result of a runner, in a batch that can be taken back', async () => {
    const { race, userId, ask, correct, revert } = await createCorrectable();
    const response = await correct({ gun_time: '1:10:00', reason: 'Chip failed' }, '2');
    expect(response.status).toBe(200);
    const answer = await response.json<ResultCorrection>();
    const result = { status: 'FINISHED', chip_time: null, gun_time: '01:10:00.000', splits: {} };
    expect(answer).toMatchObject({ bib_number: '2', before: null, after: result });
    const stored = { status: 'FINISHED', chip: null, gun: 4_200_000, splits: {} };
    expect(await storedResults(race.eventId)).toEqual({ 1: STORED, 2: stored });
    expect((await storedBatches(race.eventId)).at(-1)).toMatchObject({
      id: answer.batch_id,
      user_id: userId,
      reason: 'Chip failed',
      total_processed: 1,
      uploaded: 1,
      updated: 0,
    });
    const { data } = await (await ask('/results/2/history')).json<{ data: ResultVersion[] }>();
    expect(data).toMatchObject([{ version: 1, result, user_id: userId, reason: 'Chip failed' }]);
    expect(await revert(answer.batch_id ?? '')).toMatchObject({ removed: 1 });
    expect(await storedResults(race.eventId)).toEqual({ 1: STORED });
  });

  test('enters a runner who did not finish, and a result again after it was removed', async () => {
    const { race, ask, correct, stored } = await createCorrectable();
    expect((await correct({ status: 'DNS' }, '3')).status).toBe(200);
    await ask('/results/1', { method: 'DELETE' });
    expect((await correct({ chip_time: '59:00' })).status).toBe(200);
    expect(await stored()).toEqual({ status: 'FINISHED', chip: 3_540_000, gun: null, splits: {} });
    expect(await storedResults(race.eventId)).toMatchObject({ 3: { status: 'DNS', chip: null } });
  });

  test('enters no first result that finished without a time', async () => {
    const { race, correct } = await createCorrectable();
    for (const body of [{ status: 'FINISHED' }, { chip_time: null }]) {
      const detail = await expectError(await correct(body, '2'), 400, 'VALIDATION_ERROR');
      expect(detail).toContain('needs a chip time or a gun time');
    }
    expect(await storedResults(race.eventId)).toEqual({ 1: STORED });
    expect(await storedBatches(race.eventId)).toHaveLength(1);
  });

  test('answers 404 to a bib that no runner of the event has', async () => {
    const { race, correct } = await createCorrectable();
    const other = await createCorrectable();
    await createRegistrations(other.race.eventId, [{ bib_number: '50' }]);
    for (const bib of ['50', '99', '%00']) {
      expect(await expectError(await correct({ status: 'DNF' }, bib), 404, 'NOT_FOUND')).toBe(
        'This event has no runner with this bib.',
      );
    }
    expect(await storedBatches(race.eventId)).toHaveLength(1);
  });
});

test('deletes a result, in a batch of the user that can be taken back', async () => {
  const { race, userId, ask, revert } = await createManagedRace();
  await uploadRows(race, [{ bib_number: '1', time: '1:00:00' }]);
  const before = await publicResults(race);
  const response = await ask('/results/1?reason=Misread', { method: 'DELETE' });
  expect(response.status).toBe(200);
  const { batch_id } = await response.json<ResultDeletion>();
  expect(await storedResults(race.eventId)).toEqual({});
  const { data } = await (await ask('/result-batches')).json<{ data: ResultBatch[] }>();
  expect(data[0]).toMatchObject({
    id: batch_id,
    source: 'delete',
    user_id: userId,
    key_name: '',
    reason: 'Misread',
  });
  await expectError(await ask('/results/1', { method: 'DELETE' }), 404, 'NOT_FOUND');
  expect(await revert(batch_id)).toMatchObject({ reinstated: 1 });
  expect(await publicResults(race)).toBe(before);
});

test('downloads the results with names, each split as a column, for Excel', async () => {
  const { race, ask } = await createManagedRace();
  await db.update(events).set({ name: 'Harbour Half' }).where(eq(events.id, race.eventId));
  const named = { given_names: 'Zoë', surnames: 'Ejemplo', distance: '10K', gender: 'F' };
  await db.update(registrations).set(named).where(eq(registrations.event_id, race.eventId));
  await uploadCsv(
    race,
    'bib,time,Km 8,Km 5,=x\n1,1:00:00,40:00,20:00,\n2,,,21:00,\n3,59:00,39:00,,30:00\n',
  );
  const response = await ask('/results/export', { headers: { Accept: 'text/csv' } });
  if (response.status !== 200) throw new Error(await response.text());
  expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
  expect(response.headers.get('Content-Disposition')).toContain(
    '"Harbour Half - results (provisional).csv"',
  );
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const [header, ...lines] = new TextDecoder().decode(bytes).trimEnd().split('\r\n');
  const columns =
    'position_distance,position_distance_gender,position_distance_category,bib_number,given_names,surnames,' +
    "gender,category,distance,status,chip_time,gun_time,Km 5,'=x,Km 8,position_overall,";
  expect(header?.slice(0, columns.length)).toBe(columns);
  expect(lines.map((line) => line.split(',').slice(0, 16).join())).toEqual([
    '1,1,,3,Zoë,Ejemplo,F,,10K,FINISHED,00:59:00.000,,,00:30:00.000,00:39:00.000,1',
    '2,2,,1,Zoë,Ejemplo,F,,10K,FINISHED,01:00:00.000,,00:20:00.000,,00:40:00.000,2',
  ]);

  const known = { 'If-None-Match': response.headers.get('ETag') ?? '' };
  expect((await ask('/results/export', { headers: known })).status).toBe(304);
  const json = await ask('/results/export', { headers: { Accept: 'application/json' } });
  expect(await json.json()).toMatchObject({
    data: [{ bib_number: '3', given_names: 'Zoë', splits: { 'Km 8': '00:39:00.000' } }, {}],
  });
});

test('writes one distance after the other, each in the order of its places', async () => {
  const { race, ask } = await createManagedRace();
  const bibs = Array.from({ length: 12 }, (_, index) => String(index + 4));
  await createRegistrations(
    race.eventId,
    bibs.map((bib_number, at) => ({
      bib_number,
      distance: [null, '10K', '5K'][at % 3] ?? null,
      gender: ['F', 'M', null][at % 4] ?? null,
      category: ['Open', null][at % 5] ?? 'M40',
    })),
  );
  const times = ['', ...bibs.map((bib, at) => `${bib},00:${50 - Math.floor(at / 6)}:00`)];
  await uploadCsv(race, `bib,time${times.join('\n')}\n1,00:10:00\n`);
  await uploadRows(race, [{ bib_number: '5', status: 'DNF' }]);
  type Placed = Record<string, string | number | null>;
  const rowsOf = async (response: Response) => (await response.json<{ data: Placed[] }>()).data;
  const rows = await rowsOf(
    await ask('/results/export', { headers: { Accept: 'application/json' } }),
  );
  const order = rows.map(({ distance, position_distance, status }) => [
    distance,
    status === 'FINISHED' ? position_distance : status,
  ]);
  expect(order).toEqual([
    ...[1, 2, 2, 4, 4].map((place) => [null, place]),
    ...[1, 1, 3, 3].map((place) => ['5K', place]),
    ...[1, 1, 3, 'DNF'].map((place) => ['10K', place]),
  ]);
  // Each row equals its row in the public export, whose rows come in the order of their times.
  const headers = { ...withKey(race.key), Accept: 'application/json' };
  const known = await rowsOf(await request(`${race.path}/results/export`, { headers }));
  expect(known).toHaveLength(13);
  expect(rows).toEqual(expect.arrayContaining(known.map((row) => expect.objectContaining(row))));
});

test('separates the cells of the file as the reader asks', async () => {
  const { race, ask } = await createManagedRace();
  const named = { given_names: 'Ana; Eva', surnames: 'Ejemplo, hija' };
  await db.update(registrations).set(named).where(eq(registrations.event_id, race.eventId));
  await uploadCsv(race, 'bib,time\n1,1:00:00\n');
  const lineOf = async (query: string) => {
    const response = await ask(`/results/export${query}`, { headers: { Accept: 'text/csv' } });
    return [(await response.text()).split('\r\n')[1], response.headers.get('ETag')];
  };
  const [commas, tag] = await lineOf('');
  expect(commas).toContain(',1,Ana; Eva,"Ejemplo, hija",');
  const [semicolons, otherTag] = await lineOf('?delimiter=semicolon');
  expect(semicolons).toContain(';1;"Ana; Eva";"Ejemplo, hija";');
  expect(otherTag).not.toBe(tag);
  await expectError(await ask('/results/export?delimiter=tab'), 400, 'VALIDATION_ERROR');
});

describe('listOrganizationEventRunners', () => {
  /** The bibs found by a search, in their order. */
  async function createSearchable() {
    const managed = await createManagedRace();
    for (const [bib, given_names, surnames] of [
      ['1', 'José Ángel', 'Müller 100%'],
      ['2', 'Zoë', 'Ejemplo'],
      ['3', null, 'Angeles_Ejemplo'],
    ] as const) {
      await db.update(registrations).set({ given_names, surnames }).where(ofBib(managed.race, bib));
    }
    const find = async (query: string) => {
      const response = await managed.ask(`/runners${query}`);
      expect(response.status).toBe(200);
      return (await response.json<{ data: Runner[] }>()).data;
    };
    const bibs = async (search: string) =>
      (await find(`?search=${encodeURIComponent(search)}`)).map(({ bib_number }) => bib_number);
    return { ...managed, find, bibs };
  }

  test('finds runners by bib or by words of the name, without accents', async () => {
    const { bibs } = await createSearchable();
    expect(await bibs('2')).toEqual(['2']);
    expect(await bibs(' #2 ')).toEqual(['2']);
    expect(await bibs('22')).toEqual([]);
    expect(await bibs('muller JOSE')).toEqual(['1']);
    expect(await bibs('MÜLLER')).toEqual(['1']);
    expect(await bibs('angel')).toEqual(['1', '3']);
    expect(await bibs('_')).toEqual(['3']);
    expect(await bibs('%')).toEqual(['1']);
    expect(await bibs('"\\')).toEqual([]);
    expect(await bibs('')).toEqual(['1', '2', '3']);
  });

  test('shows what is stored, results first, and whose name is hidden', async () => {
    const { race, ask, find } = await createSearchable();
    await uploadRows(race, [
      { bib_number: '3', chip_time: '1:00:00', splits: { 'Km 5': '20:00' } },
      { bib_number: '2', status: 'DNF' },
    ]);
    await ask('/hidden-names/2', { method: 'PUT' });
    const found = await find('?page_size=2');
    expect(found).toMatchObject([
      {
        bib_number: '3',
        surnames: 'Angeles_Ejemplo',
        name_is_hidden: false,
        result: {
          status: 'FINISHED',
          chip_time: '01:00:00.000',
          splits: { 'Km 5': '00:20:00.000' },
        },
      },
      { bib_number: '2', name_is_hidden: true, result: { status: 'DNF', chip_time: null } },
    ]);
    expect(await find('?page_size=2&page=2')).toMatchObject([
      { bib_number: '1', result: null, updated_at: null },
    ]);
  });

  test('shows places within the distance, and the times at points also before the finish', async () => {
    const { race, find } = await createSearchable();
    await db
      .update(registrations)
      .set({ distance: '10K', gender: 'F' })
      .where(eq(registrations.event_id, race.eventId));
    await db.update(registrations).set({ gender: 'M', category: 'Open' }).where(ofBib(race, '2'));
    await uploadRows(race, [
      { bib_number: '1', chip_time: '1:02:00' },
      { bib_number: '2', chip_time: '1:00:00', splits: { 'Km 5': '20:00' } },
    ]);
    const headers = { ...withKey(race.key), 'Content-Type': 'application/json' };
    const passings = [{ bib_number: '3', point: 'Km 5', time: '21:00' }];
    const passed = await request(`${race.path}/passings`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ passings }),
    });
    expect(passed.status).toBe(200);
    const none = {
      position_distance: null,
      position_distance_gender: null,
      position_distance_category: null,
    };
    const second = {
      bib_number: '1',
      version: expect.stringMatching(/^[\da-f-]{36}$/),
      splits: {},
      position_distance: 2,
      position_distance_gender: 1,
      position_distance_category: null,
    };
    expect(await find('')).toMatchObject([
      {
        bib_number: '2',
        splits: { 'Km 5': '00:20:00.000' },
        position_distance: 1,
        position_distance_gender: 1,
        position_distance_category: 1,
      },
      second,
      { bib_number: '3', result: null, version: null, splits: { 'Km 5': '00:21:00.000' }, ...none },
    ]);
    expect(await find('?search=1')).toMatchObject([second]);
    expect(await find('?page=2&page_size=1')).toMatchObject([second]);
  });

  test('limits the list to a group, in the order of the places in it, and names the groups', async () => {
    const { race, ask, find } = await createSearchable();
    await db
      .update(registrations)
      .set({ distance: '10K', gender: 'F', category: '40-49' })
      .where(eq(registrations.event_id, race.eventId));
    await db.update(registrations).set({ gender: 'M' }).where(ofBib(race, '2'));
    await createRegistrations(race.eventId, [
      { bib_number: '4', distance: '10K', gender: 'F' },
      { bib_number: '5', distance: '5K', gender: 'F', category: '40-49' },
    ]);
    await db.insert(eventSettings).values({ event_id: race.eventId, ranking_rule: 'gun_overall' });
    await uploadRows(race, [
      { bib_number: '1', chip_time: '1:00:00', gun_time: '1:09:00' },
      { bib_number: '2', chip_time: '1:00:30', gun_time: '1:01:00' },
      { bib_number: '3', chip_time: '1:01:00', gun_time: '1:02:00' },
    ]);
    const bibs = async (query: string) => (await find(query)).map(({ bib_number }) => bib_number);
    expect(await bibs('?distance=10K')).toEqual(['2', '3', '1', '4']);
    expect(await bibs('?distance=10K&gender=F')).toEqual(['3', '1', '4']);
    expect(await bibs('?distance=10K&gender=F&category=40-49')).toEqual(['1', '3']);
    expect(await bibs('?distance=10K&gender=X')).toEqual([]);
    const { groups } = await (await ask('/runners?search=nobody')).json<Runners>();
    expect(groups.map((group) => Object.values(group).join(' ').trim())).toEqual([
      '5K F',
      '5K F 40-49',
      '10K F',
      '10K F 40-49',
      '10K M',
      '10K M 40-49',
    ]);
  });

  test('names at most 500 groups, and each gender among them', async () => {
    const { race, ask } = await createSearchable();
    await createRegistrations(
      race.eventId,
      Array.from({ length: 600 }, (_, index) => ({
        bib_number: String(1_000 + index),
        ...{ distance: '10K', gender: index < 300 ? 'F' : 'M', category: `Team ${index}` },
      })),
    );
    const { groups } = await (await ask('/runners')).json<Runners>();
    expect(groups).toHaveLength(500);
    const genders = groups.filter(({ category }) => category === null);
    expect(genders.map(({ gender }) => gender)).toEqual(['F', 'M']);
  });

  test('limits the list to a status, or to those who have paid and have no result', async () => {
    const { race, ask, find } = await createSearchable();
    await createRegistrations(race.eventId, [{ bib_number: '4', status: 'PENDING' }]);
    await uploadRows(race, [
      { bib_number: '3', chip_time: '1:00:00' },
      { bib_number: '2', status: 'DNF' },
    ]);
    const bibs = async (query: string) => (await find(query)).map(({ bib_number }) => bib_number);
    expect(await bibs('?status=NONE')).toEqual(['1']);
    expect(await bibs('?status=none&search=ejemplo')).toEqual([]);
    expect(await bibs('?status=dnf')).toEqual(['2']);
    expect(await bibs('?status=FINISHED&search=3')).toEqual(['3']);
    expect(await bibs('?status=DNS')).toEqual([]);
    expect(await bibs('')).toEqual(['3', '2', '1', '4']);
    await expectError(await ask('/runners?status=GONE'), 400, 'VALIDATION_ERROR');
  });

  test('lists who has paid and lacks a bib or a group, and marks registrations that are not paid', async () => {
    const { race, find } = await createSearchable();
    const whole = { gender: 'F', category: 'Open', distance: '21K' };
    await db.update(registrations).set(whole).where(eq(registrations.event_id, race.eventId));
    await createRegistrations(race.eventId, [
      { ...whole, bib_number: null, given_names: 'Bibless' },
      { ...whole, bib_number: '5', gender: null },
      { ...whole, bib_number: '6', category: null },
      { ...whole, bib_number: '7', distance: null },
      { bib_number: '8', status: 'PENDING' },
      { bib_number: '9', status: 'CANCELLED' },
    ]);
    const listed = async (query: string) =>
      (await find(query)).map(({ bib_number, inscription_status: status }) =>
        [bib_number, ...(status === 'PAID' ? [] : [status])].join(' '),
      );
    expect(await listed('?status=INCOMPLETE')).toEqual(['5', '6', '7', '']);
    expect(await listed('?status=INCOMPLETE&search=bibless')).toEqual(['']);
    expect(await listed('?status=NONE')).toEqual(['1', '2', '3', '5', '6', '7', '']);
    expect(await listed('')).toEqual(['1', '2', '3', '5', '6', '7', '8 PENDING', '9 CANCELLED']);
  });

  test('refuses a search that is too long or has a NUL', async () => {
    const { ask } = await createManagedRace();
    for (const search of ['x'.repeat(101), 'a%00']) {
      await expectError(await ask(`/runners?search=${search}`), 400, 'VALIDATION_ERROR');
    }
  });
});

test('shows the history of a result and what a batch changed, as the public API does', async () => {
  const { race, ask } = await createManagedRace();
  await uploadRows(race, [{ bib_number: '1', time: '1:00:00' }]);
  const { batch_id } = await uploadCsv(race, 'bib,time\n1,2:00:00\n2,1:30:00\n');
  for (const path of ['/results/1/history', `/result-batches/${batch_id}/changes`]) {
    const shown = await (await ask(path)).json<{ data: (ResultVersion | ResultChange)[] }>();
    expect(shown.data).toHaveLength(2);
    const answer = await request(`${race.path}${path}`, { headers: withKey(race.key) });
    expect(await answer.json()).toEqual(shown);
  }
  for (const path of ['/results/3/history', `/result-batches/${crypto.randomUUID()}/changes`]) {
    await expectError(await ask(path), 404, 'NOT_FOUND');
  }
});

test('remembers the first bibs of an upload that nobody has', async () => {
  const { race, ask } = await createManagedRace();
  const long = 'x'.repeat(150);
  const unknown = Array.from({ length: 150 }, (_, index) => `U${index}`);
  const lines = [long, '1', ...unknown].map((bib) => `${bib},1:00:00\n`);
  await uploadCsv(race, `bib,time\n${lines.join('')}`);
  await uploadRows(race, [{ bib_number: '1', time: '2:00:00' }]);
  const { data } = await (await ask('/result-batches')).json<{ data: ResultBatch[] }>();
  expect(data[0]).toMatchObject({ not_found: 0, not_found_bibs: [] });
  expect(data[1]).toMatchObject({
    not_found: 151,
    not_found_bibs: [long.slice(0, 100), ...unknown.slice(0, 99)],
  });
});

describe('a correction of a version', () => {
  const correctionOf = async () => {
    const managed = await createManagedRace();
    const correct = (bib: string, body: object) =>
      managed.ask(`/results/${bib}`, {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    const versionOf = async (bib: string) => {
      const { data } = await (await managed.ask(`/runners?search=${bib}`)).json<{
        data: Runner[];
      }>();
      return data[0]?.version;
    };
    return { ...managed, correct, versionOf };
  };

  test('stores nothing if somebody has changed the result meanwhile, and says who and to what', async () => {
    const { race, userId, correct, versionOf } = await correctionOf();
    const upload = await uploadRows(race, [{ bib_number: '1', chip_time: '1:00:00' }]);
    const first = await versionOf('1');
    expect(first).toBe(upload.batch_id);
    expect((await correct('1', { chip_time: '1:01:00', version: first })).status).toBe(200);
    const second = await versionOf('1');
    const refused = await correct('1', { status: 'DSQ', version: first });
    const { detail, warnings } = await refused.json<{ detail: string; warnings?: object[] }>();
    expect([refused.status, warnings]).toEqual([409, undefined]);
    expect(detail).toContain(
      `changed meanwhile by the user ${userId} to FINISHED, chip time 01:01:00.000.`,
    );
    expect(detail).toContain(`"version": "${second}"`);
    await uploadRows(race, [{ bib_number: '1', status: 'DNF' }]);
    const byKey = await correct('1', { status: 'DSQ', version: second, confirmed: true });
    expect(byKey.status).toBe(409);
    expect((await byKey.json<{ detail: string }>()).detail).toMatch(/with the key ".+" to DNF\./);
    const third = await versionOf('1');
    expect((await correct('1', { status: 'DSQ', version: third })).status).toBe(200);
    expect(await storedResults(race.eventId)).toMatchObject({ 1: { status: 'DSQ' } });
  });

  test('knows a runner who never had a result, and one whose result was taken away', async () => {
    const { race, ask, correct, versionOf } = await correctionOf();
    expect((await correct('1', { chip_time: '1:00:00', version: null })).status).toBe(200);
    expect((await correct('1', { chip_time: '1:01:00', version: null })).status).toBe(409);
    const first = await versionOf('1');
    expect((await ask('/results/1', { method: 'DELETE' })).status).toBe(200);
    const second = await versionOf('1');
    const refused = await correct('1', { chip_time: '1:01:00', version: first });
    expect((await refused.json<{ detail: string }>()).detail).toContain('to no result.');
    expect((await correct('1', { chip_time: '1:01:00', version: second })).status).toBe(200);
    expect(await storedResults(race.eventId)).toMatchObject({ 1: { chip: 3_660_000 } });
  });

  test('refuses a version that was read before a prune, if somebody has changed the result since', async () => {
    const { race, correct, versionOf } = await correctionOf();
    for (const chip_time of ['1:00:00', '1:00:01', '1:00:02']) {
      await uploadRows(race, [{ bib_number: '1', chip_time }]);
    }
    const seen = await versionOf('1');
    await db
      .update(resultBatches)
      .set({ received_at: new Date(Date.now() - 30 * 86_400_000) })
      .where(eq(resultBatches.event_id, race.eventId));
    await db.execute(sql`select prune_history(now() - interval '10 days')`);
    const after = await versionOf('1');
    for (let at = 0; at < 2; at++) {
      const sent = { chip_time: `1:05:0${at}`, version: await versionOf('1'), confirmed: true };
      expect((await correct('1', sent)).status).toBe(200);
    }
    expect(after).toEqual(seen);
    const late = await correct('1', { chip_time: '1:00:09', version: seen, confirmed: true });
    expect(late.status).toBe(409);
  });

  test('refuses a version that no list has', async () => {
    const { correct } = await correctionOf();
    for (const version of ['1', 1, 0, '']) {
      await expectError(
        await correct('1', { chip_time: '1:00:00', version }),
        400,
        'VALIDATION_ERROR',
      );
    }
  });
});

test('names the runners of what a person decided, in the list of batches and at the event', async () => {
  const { race, ask, revert } = await createManagedRace();
  await uploadCsv(race, 'bib,time\n1,1:00:00\n');
  await db
    .update(registrations)
    .set({ given_names: 'Ada', surnames: 'Ejemplo' })
    .where(ofBib(race, '1'));
  const corrected = await ask('/results/1', {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ chip_time: '1:01:00' }),
  });
  const { batch_id } = await corrected.json<ResultCorrection>();
  await revert(batch_id ?? '');
  const { batch_id: deletion } = await (
    await ask('/results/1', { method: 'DELETE' })
  ).json<ResultDeletion>();
  await revert(deletion);
  const { data } = await (await ask('/result-batches')).json<Batches>();
  const ada = [{ bib_number: '1', given_names: 'Ada', surnames: 'Ejemplo' }];
  expect(data.map(({ source, runners }) => [source, runners])).toEqual([
    ['revert', ada],
    ['delete', ada],
    ['revert', ada],
    ['json', ada],
    ['csv', []],
  ]);
  const event = await (await ask('')).json<{ latest_batch: object; latest_change_at: unknown }>();
  expect(event).toMatchObject({ latest_batch: { runners: ada }, latest_change_at: null });
  await ask('/hidden-names/1', { method: 'PUT' });
  const known = await ask('');
  expect(await known.json()).toMatchObject({ latest_change_at: expect.any(String) });
  const etag = known.headers.get('ETag') ?? '';
  expect((await ask('', { headers: { 'If-None-Match': etag } })).status).toBe(304);
  const ofKey = await request(`${race.path}/result-batches`, { headers: withKey(race.key) });
  expect(await ofKey.text()).not.toContain('Ada');
});

test('previews how many results would lose splits', async () => {
  const { race, ask } = await createManagedRace();
  await uploadRows(race, [
    { bib_number: '1', time: '1:00:00', splits: { 'Km 5': '30:00' } },
    { bib_number: '2', time: '1:00:00', splits: { 'Km 5': '30:00' } },
    { bib_number: '3', time: '1:00:00' },
  ]);
  const preview = async (content: string) => {
    const body = new FormData();
    body.set('file', new File([content], 'finish.csv'));
    const answer = await ask('/results/file/preview', { method: 'POST', body });
    const { warnings } = await answer.json<ResultsFilePreview>();
    return warnings.filter(({ code }) => code === 'splits_removed');
  };
  expect(await preview('bib,time\n1,1:00:00\n2,1:00:00\n3,1:01:00\n')).toMatchObject([
    { detail: expect.stringContaining('2 results would lose splits'), rows: [2, 3] },
  ]);
  expect(await preview('bib,time,Km 5\n1,1:00:00,30:00\n2,1:00:00,31:00\n')).toEqual([]);
});

test('counts in preview and upload the results that lose the gun time', async () => {
  const { race, ask } = await createManagedRace();
  const send = async (to: string) => {
    const body = new FormData();
    body.set('file', new File(['bib,chip_time\n1,1:00:00\n2,1:00:01\n'], 'finish.csv'));
    const answer = await ask(to, { method: 'POST', body });
    const { warnings } = await answer.json<ResultsFilePreview>();
    return warnings.filter(({ code }) => code === 'gun_times_removed');
  };
  await uploadRows(race, [
    { bib_number: '1', chip_time: '1:00:00', gun_time: '1:00:09' },
    { bib_number: '2', chip_time: '1:00:00' },
  ]);
  const detail = expect.stringContaining('the gun time');
  expect(await send('/results/file/preview')).toMatchObject([{ detail, rows: [2] }]);
  expect(await send('/results/file')).toMatchObject([{ detail, rows: [] }]);
  expect(await send('/results/file/preview')).toEqual([]);
});

test('previews the first results that would change, before and after', async () => {
  const { race, ask } = await createManagedRace();
  await uploadRows(race, [
    { bib_number: '1', time: '1:00:00', splits: { 'Km 5': '30:00' } },
    { bib_number: '2', time: '1:10:00' },
  ]);
  const body = new FormData();
  body.set('file', new File(['bib,time,Km 5\n3,50:00,\n2,1:10:00,\n1,1:01:00,29:00\n'], 'a.csv'));
  const answer = await ask('/results/file/preview', { method: 'POST', body });
  const content = (chip_time: string, split: string) => ({
    status: 'FINISHED',
    chip_time,
    gun_time: null,
    splits: { 'Km 5': split },
  });
  expect((await answer.json<ResultsFilePreview>()).changes).toEqual([
    {
      row: 4,
      bib_number: '1',
      before: content('01:00:00.000', '00:30:00.000'),
      after: content('01:01:00.000', '00:29:00.000'),
    },
  ]);
});
