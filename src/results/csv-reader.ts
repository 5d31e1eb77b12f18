import Papa from 'papaparse';
import { invalid } from '../errors.ts';

/** One row of a CSV file that has something in it. */
export type CsvRow = {
  /** Line of the file on which the row starts; the first line is 1. */
  line: number;
  cells: string[];
  /** The row's own text: `splitRow` gives the cells again. */
  source: string;
  /** A quoted cell goes on after its closing quote; the row is then one line, whatever it opened. */
  misquoted: boolean;
};

/** As UTF-8, and as it looks where the rest of the file turned out to be latin-1. */
const BYTE_ORDER_MARK = /^(\uFEFF|ï»¿)/;

/** A longer row is a quote that was never closed, on its way to swallow the rest of the file. */
const ROW_LENGTH_MAX = 65_536;

/** Every such line costs another look at what follows; a file with more of them is no CSV. */
const MISQUOTED_LINES_MAX = 100;

/** What Papa Parse's own parser hands out a row at a time; its types leave that open. */
type ParsedRow = { data: string[][]; errors: { code: string }[]; meta: { cursor: number } };

/**
 * Reads rows out of text that arrives in pieces.
 * @param chooseDelimiter is given the first line that is not blank
 * @throws ApiError VALIDATION_ERROR when a quoted cell never ends.
 */
export function createCsvReader(
  chooseDelimiter: (firstLine: string) => string,
  onRow: (row: CsvRow) => void,
) {
  let rest = '';
  let line = 1;
  let delimiter: string | undefined;
  let endedWithCr = false;
  let misquotedLines = 0;

  function readRows(isLastPiece: boolean): void {
    if (delimiter === undefined) {
      rest = rest.replace(BYTE_ORDER_MARK, '');
      delimiter = delimiterOf(rest);
    }
    if (delimiter !== undefined) {
      while (standsBeforeMisquotedRow(delimiter, isLastPiece)) readMisquotedLine(delimiter);
    }
    if (rest.length > ROW_LENGTH_MAX) throw neverEnds(line);
  }

  /** Reads all rows there are, but stops before one with a quote that ends amid a cell. */
  function standsBeforeMisquotedRow(by: string, isLastPiece: boolean): boolean {
    const text = rest;
    let start = 0;
    const unfinished = parse(
      text,
      by,
      !isLastPiece,
      ({ data: [cells = []], errors, meta }, stop) => {
        if (errors.length > 0) {
          if (!errors.some(isStrayQuote)) throw neverEnds(line);
          stop();
          return;
        }
        const source = text.slice(start, meta.cursor);
        if (source.length > ROW_LENGTH_MAX) throw neverEnds(line);
        start = meta.cursor;
        addRow({ line, cells, source, misquoted: false });
        line += newlinesIn(source);
      },
    );
    rest = text.slice(start);
    return (
      unfinished.stopped || (rest.length > ROW_LENGTH_MAX && unfinished.errors.some(isStrayQuote))
    );
  }

  /** Gives up one line, not all the rows that its stray quote would take in with it. */
  function readMisquotedLine(by: string): void {
    const end = rest.indexOf('\n') + 1;
    if (end === 0 || end > ROW_LENGTH_MAX) throw neverEnds(line);
    misquotedLines += 1;
    if (misquotedLines > MISQUOTED_LINES_MAX) {
      throw invalid(`More than ${MISQUOTED_LINES_MAX} lines up to ${line} have stray quotes.`);
    }
    const source = rest.slice(0, end);
    addRow({ line, cells: splitRow(source, by), source, misquoted: true });
    line += 1;
    rest = rest.slice(end);
  }

  function addRow(row: CsvRow): void {
    if (row.cells.some((cell) => cell.trim() !== '')) onRow(row);
  }

  function delimiterOf(text: string): string | undefined {
    const firstLine = /^\s*(\S[^\n]*)\n/.exec(text)?.[1];
    return firstLine === undefined ? undefined : chooseDelimiter(firstLine);
  }

  return {
    write(piece: string): void {
      // Only LF from here on, also where CR and LF come in two pieces.
      const text = endedWithCr && piece.startsWith('\n') ? piece.slice(1) : piece;
      if (piece !== '') endedWithCr = piece.endsWith('\r');
      rest += text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
      readRows(false);
    },

    end(): void {
      rest += '\n';
      readRows(true);
    },
  };
}

/** The cells of one row's text. */
export function splitRow(source: string, delimiter: string): string[] {
  let cells: string[] = [];
  parse(source.replace(/\n$/, ''), delimiter, false, ({ data: [row = []] }) => {
    cells = row;
  });
  return cells;
}

/** @returns how it ended: stopped by `step`, and what is wrong with a last row that was left */
function parse(
  text: string,
  delimiter: string,
  leaveLastRow: boolean,
  step: (row: ParsedRow, stop: () => void) => void,
): { stopped: boolean; errors: ParsedRow['errors'] } {
  const parser = new Papa.Parser({
    delimiter,
    newline: '\n',
    step: (row: ParsedRow) => step(row, () => parser.abort()),
  });
  const { errors, meta } = parser.parse(text, 0, leaveLastRow);
  return { stopped: meta.aborted, errors };
}

const isStrayQuote = ({ code }: { code: string }): boolean => code === 'InvalidQuotes';

const newlinesIn = (source: string): number =>
  source.includes('"') ? source.split('\n').length - 1 : 1;

const neverEnds = (line: number) =>
  invalid(
    `The row on line ${line} does not end: a quoted cell is never closed, or the row is longer ` +
      `than ${ROW_LENGTH_MAX} characters.`,
  );
