/**
 * Estimates where the runners of a race are, from the times at the points and a clock. The course is a line from 0, the
 * start, to 1, the finish. The functions are pure: the board, the panel and the race simulator share the functions.
 */

import { type Passed, runUpTo, secondsOf } from './pace.ts';
import { foldedPoint, isStartLine } from './point.ts';

/** A point before the finish. `km`: null if unknown. */
type Told = { point: string; km: number | null };

/** A point on the line. `at`: from 0 to 1. */
type PointAt = { point: string; at: number };

export type CourseLine = {
  /** In the order of the course, without the start line. */
  points: readonly PointAt[];
  /** Undefined: some length is unknown, so the points stand at equal distances. */
  km: number | undefined;
};

/** @param km the length of the course */
export function courseLine(told: readonly Told[], km: number | undefined): CourseLine {
  const points = told.filter(({ point }) => !isStartLine(point));
  const isRising = points.every((one, at) => {
    const before = at === 0 ? 0 : (points[at - 1]?.km ?? 0);
    return one.km !== null && one.km > before && km !== undefined && one.km < km;
  });
  const length = isRising ? km : undefined;
  return {
    km: length,
    points: points.map(({ point, km: own }, at) => ({
      point,
      at: length && own !== null ? own / length : (at + 1) / (points.length + 1),
    })),
  };
}

/** Seen by the points. `passedAtMs`: epoch ms at the last split; undefined if nobody told the start. */
type SeenRunner = {
  splits: readonly Passed[];
  passedAtMs: number | undefined;
  /** The runner's time at the start line is unknown. */
  isSinceGun: boolean;
};

/** `at` is an estimate, between the last point `from` and the next point or the finish, `to`. */
type Whereabouts = { at: number; from: number; to: number };

/** An estimate stays in front of a point by this part of the leg, until the point has seen the runner. */
const AHEAD_OF_POINT = 0.03;

/**
 * Where a runner before the finish is, by the pace up to the last point. A runner without a known pace or clock stands
 * at the last point, and a runner without a point at the start.
 */
export function whereOnCourse(
  line: CourseLine,
  { splits, passedAtMs, isSinceGun }: SeenRunner,
  nowMs: number,
): Whereabouts {
  const byName = new Map(line.points.map(({ point, at }) => [foldedPoint(point), at]));
  const atOf = (name: string) => byName.get(foldedPoint(name));
  const passed = splits.filter(({ name }) => atOf(name) !== undefined);
  const from = atOf(passed.at(-1)?.name ?? '') ?? 0;
  const to = line.points.find(({ at }) => at > from)?.at ?? 1;
  const seconds = secondsForCourse(line, passed, isSinceGun, atOf);
  const isLast = passed.at(-1) === splits.at(-1);
  if (seconds === undefined || passedAtMs === undefined || !isLast) return { at: from, from, to };
  const run = Math.max(0, nowMs - passedAtMs) / (1_000 * seconds);
  return { at: Math.min(from + run, to - AHEAD_OF_POINT * (to - from)), from, to };
}

/** The time for the whole course at a runner's pace. */
function secondsForCourse(
  { km }: CourseLine,
  splits: readonly Passed[],
  isSinceGun: boolean,
  atOf: (point: string) => number | undefined,
): number | undefined {
  if (km !== undefined) {
    const run = runUpTo(splits, isSinceGun, (name) => (atOf(name) ?? 0) * km);
    return run && run.secondsPerKm * km;
  }
  const [last, first] = [splits.at(-1), isSinceGun && splits.length > 1 ? splits[0] : undefined];
  if (!last) return undefined;
  const part = (atOf(last.name) ?? 0) - (first ? (atOf(first.name) ?? 0) : 0);
  const seconds = secondsOf(last.time) - (first ? secondsOf(first.time) : 0);
  return part > 0 && seconds > 0 ? seconds / part : undefined;
}

/** Within this time, a shown runner covers most of the way to a new estimate. */
const CATCH_UP_MS = 1_200;

/** Moves a shown runner to the estimate, smoothly and never back. */
export const movedOn = (shown: number, estimate: number, passedMs: number): number =>
  shown + Math.max(0, estimate - shown) * (1 - Math.exp(-passedMs / CATCH_UP_MS));

/** What the board's data say about a race. */
type Field = {
  entered: number;
  finished: number;
  /** In the order of the course. `quantiles`: seconds since the gun. */
  points: readonly { point: string; passed: number; quantiles: readonly number[] }[];
};

/** How many runners are between two points: from the start to the first point, and so on to the finish. */
export function runnersBetween({ entered, finished, points }: Field): number[] {
  const passed = points.filter(({ point }) => !isStartLine(point)).map((point) => point.passed);
  const after = [...passed, finished];
  return [entered, ...passed].map((count, at) => Math.max(0, count - (after[at] ?? 0)));
}

/** Paces of runners in seconds a kilometre: before the first point, nobody knows a runner's own pace. */
const USUAL_PACES = Array.from({ length: 21 }, (_, at) => 225 * 1.045 ** at);
/** Without a clock, runners stand anywhere between two points. */
const ANYWHERE = Array.from({ length: 10 }, (_, at) => (at + 0.5) / 10);
/** A runner stands in this many columns on each side of the own column, thinner outwards. */
const SPREAD = 5;

/**
 * The density of the field along the course: how many runners each column has. The sum is the number of the runners
 * between the points.
 * @param elapsed seconds since each gun of the race. Empty if nobody told the start
 */
export function densityOf(
  line: CourseLine,
  field: Field,
  elapsed: readonly number[],
  columns: number,
): number[] {
  const density: number[] = Array(columns).fill(0);
  const points = field.points.filter(({ point }) => !isStartLine(point));
  const ends = [...line.points.map(({ at }) => at), 1];
  for (const [leg, runners] of runnersBetween(field).entries()) {
    const from = leg === 0 ? 0 : (ends[leg - 1] ?? 0);
    const to = ends[leg] ?? 1;
    const kmTo = line.km === undefined ? undefined : line.km * to;
    const parts =
      leg === 0
        ? partsOfFirstLeg(kmTo, points[0]?.quantiles ?? [], elapsed)
        : partsOfLeg((to - from) / from, points[leg - 1]?.quantiles ?? [], elapsed);
    for (const part of parts) spread(density, from + part * (to - from), runners / parts.length);
  }
  return density;
}

/**
 * Runners who have passed the point before a leg, and are not through the leg at their pace.
 * @param ratio the length of the leg, by the length up to the leg
 */
function partsOfLeg(
  ratio: number,
  quantiles: readonly number[],
  elapsed: readonly number[],
): readonly number[] {
  const parts = elapsed.flatMap((seconds) =>
    quantiles
      .map((time) => (seconds - time) / (time * ratio))
      .filter((part) => part >= 0 && part < 1),
  );
  return parts.length > 0 ? parts : ANYWHERE;
}

/** @param km up to the first point, if known */
function partsOfFirstLeg(
  km: number | undefined,
  quantiles: readonly number[],
  elapsed: readonly number[],
): readonly number[] {
  const times = km === undefined ? quantiles : USUAL_PACES.map((pace) => pace * km);
  const parts = elapsed.flatMap((seconds) =>
    times.map((time) => seconds / time).filter((part) => part < 1),
  );
  // Nobody has started, or the rest may never have started.
  return parts.length > 0 ? parts.map((part) => Math.max(0, part)) : [0];
}

function spread(density: number[], at: number, runners: number): void {
  const own = Math.min(density.length - 1, Math.floor(at * density.length));
  const shares: [column: number, share: number][] = [];
  for (let column = own - SPREAD; column <= own + SPREAD; column++) {
    if (column in density) shares.push([column, 1 + SPREAD - Math.abs(column - own)]);
  }
  const sum = shares.reduce((all, [, share]) => all + share, 0);
  for (const [column, share] of shares) {
    density[column] = (density[column] ?? 0) + (runners * share) / sum;
  }
}
