import { FileError } from '../read/file-error.ts';
import { formatRaceTimeOrNull } from '../read/race-time.ts';
import { type ReasonCode, RowError } from '../read/reason-codes.ts';
import { judge, type Result } from '../read/result.ts';
import type { ResultStatus } from '../read/result-status.ts';
import type { FileRow } from '../read/results-file.ts';
import { cutTo } from '../read/text.ts';
import { ROWS_SHOWN } from './warning.ts';

/** How many rows, and how many failures, a preview shows. */
export const FAILURES_SHOWN = 10;
const WORD_LENGTH = 100;
const BIBS_LOOKED_AT = 2_000;

export type PreviewRow = {
  row: number;
  bib_number: string;
  status: ResultStatus;
  chip_time: string | null;
  gun_time: string | null;
  splits: Record<string, string | null>;
};

export type PreviewFailure = {
  row: number;
  bib_number: string | null;
  reason: string;
  reason_code: ReasonCode;
  item: Record<string, string>;
};

/** The number of some lines, and the first of them. */
export type Lines = { count: number; rows: number[] };

/** Counts and samples from reading a file, in bounded memory. */
export type Tally = ReturnType<typeof createTally>;

function createTally() {
  const bibs = new Set<string>();
  const tally = {
    total: 0,
    errors: 0,
    /** Rows that a later row of the same bib replaces. */
    duplicates: 0,
    statuses: { FINISHED: 0, DNS: 0, DNF: 0, DSQ: 0 },
    firstBibs: [] as string[],
    shown: [] as PreviewRow[],
    failed: [] as PreviewFailure[],
    reasons: new Map<ReasonCode, Lines>(),
    unknownStatuses: new Set<string>(),
    /** Finish times. */
    times: { count: 0, wholeMinutes: 0, leastMs: Number.POSITIVE_INFINITY, mostMs: 0 },
    leastSplitMs: Number.POSITIVE_INFINITY,
    overDay: lines(),
    zero: lines(),
    gunBelowChip: lines(),
    splitAfterFinish: lines(),
    splits: new Map<string, { firstMs: number; isSame: boolean; count: number }>(),
    lastRow: undefined as { line: number; width: number } | undefined,
  };

  function fail(row: FileRow, error: RowError): void {
    tally.errors += 1;
    const found = tally.reasons.get(error.code) ?? lines();
    add(found, row.row);
    tally.reasons.set(error.code, found);
    if (tally.failed.length < FAILURES_SHOWN) tally.failed.push(failureOf(row, error));
  }

  function load(row: FileRow, result: Result): void {
    tally.statuses[result.status] += 1;
    if (bibs.has(result.bib)) tally.duplicates += 1;
    else bibs.add(copiedBib(result.bib));
    if (tally.firstBibs.length < BIBS_LOOKED_AT) tally.firstBibs.push(copiedBib(result.bib));
    if (tally.shown.length < FAILURES_SHOWN) tally.shown.push(shownOf(row, result));
    const finishMs = result.chipTimeMs ?? result.gunTimeMs;
    if (finishMs !== null) measure(row, result, finishMs);
  }

  function measure({ row }: FileRow, result: Result, finishMs: number): void {
    const { times } = tally;
    times.count += 1;
    times.leastMs = Math.min(times.leastMs, finishMs);
    times.mostMs = Math.max(times.mostMs, finishMs);
    if (finishMs % 60_000 === 0) times.wholeMinutes += 1;
    if (finishMs > 86_400_000) add(tally.overDay, row);
    if (finishMs === 0) add(tally.zero, row);
    const { chipTimeMs, gunTimeMs } = result;
    if (chipTimeMs !== null && gunTimeMs !== null && gunTimeMs < chipTimeMs) {
      add(tally.gunBelowChip, row);
    }
    // A split may be counted from the gun, and so be later than the net time alone.
    const latestMs = Math.max(chipTimeMs ?? 0, gunTimeMs ?? 0);
    if (result.splitTimesMs.some((ms) => ms > latestMs)) add(tally.splitAfterFinish, row);
    for (const [at, ms] of result.splitTimesMs.entries())
      measureSplit(result.splitNames[at] ?? '', ms);
  }

  function measureSplit(name: string, ms: number): void {
    if (ms > 0) tally.leastSplitMs = Math.min(tally.leastSplitMs, ms);
    const split = tally.splits.get(name) ?? { firstMs: ms, isSame: true, count: 0 };
    split.count += 1;
    split.isSame &&= ms === split.firstMs;
    tally.splits.set(name, split);
  }

  return Object.assign(tally, {
    add(row: FileRow): void {
      tally.total += 1;
      tally.lastRow = { line: row.row, width: row.cells.length };
      try {
        load(row, judge(row.claim()));
      } catch (error) {
        if (!(error instanceof RowError)) throw error;
        if (error.code === 'invalid_status' && tally.unknownStatuses.size < FAILURES_SHOWN) {
          tally.unknownStatuses.add(copied(cutTo(WORD_LENGTH, error.found)));
        }
        fail(row, error);
      }
    },
    /** Ends the reading: no more rows are added. */
    close(): void {
      bibs.clear();
    },
  });
}

/** @throws FileError if the file cannot be read, except for a missing column or row: that error is returned */
export async function tallyRows(
  blocks: Iterable<FileRow[]>,
  pause: () => Promise<void>,
): Promise<Tally | FileError> {
  const tally = createTally();
  try {
    for (const rows of blocks) {
      for (const row of rows) tally.add(row);
      await pause();
    }
    tally.close();
    return tally;
  } catch (error) {
    if (error instanceof FileError && error.lack !== undefined) return error;
    throw error;
  }
}

const lines = (): Lines => ({ count: 0, rows: [] });

function add(found: Lines, row: number): void {
  found.count += 1;
  if (found.rows.length < ROWS_SHOWN) found.rows.push(row);
}

/** Copies texts. A cell is a view of the text around it, and would keep all of that in memory. */
const copied = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** V8 copies short texts anyway. */
const copiedBib = (bib: string): string => (bib.length > 12 ? copied(bib) : bib);

const shownOf = ({ row }: FileRow, result: Result): PreviewRow => ({
  row,
  bib_number: result.bib,
  status: result.status,
  chip_time: formatRaceTimeOrNull(result.chipTimeMs),
  gun_time: formatRaceTimeOrNull(result.gunTimeMs),
  splits: Object.fromEntries(
    result.splitNames.map((name, at) => [
      name,
      formatRaceTimeOrNull(result.splitTimesMs[at] ?? null),
    ]),
  ),
});

const failureOf = (row: FileRow, error: RowError): PreviewFailure => ({
  row: row.row,
  bib_number: row.bib(),
  reason: error.message,
  reason_code: error.code,
  item: row.echo(),
});
