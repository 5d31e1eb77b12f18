/** A cell that is in quotes already, and needs no guard. */
export class QuotedCell {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value of a file. Any other object is written as JSON. */
type Cell = string | number | boolean | null | object | QuotedCell;

/** A spreadsheet runs a text that begins with one of them as a formula. In East Asia also with the wide ones. */
const SIGN = '[=+\\-@＝＋－＠]';
/** Spreadsheets split lines at these, also inside quotes that do not begin a cell for them. */
const DELIMITER = '[,;\\t|\\r\\n]';
/** What a spreadsheet may leave out before a formula. */
const BLANK = '(?:[^\\S\\t\\r\\n]|")';

const FORMULA = new RegExp(`(^|${DELIMITER})(${BLANK}*)(?='*${SIGN})`, 'g');
const GUARDED_FORMULA = new RegExp(`(^|${DELIMITER})(${BLANK}*)'(?='*${SIGN})`, 'g');
/** Most texts have nothing that is guarded or quoted. To see it is faster than to replace nothing. */
const PLAIN = /^[^\s"'=+\-@＝＋－＠,;|]([^",;\t|\r\n]*[^\s",;|])?$/;
/** Without one of these, nothing is guarded. */
const GUARDED_FOR = new RegExp(`${SIGN}|[\\t\\r]`);
/** A tab or a line end at the start is as good as a sign. */
const START = /^(?='*[\t\r])/;
const GUARDED_START = /^'(?='*[\t\r])/;

/**
 * A text that is no formula in any program that opens the file, whatever it splits lines at: an apostrophe stands
 * before each sign that would begin one, and before the apostrophes of the text itself that stand there.
 */
export const guarded = (text: string): string =>
  PLAIN.test(text) || !GUARDED_FOR.test(text)
    ? text
    : text.replace(FORMULA, "$1$2'").replace(START, "'");

/** The text that `guarded` was given. */
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

/** A line of a file that people open: a spreadsheet runs nothing in it. */
export function csvLine(cells: readonly Cell[], delimiter = ','): string {
  let line = '';
  cells.forEach((cell, at) => {
    line += at === 0 ? cellOf(cell, delimiter) : delimiter + cellOf(cell, delimiter);
  });
  return `${line}\r\n`;
}

/** A line that a program alone reads: its texts are as they are. */
export const plainCsvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => quoted(cell, ',')).join()}\n`;

/** Excel takes a file without it for one in its own encoding. */
export const BYTE_ORDER_MARK = '\uFEFF';
