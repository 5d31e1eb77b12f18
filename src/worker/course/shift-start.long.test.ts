import { sql } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import { configureEvent, createRace, createRegistrations, db } from '../../testing/factories.ts';
import { request, withKey } from '../../testing/harness.ts';
import { panelOf } from '../../testing/members.ts';
import { answered, postJson, storedResults, uploadRows } from '../../testing/uploads.ts';
import type { BoardResult, BoardSnapshot } from '../board/answer-schemas.ts';
import type { ResultBatch } from '../results/batches/answer-schemas.ts';
import type { EventStarts, EventStartsStored } from './answer-schemas.ts';

const start = (name: string, starts_at: string, of: object = {}) => ({
  name,
  distance: null,
  bib_from: null,
  bib_to: null,
  starts_at,
  ...of,
});

const TEN = start('10K', '2027-05-09T09:30:00.000+02:00', { distance: '10K' });
const HALF = start('21K', '2027-05-09T09:00:00.000+02:00', { distance: '21K' });
const LATER = { ...TEN, starts_at: '2027-05-09T09:30:30.000+02:00' };

const SHOWN_MS = 3_000;

type Race = Awaited<ReturnType<typeof createDay>>;

/** Bibs 1 to 4 of the 10K and bib 5 of the 21K, with results and passings since the gun. */
async function createDay() {
  const race = await createRace();
  await createRegistrations(race.eventId, [
    ...['1', '2', '3', '4'].map((bib_number) => ({ bib_number, distance: '10K', gender: 'F' })),
    { bib_number: '5', distance: '21K', gender: 'F' },
  ]);
  await put(race, { version: 0, starts: [TEN, HALF] });
  await uploadRows(race, [
    { bib_number: '1', gun_time: '0:40:00', splits: { 'Km 5': '0:20:00' } },
    { bib_number: '2', gun_time: '0:41:00', chip_time: '0:39:50', splits: { 'Km 5': '0:19:00' } },
    { bib_number: '3', status: 'DNF', splits: { 'Km 5': '0:25:00' } },
    { bib_number: '5', gun_time: '1:30:00' },
  ]);
  const passings = [
    { bib_number: '1', point: 'Km 8', time: '0:32:00' },
    { bib_number: '4', point: 'Km 8', time: '0:36:00' },
    { bib_number: '5', point: 'Km 8', time: '0:34:00' },
  ];
  await postJson(race, JSON.stringify({ passings }), { to: '/passings' });
  return race;
}

const put = (
  { path, key }: { path: string; key: string },
  body: object,
  query = '',
): Promise<Response> =>
  Promise.resolve(
    request(`${path}/starts${query}`, {
      method: 'PUT',
      headers: { ...withKey(key), 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );

const shift = async (race: Race, starts: object[], version: number, more = '') => {
  const answer = await put(race, { version, starts }, `?shift=true${more}`);
  expect(answer.status, await answer.clone().text()).toBe(200);
  return answer.json<EventStartsStored>();
};

const ask = async <T>({ path, key }: Race, below: string) =>
  (await request(path + below, { headers: withKey(key) })).json<T>();

const passingsOf = async (race: Race) => {
  const { data } = await ask<{ data: { bib_number: string; time: string }[] }>(race, '/passings');
  return Object.fromEntries(data.map(({ bib_number, time }) => [bib_number, time]));
};

const revert = (race: Race, batchId: string | null | undefined) =>
  request(`${race.path}/result-batches/${batchId}/revert`, {
    method: 'POST',
    headers: withKey(race.key),
  });

describe('the shift of a start', () => {
  test('moves gun times, passings, and the splits of results without a chip time', async () => {
    const race = await createDay();
    const stored = await shift(race, [LATER, HALF], 1);
    expect(stored).toMatchObject({ version: 2, starts: [LATER, HALF] });
    expect(stored.shift).toMatchObject({
      ...{ dry_run: false, seconds: 30, runners: 4, results: 3, passings: 2, podiums: [] },
      batch_id: expect.any(String),
    });
    expect(await storedResults(race.eventId)).toMatchObject({
      1: { gun: 2_370_000, splits: { 'Km 5': 1_170_000 } },
      2: { gun: 2_430_000, chip: 2_390_000, splits: { 'Km 5': 1_140_000 } },
      3: { gun: null, splits: { 'Km 5': 1_470_000 } },
      5: { gun: 5_400_000 },
    });
    expect(await passingsOf(race)).toEqual({
      ...{ 1: '00:31:30.000', 4: '00:35:30.000', 5: '00:34:00.000' },
    });
    const { data } = await ask<{ data: ResultBatch[] }>(race, '/result-batches');
    expect(data[0]).toMatchObject({
      ...{ source: 'shift', updated: 3, start_shift: { before: TEN, after: LATER } },
    });
  });

  test('happens once if the same request comes again', async () => {
    const race = await createDay();
    await shift(race, [LATER, HALF], 1);
    const again = await shift(race, [LATER, HALF], 1);
    expect(again).toMatchObject({ version: 2, shift: null });
    expect(await storedResults(race.eventId)).toMatchObject({ 1: { gun: 2_370_000 } });
  });

  test('only tells what it would do in a dry run', async () => {
    const race = await createDay();
    const earlier = { ...TEN, starts_at: '2027-05-09T09:29:40.000+02:00' };
    await uploadRows(race, [{ bib_number: '4', chip_time: '0:40:10' }]);
    const dry = await shift(race, [earlier, HALF], 1, '&dry_run=true');
    expect(dry).toMatchObject({ version: 1, starts: [TEN, HALF] });
    const podium = {
      distance: '10K',
      category: null,
      before: ['2', '1', '4'],
      after: ['2', '4', '1'],
    };
    expect(dry.shift).toEqual({
      ...{ batch_id: null, dry_run: true, seconds: -20, runners: 4, results: 3, passings: 2 },
      podiums: [
        { ...podium, gender: null },
        { ...podium, gender: 'F' },
      ],
      official_version: null,
    });
    expect(await storedResults(race.eventId)).toMatchObject({ 1: { gun: 2_400_000 } });
    expect((await ask<EventStarts>(race, '/starts')).version).toBe(1);
  });

  test('is refused whole if a time would be impossible, and names the bibs', async () => {
    const race = await createDay();
    const late = { ...TEN, starts_at: '2027-05-09T09:31:15.000+02:00' };
    const answer = await put(race, { version: 1, starts: [late, HALF] }, '?shift=true');
    expect(await expectError(answer, 409, 'VALIDATION_ERROR')).toContain('chip time: 2.');
    const tooLate = { ...TEN, starts_at: '2027-05-09T10:00:00.000+02:00' };
    const other = await put(race, { version: 1, starts: [tooLate, HALF] }, '?shift=true');
    expect(await expectError(other, 409, 'VALIDATION_ERROR')).toContain('1, 2, 3');
    expect(await storedResults(race.eventId)).toMatchObject({ 1: { gun: 2_400_000 } });
    expect((await ask<EventStarts>(race, '/starts')).starts).toEqual([TEN, HALF]);
  });

  test('moves the time of one start alone', async () => {
    const race = await createDay();
    for (const starts of [
      [LATER, { ...HALF, starts_at: LATER.starts_at }],
      [LATER],
      [{ ...LATER, name: 'Other' }, HALF],
    ]) {
      const answer = await put(race, { version: 1, starts }, '?shift=true');
      expect(await expectError(answer, 400, 'VALIDATION_ERROR')).toContain('moves one start');
    }
    const stale = await put(race, { version: 7, starts: [LATER, HALF] }, '?shift=true');
    expect(await expectError(stale, 409, 'VALIDATION_ERROR')).toContain('version 1');
    const dry = await put(race, { version: 1, starts: [LATER, HALF] }, '?dry_run=true');
    expect(await expectError(dry, 400, 'VALIDATION_ERROR')).toContain('dry_run needs shift=true');
  });

  test('moves back as a whole, and forth again, by the revert of its batch', async () => {
    const race = await createDay();
    const [results, passings] = [await storedResults(race.eventId), await passingsOf(race)];
    const { shift: moved } = await shift(race, [LATER, HALF], 1);
    const [after, passed] = [await storedResults(race.eventId), await passingsOf(race)];
    const back = await (await revert(race, moved?.batch_id)).json<{ batch_id: string }>();
    expect(await storedResults(race.eventId)).toEqual(results);
    expect(await passingsOf(race)).toEqual(passings);
    expect(await ask(race, '/starts')).toEqual({ version: 3, starts: [TEN, HALF] });
    await revert(race, back.batch_id);
    expect(await storedResults(race.eventId)).toEqual(after);
    expect(await passingsOf(race)).toEqual(passed);
    expect(await ask(race, '/starts')).toEqual({ version: 4, starts: [LATER, HALF] });
    const { data } = await ask<{ data: { kind: string }[] }>(race, '/passing-uploads');
    expect(data.length).toBeGreaterThan(0);
  });

  test('and its revert are on the board within three seconds', { timeout: 60_000 }, async () => {
    const race = await createDay();
    await configureEvent(race.eventId, { board_enabled: true });
    const shown = async () => {
      const ask = async <T>(path: string) => (await request(`/board${path}`)).json<T>();
      const { event } = await ask<BoardSnapshot>(`/${race.eventId}/data`);
      const card = await ask<BoardResult>(`/${race.eventId}/bibs/1`);
      const open = await ask<BoardResult>(`/v1/${race.eventId}/runners/1`);
      return [event.starts[0]?.starts_at, card.starts_at, card.gun_time, open.starts_at];
    };
    /** @returns after how many ms the board shows the start with the gun time */
    const shownAfter = async (starts_at: string, gunTime: string) => {
      const since = Date.now();
      const wanted = [starts_at, starts_at, gunTime, starts_at];
      await vi.waitFor(async () => expect(await shown()).toEqual(wanted), {
        timeout: 20_000,
        interval: 200,
      });
      return Date.now() - since;
    };
    expect(await shownAfter(TEN.starts_at, '00:40:00.000')).toBeGreaterThan(0);
    const { shift: moved } = await shift(race, [LATER, HALF], 1);
    expect(await shownAfter(LATER.starts_at, '00:39:30.000')).toBeLessThan(SHOWN_MS);
    await revert(race, moved?.batch_id);
    expect(await shownAfter(TEN.starts_at, '00:40:00.000')).toBeLessThan(SHOWN_MS);
  });

  test('leaves what somebody wrote since as it is when it is taken back', async () => {
    const race = await createDay();
    const { shift: moved } = await shift(race, [LATER, HALF], 1);
    await uploadRows(race, [{ bib_number: '1', gun_time: '0:39:00' }]);
    const passings = [{ bib_number: '4', point: 'Km 8', time: '0:35:00' }];
    await postJson(race, JSON.stringify({ passings }), { to: '/passings' });
    await put(race, { version: 2, starts: [{ ...LATER, name: 'Ten' }, HALF] });
    await revert(race, moved?.batch_id);
    expect(await storedResults(race.eventId)).toMatchObject({
      ...{ 1: { gun: 2_340_000 }, 2: { gun: 2_460_000 } },
    });
    expect(await passingsOf(race)).toMatchObject({ 1: '00:32:00.000', 4: '00:35:00.000' });
    expect((await ask<EventStarts>(race, '/starts')).starts[0]).toMatchObject({ name: 'Ten' });
  });

  test('moves start and passings back even if every result was written since', async () => {
    const race = await createDay();
    const { shift: moved } = await shift(race, [LATER, HALF], 1);
    await uploadRows(race, [
      { bib_number: '1', gun_time: '0:39:00' },
      { bib_number: '2', gun_time: '0:40:00', chip_time: '0:39:00' },
      { bib_number: '3', status: 'DNS' },
    ]);
    const results = await storedResults(race.eventId);
    const back = await (await revert(race, moved?.batch_id)).json<{ batch_id: string }>();
    expect(back).toMatchObject({ batch_id: expect.any(String), restored: 0, kept: 3 });
    expect(await storedResults(race.eventId)).toEqual(results);
    expect(await passingsOf(race)).toMatchObject({ 1: '00:32:00.000', 4: '00:36:00.000' });
    expect(await ask(race, '/starts')).toEqual({ version: 3, starts: [TEN, HALF] });
    // The shift is taken back once.
    expect(await (await revert(race, moved?.batch_id)).json()).toMatchObject({ batch_id: null });
    await revert(race, back.batch_id);
    expect(await ask(race, '/starts')).toEqual({ version: 4, starts: [LATER, HALF] });
    expect(await passingsOf(race)).toMatchObject({ 1: '00:31:30.000', 4: '00:35:30.000' });
  });

  test('without any time moves the start back too', async () => {
    const race = await createRace({ bibs: ['1'] });
    await put(race, { version: 0, starts: [TEN] });
    const answer = await put(race, { version: 1, starts: [LATER] }, '?shift=true');
    const { shift: moved } = await answer.json<EventStartsStored>();
    await revert(race as Race, moved?.batch_id);
    expect(await ask(race as Race, '/starts')).toEqual({ version: 3, starts: [TEN] });
    // A second revert of the batch finds nothing to take back.
    await revert(race as Race, moved?.batch_id);
    expect((await ask<EventStarts>(race as Race, '/starts')).version).toBe(3);
  });

  test('leaves a later row with the old time to a person', async () => {
    const race = await createDay();
    await shift(race, [LATER, HALF], 1);
    const row = { bib_number: '1', gun_time: '0:40:00', splits: { 'Km 5': '0:20:00' } };
    const sent = await postJson(race, JSON.stringify({ results: [row] }), {
      to: '/results?leave=decided',
    });
    expect((await answered(sent)).left).toMatchObject([{ reason_code: 'taken_back' }]);
    const passings = [{ bib_number: '1', point: 'Km 8', time: '0:32:00' }];
    const passed = await postJson(race, JSON.stringify({ passings }), {
      to: '/passings?leave=decided',
    });
    expect(await passed.json()).toMatchObject({ left: [{ reason_code: 'taken_back' }] });
  });

  test('leaves moved rows to their sender, who may change them, and to nobody else', async () => {
    const race = await createDay();
    const send = async (path: string, body: object, sender: string) => {
      const query = `?leave=decided&leave=others&leave=many&sender=${sender}`;
      return (await postJson(race, JSON.stringify(body), { to: path + query })).json<object>();
    };
    const results = (gun: string[]) => ({
      results: gun.map((gun_time, at) => ({ bib_number: `${at + 1}`, gun_time })),
    });
    const passings = (time: string) => ({
      passings: [{ bib_number: '4', point: 'Km 5', time }],
    });
    const first = ['0:40:00', '0:41:00', '0:42:00', '0:43:00'];
    await postJson(race, JSON.stringify(results(first)), { to: '/results?sender=Finish' });
    await postJson(race, JSON.stringify(passings('0:22:00')), { to: '/passings?sender=Finish' });
    await shift(race, [LATER, HALF], 1);
    const again = await shift(race, [TEN, HALF], 2);
    const { shift: moved } = await shift(race, [LATER, HALF], again.version);
    expect(moved).toMatchObject({ results: 4, seconds: 30 });

    const changed = results(['0:39:31', '0:40:31', '0:41:31']);
    expect(await send('/results', changed, 'Start')).toMatchObject({
      left: Array(3).fill({ reason_code: 'of_another_sender' }),
    });
    const of = { updated: 1, unchanged: 0, left: [] };
    const [one] = changed.results;
    expect(await send('/results', { results: [one] }, 'Finish')).toMatchObject(of);
    expect(await send('/passings', passings('0:21:31'), 'Start')).toMatchObject({
      left: [{ reason_code: 'of_another_sender' }],
    });
    expect(await send('/passings', passings('0:21:31'), 'Finish')).toMatchObject(of);
  });

  test('stands in the history of the event, with its user', async () => {
    const race = await createDay();
    const { ask, userId } = await panelOf(race);
    const body = JSON.stringify({ version: 1, starts: [LATER, HALF] });
    const answer = await ask('/starts?shift=true', { method: 'PUT', body });
    const { shift: moved } = await answer.json<EventStartsStored>();
    await ask(`/result-batches/${moved?.batch_id}/revert`, { method: 'POST' });
    const { rows } = await db.execute<{ user_id: string; after: string }>(sql`
      select user_id, after from event_changes where event_id = ${race.eventId} order by id`);
    expect(rows.map(({ user_id }) => user_id)).toEqual([null, userId, userId]);
    const told = rows.map(({ after }) => JSON.parse(after)[0].starts_at);
    expect(told).toEqual([TEN.starts_at, LATER.starts_at, TEN.starts_at]);
  });
});
