import { expect, test } from 'vitest';
import { courseLine, densityOf, runnersBetween } from '../../timing-files/read/course-line.ts';
import { kmOfPoint } from '../../timing-files/read/point.ts';
import { parseRaceTime } from '../../timing-files/read/race-time.ts';
import { playCourse } from './course.ts';
import { courseKm, entrantsOf, planRace } from './plan.ts';

const raceOf = (distances: readonly string[], seed: number) =>
  planRace(entrantsOf(300, ...distances), seed);

test.each([
  [['21K', '10K'], 1],
  [['42K'], 2],
  [['10K'], 3],
])(
  'shows followed runners of %j near their true places nine times of ten, without a jump',
  (distances, seed) => {
    const { near, looks, longestStep } = playCourse(raceOf(distances, seed));
    expect(looks).toBeGreaterThan(10_000);
    expect(near).toBeGreaterThan(0.9);
    expect(longestStep).toBeLessThan(0.03);
  },
);

test('counts every runner between two points, as the race does', () => {
  const plan = raceOf(['21K', '10K'], 4);
  const km = courseKm('21K');
  const bibs = new Set(
    plan.entrants.filter(({ distance }) => distance === '21K').map(({ bib }) => bib),
  );
  const isIn = ({ row }: { row: { bib_number: string } }) => bibs.has(row.bib_number);
  const passings = plan.passings.filter(isIn);
  const reports = plan.reports.filter(isIn);
  const names = ['Km 5', 'Km 10', 'Km 15', 'Km 20'];
  for (let nowMs = 0; nowMs < plan.endsAtMs; nowMs += 5 * 60_000) {
    const told = reports.filter(({ atMs }) => atMs <= nowMs);
    const not = new Set(told.filter(({ row }) => row.status === 'DNS').map((one) => one.row));
    const finished = new Set(
      told.filter(({ row }) => row.status === 'FINISHED').map(({ row }) => row.bib_number),
    );
    const at = (point: string) =>
      passings.filter(({ atMs, row }) => atMs <= nowMs && row.point === point);
    const field = {
      entered: bibs.size - not.size,
      finished: finished.size,
      points: names.map((point) => {
        const times = at(point).map(({ row }) => (parseRaceTime(row.time) ?? 0) / 1_000);
        return { point, passed: times.length, quantiles: times };
      }),
    };
    // A runner whose bib was misread stands in front of the finish for some minutes.
    const last = (bib: string) =>
      finished.has(bib)
        ? 5
        : names.filter((name) => at(name).some(({ row }) => row.bib_number === bib)).length;
    const stands = [...bibs]
      .filter((bib) => ![...not].some((row) => row.bib_number === bib))
      .map(last);
    const between = [0, 1, 2, 3, 4].map((leg) => stands.filter((one) => one === leg).length);
    expect(runnersBetween(field)).toEqual(between);
    const line = courseLine(
      names.map((point) => ({ point, km: kmOfPoint(point) ?? null })),
      km,
    );
    const guns = plan.starts
      .filter(({ distance }) => distance === '21K')
      .map(({ gunAtMs }) => (nowMs - gunAtMs) / 1_000);
    const density = densityOf(line, field, guns, 100);
    const sum = density.reduce((all, one) => all + one, 0);
    expect(sum).toBeCloseTo(stands.filter((one) => one < 5).length);
  }
});
