import { LargeText } from '../db/large-text.ts';
import { invalid, tooLarge } from '../errors.ts';
import { type ClaimedResult, judge, type Result, RowError, SPLIT_NAMES_MAX } from './judge.ts';

/** A row as it was sent, and what can be told of it to whoever sent it. */
export type SentRow = {
  /** Line of the file, or position in the array from 1 on. */
  row: number;
  /** @throws RowError where it has not the shape of a result. */
  claim(): ClaimedResult;
  /** The bib it names, whatever else is wrong with it. */
  bib(): string | null;
  /** What was sent in the row; undefined where that was no object. */
  echo(): Record<string, unknown> | undefined;
};

/**
 * The rows of one upload, judged. What is stored of them is kept as it will travel, as texts of few
 * arrays; all else is read from what was sent once more when it is asked for. So a large upload fits
 * into memory, whatever becomes of its rows.
 */
export type Batch = {
  id: string;
  total: number;
  errors: number;
  duplicates: number;
  /** The last valid row of each bib, in row order. */
  loadable: Loadable;
  /** All rows again, in their order. */
  sentAgain: () => Iterable<SentRow>;
};

/** A place for each row, in texts of Postgres arrays and in lists alike. */
export type Loadable = {
  rows: readonly number[];
  bibs: LargeText;
  statuses: LargeText;
  chipTimesMs: LargeText;
  gunTimesMs: LargeText;
  /** Which of `splitNames` a row has times for: their place in it, from 1 on. */
  splitsOf: readonly number[];
  /** The times of a row's splits in ms, parted by `|`; null for a row without. */
  splitTimesMs: LargeText;
  /** Each list of names once, however many rows have it: names are long and repeat in every row. */
  splitNames: readonly (readonly string[])[];
};

/** What splits may take in the statement: one with more would not fit into memory. */
const SPLITS_LENGTH_MAX = 14 * 1_024 * 1_024;

const PIECE_ELEMENTS = 100;

/** Shorter texts are cut out by copying; a longer one keeps all that it was cut out of. */
const COPIED_LENGTH_MAX = 12;

export function createBatchBuilder() {
  const rows: (number | undefined)[] = [];
  const bibs: string[] = [];
  const statuses: string[] = [];
  const chipTimesMs: (number | null)[] = [];
  const gunTimesMs: (number | null)[] = [];
  const splitsOf: number[] = [];
  const splitTimesMs: (string | null)[] = [];
  const splitNames = createNameLists();
  const places = new Map<string, number>();
  let total = 0;
  let errors = 0;
  let duplicates = 0;
  let splitsLength = 0;

  function load(row: number, result: Result): void {
    const bib = result.bib.length > COPIED_LENGTH_MAX ? copyOf(result.bib) : result.bib;
    const earlier = places.get(bib);
    if (earlier !== undefined) {
      duplicates += 1;
      rows[earlier] = undefined;
    }
    places.set(bib, rows.length);
    rows.push(row);
    bibs.push(bib);
    statuses.push(result.status);
    chipTimesMs.push(result.chipTimeMs);
    gunTimesMs.push(result.gunTimeMs);
    splitsOf.push(splitNames.placeOf(result.splitNames));
    const ofSplits = result.splitTimesMs.length === 0 ? null : result.splitTimesMs.join('|');
    splitTimesMs.push(ofSplits);
    splitsLength += ofSplits?.length ?? 0;
    if (splitsLength + splitNames.length > SPLITS_LENGTH_MAX) {
      throw tooLarge(
        `The splits, each list of names once, take more than ${SPLITS_LENGTH_MAX} characters; ` +
          'upload the file in parts.',
      );
    }
  }

  /** The values of the rows that are left, which are then given up. */
  function take<T>(values: T[]): T[] {
    const left =
      duplicates === 0 ? values.slice() : values.filter((_, at) => rows[at] !== undefined);
    values.length = 0;
    return left;
  }

  return {
    add(sent: SentRow): void {
      total += 1;
      const judged = judgeRow(sent);
      if (judged instanceof RowError) errors += 1;
      else load(sent.row, judged);
    },
    get total() {
      return total;
    },
    finish(sentAgain: Batch['sentAgain']): Batch {
      places.clear();
      splitNames.close();
      const loadable = {
        bibs: arrayOf(take(bibs), quoted),
        statuses: arrayOf(take(statuses)),
        chipTimesMs: arrayOf(take(chipTimesMs)),
        gunTimesMs: arrayOf(take(gunTimesMs)),
        splitTimesMs: arrayOf(take(splitTimesMs)),
        splitsOf: take(splitsOf),
        splitNames: splitNames.lists,
        rows: rows.filter((row) => row !== undefined),
      };
      return { id: crypto.randomUUID(), total, errors, duplicates, loadable, sentAgain };
    },
  };
}

/** Why a row cannot be stored; undefined where it can be. */
export function reasonAgainst(sent: SentRow): string | undefined {
  const judged = judgeRow(sent);
  return judged instanceof RowError ? judged.message : undefined;
}

function judgeRow(sent: SentRow): Result | RowError {
  try {
    return judge(sent.claim());
  } catch (error) {
    if (error instanceof RowError) return error;
    throw error;
  }
}

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
    /** No more is asked for. */
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

/** The text of a Postgres array; `write` quotes its elements where they must be. */
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

/** An element of a Postgres array. What needs no quotes gets none: they are escaped on the way. */
export const quoted = (text: string): string =>
  /^\w+$/.test(text) && text.toLowerCase() !== 'null'
    ? text
    : `"${text.replace(/["\\]/g, '\\$&')}"`;

const copyOf = (text: string): string => String(JSON.parse(JSON.stringify(text)));
