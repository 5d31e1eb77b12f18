/** A quoted cell, which needs no guard. */
export class QuotedCell {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value of a file. A further object is written as JSON. */
type Cell = string | number | boolean | null | object | QuotedCell;

/** A spreadsheet runs a text with one of these first signs as a formula. In East Asia, so do the wide signs. */
const SIGN = '[=+\\-@＝＋－＠]';
/** Spreadsheets split lines at these signs, also inside quotes that do not begin a cell. */
const DELIMITER = '[,;\\t|\\r\\n]';
/** The signs that a spreadsheet may skip before a formula. */
const BLANK = '(?:[^\\S\\t\\r\\n]|")';

const FORMULA = new RegExp(`(^|${DELIMITER})(${BLANK}*)(?='*${SIGN})`, 'g');
const GUARDED_FORMULA = new RegExp(`(^|${DELIMITER})(${BLANK}*)'(?='*${SIGN})`, 'g');
/** Most texts need no guard and no quotes. Seeing so is faster than replacing nothing. */
const PLAIN = /^[^\s"'=+\-@＝＋－＠,;|]([^",;\t|\r\n]*[^\s",;|])?$/;
/** Without one of these signs, a text needs no guard. */
const GUARDED_FOR = new RegExp(`${SIGN}|[\\t\\r]`);
/** A tab or a line end at the start is as good as a sign. */
const START = /^(?='*[\t\r])/;
const GUARDED_START = /^'(?='*[\t\r])/;

/**
 * A text that is no formula in any program, at whatever signs the program splits lines: an apostrophe precedes each
 * sign that would begin a formula, and each apostrophe of the text before such a sign.
 */
export const guarded = (text: string): string =>
  PLAIN.test(text) || !GUARDED_FOR.test(text)
    ? text
    : text.replace(FORMULA, "$1$2'").replace(START, "'");

/** The text given to `guarded`. */
export const unguarded = (text: string): string =>
  text.replace(GUARDED_START, '').replace(GUARDED_FORMULA, '$1$2');

const textOf = (cell: Cell): string => {
  if (cell === null) return '';
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
};

/** Blanks at an end are quoted, because some readers drop them. */
const QUOTED = /[",\r\n]|^\s|\s$/;

const quoted = (text: string, delimiter: string): string =>
  text.includes(delimiter) || QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

const cellOf = (cell: Cell, delimiter: string): string => {
  if (typeof cell === 'number') return String(cell);
  if (cell instanceof QuotedCell) return cell.text;
  const text = textOf(cell);
  return PLAIN.test(text) ? text : quoted(guarded(text), delimiter);
};

/** A line of a file for people: a spreadsheet runs no cell. */
export function csvLine(cells: readonly Cell[], delimiter = ','): string {
  let line = '';
  cells.forEach((cell, at) => {
    line += at === 0 ? cellOf(cell, delimiter) : delimiter + cellOf(cell, delimiter);
  });
  return `${line}\r\n`;
}

/** A line for programs alone: the texts stay unchanged. */
export const plainCsvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => quoted(cell, ',')).join()}\n`;

/** Excel reads a file without this mark in Excel's own encoding. */
export const BYTE_ORDER_MARK = '\uFEFF';
