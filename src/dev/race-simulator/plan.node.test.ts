import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRaceTime } from '../../timing-files/read/race-time.ts';
import { courseKm, entrantsOf, planRace, type Report } from './plan.ts';

const anyEntrants = fc
  .array(fc.constantFrom('5K', '10K', '21K', '42K', 'Relevos', null), { maxLength: 120 })
  .map((drawn) => drawn.map((distance, index) => ({ distance, bib: String(index + 1) })));
const anySeed = fc.nat({ max: 2 ** 32 - 1 });

const entrants = (count: number, distance = '21K') => entrantsOf(count, distance);

const timeOf = (text: string | undefined): number => parseRaceTime(text ?? '') ?? Number.NaN;

const isRising = (times: readonly number[]): boolean =>
  times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0));

test('plans the same race for a seed and another race for another seed', () => {
  fc.assert(
    fc.property(anyEntrants, anySeed, (field, seed) => {
      expect(planRace(field, seed)).toEqual(planRace(field, seed));
    }),
    { numRuns: 20 },
  );
  expect(planRace(entrants(50), 7)).not.toEqual(planRace(entrants(50), 8));
});

test('gives every runner one final row with the times of its status', () => {
  fc.assert(
    fc.property(anyEntrants, anySeed, (field, seed) => {
      const { finalRows } = planRace(field, seed);
      expect([...finalRows.keys()].sort()).toEqual(field.map(({ bib }) => bib).sort());
      for (const { bib, distance } of field) {
        const row = finalRows.get(bib);
        const splits = Object.values(row?.splits ?? {}).map(timeOf);
        const mats = Math.floor((courseKm(distance) - 1) / 5);
        expect(isRising(splits)).toBe(true);
        expect(splits.every((ms) => Number.isInteger(ms) && ms > 0)).toBe(true);
        if (row?.status === 'FINISHED') {
          expect(splits).toHaveLength(mats);
          expect(timeOf(row.chip_time)).toBeGreaterThan(splits.at(-1) ?? 0);
          expect(timeOf(row.gun_time)).toBeGreaterThanOrEqual(timeOf(row.chip_time));
        } else {
          expect([row?.chip_time, row?.gun_time]).toEqual([undefined, undefined]);
          if (row?.status === 'DNS') expect(splits).toEqual([]);
          if (row?.status === 'DSQ') expect(splits).toHaveLength(mats);
          if (row?.status === 'DNF') expect(splits.length).toBeLessThanOrEqual(mats);
        }
      }
    }),
  );
});

test('reports in order of time, and last of each bib its final row', () => {
  fc.assert(
    fc.property(anyEntrants, anySeed, (field, seed) => {
      const { reports, finalRows, endsAtMs } = planRace(field, seed);
      const times = reports.map(({ atMs }) => atMs);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times.at(-1) ?? 0).toBe(endsAtMs);
      // A misread bib is never the last report of a runner.
      const last = reports.map(({ row }) => [row.bib_number.replace('?', ''), row] as const);
      expect(new Map(last)).toEqual(finalRows);
    }),
  );
});

test('reports no finish before its gun time has passed', () => {
  const { reports } = planRace(entrants(300), 7);
  const guns = new Set<number>();
  for (const { atMs, row } of reports) {
    if (row.gun_time !== undefined) guns.add(atMs - timeOf(row.gun_time));
  }
  // An arrival less its gun time is a time of the two guns. A correction comes later.
  expect([...guns].filter((gun) => [0, 150_000].includes(gun))).toHaveLength(2);
  expect(Math.min(...guns)).toBe(0);
});

test('plans every outcome in about its share', () => {
  const { reports, finalRows } = planRace(entrants(5_000), 7);
  const reportsOf = Map.groupBy(reports, ({ row }) => row.bib_number);
  const twice = [...reportsOf.values()].filter((those) => those.length > 1);
  const ended = (status: string) =>
    [...finalRows.values()].filter((row) => row.status === status).length;
  const counted: [number, percent: number][] = [
    [ended('DNS'), 4],
    [ended('DNF'), 3],
    [ended('DSQ'), 1],
    [[...reportsOf.keys()].filter((bib) => bib.endsWith('?')).length, 1],
    [twice.filter(([first, second]) => sameRow(first, second)).length, 2],
    [twice.filter(([first, second]) => first && isCorrection(first, second)).length, 1],
  ];
  for (const [count, percent] of counted) {
    expect(count).toBeGreaterThan(percent * 50 * 0.6);
    expect(count).toBeLessThan(percent * 50 * 1.4);
  }
});

const sameRow = (first?: Report, second?: Report) =>
  JSON.stringify(first?.row) === JSON.stringify(second?.row);
const isCorrection = ({ row }: Report, second?: Report) =>
  row.chip_time === row.gun_time &&
  second?.row.status === 'FINISHED' &&
  timeOf(second.row.chip_time) < timeOf(row.chip_time);

test('plans the finish times of a city half marathon', () => {
  const minutes = [...planRace(entrants(5_000), 7).finalRows.values()]
    .flatMap(({ chip_time }) => (chip_time === undefined ? [] : timeOf(chip_time) / 60_000))
    .sort((a, b) => a - b);
  const at = (share: number) => minutes[Math.floor(share * (minutes.length - 1))] ?? 0;
  expect(at(0)).toBeGreaterThan(60);
  expect(at(0)).toBeLessThan(80);
  expect(at(0.5)).toBeGreaterThan(117);
  expect(at(0.5)).toBeLessThan(126);
  expect(at(1)).toBeLessThan(200);
  // The slow half of the field spreads wider than the fast half.
  expect(at(0.95) - at(0.5)).toBeGreaterThan(at(0.5) - at(0.05));
});

test.each([
  ['10K', 10],
  ['21K', 21.0975],
  ['21,1 km', 21.1],
  ['Maratón 42', 42.195],
  ['5 km', 5],
  ['Relevos', 21.0975],
  ['0K', 21.0975],
  [null, 21.0975],
])('reads the course %j as %d km', (distance, km) => {
  expect(courseKm(distance)).toBe(km);
});

test('lets every runner with a result pass the mats of its splits, in order of time', () => {
  const { passings, finalRows } = planRace(entrants(300), 7);
  const times = passings.map(({ atMs }) => atMs);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  const passed = new Map<string, Record<string, string>>();
  for (const { row } of passings) {
    passed.set(row.bib_number, { ...passed.get(row.bib_number), [row.point]: row.time });
  }
  for (const [bib, { splits, chip_time, gun_time }] of finalRows) {
    const sinceGun = passed.get(bib) ?? {};
    expect(Object.keys(sinceGun)).toEqual(Object.keys(splits));
    if (gun_time === undefined) continue;
    // Passings are since the gun, and splits since the start line.
    for (const [name, time] of Object.entries(splits)) {
      expect(timeOf(sinceGun[name]) - timeOf(time)).toBe(timeOf(gun_time) - timeOf(chip_time));
    }
  }
});

test('starts each distance with a gun of its own, and a wave of the longest', () => {
  const field = [
    ...entrants(10, '10K'),
    ...entrants(20).map(({ bib }) => ({ bib: `1${bib.padStart(2, '0')}`, distance: '21K' })),
  ];
  expect(planRace(field, 7).starts).toEqual([
    { name: '21K', distance: '21K', bib_from: null, bib_to: null, gunAtMs: 0 },
    { name: '21K B', distance: '21K', bib_from: 111, bib_to: 120, gunAtMs: 122_000 },
    { name: '10K', distance: '10K', bib_from: null, bib_to: null, gunAtMs: 244_000 },
  ]);
  const named = planRace([{ bib: 'A1', distance: '21K' }], 7).starts;
  expect(named.map(({ name }) => name)).toEqual(['21K']);
});
