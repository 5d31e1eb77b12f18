import { bibOf, claimCells } from './claim.ts';
import { type Columns, echoCells, isRead, recognizeColumns } from './columns.ts';
import { type CsvRow, createCsvReader } from './csv-reader.ts';
import { sniffDelimiter } from './delimiter.ts';
import { decodeBlocks, type Encoding } from './encoding.ts';
import { FileError } from './file-error.ts';
import { PARAMETER_OF, type Parameters } from './parameters.ts';
import { parseRaceTime } from './race-time.ts';
import { RowError } from './reason-codes.ts';
import type { ClaimedResult, SentRow } from './result.ts';
import { hasDigit, mayHaveLetters, quoted } from './text.ts';

export const FILE_ROWS_MAX = 100_000;

/** A row below the header. The row's number is its first line. The first line is 1. */
export class FileRow implements SentRow {
  readonly columns: Columns;
  readonly csvRow: CsvRow;

  constructor(columns: Columns, csvRow: CsvRow) {
    this.columns = columns;
    this.csvRow = csvRow;
  }

  get row(): number {
    return this.csvRow.line;
  }

  /** As read from the file. */
  get cells(): readonly string[] {
    return this.csvRow.cells;
  }

  claim(): ClaimedResult {
    refuseMisread(this.csvRow, this.columns);
    refuseDifferentTwins(this.csvRow, this.columns);
    return claimCells(this.columns, this.csvRow.cells);
  }

  bib(): string | null {
    return bibOf(this.columns, this.csvRow.cells);
  }

  /** The cells as read, by column name. */
  echo(): Record<string, string> {
    return echoCells(this.columns, this.csvRow.cells);
  }
}

/**
 * The rows of a file: after each block the completed rows, and at the end the last rows. So the caller can pause
 * between two blocks, or add the next block.
 * @param encoding of the whole file, from `decideEncoding`
 * @throws FileError
 */
export function* readByBlock(
  blocks: readonly Uint8Array[],
  encoding: Encoding,
  parameters: Parameters,
): Generator<FileRow[]> {
  let rows: FileRow[] = [];
  let total = 0;
  let columns: Columns | undefined;

  function takeRow(row: CsvRow): void {
    if (!columns) {
      columns = columnsOf(row, parameters);
      if (parameters.headerLine !== 0) return;
    }
    if (isRead(columns, row)) rows.push(new FileRow(columns, row));
  }

  function taken(): FileRow[] {
    const read = rows;
    rows = [];
    total += read.length;
    if (total > FILE_ROWS_MAX) throw tooManyRows();
    return read;
  }

  const reader = createCsvReader(
    (text) => sniffDelimiter(text, parameters),
    takeRow,
    parameters.headerLine,
  );
  for (const text of decodeBlocks(blocks, encoding)) {
    reader.write(text);
    yield taken();
  }
  reader.end();
  if (!columns) throw noHeader(parameters);
  yield taken();
}

/** The rows of `readByBlock`, row by row, with a pause after each block. */
export function* readPaused(
  blocks: readonly Uint8Array[],
  encoding: Encoding,
  parameters: Parameters,
): Generator<FileRow | undefined> {
  for (const rows of readByBlock(blocks, encoding, parameters)) {
    yield* rows;
    yield;
  }
}

/** The rows of `readByBlock`, row by row. */
export function* readRows(
  blocks: readonly Uint8Array[],
  encoding: Encoding,
  parameters: Parameters,
): Generator<FileRow> {
  for (const rows of readByBlock(blocks, encoding, parameters)) yield* rows;
}

const tooManyRows = () => FileError.of('too_many_rows', { most: FILE_ROWS_MAX });

function columnsOf(row: CsvRow, parameters: Parameters): Columns {
  const { headerLine } = parameters;
  if (headerLine !== undefined && headerLine > 0 && row.line !== headerLine) {
    throw FileError.of('header_line_blank', { line: headerLine, next: row.line });
  }
  return recognizeColumns(row.cells, parameters);
}

function noHeader({ headerLine }: Parameters): FileError {
  return headerLine
    ? FileError.of('header_line_beyond', { line: headerLine })
    : FileError.of('empty');
}

/** Whether a cell is a remark behind the row: words without a number. */
const isRemark = (cell: string): boolean => mayHaveLetters(cell) && !hasDigit(cell);

/** Whether the times of a row cannot be the cells beside them, moved by the cells that are too many. */
function areInPlace(cells: readonly string[], { names, chipTime, gunTime }: Columns): boolean {
  const timeAt = (index: number) => parseRaceTime(cells[index] ?? '') !== undefined;
  const times = [...chipTime, ...gunTime].filter(timeAt);
  return times.length > 0 && !times.every((index) => timeAt(index + cells.length - names.length));
}

/** Two columns with a common name and different cells: nothing says which column is right. */
function refuseDifferentTwins({ line, cells }: CsvRow, columns: Columns): void {
  for (const { meaning, indexes } of columns.twins) {
    const filled = indexes.map((at) => (cells[at] ?? '').trim()).filter((cell) => cell !== '');
    if (filled.every((cell) => cell === filled[0])) continue;
    const numbers = indexes.map((at) => `${PARAMETER_OF[meaning]}=#${at + 1}`);
    throw FileError.of('twins_differ', {
      count: indexes.length,
      name: quoted(columns.names[indexes[0] ?? 0] ?? ''),
      line,
      numbers: numbers.join(' or '),
    });
  }
}

/** A row with shifted cells would put a wrong time on the board. */
function refuseMisread({ cells, misquoted }: CsvRow, columns: Columns): void {
  const { names } = columns;
  if (misquoted) throw new RowError('A quoted cell of the row goes on after its closing quote.');
  const beyond = cells.slice(names.length).filter((cell) => cell.trim() !== '');
  if (beyond.length > 0 && !(beyond.every(isRemark) && areInPlace(cells, columns))) {
    throw new RowError(
      `The row has ${cells.length} cells, but the header has ${names.length} columns.`,
    );
  }
}
