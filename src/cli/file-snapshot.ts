import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { access, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './journal.ts';

/** A copy of a file. The file itself is read once, and never locked, renamed or removed. */
export type Snapshot = {
  file: string;
  bytes: Uint8Array;
  digest: string;
  modifiedAt: Date;
  /** Whether the last line has no end yet, and was left out. */
  isCut: boolean;
};

/** Tells two versions of a file apart. */
type Version = { file: string; mark: string; modifiedAt: Date };

export type Look =
  | { kind: 'absent' }
  | { kind: 'unchanged'; file: string }
  /** It changes at this moment, or has changed a moment ago. */
  | { kind: 'busy'; file: string }
  /** It is calm, and its last line has no end. */
  | { kind: 'cut'; file: string }
  | { kind: 'changed'; snapshot: Snapshot };

/** After so many times `settleMs` a file that is never calm, or never whole, is read as far as it can be. */
const PATIENCE = 5;

/**
 * Watches a file, or the newest file of a folder, by size, time and digest. Events of the file system are
 * not used: network drives lose them.
 */
export class FileWatch {
  readonly #target: string;
  readonly #settleMs: number;
  #read: { file: string; mark: string; digest: string } | undefined;
  /** The version that was found last, since when it is there, and since when the file is not calm. */
  #pending: (Version & { sinceMs: number; busySinceMs: number }) | undefined;
  /** A copy of a file that is never calm. */
  #restless: { file: string; bytes: Uint8Array } | undefined;

  constructor(target: string, settleMs: number) {
    this.#target = target;
    this.#settleMs = settleMs;
  }

  /** Makes the next `look` return the file even if it has not changed. */
  forget(): void {
    this.#read = undefined;
  }

  /** @param nowMs of a clock that never jumps */
  async look(nowMs: number): Promise<Look> {
    const version = await findVersion(this.#target);
    if (!version) return { kind: 'absent' };
    const { file, mark } = version;
    if (this.#read?.file === file && this.#read.mark === mark) {
      this.#pending = undefined;
      return { kind: 'unchanged', file };
    }
    const known = this.#pending?.file === file ? this.#pending : undefined;
    const pending = {
      ...version,
      sinceMs: known?.mark === mark ? known.sinceMs : nowMs,
      busySinceMs: known?.busySinceMs ?? nowMs,
    };
    this.#pending = pending;
    const isPatient = nowMs - pending.busySinceMs < PATIENCE * this.#settleMs;
    if (nowMs - pending.sinceMs < this.#settleMs) {
      return isPatient ? { kind: 'busy', file } : this.#readRestless(version);
    }
    return this.#readCalm(version, isPatient);
  }

  async #readCalm(version: Version, isPatient: boolean): Promise<Look> {
    const { file } = version;
    const copy = await copyOf(version);
    if (!copy) return { kind: 'busy', file };
    const isCut = !endsInLineEnd(copy.bytes);
    if (isCut && isPatient) return { kind: 'cut', file };
    return this.#take(version, isCut ? wholeLines(copy.bytes) : copy.bytes, isCut);
  }

  /** Reads what two copies have in common: what one of them caught half written is not in both. */
  async #readRestless(version: Version): Promise<Look> {
    const { file } = version;
    const copy = await copyOf(version, { mayChange: true });
    if (!copy) return { kind: 'busy', file };
    const before = this.#restless;
    this.#restless = { file, bytes: copy.bytes };
    if (before?.file !== file) return { kind: 'busy', file };
    const bytes = wholeLines(copy.bytes.subarray(0, commonLength(before.bytes, copy.bytes)));
    if (bytes.length === 0) return { kind: 'busy', file };
    // A mark of no version: the file is looked at again.
    const look = this.#take({ ...version, mark: '' }, bytes, true);
    return look.kind === 'unchanged' ? { kind: 'busy', file } : look;
  }

  #take({ file, mark, modifiedAt }: Version, bytes: Uint8Array, isCut: boolean): Look {
    const digest = createHash('sha256').update(bytes).digest('base64');
    const isSame = this.#read?.file === file && this.#read.digest === digest;
    this.#read = { file, mark, digest };
    this.#pending = undefined;
    this.#restless = undefined;
    if (isSame) return { kind: 'unchanged', file };
    return { kind: 'changed', snapshot: { file, bytes, digest, modifiedAt, isCut } };
  }
}

/**
 * Reads a file once, as it is when it has been calm.
 * @returns undefined if it does not become calm in time
 * @throws the error of the file system if there is no such file
 */
export async function readOnce(
  file: string,
  settleMs: number,
  wait: (ms: number) => Promise<void>,
): Promise<Snapshot | undefined> {
  for (let attempt = 0; attempt < PATIENCE; attempt++) {
    const before = await stat(file);
    // A clock that jumped may say that the file comes from the future.
    const ageMs = Math.abs(Date.now() - before.mtimeMs);
    if (ageMs < settleMs) await wait(settleMs);
    const copy = await copyOf({ file, ...versionOf(before) });
    if (!copy) continue;
    const { bytes } = copy;
    const digest = createHash('sha256').update(bytes).digest('base64');
    return { file, bytes, digest, modifiedAt: before.mtime, isCut: false };
  }
  await access(file, constants.R_OK);
  return undefined;
}

const markOf = ({ size, mtimeMs, ino }: Stats): string => `${size} ${mtimeMs} ${ino}`;

const versionOf = (stats: Stats) => ({ mark: markOf(stats), modifiedAt: stats.mtime });

/** Finds the file, or in a folder the newest one that may have results. */
async function findVersion(target: string): Promise<Version | undefined> {
  const found = await statOf(target);
  if (!found) return undefined;
  if (!found.isDirectory()) return { file: target, ...versionOf(found) };
  let newest: (Version & { mtimeMs: number }) | undefined;
  for (const name of (await readdir(target)).sort()) {
    if (!isResultsFile(name)) continue;
    const file = join(target, name);
    const stats = await statOf(file);
    if (!stats?.isFile() || (newest && stats.mtimeMs < newest.mtimeMs)) continue;
    newest = { file, ...versionOf(stats), mtimeMs: stats.mtimeMs };
  }
  return newest;
}

/** Not the hidden and temporary files that editors and spreadsheets leave beside an open file. */
const isResultsFile = (name: string): boolean => /^[^.~].*\.(csv|txt|tsv|tab)$/i.test(name);

async function statOf(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    // A file that is being replaced is away for a moment; a network drive may be away for longer.
    if (GONE.has(codeOf(error) ?? '')) return undefined;
    throw error;
  }
}

const GONE = new Set([
  'ENOENT',
  'EBUSY',
  'EPERM',
  'EACCES',
  'ENOTDIR',
  'EIO',
  'ESTALE',
  'ETIMEDOUT',
]);

/** @returns undefined if it changed while it was read, or cannot be opened at this moment */
async function copyOf(
  { file, mark }: Version,
  { mayChange = false } = {},
): Promise<{ bytes: Uint8Array } | undefined> {
  try {
    const handle = await open(file, 'r');
    try {
      const bytes = await handle.readFile();
      const after = await handle.stat();
      const now = await stat(file);
      const isSame = markOf(after) === mark && markOf(now) === mark;
      return isSame || mayChange ? { bytes } : undefined;
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (GONE.has(codeOf(error) ?? '')) return undefined;
    throw error;
  }
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const isLineEnd = (byte: number | undefined) => byte === NEWLINE || byte === RETURN;

/** UTF-16 has a zero behind or before the line end. */
export function endsInLineEnd(bytes: Uint8Array): boolean {
  if (bytes.length === 0) return true;
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  return isWide
    ? bytes.length % 2 === 0 && isLineEnd(bytes.at(-2)) && bytes.at(-1) === 0
    : isLineEnd(bytes.at(-1));
}

/** The bytes up to the last line end. */
export function wholeLines(bytes: Uint8Array): Uint8Array {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  const step = isWide ? 2 : 1;
  let end = bytes.length - (bytes.length % step);
  while (end > 0 && !endsInLineEnd(bytes.subarray(0, end))) end -= step;
  return bytes.subarray(0, isWide && end <= 2 ? 0 : end);
}

function commonLength(one: Uint8Array, other: Uint8Array): number {
  const least = Math.min(one.length, other.length);
  let at = 0;
  while (at < least && one[at] === other[at]) at += 1;
  return at;
}
