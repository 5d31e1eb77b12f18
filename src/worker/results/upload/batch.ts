import type { Warning } from '../../../timing-files/judge/warning.ts';
import { RowError } from '../../../timing-files/read/reason-codes.ts';
import {
  judgeRow,
  type Result,
  type SentRow,
  SPLIT_NAMES_MAX,
} from '../../../timing-files/read/result.ts';
import type { ResultStatus } from '../../../timing-files/read/result-status.ts';
import { copied } from '../../../timing-files/read/text.ts';
import type { Paused } from '../../../timing-files/read/turns.ts';
import { invalid, tooLarge } from '../../errors.ts';
import { Column, NumbersColumn, textArray, wordArray } from './column.ts';
import { createFailures } from './failures.ts';
import { createLastRows } from './last-rows.ts';
import { digitsIn, numberArray } from './number-array.ts';
import { type RowValues, splitForm } from './row-values.ts';

/** The checked rows of an upload of any kind. */
export type ReadRows<Row extends SentRow<unknown> = SentRow<unknown>> = {
  total: number;
  errors: number;
  duplicates: number;
  /** The counting rows, in row order. */
  loadable: { rows: readonly number[] };
  /** For a person to look at. JSON has warnings only if there are any. */
  warnings?: readonly Warning[];
  /** Reads all rows again, in their order. */
  sentAgain: () => Paused<Row>;
  /** The reason against storing a row; undefined for a good row. */
  failureOf(sent: Row): RowError | undefined;
};

/**
 * The checked rows of an upload of results: the last valid row of each bib counts. The values to store are held as encoded Postgres arrays. All further data are read
 * again from the body when needed. So a large upload fits into memory, even if every row fails.
 */
export type Batch = ReadRows<SentRow> & { id: string; loadable: Loadable };

/** Columns of equal length. */
type Loadable = {
  rows: readonly number[];
  /** For each row, the ordinal of its split names in `splitNames`, from 1 on. */
  splitsOf: readonly number[];
  /** Each list of names once, because names are long and repeat in every row. */
  splitNames: readonly (readonly string[])[];
  values: RowValues;
};

/** The most characters of splits in the statement. A longer text would not fit into memory. */
const SPLITS_LENGTH_MAX = 14 * 1_024 * 1_024;

/** @param withSplits false for a comparison with the event, which needs no splits and saves their memory */
export function createBatchBuilder(withSplits = true) {
  const lastRows = createLastRows();
  const failures = createFailures(judgeRow);
  const splitNames = createNameLists();
  const bibs = new Column(textArray);
  const statuses = new Column<ResultStatus>(wordArray);
  const chipTimesMs = new Column(numberArray);
  const gunTimesMs = new Column(numberArray);
  const splitsOf = new Column<number>(numberArray);
  const splitTimesMs = new NumbersColumn();
  let total = 0;
  let splitsLength = 0;

  function load(row: number, result: Result): void {
    const bib = copied(result.bib);
    const splits = withSplits ? result : NO_SPLITS;
    lastRows.add(row, bib);
    bibs.add(bib);
    statuses.add(result.status);
    chipTimesMs.add(result.chipTimeMs);
    gunTimesMs.add(result.gunTimeMs);
    splitsOf.add(splitNames.ordinalOf(splits.splitNames));
    splitTimesMs.add(splits.splitTimesMs);
    // A separator follows each time.
    for (const ms of splits.splitTimesMs) splitsLength += digitsIn(ms) + 1;
    if (splitsLength + splitNames.length > SPLITS_LENGTH_MAX) {
      throw tooLarge(
        'splits_too_long',
        `The splits, each list of names once, take more than ${SPLITS_LENGTH_MAX} characters; ` +
          'upload the file in parts.',
      );
    }
  }

  return {
    /** @returns the result of the row, or the reason against storing the row */
    add(sent: SentRow): Result | RowError {
      total += 1;
      const judged = judgeRow(sent);
      if (judged instanceof RowError) failures.add(sent.row, judged);
      else load(sent.row, judged);
      return judged;
    },
    get duplicates() {
      return lastRows.duplicates;
    },
    repeated: lastRows.repeated,
    finish(sentAgain: Batch['sentAgain']): Batch {
      splitNames.close();
      const { duplicates } = lastRows;
      const rows = lastRows.finish();
      const ordinals = splitsOf.take(lastRows);
      const loadable = {
        rows,
        splitsOf: ordinals,
        splitNames: splitNames.lists,
        values: {
          bibs: bibs.takeArray(lastRows),
          statuses: statuses.takeArray(lastRows),
          chipTimesMs: chipTimesMs.takeArray(lastRows),
          gunTimesMs: gunTimesMs.takeArray(lastRows),
          splitsOf: numberArray(ordinals),
          splitTimesMs: splitTimesMs.takeArray(lastRows),
          splitForms: textArray(splitNames.lists.map(splitForm)),
        },
      };
      return {
        id: crypto.randomUUID(),
        total,
        errors: failures.count,
        duplicates,
        loadable,
        sentAgain,
        failureOf: failures.of,
      };
    },
  };
}

const NO_SPLITS = { splitNames: [], splitTimesMs: [] };

function createNameLists() {
  const lists: (readonly string[])[] = [];
  const ordinals = new Map<string, number>();
  const numbers = new Map<string, number>();
  let length = 0;

  function numberOf(name: string): number {
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    if (number < SPLIT_NAMES_MAX) return number;
    throw invalid(
      'too_many_splits',
      `The rows name more than ${SPLIT_NAMES_MAX} different splits; ` +
        `at most ${SPLIT_NAMES_MAX} are accepted in an upload.`,
      { values: { most: SPLIT_NAMES_MAX } },
    );
  }

  function keep(names: readonly string[], key: string): number {
    length += names.reduce((sum, name) => sum + name.length, names.length);
    ordinals.set(key, lists.push(names));
    return lists.length;
  }

  return {
    lists,
    get length() {
      return length;
    },
    /** Frees the memory of `ordinalOf`. */
    close: () => ordinals.clear(),
    ordinalOf(names: readonly string[]): number {
      const latest = lists.at(-1);
      if (latest?.length === names.length && names.every((name, at) => name === latest[at])) {
        return lists.length;
      }
      const key = names.map(numberOf).join();
      return ordinals.get(key) ?? keep(names, key);
    },
  };
}
