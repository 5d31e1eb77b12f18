import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { type CliError, EXIT, failure } from '../exit-codes.ts';
import { codeOf, replaceOwn } from '../own-files.ts';
import { say } from '../words.ts';

export const RACE_FILE = 'race.json';

/** How to read a file with this header, and the meaning of the file. */
export const Reading = z.object({
  /** The name of the file. A file with this header and another name is read alike, but may have another meaning. */
  file: z.optional(z.string()),
  header: z.array(z.string()),
  /** The parameters of an upload, as a query. With `point`, the times belong to the point. */
  read: z.string(),
  /** The codes of the warnings accepted by a person. */
  accepted: z.optional(z.array(z.string())),
  /** Whether the times are times of day. The starts turn times of day into race times. */
  times_of_day: z.optional(z.boolean()),
});
export type Reading = z.infer<typeof Reading>;

/**
 * The settings of a race, in the folder of the race. The file never holds a key, so people may copy and send the file.
 */
const RaceFile = z.strictObject({
  /** The address of the API. */
  api: z.optional(z.url({ protocol: /^https?$/ })),
  /** The event's id, and the event's name for people. */
  event: z.optional(z.string().check(z.minLength(1))),
  event_name: z.optional(z.string()),
  /** The time zone of the times of day. */
  zone: z.optional(z.string()),
  readings: z.optional(z.array(Reading)),
});
export type RaceFile = z.infer<typeof RaceFile>;

/** @returns an empty object where the folder has no race.json. @throws CliError */
export function readRaceFile(folder: string): RaceFile {
  const path = join(folder, RACE_FILE);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {};
    throw unusable(path, 'JSON', error instanceof Error ? error.message : String(error));
  }
  const found = z.safeParse(RaceFile, value);
  if (found.success) return found.data;
  const [issue] = found.error.issues;
  const what = issue?.code === 'unrecognized_keys' ? issue.keys.join(', ') : issue?.message;
  const where = issue?.path.join('.') || '-';
  throw unusable(path, where, `${where}: ${what}`);
}

/** @param detail in English */
const unusable = (path: string, where: string, detail: string): CliError =>
  failure(EXIT.usage, 'race_file_unusable', {
    path,
    why: say('detail_race_file', { where, detail }),
  });

/** Replaces the file at once: a crash leaves the old file or the new file. */
export const writeRaceFile = (folder: string, race: RaceFile): Promise<void> =>
  replaceOwn(join(folder, RACE_FILE), `${JSON.stringify(race, null, 2)}\n`);

/** Sets the point in the query of a file, or removes the point. */
export function withPoint(read: string, point: string | undefined): string {
  const query = new URLSearchParams(read);
  query.delete('point');
  if (point !== undefined) query.set('point', point);
  return query.toString();
}

/** Replaces the reading of a file. */
export const withReading = (race: RaceFile, reading: Reading): RaceFile => ({
  ...race,
  readings: [
    ...(race.readings ?? []).filter(
      ({ file, header }) =>
        !isSameHeader(header, reading.header) || (file !== undefined && file !== reading.file),
    ),
    reading,
  ],
});

const isSameHeader = (one: readonly string[], other: readonly string[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Ignores the order of the columns. */
export const hasSameNames = (one: readonly string[], other: readonly string[]): boolean =>
  isSameHeader([...one].sort(), [...other].sort());

/** The new columns of a header. Empty if the header lacks a column of the reading. */
export function addedTo({ header, read }: Reading, found: readonly string[]): string[] {
  const hasAll = header.every((name) => found.includes(name));
  const isPlain = !isByNumber(read, found) && hasAll;
  return isPlain ? found.filter((name) => name !== '' && !header.includes(name)) : [];
}

const isByNumber = (read: string, found: readonly string[]): boolean =>
  /=%23\d|header_line=0/i.test(read) || new Set(found).size < found.length;

/** Whether a reading fits a header. Columns may move, unless the reading names columns by number. */
export function isReadAlike({ header, read }: Reading, found: readonly string[]): boolean {
  if (isSameHeader(header, found)) return true;
  return !isByNumber(read, found) && hasSameNames(header, found);
}
