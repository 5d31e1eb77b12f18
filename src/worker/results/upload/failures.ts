import { RowError } from '../../../timing-files/read/reason-codes.ts';
import type { SentRow } from '../../../timing-files/read/result.ts';

/** The characters of the reasons that are kept. Rows that fail keep no values, so they take no more memory than others. */
const REASONS_LENGTH_MAX = 8 * 1_024 * 1_024;

/**
 * Why rows fail. The reasons are kept until they are answered, because a row that fails takes longer to understand than
 * one that is stored. Rows behind the last reason that fits into memory are judged again.
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
    /** Adds a row behind all others. */
    add(row: number, { message, code }: RowError): void {
      count += 1;
      room -= message.length;
      if (room < 0) return;
      reasons.set(row, new RowError(message, code));
      lastRow = row;
    },
    /** Why a row cannot be stored; undefined if it can be. */
    of(sent: Row): RowError | undefined {
      if (sent.row <= lastRow || count === reasons.size) return reasons.get(sent.row);
      const judged = judge(sent);
      return judged instanceof RowError ? judged : undefined;
    },
  };
}
