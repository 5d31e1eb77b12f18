import fc from 'fast-check';
import type { ResultsFile } from './results-files.ts';

/** A way in which timing software writes CSV. */
export type Dialect = {
  delimiter: ',' | ';' | '\t' | '|';
  newline: '\n' | '\r\n' | '\r';
  quotes: 'always' | 'needed';
  hasByteOrderMark: boolean;
  encoding: 'utf-8' | 'latin-1';
};

export const PLAIN: Dialect = {
  delimiter: ',',
  newline: '\n',
  quotes: 'needed',
  hasByteOrderMark: false,
  encoding: 'utf-8',
};

export const anyDialect: fc.Arbitrary<Dialect> = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  newline: fc.constantFrom('\n', '\r\n', '\r'),
  quotes: fc.constantFrom('always', 'needed'),
  hasByteOrderMark: fc.boolean(),
  encoding: fc.constantFrom('utf-8', 'latin-1'),
});

/** Writes rows as text. A row without cells is a blank line. */
export const writeCsv = (rows: readonly string[][], dialect: Dialect): string =>
  rows
    .map((cells) => cells.map((cell) => writeCell(cell, dialect)).join(dialect.delimiter))
    .map((row) => row + dialect.newline)
    .join('');

const writeCell = (cell: string, { delimiter, quotes }: Dialect): string =>
  quotes === 'always' || cell.includes(delimiter) || /["\r\n]/.test(cell)
    ? `"${cell.replaceAll('"', '""')}"`
    : cell;

export function encode(text: string, { encoding, hasByteOrderMark }: Dialect): Uint8Array {
  const bytes = encoding === 'utf-8' ? new TextEncoder().encode(text) : encodeLatin1(text);
  return hasByteOrderMark ? new Uint8Array([0xef, 0xbb, 0xbf, ...bytes]) : bytes;
}

export const encodeLatin1 = (text: string): Uint8Array =>
  Uint8Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code > 0xff) throw new Error(`${character} is not in latin-1`);
    return code;
  });

/** Cuts a text or bytes into pieces. Places beyond the end start again at the beginning. */
export function cut<T extends { length: number; slice(start: number, end: number): T }>(
  whole: T,
  places: readonly number[],
): T[] {
  const inside = places.map((place) => place % (whole.length + 1)).sort((a, b) => a - b);
  const bounds = [0, ...inside, whole.length];
  return bounds.slice(1).map((end, index) => whole.slice(bounds[index] ?? 0, end));
}

export const anyCuts: fc.Arbitrary<number[]> = fc.array(fc.nat(), { maxLength: 12 });

export async function* streamOf<T>(
  pieces: Iterable<T> | AsyncIterable<T>,
): AsyncGenerator<T, undefined> {
  yield* pieces;
}

/** The bytes of a file of `timing-files/files`. */
export const bytesIn = ({ base64 }: ResultsFile): Uint8Array =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
