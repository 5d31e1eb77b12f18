import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../../testing/assertions.ts';
import { createRace, createRegistrations, createStart, db } from '../../../testing/factories.ts';
import { request, withKey } from '../../../testing/harness.ts';
import { answered, bytesOf, postJson, storedResults } from '../../../testing/uploads.ts';
import { RaceClock } from '../../../timing-files/read/race-clock.ts';
import { RowError } from '../../../timing-files/read/reason-codes.ts';
import { events } from '../../db/schema.ts';
import type { ResultsFilePreview } from './preview-answer-schemas.ts';

const HOUR_MS = 3_600_000;

/** A race in Madrid: the 21K starts at 9:00, the 10K at 9:30, and bib 5 with a wave at 9:10. Bib 6 has no start. */
async function createDay(time_zone: string | null = 'Europe/Madrid') {
  const race = await createRace();
  await db.update(events).set({ time_zone }).where(sql`id = ${race.eventId}`);
  const distances = { 1: '21K', 2: '21K', 3: '10K', 4: '10K', 5: '21K', 6: '5K' };
  await createRegistrations(
    race.eventId,
    Object.entries(distances).map(([bib_number, distance]) => ({ bib_number, distance })),
  );
  const told = { utc_offset_minutes: 120 };
  await createStart(race.eventId, new Date('2027-05-09T07:00:00Z'), { ...told, distance: '21K' });
  await createStart(race.eventId, new Date('2027-05-09T07:30:00Z'), {
    ...{ ...told, ordinal: 2, distance: '10K' },
  });
  await createStart(race.eventId, new Date('2027-05-09T07:10:00Z'), {
    ...{ ...told, ordinal: 3, bib_from: 5, bib_to: 5 },
  });
  return race;
}

const OF_DAY = '?time_format=time_of_day';

const upload = async (race: Awaited<ReturnType<typeof createDay>>, rows: readonly object[]) =>
  answered(await postJson(race, JSON.stringify({ results: rows }), { to: `/results${OF_DAY}` }));

const sendFile = (
  { path, key }: { path: string; key: string },
  to: string,
  lines: readonly string[],
) =>
  request(path + to, {
    method: 'POST',
    headers: { ...withKey(key), 'Content-Type': 'text/csv' },
    body: lines.join('\n'),
  });

describe('times of day in JSON', () => {
  test('become gun times and splits since the start of each runner', async () => {
    const race = await createDay();
    const out = await upload(race, [
      { bib_number: '1', time: '10:28:03', splits: { 'Km 10': '9:45:00' } },
      { bib_number: '3', gun_time: '2027-05-09T08:10:00Z' },
      { bib_number: '5', chip_time: '10:28:03 AM' },
    ]);
    expect(out).toMatchObject({ uploaded: 3, errors: 0 });
    expect(out.warnings).toBeUndefined();
    expect(await storedResults(race.eventId)).toMatchObject({
      1: { chip: null, gun: HOUR_MS + 1_683_000, splits: { 'Km 10': 2_700_000 } },
      3: { chip: null, gun: 2_400_000 },
      5: { chip: null, gun: HOUR_MS + 1_083_000 },
    });
  });

  test('fail a row before its start or without a start, and count the last that can be converted', async () => {
    const race = await createDay();
    const out = await upload(race, [
      { bib_number: '1', gun_time: '10:28:03' },
      { bib_number: '1', gun_time: '2027-05-09 08:59:59' },
      { bib_number: '6', gun_time: '10:00:00' },
      { bib_number: '2', gun_time: '1h28' },
      { bib_number: '99', gun_time: '10:00:00' },
    ]);
    expect(out).toMatchObject({ uploaded: 1, errors: 3, not_found: 1, duplicates: 0 });
    expect(out.failed.map(({ row, reason_code }) => [row, reason_code])).toEqual([
      [2, 'before_start'],
      [3, 'no_start'],
      [4, 'invalid_time'],
      [5, 'unknown_bib'],
    ]);
    expect(await storedResults(race.eventId)).toMatchObject({ 1: { gun: HOUR_MS + 1_683_000 } });
  });

  test('are not looked at in a row without times', async () => {
    const race = await createDay();
    const out = await upload(race, [{ bib_number: '6', status: 'DNF', time: '8:00:00' }]);
    expect(out).toMatchObject({ uploaded: 1, errors: 0 });
  });

  test('count by the offset of the start if the event has no time zone', async () => {
    const race = await createDay(null);
    await upload(race, [{ bib_number: '1', gun_time: '10:00:00' }]);
    expect(await storedResults(race.eventId)).toMatchObject({ 1: { gun: HOUR_MS } });
  });

  test('are durations unless the query says otherwise', async () => {
    const race = await createDay();
    await answered(
      await postJson(race, JSON.stringify({ results: [{ bib_number: '1', time: '10:28:03' }] })),
    );
    expect(await storedResults(race.eventId)).toMatchObject({
      1: { chip: 10 * HOUR_MS + 1_683_000 },
    });
  });

  test('name what time_format may be', async () => {
    const race = await createDay();
    const answer = await postJson(race, '{"results":[]}', { to: '/results?time_format=dots' });
    const detail = await expectError(answer, 400, 'VALIDATION_ERROR');
    expect(detail).toBe('time_format: expected clock or time_of_day, not "dots".');
  });

  test('are not stored by starts that somebody changes meanwhile', async () => {
    const race = await createDay();
    // The body arrives after the trip that reads the starts.
    const body = new ReadableStream(
      {
        async pull(stream) {
          await db.execute(sql`
            insert into event_settings (event_id, starts_version) values (${race.eventId}, 1)`);
          stream.enqueue(bytesOf(['{"results":[{"bib_number":"1","time":"10:00:00"}]}']));
          stream.close();
        },
      },
      { highWaterMark: 0 },
    );
    const answer = await postJson(race, body, { to: `/results${OF_DAY}` });
    expect(await expectError(answer, 503, 'SERVICE_UNAVAILABLE')).toContain('starts of the event');
    expect(await storedResults(race.eventId)).toEqual({});
  });
});

describe('times of day in a file', () => {
  const LINES = ['bib,Net,Finish,Km 10', '1,1:27:30,10:28:03,9:45:00', '6,1:00:00,10:00:00,'];
  const QUERY = 'chip_time=Net&gun_time=Finish&time_of_day=Finish&time_of_day=Km%2010';

  test('stand beside durations, and splits count from the line as the net time does', async () => {
    const race = await createDay();
    const out = await answered(await sendFile(race, `/results/file?${QUERY}`, LINES));
    expect(out).toMatchObject({ uploaded: 1, errors: 1 });
    expect(await storedResults(race.eventId)).toMatchObject({
      1: { chip: 5_250_000, gun: 5_283_000, splits: { 'Km 10': 2_667_000 } },
    });
  });

  test('are previewed as they would be stored', async () => {
    const race = await createDay();
    const answer = await sendFile(race, `/results/file/preview?${QUERY}`, LINES);
    const preview = await answer.json<ResultsFilePreview>();
    expect(preview.rows).toMatchObject([{ chip_time: '01:27:30.000', gun_time: '01:28:03.000' }]);
    expect(preview.failed).toMatchObject([{ reason_code: 'no_start' }]);
    expect(preview.suggestion?.query).toBe(QUERY);
    expect(preview.counts).toMatchObject({ new: 1, errors: 1 });
  });

  test('ask for the columns if none is named', async () => {
    const race = await createDay();
    const answer = await sendFile(race, `/results/file/preview${OF_DAY}`, ['a,b', '1,10:00:00']);
    const preview = await answer.json<ResultsFilePreview>();
    expect(preview.suggestion).toBeNull();
    expect(preview.warnings.map(({ code }) => code)).toContain('file_refused');
  });

  test('name a column that the file has not', async () => {
    const race = await createDay();
    const answer = await sendFile(race, '/results/file?time_of_day=Ziel', ['bib,time', '1,10:00']);
    expect(await expectError(answer, 400, 'VALIDATION_ERROR')).toContain('time_of_day');
  });
});

describe('times of day at a point', () => {
  const passingsOf = async ({ path, key }: { path: string; key: string }) => {
    const answer = await request(`${path}/passings`, { headers: withKey(key) });
    const { data } = await answer.json<{ data: { bib_number: string; time: string }[] }>();
    return Object.fromEntries(data.map(({ bib_number, time }) => [bib_number, time]));
  };

  test('become passings since the start of each runner', async () => {
    const race = await createDay();
    const passings = [
      { bib_number: '1', point: 'Km 5', time: '9:20:00' },
      { bib_number: '3', point: 'Km 5', time: '9:50:00,5' },
      { bib_number: '5', point: 'Km 5', time: '9:05:00' },
    ];
    const answer = await postJson(race, JSON.stringify({ passings }), { to: `/passings${OF_DAY}` });
    // Tomorrow at 9:05, bib 5 has run for a day.
    expect(await answer.json()).toMatchObject({ uploaded: 3, errors: 0 });
    expect(await passingsOf(race)).toEqual({
      1: '00:20:00.000',
      3: '00:20:00.500',
      5: '23:55:00.000',
    });
  });

  test('are read in a file and its preview', async () => {
    const race = await createDay();
    const lines = ['bib,time', '1,9:20:00', '4,9:52:00'];
    const query = `${OF_DAY}&point=Km%205`;
    const preview = await sendFile(race, `/passings/file/preview${query}`, lines);
    expect(await preview.json()).toMatchObject({
      rows: [{ time: '00:20:00.000' }, { time: '00:22:00.000' }],
    });
    await sendFile(race, `/passings/file${query}`, lines);
    expect(await passingsOf(race)).toEqual({ 1: '00:20:00.000', 4: '00:22:00.000' });
  });
});

test('a clock reads what PostgreSQL writes of an instant, over three days and a change of the clocks', async () => {
  const zone = fc.constantFrom(
    'Europe/Madrid',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kolkata',
  );
  const day = fc.constantFrom('2026-03-28', '2026-10-24', '2026-10-31', '2027-04-03', '2027-06-10');
  const startMs = fc
    .tuple(day, fc.integer({ min: 0, max: 47 }))
    .map(([date, half]) => Date.parse(`${date}T00:00Z`) + half * 1_800_000);
  await fc.assert(
    fc.asyncProperty(
      zone,
      startMs,
      fc.array(fc.integer({ min: 1, max: 2 * 24 * HOUR_MS }), { minLength: 1, maxLength: 20 }),
      async (zone, startMs, elapsed) => {
        const { rows } = await db.execute<{ elapsed: string; dated: string; undated: string }>(sql`
          select elapsed, to_char(wall, 'YYYY-MM-DD HH24:MI:SS.MS') as dated, to_char(wall, 'HH24:MI:SS.MS') as undated
          from (
            select elapsed, (to_timestamp(${startMs / 1_000}::float8) + elapsed * interval '1 millisecond')
              at time zone ${zone} as wall
            from unnest(${sql.raw(`array[${elapsed.join()}]`)}::bigint[]) elapsed
          ) shown`);
        const starts_at = new Date(startMs).toISOString();
        const start = { name: 'Gun', distance: null, bib_from: null, bib_to: null, starts_at };
        const clock = new RaceClock({
          zone,
          starts: [start],
          points: [],
          distances: new Map([['1', null]]),
        });
        const read = (cell: string) => {
          try {
            return clock.timeMs('1', cell);
          } catch (error) {
            return error instanceof RowError ? error.code : String(error);
          }
        };
        for (const { elapsed, dated, undated } of rows) {
          expect([Number(elapsed), 'hour_twice']).toContain(read(dated));
          // Without a date, a time of day is the first one after the start.
          const first = read(undated);
          if (Number(elapsed) < 23 * HOUR_MS) {
            expect([Number(elapsed), 'hour_twice']).toContain(first);
          } else if (typeof first === 'number') expect(first).toBeLessThanOrEqual(Number(elapsed));
        }
      },
    ),
    { numRuns: 60 },
  );
});
