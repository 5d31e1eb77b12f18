import Papa from 'papaparse';
import { invalid } from '../errors.ts';

/** One row of a CSV file that has something in it. */
export type CsvRow = {
  /** Line of the file on which the row starts; the first line is 1. */
  line: number;
  cells: string[];
  /** The row's own text: `splitRow` gives the cells again. */
  source: string;
  /** A quoted cell goes on after its quote: it may have swallowed what stands behind it. */
  misquoted: boolean;
};

/** A longer row is a quote that was never closed, on its way to swallow the rest of the file. */
const ROW_LENGTH_MAX = 65_536;

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

  function readRows(isLastPiece: boolean): void {
    delimiter ??= delimiterOf(rest);
    if (delimiter !== undefined) {
      const text = rest;
      let start = 0;
      parse(text, delimiter, !isLastPiece, ({ data: [cells = []], errors, meta }) => {
        if (errors.some(({ code }) => code === 'MissingQuotes')) throw neverEnds(line);
        const source = text.slice(start, meta.cursor);
        start = meta.cursor;
        if (cells.some((cell) => cell.trim() !== '')) {
          onRow({ line, cells, source, misquoted: errors.length > 0 });
        }
        line += newlinesIn(source);
      });
      rest = text.slice(start);
    }
    if (rest.length > ROW_LENGTH_MAX) throw neverEnds(line);
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

function parse(
  text: string,
  delimiter: string,
  leaveLastRow: boolean,
  step: (row: ParsedRow) => void,
): void {
  new Papa.Parser({ delimiter, newline: '\n', step }).parse(text, 0, leaveLastRow);
}

const newlinesIn = (source: string): number =>
  source.includes('"') ? source.split('\n').length - 1 : 1;

const neverEnds = (line: number) =>
  invalid(
    `The row on line ${line} does not end: a quoted cell is never closed, or the row is longer ` +
      `than ${ROW_LENGTH_MAX} characters.`,
  );
