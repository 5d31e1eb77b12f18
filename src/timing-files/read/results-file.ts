import { bibOf, claimCells } from './claim.ts';
import { type Columns, echoCells, meets, recognizeColumns } from './columns.ts';
import { type CsvRow, createCsvReader } from './csv-reader.ts';
import { sniffDelimiter } from './delimiter.ts';
import { announcedEncoding, type Encoding, startDecoding } from './encoding.ts';
import { FileError } from './file-error.ts';
import { createKeptBytes } from './kept-bytes.ts';
import { PARAMETER_OF, type Parameters, PLAIN } from './parameters.ts';
import { RowError } from './reason-codes.ts';
import type { ClaimedResult } from './result.ts';
import { quoted } from './text.ts';

export const FILE_ROWS_MAX = 100_000;

/** A row below the header. */
export type FileRow = {
  /** Line of the file on which the row starts; the first line is 1. */
  row: number;
  /** As read from the file. */
  cells: readonly string[];
  columns: Columns;
  /** @throws RowError if the cells are not in the columns of the header, or cannot be read */
  claim(): ClaimedResult;
  /** The bib of the row, even if the row has errors. */
  bib(): string | null;
  /** The cells as read, by column name. */
  echo(): Record<string, string>;
};

/** Receives the rows of a file as they are read. */
type RowTaker = {
  add(row: FileRow): void;
  /** Discards all rows so far. The file has another encoding, and its rows come again. */
  startOver(): void;
};

/**
 * Reads a results file as its bytes arrive (contract section 4.7).
 * @returns a function that reads all rows again
 * @throws FileError
 */
export async function readResultsFile(
  file: AsyncIterable<Uint8Array>,
  taker: RowTaker,
  parameters = PLAIN,
): Promise<() => Generator<FileRow>> {
  const kept = createKeptBytes();
  let reader: FileReader | undefined;

  function readNext(block?: Uint8Array): void {
    reader ??= createFileReader(announcedEncoding(block ?? new Uint8Array()), parameters);
    let rows = reader.read(block);
    if (!rows && parameters.encoding === undefined) {
      taker.startOver();
      reader = createFileReader('windows-1252', parameters);
      for (const before of kept.read()) take(reader.read(before));
      rows = block ? [] : reader.read();
    }
    take(rows);
  }

  function take(rows: FileRow[] | undefined): void {
    if (!rows) throw notIn(reader?.encoding);
    for (const row of rows) taker.add(row);
  }

  for await (const bytes of file) {
    for (const block of kept.push(bytes)) readNext(block);
  }
  readNext(kept.end());
  readNext();
  const { encoding = 'utf-8' } = reader ?? {};
  return () => readBlocks(kept.read(), encoding, parameters);
}

const notIn = (encoding: Encoding = '') =>
  new FileError(
    `The bytes of the file are not ${encoding}: name another encoding, such as windows-1252.`,
  );

/**
 * All rows of a file whose encoding is known.
 * @throws FileError
 */
export function* readBlocks(
  blocks: Iterable<Uint8Array>,
  encoding: Encoding,
  parameters: Parameters,
): Generator<FileRow> {
  for (const rows of readByBlock(blocks, encoding, parameters)) yield* rows;
}

/** The same rows, those of each block together, so that the caller can pause between two blocks. */
export function* readByBlock(
  blocks: Iterable<Uint8Array>,
  encoding: Encoding,
  parameters: Parameters,
): Generator<FileRow[]> {
  const reader = createFileReader(encoding, parameters);
  for (const block of [...blocks, undefined]) {
    const rows = reader.read(block);
    if (!rows) throw notIn(reader.encoding);
    yield rows;
  }
}

type FileReader = ReturnType<typeof createFileReader>;

/** @param decided the encoding of the file, unless a parameter names it */
function createFileReader(decided: Encoding, parameters: Parameters) {
  const encoding = parameters.encoding ?? decided;
  const decoding = startDecoding(encoding);
  let read: FileRow[] = [];
  let total = 0;
  let columns: Columns | undefined;
  let start = '';

  function takeRow(row: CsvRow): void {
    if (!columns) {
      columns = columnsOf(row, parameters, start);
      if (parameters.headerLine !== 0) return;
    }
    if (meets(columns.where, row.cells)) read.push(toFileRow(columns, row, start));
  }

  const reader = createCsvReader((text) => sniffDelimiter(text, parameters), takeRow, {
    firstLine: parameters.headerLine || 1,
    onStart: (text) => {
      start = text;
    },
  });
  return {
    encoding,
    /**
     * @param block the next bytes; undefined at the end of the file
     * @returns the rows that they complete; undefined if they are not in this encoding
     */
    read(block?: Uint8Array): FileRow[] | undefined {
      const text = block ? decoding.decode(block) : decoding.end();
      if (text === undefined) return undefined;
      reader.write(text);
      if (!block) {
        reader.end();
        if (!columns) throw noHeader(parameters);
      }
      const rows = read;
      read = [];
      total += rows.length;
      if (total > FILE_ROWS_MAX) throw tooManyRows();
      return rows;
    },
  };
}

const tooManyRows = () =>
  new FileError(`The file has more than ${FILE_ROWS_MAX} rows; upload it in parts.`);

function columnsOf(row: CsvRow, parameters: Parameters, start: string): Columns {
  const { headerLine } = parameters;
  if (headerLine !== undefined && headerLine > 0 && row.line !== headerLine) {
    throw new FileError(
      `header_line is ${headerLine}, but that line is blank: the next line with text is ${row.line}.`,
    );
  }
  try {
    return recognizeColumns(row.cells, parameters);
  } catch (error) {
    if (!(error instanceof FileError) || error.lack === undefined) throw error;
    throw new FileError(error.message, error.lack, start);
  }
}

function noHeader({ headerLine }: Parameters): FileError {
  return headerLine
    ? new FileError(`header_line is ${headerLine}, but the file has fewer lines.`)
    : new FileError('The file is empty: it has no header line.');
}

export const toFileRow = (columns: Columns, row: CsvRow, start: string): FileRow => ({
  row: row.line,
  cells: row.cells,
  columns,
  claim() {
    refuseMisread(row, columns);
    refuseDifferentTwins(row, columns, start);
    return claimCells(columns, row.cells);
  },
  bib: () => bibOf(columns, row.cells),
  echo: () => echoCells(columns, row.cells),
});

/** Nothing says which of two columns with one name and different cells is the right one. */
function refuseDifferentTwins({ line, cells }: CsvRow, columns: Columns, start: string): void {
  for (const { meaning, indexes } of columns.twins) {
    const filled = indexes.map((at) => (cells[at] ?? '').trim()).filter((cell) => cell !== '');
    if (filled.every((cell) => cell === filled[0])) continue;
    const queries = indexes.map((at) => `?${PARAMETER_OF[meaning]}=%23${at + 1}`);
    throw new FileError(
      `${indexes.length} columns are named ${quoted(columns.names[indexes[0] ?? 0] ?? '')}, and their cells ` +
        `differ on line ${line}: name one of them by its number, as in ${queries.join(' or ')}.`,
      'columns_differ',
      start,
    );
  }
}

/** A row with shifted cells would put a wrong time on the board. */
function refuseMisread({ cells, misquoted }: CsvRow, { names }: Columns): void {
  if (misquoted) throw new RowError('A quoted cell of the row goes on after its closing quote.');
  if (cells.slice(names.length).some((cell) => cell.trim() !== '')) {
    throw new RowError(
      `The row has ${cells.length} cells, but the header has ${names.length} columns.`,
    );
  }
}
