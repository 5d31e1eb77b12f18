import { decideEncoding } from '../../timing-files/read/encoding.ts';
import { FileError } from '../../timing-files/read/file-error.ts';
import { openFile } from '../../timing-files/read/open-file.ts';
import type { Parameters } from '../../timing-files/read/parameters.ts';
import { RowError } from '../../timing-files/read/reason-codes.ts';
import { judge } from '../../timing-files/read/result.ts';
import { type FileRow, readBlocks } from '../../timing-files/read/results-file.ts';
import { type FileStart, readStart } from '../../timing-files/suggest/file-start.ts';
import { startOf } from '../../timing-files/suggest/preview.ts';
import { explainRefusal } from '../../timing-files/suggest/refusal.ts';
import { rowIn, rowOf, textOf } from '../queue/result-row.ts';
import type { UnreadableRow } from '../queue/state.ts';

/** The rows of a file as they count: of each bib, the last one that is a result. */
export type FileRows = {
  header: string[];
  delimiter: string;
  /** By bib, as texts of `textOf`. */
  results: Map<string, { line: number; text: string }>;
  /** Rows in the file, those that make no result too. */
  total: number;
  unreadable: UnreadableRow[];
  /** Rows without time and status: runners on the course. */
  unfinished: UnreadableRow[];
};

const BLOCK_BYTES = 1 << 16;

/** Blocks that can be iterated several times. */
const blocksIn = (bytes: Uint8Array): Iterable<Uint8Array> => ({
  *[Symbol.iterator]() {
    for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
      yield bytes.subarray(at, at + BLOCK_BYTES);
    }
  },
});

const ARCHIVE = [0x50, 0x4b, 0x03, 0x04];

/** A workbook (.xlsx) has no lines. */
export const isWorkbook = (bytes: Uint8Array): boolean =>
  ARCHIVE.every((byte, at) => bytes[at] === byte);

/** The bytes of a CSV as they are, or the sheet of a workbook. @throws FileError */
export async function opened(bytes: Uint8Array, parameters: Parameters): Promise<Uint8Array> {
  if (!isWorkbook(bytes)) return bytes;
  const pieces: Uint8Array[] = [];
  const file = async function* () {
    yield bytes;
  };
  for await (const piece of openFile(file(), parameters)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** @throws FileError if the file is no table */
export function startIn(bytes: Uint8Array, parameters: Parameters): FileStart {
  const blocks = blocksIn(bytes);
  return readStart(startOf(blocks, decideEncoding(blocks, parameters.encoding)).text, parameters);
}

/** All rows of a file. @throws FileError */
export function rowsOf(bytes: Uint8Array, parameters: Parameters): Generator<FileRow> {
  const blocks = blocksIn(bytes);
  return readBlocks(blocks, decideEncoding(blocks, parameters.encoding), parameters);
}

/**
 * Reads a file as the API would.
 * @param isCut whether the last line has no end: it is left out if it has not all its cells
 * @throws FileError if it cannot be read with these parameters
 */
export function readRows(bytes: Uint8Array, parameters: Parameters, isCut = false): FileRows {
  const { header, delimiter } = startIn(bytes, parameters);
  const read: FileRows = {
    header,
    delimiter,
    results: new Map(),
    total: 0,
    unreadable: [],
    unfinished: [],
  };
  let last: FileRow | undefined;
  try {
    for (const row of rowsOf(bytes, parameters)) {
      if (last) addRow(read, last);
      last = row;
    }
  } catch (error) {
    throw error instanceof FileError ? explainRefusal(error, parameters) : error;
  }
  if (last && !(isCut && last.cells.length < header.length)) addRow(read, last);
  return read;
}

function addRow(read: FileRows, row: FileRow): void {
  read.total += 1;
  let isUnfinished = false;
  try {
    const claimed = row.claim();
    const cells = [claimed.status, claimed.chipTime, claimed.gunTime];
    isUnfinished = cells.every((cell) => cell.trim() === '');
    const text = textOf(rowOf(judge(claimed)));
    // The row's own texts are views of the whole file, and would keep it in memory.
    read.results.set(rowIn(text).bib_number, { line: row.row, text });
  } catch (error) {
    if (!(error instanceof RowError)) throw error;
    const failed = { line: row.row, bib: row.bib(), reason: error.message, code: error.code };
    const isOnCourse = isUnfinished && error.code === 'missing_time';
    (isOnCourse ? read.unfinished : read.unreadable).push(failed);
  }
}

/** The columns that a file of rejected rows has behind the others. */
export const ADDED_COLUMNS = ['reason', 'reason_code'];

/** Whether a header is that of a file of rejected rows. */
export const isMended = (header: readonly string[]): boolean =>
  header.slice(-ADDED_COLUMNS.length).join() === ADDED_COLUMNS.join();

export const withoutReasons = (header: readonly string[]): string[] =>
  header.slice(0, isMended(header) ? -ADDED_COLUMNS.length : undefined);
