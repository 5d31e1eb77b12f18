import { expect, test } from 'vitest';
import { createDetails } from './details.ts';
import { createLookUp } from './look-up.ts';
import { type RankingDocument, readRanking } from './ranking.ts';

const waiting = { waitUntil() {}, logFields: { trips: 0 } };
const idOf = (runner: number) => runner.toString(16).padStart(32, '0');

type Versions = { event?: number; registration?: number; written?: number };

const rankingOf = (
  runners: number,
  { event = 1, registration = 1, written = 1 }: Versions = {},
) => {
  const each = <T>(value: T): T[] => Array(runners).fill(value);
  const shown = {
    city: 'Port',
    event_date: '2026-05-01T08:00:00Z',
    shows_names: true,
    time_zone: null,
  };
  return readRanking(
    JSON.stringify({
      event: { ...shown, name: 'Harbour Half', version: event },
      groups: [
        {
          distance: '10K',
          gender: 'F',
          category: 'Open',
          chip_ms: each(1),
          ids: Array.from({ length: runners }, (_, runner) => idOf(runner)).join(''),
          bibs: Array.from({ length: runners }, (_, runner) => String(runner)),
          statuses: '0'.repeat(runners),
          gun_ms: each(null),
          written_ms: each(written),
          versions: each(registration),
          arrived_ms: each(null),
        },
      ],
    } satisfies RankingDocument),
  );
};

/** Details over a look-up that counts the ids of each trip. */
function start(nameOf: (id: string) => string | undefined = (id) => `Runner ${id.slice(-2)}`) {
  const trips: number[] = [];
  const lookUp = createLookUp(async (ids) => {
    trips.push(ids.length);
    await new Promise((resolve) => setTimeout(resolve, 10));
    return new Map(
      ids.flatMap((id) => {
        const name = nameOf(id);
        return name === undefined ? [] : [[id, JSON.stringify({ name, splits: {} })]];
      }),
    );
  });
  const details = createDetails(lookUp);
  const find = (ranking: ReturnType<typeof rankingOf>, ...rows: number[]) =>
    details.find(ranking, rows, waiting);
  return { find, trips };
}

test('looks a detail up once for each change of the event, the registration or the result', async () => {
  const { find, trips } = start();
  expect((await find(rankingOf(3), 1)).get(1)).toEqual({ name: 'Runner 01', splits: {} });
  await find(rankingOf(3), 1);
  expect(trips).toEqual([1]);
  for (const versions of [{ event: 2 }, { registration: 2 }, { written: 2 }]) {
    await find(rankingOf(3, versions), 1);
    await find(rankingOf(3, versions), 1);
  }
  expect(trips).toEqual([1, 1, 1, 1]);
});

test('looks up the details for any number of requests together', async () => {
  const { find, trips } = start();
  const ranking = rankingOf(500);
  await Promise.all(Array.from({ length: 500 }, (_, row) => find(ranking, row)));
  expect(trips.length).toBeLessThanOrEqual(2);
  expect(trips.reduce((sum, ids) => sum + ids)).toBe(500);
});

test('gives neither name nor splits to a runner who is gone meanwhile', async () => {
  const { find } = start(() => undefined);
  expect((await find(rankingOf(1), 0)).get(0)).toEqual({ name: null, splits: null });
});

test('looks up again after a failure', async () => {
  let fails = true;
  const lookUp = createLookUp(async (ids) => {
    if (fails) throw new Error('away');
    return new Map(ids.map((id) => [id, id]));
  });
  await expect(lookUp(['1'], waiting)).rejects.toThrow('away');
  fails = false;
  expect(await lookUp(['1'], waiting)).toEqual(new Map([['1', '1']]));
});

test('forgets the oldest details beyond a number of characters', async () => {
  const { find, trips } = start(() => 'x'.repeat(1_000_000));
  const ranking = rankingOf(30);
  for (let row = 0; row < 30; row++) await find(ranking, row);
  expect(trips).toHaveLength(30);
  await find(ranking, 29);
  expect(trips).toHaveLength(30);
  await find(ranking, 0);
  expect(trips).toHaveLength(31);
});
