import { FileError } from '../../timing-files/read/file-error.ts';
import {
  type Parameters,
  parseParameters,
  writeQuery,
} from '../../timing-files/read/parameters.ts';
import { type CliError, EXIT, failure } from '../exit-codes.ts';
import { codeOf } from '../own-files.ts';
import { say } from '../words.ts';
import { isSameHeader, type Reading } from './race-file.ts';
import { type FileRows, isMended, opened, readRows, startIn, withoutReasons } from './rows.ts';
import { readOnce } from './watched-files.ts';

/** How a file is read. */
type ChosenReading = {
  parameters: Parameters;
  /** The same as the query of an upload. */
  read: string;
  /** Whether race.json has the header, or flags say how to read the file. */
  isKnown: boolean;
  /** The file, or the sheet of a workbook. */
  content: Uint8Array;
};

type FileFlags = readonly (readonly [string, string])[];

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
  const chosen = async (kept: string, isKnown: boolean): Promise<ChosenReading> => {
    const parameters = parametersOf(flags, kept);
    const content = await opened(bytes, parameters);
    return { parameters, read: writeQuery(parameters), isKnown, content };
  };
  for (const { header, read } of readings) {
    try {
      const found = await chosen(read, true);
      const start = startIn(found.content, found.parameters);
      if (isSameHeader(withoutReasons(start.header), header)) return found;
    } catch (error) {
      // The file is of another kind.
      if (!(error instanceof FileError)) throw error;
    }
  }
  return chosen('', flags.length > 0);
}

/** A file that was read. */
export type ReadFile = ChosenReading & { rows: FileRows; header: string[]; isMended: boolean };

/** @param isCut whether the last line may be incomplete. @throws FileError */
export function readFileRows(chosen: ChosenReading, isCut = false): ReadFile {
  const rows = readRows(chosen.content, chosen.parameters, isCut);
  const { header } = rows;
  return { ...chosen, rows, header: withoutReasons(header), isMended: isMended(header) };
}

/** A header with a reading of it, as one text: a person or a preview has accepted it. */
export const acceptanceOf = ({ header, read }: ReadFile): string => JSON.stringify([header, read]);

/**
 * The bytes of a file that a person names.
 * @param settleMs how long the file has to be calm
 * @throws CliError, or the signal's reason
 */
export async function bytesOf(
  file: string,
  settleMs: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  try {
    const bytes = await readOnce(file, settleMs, signal);
    if (bytes) return bytes;
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    if (code === 'ENOENT') throw unreadable(file, say('no_such_file'));
    throw unreadable(file, code === 'EISDIR' ? say('is_a_folder') : code);
  }
  throw unreadable(file, say('never_calm'));
}

export const unreadable = (name: string, why: string): CliError =>
  failure(EXIT.unclear, 'file_unreadable', { name, why });
