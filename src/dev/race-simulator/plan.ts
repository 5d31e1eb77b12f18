import { formatRaceTime } from '../../timing-files/race-time.ts';
import type { ResultStatus } from '../../timing-files/result-status.ts';
import { normal, randomOf, shuffled } from './random.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** Who takes part: a registration with a bib. */
export type Entrant = { bib: string; distance: string | null; category: string | null };

/** A row of an upload, as the API takes it (contract section 2, ResultIn). */
export type ResultRow = {
  bib_number: string;
  chip_time?: string;
  gun_time?: string;
  status: ResultStatus;
  splits: Record<string, string>;
};

/** What the crew of a timing point tells the API, and at which time of the race clock. */
export type Report = { atMs: number; row: ResultRow };

/**
 * A mat on the course. The API holds one result a bib, which is FINISHED with a time or has ended
 * otherwise: whoever is still running has none yet. So a passing is seen by the crew alone, and its
 * time travels as a split of the row that tells how the runner's race ended. All rows of a bib are
 * told by one point, hence in order.
 */
export type TimingPoint = {
  name: string;
  /** When each runner passed, in order. */
  passingsMs: readonly number[];
  /** In order of time. */
  reports: readonly Report[];
};

/** How a race ends for somebody, once every correction is in. */
export type Outcome = Entrant & {
  status: ResultStatus;
  /** From the start line to the finish, and from the gun of the wave; null unless FINISHED. */
  chipTimeMs: number | null;
  gunTimeMs: number | null;
  splitsMs: Readonly<Record<string, number>>;
};

/** A whole race. Its clock starts with the first gun. */
export type RacePlan = {
  /** In the order in which they are passed: the start, each five kilometres, the finish. */
  points: readonly TimingPoint[];
  outcomes: readonly Outcome[];
  /** When the last report is due. */
  endsAtMs: number;
};

/** What may befall a runner other than a plain finish, and how many of a hundred it does. */
const FATES = [
  ['did not start', 4],
  ['did not finish', 3],
  ['disqualified', 1],
  // The mat at the start missed the chip: timed by the gun until its start is found.
  ['chip time corrected', 1],
  // A bib noted in doubt, which names nobody until it is read again.
  ['bib misread', 1],
  ['read twice', 2],
] as const;
type Fate = 'finished' | (typeof FATES)[number][0];

/** In a race of this many or more, every fate befalls somebody; in a smaller one all finish. */
export const SMALLEST_EVENTFUL_RACE = 20;

const HALF_MARATHON_KM = 21.0975;
const EXACT_KM = new Map([
  [21, HALF_MARATHON_KM],
  [42, 42.195],
]);
const SPLIT_EVERY_KM = 5;

const WAVES = 3;
/** Between the last starter of a wave and the gun of the next one. */
const WAVE_GAP_MS = 2 * MINUTE_MS;
/** Five a second pass the mat at the start. */
const START_INTERVAL_MS = 200;

/** Of half marathons; the logarithm of a pace is close to normal. */
const MEDIAN_PACE_MS_PER_KM = 345 * SECOND_MS;
const PACE_SPREAD = 0.16;
const FASTEST_MS_PER_KM = 180 * SECOND_MS;
const SLOWEST_MS_PER_KM = 520 * SECOND_MS;
/** How much slower a longer course is run (Riegel's exponent, less one). */
const ENDURANCE = 0.06;
/** How much slower the last kilometre is than the first. */
const FADE = 0.08;
const LEG_SPREAD = 0.02;

/** The same race for the same entrants and seed, always. */
export function planRace(entrants: readonly Entrant[], seed: number): RacePlan {
  const random = randomOf(seed);
  const fates = dealFates(entrants.length, random);
  const starters = callToStart(entrants, random);
  const races = starters.map((starter, index) => run(starter, fates[index] ?? 'finished', random));
  const points = timingPoints(races, starters[0]?.km ?? 0);
  const ends = points.map(({ reports }) => reports.at(-1)?.atMs ?? 0);
  return { points, outcomes: races.map(({ outcome }) => outcome), endsAtMs: Math.max(0, ...ends) };
}

/** Kilometres of a course by its name, such as `10K`; a half marathon where it has no number. */
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
  /** The gun of the wave, and how long after it the start line is crossed. */
  gunAtMs: number;
  toStartLineMs: number;
};

/** The longest course first, each in waves, the fast ones ahead. */
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

/** One runner's race: where they passed, what is told of them by which point, how it ended. */
type Race = {
  passings: { point: string; atMs: number }[];
  point: string;
  reports: Report[];
  outcome: Outcome;
};

const START = 'Start';
const FINISH = 'Finish';
const pointAt = (km: number): string => `Km ${km}`;

/** No mat within the last kilometre: the finish is in sight. */
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
    return {
      passings: [],
      point: START,
      reports: told(gunAtMs + minutes(8, 12), dns),
      outcome: dns,
    };
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
    const { point, timeMs } = passed.at(-1) ?? { point: START, timeMs: 0 };
    const atMs = startedAtMs + timeMs + minutes(5, 25);
    return { passings: passedAt(passed), point, reports: told(atMs, dnf), outcome: dnf };
  }

  const splits = marks.slice(0, -1);
  const finished: Outcome = {
    ...outcomeOf(entrant, 'FINISHED', splits),
    chipTimeMs,
    gunTimeMs: toStartLineMs + chipTimeMs,
  };
  const atMs = startedAtMs + chipTimeMs;
  const race = { passings: passedAt(marks), point: FINISH, outcome: finished };
  switch (fate) {
    case 'finished':
      return { ...race, reports: told(atMs, finished) };
    case 'read twice': {
      const again = told(atMs + Math.round(random() * SECOND_MS), finished);
      return { ...race, reports: [...told(atMs, finished), ...again] };
    }
    case 'bib misread': {
      const doubtful = told(atMs, { ...finished, bib: `${entrant.bib}?` });
      return { ...race, reports: [...doubtful, ...told(atMs + minutes(1, 3), finished)] };
    }
    case 'chip time corrected': {
      const byTheGun = told(atMs, { ...finished, chipTimeMs: finished.gunTimeMs });
      return { ...race, reports: [...byTheGun, ...told(atMs + minutes(2, 6), finished)] };
    }
    case 'disqualified': {
      const dsq = outcomeOf(entrant, 'DSQ', splits);
      const verdict = told(atMs + minutes(5, 15), dsq);
      return { ...race, reports: [...told(atMs, finished), ...verdict], outcome: dsq };
    }
  }
}

/** Where a runner is timed after the start, and how long after crossing its line. */
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

const told = (atMs: number, outcome: Outcome): Report[] => [{ atMs, row: rowOf(outcome) }];

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
  const tellers = Map.groupBy(races, ({ point }) => point);
  const inTime = (a: { atMs: number }, b: { atMs: number }) => a.atMs - b.atMs;
  return [START, ...splitKms(longestKm).map(pointAt), FINISH].map((name) => ({
    name,
    passingsMs: (passings.get(name) ?? []).sort(inTime).map(({ atMs }) => atMs),
    reports: (tellers.get(name) ?? []).flatMap(({ reports }) => reports).sort(inTime),
  }));
}
