import { COLUMNS_MAX } from './columns.ts';
import { LINES_MAX } from './csv-reader.ts';
import { FileError } from './file-error.ts';
import { kindOfBuiltIn, kindOfCode, type NumberKind, shownNumber } from './number-formats.ts';
import { copied, cutTo, quoted } from './text.ts';
import { giveWay } from './turns.ts';
import { attributeOf, createXmlParser, type XmlReader } from './xml.ts';
import { brokenWorkbook, readZip, unpack, type ZipEntry } from './zip.ts';

const MIB = 1_024 * 1_024;

/**
 * The maximum of unpacked bytes of all parts of a workbook. Real workbooks are packed to a tenth, so a small workbook
 * always costs little.
 */
const unpackedMax = (length: number): number => Math.min(64 * MIB, 8 * MIB + 40 * length);
/**
 * The maximum of tags and entities of all parts. A tag costs time, also a tag without content. 100 000 rows of ten
 * cells have 4.2 million tags.
 */
const TAGS_MAX = 4_400_000;
/** Concurrent requests go on after so many unpacked bytes, and before each part. */
const TURN_BYTES = 256 * 1_024;

const SHEETS_MAX = 100;
const SHEET_NAME_LENGTH = 100;
/** Excel refuses more styles of cells. Nobody has so many formats. */
const [STYLES_MAX, FORMATS_MAX] = [65_490, 5_000];
/** The maximum of shared texts of cells, and of their characters together. */
const [SHARED_MAX, SHARED_LENGTH_MAX] = [500_000, 8 * MIB];
/** Characters of the sheet as text. */
export const SHEET_TEXT_MAX = 16 * MIB;
/** A sheet may have so many blank cells for each filled cell, and a million more. */
const BLANKS_PER_CELL = 8;
/** The rows of a sheet for a person's choice, the last of these rows, and their characters. */
const [START_ROWS, START_LAST_ROW, START_LENGTH] = [30, 1_000, 65_536];

/** Files that are also archives, by a file inside. */
const OTHER_ARCHIVES = [
  ['content.xml', 'open_document'],
  ['xl/workbook.bin', 'binary_workbook'],
  ['Index/Document.iwa', 'numbers_document'],
  ['word/document.xml', 'text_document'],
] as const;

/** A visible sheet. */
type Sheet = { name: string; entry: ZipEntry };

type Workbook = {
  sheets: Sheet[];
  hidden: string[];
  is1904: boolean;
  shared: string[];
  /** By the style of a cell. */
  kinds: NumberKind[];
  parsePart: PartParser;
};

/** The start of a sheet, for recognizing its content. */
export type SheetStart = {
  name: string;
  /** How many of the first rows have several cells. */
  rows: number;
  /** The text of the first rows, in the form of the whole sheet. */
  text: string;
  /** Whether this sheet is read. */
  isRead: boolean;
};

/** A caller's listeners during the reading of a workbook. */
export type WorkbookWatch = {
  /** Gets the number of bytes of each part, and of text, before they are kept. The listener may throw. */
  grow?: (bytes: number) => void;
  /** Gets all visible sheets, if several exist and the query names none. */
  onSheets?: (sheets: readonly SheetStart[]) => void;
};

/**
 * A sheet as text with tabs between cells. Each row of the sheet is a line of the text, so both have the same number.
 * Formulas are not evaluated: a cell has the saved value. A hidden sheet is never read.
 * @param wanted a sheet by name or `#number`. By default, the first sheet with a table
 * @throws FileError
 */
export async function* readWorkbook(
  bytes: Uint8Array,
  wanted?: string,
  { grow = () => {}, onSheets = () => {} }: WorkbookWatch = {},
): AsyncGenerator<string> {
  const workbook = await openWorkbook(bytes, grow);
  const sheet = wanted?.trim() ? named(workbook, wanted) : await withTable(workbook, onSheets);
  const spend = createBudget();
  for await (const lines of readLines(workbook, sheet)) {
    for (const line of lines) spend(line);
    const text = lines.map((line) => line.text).join('');
    grow(text.length);
    yield text;
  }
}

/** Bounds the text of lines, and the blank cells, which cost time although a file need not store blank cells. */
function createBudget(): (line: Line) => void {
  let length = 0;
  let blanks = 0;
  return (line) => {
    length += line.text.length;
    blanks += line.blanks - BLANKS_PER_CELL * line.cells;
    if (length > SHEET_TEXT_MAX || blanks > MIB) throw tooLarge();
  };
}

const tooLarge = () => FileError.of('workbook_too_large');

async function openWorkbook(bytes: Uint8Array, grow: (bytes: number) => void): Promise<Workbook> {
  const entries = readZip(bytes);
  const parsePart = createPartParser(unpackedMax(bytes.length), grow);
  const path = [...entries.keys()].find((name) => name.endsWith('/workbook.xml'));
  if (path === undefined) throw noWorkbook(entries);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const read: PartReader = async (name, reader) => {
    const entry = entries.get(folder + name);
    if (!entry) return;
    for await (const _ of parsePart(entry, reader)) {
      // The reader has taken the piece.
    }
  };

  const { list, is1904 } = await readList(read);
  const targets = await readTargets(read, folder, new Set(list.map(({ id }) => id)));
  const listed = list.flatMap(({ name, id, isHidden }) => {
    const entry = entries.get(targets.get(id) ?? '');
    return entry ? [{ name, entry, isHidden }] : [];
  });
  const sheets = listed.filter(({ isHidden }) => !isHidden);
  if (sheets.length === 0)
    throw listed.length > 0 ? FileError.of('all_sheets_hidden') : brokenWorkbook();
  const hidden = listed.filter(({ isHidden }) => isHidden).map(({ name }) => name);
  const shared = await readSharedTexts(read);
  return { sheets, hidden, is1904, shared, kinds: await readStyles(read), parsePart };
}

/** Unpacks and parses a part, and pauses after each unpacked piece. */
type PartParser = (entry: ZipEntry, reader: XmlReader) => AsyncGenerator<void>;

/**
 * Reads parts. A part that would unpack to too much is refused before the unpacking.
 * @param most bytes of all parts together
 */
function createPartParser(most: number, grow: (bytes: number) => void): PartParser {
  let [total, tags] = [0, 0];
  return async function* parsePart(entry, reader) {
    if (total + entry.size > most) throw tooLarge();
    const parse = createXmlParser(reader);
    let untilTurn = 0;
    for (const piece of unpack(entry)) {
      total += piece.length;
      untilTurn -= piece.length;
      if (untilTurn < 0) {
        await giveWay();
        untilTurn = TURN_BYTES;
      }
      grow(piece.length);
      tags += parse(piece);
      if (tags > TAGS_MAX) throw tooLarge();
      yield;
    }
  };
}

/** Reads a part of the workbook, if the part exists. */
type PartReader = (name: string, reader: XmlReader) => Promise<void>;

type Listed = { name: string; id: string; isHidden: boolean };

/** The sheets in their order, and whether days are counted from 1904. */
async function readList(read: PartReader) {
  const list: Listed[] = [];
  let is1904 = false;
  await read('workbook.xml', {
    open(name, tag) {
      if (name === 'workbookPr') is1904 = isTrue(attributeOf(tag, 'date1904'));
      if (name !== 'sheet') return;
      if (list.length === SHEETS_MAX) throw FileError.of('too_many_sheets', { most: SHEETS_MAX });
      list.push({
        name: cutTo(SHEET_NAME_LENGTH, attributeOf(tag, 'name') ?? ''),
        id: attributeOf(tag, 'r:id') ?? '',
        isHidden: (attributeOf(tag, 'state') ?? 'visible') !== 'visible',
      });
    },
  });
  return { list, is1904 };
}

/**
 * The files of the sheets by their ids.
 * @param wanted the ids of the sheets. Further relationships are not kept
 */
async function readTargets(
  read: PartReader,
  folder: string,
  wanted: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const targets = new Map<string, string>();
  await read('_rels/workbook.xml.rels', {
    open(name, tag) {
      if (name !== 'Relationship') return;
      const id = attributeOf(tag, 'Id') ?? '';
      if (!wanted.has(id)) return;
      const target = attributeOf(tag, 'Target') ?? '';
      targets.set(id, target.startsWith('/') ? target.slice(1) : folder + target);
    },
  });
  return targets;
}

const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true';

function noWorkbook(entries: ReadonlyMap<string, ZipEntry>): FileError {
  const other = OTHER_ARCHIVES.find(([inside]) => entries.has(inside));
  return FileError.of(other?.[1] ?? 'archive');
}

async function readSharedTexts(read: PartReader): Promise<string[]> {
  const texts: string[] = [];
  let length = 0;
  await read('sharedStrings.xml', {
    close(name, text) {
      if (name !== 'si') return;
      length += text.length;
      if (length > SHARED_LENGTH_MAX) throw tooLarge();
      if (texts.length === SHARED_MAX) throw FileError.of('too_many_texts', { most: SHARED_MAX });
      texts.push(copied(text));
    },
  });
  return texts;
}

/** The number format of each style. */
async function readStyles(read: PartReader): Promise<NumberKind[]> {
  const codes = new Map<string, NumberKind>();
  const kinds: NumberKind[] = [];
  let isOfCells = false;
  await read('styles.xml', {
    open(name, tag) {
      const id = attributeOf(tag, 'numFmtId') ?? '';
      if (name === 'numFmt') {
        if (codes.size === FORMATS_MAX)
          throw FileError.of('too_many_formats', { most: FORMATS_MAX });
        codes.set(copied(id), kindOfCode(attributeOf(tag, 'formatCode') ?? ''));
      }
      if (name === 'cellXfs') isOfCells = true;
      if (name === 'xf' && isOfCells) {
        if (kinds.length === STYLES_MAX)
          throw FileError.of('too_many_styles', { most: STYLES_MAX });
        kinds.push(codes.get(id) ?? kindOfBuiltIn(Number(id)));
      }
    },
    close(name) {
      if (name === 'cellXfs') isOfCells = false;
    },
  });
  return kinds;
}

function named({ sheets, hidden }: Workbook, wanted: string): Sheet {
  const key = wanted.trim().toLowerCase();
  const isWanted = (name: string) => name.trim().toLowerCase() === key;
  const sheet =
    sheets.find(({ name }) => isWanted(name)) ??
    (key.startsWith('#') ? sheets[Number(key.slice(1)) - 1] : undefined);
  if (sheet) return sheet;
  const names = sheets.slice(0, 20).map(({ name }) => quoted(name));
  throw FileError.of(hidden.some(isWanted) ? 'sheet_hidden' : 'no_such_sheet', {
    sheet: quoted(wanted),
    sheets: names.join(', '),
  });
}

/** The first sheet with two rows of several cells or, without such a sheet, with a row of several cells. */
async function withTable(
  workbook: Workbook,
  onSheets: (sheets: readonly SheetStart[]) => void,
): Promise<Sheet> {
  const { sheets } = workbook;
  const starts: Omit<SheetStart, 'isRead'>[] = [];
  for (const sheet of sheets) starts.push(await startOf(workbook, sheet));
  const read = starts.find(({ rows }) => rows > 1) ?? starts.find(({ rows }) => rows === 1);
  const sheet = read && sheets[starts.indexOf(read)];
  if (starts.length > 1) onSheets(starts.map((one) => ({ ...one, isRead: one === read })));
  if (sheet) return sheet;
  throw FileError.of('no_sheet_with_table');
}

async function startOf(workbook: Workbook, sheet: Sheet): Promise<Omit<SheetStart, 'isRead'>> {
  let text = '';
  let rows = 0;
  let lastRow = 0;
  for await (const lines of readLines(workbook, sheet)) {
    for (const line of lines) {
      text += line.text;
      lastRow += 1;
      if (line.cells > 1) rows += 1;
      if (rows === START_ROWS || lastRow > START_LAST_ROW || text.length > START_LENGTH) {
        return { name: sheet.name, rows, text: cutTo(START_LENGTH, text) };
      }
    }
  }
  return { name: sheet.name, rows, text };
}

/** A line of text, with the numbers of its filled and blank cells. */
type Line = { text: string; cells: number; blanks: number };

/** The lines of a sheet, in a list for each unpacked piece. */
async function* readLines(workbook: Workbook, { entry }: Sheet): AsyncGenerator<Line[]> {
  const lines: Line[] = [];
  for await (const _ of workbook.parsePart(entry, createRowReader(workbook, lines)))
    yield lines.splice(0);
}

/** A formula whose value no program has computed. */
const UNKNOWN_VALUE = '=…';

/** @param lines gets each ended row, and the blank rows before */
function createRowReader(workbook: Workbook, lines: Line[]): XmlReader {
  let row = 0;
  /** Cells of the longest row so far. A row with an earlier end has blank cells. */
  let width = 0;
  let cells: string[] = [];
  let filled = 0;
  let column = 0;
  let tag = '';
  let [isFormula, hasValue] = [false, false];

  function startRow(opened: string): void {
    const number = Number(attributeOf(opened, 'r') ?? row + 1);
    if (!(number > row)) throw brokenWorkbook();
    if (number > LINES_MAX) throw FileError.of('too_many_lines', { most: LINES_MAX });
    const skipped = number - row - 1;
    if (skipped > 0) lines.push({ text: '\n'.repeat(skipped), cells: 0, blanks: 0 });
    row = number;
    cells = [];
    filled = 0;
    column = 0;
  }

  function startCell(opened: string): void {
    tag = opened;
    [isFormula, hasValue] = [false, false];
    const reference = attributeOf(opened, 'r');
    column = reference === undefined ? column + 1 : columnOf(reference);
  }

  function endCell(value: string): void {
    if (value === '' && !isFormula) return;
    if (cells[column - 1] !== undefined) throw brokenWorkbook();
    const text = isFormula && !hasValue ? UNKNOWN_VALUE : shown(value, tag, workbook);
    if (text.trim() === '') return;
    if (column > COLUMNS_MAX) throw FileError.of('row_too_wide', { most: COLUMNS_MAX });
    cells[column - 1] = escaped(text);
    filled += 1;
  }

  return {
    open(name, opened) {
      if (name === 'row') startRow(opened);
      if (name === 'c') startCell(opened);
      isFormula ||= name === 'f';
      hasValue ||= name === 'v';
    },
    close(name, text) {
      if (name === 'c') endCell(text);
      if (name !== 'row') return;
      width = Math.max(width, cells.length);
      const blanks = filled > 0 ? width - filled : 0;
      const end = filled > 0 ? width - cells.length : 0;
      lines.push({ text: `${cells.join('\t')}${'\t'.repeat(end)}\n`, cells: filled, blanks });
    },
  };
}

const [LETTER_A, LETTERS] = ['A'.charCodeAt(0), 26];

/** The number of the column of a reference such as `AB12`. */
function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length; at += 1) {
    const letter = reference.charCodeAt(at) - LETTER_A;
    if (letter < 0 || letter >= LETTERS || column > COLUMNS_MAX) break;
    column = column * LETTERS + letter + 1;
  }
  if (column === 0) throw brokenWorkbook();
  return column;
}

/** The text of a cell. A text stays unchanged, and a number is shown in its format. */
function shown(value: string, tag: string, { shared, kinds, is1904 }: Workbook): string {
  const type = attributeOf(tag, 't') ?? 'n';
  if (type === 's') return shared[Number(value)] ?? '';
  if (type !== 'n') return value;
  return shownNumber(value, kinds[Number(attributeOf(tag, 's') ?? 0)] ?? 'number', is1904);
}

const PLAIN_LENGTH_MAX = 64;
const [BLANK, QUOTE] = [' '.charCodeAt(0), '"'.charCodeAt(0)];

/** A cell without the signs that end a cell or a row. */
function escaped(cell: string): string {
  // Looking at each character is faster, and almost every cell is short.
  let isPlain = cell.length < PLAIN_LENGTH_MAX;
  for (let at = 0; isPlain && at < cell.length; at += 1) {
    const code = cell.charCodeAt(at);
    isPlain = code >= BLANK && code !== QUOTE;
  }
  if (isPlain) return cell;
  const line = cell.replaceAll('\r', ' ').replaceAll('\n', ' ').replaceAll('\t', ' ');
  return line.includes('"') ? `"${line.replaceAll('"', '""')}"` : line;
}
