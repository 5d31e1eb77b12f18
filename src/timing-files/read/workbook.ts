import { FileError } from './file-error.ts';
import { kindOfBuiltIn, kindOfCode, type NumberKind } from './number-formats.ts';
import {
  type CellContext,
  createRowReader,
  type RowCells,
  workbookTooLarge,
} from './sheet-rows.ts';
import { SharedTexts } from './sheet-text.ts';
import { cutTo, quoted } from './text.ts';
import { giveWay } from './turns.ts';
import { createXmlParser, type XmlReader } from './xml.ts';
import { brokenWorkbook, readZip, unpack, type ZipEntry } from './zip.ts';

const MIB = 1_024 * 1_024;

/**
 * The maximum of unpacked bytes of all parts of a workbook. Real workbooks are packed to a tenth, so a small workbook
 * always costs little.
 */
const unpackedMax = (length: number): number => Math.min(64 * MIB, 8 * MIB + 40 * length);
/**
 * The maximum of tags and entities of all parts. A tag costs time, also a tag without content. A cell has four tags and
 * a row two more: 80 000 rows of ten cells have 3.4 million.
 */
const TAGS_MAX = 3_400_000;
/** Concurrent requests go on after so many unpacked bytes, and before each part. */
const TURN_BYTES = 256 * 1_024;

const SHEETS_MAX = 100;
const SHEET_NAME_LENGTH = 100;
/** Excel refuses more styles of cells. Nobody has so many formats. */
const [STYLES_MAX, FORMATS_MAX] = [65_490, 5_000];
/** The maximum of shared texts of cells, and of their bytes together. */
const [SHARED_MAX, SHARED_LENGTH_MAX] = [500_000, 8 * MIB];
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
  cells: CellContext;
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
  // A broken character becomes U+FFFD.
  const decoder = new TextDecoder();
  let blanks = 0;
  const spend = (row: RowCells) => {
    blanks += row.blanks - BLANKS_PER_CELL * row.filled;
    if (blanks > MIB) throw workbookTooLarge();
    return true;
  };
  for await (const block of readRows(workbook, sheet, spend)) {
    grow(block.length);
    yield decoder.decode(block, { stream: true });
  }
}

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
  const cells = { is1904, shared, kinds: await readStyles(read) };
  return { sheets, hidden, cells, parsePart };
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
    if (total + entry.size > most) throw workbookTooLarge();
    const parse = createXmlParser(reader);
    let untilTurn = 0;
    for await (const piece of unpack(entry)) {
      total += piece.length;
      untilTurn -= piece.length;
      if (untilTurn < 0) {
        await giveWay();
        untilTurn = TURN_BYTES;
      }
      grow(piece.length);
      tags += parse(piece);
      if (tags > TAGS_MAX) throw workbookTooLarge();
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
      if (name === 'workbookPr') is1904 = isTrue(tag.attribute('date1904'));
      if (name !== 'sheet') return;
      if (list.length === SHEETS_MAX) throw FileError.of('too_many_sheets', { most: SHEETS_MAX });
      list.push({
        name: cutTo(SHEET_NAME_LENGTH, tag.attribute('name') ?? ''),
        id: tag.attribute('r:id') ?? '',
        isHidden: (tag.attribute('state') ?? 'visible') !== 'visible',
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
      const id = tag.attribute('Id') ?? '';
      if (!wanted.has(id)) return;
      const target = tag.attribute('Target') ?? '';
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

async function readSharedTexts(read: PartReader): Promise<SharedTexts> {
  const texts = new SharedTexts();
  await read('sharedStrings.xml', {
    close(name, text) {
      if (name !== 'si') return;
      if (texts.count === SHARED_MAX) throw FileError.of('too_many_texts', { most: SHARED_MAX });
      texts.add(text);
      if (texts.length > SHARED_LENGTH_MAX) throw workbookTooLarge();
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
      const id = tag.attribute('numFmtId') ?? '';
      if (name === 'numFmt') {
        if (codes.size === FORMATS_MAX)
          throw FileError.of('too_many_formats', { most: FORMATS_MAX });
        codes.set(id, kindOfCode(tag.attribute('formatCode') ?? ''));
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
  let rows = 0;
  let lines = 0;
  const look = ({ filled }: RowCells, length: number) => {
    lines += 1;
    if (filled > 1) rows += 1;
    return rows < START_ROWS && lines <= START_LAST_ROW && length <= START_LENGTH;
  };
  const decoder = new TextDecoder();
  let text = '';
  for await (const block of readRows(workbook, sheet, look))
    text += decoder.decode(block, { stream: true });
  return { name: sheet.name, rows, text: cutTo(START_LENGTH, text) };
}

/** The text of a sheet, in blocks, until `onRow` ends the reading. */
async function* readRows(
  { cells, parsePart }: Workbook,
  { entry }: Sheet,
  onRow: (row: RowCells, length: number) => boolean,
): AsyncGenerator<Uint8Array> {
  const rows = createRowReader(cells, onRow);
  for await (const _ of parsePart(entry, rows.reader)) {
    yield* rows.text.take();
    if (rows.isOver) break;
  }
  yield* rows.text.take(true);
}
