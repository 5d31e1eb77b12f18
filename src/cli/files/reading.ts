import { FileError } from '../../timing-files/read/file-error.ts';
import {
  type Parameters,
  parseParameters,
  writeQuery,
} from '../../timing-files/read/parameters.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { say } from '../words.ts';
import { isSameHeader, type Reading } from './race-file.ts';
import { isMended, withoutReasons } from './rejected-file.ts';
import { type FileRows, opened, readRows, startIn } from './rows.ts';

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

export type FileFlags = readonly (readonly [string, string])[];

/** Flags replace what is kept, name by name. @throws CliError if they do not fit together */
export function parametersOf(flags: FileFlags, read = ''): Parameters {
  const given = new Set(flags.map(([name]) => name));
  const kept = [...new URLSearchParams(read)].filter(([name]) => !given.has(name));
  try {
    return parseParameters([...kept, ...flags]);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const what = say('the_flags_of_the_file');
    throw new CliError(EXIT.usage, `${what}: ${error.message}`);
  }
}

/**
 * Finds how a file is read by its header: each export of a race may have another one.
 * @throws FileError for a workbook that cannot be opened
 */
export async function chooseReading(
  bytes: Uint8Array,
  flags: FileFlags,
  readings: readonly Reading[],
): Promise<ChosenReading> {
  for (const { header, read } of readings) {
    const parameters = parametersOf(flags, read);
    const found = await headerIn(bytes, parameters);
    if (found && isSameHeader(withoutReasons(found.header), header)) {
      return { parameters, read: writeQuery(parameters), isKnown: true, content: found.content };
    }
  }
  const parameters = parametersOf(flags);
  const content = await opened(bytes, parameters);
  return { parameters, read: writeQuery(parameters), isKnown: flags.length > 0, content };
}

async function headerIn(bytes: Uint8Array, parameters: Parameters) {
  try {
    const content = await opened(bytes, parameters);
    return { content, header: startIn(content, parameters).header };
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

/** A file that was read. */
export type ReadFile = ChosenReading & { rows: FileRows; isMended: boolean };

/** @throws FileError */
export function readFileRows(chosen: ChosenReading, isCut = false): ReadFile {
  const rows = readRows(chosen.content, chosen.parameters, isCut);
  return { ...chosen, rows, isMended: isMended(rows.header) };
}

/** A header with a reading of it, as one text: a person or a preview has accepted it. */
export const acceptanceOf = ({ rows, read }: ReadFile): string =>
  JSON.stringify([withoutReasons(rows.header), read]);
