import { setTimeout as sleep } from 'node:timers/promises';
import type { ResultsUploadOut } from '../../client/types.ts';
import { ROWS_PER_JSON_UPLOAD } from '../../worker/results/upload/schemas.ts';
import type { RacePlan, ResultRow } from './plan.ts';

/** An upload holds the arrivals of this interval, as `uploadEventResults` recommends. */
const GROUPING_MS = 2_000;
const BETWEEN_PROGRESS_MS = 5_000;

/** A row that the API did not load. */
type Rejection = { bib: string | null; reason: string };

export type PlayedRace = {
  plan: RacePlan;
  /** The last row of each bib that the API has confirmed. */
  stored: ReadonlyMap<string, ResultRow>;
  /** The sums of the counts in the answers. */
  counts: UploadCounts;
  rejections: readonly Rejection[];
  uploads: number;
  /** The race clock at the end, and the real time that passed. */
  clockMs: number;
  elapsedMs: number;
  /** Why the race was not played to its end: the signal's reason, or the API's refusal. */
  interruption: unknown;
};

export type RaceProgress = Pick<PlayedRace, 'clockMs' | 'stored' | 'uploads'>;

type UploadCounts = Record<(typeof COUNTS)[number], number>;
const COUNTS = ['uploaded', 'updated', 'duplicates', 'not_found', 'errors'] as const;

/** Real time, or the time that a test controls. */
export type Time = {
  nowMs(): number;
  /** @throws if the signal comes first */
  sleep(ms: number, signal: AbortSignal): Promise<unknown>;
};

const REAL_TIME: Time = {
  nowMs: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
};

type Play = {
  plan: RacePlan;
  /** Seconds of the race clock in one real second. */
  speed: number;
  upload(rows: ResultRow[]): Promise<ResultsUploadOut>;
  /** Ends the race after the upload under way. */
  signal: AbortSignal;
  /** Receives the progress at the start, every five seconds, and at the end. */
  onProgress?: ((progress: RaceProgress) => void) | undefined;
  time?: Time;
};

/**
 * Plays a plan with one upload at a time, so that no row of a bib overtakes another. After a slow upload the next
 * one is larger.
 */
export async function play(options: Play): Promise<PlayedRace> {
  const { plan, speed, upload, signal, onProgress = () => {}, time = REAL_TIME } = options;
  const { reports, endsAtMs } = plan;
  const startedAtMs = time.nowMs();
  const clockMs = () => (time.nowMs() - startedAtMs) * speed;
  const race = {
    plan,
    stored: new Map<string, ResultRow>(),
    counts: { uploaded: 0, updated: 0, duplicates: 0, not_found: 0, errors: 0 },
    rejections: [] as Rejection[],
    uploads: 0,
    clockMs: 0,
  };
  const show = () => {
    race.clockMs = Math.min(clockMs(), endsAtMs);
    onProgress(race);
  };
  show();
  const ticker = setInterval(show, BETWEEN_PROGRESS_MS);
  let failure: unknown;
  try {
    for (let sent = 0, next = reports[0]; next; next = reports[sent]) {
      const dueAtMs = startedAtMs + next.atMs / speed + GROUPING_MS;
      await time.sleep(Math.max(0, dueAtMs - time.nowMs()), signal);
      const nowMs = clockMs();
      const rows = reports
        .slice(sent, sent + ROWS_PER_JSON_UPLOAD)
        .filter(({ atMs }) => atMs <= nowMs)
        .map(({ row }) => row);
      const { failed, ...answer } = await upload(rows);
      race.uploads += 1;
      for (const name of COUNTS) race.counts[name] += answer[name];
      race.rejections.push(...failed.map(({ bib_number: bib, reason }) => ({ bib, reason })));
      const places = new Set(failed.map(({ row }) => row));
      const loaded = rows.filter((_, index) => !places.has(index + 1));
      for (const row of loaded) race.stored.set(row.bib_number, row);
      sent += rows.length;
    }
  } catch (error) {
    failure = error;
  } finally {
    clearInterval(ticker);
    show();
  }
  return {
    ...race,
    elapsedMs: time.nowMs() - startedAtMs,
    interruption: signal.aborted ? signal.reason : failure,
  };
}
