import { COLUMNS_MAX } from './columns.ts';
import { LINES_MAX } from './csv-reader.ts';
import { FileError } from './file-error.ts';
import { decimalOf, isCanonical, wholeNumber, writeClock } from './number-bytes.ts';
import { clockMs, type NumberKind, shownNumber } from './number-formats.ts';
import { isBlank, type SharedTexts, SheetText } from './sheet-text.ts';
import type { Tag, Utf8, XmlReader } from './xml.ts';
import { brokenWorkbook } from './zip.ts';

/** Bytes of the sheet as text. */
export const SHEET_TEXT_MAX = 16 * 1_024 * 1_024;

/** What the cells of a workbook refer to. */
export type CellContext = {
  is1904: boolean;
  shared: SharedTexts;
  /** By the style of a cell. */
  kinds: readonly NumberKind[];
};

/** The numbers of filled and blank cells of a row. */
export type RowCells = { filled: number; blanks: number };

export const workbookTooLarge = () => FileError.of('workbook_too_large');

/** A formula whose value no program has computed. */
const UNKNOWN_VALUE = '=…';

/** The place of the value of a cell. */
type CellType = 'number' | 'shared' | 'text';

/**
 * Reads the rows of a sheet as text. A row becomes a line, with tabs between its cells.
 * @param onRow gets each row with the length of the text so far, and says whether the reading goes on
 */
export function createRowReader(
  { is1904, shared, kinds }: CellContext,
  onRow: (row: RowCells, length: number) => boolean,
) {
  const text = new SheetText();
  let row = 0;
  /** Cells of the longest row so far. A row with an earlier end has blank cells. */
  let width = 0;
  let filled = 0;
  /** The column of the latest filled cell. */
  let last = 0;
  let column = 0;
  let kind: NumberKind = 'number';
  let type: CellType = 'number';
  let [isRow, isFormula, hasValue, isOver] = [false, false, false, false];

  function startRow(tag: Tag): void {
    if (isRow) throw brokenWorkbook();
    const at = tag.find('r') ? wholeNumber(tag.bytes, tag.start, tag.end) : row + 1;
    if (!(at > row)) throw brokenWorkbook();
    if (at > LINES_MAX) throw FileError.of('too_many_lines', { most: LINES_MAX });
    text.addNewlines(at - row - 1);
    row = at;
    isRow = true;
    [filled, last, column] = [0, 0, 0];
  }

  function startCell(tag: Tag): void {
    [isFormula, hasValue] = [false, false];
    column = tag.find('r') ? columnOf(tag) : column + 1;
    type = tag.find('t') ? typeOf(tag) : 'number';
    kind = 'number';
    if (type === 'number' && tag.find('s'))
      kind = kinds[wholeNumber(tag.bytes, tag.start, tag.end)] ?? 'number';
  }

  /** Adds the blank cells before a filled cell. */
  function fill(): void {
    if (column > COLUMNS_MAX) throw FileError.of('row_too_wide', { most: COLUMNS_MAX });
    text.addTabs(last === 0 ? column - 1 : column - last);
    last = column;
    filled += 1;
  }

  function addText(value: Utf8): void {
    if (isBlank(value)) return;
    fill();
    text.addCell(value);
  }

  function addShared(index: number): void {
    if (shared.isEmpty(index)) return;
    fill();
    shared.copyTo(text, index);
  }

  function addNumber(value: Utf8): void {
    const timeMs = kind === 'time' ? clockMs(decimalOf(value)) : undefined;
    if (timeMs !== undefined) writeClock(value, timeMs);
    else if (kind !== 'number' || !isCanonical(value))
      value.set(shownNumber(value.toString(), kind, is1904));
    addText(value);
  }

  function endCell(value: Utf8): void {
    if (!isRow || (value.length === 0 && !isFormula)) return;
    if (column <= last) throw brokenWorkbook();
    if (isFormula && !hasValue) {
      value.set(UNKNOWN_VALUE);
      addText(value);
    } else if (type === 'shared') addShared(wholeNumber(value.bytes, 0, value.length));
    else if (type === 'number') addNumber(value);
    else addText(value);
    if (text.length > SHEET_TEXT_MAX) throw workbookTooLarge();
  }

  function endRow(): void {
    if (!isRow) return;
    isRow = false;
    width = Math.max(width, last);
    if (filled > 0) text.addTabs(width - last);
    text.addNewlines(1);
    isOver = !onRow({ filled, blanks: filled > 0 ? width - filled : 0 }, text.length);
  }

  return {
    text,
    get isOver() {
      return isOver;
    },
    reader: {
      open(name, tag) {
        if (isOver) return;
        if (name === 'row') startRow(tag);
        else if (name === 'c') startCell(tag);
        else if (name === 'f') isFormula = true;
        else if (name === 'v') hasValue = true;
      },
      close(name, value) {
        if (isOver) return;
        if (name === 'c') endCell(value);
        else if (name === 'row') endRow();
      },
    } satisfies XmlReader,
  };
}

const [LETTER_A, LETTERS] = ['A'.charCodeAt(0), 26];

/** The number of the column of a reference such as `AB12`. */
function columnOf({ bytes, start, end }: Tag): number {
  let column = 0;
  for (let at = start; at < end; at += 1) {
    const letter = (bytes[at] ?? 0) - LETTER_A;
    if (letter < 0 || letter >= LETTERS || column > COLUMNS_MAX) break;
    column = column * LETTERS + letter + 1;
  }
  if (column === 0) throw brokenWorkbook();
  return column;
}

const [LETTER_N, LETTER_S] = ['n'.charCodeAt(0), 's'.charCodeAt(0)];

/** Types are `n`, `s`, and several for texts. */
function typeOf({ bytes, start, end }: Tag): CellType {
  const letter = end - start === 1 ? bytes[start] : undefined;
  if (letter === LETTER_S) return 'shared';
  return letter === LETTER_N ? 'number' : 'text';
}
