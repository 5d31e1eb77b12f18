import { LargeText } from '../../db/large-text.ts';

/** The rows of an upload that count: the last valid one of each bib. */
type LastRows = { take<T>(values: T[]): T[] };

/** The values of one column of the rows to store. A large upload does not fit into memory as an object for each row. */
export class Column<T> {
  readonly #values: T[] = [];
  readonly #write: (value: T) => unknown;

  /** @param write quotes a value if necessary */
  constructor(write?: (value: T) => unknown) {
    this.#write = write ?? plain;
  }

  add(value: T): void {
    this.#values.push(value);
  }

  /** Returns the values of the rows that count, and empties the column. */
  take(lastRows: LastRows): T[] {
    return lastRows.take(this.#values);
  }

  /** The same as the text of a Postgres array. */
  takeArray(lastRows: LastRows): LargeText {
    return arrayOf(this.take(lastRows), this.#write);
  }
}

const PIECE_ELEMENTS = 100;

const plain = (element: unknown): unknown => element ?? 'null';

/** The text of a Postgres array. `write` quotes an element if necessary. */
export function arrayOf<T>(
  elements: readonly T[],
  write: (element: T) => unknown = plain,
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
