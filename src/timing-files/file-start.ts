import { type ColumnClass, classify } from './column-classes.ts';
import { checkNames } from './columns.ts';
import { BYTE_ORDER_MARK, type CsvRow, createCsvReader, splitRow } from './csv-reader.ts';
import { DELIMITERS, delimiterOfData } from './delimiter.ts';
import { FileError } from './file-error.ts';

/** A file as its first lines show it. */
export type FileStart = {
  delimiter: string;
  /** Line of the header; 0 where the file has none. */
  headerLine: number;
  /** Whether the header is the first line that is not blank, where an upload looks for it. */
  isFirst: boolean;
  /** Names as written, trimmed; blank ones where the file has no header. */
  header: string[];
  rows: CsvRow[];
};

/** How far down a header is looked for. */
const LINES_LOOKED_AT = 20;
const CELLS_LOOKED_AT = 300;
const ROWS_LOOKED_AT = 500;

/**
 * Finds the header of a file, or that it has none.
 * @param text the complete lines with which the file begins
 * @throws FileError where the file is no table of cells
 */
export function readStart(text: string, given: { headerLine?: number } = {}): FileStart {
  const start = text.replace(BYTE_ORDER_MARK, '');
  const lines = start.split('\n').slice(0, LINES_LOOKED_AT);
  const firstLine = lines.findIndex((line) => isFilled(line) && !isDelimiterLine(line)) + 1;
  if (firstLine === 0) throw new FileError('The file is empty: it has no header line.');
  const found =
    given.headerLine === undefined ? findHeader(lines) : givenHeader(lines, given.headerLine);
  if (isFixedWidth(lines)) throw fixedWidth();
  const { delimiter, line } = found;
  const all = rowsOf(start, delimiter, Math.max(line, 1));
  const [first] = all;
  if (!first) throw new FileError(`header_line is ${line}, and the file has fewer lines.`);
  if (first.cells.length < 2) throw oneCell();
  const header = first.cells.map((name) => (line === 0 ? '' : name.trim()));
  checkNames(header);
  return {
    delimiter,
    headerLine: line,
    isFirst: line === firstLine,
    header,
    rows: line === 0 ? all : all.slice(1),
  };
}

type Found = { line: number; delimiter: string };

function givenHeader(lines: readonly string[], line: number): Found {
  if (line === 0) return { line, delimiter: delimiterOfData(lines.filter(isFilled)) };
  const text = lines[line - 1] ?? '';
  const delimiter = DELIMITERS.reduce((best, other) =>
    headerScore(splitRow(text, other)) > headerScore(splitRow(text, best)) ? other : best,
  );
  return { line, delimiter };
}

/** The line that says most of what a header says, if it says enough; else the table's first line. */
function findHeader(lines: readonly string[]): Found {
  let best: Found & { score: number } = { line: 0, delimiter: ',', score: 0 };
  for (const [index, text] of lines.entries()) {
    if (!isFilled(text) || isDelimiterLine(text)) continue;
    for (const delimiter of DELIMITERS) {
      const score = headerScore(splitRow(text, delimiter));
      if (score > best.score) best = { line: index + 1, delimiter, score };
    }
  }
  return best.score >= CERTAIN ? best : findTable(lines);
}

const CERTAIN = 10;

/** Names of a bib and of a result count most; cells of data speak against a header. */
function headerScore(cells: readonly string[]): number {
  const filled = cells.slice(0, CELLS_LOOKED_AT).filter(isFilled);
  if (filled.length < 2) return 0;
  const classes = new Set<ColumnClass>(filled.map(classify));
  const known = filled.filter((cell) => classify(cell) !== 'unknown').length;
  const data = filled.filter(isData).length;
  const hasBib = classes.has('bib') || classes.has('number');
  const hasResult = RESULTS.some((result) => classes.has(result));
  return known - 3 * data + (hasBib && hasResult ? CERTAIN : 0);
}

const RESULTS: ColumnClass[] = ['netTime', 'gunTime', 'officialTime', 'time', 'status', 'split'];

/** A number, or a time: no column is called so. */
export const isData = (cell: string): boolean => /^\s*[+-]?\d+([.,:']\d+)*\s*$/.test(cell);

/** Below title lines stands a table: its first line is the header, unless that is data. */
function findTable(lines: readonly string[]): Found {
  const filled = lines.filter((text) => isFilled(text) && !isDelimiterLine(text));
  const delimiter = delimiterOfData(filled.slice(-10));
  const width = Math.max(...filled.map((line) => splitRow(line, delimiter).length));
  const line = lines.findIndex((text) => {
    const cells = splitRow(text, delimiter);
    return cells.length === width && cells.filter(isFilled).length >= Math.min(2, width);
  });
  const cells = splitRow(lines[line] ?? '', delimiter);
  return { line: cells.some(isData) ? 0 : line + 1, delimiter };
}

/** Columns lined up with blanks, as text listings have them. */
function isFixedWidth(lines: readonly string[]): boolean {
  const filled = lines.filter(isFilled);
  if (filled.some((line) => /[\t;|]/.test(line))) return false;
  if (filled.some((line) => /^\s*[=-]{3,}( +[=-]{2,}){2,}\s*$/.test(line))) return true;
  const lined = filled.filter((line) => (line.trim().match(/\S {2,}(?=\S)/g) ?? []).length >= 2);
  const commas = filled.filter((line) => (line.match(/,/g) ?? []).length >= 2);
  return lined.length >= 2 && lined.length >= filled.length / 2 && commas.length < lined.length;
}

const fixedWidth = () =>
  new FileError(
    'The file is text with columns lined up by blanks, which cannot be told apart for sure: export ' +
      'it as CSV, or as text with tabs or semicolons between the columns.',
  );

const oneCell = () =>
  new FileError(
    'The lines of the file have one cell each: columns must be separated by commas, semicolons, tabs ' +
      'or bars. Export it as CSV.',
  );

const isDelimiterLine = (line: string): boolean => /^"?sep=.?"?$/i.test(line);

const isFilled = (text: string): boolean => text.trim() !== '';

/** The rows from a line on, up to one that cannot be read. */
function rowsOf(start: string, delimiter: string, firstLine: number): CsvRow[] {
  const rows: CsvRow[] = [];
  const reader = createCsvReader(
    () => delimiter,
    (row) => {
      if (rows.length < ROWS_LOOKED_AT) rows.push(row);
    },
    { firstLine },
  );
  try {
    reader.write(start);
    reader.end();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
  }
  return rows;
}
