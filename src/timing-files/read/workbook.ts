import { COLUMNS_MAX } from './columns.ts';
import { FileError } from './file-error.ts';
import { kindOfBuiltIn, kindOfCode, type NumberKind, shownNumber } from './number-formats.ts';
import { quoted } from './text.ts';
import { attributeOf, createXmlParser, type XmlReader } from './xml.ts';
import { brokenWorkbook, readZip, unpack, type ZipEntry } from './zip.ts';

const MIB = 1_024 * 1_024;

/**
 * Bytes that the parts of a workbook may have together when they are unpacked. Real workbooks are packed to a tenth,
 * so a small one always costs little.
 */
const unpackedMax = (length: number): number => Math.min(96 * MIB, 8 * MIB + 100 * length);
/** Characters of all texts that the cells share. */
const SHARED_MAX = 8 * MIB;
/** Characters of the sheet as text. */
export const SHEET_TEXT_MAX = 16 * MIB;
/** A sheet may have so many blank cells for each filled one, and a million more. */
const BLANKS_PER_CELL = 8;
const ROWS_MAX = 1_048_576;

/** Files that are archives too, by a file inside. */
const OTHER_ARCHIVES: readonly [inside: string, what: string][] = [
  ['content.xml', 'an OpenDocument spreadsheet (.ods): save it as .xlsx or CSV'],
  ['xl/workbook.bin', 'a binary workbook (.xlsb): save it as .xlsx or CSV'],
  ['Index/Document.iwa', 'a Numbers document: export it as .xlsx or CSV'],
  ['word/document.xml', 'a text document: save its table as .xlsx or CSV'],
];

type Sheet = { name: string; entry: ZipEntry };

type Workbook = {
  sheets: Sheet[];
  is1904: boolean;
  shared: string[];
  /** By the style of a cell. */
  kinds: NumberKind[];
  unpackPart: (entry: ZipEntry) => AsyncGenerator<Uint8Array>;
};

/**
 * A sheet as text with tabs between its cells. Each row of the sheet is one line, so that a line of the text is
 * the row of the sheet. Formulas are not evaluated: a cell has the value that was saved.
 * @param wanted a sheet by name or `#number`. Without it, the first one with a table
 * @throws FileError
 */
export async function* readWorkbook(bytes: Uint8Array, wanted?: string): AsyncGenerator<string> {
  const workbook = await openWorkbook(bytes);
  const sheet = wanted?.trim() ? named(workbook.sheets, wanted) : await withTable(workbook);
  const spend = createBudget();
  for await (const lines of readLines(workbook, sheet)) {
    for (const line of lines) spend(line);
    yield lines.map(({ text }) => text).join('');
  }
}

/** Bounds the text of lines, and the blank cells, which cost time though a file need not have them. */
function createBudget(): (line: Line) => void {
  let length = 0;
  let blanks = 0;
  return (line) => {
    length += line.text.length;
    blanks += line.blanks - BLANKS_PER_CELL * line.cells;
    if (length > SHEET_TEXT_MAX || blanks > MIB) throw tooLarge();
  };
}

const tooLarge = () =>
  new FileError(
    'The workbook is too large: remove columns and sheets, or send the results in parts.',
  );

const tooWide = () =>
  new FileError(
    `A row of the workbook has a cell behind column ${COLUMNS_MAX}, which is the last one that is read: remove it.`,
  );

async function openWorkbook(bytes: Uint8Array): Promise<Workbook> {
  const entries = readZip(bytes);
  let unpacked = 0;
  async function* unpackPart(entry: ZipEntry): AsyncGenerator<Uint8Array> {
    for await (const piece of unpack(entry)) {
      unpacked += piece.length;
      if (unpacked > unpackedMax(bytes.length)) throw tooLarge();
      yield piece;
    }
  }
  const path = [...entries.keys()].find((name) => name.endsWith('/workbook.xml'));
  if (path === undefined) throw noWorkbook(entries);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const read: PartReader = async (name, reader) => {
    const parse = createXmlParser(reader);
    const entry = entries.get(folder + name);
    if (entry) for await (const piece of unpackPart(entry)) parse(piece);
  };

  const { list, is1904 } = await readList(read);
  const targets = await readTargets(read, folder);
  const sheets = list.flatMap(({ name, id }) => {
    const entry = entries.get(targets.get(id) ?? '');
    return entry ? [{ name, entry }] : [];
  });
  if (sheets.length === 0) throw brokenWorkbook();
  const shared = await readSharedTexts(read);
  return { sheets, is1904, shared, kinds: await readStyles(read), unpackPart };
}

/** Reads a part of the workbook, if it has the part. */
type PartReader = (name: string, reader: XmlReader) => Promise<void>;

/** The names of the sheets, and whether days are counted from 1904. */
async function readList(read: PartReader) {
  const list: { name: string; id: string }[] = [];
  let is1904 = false;
  await read('workbook.xml', {
    open(name, tag) {
      if (name === 'workbookPr') is1904 = isTrue(attributeOf(tag, 'date1904'));
      if (name === 'sheet') {
        list.push({ name: attributeOf(tag, 'name') ?? '', id: attributeOf(tag, 'r:id') ?? '' });
      }
    },
  });
  return { list, is1904 };
}

/** The files of the parts by their ids. */
async function readTargets(read: PartReader, folder: string): Promise<Map<string, string>> {
  const targets = new Map<string, string>();
  await read('_rels/workbook.xml.rels', {
    open(name, tag) {
      if (name !== 'Relationship') return;
      const target = attributeOf(tag, 'Target') ?? '';
      const file = target.startsWith('/') ? target.slice(1) : folder + target;
      targets.set(attributeOf(tag, 'Id') ?? '', file);
    },
  });
  return targets;
}

const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true';

function noWorkbook(entries: ReadonlyMap<string, ZipEntry>): FileError {
  const other = OTHER_ARCHIVES.find(([inside]) => entries.has(inside));
  return new FileError(
    `The file is ${other?.[1] ?? 'an archive: send the CSV or the workbook (.xlsx) itself'}.`,
  );
}

/** The texts that cells share. */
async function readSharedTexts(read: PartReader): Promise<string[]> {
  const texts: string[] = [];
  let length = 0;
  await read('sharedStrings.xml', {
    close(name, text) {
      if (name !== 'si') return;
      length += text.length + 1;
      if (length > SHARED_MAX) throw tooLarge();
      texts.push(text);
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
      if (name === 'numFmt') codes.set(id, kindOfCode(attributeOf(tag, 'formatCode') ?? ''));
      if (name === 'cellXfs') isOfCells = true;
      if (name === 'xf' && isOfCells) kinds.push(codes.get(id) ?? kindOfBuiltIn(Number(id)));
    },
    close(name) {
      if (name === 'cellXfs') isOfCells = false;
    },
  });
  return kinds;
}

function named(sheets: readonly Sheet[], wanted: string): Sheet {
  const name = wanted.trim();
  const key = name.toLowerCase();
  const sheet =
    sheets.find((one) => one.name.trim().toLowerCase() === key) ??
    (name.startsWith('#') ? sheets[Number(name.slice(1)) - 1] : undefined);
  if (sheet) return sheet;
  const names = sheets.slice(0, 20).map((one) => quoted(one.name));
  throw new FileError(
    `The workbook has no sheet ${quoted(name)} (parameter sheet). Its sheets: ${names.join(', ')}.`,
  );
}

/** The first sheet with two rows of several cells or, without one, with a row of them. */
async function withTable(workbook: Workbook): Promise<Sheet> {
  let header: Sheet | undefined;
  // One for all sheets: a small file can have many.
  const spend = createBudget();
  for (const sheet of workbook.sheets) {
    let rows = 0;
    for await (const lines of readLines(workbook, sheet)) {
      for (const line of lines) spend(line);
      rows += lines.filter(({ cells }) => cells > 1).length;
      if (rows > 1) return sheet;
    }
    if (rows === 1) header ??= sheet;
  }
  if (header) return header;
  throw new FileError('No sheet of the workbook has a table of results.');
}

/** A line of text, and how many of its cells are filled and blank. */
type Line = { text: string; cells: number; blanks: number };

/** The lines of a sheet, in one list for each unpacked piece. */
async function* readLines(workbook: Workbook, { entry }: Sheet): AsyncGenerator<Line[]> {
  const lines: Line[] = [];
  const parse = createXmlParser(createRowReader(workbook, lines));
  for await (const piece of workbook.unpackPart(entry)) {
    parse(piece);
    yield lines.splice(0);
  }
}

/** @param lines gets each row that ends, and the blank rows before it */
function createRowReader(workbook: Workbook, lines: Line[]): XmlReader {
  let row = 0;
  /** Cells of the longest row so far. A row that ends earlier has blank cells. */
  let width = 0;
  let cells: string[] = [];
  let column = 0;
  let tag = '';

  function startRow(opened: string): void {
    const number = Number(attributeOf(opened, 'r') ?? row + 1);
    if (!(number > row && number <= ROWS_MAX)) throw brokenWorkbook();
    const skipped = number - row - 1;
    if (skipped > 0) lines.push({ text: '\n'.repeat(skipped), cells: 0, blanks: 0 });
    row = number;
    cells = [];
    column = 0;
  }

  function startCell(opened: string): void {
    tag = opened;
    const reference = attributeOf(opened, 'r');
    column = reference === undefined ? column + 1 : columnOf(reference);
  }

  function endCell(value: string): void {
    const text = shown(value, tag, workbook);
    if (text.trim() === '') return;
    if (column > COLUMNS_MAX) throw tooWide();
    cells[column - 1] = text;
  }

  return {
    open(name, opened) {
      if (name === 'row') startRow(opened);
      if (name === 'c') startCell(opened);
    },
    close(name, text) {
      if (name === 'c') endCell(text);
      if (name !== 'row') return;
      width = Math.max(width, cells.length);
      lines.push(lineOf(cells, width));
    },
  };
}

/** @param cells without those that are blank */
function lineOf(cells: readonly string[], width: number): Line {
  let text = '';
  let last = 0;
  let filled = 0;
  cells.forEach((cell, at) => {
    text += '\t'.repeat(at - last) + escaped(cell);
    last = at;
    filled += 1;
  });
  if (filled > 0) text += '\t'.repeat(width - 1 - last);
  return { text: `${text}\n`, cells: filled, blanks: filled > 0 ? width - filled : 0 };
}

const [LETTER_A, LETTERS] = ['A'.charCodeAt(0), 26];

/** The number of the column of a reference such as `AB12`. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of reference) {
    const at = letter.charCodeAt(0) - LETTER_A;
    if (at < 0 || at >= LETTERS || column > COLUMNS_MAX) break;
    column = column * LETTERS + at + 1;
  }
  if (column === 0) throw brokenWorkbook();
  return column;
}

/** The text of a cell. A text stays as it stands, and a number is shown by its format. */
function shown(value: string, tag: string, { shared, kinds, is1904 }: Workbook): string {
  const type = attributeOf(tag, 't') ?? 'n';
  if (type === 's') return shared[Number(value)] ?? '';
  if (type !== 'n') return value;
  return shownNumber(value, kinds[Number(attributeOf(tag, 's') ?? 0)] ?? 'number', is1904);
}

/** A cell without the signs that end it or its row. */
function escaped(cell: string): string {
  const line = cell.replaceAll('\r', ' ').replaceAll('\n', ' ').replaceAll('\t', ' ');
  return line.includes('"') ? `"${line.replaceAll('"', '""')}"` : line;
}
