import { FileError } from '../read/file-error.ts';
import { formatRaceTimeOrNull } from '../read/race-time.ts';
import { type ReasonCode, RowError } from '../read/reason-codes.ts';
import { judge, type Result } from '../read/result.ts';
import type { ResultStatus } from '../read/result-status.ts';
import type { FileRow } from '../read/results-file.ts';
import { copiedBib, createMeasures } from './measures.ts';

/** How many rows, and how many failures, a preview shows. */
export const FAILURES_SHOWN = 10;

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

/** Counts and samples from reading a file, in bounded memory. */
export type Tally = ReturnType<typeof emptyTally>;

const emptyTally = () => ({
  measures: createMeasures(),
  total: 0,
  errors: 0,
  /** Rows that a later row of the same bib replaces. */
  duplicates: 0,
  statuses: { FINISHED: 0, DNS: 0, DNF: 0, DSQ: 0 },
  shown: [] as PreviewRow[],
  failed: [] as PreviewFailure[],
  lastRow: undefined as { row: number; width: number } | undefined,
});

/** @throws FileError if the file cannot be read, except for a missing column or row: that error is returned */
export async function tallyRows(
  blocks: Iterable<FileRow[]>,
  pause: () => Promise<void>,
): Promise<Tally | FileError> {
  const tally = emptyTally();
  const bibs = new Set<string>();
  try {
    for (const rows of blocks) {
      for (const row of rows) addRow(tally, bibs, row);
      await pause();
    }
    return tally;
  } catch (error) {
    if (error instanceof FileError && error.lack !== undefined) return error;
    throw error;
  }
}

function addRow(tally: Tally, bibs: Set<string>, row: FileRow): void {
  tally.total += 1;
  tally.lastRow = { row: row.row, width: row.cells.length };
  try {
    const result = judge(row.claim());
    tally.measures.load(row.row, result);
    tally.statuses[result.status] += 1;
    if (bibs.has(result.bib)) tally.duplicates += 1;
    else bibs.add(copiedBib(result.bib));
    if (tally.shown.length < FAILURES_SHOWN) tally.shown.push(shownOf(row, result));
  } catch (error) {
    if (!(error instanceof RowError)) throw error;
    tally.errors += 1;
    tally.measures.fail(row.row, error);
    if (tally.failed.length < FAILURES_SHOWN) tally.failed.push(failureOf(row, error));
  }
}

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
