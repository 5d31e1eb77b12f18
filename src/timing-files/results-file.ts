import { bibOf, claimCells } from './claim.ts';
import { type Columns, echoCells, recognizeColumns } from './columns.ts';
import { type CsvRow, createCsvReader } from './csv-reader.ts';
import { sniffDelimiter } from './delimiter.ts';
import { announcedEncoding, type Encoding, startDecoding } from './encoding.ts';
import { FileError } from './file-error.ts';
import { createKeptBytes } from './kept-bytes.ts';
import { type Parameters, PLAIN } from './parameters.ts';
import { RowError } from './reason-codes.ts';
import { explainRefusal } from './refusal.ts';
import type { ClaimedResult } from './result.ts';

export const FILE_ROWS_MAX = 100_000;

/** A row below the header. */
export type FileRow = {
  /** Line of the file on which the row starts; the first line is 1. */
  row: number;
  /** As they were read. */
  cells: readonly string[];
  /** @throws RowError where its cells are not where the header says. */
  claim(): ClaimedResult;
  /** The bib that the row names, whatever else is wrong with it. */
  bib(): string | null;
  /** The cells as they were read, by their columns' names. */
  echo(): Record<string, string>;
};

/** Takes the rows of a file as they are read. */
export type RowTaker = {
  add(row: FileRow): void;
  /** The encoding was not what it seemed: all rows so far are void, and come once more. */
  startOver(): void;
};

/**
 * Reads a results file as its bytes arrive (contract section 4.7).
 * @returns what reads all its rows once more
 * @throws FileError
 */
export async function readResultsFile(
  file: AsyncIterable<Uint8Array>,
  taker: RowTaker,
  parameters = PLAIN,
): Promise<() => Generator<FileRow>> {
  const kept = createKeptBytes();
  let reading: Reading | undefined;

  function readBlock(bytes: Uint8Array): void {
    reading ??= startReading(announcedEncoding(bytes), taker, parameters);
    if (!reading.read(bytes)) readAsLatin1();
  }

  function readAsLatin1(): void {
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
  const encoding = reading?.encoding ?? 'utf-8';
  return () => readBlocks(kept.read(), encoding, parameters);
}

type Reading = ReturnType<typeof startReading>;

/** Both methods return false where the bytes are not in this encoding. */
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
      if (total === 0) throw rows.whyEmpty();
      return true;
    },
  };
}

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
  const decoding = startDecoding(encoding);
  const rows = createFileRows(parameters);
  let total = 0;
  function* counted(read: FileRow[]): Generator<FileRow> {
    total += read.length;
    if (total > FILE_ROWS_MAX) throw tooManyRows();
    yield* read;
  }
  for (const bytes of blocks) yield* counted(rows.write(decoding.decode(bytes) ?? ''));
  yield* counted(rows.end(decoding.end() ?? ''));
  if (total === 0) throw rows.whyEmpty();
}

/** Text in pieces → the rows that each piece completes. */
function createFileRows(parameters: Parameters) {
  let read: FileRow[] = [];
  let columns: Columns | undefined;
  let start = '';
  let skipped = 0;
  const seen = new Set<string>();

  function takeRow(row: CsvRow): void {
    if (!columns) {
      columns = columnsOf(row, parameters, start);
      if (parameters.headerLine !== 0) return;
    }
    if (isWanted(columns, row.cells, seen)) read.push(fileRow(columns, row));
    else skipped += 1;
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
    /** Why there is no row, where there is none. */
    whyEmpty: (): FileError =>
      skipped === 0
        ? new FileError(
            'The file has a header line and no row below it: it holds no results.',
            'no_rows',
          )
        : new FileError(
            `None of the ${skipped} rows is as ${parameters.where.map((one) => `where=${one}`).join(' and ')} ` +
              `says. These columns hold: ${[...seen].join(', ')}.`,
            'no_rows',
          ),
  };
}

function columnsOf(row: CsvRow, parameters: Parameters, start: string): Columns {
  const { headerLine } = parameters;
  if (headerLine !== undefined && headerLine > 0 && row.line !== headerLine) {
    throw new FileError(
      `header_line is ${headerLine}, and that line is blank: the next with text is ${row.line}.`,
    );
  }
  try {
    return recognizeColumns(row.cells, parameters);
  } catch (error) {
    throw error instanceof FileError ? explainRefusal(error, start, parameters) : error;
  }
}

function noHeader({ headerLine }: Parameters): FileError {
  return headerLine
    ? new FileError(`header_line is ${headerLine}, and the file has fewer lines.`)
    : new FileError('The file is empty: it has no header line.');
}

/** Some values of the columns that choose rows, for the error where they choose none. */
const VALUES_SHOWN = 10;

function isWanted({ where }: Columns, cells: string[], seen: Set<string>): boolean {
  return where.every(({ index, values }) => {
    const cell = (cells[index] ?? '').trim();
    if (values.has(cell.toLowerCase())) return true;
    if (seen.size < VALUES_SHOWN) seen.add(cell.slice(0, 40));
    return false;
  });
}

const fileRow = (columns: Columns, row: CsvRow): FileRow => ({
  row: row.line,
  cells: row.cells,
  claim() {
    refuseMisread(row, columns);
    return claimCells(columns, row.cells);
  },
  bib: () => bibOf(columns, row.cells),
  echo: () => echoCells(columns, row.cells),
});

/** A row whose cells are not where the header says would put a wrong time on the board. */
function refuseMisread({ cells, misquoted }: CsvRow, { names }: Columns): void {
  if (misquoted) throw new RowError('A quoted cell of the row goes on after its closing quote.');
  if (cells.slice(names.length).some((cell) => cell.trim() !== '')) {
    throw new RowError(`The row has ${cells.length} cells, the header ${names.length} columns.`);
  }
}
