import { setTimeout as sleep } from 'node:timers/promises';
import type { ResultStatus } from '../../timing-files/result-status.ts';
import type { ResultsUploadOut } from '../../worker/results/upload/answer-schemas.ts';
import { ROWS_PER_JSON_UPLOAD } from '../../worker/results/upload/schemas.ts';
import type { RacePlan, Report, ResultRow } from './plan.ts';

/** A timing point uploads the arrivals of this interval together, as `uploadEventResults` recommends. */
const GROUPING_MS = 2_000;
/** At most 100 uploads a minute. The rate limit of a key is 120 requests a minute. */
const BETWEEN_UPLOADS_MS = 600;
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
export type Rejection = { point: string; bib: string | null; reason: string };

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
  /** @throws the signal's reason when it comes first */
  sleep(ms: number, signal: AbortSignal): Promise<unknown>;
};

const REAL_TIME: Time = {
  nowMs: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
};

type Play = {
  plan: RacePlan;
  /** Seconds of the race clock in one of ours. */
  speed: number;
  upload(rows: ResultRow[]): Promise<ResultsUploadOut>;
  /** Ends the race after the uploads under way. */
  signal: AbortSignal;
  onProgress?: ((progress: RaceProgress) => void) | undefined;
  time?: Time;
};

/**
 * Plays a plan. Each timing point uploads its latest arrivals, one upload at a time, so that no row of a
 * bib overtakes another. The points take turns. After a slow upload the next one is larger.
 */
export async function play(options: Play): Promise<PlayedRace> {
  const { plan, speed, upload, signal, onProgress, time = REAL_TIME } = options;
  const startedAtMs = time.nowMs();
  const clockMs = () => (time.nowMs() - startedAtMs) * speed;
  const shownMs = () => Math.min(clockMs(), plan.endsAtMs);
  const progress = trackProgress(plan);
  // A failure at one point ends the race.
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const sleepUntil = (atMs: number) => time.sleep(Math.max(0, atMs - time.nowMs()), stop);
  let nextTurnAtMs = startedAtMs;

  const takeTurn = async () => {
    const atMs = Math.max(time.nowMs(), nextTurnAtMs);
    nextTurnAtMs = atMs + BETWEEN_UPLOADS_MS;
    await sleepUntil(atMs);
  };

  const feed = async (point: string, reports: readonly Report[]) => {
    for (let told = 0, next = reports[0]; next; next = reports[told]) {
      await sleepUntil(startedAtMs + next.atMs / speed + GROUPING_MS);
      await takeTurn();
      const nowMs = clockMs();
      const due = reports.slice(told, told + ROWS_PER_JSON_UPLOAD);
      const rows = due.filter(({ atMs }) => atMs <= nowMs).map(({ row }) => row);
      progress.add(point, rows, await upload(rows));
      told += rows.length;
    }
  };

  const show = () => onProgress?.(progress.at(shownMs()));
  const ticker = setInterval(show, BETWEEN_PROGRESS_MS);
  try {
    await Promise.all(
      plan.points.map(({ name, reports }) =>
        feed(name, reports).catch((error: unknown) => failed.abort(error)),
      ),
    );
    show();
  } finally {
    clearInterval(ticker);
  }
  return {
    plan,
    ...progress.played(),
    clockMs: shownMs(),
    elapsedMs: time.nowMs() - startedAtMs,
    interruption: stop.reason,
  };
}

function trackProgress(plan: RacePlan) {
  const stored = new Map<string, ResultRow>();
  const counts: UploadCounts = { uploaded: 0, updated: 0, duplicates: 0, not_found: 0, errors: 0 };
  const rejections: Rejection[] = [];
  let lastArrivals: ResultRow[] = [];
  let uploads = 0;

  return {
    add(point: string, rows: readonly ResultRow[], answer: ResultsUploadOut) {
      uploads += 1;
      for (const name of COUNTS) counts[name] += answer[name];
      for (const { bib_number, reason } of answer.failed) {
        rejections.push({ point, bib: bib_number, reason });
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
