import { lengthKm } from '../../timing-files/read/distance.ts';
import { formatRaceTime } from '../../timing-files/read/race-time.ts';
import type { ResultStatus } from '../../timing-files/read/result-status.ts';
import { bibNumberOf, type Start, startOf } from '../../timing-files/read/starts.ts';
import { normal, randomOf } from './random.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** A registration with a bib, whose runner takes part. */
export type Entrant = { bib: string; distance: string | null };

/** A row of an upload, in the API's form (contract section 2, ResultIn). */
export type ResultRow = {
  bib_number: string;
  chip_time?: string;
  gun_time?: string;
  status: ResultStatus;
  splits: Record<string, string>;
};

/** A row from the timing crew, with its time on the race clock. */
export type Report<Row = ResultRow> = { atMs: number; row: Row };

/** A runner at a mat on the course, in the API's form. The time is since the gun. */
type PassingRow = { bib_number: string; point: string; time: string };

/** A start of the race, in the API's form, with the time of its gun on the race clock. */
type PlannedStart = Pick<Start, 'name' | 'distance' | 'bib_from' | 'bib_to'> & { gunAtMs: number };

/** A whole race. The race clock starts with the first gun. */
export type RacePlan = {
  entrants: readonly Entrant[];
  /** A gun for each distance, and a gun for a wave of the longest distance. */
  starts: readonly PlannedStart[];
  /** In order of time. A result has the runner's splits too, for a finish without passings. */
  reports: readonly Report[];
  /** The rows from the mats on the course, in order of time. */
  passings: readonly Report<PassingRow>[];
  /** The last row of each entrant, after every correction. */
  finalRows: ReadonlyMap<string, ResultRow>;
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
  // The crew could not read the bib. The crew sends an unknown bib first and the right bib later.
  ['bib misread', 1],
  ['read twice', 2],
] as const;
const EVENTFUL = FATES.flatMap(([fate, percent]) => Array<typeof fate>(percent).fill(fate));

const HALF_MARATHON_KM = 21.0975;
const SPLIT_EVERY_KM = 5;

/** From the last starter of a gun to the next gun. */
const WAVE_GAP_MS = 2 * MINUTE_MS;
/** Five runners a second cross the start line. */
const START_INTERVAL_MS = 200;

/** Paces of half marathons. The logarithm of a pace is close to normal. */
const MEDIAN_PACE_MS_PER_KM = 345 * SECOND_MS;
const PACE_SPREAD = 0.16;
const FASTEST_MS_PER_KM = 180 * SECOND_MS;
const SLOWEST_MS_PER_KM = 520 * SECOND_MS;
/** Paces slow down with the length of the course (Riegel's exponent minus 1). */
const ENDURANCE = 0.06;
const LEG_SPREAD = 0.02;

/** So many entrants with bibs from 1. The distances take turns. */
export const entrantsOf = (count: number, ...distances: readonly string[]): Entrant[] =>
  Array.from({ length: count }, (_, index) => ({
    bib: String(index + 1),
    distance: distances[index % distances.length] ?? null,
  }));

/** Plans a race. Equal entrants and seeds give equal races. */
export function planRace(entrants: readonly Entrant[], seed: number): RacePlan {
  const random = randomOf(seed);
  const passings: Report<PassingRow>[] = [];
  const starts = planStarts(entrants);
  const reports = callToStart(entrants, starts, random)
    .flatMap((starter) => reportsOf(starter, random, passings))
    .sort(byTime);
  const bibs = new Set(entrants.map(({ bib }) => bib));
  const rows = reports.map(({ row }) => row).filter(({ bib_number }) => bibs.has(bib_number));
  return {
    entrants,
    starts,
    reports,
    passings: passings.sort(byTime),
    finalRows: new Map(rows.map((row) => [row.bib_number, row])),
    endsAtMs: reports.at(-1)?.atMs ?? 0,
  };
}

const byTime = (one: { atMs: number }, other: { atMs: number }) => one.atMs - other.atMs;

/** Kilometres of a course with this name, such as `10K`. A name without a length is a half marathon. */
export const courseKm = (distance: string | null): number =>
  lengthKm(distance ?? '') ?? HALF_MARATHON_KM;

type Starter = {
  bib: string;
  km: number;
  paceMsPerKm: number;
  /** The gun of the wave, on the race clock. */
  gunAtMs: number;
  /** From the gun to the start line. */
  toStartLineMs: number;
};

/**
 * Plans the guns: the longest distance first. The later half of its bibs is a separate wave, if all its bibs are
 * numbers.
 */
function planStarts(entrants: readonly Entrant[]): PlannedStart[] {
  const claims = [...Map.groupBy(entrants, ({ distance }) => distance)]
    .sort(([distance], [other]) => courseKm(other) - courseKm(distance))
    .flatMap(([distance, runners], at) => {
      const all = { name: distance ?? 'Start', distance, bib_from: null, bib_to: null };
      const bibs = runners.map(({ bib }) => bibNumberOf(bib) ?? Number.NaN).sort((a, b) => a - b);
      const [bib_from, bib_to] = [bibs[Math.ceil(bibs.length / 2)], bibs.at(-1)];
      const isWhole = at === 0 && !bibs.some(Number.isNaN);
      return isWhole && bib_from !== undefined && bib_to !== undefined
        ? [all, { name: `${all.name} B`, distance, bib_from, bib_to }]
        : [all];
    });
  let gunAtMs = 0;
  return claims.map((claim) => {
    const start = { ...claim, gunAtMs };
    const size = entrants.filter((entrant) => startOf(claims, entrant) === claim).length;
    gunAtMs += size * START_INTERVAL_MS + WAVE_GAP_MS;
    return start;
  });
}

/** Lines the runners of each start up, fast runners first. */
function callToStart(
  entrants: readonly Entrant[],
  starts: readonly PlannedStart[],
  random: () => number,
): Starter[] {
  const drawn = entrants.map(({ bib, distance }) => {
    const km = courseKm(distance);
    const gunAtMs = startOf(starts, { bib, distance })?.gunAtMs ?? 0;
    return { bib, km, gunAtMs, paceMsPerKm: drawPace(km, random) };
  });
  return [...Map.groupBy(drawn, ({ gunAtMs }) => gunAtMs).values()].flatMap((runners) =>
    runners
      .sort((a, b) => a.paceMsPerKm - b.paceMsPerKm)
      .map((runner, place) => ({
        ...runner,
        toStartLineMs: Math.round((place + random()) * START_INTERVAL_MS),
      })),
  );
}

function drawPace(km: number, random: () => number): number {
  const median = MEDIAN_PACE_MS_PER_KM * (km / HALF_MARATHON_KM) ** ENDURANCE;
  const pace = median * Math.exp(PACE_SPREAD * normal(random));
  return Math.min(Math.max(pace, FASTEST_MS_PER_KM), SLOWEST_MS_PER_KM);
}

/** The crew's rows about a runner. @param passings takes the rows from the mats */
function reportsOf(
  starter: Starter,
  random: () => number,
  passings: Report<PassingRow>[],
): Report[] {
  const { bib, gunAtMs, toStartLineMs } = starter;
  const fate = EVENTFUL[Math.floor(random() * 100)];
  const minutes = (least: number, most: number) =>
    Math.round((least + (most - least) * random()) * MINUTE_MS);
  if (fate === 'did not start') {
    const row: ResultRow = { bib_number: bib, status: 'DNS', splits: {} };
    return [{ atMs: gunAtMs + minutes(8, 12), row }];
  }
  const { marks, chipTimeMs } = passMarks(starter, random);
  const startedAtMs = gunAtMs + toStartLineMs;
  const pass = ({ name: point, timeMs }: Mark) => {
    const row = { bib_number: bib, point, time: formatRaceTime(toStartLineMs + timeMs) };
    passings.push({ atMs: startedAtMs + timeMs, row });
  };
  if (fate === 'did not finish') {
    const passed = marks.slice(0, Math.floor(random() * (marks.length + 1)));
    passed.forEach(pass);
    const atMs = startedAtMs + (passed.at(-1)?.timeMs ?? 0) + minutes(5, 25);
    return [{ atMs, row: { bib_number: bib, status: 'DNF', splits: splitsOf(passed) } }];
  }
  marks.forEach(pass);
  const atMs = startedAtMs + chipTimeMs;
  const splits = splitsOf(marks);
  const gun_time = formatRaceTime(toStartLineMs + chipTimeMs);
  const chip_time = formatRaceTime(chipTimeMs);
  const row: ResultRow = { bib_number: bib, status: 'FINISHED', chip_time, gun_time, splits };
  const arrival = { atMs, row };
  switch (fate) {
    case 'read twice':
      return [arrival, { atMs: atMs + Math.round(random() * SECOND_MS), row }];
    case 'bib misread': {
      const unknown = { ...row, bib_number: `${bib}?` };
      return [
        { atMs, row: unknown },
        { atMs: atMs + minutes(1, 3), row },
      ];
    }
    case 'chip time corrected':
      return [
        { atMs, row: { ...row, chip_time: gun_time } },
        { atMs: atMs + minutes(2, 6), row },
      ];
    case 'disqualified': {
      const verdict: ResultRow = { bib_number: bib, status: 'DSQ', splits };
      return [arrival, { atMs: atMs + minutes(5, 15), row: verdict }];
    }
    default:
      return [arrival];
  }
}

/** A passing of a mat on the course, in time since the start line. */
type Mark = { name: string; timeMs: number };

function passMarks({ km, paceMsPerKm }: Starter, random: () => number) {
  let timeMs = 0;
  const run = (legKm: number) => {
    timeMs += Math.round(legKm * paceMsPerKm * (1 + LEG_SPREAD * normal(random)));
  };
  const marks: Mark[] = [];
  // The last kilometre has no mat before the finish.
  const mats = Math.floor((km - 1) / SPLIT_EVERY_KM);
  for (let mat = 1; mat <= mats; mat++) {
    run(SPLIT_EVERY_KM);
    marks.push({ name: `Km ${mat * SPLIT_EVERY_KM}`, timeMs });
  }
  run(km - mats * SPLIT_EVERY_KM);
  return { marks, chipTimeMs: timeMs };
}

const splitsOf = (marks: readonly Mark[]): Record<string, string> =>
  Object.fromEntries(marks.map(({ name, timeMs }) => [name, formatRaceTime(timeMs)]));
