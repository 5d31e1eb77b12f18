import { RowError } from '../../../timing-files/read/reason-codes.ts';
import type { SentRow } from '../../../timing-files/read/result.ts';

/**
 * The maximum of characters of kept reasons. Failing rows keep no values, so they take no more memory than stored rows.
 */
const REASONS_LENGTH_MAX = 8 * 1_024 * 1_024;

/**
 * Why rows fail. The reasons are kept for the answer, because understanding a failing row takes longer than storing a
 * good row. Rows behind the last reason in memory are judged again.
 */
export function createFailures<Row extends SentRow<unknown>>(judge: (sent: Row) => unknown) {
  const reasons = new Map<number, RowError>();
  let room = REASONS_LENGTH_MAX;
  let lastRow = 0;
  let count = 0;
  return {
    get count() {
      return count;
    },
    /** Adds a row after all earlier rows. */
    add(row: number, { message, code }: RowError): void {
      count += 1;
      room -= message.length;
      if (room < 0) return;
      reasons.set(row, new RowError(message, code));
      lastRow = row;
    },
    /** The reason against storing a row; undefined for a good row. */
    of(sent: Row): RowError | undefined {
      if (sent.row <= lastRow || count === reasons.size) return reasons.get(sent.row);
      const judged = judge(sent);
      return judged instanceof RowError ? judged : undefined;
    },
  };
}
