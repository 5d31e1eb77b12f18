import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { formatRaceTime } from '../../timing-files/read/race-time.ts';
import { createRace, type Race, type RaceDay, startRaceDay } from './race-day.ts';

let day: RaceDay;

beforeAll(async () => {
  day = await startRaceDay(inject('servers'));
});
afterAll(() => day?.stop());

type JsonAnswer = { status: number; body: Record<string, unknown> };

async function post(race: Race, path: string, body: object = {}): Promise<JsonAnswer> {
  const response = await fetch(`${day.origin}${race.path}${path}`, {
    method: 'POST',
    headers: { 'X-API-Key': race.key, 'Content-Type': 'application/json' },
    ...(Object.keys(body).length > 0 && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

const POINT = 'Km 5';

/** Two runners with results, and a third runner. Uploads lock the runners in this order. */
async function createTrio() {
  const race = await createRace(day, { runners: 3 });
  const { rows } = await day.pool.query<{ id: string; bib_number: string }>(
    'select id, bib_number from registrations where event_id = $1 order by id',
    [race.eventId],
  );
  const [one, other, third] = rows.map(({ id, bib_number: bib }) => ({ id, bib }));
  if (!one || !other || !third) throw new Error('The race has three runners.');
  const results = [one, other].map(({ bib }) => ({ bib_number: bib, chip_time: '1:00:00' }));
  await post(race, '/results', { results });
  const passings = (...times: [{ bib: string }, timeMs: number][]) =>
    post(race, '/passings', {
      passings: times.map(([{ bib }, timeMs]) => ({
        bib_number: bib,
        point: POINT,
        time: formatRaceTime(timeMs),
      })),
    });
  return {
    race,
    one,
    other,
    third,
    passings,
    swap: () => post(race, '/results/swap', { bib_numbers: [one.bib, other.bib] }),
    revert: (batchId: unknown) => post(race, `/result-batches/${batchId}/revert`),
    /** The times at the point, by runner. */
    async times() {
      const { rows: stored } = await day.pool.query<{ registration_id: string; time_ms: string }>(
        'select registration_id, time_ms from passings where event_id = $1',
        [race.eventId],
      );
      const timeOf = ({ id }: { id: string }) =>
        Number(stored.find((row) => row.registration_id === id)?.time_ms ?? 0);
      return [timeOf(one), timeOf(other)];
    },
  };
}

/** So many statements wait for a lock. */
const waiting = async (session: pg.PoolClient) => {
  const { rowCount } = await session.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rowCount;
};

/** Uploads two passings. While the second passing waits and the first stands, acts until the act waits too. */
async function besideAnUpload<Done>(
  { race, third, passings }: Awaited<ReturnType<typeof createTrio>>,
  [runner, timeMs]: [{ bib: string }, timeMs: number],
  act: () => Promise<Done>,
): Promise<{ upload: JsonAnswer; done: Done }> {
  const session = await day.pool.connect();
  try {
    await session.query('begin');
    await session.query(
      `insert into passings (registration_id, event_id, point, time_ms, upload_id)
      values ($1, $2, $3, 1300000, gen_random_uuid())`,
      [third.id, race.eventId, POINT],
    );
    const upload = passings([runner, timeMs], [third, 1_310_000]);
    await expect.poll(() => waiting(session)).toBe(1);
    const acting = act();
    await expect.poll(() => waiting(session)).toBe(2);
    await session.query('rollback');
    return { upload: await upload, done: await acting };
  } finally {
    session.release(true);
  }
}

test('swaps two runners beside an upload of a passing that the swap brings too', async () => {
  const trio = await createTrio();
  const { one, other, passings, swap, times } = trio;
  await passings([other, 1_200_000]);
  const { upload, done } = await besideAnUpload(trio, [one, 1_100_000], swap);
  expect(upload.status).toBe(200);
  expect(done).toMatchObject({ status: 200, body: { passings: 2 } });
  expect(await times()).toEqual([1_200_000, 1_100_000]);
});

test('does not take a swap back if an upload that began before it stored a passing after it', async () => {
  const trio = await createTrio();
  const { one, third, other, passings, swap, revert, times } = trio;
  await passings([one, 600_000], [other, 1_200_000]);
  const session = await day.pool.connect();
  await session.query('begin');
  await session.query('select from registrations where id = $1 for update', [third.id]);
  const upload = passings([one, 900_000], [third, 1_310_000]);
  await expect.poll(() => waiting(session)).toBe(1);
  const { body } = await swap();
  expect(await times()).toEqual([1_200_000, 600_000]);
  await session.query('rollback');
  session.release();
  expect((await upload).status).toBe(200);
  expect(await times()).toEqual([900_000, 600_000]);
  expect((await revert(body['batch_id'])).status).toBe(409);
  expect(await times()).toEqual([900_000, 600_000]);
});

test('does not take a swap back beside an upload of a passing that the revert brings too', async () => {
  const trio = await createTrio();
  const { one, passings, swap, revert, times } = trio;
  await passings([one, 1_200_000]);
  const { body } = await swap();
  const takeBack = () => revert(body['batch_id']);
  const { upload, done } = await besideAnUpload(trio, [one, 1_100_000], takeBack);
  expect(upload.status).toBe(200);
  expect(done).toMatchObject({ status: 409, body: { code: 'VALIDATION_ERROR' } });
  expect(await times()).toEqual([1_100_000, 1_200_000]);
});

/** Less than the time that an act waits for a lock. */
const SOON = { timeout: 2_500 };

/** The acts wait for two rows, in this order, and then go on at the same instant. */
async function atOnce<First, Second>(
  { race, one, other }: Awaited<ReturnType<typeof createTrio>>,
  table: 'registrations' | 'results' | 'passings',
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[First, Second]> {
  const session = await day.pool.connect();
  try {
    await session.query('begin');
    const column = table === 'registrations' ? 'id' : 'registration_id';
    await session.query(
      `select from ${table} where event_id = $1 and ${column} = any($2) for update`,
      [race.eventId, [one.id, other.id]],
    );
    const acting = first();
    await expect.poll(() => waiting(session), SOON).toBe(1);
    const alsoActing = second();
    await expect.poll(() => waiting(session), SOON).toBe(2);
    await session.query('rollback');
    return await Promise.all([acting, alsoActing]);
  } finally {
    session.release(true);
  }
}

test.each(['registrations', 'passings'] as const)(
  'takes an upload of passings back before or after a swap, waiting for %s',
  async (table) => {
    for (const isSwapFirst of [true, false]) {
      const trio = await createTrio();
      const { race, one, other, passings, swap, times } = trio;
      await passings([one, 600_000], [other, 1_200_000]);
      const { body } = await passings([one, 610_000], [other, 1_210_000]);
      const revert = () => post(race, `/passing-uploads/${body['upload_id']}/revert`);
      const answers = isSwapFirst
        ? await atOnce(trio, table, swap, revert)
        : (await atOnce(trio, table, revert, swap)).toReversed();
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const kept = answers[1]?.body['kept'];
      expect({ kept, times: await times() }).toEqual(
        kept === 2
          ? { kept, times: [1_210_000, 610_000] }
          : { kept: 0, times: [1_200_000, 600_000] },
      );
    }
  },
);

test.each(['registrations', 'results'] as const)(
  'takes an upload of results back before or after a swap, waiting for %s',
  async (table) => {
    for (const isSwapFirst of [true, false]) {
      const trio = await createTrio();
      const { race, one, other, swap, revert } = trio;
      const upload = (first: string, second: string) =>
        post(race, '/results', {
          results: [
            { bib_number: one.bib, chip_time: first },
            { bib_number: other.bib, chip_time: second },
          ],
        });
      await upload('1:00:00', '1:10:00');
      const { body } = await upload('1:01:00', '1:11:00');
      const takeBack = () => revert(body['batch_id']);
      const answers = isSwapFirst
        ? await atOnce(trio, table, swap, takeBack)
        : (await atOnce(trio, table, takeBack, swap)).toReversed();
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const kept = answers[1]?.body['kept'];
      const { rows } = await day.pool.query<{ minutes: number }>(
        `select (chip_time_ms / 60000)::int as minutes from results where event_id = $1 order by registration_id`,
        [race.eventId],
      );
      const minutes = rows.map((row) => row.minutes);
      expect({ kept, minutes }).toEqual(
        kept === 2 ? { kept, minutes: [71, 61] } : { kept: 0, minutes: [70, 60] },
      );
    }
  },
);
