import { type CsvRow, createCsvReader } from '../read/csv-reader.ts';
import { type Encoding, startDecoding } from '../read/encoding.ts';
import { FileError } from '../read/file-error.ts';
import { Pattern } from '../read/pattern.ts';
import { classify } from './column-classes.ts';
import type { FileStart } from './file-start.ts';

const SAMPLED_ROWS = 200;
/** Characters of the longest sampled row, and of all rows of a sample. */
const ROW_LENGTH = 2_000;
const SAMPLE_LENGTH = 32_768;

/** A column with more different words is free text, such as names. */
const WORDS_MAX = 40;

/**
 * The first rows of a file may all be finishers. Adds rows from the rest of the file: those with a word that its
 * column had not before, and the last ones.
 */
export async function sampleRows(
  blocks: Iterable<Uint8Array>,
  encoding: Encoding,
  start: FileStart,
  pause: () => Promise<void>,
): Promise<CsvRow[]> {
  const sample = createSample(start);
  const decoding = startDecoding(encoding);
  const reader = createCsvReader(() => start.delimiter, sample.add, {
    firstLine: Math.max(start.headerLine, 1),
  });
  try {
    for (const bytes of blocks) {
      reader.write(decoding.decode(bytes) ?? '');
      await pause();
    }
    reader.write(decoding.end() ?? '');
    reader.end();
  } catch (error) {
    // The reader of the rows gets it too.
    if (!(error instanceof FileError)) throw error;
  }
  return sample.rows();
}

function createSample({ header, headerLine, rows: first }: FileStart) {
  const newWords = createNewWords(header, first);
  const lastLine = first.at(-1)?.line ?? headerLine;
  const notable: CsvRow[] = [];
  const last: CsvRow[] = [];
  let room = SAMPLE_LENGTH;
  return {
    add(row: CsvRow): void {
      const length = lengthOf(row);
      if (row.line <= lastLine || length > ROW_LENGTH) return;
      last.push(row);
      if (last.length > 2 * SAMPLED_ROWS) last.splice(0, SAMPLED_ROWS);
      if (notable.length === SAMPLED_ROWS || length > room || !newWords.areIn(row)) return;
      room -= length;
      notable.push(copyOf(row));
    },
    rows(): CsvRow[] {
      const lines = new Set(notable.map(({ line }) => line));
      return [
        ...first,
        ...notable,
        ...endOf(last)
          .filter(({ line }) => !lines.has(line))
          .map(copyOf),
      ];
    },
  };
}

const STARTS_WITH_DIGIT = new Pattern(/^[\d+-]/);

/** Remembers the words of each column that has few. Numbers count as words in a column named like a status. */
function createNewWords(header: readonly string[], rows: readonly CsvRow[]) {
  const columns = header.flatMap((name, index) => {
    const words = new Set<string>();
    const column = { index, words, hasCodes: classify(name) === 'status' };
    for (const { cells } of rows) addWord(column, cells[index]);
    return words.size <= WORDS_MAX ? [column] : [];
  });
  return {
    areIn: ({ cells }: CsvRow): boolean =>
      columns.filter(
        (column) => column.words.size <= WORDS_MAX && addWord(column, cells[column.index]),
      ).length > 0,
  };
}

type Words = { words: Set<string>; hasCodes: boolean };

/** Whether the word is new. */
function addWord({ words, hasCodes }: Words, cell = ''): boolean {
  const word = cell.trim();
  if (word === '' || (!hasCodes && STARTS_WITH_DIGIT.test(word))) return false;
  return words.size < words.add(word).size;
}

/** The length of a row in the file, about. */
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

/** Copies texts. A cell is a view of the text around it, and would keep all of that in memory. */
const copyOf = (row: CsvRow): CsvRow => ({
  ...row,
  cells: row.cells.map((cell): string => JSON.parse(JSON.stringify(cell))),
});
