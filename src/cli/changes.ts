import { decideEncoding } from '../timing-files/read/encoding.ts';
import { FileError } from '../timing-files/read/file-error.ts';
import type { Parameters } from '../timing-files/read/parameters.ts';
import { RowError } from '../timing-files/read/reason-codes.ts';
import { judge } from '../timing-files/read/result.ts';
import { type FileRow, readBlocks } from '../timing-files/read/results-file.ts';
import { readStart } from '../timing-files/suggest/file-start.ts';
import { startOf } from '../timing-files/suggest/preview.ts';
import { explainRefusal } from '../timing-files/suggest/refusal.ts';
import type { UnreadableRow } from './journal.ts';
import { rowIn, rowOf, textOf } from './result-row.ts';
import type { RaceState, Source } from './state.ts';

/** The rows of a file as they count: of each bib, the last one that is a result. */
export type FileRows = {
  header: string[];
  /** Line of the header; 0 where the file has none. */
  headerLine: number;
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

function* blocksOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) yield bytes.subarray(at, at + BLOCK_BYTES);
}

/** Blocks that can be iterated several times. */
export const blocksIn = (bytes: Uint8Array): Iterable<Uint8Array> => ({
  [Symbol.iterator]: () => blocksOf(bytes),
});

/**
 * Reads a file as the API would.
 * @throws FileError if it cannot be read with these parameters
 */
export function readRows(bytes: Uint8Array, parameters: Parameters): FileRows {
  const blocks = blocksIn(bytes);
  const encoding = decideEncoding(blocks);
  const start = readStart(startOf(blocks, encoding).text, parameters);
  const read: FileRows = {
    header: start.header,
    headerLine: start.headerLine,
    delimiter: start.delimiter,
    results: new Map(),
    total: 0,
    unreadable: [],
    unfinished: [],
  };
  try {
    for (const row of readBlocks(blocks, encoding, parameters)) {
      read.total += 1;
      addRow(read, row);
    }
  } catch (error) {
    throw error instanceof FileError ? explainRefusal(error, parameters) : error;
  }
  return read;
}

function addRow(read: FileRows, row: FileRow): void {
  let isUnfinished = false;
  try {
    const claimed = row.claim();
    isUnfinished = [claimed.status, claimed.chipTime, claimed.gunTime].every(isBlank);
    const text = textOf(rowOf(judge(claimed)));
    // The row's own texts are views of the whole file, and would keep it in memory.
    const bib = rowIn(text).bib_number;
    read.results.set(bib, { line: row.row, text });
  } catch (error) {
    if (!(error instanceof RowError)) throw error;
    const failed = { line: row.row, bib: row.bib(), reason: error.message, code: error.code };
    const isOnCourse = isUnfinished && error.code === 'missing_time';
    (isOnCourse ? read.unfinished : read.unreadable).push(failed);
  }
}

const isBlank = (text: string): boolean => text.trim() === '';

export type Changes = {
  /** Bibs that were never sent, and bibs with another row than before. In the order of the file. */
  added: string[];
  changed: string[];
  unchanged: number;
  /** Bibs that the file had, and has no longer. What is stored of them stays. */
  vanished: string[];
  /** Held bibs of which the file says something else. */
  disagreeing: { bib: string; line: number; held: string; inFile: string }[];
};

/** The bibs of all rows of a file that may be sent. */
export const allBibs = ({ results }: FileRows, { held }: RaceState): string[] =>
  [...results.keys()].filter((bib) => !held.has(bib));

/**
 * Finds the rows of a file that are new or changed.
 * @param against `seen` compares with the last reading of the file, so a later decision stays.
 *   `newest` compares with the newest row of the bib from any source
 */
export function compareRows(
  { results, unreadable, unfinished }: FileRows,
  source: Source,
  state: RaceState,
  against: 'seen' | 'newest',
): Changes {
  const changes: Changes = { added: [], changed: [], unchanged: 0, vanished: [], disagreeing: [] };
  for (const [bib, { line, text }] of results) {
    const held = state.held.get(bib);
    if (held !== undefined) {
      if (held === text) changes.unchanged += 1;
      else changes.disagreeing.push({ bib, line, held, inFile: text });
      continue;
    }
    const newest = state.newest(bib);
    const before = against === 'newest' ? newest : (source.seen.get(bib) ?? newest);
    if (before === text || state.rejected.get(bib)?.text === text) changes.unchanged += 1;
    else (newest === undefined ? changes.added : changes.changed).push(bib);
  }
  const mentioned = new Set([...unreadable, ...unfinished].map(({ bib }) => bib));
  for (const bib of source.seen.keys()) {
    if (!results.has(bib) && !mentioned.has(bib)) changes.vanished.push(bib);
  }
  return changes;
}
