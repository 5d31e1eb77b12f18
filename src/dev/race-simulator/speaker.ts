import { comingTo } from '../../site/panel/public/panel/on-course/coming.ts';
import { kmOfPoint } from '../../timing-files/read/point.ts';
import { parseRaceTime } from '../../timing-files/read/race-time.ts';
import { startOf } from '../../timing-files/read/starts.ts';
import { toOnCourseRunners } from '../../worker/results/on-course.ts';
import type { RacePlan } from './plan.ts';

/** Looks at the page from the first gun to the last report. */
const LOOKS = 200;
/** The page shows a row this long after the mat has seen the runner: the crew and the page each wait. */
const LATE_MS = 15_000;
const NEXT = 10;

/**
 * Reads the speaker's page during a race.
 * @returns the part of the next ten at the finish who were among the ten that came, and the number of looks. A look
 * needs ten runners on the way to the finish
 */
export function playSpeaker(plan: RacePlan): { right: number; looks: number } {
  const names = [...new Set(plan.passings.map(({ row }) => row.point))].sort(
    (one, other) => (kmOfPoint(one) ?? 0) - (kmOfPoint(other) ?? 0),
  );
  const points = names.map((point) => ({ point, passed: 1 }));
  const progress = { started: 0, points, finished: 0, on_course: 0 };
  const arrivals = arrivalsOf(plan);
  const rowsAt = readingOf(plan);
  let [right, looks] = [0, 0];
  for (let look = 0; look < LOOKS; look++) {
    const nowMs = Math.round((look / LOOKS) * plan.endsAtMs);
    const rows = rowsAt(nowMs - LATE_MS);
    const runners = toOnCourseRunners({ rows, told: [], progress, total: rows.length }, nowMs);
    const coming = new Map(comingTo(runners, names, nowMs)).get(null) ?? [];
    const came = arrivals.filter(({ atMs }) => atMs > nowMs - LATE_MS).slice(0, NEXT);
    if (coming.length < NEXT || came.length < NEXT) continue;
    const bibs = new Set(came.map(({ bib }) => bib));
    looks += 1;
    right += coming.filter(({ runner }) => bibs.has(runner.inscription_id)).length / NEXT;
  }
  return { right: looks === 0 ? 1 : right / looks, looks };
}

/** When each finisher came, in order of time. The crew sends a misread bib with a question mark. */
function arrivalsOf({ reports }: RacePlan): { bib: string; atMs: number }[] {
  const arrivals = new Map<string, number>();
  for (const { atMs, row } of reports) {
    const bib = row.bib_number.replace('?', '');
    if (row.status === 'FINISHED' && !arrivals.has(bib)) arrivals.set(bib, atMs);
  }
  return [...arrivals].map(([bib, atMs]) => ({ bib, atMs }));
}

/** Makes a function that gives the rows of the runners on the course, as the database would at a time. */
function readingOf({ entrants, starts, reports, passings }: RacePlan) {
  const seenOf = Map.groupBy(passings, ({ row }) => row.bib_number);
  const ended = new Map<string, number>();
  for (const { atMs, row } of reports) {
    if (row.status !== 'DNS' && !ended.has(row.bib_number)) ended.set(row.bib_number, atMs);
  }
  return (nowMs: number) =>
    entrants.flatMap(({ bib, distance }) => {
      const seen = (seenOf.get(bib) ?? []).filter(({ atMs }) => atMs <= nowMs);
      const last = seen.at(-1);
      if (!last || (ended.get(bib) ?? Number.POSITIVE_INFINITY) <= nowMs) return [];
      const splits = Object.fromEntries(
        seen.map(({ row }) => [row.point, parseRaceTime(row.time) ?? 0]),
      );
      return {
        inscription_id: bib,
        bib_number: bib,
        given_names: null,
        surnames: null,
        gender: null,
        category: null,
        distance,
        point: last.row.point,
        last_ms: splits[last.row.point] ?? 0,
        started_ms: startOf(starts, { bib, distance })?.gunAtMs ?? null,
        splits,
        has_started: true,
        category_place: null,
      };
    });
}

/** The line about the speaker's page in the report of `npm run race`. */
export function speakerOf(plan: RacePlan): string[] {
  const { right, looks } = playSpeaker(plan);
  if (looks === 0) return [];
  return [
    `The speaker's page would name ${(NEXT * right).toFixed(1)} of the next ${NEXT} at the finish.`,
  ];
}
