import { setTimeout as sleep } from 'node:timers/promises';
import type { ResultsUploadOut } from '../../client/types.ts';
import type { ResultStatus } from '../../timing-files/read/result-status.ts';
import { ROWS_PER_JSON_UPLOAD } from '../../worker/results/upload/schemas.ts';
import type { RacePlan, ResultRow } from './plan.ts';

/** An upload holds the arrivals of this interval, as `uploadEventResults` recommends. */
const GROUPING_MS = 2_000;
const BETWEEN_PROGRESS_MS = 200;
const LAST_ARRIVALS = 4;

/** The progress of a running race. */
export type RaceProgress = {
  /** The race clock now, and at the last report. */
  clockMs: number;
  endsAtMs: number;
  /** The number of runners that have passed each point. */
  passed: readonly { point: string; count: number }[];
  /** Bibs whose result the API has stored, by its status. */
  stored: Readonly<Record<ResultStatus, number>>;
  /** The finishers stored last, the newest first. */
  lastArrivals: readonly ResultRow[];
  uploads: number;
};

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
  onProgress?: ((progress: RaceProgress) => void) | undefined;
  time?: Time;
};

/**
 * Plays a plan with one upload at a time, so that no row of a bib overtakes another. After a slow upload the next
 * one is larger.
 */
export async function play(options: Play): Promise<PlayedRace> {
  const { plan, speed, upload, signal, onProgress, time = REAL_TIME } = options;
  const { reports } = plan;
  const startedAtMs = time.nowMs();
  const clockMs = () => (time.nowMs() - startedAtMs) * speed;
  const shownMs = () => Math.min(clockMs(), plan.endsAtMs);
  const progress = trackProgress(plan);
  const show = () => onProgress?.(progress.at(shownMs()));
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
      progress.add(rows, await upload(rows));
      sent += rows.length;
    }
    show();
  } catch (error) {
    failure = error;
  } finally {
    clearInterval(ticker);
  }
  return {
    plan,
    ...progress.played(),
    clockMs: shownMs(),
    elapsedMs: time.nowMs() - startedAtMs,
    interruption: signal.aborted ? signal.reason : failure,
  };
}

function trackProgress(plan: RacePlan) {
  const stored = new Map<string, ResultRow>();
  const counts: UploadCounts = { uploaded: 0, updated: 0, duplicates: 0, not_found: 0, errors: 0 };
  const rejections: Rejection[] = [];
  let lastArrivals: ResultRow[] = [];
  let uploads = 0;

  return {
    add(rows: readonly ResultRow[], answer: ResultsUploadOut) {
      uploads += 1;
      for (const name of COUNTS) counts[name] += answer[name];
      for (const { bib_number, reason } of answer.failed) {
        rejections.push({ bib: bib_number, reason });
      }
      const failed = new Set(answer.failed.map(({ row }) => row));
      const loaded = rows.filter((_, index) => !failed.has(index + 1));
      for (const row of loaded) stored.set(row.bib_number, row);
      const arrivals = loaded.filter(({ status }) => status === 'FINISHED').reverse();
      lastArrivals = [...arrivals, ...lastArrivals].slice(0, LAST_ARRIVALS);
    },

    at(clockMs: number): RaceProgress {
      const passed = plan.points.map(({ name, passingsMs }) => ({
        point: name,
        count: passingsMs.filter((atMs) => atMs <= clockMs).length,
      }));
      const { endsAtMs } = plan;
      const byStatus = countByStatus(stored.values());
      return { clockMs, endsAtMs, passed, stored: byStatus, lastArrivals, uploads };
    },

    played: () => ({ stored, counts, rejections, uploads }),
  };
}

export function countByStatus(rows: Iterable<ResultRow>): Record<ResultStatus, number> {
  const counts = { FINISHED: 0, DNF: 0, DNS: 0, DSQ: 0 };
  for (const { status } of rows) counts[status] += 1;
  return counts;
}
