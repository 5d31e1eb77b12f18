import type { Stats } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sleep } from '../../client/waiting.ts';
import { codeOf, digestOf } from '../own-files.ts';
import { isWorkbook } from './rows.ts';

/** A copy of a file. The file itself is never locked, renamed or removed. */
export type Version = {
  file: string;
  bytes: Uint8Array;
  mark: string;
  /** Whether the last line has no end. */
  isCut: boolean;
  /** Whether the file has more, or will have more in a moment: rows that are missing say nothing. */
  isPartial: boolean;
};

/** A file that cannot be opened for long, with the system's error code. `ENOENT` stands for the target. */
export type Problem = { file: string; problem: string };

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

  /** The versions that may be read now, in the order of the files' names. */
  async *look(nowMs: number): AsyncGenerator<Version | Problem, void, undefined> {
    const found = await unlessAway(stat(this.#target));
    if (!found) {
      // It may be read already when it is back.
      this.forget();
      yield { file: this.#target, problem: 'ENOENT' };
      return;
    }
    const files = found.isDirectory() ? await namesIn(this.#target) : [this.#target];
    for (const file of this.#due(files)) {
      const version = await this.#lookAt(file, nowMs);
      if (version) yield version;
    }
  }

  #due(files: readonly string[]): string[] {
    const fresh = files.filter((file) => !this.#files.has(file));
    const known = [...this.#files.keys()];
    const old = known.slice(0, Math.max(0, known.length - FILES_PER_LOOK));
    const from = old.length === 0 ? 0 : (this.#turn++ * FILES_PER_LOOK) % old.length;
    return [...known.slice(old.length), ...old.slice(from, from + FILES_PER_LOOK), ...fresh];
  }

  async #lookAt(file: string, nowMs: number): Promise<Version | Problem | undefined> {
    const stats = await unlessAway(stat(file));
    if (!stats?.isFile()) return undefined;
    const mark = markOf(stats);
    const watched = this.#files.get(file) ?? newFile(this.#knownMark(file) === mark ? mark : '');
    if (watched.mark !== mark) {
      this.#files.delete(file);
      this.#files.set(file, watched);
      Object.assign(watched, { mark, sinceMs: nowMs });
    }
    if (watched.readMark === mark && !watched.isCut) return undefined;
    watched.changedMs ??= nowMs;
    const calmMs = nowMs - watched.sinceMs;
    const isCalm = calmMs >= this.#settleMs;
    const isLastLineDue = calmMs >= PATIENCE * this.#settleMs;
    const isLate = nowMs - watched.changedMs >= PATIENCE * this.#settleMs;
    const isDue = watched.readMark === mark ? isLastLineDue : isCalm || isLate;
    if (!isDue) return undefined;
    return this.#read(file, watched, { isCalm, isLastLineDue, nowMs });
  }

  async #read(
    file: string,
    watched: Watched,
    { isCalm, isLastLineDue, nowMs }: { isCalm: boolean; isLastLineDue: boolean; nowMs: number },
  ): Promise<Version | Problem | undefined> {
    const { mark } = watched;
    let problem = '';
    const bytes = await unlessAway(readFile(file), (code) => {
      problem = code;
    });
    if (!bytes) {
      watched.failsSinceMs ??= nowMs;
      watched.readDigest = '';
      return nowMs - watched.failsSinceMs >= PATIENCE * this.#settleMs
        ? { file, problem }
        : undefined;
    }
    watched.failsSinceMs = undefined;
    const after = await unlessAway(stat(file));
    // It has changed meanwhile.
    if (isCalm && (!after || markOf(after) !== mark)) return undefined;
    const isEnded = isWorkbook(bytes) || endsInLineEnd(bytes);
    const isWhole = isCalm && (isEnded || isLastLineDue);
    const read = isWhole ? bytes : wholeLines(bytes);
    watched.changedMs = isCalm ? undefined : nowMs;
    watched.isCut = isCalm && !isWhole;
    if (isCalm) watched.readMark = mark;
    const digest = digestOf(read);
    if (digest === watched.readDigest) return undefined;
    watched.readDigest = digest;
    const isCut = isWhole && !isEnded;
    return { file, bytes: read, mark, isCut, isPartial: !isWhole };
  }
}

const newFile = (readMark: string): Watched => ({
  mark: '',
  sinceMs: 0,
  changedMs: undefined,
  readMark,
  readDigest: '',
  isCut: false,
  failsSinceMs: undefined,
});

/** @returns undefined if the file is never calm. @throws the system's error */
export async function readOnce(
  file: string,
  settleMs: number,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  for (let attempt = 0; attempt < PATIENCE; attempt++) {
    const before = await stat(file);
    // A clock that jumped may say that the file comes from the future.
    if (Math.abs(Date.now() - before.mtimeMs) < settleMs) await sleep(settleMs, signal);
    const bytes = await readFile(file);
    if (markOf(await stat(file)) === markOf(before)) return bytes;
  }
  return undefined;
}

const markOf = ({ size, mtimeMs, ino }: Stats): string => `${size} ${mtimeMs} ${ino}`;

const natural = new Intl.Collator('en', { numeric: true });

/** Not the hidden and temporary files that editors and spreadsheets leave beside an open file. */
const isResultsFile = (name: string): boolean => /^[^.~].*\.(csv|txt|tsv|tab|xlsx)$/i.test(name);

async function namesIn(folder: string): Promise<string[]> {
  const names = (await unlessAway(readdir(folder))) ?? [];
  return names
    .filter(isResultsFile)
    .sort(natural.compare)
    .map((name) => join(folder, name));
}

/** A file that is being replaced is away for a moment; a network drive may be away for longer. */
const AWAY = 'ENOENT EBUSY EPERM EACCES ELOOP ENOTDIR EIO ESTALE ETIMEDOUT'.split(' ');

async function unlessAway<T>(
  found: Promise<T>,
  onAway: (code: string) => void = () => {},
): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (!AWAY.includes(code)) throw error;
    onAway(code);
    return undefined;
  }
}

const isLineEnd = (byte: number | undefined) => byte === 0x0a || byte === 0x0d;
const isWide = (bytes: Uint8Array) => bytes[0] === 0xff && bytes[1] === 0xfe;

/** UTF-16 has a zero behind the line end. */
export function endsInLineEnd(bytes: Uint8Array): boolean {
  if (bytes.length === 0) return true;
  if (!isWide(bytes)) return isLineEnd(bytes.at(-1));
  return bytes.length % 2 === 0 && isLineEnd(bytes.at(-2)) && bytes.at(-1) === 0;
}

/** The bytes up to the last line end. */
export function wholeLines(bytes: Uint8Array): Uint8Array {
  const step = isWide(bytes) ? 2 : 1;
  let end = bytes.length - (bytes.length % step);
  while (end > 0 && !endsInLineEnd(bytes.subarray(0, end))) end -= step;
  return bytes.subarray(0, step === 2 && end <= 2 ? 0 : end);
}
