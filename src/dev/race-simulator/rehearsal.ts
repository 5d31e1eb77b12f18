import { allOf } from '../../cli/queue/api.ts';
import {
  type ExportedPassing,
  RaceResultsClient,
  type Result,
  type ResultFailure,
} from '../../client/index.ts';
import { sleep } from '../../client/waiting.ts';
import { ROWS_PER_JSON_UPLOAD } from '../../worker/results/upload/schemas.ts';
import { differencesBetween, missingPassings } from './check.ts';
import { type Entrant, planRace, type RacePlan, type Report } from './plan.ts';

/** An upload holds the arrivals of this interval, as `uploadEventResults` recommends. */
const EVERY_MS = 2_000;
/** The most rows of the wrong upload, and their time. */
const WRONG_ROWS = 100;
const WRONG_TIME = '00:00:01.000';

export type RaceOptions = {
  /** The API's address. */
  origin: string;
  /** Needs the scopes participants:read, results:write and events:read. */
  apiKey: string;
  eventId: string;
  /** Seconds of the race clock in a real second. */
  speed: number;
  /** Equal seeds and registrations make equal races. */
  seed: number;
  /** The most registrations in the race. */
  runners: number;
  /** Ends the race after the upload under way. */
  signal?: AbortSignal | undefined;
  /** Receives the race so far, before the first upload and after each. */
  onProgress?: ((race: Rehearsal) => void) | undefined;
};

const COUNTS = ['uploaded', 'updated', 'duplicates', 'not_found', 'errors'] as const;

export type Rehearsal = {
  plan: RacePlan;
  /** The race clock at the last upload. */
  clockMs: number;
  uploads: number;
  /** The sums of the counts in the answers. */
  counts: Record<(typeof COUNTS)[number], number>;
  /** How many passings were sent. */
  passings: number;
  /** The rows that the API rejected. */
  rejections: string[];
  /** The wrong upload in the middle of the race, which was taken back. */
  mistake?: { rows: number; restored: number; removed: number; kept: number };
  /** Differences between the plan and the stored results, for a race played to its end. */
  differences: readonly string[];
  /** Why the race ended early: the signal's reason, or the API's refusal. */
  interruption?: unknown;
};

/** The names that the two crews send under. */
const [FINISH, COURSE] = ['Finish', 'Course'];

/**
 * Plays a synthetic race with the registrations of an event through the public API. The race replaces the
 * registrations' earlier results and passings.
 * @throws Error if the race cannot start. A race with an early end has an `interruption` instead
 */
export async function playRace(options: RaceOptions): Promise<Rehearsal> {
  const { eventId, signal, onProgress = () => {} } = options;
  const client = clientOf(options);
  // An empty upload before the start proves that the key may write.
  await client.uploadEventResults(eventId, { results: [] }, { signal });
  const plan = await planOf(client, options);
  await clearCourse(client, options);
  await tellStarts(client, options, plan);
  const race: Rehearsal = {
    plan,
    clockMs: 0,
    uploads: 0,
    counts: { uploaded: 0, updated: 0, duplicates: 0, not_found: 0, errors: 0 },
    passings: 0,
    rejections: [],
    differences: [],
  };
  onProgress(race);
  try {
    // The finish and the course send at once, as two crews do.
    await together(options.signal, (signal) => [
      pace(plan.reports, { ...options, signal }, async (reports, clockMs) => {
        const results = reports.map(({ row }) => row);
        const {
          failed,
          left: _,
          ...answer
        } = await client.uploadEventResults(eventId, { results }, { sender: FINISH });
        race.clockMs = Math.min(clockMs, plan.endsAtMs);
        race.uploads += 1;
        for (const name of COUNTS) race.counts[name] += answer[name];
        reject(race, failed);
        if (clockMs >= plan.endsAtMs / 2) {
          race.mistake ??= await makeMistake(client, eventId, [...plan.finalRows.keys()]);
        }
        onProgress(race);
      }),
      pace(plan.passings, { ...options, signal }, async (reports) => {
        const passings = reports.map(({ row }) => row);
        const { failed } = await client.uploadEventPassings(
          eventId,
          { passings },
          { sender: COURSE },
        );
        race.passings += passings.length;
        reject(race, failed);
      }),
    ]);
    race.differences = [
      ...differencesBetween(plan, await resultsOf(client, options)),
      ...missingPassings(plan, await passingsOf(client, options)),
    ];
  } catch (error) {
    race.interruption = error;
  }
  return race;
}

const reject = ({ rejections }: Rehearsal, failed: readonly ResultFailure[]) =>
  rejections.push(...failed.map(({ bib_number, reason }) => `bib ${bib_number}: ${reason}`));

export const clientOf = ({ origin, apiKey }: RaceOptions): RaceResultsClient =>
  new RaceResultsClient({ baseUrl: origin, apiKey });

/**
 * Plans a race of the registrations of an event.
 * @throws Error if no paid registration has a bib
 */
export async function planOf(
  client: RaceResultsClient,
  { eventId, runners, seed, signal }: RaceOptions,
): Promise<RacePlan> {
  const entrants: Entrant[] = [];
  for await (const participant of client.listEventParticipants(eventId, {}, { signal })) {
    const { bib_number: bib, distance } = participant;
    if (bib !== null) entrants.push({ bib, distance });
    if (entrants.length === runners) break;
  }
  if (entrants.length > 0) return planRace(entrants, seed);
  throw new Error(`No paid registration of the event ${eventId} has a bib. Nobody can start.`);
}

/**
 * Delivers the reports of a race when due, a delivery at a time, so that no row of a bib overtakes another row. A slow
 * delivery makes the next delivery larger.
 * @throws the signal's reason, or the error of `deliver`
 */
export async function pace<Row>(
  reports: readonly Report<Row>[],
  { speed, signal }: Pick<RaceOptions, 'speed' | 'signal'>,
  deliver: (due: readonly Report<Row>[], clockMs: number) => Promise<void>,
): Promise<void> {
  const startedAtMs = performance.now();
  for (let delivered = 0; delivered < reports.length; ) {
    await sleep(EVERY_MS, signal);
    const clockMs = (performance.now() - startedAtMs) * speed;
    const due = reports
      .slice(delivered, delivered + ROWS_PER_JSON_UPLOAD)
      .filter(({ atMs }) => atMs <= clockMs);
    if (due.length > 0) await deliver(due, clockMs);
    delivered += due.length;
  }
}

/** All results of an event. */
export const resultsOf = (
  client: RaceResultsClient,
  { eventId, signal }: RaceOptions,
): Promise<Result[]> => allOf(client.listEventResults(eventId, {}, { signal }));

/** Deletes every point of an earlier race: the old passings would complete the splits of this race. */
export async function clearCourse(
  client: RaceResultsClient,
  { eventId, signal }: RaceOptions,
): Promise<void> {
  const points = await allOf(client.listEventPassingPoints(eventId, {}, { signal }));
  for (const { point } of points) await client.deleteEventPassings(eventId, point, { signal });
}

/**
 * Sends the starts of a race that begins now. At speed 1, the times of day are true. A faster race has its guns earlier:
 * else its times of day would be ahead of the server's clock.
 */
export async function tellStarts(
  client: RaceResultsClient,
  { eventId, speed, signal }: RaceOptions,
  { starts, endsAtMs }: RacePlan,
): Promise<void> {
  const { version } = await client.getEventStarts(eventId, { signal });
  const beganMs = Date.now() - endsAtMs * (1 - 1 / speed);
  const told = starts.map(({ gunAtMs, ...start }) => ({
    ...start,
    starts_at: new Date(beganMs + gunAtMs).toISOString(),
  }));
  await client.putEventStarts(eventId, { version, starts: told }, { signal });
}

const passingsOf = (
  client: RaceResultsClient,
  { eventId, signal }: RaceOptions,
): Promise<ExportedPassing[]> => allOf(client.exportEventPassings(eventId, {}, { signal }));

/** Waits for all. The first failure ends the rest. */
async function together(
  outer: AbortSignal | undefined,
  start: (signal: AbortSignal) => Promise<void>[],
): Promise<void> {
  const end = new AbortController();
  const all = start(AbortSignal.any([end.signal, outer ?? end.signal]));
  try {
    await Promise.all(all);
  } finally {
    end.abort();
    await Promise.allSettled(all);
  }
}

/** Uploads a wrong time for some bibs, and takes the upload back. */
async function makeMistake(client: RaceResultsClient, eventId: string, all: readonly string[]) {
  const results = all
    .slice(0, WRONG_ROWS)
    .map((bib_number) => ({ bib_number, chip_time: WRONG_TIME }));
  const wrong = await client.uploadEventResults(eventId, { results }, { sender: FINISH });
  const { restored, removed, kept } = await client.revertResultBatch(eventId, wrong.batch_id);
  return { rows: results.length, restored, removed, kept };
}
