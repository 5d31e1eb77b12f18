import { type CsvRow, createCsvReader } from '../read/csv-reader.ts';
import { decodeBlocks, type Encoding } from '../read/encoding.ts';
import { FileError } from '../read/file-error.ts';
import { Pattern } from '../read/pattern.ts';
import { copied } from '../read/text.ts';
import { inTurns } from '../read/turns.ts';
import { classify } from './column-classes.ts';
import type { FileStart } from './file-start.ts';

const SAMPLED_ROWS = 200;
/** Characters of the longest sampled row, and of all rows of a sample. */
const ROW_LENGTH = 2_000;
const SAMPLE_LENGTH = 32_768;

/** A column with more different words is free text, such as names. */
const WORDS_MAX = 40;

/**
 * The first rows of a file may all be finishers. Adds rows from the rest of the file: those with a word that is new in
 * its column, and the last rows.
 */
export async function sampleRows(
  blocks: readonly Uint8Array[],
  encoding: Encoding,
  { header, headerLine, delimiter, rows: first }: FileStart,
): Promise<CsvRow[]> {
  const hasNewWord = createNewWords(header, first);
  const lastLine = first.at(-1)?.line ?? headerLine;
  const notable = new Set<number>();
  const sampled = [...first];
  const last: CsvRow[] = [];
  let room = SAMPLE_LENGTH;

  function add(row: CsvRow): void {
    const length = lengthOf(row);
    if (row.line <= lastLine || length > ROW_LENGTH) return;
    last.push(row);
    if (last.length > 2 * SAMPLED_ROWS) last.splice(0, SAMPLED_ROWS);
    if (notable.size === SAMPLED_ROWS || length > room || !hasNewWord(row)) return;
    room -= length;
    notable.add(row.line);
    sampled.push(copyOf(row));
  }

  const reader = createCsvReader(() => delimiter, add, Math.max(headerLine, 1));
  try {
    for await (const text of inTurns(decodeBlocks(blocks, encoding))) reader.write(text);
    reader.end();
  } catch (error) {
    // The reading of all rows ends with the same error and reports it.
    if (!(error instanceof FileError)) throw error;
  }
  return [...sampled, ...endOf(last.filter(({ line }) => !notable.has(line))).map(copyOf)];
}

const STARTS_WITH_DIGIT = new Pattern(/^[\d+-]/);

/**
 * Remembers the words of each column with few different words. Numbers are words in a column named like a status.
 * @returns whether a row has a word that is new in its column
 */
function createNewWords(
  header: readonly string[],
  rows: readonly CsvRow[],
): (row: CsvRow) => boolean {
  let columns = header.map((name, index) => ({
    index,
    words: new Set<string>(),
    hasCodes: classify(name) === 'status',
  }));
  const hasNewWord = ({ cells }: CsvRow): boolean => {
    const found = columns.filter(({ index, words, hasCodes }) => {
      const word = (cells[index] ?? '').trim();
      if (word === '' || (!hasCodes && STARTS_WITH_DIGIT.test(word))) return false;
      return words.size < words.add(word).size;
    });
    if (found.length > 0) columns = columns.filter(({ words }) => words.size <= WORDS_MAX);
    return found.length > 0;
  };
  for (const row of rows) hasNewWord(row);
  return hasNewWord;
}

/** The approximate length of a row in the file. */
const lengthOf = ({ cells }: CsvRow): number =>
  cells.reduce((length, cell) => length + cell.length, cells.length);

/** The last rows that fit into a sample. */
function endOf(rows: readonly CsvRow[]): CsvRow[] {
  let room = SAMPLE_LENGTH;
  let at = rows.length;
  while (at > Math.max(rows.length - SAMPLED_ROWS, 0)) {
    const row = rows[at - 1];
    room -= row ? lengthOf(row) : 0;
    if (room < 0) break;
    at -= 1;
  }
  return rows.slice(at);
}

const copyOf = (row: CsvRow): CsvRow => ({ ...row, cells: row.cells.map(copied) });
