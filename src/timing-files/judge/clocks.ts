import { limitsMs } from '../read/distance.ts';
import { type Warning, warningIf } from './warning.ts';

/** The time of a runner at a point, or at the finish. */
export type Mark = {
  /** Null: the finish. */
  point: string | null;
  /** Kilometres from the start, if known. */
  km: number | undefined;
  /** Since the gun. */
  timeMs: number;
  /** How far the time of day was ahead of the server's clock at the arrival of the time; null without a told start. */
  leadMs: number | null;
};

export const CLOCKS_AT = ['start', 'point', 'finish'] as const;
export const EVIDENCE_OF_CLOCKS = ['server', 'points'] as const;

/** A clock that seems wrong: of a point, of the finish, or of the gun, which is told too early or too late. */
export type WrongClock = {
  at: (typeof CLOCKS_AT)[number];
  /** Null for the start and the finish. */
  point: string | null;
  /** How many whole minutes the clock is ahead. Negative: behind. */
  minutes: number;
  /** The evidence: the server's clock, or the same runners at the other points. */
  against: (typeof EVIDENCE_OF_CLOCKS)[number];
  /** The runners behind the evidence. */
  runners: number;
};

const MINUTE_MS = 60_000;
const HALF_DAY = 720;

/** A time of day so far ahead is no matter of seconds. */
const LEAD_MS = 60_000;
const LEADS_MIN = 3;
/** The share of a point's times that are ahead. */
const LEADS_SHARE = 0.2;

const OFFSET_MIN_MS = 2 * MINUTE_MS;
/** A crowd takes minutes to cross the start line. */
const START_OFFSET_MIN_MS = 10 * MINUTE_MS;
/** So many runners show an offset with an impossible order of points, or without. */
const [RUNNERS_IF_IMPOSSIBLE, RUNNERS_MIN] = [5, 10];
const IMPOSSIBLE_SHARE = 0.8;
/** The least offset, as a share of the time between the neighbouring points, or of the time after the last point. */
const [SHARE_BETWEEN, SHARE_BEYOND] = [0.25, 0.5];
/** The pace of a leg comes from another leg, which is this share of the leg at least. */
const LEG_SHARE = 0.25;
/** An offset is alike for all runners: the spread around the offset is this share of the offset at most. */
const SPREAD_SHARE = 0.25;
/** Explanations are alike if they leave offsets that differ by at most this share of the offset. */
const ALIKE_SHARE = 0.25;
const FASTEST_MS_PER_KM = limitsMs(1).fastestMs;
/** A hill costs slow runners more than fast runners, a clock costs all runners the same. */
const CONSTANT_SHARE = 0.6;

/** The finish and the start among the keys of points. No point has such a name. */
const [FINISH, START] = ['\0finish', '\0start'];

/**
 * The clocks that seem wrong: ahead of the server, or off against the same runners at the neighbouring points.
 * @param runners the marks of each runner
 */
export function wrongClocks(runners: readonly (readonly Mark[])[]): WrongClock[] {
  const ahead = aheadOfServer(runners.flat());
  const known = new Set(ahead.map(({ point }) => point));
  return [...ahead, ...offCourse(runners).filter(({ point }) => !known.has(point))];
}

function aheadOfServer(marks: readonly Mark[]): WrongClock[] {
  const points = [...new Set(marks.map(({ point }) => point))];
  return points.flatMap((point): WrongClock[] => {
    const leads = marks.flatMap((mark) => (mark.point === point ? (mark.leadMs ?? []) : []));
    const large = leads.filter((ms) => ms > LEAD_MS).sort((one, other) => one - other);
    // The times that came at once show the whole offset.
    const leadMs = large[Math.floor(large.length * 0.9)];
    if (leadMs === undefined || large.length < LEADS_MIN) return [];
    if (large.length < leads.length * LEADS_SHARE) return [];
    return [clockOf(point ?? FINISH, leadMs, 'server', large.length)];
  });
}

/** @param offsetMs how far the clock is ahead. A clock that is a day ahead was read as the clock of the next day */
function clockOf(
  key: string,
  offsetMs: number,
  against: WrongClock['against'],
  runners: number,
): WrongClock {
  const minutes = Math.round(offsetMs / MINUTE_MS) % (2 * HALF_DAY);
  const turned =
    Math.abs(minutes) > HALF_DAY ? minutes - Math.sign(minutes) * 2 * HALF_DAY : minutes;
  const at = key === FINISH ? 'finish' : key === START ? 'start' : 'point';
  return { at, point: at === 'point' ? key : null, minutes: turned, against, runners };
}

type Passed = { key: string; km: number; timeMs: number };
/** In the order of the kilometres, from the start on. */
type Course = readonly Passed[];

/** A runner's time at a point, against the same runner's time at the neighbouring points. */
type Against = {
  /** Later than expected by the kilometres. */
  offMs: number;
  /** The time to which a hill or a headwind would be proportional. */
  spanMs: number;
  isImpossible: boolean;
  isBetween: boolean;
};

/**
 * Next to a wrong clock, right clocks look wrong too. So the clock whose correction leaves the smallest offsets is found
 * first, and corrected before the next look.
 */
function offCourse(runners: readonly (readonly Mark[])[]): WrongClock[] {
  const found: WrongClock[] = [];
  let courses: readonly Course[] = runners.map(courseOf).filter(({ length }) => length > 2);
  const points = new Set(courses.flat().map(({ key }) => key));
  // If more than half of the clocks were wrong, nobody could tell the wrong clocks.
  while (found.length + 1 <= points.size / 2) {
    const best = likeliest(
      [...compared(courses)]
        .map(([key, all]) => ({ key, offMs: offsetOf(key, all), runners: all.length }))
        .filter(({ offMs }) => offMs !== 0)
        .map((one) => {
          const without = corrected(courses, one);
          return { ...one, corrected: without, restMs: restOf(without) };
        }),
    );
    if (!best) return found;
    found.push(clockOf(best.key, best.offMs, 'points', best.runners));
    courses = best.corrected;
  }
  return found;
}

type Explanation = {
  key: string;
  offMs: number;
  runners: number;
  corrected: Course[];
  restMs: number;
};

/**
 * The explanation with the smallest offsets left. Of a start and two points, each of the three clocks explains any
 * offset: then the explanation with the fastest pace that a person can run is the likeliest, because a wrong clock that
 * is not corrected makes all legs longer.
 */
function likeliest(explanations: readonly Explanation[]): Explanation | undefined {
  const [best, ...others] = explanations.toSorted((one, other) => one.restMs - other.restMs);
  if (!best) return undefined;
  const mostMs = best.restMs + ALIKE_SHARE * Math.abs(best.offMs);
  const [fastest] = [best, ...others.filter(({ restMs }) => restMs <= mostMs)]
    .filter((one) => legPaces(one.corrected).every((pace) => pace >= FASTEST_MS_PER_KM))
    .map((one) => ({ one, msPerKm: paceOf(one.corrected) }))
    .sort((one, other) => one.msPerKm - other.msPerKm);
  return fastest?.one ?? best;
}

const paceBetween = (from: Passed, to: Passed) => (to.timeMs - from.timeMs) / (to.km - from.km);

/** The runners' median pace between the first and the last mark. */
const paceOf = (courses: readonly Course[]): number =>
  median(
    courses.flatMap((course) => {
      const [first, last] = [course[0], course.at(-1)];
      return first && last ? paceBetween(first, last) : [];
    }),
  );

/** The runners' median pace on each leg. */
function legPaces(courses: readonly Course[]): number[] {
  const paces = new Map<string, number[]>();
  for (const course of courses) {
    for (const [at, to] of course.slice(1).entries()) {
      const from = course[at];
      if (!from) continue;
      const leg = `${from.key}\0${to.key}`;
      const known = paces.get(leg) ?? [];
      known.push(paceBetween(from, to));
      paces.set(leg, known);
    }
  }
  return Array.from(paces.values(), median);
}

/** Each point against its neighbours, by the keys of the points. */
function compared(courses: readonly Course[]): Map<string, Against[]> {
  const against = new Map<string, Against[]>();
  for (const course of courses) {
    for (const [at, { key }] of course.entries()) {
      const one = compare(course, at);
      const known = against.get(key);
      if (one && known) known.push(one);
      else if (one) against.set(key, [one]);
    }
  }
  return against;
}

const corrected = (courses: readonly Course[], { key, offMs }: { key: string; offMs: number }) =>
  courses.map((course) =>
    course.map((one) => (one.key === key ? { ...one, timeMs: one.timeMs - offMs } : one)),
  );

/** The sum of the offsets of all points. */
function restOf(courses: readonly Course[]): number {
  let sum = 0;
  for (const all of compared(courses).values()) {
    sum += Math.abs(median(all.map(({ offMs }) => offMs)));
  }
  return sum;
}

/** The start and the marks with known kilometres, in their order. */
function courseOf(marks: readonly Mark[]): Course {
  const passed = marks.flatMap(({ point, km, timeMs }) =>
    km === undefined ? [] : [{ key: point ?? FINISH, km, timeMs }],
  );
  return [{ key: START, km: 0, timeMs: 0 }, ...passed]
    .sort((one, other) => one.km - other.km)
    .filter(({ km }, at, all) => km !== all[at - 1]?.km);
}

/** @returns undefined without two further marks */
function compare(course: Course, at: number): Against | undefined {
  const [own, before, after] = [course[at], course[at - 1], course[at + 1]];
  if (!own) return undefined;
  if (before && after) {
    const spanMs = after.timeMs - before.timeMs;
    const part = (own.km - before.km) / (after.km - before.km);
    return {
      offMs: own.timeMs - before.timeMs - part * spanMs,
      spanMs,
      isImpossible: own.timeMs <= before.timeMs || own.timeMs >= after.timeMs,
      isBetween: true,
    };
  }
  const near = before ?? after;
  if (!near) return undefined;
  const leastKm = Math.abs(own.km - near.km) * LEG_SHARE;
  const isFar = ({ km }: Passed) => Math.abs(near.km - km) >= leastKm;
  const far = before ? course.slice(0, at - 1).findLast(isFar) : course.slice(at + 2).find(isFar);
  if (!far) return undefined;
  // Positive after the last mark, negative before the first.
  const legMs = ((near.timeMs - far.timeMs) * (own.km - near.km)) / (near.km - far.km);
  const isImpossible = before ? own.timeMs <= near.timeMs : own.timeMs >= near.timeMs;
  const offMs = own.timeMs - near.timeMs - legMs;
  return { offMs, spanMs: Math.abs(legMs), isImpossible, isBetween: false };
}

/** The common offset of all runners at a point; 0 without evidence of a wrong clock. */
function offsetOf(key: string, against: readonly Against[]): number {
  const between = against.filter(({ isBetween }) => isBetween);
  const isBetween = between.length * 2 >= against.length;
  const all = isBetween ? between : against;
  const share = all.filter(({ isImpossible }) => isImpossible).length / all.length;
  const isImpossible = share >= IMPOSSIBLE_SHARE;
  if (all.length < (isImpossible ? RUNNERS_IF_IMPOSSIBLE : RUNNERS_MIN)) return 0;
  const offMs = median(all.map((one) => one.offMs));
  const size = Math.abs(offMs);
  const spread = median(all.map((one) => Math.abs(one.offMs - offMs)));
  const leastMs = key === START ? START_OFFSET_MIN_MS : OFFSET_MIN_MS;
  if (size < leastMs || spread > size * SPREAD_SHARE) return 0;
  const parts = all.filter(({ spanMs }) => spanMs > 0);
  const part = median(parts.map((one) => one.offMs / one.spanMs));
  const ofHill = median(parts.map((one) => Math.abs(one.offMs - part * one.spanMs)));
  if (spread > ofHill * CONSTANT_SHARE) return 0;
  const least = isBetween ? SHARE_BETWEEN : SHARE_BEYOND;
  return isImpossible || size >= least * median(all.map(({ spanMs }) => spanMs)) ? offMs : 0;
}

/** @returns 0 of nothing */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** The warnings about clocks. */
export const clockWarnings = (clocks: readonly WrongClock[]): Warning[] =>
  clocks.flatMap(({ at, point, minutes, against, runners }) => {
    const values = { minutes: Math.abs(minutes), runners, point: point ?? '' };
    const side = minutes > 0 ? 'ahead_of' : 'behind';
    return at === 'start'
      ? warningIf(true, `wrong_clock:start_${minutes > 0 ? 'late' : 'early'}`, values)
      : warningIf(true, `wrong_clock:${at}_${side}_${against}`, values);
  });
