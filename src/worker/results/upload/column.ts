import { LargeText } from '../../db/large-text.ts';
import { numberListArray } from './number-array.ts';

/** The rows of an upload that count: the last valid row of each bib. */
type LastRows = { among<T>(values: T[]): T[] };

/** The values of a column of the rows to store. A large upload does not fit into memory as an object for each row. */
export class Column<T> {
  #values: T[] = [];
  readonly #write: (values: readonly T[]) => LargeText;

  /** @param write makes the text of a Postgres array */
  constructor(write: (values: readonly T[]) => LargeText) {
    this.#write = write;
  }

  add(value: T): void {
    this.#values.push(value);
  }

  /** Returns the values of the counting rows, and empties the column. */
  take(lastRows: LastRows): T[] {
    const values = this.#values;
    this.#values = [];
    return lastRows.among(values);
  }

  /** Like `take`, as the text of a Postgres array. */
  takeArray(lastRows: LastRows): LargeText {
    return this.#write(this.take(lastRows));
  }
}

/** A column with any number of whole numbers in each row. */
export class NumbersColumn {
  /** The numbers of all rows. An array for each row would take more memory. */
  readonly #numbers: number[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  add(numbers: readonly number[]): void {
    this.#starts.push(this.#numbers.length);
    for (const number of numbers) this.#numbers.push(number);
    this.#ends.push(this.#numbers.length);
  }

  /** The text of a Postgres array with an element for each counting row. */
  takeArray(lastRows: LastRows): LargeText {
    const [starts, ends] = [lastRows.among(this.#starts), lastRows.among(this.#ends)];
    return numberListArray(this.#numbers, starts, ends);
  }
}

const PIECE_ELEMENTS = 100;

/** The text of a Postgres array of words without signs. */
export const wordArray = (words: readonly string[]): LargeText => arrayOf(words, (word) => word);

export const textArray = (texts: readonly string[]): LargeText => arrayOf(texts, quoted);

function arrayOf(elements: readonly string[], write: (element: string) => string): LargeText {
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
  return LargeText.of(pieces());
}

/** An element of a Postgres array. JSON escapes quotes, so an element has quotes only if necessary. */
const quoted = (text: string): string =>
  /^\w+$/.test(text) && text.toLowerCase() !== 'null'
    ? text
    : `"${text.replace(/["\\]/g, '\\$&')}"`;
