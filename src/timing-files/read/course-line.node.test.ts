import { describe, expect, test } from 'vitest';
import { courseLine, densityOf, movedOn, runnersBetween, whereOnCourse } from './course-line.ts';

const points = (...kms: (number | null)[]) => kms.map((km, at) => ({ point: `P${at + 1}`, km }));

describe('the line of a course', () => {
  test('has its points at their kilometres, without the start line', () => {
    const told = [{ point: 'Salida', km: null }, ...points(5, 10)];
    expect(courseLine(told, 20)).toEqual({
      km: 20,
      points: [
        { point: 'P1', at: 0.25 },
        { point: 'P2', at: 0.5 },
      ],
    });
  });

  test.each([
    ['an unknown length', points(5, 10), undefined],
    ['an unknown point', points(5, null), 20],
    ['points out of order', points(10, 5), 20],
    ['a point behind the finish', points(5, 21), 20],
  ])('has its points at equal distances with %s', (_, told, km) => {
    const line = courseLine(told, km);
    expect(line.km).toBeUndefined();
    expect(line.points.map(({ at }) => at)).toEqual([1 / 3, 2 / 3]);
  });

  test('is a start and a finish without points', () => {
    expect(courseLine([], 10)).toEqual({ km: 10, points: [] });
  });
});

describe('a runner on the course', () => {
  const line = courseLine(points(5, 10, 15), 20);
  const seen = (times: string[], isSinceGun = false) => ({
    splits: times.map((time, at) => ({ name: `p${at + 1}`, time })),
    passedAtMs: 1_000_000,
    isSinceGun,
  });
  const at = (times: string[], minutes: number, isSinceGun = false) =>
    whereOnCourse(line, seen(times, isSinceGun), 1_000_000 + minutes * 60_000).at;

  test('runs on at the pace since the start, and waits before the next point', () => {
    expect(at(['00:25:00'], 0)).toBe(0.25);
    expect(at(['00:25:00'], 10)).toBeCloseTo(0.25 + 2 / 20);
    expect(at(['00:25:00'], 60)).toBeCloseTo(0.4925);
    expect(at(['00:25:00', '00:50:00', '01:15:00'], 60)).toBeLessThan(1);
  });

  test('runs at the pace between the points if nobody knows the time at the start line', () => {
    expect(at(['00:30:00', '00:55:00'], 10, true)).toBeCloseTo(0.5 + 2 / 20);
  });

  test('stands at the last point without a clock, without a pace, and after a time elsewhere', () => {
    const run = seen(['00:25:00']);
    const now = 1_600_000;
    expect(whereOnCourse(line, { ...run, passedAtMs: undefined }, now).at).toBe(0.25);
    expect(whereOnCourse(line, seen(['00:01:00']), now).at).toBe(0.25);
    expect(whereOnCourse(line, { ...run, splits: [] }, now)).toEqual({ at: 0, from: 0, to: 0.25 });
    const lap = { name: 'Lap 2', time: '00:26:00' };
    expect(whereOnCourse(line, { ...run, splits: [...run.splits, lap] }, now).at).toBe(0.25);
    // The clock of the reader may be behind.
    expect(whereOnCourse(line, run, 0).at).toBe(0.25);
  });

  test('runs on a course of unknown length too', () => {
    const unknown = courseLine(points(null, null, null), undefined);
    expect(whereOnCourse(unknown, seen(['00:30:00']), 1_000_000 + 15 * 60_000).at).toBe(0.375);
  });

  test('moves smoothly to a new estimate, and never back', () => {
    expect(movedOn(0.5, 0.4, 10_000)).toBe(0.5);
    expect(movedOn(0.5, 0.6, 100)).toBeLessThan(0.51);
    expect(movedOn(0.5, 0.6, 10_000)).toBeCloseTo(0.6, 3);
  });
});

describe('the field', () => {
  const line = courseLine(points(5, 10), 20);
  const field = {
    entered: 100,
    finished: 5,
    points: [
      { point: 'P1', passed: 90, quantiles: [1_200, 1_500, 1_800] },
      { point: 'P2', passed: 40, quantiles: [2_400, 2_700] },
    ],
  };
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

  test('has as many runners between two points as passed the first and not the second, never fewer than 0', () => {
    expect(runnersBetween(field)).toEqual([10, 50, 35]);
    expect(runnersBetween({ ...field, finished: 60 })).toEqual([10, 50, 0]);
    expect(runnersBetween({ entered: 7, finished: 0, points: [] })).toEqual([7]);
  });

  test.each([[[]], [[-60]], [[2_000]], [[3_000, 1_800]], [[90_000]]])(
    'has every runner once in its density, %j s after the guns',
    (elapsed) => {
      const density = densityOf(line, field, elapsed, 100);
      expect(density).toHaveLength(100);
      expect(sum(density)).toBeCloseTo(95);
      // The runners of a leg stand in the leg, and at most five columns beside it.
      expect(sum(density.slice(0, 20))).toBeLessThanOrEqual(10.001);
      expect(sum(density.slice(55))).toBeLessThanOrEqual(35.001);
    },
  );

  test('stands where its paces lead: late runners of a point just behind the point', () => {
    const density = densityOf(line, field, [1_800], 100);
    const leg = density.slice(25, 50);
    expect(Math.max(...leg.slice(0, 4))).toBeGreaterThan(Math.max(...leg.slice(16)));
  });

  test('stands at the start before the gun', () => {
    const before = { entered: 50, finished: 0, points: [] };
    expect(sum(densityOf(line, { ...before, points: [] }, [-600], 100).slice(0, 6))).toBeCloseTo(
      50,
    );
  });
});
