import { invalid } from '../errors.ts';
import { type Batch, type BatchBuilder, createBatchBuilder } from './batch.ts';
import {
  type Columns,
  claimCells,
  echoCells,
  recognizeColumns,
  recognizedMeanings,
} from './csv-columns.ts';
import { type CsvRow, createCsvReader, splitRow } from './csv-reader.ts';
import { judge, RowError } from './judge.ts';
import { ROWS_PER_CSV_UPLOAD } from './schemas.ts';

const DELIMITERS = [',', ';', '\t', '|'];

/**
 * The batch that a CSV file holds (contract section 4.7), judged row by row as the file arrives.
 * @throws ApiError VALIDATION_ERROR where the file as a whole cannot be read as results.
 */
export async function readCsvBatch(file: AsyncIterable<Uint8Array>): Promise<Batch> {
  const seen: Uint8Array[] = [];
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  let rows = createCsvRows();
  let isUtf8 = true;
  // Bytes 0x80 to 0x9F, unused in latin-1 proper, are read as Windows writes them.
  const latin1 = new TextDecoder('windows-1252');

  for await (const bytes of file) {
    if (seen.length === 0) refuseUtf16(bytes);
    seen.push(bytes);
    if (!isUtf8) {
      rows.write(latin1.decode(bytes, { stream: true }));
      continue;
    }
    const text = decode(utf8, bytes);
    if (text !== undefined) {
      rows.write(text);
      continue;
    }
    isUtf8 = false;
    rows = replay(seen, latin1);
  }
  if (isUtf8 && decode(utf8) === undefined) rows = replay(seen, latin1);
  return rows.finish();
}

/** What seemed UTF-8 so far is not: the file is latin-1 from its first byte. */
function replay(seen: Uint8Array[], latin1: TextDecoder): CsvRows {
  const rows = createCsvRows();
  for (const bytes of seen) rows.write(latin1.decode(bytes, { stream: true }));
  return rows;
}

function decode(utf8: TextDecoder, bytes?: Uint8Array): string | undefined {
  try {
    return bytes ? utf8.decode(bytes, { stream: true }) : utf8.decode();
  } catch {
    return undefined;
  }
}

function refuseUtf16([first, second]: Uint8Array): void {
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw invalid('The file is in UTF-16; UTF-8 and latin-1 are accepted.');
  }
}

type CsvRows = { write(text: string): void; finish(): Batch };

function createCsvRows(): CsvRows {
  const batch = createBatchBuilder();
  let delimiter = ',';
  let columns: Columns | undefined;
  const reader = createCsvReader(
    (firstLine) => {
      delimiter = sniffDelimiter(firstLine);
      return delimiter;
    },
    (row) => {
      if (columns) addRow(batch, columns, delimiter, row);
      else columns = recognizeColumns(row.cells);
    },
  );
  return {
    write: reader.write,
    finish() {
      reader.end();
      if (!columns) throw invalid('The file is empty: it has no header line.');
      return batch.finish();
    },
  };
}

/** The delimiter under which the header means most, or else has most columns. */
function sniffDelimiter(firstLine: string): string {
  const weigh = (delimiter: string) => {
    const header = splitRow(firstLine, delimiter);
    return recognizedMeanings(header) * 1_000_000 + header.length;
  };
  return DELIMITERS.reduce((best, delimiter) =>
    weigh(delimiter) > weigh(best) ? delimiter : best,
  );
}

function addRow(batch: BatchBuilder, columns: Columns, delimiter: string, row: CsvRow): void {
  if (batch.total === ROWS_PER_CSV_UPLOAD) {
    throw invalid(`The file has more than ${ROWS_PER_CSV_UPLOAD} rows; upload it in parts.`);
  }
  // A few short strings a row are kept, not its cells: a large file must fit into memory.
  const { line, cells, source } = row;
  const sent = { row: line, echo: () => echoCells(columns, splitRow(source, delimiter)) };
  const claimed = claimCells(columns, cells);
  try {
    refuseMisread(row, columns);
    batch.load({ ...sent, result: judge(claimed) });
  } catch (error) {
    if (!(error instanceof RowError)) throw error;
    batch.fail({ ...sent, bib: claimed.bib.trim() || null, reason: error.message });
  }
}

/** A row whose cells are not where the header says would put a wrong time on the board. */
function refuseMisread({ cells, misquoted }: CsvRow, { names }: Columns): void {
  if (misquoted) throw new RowError('A quoted cell of the row goes on after its closing quote.');
  if (cells.slice(names.length).some((cell) => cell.trim() !== '')) {
    throw new RowError(`The row has ${cells.length} cells, the header ${names.length} columns.`);
  }
}
