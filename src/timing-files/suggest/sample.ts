import { classify } from '../columns/column-classes.ts';
import type { Columns } from '../read/columns.ts';
import { type CsvRow, createCsvReader } from '../read/csv-reader.ts';
import { decodeBlocks, type Encoding } from '../read/encoding.ts';
import { FileError } from '../read/file-error.ts';
import type { FileRow } from '../read/results-file.ts';
import { copied, endsWithDigit, startsWithDigit } from '../read/text.ts';
import { inTurns } from '../read/turns.ts';
import type { FileStart } from './file-start.ts';

const SAMPLED_ROWS = 100;
/** Characters of the longest sampled row, and of all rows of a sample. */
const ROW_LENGTH = 2_000;
const SAMPLE_LENGTH = 32_768;

/** A column with more different words is free text, such as names. */
const WORDS_MAX = 40;

/**
 * The first rows of a file may all be finishers. A sampler sees all rows, and adds to the first rows the rows with a
 * new word in a column, and the last rows.
 */
function createSampler({ header, headerLine, rows: first }: FileStart) {
  const hasNewWord = createNewWords(header, first);
  const lastLine = first.at(-1)?.line ?? headerLine;
  const notable = new Set<number>();
  const sampled = [...first];
  const last: CsvRow[] = [];
  let room = SAMPLE_LENGTH;
  return {
    add(row: CsvRow): void {
      if (row.line <= lastLine) return;
      last.push(row);
      if (last.length > 2 * SAMPLED_ROWS) last.splice(0, SAMPLED_ROWS);
      if (notable.size === SAMPLED_ROWS || !hasNewWord(row)) return;
      const length = lengthOf(row);
      if (length > Math.min(room, ROW_LENGTH)) return;
      room -= length;
      notable.add(row.line);
      sampled.push(copyOf(row));
    },

    finish: (): CsvRow[] => [
      ...sampled,
      ...endOf(last.filter((row) => !notable.has(row.line) && lengthOf(row) <= ROW_LENGTH)).map(
        copyOf,
      ),
    ],
  };
}

/**
 * Samples the rows of a reading.
 * @returns the listener of the reading's rows, and the sample; undefined if the reading read a table different from the
 *   start's table
 */
export function sampleAlong(start: FileStart) {
  const sampler = createSampler(start);
  let columns: Columns | undefined;
  let isSame = true;
  return {
    onRow(row: FileRow): void {
      if (row.columns !== columns) {
        columns = row.columns;
        isSame &&= columns.names.join('\n') === start.header.join('\n');
      }
      if (isSame) sampler.add(row.csvRow);
    },
    finish: () => (isSame ? sampler.finish() : undefined),
  };
}

/** Samples a file in a separate reading. */
export async function sampleRows(
  blocks: readonly Uint8Array[],
  encoding: Encoding,
  start: FileStart,
): Promise<CsvRow[]> {
  const sampler = createSampler(start);
  const firstLine = Math.max(start.headerLine, 1);
  const reader = createCsvReader(() => start.delimiter, sampler.add, firstLine);
  try {
    for await (const text of inTurns(decodeBlocks(blocks, encoding))) reader.write(text);
    reader.end();
  } catch (error) {
    // The reading of all rows ends with this error too, and reports the error.
    if (!(error instanceof FileError)) throw error;
  }
  return sampler.finish();
}

const isNumber = (word: string): boolean =>
  startsWithDigit(word) || word.startsWith('+') || word.startsWith('-');

/** The text behind a time, as in `41:50 PB`; blank behind further numbers. */
function behindNumber(cell: string): string {
  if (endsWithDigit(cell) || !cell.includes(':')) return '';
  let at = cell.length;
  while (at > 0 && !endsWithDigit(cell.slice(0, at))) at -= 1;
  return cell.slice(at);
}

/**
 * Remembers the words of each column with few different words. Numbers are words in a column named like a status.
 * @returns whether a row has a new word in a column
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
    let isNew = false;
    for (const { index, words, hasCodes } of columns) {
      const read = cells[index] ?? '';
      // Most cells are numbers and times.
      if (!hasCodes && startsWithDigit(read) && endsWithDigit(read)) continue;
      const cell = read.trim();
      const word = !hasCodes && isNumber(cell) ? behindNumber(cell) : cell;
      if (word === '') continue;
      isNew = words.size < words.add(word).size || isNew;
    }
    if (isNew) columns = columns.filter(({ words }) => words.size <= WORDS_MAX);
    return isNew;
  };
  for (const row of rows) hasNewWord(row);
  return hasNewWord;
}

/** The approximate length of a row in the file. */
function lengthOf({ cells }: CsvRow): number {
  let length = cells.length;
  for (const cell of cells) length += cell.length;
  return length;
}

/** The last rows of the size of a sample. */
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
