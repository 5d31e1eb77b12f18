import Papa from 'papaparse';
import { unguarded } from '../write/csv.ts';
import { ownFile } from '../write/own-files.ts';
import { FileError } from './file-error.ts';
import { Pattern } from './pattern.ts';

/** A row of a CSV file, not blank. */
export type CsvRow = {
  /** Line of the file on which the row starts; the first line is 1. */
  line: number;
  cells: string[];
  /** Whether text follows the closing quote of a quoted cell. The row is then a single line of the file. */
  misquoted: boolean;
};

/** The mark of UTF-8, and its bytes read as latin-1. */
const BYTE_ORDER_MARKS = ['\uFEFF', 'ï»¿'];

export function withoutByteOrderMark(text: string): string {
  const mark = BYTE_ORDER_MARKS.find((one) => text.startsWith(one)) ?? '';
  return text.slice(mark.length);
}

/** Newlines of all systems as LF. */
export const withLineFeeds = (text: string): string =>
  text.includes('\r') ? text.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : text;

/** Excel writes `sep=;` above the header to name the delimiter. */
const DELIMITER_LINE = new Pattern(/^"?sep=(.?)"?$/i);

/** The delimiter named in the first line of a text; undefined if the first line names none. */
export function namedDelimiter(text: string): string | undefined {
  const end = text.indexOf('\n');
  return DELIMITER_LINE.groups(end < 0 ? text : text.slice(0, end))[1];
}

export const DELIMITERS = [',', ';', '\t', '|'];

/** A longer row has a quote without an end, which would take in the rest of the file. */
const ROW_LENGTH_MAX = 65_536;

/** The maximum of a spreadsheet, blank rows included. Each blank row costs as much as a short row. */
export const LINES_MAX = 1_048_576;

/** After each such line the text behind the line is parsed again. A file with more such lines is no CSV. */
const MISQUOTED_LINES_MAX = 100;

/** The answer of Papa Parse's own parser, which has no types. */
type Parsed = {
  data: string[][];
  /** `row` is an index into `data`, or the length of `data` for a last row outside `data`. */
  errors: { code: string; row: number }[];
  /** The end of the last row. */
  meta: { cursor: number };
};

/**
 * Reads rows out of text in pieces.
 * @param chooseDelimiter receives the start of the text, from the first line with text on
 * @param firstLine the line of the header or the first row. The lines above are skipped
 * @throws FileError if a quoted cell never ends
 */
export function createCsvReader(
  chooseDelimiter: (start: string) => string,
  onRow: (row: CsvRow) => void,
  firstLine = 1,
) {
  let rest = '';
  /** The number of the next line. */
  let line = 1;
  let delimiter: string | undefined;
  let endedWithCr = false;
  let misquotedLines = 0;
  /** Whether our API has written the file. The texts are then restored, without the guard against formulas. */
  let isOwn: boolean | undefined;

  /** Reads a window of the text. The longest row fits into a window, so each row ends in some window. */
  function readWindow(isLast: boolean): void {
    if (delimiter === undefined && readStart()) return;
    const text = rest.slice(0, ROW_LENGTH_MAX);
    delimiter ??= delimiterOf(text);
    if (delimiter === undefined) {
      if (!isLast) throw neverEnds(line);
      rest = '';
      return;
    }
    const parsed = parse(text, { delimiter, leaveLastRow: !isLast });
    const [error] = parsed.errors;
    if (error?.row === 0) {
      if (!parsed.errors.some(isStrayQuote)) throw neverEnds(line);
      readMisquotedLine(text, delimiter);
      return;
    }
    // The rows before a stray quote are parsed once more without the quoted row: only so is their end known.
    const { data, meta } = error ? parse(text, { delimiter, preview: error.row }) : parsed;
    if (meta.cursor === 0) throw neverEnds(line);
    addRows(data, text.includes('"'));
    if (line > LINES_MAX + 1) throw FileError.of('too_many_lines', { most: LINES_MAX });
    rest = rest.slice(meta.cursor);
  }

  /** Skips a byte order mark, a line with the delimiter's name, and title lines. */
  function readStart(): boolean {
    const length = rest.length;
    rest = withoutByteOrderMark(rest);
    delimiter = DELIMITERS.find((one) => one === namedDelimiter(rest));
    skip(delimiter === undefined ? 0 : 1);
    skip(firstLine - line);
    return rest.length < length;
  }

  function skip(lines: number): void {
    for (let left = lines; left > 0 && rest !== ''; left -= 1) {
      const end = rest.indexOf('\n') + 1;
      if (end === 0) throw neverEnds(line);
      rest = rest.slice(end);
      line += 1;
    }
  }

  /** Reads a line alone, so that a stray quote takes in no further rows. */
  function readMisquotedLine(text: string, by: string): void {
    const end = text.indexOf('\n') + 1;
    if (end === 0) throw neverEnds(line);
    misquotedLines += 1;
    if (misquotedLines > MISQUOTED_LINES_MAX) {
      throw FileError.of('stray_quotes', { most: MISQUOTED_LINES_MAX, line });
    }
    addRow({ line, cells: splitRow(text.slice(0, end - 1), by), misquoted: true });
    line += 1;
    rest = rest.slice(end);
  }

  function addRows(rows: string[][], mayHaveNewlines: boolean): void {
    for (const cells of rows) {
      addRow({ line, cells, misquoted: false });
      line += mayHaveNewlines ? linesOf(cells) : 1;
    }
  }

  function addRow(row: CsvRow): void {
    if (!row.cells.some((cell) => cell.trim() !== '')) return;
    // The first row has the names of the columns.
    isOwn ??= ownFile(row.cells.map(unguarded)) !== undefined;
    if (isOwn) row.cells = row.cells.map(unguarded);
    else {
      // An iterator makes an object for each cell.
      for (let at = 0; at < row.cells.length; at += 1) {
        const cell = row.cells[at] ?? '';
        const first = cell.charCodeAt(0);
        if (first === EQUALS || first === APOSTROPHE) row.cells[at] = unwrapped(cell);
      }
    }
    onRow(row);
  }

  function delimiterOf(text: string): string | undefined {
    const start = text.trimStart();
    return start.includes('\n') ? chooseDelimiter(start) : undefined;
  }

  return {
    write(piece: string): void {
      // Newlines become LF, also if CR and LF come in two pieces.
      const text = endedWithCr && piece.startsWith('\n') ? piece.slice(1) : piece;
      if (piece !== '') endedWithCr = piece.endsWith('\r');
      rest += withLineFeeds(text);
      while (rest.length >= ROW_LENGTH_MAX) readWindow(false);
    },

    end(): void {
      if (!rest.endsWith('\n')) rest += '\n';
      while (rest !== '') readWindow(rest.length <= ROW_LENGTH_MAX);
    },
  };
}

const [EQUALS, APOSTROPHE] = ['='.charCodeAt(0), "'".charCodeAt(0)];
const FORMULA = new Pattern(/^="([^"]*)"$/);
const MARKED_TEXT = new Pattern(/^'(\d[^']*)$/);

/** The text of a cell in a form that keeps the text from becoming a number: `="0012"`, `'0012`. */
const unwrapped = (cell: string): string =>
  FORMULA.groups(cell)[1] ?? MARKED_TEXT.groups(cell)[1] ?? cell;

/** The cells of the first row of a text. A quoted cell may have newlines. */
export const splitRow = (source: string, delimiter: string): string[] =>
  parse(source, { delimiter, preview: 1 }).data[0] ?? [];

function parse(
  text: string,
  options: { delimiter: string; leaveLastRow?: boolean; preview?: number },
): Parsed {
  const { leaveLastRow = false, ...config } = options;
  const parsed: Parsed = new Papa.Parser({ newline: '\n', ...config }).parse(text, 0, leaveLastRow);
  const isWhole = !leaveLastRow && config.preview === undefined && parsed.errors.length === 0;
  // Behind the last line end, Papa Parse finds an empty row.
  if (isWhole && text.endsWith('\n')) parsed.data.pop();
  return parsed;
}

const isStrayQuote = ({ code }: { code: string }): boolean => code === 'InvalidQuotes';

/** The lines of a row. Quoted cells may contain newlines. */
const linesOf = (cells: readonly string[]): number =>
  cells.reduce(
    (lines, cell) => (cell.includes('\n') ? lines + cell.split('\n').length - 1 : lines),
    1,
  );

export const neverEnds = (line: number): FileError =>
  FileError.of('row_never_ends', { line, most: ROW_LENGTH_MAX });
