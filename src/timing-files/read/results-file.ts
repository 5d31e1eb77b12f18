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
  const { encoding } = parameters;
  const kept = createKeptBytes();
  let reading: Reading | undefined;

  function readBlock(bytes: Uint8Array): void {
    reading ??= startReading(encoding ?? announcedEncoding(bytes), taker, parameters);
    if (!reading.read(bytes)) readAsLatin1();
  }

  function readAsLatin1(): void {
    if (parameters.encoding !== undefined) throw notIn(parameters.encoding);
    taker.startOver();
    reading = startReading('windows-1252', taker, parameters);
    for (const bytes of kept.read()) reading.read(bytes);
  }

  for await (const bytes of file) {
    for (const block of kept.push(bytes)) readBlock(block);
  }
  readBlock(kept.end());
  if (reading?.end() === false) {
    readAsLatin1();
    reading.end();
  }
  const read = reading?.encoding ?? 'utf-8';
  return () => readBlocks(kept.read(), read, parameters);
}

type Reading = ReturnType<typeof startReading>;

/** Both methods return false if the bytes are not in this encoding. */
function startReading(encoding: Encoding, taker: RowTaker, parameters: Parameters) {
  const decoding = startDecoding(encoding);
  const rows = createFileRows(parameters);
  let total = 0;

  function add(read: FileRow[]): void {
    total += read.length;
    if (total > FILE_ROWS_MAX) throw tooManyRows();
    for (const row of read) taker.add(row);
  }

  return {
    encoding,
    read(bytes: Uint8Array): boolean {
      const text = decoding.decode(bytes);
      if (text === undefined) return false;
      add(rows.write(text));
      return true;
    },
    end(): boolean {
      const text = decoding.end();
      if (text === undefined) return false;
      add(rows.end(text));
      return true;
    },
  };
}

const notIn = (encoding: Encoding) =>
  new FileError(
    `The bytes of the file are not ${encoding}: name another encoding, such as windows-1252.`,
  );

const tooManyRows = () =>
  new FileError(`The file has more than ${FILE_ROWS_MAX} rows; upload it in parts.`);

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
  const decoding = startDecoding(parameters.encoding ?? encoding);
  const rows = createFileRows(parameters);
  let total = 0;
  function counted(read: FileRow[]): FileRow[] {
    total += read.length;
    if (total > FILE_ROWS_MAX) throw tooManyRows();
    return read;
  }
  const decoded = (text: string | undefined): string => {
    if (text === undefined) throw notIn(encoding);
    return text;
  };
  for (const bytes of blocks) yield counted(rows.write(decoded(decoding.decode(bytes))));
  yield counted(rows.end(decoded(decoding.end())));
}

/** Reads rows from text in pieces. Each call returns the rows that its piece completes. */
function createFileRows(parameters: Parameters) {
  let read: FileRow[] = [];
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
  function take(): FileRow[] {
    const taken = read;
    read = [];
    return taken;
  }
  return {
    write(text: string): FileRow[] {
      reader.write(text);
      return take();
    },
    end(text: string): FileRow[] {
      reader.write(text);
      reader.end();
      if (!columns) throw noHeader(parameters);
      return take();
    },
  };
}

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
