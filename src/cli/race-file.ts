import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { CliError, EXIT } from './exit-codes.ts';

export const RACE_FILE = 'race.json';

/** What a folder remembers of its race. It never holds a key, so it may be copied and sent around. */
const RaceFile = z.strictObject({
  /** The address of the API. */
  api: z.url({ protocol: /^https?$/ }).optional(),
  /** The event's id, and its name for people. */
  event: z.string().min(1).optional(),
  event_name: z.string().optional(),
  /** How the timing software's file is read: the parameters of an upload, as a query. */
  read: z.string().optional(),
  /** The header of the file that was checked. Another one means another file. */
  header: z.array(z.string()).optional(),
});

export type RaceFile = z.infer<typeof RaceFile>;

/** @returns an empty object where the folder has no race.json */
export function readRaceFile(folder: string): RaceFile {
  const path = join(folder, RACE_FILE);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new CliError(EXIT.usage, `${path} cannot be read: ${String(error)}.`, { cause: error });
  }
  const read = RaceFile.safeParse(parseJson(path, text));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = issue?.path.join('.') || 'it';
  throw new CliError(
    EXIT.usage,
    `${path} is not as this command wrote it: ${where}: ${issue?.message}. ` +
      'Mend it, or remove it and run `race-results setup`.',
  );
}

/** Replaces the file at once, so that a crash leaves the old or the new one. */
export function writeRaceFile(folder: string, race: RaceFile): void {
  const path = join(folder, RACE_FILE);
  const next = `${path}.${process.pid}.tmp`;
  writeFileSync(next, `${JSON.stringify(race, null, 2)}\n`);
  renameSync(next, path);
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new CliError(
      EXIT.usage,
      `${path} is not JSON: ${error instanceof Error ? error.message : error}. ` +
        'Mend it, or remove it and run `race-results setup`.',
    );
  }
}
