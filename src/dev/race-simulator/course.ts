import {
  type CourseLine,
  courseLine,
  movedOn,
  whereOnCourse,
} from '../../timing-files/read/course-line.ts';
import { kmOfPoint } from '../../timing-files/read/point.ts';
import { parseRaceTime } from '../../timing-files/read/race-time.ts';
import { startOf } from '../../timing-files/read/starts.ts';
import { courseKm, type Entrant, type RacePlan } from './plan.ts';

const EVERY_MS = 10_000;
const FOLLOWED_MAX = 300;
/** A page shows a point this long after the mat has seen the runner: the crew, the cache and the page each wait. */
const LATE_MS = 12_000;
/** A follower sees no difference within this part of the course. */
const NEAR = 0.03;

/** Where a runner truly is: on the race clock, and on the line of the course. */
type Truth = { atMs: number; at: number }[];

/**
 * Follows finishers from their first point to the finish, as a page does.
 * @returns the part of the looks that found a runner within 3 % of the course, and the longest step of a shown runner
 * within a second, as a part of the course
 */
export function playCourse(plan: RacePlan): { near: number; looks: number; longestStep: number } {
  let [near, looks, longestStep] = [0, 0, 0];
  const passings = Map.groupBy(plan.passings, ({ row }) => row.bib_number);
  for (const entrant of plan.entrants.slice(0, FOLLOWED_MAX)) {
    const followed = followedOf(plan, entrant, passings.get(entrant.bib) ?? []);
    if (!followed) continue;
    const { line, truth } = followed;
    const [first, finish] = [truth[1], truth.at(-1)];
    if (!first || !finish || truth.length < 3) continue;
    let shown = first.at;
    for (let nowMs = first.atMs + LATE_MS; nowMs < finish.atMs; nowMs += EVERY_MS) {
      const seen = truth.slice(1, -1).filter(({ atMs }) => atMs <= nowMs - LATE_MS);
      const estimate = whereOnCourse(line, followed.seenAt(seen.length), nowMs).at;
      for (let ms = 0; ms < EVERY_MS; ms += 1_000) {
        const moved = movedOn(shown, estimate, 1_000);
        longestStep = Math.max(longestStep, moved - shown);
        shown = moved;
      }
      looks += 1;
      if (Math.abs(shown - trueAt(truth, nowMs)) <= NEAR) near += 1;
    }
  }
  return { near: looks === 0 ? 1 : near / looks, looks, longestStep };
}

function followedOf(plan: RacePlan, { bib, distance }: Entrant, passings: RacePlan['passings']) {
  const row = plan.finalRows.get(bib);
  const gunAtMs = startOf(plan.starts, { bib, distance })?.gunAtMs;
  if (row?.status !== 'FINISHED' || gunAtMs === undefined) return undefined;
  const ms = (time = '') => parseRaceTime(time) ?? 0;
  const toStartLineMs = ms(row.gun_time) - ms(row.chip_time);
  const names = Object.keys(row.splits);
  const line: CourseLine = courseLine(
    names.map((point) => ({ point, km: kmOfPoint(point) ?? null })),
    courseKm(distance),
  );
  const startedAtMs = gunAtMs + toStartLineMs;
  const truth: Truth = [
    { atMs: startedAtMs, at: 0 },
    ...line.points.map(({ point, at }) => ({ atMs: startedAtMs + ms(row.splits[point]), at })),
    { atMs: startedAtMs + ms(row.chip_time), at: 1 },
  ];
  // The mats send times since the gun.
  const seenAt = (count: number) => ({
    splits: passings.slice(0, count).map(({ row: { point, time } }) => ({ name: point, time })),
    passedAtMs: truth[count]?.atMs,
    isSinceGun: true,
  });
  return { line, truth, seenAt };
}

function trueAt(truth: Truth, nowMs: number): number {
  const after = truth.findIndex(({ atMs }) => atMs > nowMs);
  const [one, other] = [truth[after - 1], truth[after]];
  if (!one || !other) return 1;
  return one.at + ((nowMs - one.atMs) / (other.atMs - one.atMs)) * (other.at - one.at);
}

/** The line about the course in the report of `npm run race`. */
export function courseOf(plan: RacePlan): string[] {
  const { near, looks } = playCourse(plan);
  if (looks === 0) return [];
  return [
    `Followed runners would stand within ${100 * NEAR} % of the course in ${Math.floor(100 * near)} % of the looks.`,
  ];
}
