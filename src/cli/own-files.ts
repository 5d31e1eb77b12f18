import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { parseJson } from '../client/answer.ts';
import { EXIT, failure } from './exit-codes.ts';

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

/** Makes a folder readable by the user only. @throws CliError for a link, which may lead anywhere */
export async function ownFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  if ((await lstat(path)).isSymbolicLink()) throw failure(EXIT.usage, 'state_is_a_link', { path });
}

// Windows lacks the flag; a link on Windows needs an administrator.
const READING = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);

/** @returns undefined for a missing file and for a link */
export async function readOwn(path: string): Promise<string | undefined> {
  const file = await openOwn(path);
  try {
    return await file?.readFile('utf8');
  } finally {
    await file?.close();
  }
}

/** Reads a file line by line. A missing file has no lines. @returns the unfinished last line */
export async function readLines(path: string, take: (line: string) => void): Promise<string> {
  let rest = '';
  // The stream closes the file.
  for await (const piece of (await openOwn(path))?.createReadStream({ encoding: 'utf8' }) ?? []) {
    const end = piece.lastIndexOf('\n');
    // A line of many pieces is searched once.
    if (end >= 0) `${rest}${piece.slice(0, end)}`.split('\n').forEach(take);
    rest = end < 0 ? rest + piece : piece.slice(end + 1);
  }
  return rest;
}

async function openOwn(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, READING);
  } catch (error) {
    if (['ENOENT', 'ELOOP'].includes(codeOf(error) ?? '')) return undefined;
    throw error;
  }
}

const RENAMES = 5;
const RENAME_AGAIN_MS = 30;

/** Replaces a file at once. A link is replaced, not the link's target. Only the user can read the file. */
export async function replaceOwn(path: string, text: string | Uint8Array): Promise<void> {
  const beside = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(beside, text, { flag: 'wx', mode: 0o600, flush: true });
    await renameOver(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** Windows refuses for a moment while another process reads the file. */
async function renameOver(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rename(from, to);
    } catch (error) {
      const isBusy = ['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error) ?? '');
      if (!isBusy || attempt === RENAMES) throw error;
      await wait(RENAME_AGAIN_MS);
    }
  }
}

export const digestOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 32);

/** A text with a digest, to find damage by the disk. */
export const sealed = (text: string): string => `${digestOf(text)} ${text}\n`;

/** @returns undefined if the text differs from the sealed text */
export function unsealed(line: string): unknown {
  const text = line.slice(33, -1);
  return sealed(text) === line ? parseJson(text) : undefined;
}
