import { formatRaceTime } from '../../timing-files/read/race-time.ts';
import type { ResultStatus } from '../../timing-files/read/result-status.ts';
import { normal, randomOf, shuffled } from './random.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** A registration with a bib, whose runner takes part. */
export type Entrant = { bib: string; distance: string | null; category: string | null };

/** A row of an upload, as the API takes it (contract section 2, ResultIn). */
export type ResultRow = {
  bib_number: string;
  chip_time?: string;
  gun_time?: string;
  status: ResultStatus;
  splits: Record<string, string>;
};

/** A row that the timing crew sends, and when, on the race clock. */
export type Report = { atMs: number; row: ResultRow };

/**
 * A mat on the course. The API stores one result a bib, when the runner's race has ended. So only the crew sees
 * a passing, and its time reaches the API as a split of that result.
 */
type TimingPoint = {
  name: string;
  /** When each runner passed, in order of time. */
  passingsMs: readonly number[];
};

/** The final result of a runner, after every correction. */
type Outcome = Entrant & {
  status: ResultStatus;
  /** From the start line to the finish. Null unless FINISHED. */
  chipTimeMs: number | null;
  /** From the gun of the wave to the finish. Null unless FINISHED. */
  gunTimeMs: number | null;
  splitsMs: Readonly<Record<string, number>>;
};

/** A whole race. Its clock starts with the first gun. */
export type RacePlan = {
  /** In the order of the course: the start, every five kilometres, the finish. */
  points: readonly TimingPoint[];
  /** In order of time. */
  reports: readonly Report[];
  outcomes: readonly Outcome[];
  /** The time of the last report. */
  endsAtMs: number;
};

/** Events of a race besides a plain finish, and to how many of a hundred runners each happens. */
const FATES = [
  ['did not start', 4],
  ['did not finish', 3],
  ['disqualified', 1],
  // The mat at the start missed the chip. The gun time stands in until the crew finds the start.
  ['chip time corrected', 1],
  // The crew could not read the bib. It sends an unknown bib first and the right one later.
  ['bib misread', 1],
  ['read twice', 2],
] as const;
type Fate = 'finished' | (typeof FATES)[number][0];

/** A race of at least this many runners has every fate. In a smaller one all runners finish. */
export const SMALLEST_EVENTFUL_RACE = 20;

const HALF_MARATHON_KM = 21.0975;
const EXACT_KM = new Map([
  [21, HALF_MARATHON_KM],
  [42, 42.195],
]);
const SPLIT_EVERY_KM = 5;

const WAVES = 3;
/** From the last starter of a wave to the gun of the next wave. */
const WAVE_GAP_MS = 2 * MINUTE_MS;
/** Five runners a second cross the start line. */
const START_INTERVAL_MS = 200;

/** Paces of half marathons. The logarithm of a pace is close to normal. */
const MEDIAN_PACE_MS_PER_KM = 345 * SECOND_MS;
const PACE_SPREAD = 0.16;
const FASTEST_MS_PER_KM = 180 * SECOND_MS;
const SLOWEST_MS_PER_KM = 520 * SECOND_MS;
/** Paces slow down with the length of the course (Riegel's exponent, less one). */
const ENDURANCE = 0.06;
/** By this share the last kilometre is slower than the first. */
const FADE = 0.08;
const LEG_SPREAD = 0.02;

/** Plans a race. The same entrants and seed give the same race. */
export function planRace(entrants: readonly Entrant[], seed: number): RacePlan {
  const random = randomOf(seed);
  const fates = dealFates(entrants.length, random);
  const starters = callToStart(entrants, random);
  const races = starters.map((starter, index) => run(starter, fates[index] ?? 'finished', random));
  const reports = races.flatMap((race) => race.reports).sort((a, b) => a.atMs - b.atMs);
  return {
    points: timingPoints(races, starters[0]?.km ?? 0),
    reports,
    outcomes: races.map(({ outcome }) => outcome),
    endsAtMs: reports.at(-1)?.atMs ?? 0,
  };
}

/** Kilometres of a course with this name, such as `10K`. A name without a number is a half marathon. */
export function courseKm(distance: string | null): number {
  const number = /\d+(?:[.,]\d+)?/.exec(distance ?? '')?.[0].replace(',', '.');
  const km = Number(number);
  if (!(km >= 1 && km <= 250)) return HALF_MARATHON_KM;
  return EXACT_KM.get(km) ?? km;
}

function dealFates(count: number, random: () => number): Fate[] {
  const eventful = FATES.flatMap(([fate, percent]) =>
    Array.from({ length: Math.max(1, Math.round((count * percent) / 100)) }, () => fate),
  );
  const fates = Array.from({ length: count }, (_, index): Fate => {
    return (count >= SMALLEST_EVENTFUL_RACE && eventful[index]) || 'finished';
  });
  return shuffled(fates, random);
}

type Starter = {
  entrant: Entrant;
  km: number;
  paceMsPerKm: number;
  /** The gun of the wave, on the race clock. */
  gunAtMs: number;
  /** From the gun to the start line. */
  toStartLineMs: number;
};

/** Puts runners into waves: the longest course first, and fast runners before slow ones. */
function callToStart(entrants: readonly Entrant[], random: () => number): Starter[] {
  const runners = entrants.map((entrant) => {
    const km = courseKm(entrant.distance);
    return { entrant, km, paceMsPerKm: drawPace(km, random) };
  });
  const courses = [...Map.groupBy(runners, ({ km }) => km)].sort(([a], [b]) => b - a);
  const starters: Starter[] = [];
  let gunAtMs = 0;
  for (const [, all] of courses) {
    const seeded = all.toSorted((a, b) => a.paceMsPerKm - b.paceMsPerKm);
    const waveSize = Math.ceil(seeded.length / WAVES);
    for (let first = 0; first < seeded.length; first += waveSize) {
      for (const [place, runner] of seeded.slice(first, first + waveSize).entries()) {
        const toStartLineMs = Math.round((place + random()) * START_INTERVAL_MS);
        starters.push({ ...runner, gunAtMs, toStartLineMs });
      }
      gunAtMs += waveSize * START_INTERVAL_MS + WAVE_GAP_MS;
    }
  }
  return starters;
}

function drawPace(km: number, random: () => number): number {
  const median = MEDIAN_PACE_MS_PER_KM * (km / HALF_MARATHON_KM) ** ENDURANCE;
  const pace = median * Math.exp(PACE_SPREAD * normal(random));
  return Math.min(Math.max(pace, FASTEST_MS_PER_KM), SLOWEST_MS_PER_KM);
}

/** The race of one runner. */
type Race = {
  passings: { point: string; atMs: number }[];
  reports: Report[];
  outcome: Outcome;
};

const START = 'Start';
const FINISH = 'Finish';
const pointAt = (km: number): string => `Km ${km}`;

/** The last kilometre has no mat before the finish. */
const splitKms = (courseKm: number): number[] =>
  Array.from(
    { length: Math.floor((courseKm - 1) / SPLIT_EVERY_KM) },
    (_, index) => (index + 1) * SPLIT_EVERY_KM,
  );

function run(starter: Starter, fate: Fate, random: () => number): Race {
  const { entrant, gunAtMs, toStartLineMs } = starter;
  const startedAtMs = gunAtMs + toStartLineMs;
  const minutes = (least: number, most: number) =>
    Math.round((least + (most - least) * random()) * MINUTE_MS);

  if (fate === 'did not start') {
    const dns = outcomeOf(entrant, 'DNS');
    return { passings: [], reports: [report(gunAtMs + minutes(8, 12), dns)], outcome: dns };
  }

  const marks = passMarks(starter, random);
  const chipTimeMs = marks.at(-1)?.timeMs ?? 0;
  const passedAt = (passed: readonly Mark[]) => [
    { point: START, atMs: startedAtMs },
    ...passed.map(({ point, timeMs }) => ({ point, atMs: startedAtMs + timeMs })),
  ];

  if (fate === 'did not finish') {
    const passed = marks.slice(0, Math.floor(random() * marks.length));
    const dnf = outcomeOf(entrant, 'DNF', passed);
    const atMs = startedAtMs + (passed.at(-1)?.timeMs ?? 0) + minutes(5, 25);
    return { passings: passedAt(passed), reports: [report(atMs, dnf)], outcome: dnf };
  }

  const splits = marks.slice(0, -1);
  const finished: Outcome = {
    ...outcomeOf(entrant, 'FINISHED', splits),
    chipTimeMs,
    gunTimeMs: toStartLineMs + chipTimeMs,
  };
  const atMs = startedAtMs + chipTimeMs;
  const race = { passings: passedAt(marks), outcome: finished };
  const arrival = report(atMs, finished);
  switch (fate) {
    case 'finished':
      return { ...race, reports: [arrival] };
    case 'read twice': {
      const again = report(atMs + Math.round(random() * SECOND_MS), finished);
      return { ...race, reports: [arrival, again] };
    }
    case 'bib misread': {
      const unknown = report(atMs, { ...finished, bib: `${entrant.bib}?` });
      return { ...race, reports: [unknown, report(atMs + minutes(1, 3), finished)] };
    }
    case 'chip time corrected': {
      const byTheGun = report(atMs, { ...finished, chipTimeMs: finished.gunTimeMs });
      return { ...race, reports: [byTheGun, report(atMs + minutes(2, 6), finished)] };
    }
    case 'disqualified': {
      const dsq = outcomeOf(entrant, 'DSQ', splits);
      const verdict = report(atMs + minutes(5, 15), dsq);
      return { ...race, reports: [arrival, verdict], outcome: dsq };
    }
  }
}

/** A passing after the start, in time since the start line. */
type Mark = { point: string; timeMs: number };

function passMarks({ km, paceMsPerKm }: Starter, random: () => number): Mark[] {
  const marks: Mark[] = [];
  let passedKm = 0;
  let timeMs = 0;
  const passes = (point: string, atKm: number) => {
    const fade = 1 + FADE * ((passedKm + atKm) / 2 / km - 0.5);
    const legMs = (atKm - passedKm) * paceMsPerKm * fade * (1 + LEG_SPREAD * normal(random));
    timeMs += Math.round(legMs);
    passedKm = atKm;
    marks.push({ point, timeMs });
  };
  for (const atKm of splitKms(km)) passes(pointAt(atKm), atKm);
  passes(FINISH, km);
  return marks;
}

const outcomeOf = (entrant: Entrant, status: ResultStatus, splits: Mark[] = []): Outcome => ({
  ...entrant,
  status,
  chipTimeMs: null,
  gunTimeMs: null,
  splitsMs: Object.fromEntries(splits.map(({ point, timeMs }) => [point, timeMs])),
});

const report = (atMs: number, outcome: Outcome): Report => ({ atMs, row: rowOf(outcome) });

function rowOf({ bib, status, chipTimeMs, gunTimeMs, splitsMs }: Outcome): ResultRow {
  const splits = Object.entries(splitsMs).map(([name, timeMs]) => [name, formatRaceTime(timeMs)]);
  return {
    bib_number: bib,
    status,
    ...(chipTimeMs !== null && { chip_time: formatRaceTime(chipTimeMs) }),
    ...(gunTimeMs !== null && { gun_time: formatRaceTime(gunTimeMs) }),
    splits: Object.fromEntries(splits),
  };
}

function timingPoints(races: readonly Race[], longestKm: number): TimingPoint[] {
  const passings = Map.groupBy(
    races.flatMap((race) => race.passings),
    ({ point }) => point,
  );
  return [START, ...splitKms(longestKm).map(pointAt), FINISH].map((name) => ({
    name,
    passingsMs: (passings.get(name) ?? []).map(({ atMs }) => atMs).sort((a, b) => a - b),
  }));
}
