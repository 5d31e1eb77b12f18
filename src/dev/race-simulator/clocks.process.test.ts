import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Mark, wrongClocks } from '../../timing-files/judge/clocks.ts';
import { kmOfPoint } from '../../timing-files/read/point.ts';
import { parseRaceTime } from '../../timing-files/read/race-time.ts';
import { courseKm, planRace } from './plan.ts';

/** A race of the simulator: the marks of each runner, since the gun. */
function raceOf(seed: number, runners: number): Mark[][] {
  const distances = ['10K', '21K', 'Marathon'];
  const entrants = Array.from({ length: runners }, (_, at) => ({
    bib: String(at + 1),
    distance: distances[at % distances.length] ?? '10K',
  }));
  const { passings, finalRows } = planRace(entrants, seed);
  const marks = new Map<string, Mark[]>(entrants.map(({ bib }) => [bib, []]));
  for (const { row } of passings) {
    const { bib_number, point, time } = row;
    const timeMs = parseRaceTime(time) ?? 0;
    marks.get(bib_number)?.push({ point, km: kmOfPoint(point), timeMs, leadMs: null });
  }
  for (const { bib, distance } of entrants) {
    const timeMs = parseRaceTime(finalRows.get(bib)?.gun_time ?? '');
    if (timeMs === undefined) continue;
    marks.get(bib)?.push({ point: null, km: courseKm(distance), timeMs, leadMs: null });
  }
  return [...marks.values()];
}

const seeds = fc.integer({ min: 1, max: 100_000 });
const sizes = fc.integer({ min: 3, max: 400 });

const withOffset = (race: Mark[][], point: string | null, minutes: number) =>
  race.map((marks) =>
    marks.map((mark) =>
      mark.point === point ? { ...mark, timeMs: mark.timeMs + 60_000 * minutes } : mark,
    ),
  );

/** Slow runners slow down more, by at most `fadeMs` at the end of a marathon at the median pace. */
const faded = (race: Mark[][], fadeMs: number) =>
  race.map((marks) =>
    marks.map((mark) => {
      const { km = 0, timeMs } = mark;
      const slowness = timeMs / (km * 345_000);
      return { ...mark, timeMs: timeMs + fadeMs * (km / 42) ** 2 * slowness ** 3 };
    }),
  );

/** The first five kilometres go up: each runner takes longer by the same share. */
const uphill = (race: Mark[][], share: number) =>
  race.map((marks) => {
    const firstMs = marks.find(({ km }) => km === 5)?.timeMs ?? 0;
    return marks.map((mark) => ({ ...mark, timeMs: mark.timeMs + share * firstMs }));
  });

test('no clock of a true race seems wrong, over hills and with tired runners too', () => {
  const share = fc.double({ min: -0.3, max: 0.6, noNaN: true });
  const fade = fc.integer({ min: 0, max: 45 });
  fc.assert(
    fc.property(seeds, sizes, share, fade, (seed, size, hill, minutes) => {
      const race = raceOf(seed, size);
      for (const run of [race, uphill(race, hill), faded(race, 60_000 * minutes)]) {
        expect(wrongClocks(run)).toEqual([]);
      }
    }),
    { numRuns: 60 },
  );
});

test('a clock that is an hour or more minutes off is found, and no other clock', () => {
  const points = fc.constantFrom('Km 5', 'Km 10', 'Km 15', null);
  const offsets = fc.constantFrom(-60, 60, 120, -45, 45, -30, 30, 1_380);
  fc.assert(
    fc.property(
      seeds,
      fc.integer({ min: 90, max: 400 }),
      points,
      offsets,
      (seed, size, point, minutes) => {
        const found = wrongClocks(withOffset(raceOf(seed, size), point, minutes));
        expect(found.map((one) => [one.at, one.point, one.against])).toEqual([
          [point === null ? 'finish' : 'point', point, 'points'],
        ]);
        const expected = minutes === 1_380 ? -60 : minutes;
        expect(Math.abs((found[0]?.minutes ?? 0) - expected)).toBeLessThanOrEqual(3);
      },
    ),
    { numRuns: 60 },
  );
});

test('a point whose times of day are ahead of the server is found while the first runners pass', () => {
  const lead = (leads: number[]) =>
    wrongClocks(leads.map((leadMs) => [{ point: 'Km 5', km: 5, timeMs: 1_500_000, leadMs }]));
  const ahead = { at: 'point', point: 'Km 5', against: 'server' };
  expect(lead([3_598_000, 3_599_000, 3_590_000])).toMatchObject([{ ...ahead, minutes: 60 }]);
  // Read as the clock of the next day.
  expect(lead([82_798_000, 82_799_000, 82_790_000])).toMatchObject([{ ...ahead, minutes: -60 }]);
  expect(lead([3_598_000, -2_000, -5_000])).toEqual([]);
  expect(lead([20_000, 15_000, 30_000, 12_000])).toEqual([]);
});
