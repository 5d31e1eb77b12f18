import { Readable } from 'node:stream';
import { decideEncoding } from '../../timing-files/read/encoding.ts';
import { FileError } from '../../timing-files/read/file-error.ts';
import { openFile } from '../../timing-files/read/open-file.ts';
import {
  type Parameters,
  parseParameters,
  writeQuery,
} from '../../timing-files/read/parameters.ts';
import { RowError } from '../../timing-files/read/reason-codes.ts';
import { judge } from '../../timing-files/read/result.ts';
import { type FileRow, readRows as rowsIn } from '../../timing-files/read/results-file.ts';
import { readStart } from '../../timing-files/suggest/file-start.ts';
import { explainRefusal } from '../../timing-files/suggest/refusal.ts';
import { EXIT, failure } from '../exit-codes.ts';
import { rowIn, rowOf, textOf } from '../queue/result-row.ts';
import type { UnreadableRow } from '../queue/state.ts';
import { isSameHeader, type Reading } from './race-file.ts';

type FileFlags = readonly (readonly [string, string])[];

/** How a file is read. */
type ChosenReading = {
  parameters: Parameters;
  /** Whether race.json has the header, or flags say how to read the file. */
  isKnown: boolean;
  /** The file, or the sheet of a workbook. */
  content: Uint8Array;
};

/** A file that was read. Of each bib, the last row that is a result counts. */
export type ReadFile = ChosenReading & {
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

/** Flags replace what is kept, name by name. @throws CliError if they do not fit together */
export function parametersOf(flags: FileFlags, read = ''): Parameters {
  const given = new Set(flags.map(([name]) => name));
  const kept = [...new URLSearchParams(read)].filter(([name]) => !given.has(name));
  try {
    return parseParameters([...kept, ...flags]);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw failure(EXIT.usage, 'file_flags_wrong', { why: error.message });
  }
}

/**
 * Finds how a file is read by its header: each export of a race may have another one.
 * @throws FileError for a workbook that cannot be opened
 */
export async function chooseReading(
  bytes: Uint8Array,
  flags: FileFlags,
  readings: readonly Reading[] = [],
): Promise<ChosenReading> {
  for (const { header, read } of readings) {
    const parameters = parametersOf(flags, read);
    try {
      const content = await opened(bytes, parameters);
      const found = withoutReasons(startIn(content, parameters).header);
      if (isSameHeader(found, header)) return { parameters, content, isKnown: true };
    } catch (error) {
      // The file is of another kind.
      if (!(error instanceof FileError)) throw error;
    }
  }
  const parameters = parametersOf(flags);
  return { parameters, content: await opened(bytes, parameters), isKnown: flags.length > 0 };
}

/** The bytes of a CSV as they are, or the sheet of a workbook. @throws FileError */
async function opened(bytes: Uint8Array, parameters: Parameters): Promise<Uint8Array> {
  return Buffer.concat(await openFile(Readable.from([bytes]), parameters));
}

const BLOCK_BYTES = 1 << 16;

/** Rows are read block by block: all of them at once would take much memory. */
const blocksIn = (bytes: Uint8Array): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / BLOCK_BYTES) }, (_, at) =>
    bytes.subarray(at * BLOCK_BYTES, (at + 1) * BLOCK_BYTES),
  );

/** @throws FileError if the file is no table */
function startIn(content: Uint8Array, parameters: Parameters) {
  const blocks = blocksIn(content);
  return readStart(blocks, decideEncoding(blocks, parameters.encoding), parameters);
}

/** All rows of a file. @throws FileError */
export function rowsOf({
  content,
  parameters,
}: Pick<ReadFile, 'content' | 'parameters'>): Generator<FileRow> {
  const blocks = blocksIn(content);
  return rowsIn(blocks, decideEncoding(blocks, parameters.encoding), parameters);
}

/**
 * Reads a file as the API would.
 * @param isCut whether the last line has no end: it is left out if it has not all its cells
 * @throws FileError if it cannot be read with these parameters
 */
export function readRows(chosen: ChosenReading, isCut = false): ReadFile {
  const { content, parameters } = chosen;
  const { header, delimiter } = startIn(content, parameters);
  const read: ReadFile = {
    ...chosen,
    header,
    delimiter,
    results: new Map(),
    total: 0,
    unreadable: [],
    unfinished: [],
  };
  let last: FileRow | undefined;
  try {
    for (const row of rowsOf(read)) {
      if (last) addRow(read, last);
      last = row;
    }
  } catch (error) {
    throw error instanceof FileError ? explainRefusal(error, blocksIn(content), parameters) : error;
  }
  if (last && !(isCut && last.cells.length < header.length)) addRow(read, last);
  return read;
}

function addRow(read: ReadFile, row: FileRow): void {
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

/** A header with a reading of it, as one text: a person or a preview has accepted it. */
export const acceptanceOf = ({ header, parameters }: ReadFile): string =>
  JSON.stringify([withoutReasons(header), writeQuery(parameters)]);

/** The columns that a file of rejected rows has behind the others. */
export const ADDED_COLUMNS = ['reason', 'reason_code'];

/** Whether a header is that of a file of rejected rows. */
export const isMended = (header: readonly string[]): boolean =>
  header.slice(-ADDED_COLUMNS.length).join() === ADDED_COLUMNS.join();

export const withoutReasons = (header: readonly string[]): string[] =>
  header.slice(0, isMended(header) ? -ADDED_COLUMNS.length : undefined);
