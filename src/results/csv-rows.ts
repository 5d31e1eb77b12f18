import { invalid } from '../errors.ts';
import { type Batch, createBatchBuilder, type SentRow } from './batch.ts';
import {
  type Columns,
  claimCells,
  echoCells,
  recognizeColumns,
  recognizedMeanings,
} from './csv-columns.ts';
import { type CsvRow, createCsvReader, splitRow } from './csv-reader.ts';
import { RowError } from './judge.ts';
import { createKeptBytes, type KeptBytes } from './kept-bytes.ts';
import { ROWS_PER_CSV_UPLOAD } from './schemas.ts';

/** With bytes 0x80 to 0x9F, unused in latin-1 proper, as Windows writes them. */
const LATIN_1 = 'windows-1252';

const DELIMITERS = [',', ';', '\t', '|'];

/**
 * The batch that a CSV file holds (contract section 4.7), judged row by row as the file arrives.
 * @throws ApiError VALIDATION_ERROR where the file as a whole cannot be read as results.
 */
export async function readCsvBatch(file: AsyncIterable<Uint8Array>): Promise<Batch> {
  const kept = createKeptBytes();
  let reading = startReading(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }));
  let isFirst = true;

  function readBlock(bytes: Uint8Array): void {
    if (isFirst) refuseUtf16(bytes);
    isFirst = false;
    if (!reading.read(bytes)) readAsLatin1();
  }

  /** What seemed UTF-8 so far is not: the file is latin-1 from its first byte. */
  function readAsLatin1(): void {
    reading = startReading(new TextDecoder(LATIN_1));
    for (const bytes of kept.read()) reading.read(bytes);
  }

  for await (const bytes of file) {
    for (const block of kept.push(bytes)) readBlock(block);
  }
  readBlock(kept.end());
  if (!reading.end()) {
    readAsLatin1();
    reading.end();
  }
  const { encoding } = reading;
  return reading.finish(() => readAgain(kept, encoding));
}

/** Judges rows as their bytes come. Answers false, and is of no more use, where these cannot be decoded. */
function startReading(decoder: TextDecoder) {
  const rows = createCsvRows();
  let batch = createBatchBuilder();
  function add(sent: SentRow[]): void {
    for (const row of sent) {
      if (batch.total === ROWS_PER_CSV_UPLOAD) {
        throw invalid(`The file has more than ${ROWS_PER_CSV_UPLOAD} rows; upload it in parts.`);
      }
      batch.add(row);
    }
  }
  /** All that was read is given up: with what is read in its place it would not fit into memory. */
  function giveUp(): false {
    batch = createBatchBuilder();
    return false;
  }
  return {
    encoding: decoder.encoding,
    read(bytes: Uint8Array): boolean {
      const text = decode(decoder, bytes);
      if (text === undefined) return giveUp();
      add(rows.write(text));
      return true;
    },
    end(): boolean {
      const text = decode(decoder);
      if (text === undefined) return giveUp();
      add(rows.end(text));
      return true;
    },
    finish: (sentAgain: Batch['sentAgain']): Batch => batch.finish(sentAgain),
  };
}

function* readAgain(kept: KeptBytes, encoding: string): Generator<SentRow> {
  const decoder = new TextDecoder(encoding);
  const rows = createCsvRows();
  for (const bytes of kept.read()) yield* rows.write(decoder.decode(bytes, { stream: true }));
  yield* rows.end(decoder.decode());
}

function decode(decoder: TextDecoder, bytes?: Uint8Array): string | undefined {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
  } catch {
    return undefined;
  }
}

function refuseUtf16([first, second]: Uint8Array): void {
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw invalid('The file is in UTF-16; UTF-8 and latin-1 are accepted.');
  }
}

/** Text in pieces → the rows that each piece completes. */
function createCsvRows() {
  let sent: SentRow[] = [];
  let columns: Columns | undefined;
  const reader = createCsvReader(sniffDelimiter, (row) => {
    if (columns) sent.push(sentRow(columns, row));
    else columns = recognizeColumns(row.cells);
  });
  function take(): SentRow[] {
    const taken = sent;
    sent = [];
    return taken;
  }
  return {
    write(text: string): SentRow[] {
      reader.write(text);
      return take();
    },
    end(text: string): SentRow[] {
      reader.write(text);
      reader.end();
      if (!columns) throw invalid('The file is empty: it has no header line.');
      return take();
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

const sentRow = (columns: Columns, row: CsvRow): SentRow => ({
  row: row.line,
  claim() {
    refuseMisread(row, columns);
    return claimCells(columns, row.cells);
  },
  bib: () => claimCells(columns, row.cells).bib.trim() || null,
  echo: () => echoCells(columns, row.cells),
});

/** A row whose cells are not where the header says would put a wrong time on the board. */
function refuseMisread({ cells, misquoted }: CsvRow, { names }: Columns): void {
  if (misquoted) throw new RowError('A quoted cell of the row goes on after its closing quote.');
  if (cells.slice(names.length).some((cell) => cell.trim() !== '')) {
    throw new RowError(`The row has ${cells.length} cells, the header ${names.length} columns.`);
  }
}
