import type { Stats } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, digestOf } from '../own-files.ts';
import { isWorkbook } from './rows.ts';

/** A copy of a file. The file itself is never locked, renamed or removed. */
export type Version = {
  file: string;
  bytes: Uint8Array;
  mark: string;
  modifiedAt: Date;
  /** Whether the last line has no end. */
  isCut: boolean;
  /** Whether the file has more, or will have more in a moment: rows that are missing say nothing. */
  isPartial: boolean;
};

/** The state of one file. Its times come from a clock that never jumps. */
type Watched = {
  mark: string;
  sinceMs: number;
  /** Since when a change was not read. */
  changedMs: number | undefined;
  readMark: string;
  readDigest: string;
  /** The last line was left out, and waits. */
  isCut: boolean;
  failsSinceMs: number | undefined;
  failure: string;
};

/** After so many times `settleMs`, a file is read although it is not calm, or its last line has no end. */
const PATIENCE = 5;
/** In a folder with many files, each look reads the last changed files and some of the others. */
const FILES_PER_LOOK = 20;

/**
 * Watches a file, or all files of a folder, by size, time and digest. Events of the file system are not used:
 * network drives lose them.
 */
export class WatchedFiles {
  readonly #target: string;
  readonly #settleMs: number;
  /** The last changed file is the last one. */
  readonly #files = new Map<string, Watched>();
  readonly #knownMark: (file: string) => string | undefined;
  #turn = 0;
  #isAbsent = false;

  /** @param knownMark of the version that was read before the command was started */
  constructor(
    target: string,
    settleMs: number,
    knownMark: (file: string) => string | undefined = () => undefined,
  ) {
    this.#target = target;
    this.#settleMs = settleMs;
    this.#knownMark = knownMark;
  }

  /** Makes the next `look` return these files even if they have not changed. */
  forget(files: Iterable<string> = this.#files.keys()): void {
    for (const file of files) {
      const watched = this.#files.get(file);
      if (watched) Object.assign(watched, { readMark: '', readDigest: '' });
    }
  }

  /** The files that cannot be read, with the system's error code. `ENOENT` stands for the target. */
  problems(nowMs: number): Map<string, string> {
    const problems = new Map<string, string>(this.#isAbsent ? [[this.#target, 'ENOENT']] : []);
    for (const [file, { failsSinceMs, failure }] of this.#files) {
      const isLong = failsSinceMs !== undefined && nowMs - failsSinceMs >= this.#patienceMs;
      if (isLong) problems.set(file, failure);
    }
    return problems;
  }

  get #patienceMs(): number {
    return PATIENCE * this.#settleMs;
  }

  /** The versions that may be read now, in the order of the files' names. */
  async *look(nowMs: number): AsyncGenerator<Version, void, undefined> {
    for (const file of await this.#due()) {
      const version = await this.#lookAt(file, nowMs);
      if (version) yield version;
    }
  }

  async #due(): Promise<string[]> {
    const found = await statOf(this.#target);
    const names = found?.isDirectory() ? await namesIn(this.#target) : undefined;
    const files = names ?? (found ? [this.#target] : []);
    this.#isAbsent = found === undefined;
    const fresh = files.filter((file) => !this.#files.has(file));
    const known = [...this.#files.keys()];
    const old = known.slice(0, Math.max(0, known.length - FILES_PER_LOOK));
    const from = old.length === 0 ? 0 : (this.#turn++ * FILES_PER_LOOK) % old.length;
    return [...known.slice(old.length), ...old.slice(from, from + FILES_PER_LOOK), ...fresh];
  }

  async #lookAt(file: string, nowMs: number): Promise<Version | undefined> {
    const stats = await statOf(file);
    if (!stats?.isFile()) return undefined;
    const mark = markOf(stats);
    const known = this.#files.get(file);
    const watched = known ?? newFile(mark, nowMs, this.#knownMark(file) === mark);
    if (known?.mark !== mark) {
      // The last changed file comes last.
      this.#files.delete(file);
      this.#files.set(file, watched);
      Object.assign(watched, { mark, sinceMs: nowMs });
    }
    if (watched.readMark === mark && !watched.isCut) return undefined;
    watched.changedMs ??= nowMs;
    const isCalm = nowMs - watched.sinceMs >= this.#settleMs;
    const isLate = nowMs - watched.changedMs >= this.#patienceMs;
    if (!isCalm && !isLate) return undefined;
    const isLastLineDue = nowMs - watched.sinceMs >= this.#patienceMs;
    if (isCalm && watched.readMark === mark && !isLastLineDue) return undefined;
    return this.#read(file, watched, { isCalm, isLastLineDue, modifiedAt: stats.mtime, nowMs });
  }

  async #read(
    file: string,
    watched: Watched,
    how: { isCalm: boolean; isLastLineDue: boolean; modifiedAt: Date; nowMs: number },
  ): Promise<Version | undefined> {
    const { isCalm, isLastLineDue, modifiedAt, nowMs } = how;
    const { mark } = watched;
    const copy = await copyOf(file, watched, nowMs);
    // It has changed meanwhile.
    if (!copy || (isCalm && copy.mark !== mark)) return undefined;
    const isEnded = isWorkbook(copy.bytes) || endsInLineEnd(copy.bytes);
    const isWhole = isCalm && (isEnded || isLastLineDue);
    const bytes = isWhole ? copy.bytes : wholeLines(copy.bytes);
    watched.changedMs = isCalm ? undefined : nowMs;
    watched.isCut = isCalm && !isWhole;
    if (isCalm) watched.readMark = mark;
    const digest = digestOf(bytes);
    if (digest === watched.readDigest) return undefined;
    watched.readDigest = digest;
    const isCut = isWhole && !isEnded;
    return { file, bytes, mark, modifiedAt, isCut, isPartial: !isWhole };
  }
}

const newFile = (mark: string, nowMs: number, isKnown: boolean): Watched => ({
  ...{ mark: '', sinceMs: nowMs, changedMs: undefined, readMark: isKnown ? mark : '' },
  ...{ readDigest: '', isCut: false, failsSinceMs: undefined, failure: '' },
});

/** @returns undefined if the file is never calm */
export async function readOnce(
  file: string,
  settleMs: number,
  wait: (ms: number) => Promise<void>,
): Promise<Version | undefined> {
  for (let attempt = 0; attempt < PATIENCE; attempt++) {
    const before = await stat(file);
    // A clock that jumped may say that the file comes from the future.
    if (Math.abs(Date.now() - before.mtimeMs) < settleMs) await wait(settleMs);
    const bytes = await readWhole(file);
    if (markOf(await stat(file)) !== markOf(before)) continue;
    const isCut = !endsInLineEnd(bytes);
    return { file, bytes, mark: markOf(before), modifiedAt: before.mtime, isCut, isPartial: false };
  }
  return undefined;
}

const markOf = ({ size, mtimeMs, ino }: Stats): string => `${size} ${mtimeMs} ${ino}`;

const natural = new Intl.Collator('en', { numeric: true });

/** Not the hidden and temporary files that editors and spreadsheets leave beside an open file. */
const isResultsFile = (name: string): boolean => /^[^.~].*\.(csv|txt|tsv|tab|xlsx)$/i.test(name);

async function namesIn(folder: string): Promise<string[]> {
  try {
    const names = (await readdir(folder)).filter(isResultsFile);
    return names.sort(natural.compare).map((name) => join(folder, name));
  } catch (error) {
    if (isAway(error)) return [];
    throw error;
  }
}

/** A file that is being replaced is away for a moment; a network drive may be away for longer. */
const AWAY = 'ENOENT EBUSY EPERM EACCES ELOOP ENOTDIR EIO ESTALE ETIMEDOUT'.split(' ');
const isAway = (error: unknown): boolean => AWAY.includes(codeOf(error) ?? '');

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (isAway(error)) return undefined;
    throw error;
  }
}

async function readWhole(file: string): Promise<Uint8Array> {
  const handle = await open(file, 'r');
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** @returns undefined if the file cannot be opened */
async function copyOf(file: string, watched: Watched, nowMs: number) {
  try {
    const bytes = await readWhole(file);
    watched.failsSinceMs = undefined;
    return { bytes, mark: markOf(await stat(file)) };
  } catch (error) {
    if (!isAway(error)) throw error;
    watched.failsSinceMs ??= nowMs;
    watched.failure = codeOf(error) ?? '';
    return undefined;
  }
}

const isLineEnd = (byte: number | undefined) => byte === 0x0a || byte === 0x0d;

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
