import Papa from 'papaparse';
import { FileError } from './file-error.ts';

/** One row of a CSV file that has something in it. */
export type CsvRow = {
  /** Line of the file on which the row starts; the first line is 1. */
  line: number;
  cells: string[];
  /** A quoted cell goes on after its closing quote; the row is then one line, whatever it opened. */
  misquoted: boolean;
};

/** As UTF-8, and as it looks where the rest of the file turned out to be latin-1. */
export const BYTE_ORDER_MARK = /^(\uFEFF|ï»¿)/;

/** What Excel writes above the header, and reads, to name the delimiter: `sep=;`. */
const DELIMITER_LINE = /^"?sep=([,;\t|])"?\n/i;

/** A longer row is a quote that was never closed, on its way to swallow the rest of the file. */
const ROW_LENGTH_MAX = 65_536;

/** Every such line costs another look at what follows; a file with more of them is no CSV. */
const MISQUOTED_LINES_MAX = 100;

/** What Papa Parse's own parser answers; its types leave that open. */
type Parsed = {
  data: string[][];
  /** `row` is an index into `data`, or the one after its last: a row that was left. */
  errors: { code: string; row: number }[];
  /** Where the last row ends. */
  meta: { cursor: number };
};

type ReaderOptions = {
  /** Where the header or the first row stands; what is above it is passed over. */
  firstLine?: number;
  /** Is given the complete lines with which the text begins, before any of them is read. */
  onStart?: (start: string) => void;
};

/**
 * Reads rows out of text that arrives in pieces.
 * @param chooseDelimiter is given the start of the text, from its first line that is not blank
 * @throws FileError where a quoted cell never ends.
 */
export function createCsvReader(
  chooseDelimiter: (start: string) => string,
  onRow: (row: CsvRow) => void,
  { firstLine = 1, onStart }: ReaderOptions = {},
) {
  let rest = '';
  let line = 1;
  let delimiter: string | undefined;
  let endedWithCr = false;
  let misquotedLines = 0;
  let isStarted = false;

  /** Reads what it can of as much text as one row may have, so that each row ends in some window. */
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
    // The rows before a stray quote are read by themselves: only then is it known where they end.
    const { data, meta } = error ? parse(text, { delimiter, preview: error.row }) : parsed;
    if (meta.cursor === 0) throw neverEnds(line);
    addRows(data, text.includes('"'));
    rest = rest.slice(meta.cursor);
  }

  /** Takes away what is no row: a byte order mark, a line that names the delimiter, title lines. */
  function readStart(): boolean {
    if (!isStarted) onStart?.(rest.slice(0, rest.lastIndexOf('\n') + 1));
    isStarted = true;
    const length = rest.length;
    rest = rest.replace(BYTE_ORDER_MARK, '');
    const [named, by] = DELIMITER_LINE.exec(rest) ?? [''];
    delimiter = by;
    skip(named === '' ? 0 : 1);
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

  /** Gives up one line, not all the rows that its stray quote would take in with it. */
  function readMisquotedLine(text: string, by: string): void {
    const end = text.indexOf('\n') + 1;
    if (end === 0) throw neverEnds(line);
    misquotedLines += 1;
    if (misquotedLines > MISQUOTED_LINES_MAX) {
      throw new FileError(
        `More than ${MISQUOTED_LINES_MAX} lines up to ${line} have stray quotes.`,
      );
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
    if (row.cells.some((cell) => cell.trim() !== '')) onRow(row);
  }

  function delimiterOf(text: string): string | undefined {
    const from = text.search(/\S/);
    return text.indexOf('\n', from) < 0 || from < 0 ? undefined : chooseDelimiter(text.slice(from));
  }

  return {
    write(piece: string): void {
      // Only LF from here on, also where CR and LF come in two pieces.
      const text = endedWithCr && piece.startsWith('\n') ? piece.slice(1) : piece;
      if (piece !== '') endedWithCr = piece.endsWith('\r');
      rest += text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
      while (rest.length >= ROW_LENGTH_MAX) readWindow(false);
    },

    end(): void {
      rest += '\n';
      while (rest !== '') readWindow(rest.length <= ROW_LENGTH_MAX);
    },
  };
}

/** The cells of one row's text. */
export const splitRow = (source: string, delimiter: string): string[] =>
  parse(source, { delimiter }).data[0] ?? [];

function parse(
  text: string,
  options: { delimiter: string; leaveLastRow?: boolean; preview?: number },
): Parsed {
  const { leaveLastRow = false, ...config } = options;
  return new Papa.Parser({ newline: '\n', ...config }).parse(text, 0, leaveLastRow);
}

const isStrayQuote = ({ code }: { code: string }): boolean => code === 'InvalidQuotes';

/** Quoted cells can have newlines in them. */
const linesOf = (cells: readonly string[]): number =>
  cells.reduce(
    (lines, cell) => (cell.includes('\n') ? lines + cell.split('\n').length - 1 : lines),
    1,
  );

const neverEnds = (line: number) =>
  new FileError(
    `The row on line ${line} does not end: a quoted cell is never closed, or the row is longer ` +
      `than ${ROW_LENGTH_MAX} characters.`,
  );
