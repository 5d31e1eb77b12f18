import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { formatRaceTime } from '../../timing-files/read/race-time.ts';
import { createRace, type RaceDay, startRaceDay } from './race-day.ts';

let day: RaceDay;

beforeAll(async () => {
  day = await startRaceDay(inject('servers'));
});
afterAll(() => day?.stop());

const RUNNERS = 100;

type Race = Awaited<ReturnType<typeof createRace>>;

const send = (race: Race, key: number, method: string, query = '', body?: object) =>
  fetch(`${day.origin}${race.path}/passings${query}`, {
    method,
    headers: {
      'X-API-Key': race.keys[key] ?? '',
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }).then(async (response) => ({ status: response.status, text: await response.text() }));

test('answers 200 to uploads of the same rows in any order, beside deletions of their point', async () => {
  const race = await createRace(day, { runners: RUNNERS, keyCount: 8 });
  const own = Array.from({ length: RUNNERS }, (_, index) => `${index + 1}`);
  const rows = (key: number, round: number) =>
    (key % 2 === 0 ? own : own.toReversed()).map((bib_number) => ({
      bib_number,
      point: 'Km 5',
      time: formatRaceTime(1_200_000 + key * 1_000 + round),
    }));
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all([
      ...race.keys.map((_, key) => send(race, key, 'POST', '', { passings: rows(key, round) })),
      send(race, 0, 'DELETE', '?point=Km%205'),
    ]);
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  }
  await send(race, 0, 'POST', '', { passings: rows(0, 9) });
  const { rows: stored } = await day.pool.query<{ time_ms: string }>(
    'select distinct time_ms from passings where event_id = $1',
    [race.eventId],
  );
  expect(stored).toEqual([{ time_ms: String(1_200_009) }]);
});

test('stores at most 1 000 points, however many uploads bring new ones at the same time', async () => {
  for (let round = 0; round < 5; round++) {
    const race = await createRace(day, { runners: 1, keyCount: 8 });
    const lapsOf = (key: number) =>
      Array.from({ length: 300 }, (_, lap) => ({
        bib_number: '1',
        point: `Lap ${key}-${lap}`,
        time: formatRaceTime(1_000 * (lap + 1)),
      }));
    const answers = await Promise.all(
      race.keys.map((_, key) => send(race, key, 'POST', '', { passings: lapsOf(key) })),
    );
    const { rows: stored } = await day.pool.query<{ points: string }>(
      'select count(distinct point) as points from passings where event_id = $1',
      [race.eventId],
    );
    expect(stored).toEqual([{ points: '900' }]);
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array(3).fill(200),
      ...Array(5).fill(400),
    ]);
  }
});
