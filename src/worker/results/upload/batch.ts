import { RowError } from '../../../timing-files/read/reason-codes.ts';
import {
  judgeRow,
  type Result,
  type SentRow,
  SPLIT_NAMES_MAX,
} from '../../../timing-files/read/result.ts';
import { copied } from '../../../timing-files/read/text.ts';
import type { Warning } from '../../../timing-files/suggest/warning.ts';
import { LargeText } from '../../db/large-text.ts';
import { invalid, tooLarge } from '../../errors.ts';
import { createLastRows } from './last-rows.ts';

/**
 * The rows of one upload after their check. The values to store are kept as the texts of a few arrays, as
 * they travel to Postgres. Everything else is read again from the body when it is needed. So a large upload
 * fits into memory, even if every row fails.
 */
export type Batch = {
  id: string;
  total: number;
  errors: number;
  duplicates: number;
  /** The last valid row of each bib, in row order. */
  loadable: Loadable;
  /** For a person to look at. JSON has them only if there are any. */
  warnings?: readonly Warning[];
  /** Reads all rows again, in their order. */
  sentAgain: () => Iterable<SentRow>;
};

/** Columns of equal length. */
type Loadable = {
  rows: readonly number[];
  /** For each row, the place of its split names in `splitNames`, from 1 on. */
  splitsOf: readonly number[];
  /** Each list of names once, because names are long and repeat in every row. */
  splitNames: readonly (readonly string[])[];
  values: RowValues;
};

/** The values to store, each column as an array that Postgres reads. */
export type RowValues = {
  bibs: LargeText;
  statuses: LargeText;
  chipTimesMs: LargeText;
  gunTimesMs: LargeText;
  splitsOf: LargeText;
  /** The split times of a row in ms, separated by `|`; null for a row without splits. */
  splitTimesMs: LargeText;
  splitForms: LargeText;
};

/** The most characters of splits in the statement. A longer one would not fit into memory. */
const SPLITS_LENGTH_MAX = 14 * 1_024 * 1_024;

const PIECE_ELEMENTS = 100;

/** @param withSplits false for a comparison with the event, which needs no splits and less memory without them */
export function createBatchBuilder(withSplits = true) {
  const lastRows = createLastRows();
  const bibs: string[] = [];
  const statuses: string[] = [];
  const chipTimesMs: (number | null)[] = [];
  const gunTimesMs: (number | null)[] = [];
  const splitsOf: number[] = [];
  const splitTimesMs: (string | null)[] = [];
  const splitNames = createNameLists();
  let total = 0;
  let errors = 0;
  let splitsLength = 0;

  function load(row: number, result: Result): void {
    const bib = copied(result.bib);
    lastRows.add(row, bib);
    bibs.push(bib);
    statuses.push(result.status);
    chipTimesMs.push(result.chipTimeMs);
    gunTimesMs.push(result.gunTimeMs);
    const { splitNames: names, splitTimesMs: times } = withSplits ? result : NO_SPLITS;
    splitsOf.push(splitNames.placeOf(names));
    const ofSplits = times.length === 0 ? null : times.join('|');
    splitTimesMs.push(ofSplits);
    splitsLength += ofSplits?.length ?? 0;
    if (splitsLength + splitNames.length > SPLITS_LENGTH_MAX) {
      throw tooLarge(
        `The splits, each list of names once, take more than ${SPLITS_LENGTH_MAX} characters; ` +
          'upload the file in parts.',
      );
    }
  }

  return {
    /** @returns the result of the row, or why it cannot be stored */
    add(sent: SentRow): Result | RowError {
      total += 1;
      const judged = judgeRow(sent);
      if (judged instanceof RowError) errors += 1;
      else load(sent.row, judged);
      return judged;
    },
    get duplicates() {
      return lastRows.duplicates;
    },
    finish(sentAgain: Batch['sentAgain']): Batch {
      splitNames.close();
      const { duplicates, take } = lastRows;
      const rows = lastRows.finish();
      const ofSplits = take(splitsOf);
      const loadable = {
        rows,
        splitsOf: ofSplits,
        splitNames: splitNames.lists,
        values: {
          bibs: arrayOf(take(bibs), quoted),
          statuses: arrayOf(take(statuses)),
          chipTimesMs: arrayOf(take(chipTimesMs)),
          gunTimesMs: arrayOf(take(gunTimesMs)),
          splitsOf: arrayOf(ofSplits),
          splitTimesMs: arrayOf(take(splitTimesMs)),
          splitForms: arrayOf(splitNames.lists.map(formOf)),
        },
      };
      return { id: crypto.randomUUID(), total, errors, duplicates, loadable, sentAgain };
    },
  };
}

const NO_SPLITS = { splitNames: [], splitTimesMs: [] };

function createNameLists() {
  const lists: (readonly string[])[] = [];
  const places = new Map<string, number>();
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
    );
  }

  function keep(names: readonly string[], key: string): number {
    length += names.reduce((sum, name) => sum + name.length, names.length);
    places.set(key, lists.push(names));
    return lists.length;
  }

  return {
    lists,
    get length() {
      return length;
    },
    /** Frees what `placeOf` needs. */
    close: () => places.clear(),
    placeOf(names: readonly string[]): number {
      const latest = lists.at(-1);
      if (latest?.length === names.length && names.every((name, at) => name === latest[at])) {
        return lists.length;
      }
      const key = names.map(numberOf).join();
      return places.get(key) ?? keep(names, key);
    },
  };
}

/** The object of splits with these names, with `%s` where a time belongs. */
const formOf = (names: readonly string[]): string =>
  quoted(`{${names.map((name) => `${JSON.stringify(name).replaceAll('%', '%%')}:%s`).join()}}`);

/** The text of a Postgres array. `write` quotes an element if necessary. */
export function arrayOf<T>(
  elements: readonly T[],
  write: (element: T) => unknown = (element) => element ?? 'null',
): LargeText {
  function* pieces(): Generator<string> {
    yield '{';
    for (let from = 0; from < elements.length; from += PIECE_ELEMENTS) {
      if (from > 0) yield ',';
      yield elements
        .slice(from, from + PIECE_ELEMENTS)
        .map(write)
        .join();
    }
    yield '}';
  }
  return new LargeText(pieces());
}

/** An element of a Postgres array. Quotes are escaped in JSON, so an element has them only if necessary. */
export const quoted = (text: string): string =>
  /^\w+$/.test(text) && text.toLowerCase() !== 'null'
    ? text
    : `"${text.replace(/["\\]/g, '\\$&')}"`;
