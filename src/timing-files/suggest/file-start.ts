import { type ColumnClass, classify, RESULTS } from '../columns/column-classes.ts';
import { type Columns, checkNames, recognizeColumns } from '../read/columns.ts';
import {
  type CsvRow,
  createCsvReader,
  DELIMITERS,
  namedDelimiter,
  withLineFeeds,
  withoutByteOrderMark,
} from '../read/csv-reader.ts';
import { delimiterOfData } from '../read/delimiter.ts';
import { decideEncoding, decodeBlocks, type Encoding } from '../read/encoding.ts';
import { FileError, orRefusal } from '../read/file-error.ts';
import type { Parameters } from '../read/parameters.ts';
import { PATTERN_TEXT_MAX, Pattern } from '../read/pattern.ts';
import { likelyEncodings } from './guess-encoding.ts';

/** The header and the first rows of a file. */
export type FileStart = {
  delimiter: string;
  /** Line of the header; 0 if the file has none. */
  headerLine: number;
  /** Whether the header is the first line with text. An upload looks for the header in this line. */
  isFirst: boolean;
  /** Names as written, trimmed; blank if the file has no header. */
  header: string[];
  rows: CsvRow[];
  /** Whether the file ends without a newline. The file may still be on its way. */
  isCut: boolean;
};

/** The lines searched for a header, and the number of cells behind the judgement of a line. */
const LINES_LOOKED_AT = 20;
const CELLS_LOOKED_AT = 100;
const ROWS_LOOKED_AT = 100;

/** The start of a file in its likeliest encoding. */
export type LookedAt = {
  /** The encoding in which an upload reads the file. */
  decided: Encoding;
  encoding: Encoding;
  /** The sent parameters, with the likelier encoding if the encoding differs. */
  given: Parameters;
  start: FileStart;
  /** The starts in further possible encodings, if they change the names of the columns. */
  others: { encoding: Encoding; start: FileStart }[];
};

/** @throws FileError if the file is no table of cells */
export function lookAt(blocks: readonly Uint8Array[], parameters: Parameters): LookedAt {
  const decided = decideEncoding(blocks, parameters.encoding);
  const isOpen = parameters.encoding === undefined;
  const encodings = isOpen ? likelyEncodings(decided, blocks[0]) : [decided];
  const read = encodings.map((encoding) => {
    const start = orRefusal(() => readStart(blocks, encoding, parameters));
    return { encoding, start, key: 'header' in start ? start.header.join('\n') : '' };
  });
  const able = read.flatMap(({ start, ...one }) => ('header' in start ? [{ ...one, start }] : []));
  const [best, ...others] = able.filter(
    ({ key }, at) => able.findIndex((one) => one.key === key) === at,
  );
  const [refused] = read;
  if (!best) throw refused?.start;
  const { encoding, start } = best;
  const given = encoding === decided ? parameters : { ...parameters, encoding };
  return { decided, encoding, given, start, others };
}

/**
 * Finds the header and the first rows of a file.
 * @throws FileError if the file is no table of cells
 */
export function readStart(
  blocks: readonly Uint8Array[],
  encoding: Encoding,
  given: { headerLine?: number } = {},
): FileStart {
  const start = withoutByteOrderMark(firstLines(blocks, encoding));
  const lines = start.split('\n', LINES_LOOKED_AT);
  const firstLine = lines.findIndex((line) => isFilled(line) && !isDelimiterLine(line)) + 1;
  if (firstLine === 0) throw FileError.of('empty');
  const { delimiter, line } = findHeader(start, lines, given.headerLine);
  if (isFixedWidth(lines)) throw FileError.of('fixed_width');
  const rows = rowsOf(start, delimiter, Math.max(line, 1));
  const [first] = rows;
  if (!first) throw FileError.of('header_line_beyond', { line });
  if (first.cells.length < 2) throw FileError.of('one_cell');
  const header = first.cells.map((name) => (line === 0 ? '' : name.trim()));
  checkNames(header);
  return {
    delimiter,
    headerLine: line,
    isFirst: line === firstLine,
    header,
    rows: line === 0 ? rows : rows.slice(1),
    isCut: isCutOff(blocks, encoding),
  };
}

const START_LENGTH = 65_536;

/** The complete lines at the start of a file. */
function firstLines(blocks: readonly Uint8Array[], encoding: Encoding): string {
  let text = '';
  for (const piece of decodeBlocks(blocks, encoding)) {
    text += piece;
    if (text.length > START_LENGTH) break;
  }
  const lines = withLineFeeds(text.slice(0, START_LENGTH));
  return text.length > START_LENGTH
    ? lines.slice(0, lines.lastIndexOf('\n') + 1) || lines
    : `${lines}\n`;
}

const [NEWLINE, RETURN] = [0x0a, 0x0d];

function isCutOff(blocks: readonly Uint8Array[], encoding: Encoding): boolean {
  const byte = blocks.at(-1)?.at(encoding === 'utf-16le' ? -2 : -1);
  return byte !== undefined && byte !== NEWLINE && byte !== RETURN;
}

/** The columns as recognized by an upload; undefined if the upload would refuse the file. */
export function recognize(
  { header, headerLine }: FileStart,
  parameters: Parameters,
): Columns | undefined {
  const by = headerLine === 0 ? { ...parameters, headerLine } : parameters;
  const columns = orRefusal(() => recognizeColumns(header, by));
  return columns instanceof FileError ? undefined : columns;
}

type Found = { line: number; delimiter: string };

/** The row most like a header, if like enough. Otherwise the table's first row. */
function findHeader(start: string, lines: readonly string[], given: number | undefined): Found {
  if (given === 0) return { line: 0, delimiter: delimiterOfData(lines.filter(isFilled)) };
  let best: Found & { score: number } = { line: given ?? 0, delimiter: ',', score: 0 };
  // The cells of a header may have newlines.
  const text = given === undefined ? start.split('\n', 3 * LINES_LOOKED_AT).join('\n') : start;
  for (const delimiter of DELIMITERS) {
    for (const { line, cells } of firstRows(text, delimiter, given)) {
      const score = headerScore(cells);
      if (score > best.score) best = { line, delimiter, score };
    }
  }
  return given !== undefined || best.score >= CERTAIN ? best : findTable(start, lines);
}

/** The rows of the first lines. If one delimiter alone can parse a line, that delimiter gets the line. */
const firstRows = (start: string, delimiter: string, given?: number): CsvRow[] => {
  const rows = orRefusal(() => rowsOf(start, delimiter, given ?? 1, LINES_LOOKED_AT));
  if (rows instanceof FileError) return [];
  return given === undefined
    ? rows.filter(({ line }) => line <= LINES_LOOKED_AT)
    : rows.slice(0, 1);
};

const CERTAIN = 10;

/** A bib and a result among the names count most. Cells of data count against a header. */
function headerScore(cells: readonly string[]): number {
  const filled = cells.slice(0, CELLS_LOOKED_AT).filter(isFilled);
  if (filled.length < 2) return 0;
  const all = filled.map(classify);
  const classes = new Set<ColumnClass>(all);
  const known = all.filter((one) => one !== 'unknown').length;
  const data = filled.filter(isData).length;
  const hasBib = classes.has('bib') || classes.has('number');
  const hasResult = HEADED.some((result) => classes.has(result));
  return known - 3 * data + (hasBib && hasResult ? CERTAIN : 0);
}

const HEADED: readonly ColumnClass[] = [...RESULTS, 'status', 'split', 'otherTime'];

const DATA = new Pattern(/^[+-]?\d+([.,:']\d+)*$/);

/** Whether a cell is a number or a time, which no header cell is. */
export const isData = (cell: string): boolean => DATA.test(cell.trim());

/** The table stands below title lines. The first row of the table is the header, unless the row has data. */
function findTable(start: string, lines: readonly string[]): Found {
  const filled = lines.filter((text) => isFilled(text) && !isDelimiterLine(text));
  const delimiter = delimiterOfData(filled.slice(-10));
  const rows = firstRows(start, delimiter);
  const filledIn = ({ cells }: CsvRow) => cells.filter(isFilled).length;
  // A spreadsheet fills title lines with blank cells.
  const least = Math.max(...rows.map(filledIn)) / 2;
  // A delimiter may end each row, and not the header.
  const widthOf = ({ cells }: CsvRow) => cells.findLastIndex(isFilled);
  const width = Math.max(...rows.map(widthOf));
  const first = rows.find((row) => widthOf(row) >= width && filledIn(row) > least);
  return { line: first && !first.cells.some(isData) ? first.line : 0, delimiter };
}

const GAP = new Pattern(/\S {2,}(?=\S)/g);

/** Whether columns are lined up with blanks, as in a text listing. Only the beginnings of the lines are looked at. */
function isFixedWidth(lines: readonly string[]): boolean {
  const filled = lines.filter(isFilled);
  if (filled.some((line) => ['\t', ';', '|'].some((sign) => line.includes(sign)))) return false;
  const starts = filled.map((line) => line.trim().slice(0, PATTERN_TEXT_MAX).trim());
  const lined = starts.filter((start) => GAP.allGroups(start).length >= 2);
  const commas = filled.filter((line) => line.split(',', 3).length === 3);
  return lined.length >= 2 && lined.length >= filled.length / 2 && commas.length < lined.length;
}

const isDelimiterLine = (line: string): boolean => namedDelimiter(line) !== undefined;

const isFilled = (text: string): boolean => text.trim() !== '';

/**
 * The rows from a line on, up to an unreadable row.
 * @throws FileError if the first row cannot be read
 */
function rowsOf(
  start: string,
  delimiter: string,
  firstLine: number,
  most = ROWS_LOOKED_AT,
): CsvRow[] {
  const rows: CsvRow[] = [];
  const reader = createCsvReader(
    () => delimiter,
    (row) => {
      if (rows.length < most) rows.push(row);
    },
    firstLine,
  );
  try {
    reader.write(start);
    reader.end();
  } catch (error) {
    if (!(error instanceof FileError) || rows.length === 0) throw error;
  }
  return rows;
}
