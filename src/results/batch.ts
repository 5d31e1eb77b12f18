import type { Result } from './judge.ts';

/** A row as it was sent: where it stood, and a way to show it again. */
export type SentRow = {
  /** Line of the file, or position in the array from 1 on. */
  row: number;
  /** What was sent in the row; undefined where that was no object. */
  echo: () => Record<string, unknown> | undefined;
};

export type LoadableRow = SentRow & { result: Result };
export type FailedRow = SentRow & { bib: string | null; reason: string };

/** The rows of one upload, sorted into the counts that they will be answered with. */
export type Batch = {
  id: string;
  total: number;
  /** The last valid row of each bib, in row order. */
  loadable: LoadableRow[];
  failed: FailedRow[];
  duplicates: number;
};

export function createBatchBuilder() {
  // A bib that comes again moves to the end: what is left is each bib's last row, in row order.
  const byBib = new Map<string, LoadableRow>();
  const failed: FailedRow[] = [];
  let total = 0;
  let duplicates = 0;
  return {
    load(row: LoadableRow) {
      total += 1;
      if (byBib.delete(row.result.bib)) duplicates += 1;
      byBib.set(row.result.bib, row);
    },
    fail(row: FailedRow) {
      total += 1;
      failed.push(row);
    },
    get total() {
      return total;
    },
    finish: (): Batch => ({
      id: crypto.randomUUID(),
      total,
      loadable: [...byBib.values()],
      failed,
      duplicates,
    }),
  };
}

export type BatchBuilder = ReturnType<typeof createBatchBuilder>;
