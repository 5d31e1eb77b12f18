import type { Stats } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { sleep } from '../../client/waiting.ts';
import { compareNames } from '../../timing-files/read/name-order.ts';
import { type CliError, EXIT, failure } from '../exit-codes.ts';
import { codeOf, digestOf } from '../own-files.ts';
import { pasted, say } from '../words.ts';

/** A copy of a file. The file itself is never locked, renamed or removed. */
export type Version = {
  file: string;
  bytes: Uint8Array;
  modifiedMs: number;
  /** Whether the last line has no end. */
  isCut: boolean;
  /** Whether the file has more bytes, or soon will: a missing row does not count as removed. */
  isPartial: boolean;
};

/** A file unreadable for long, with the system's error code. `ENOENT` stands for the target. */
export type Problem = { file: string; problem: string };

/** The state of a file. The times come from a monotonic clock. */
type Watched = {
  mark: string;
  sinceMs: number;
  /** The time of the oldest unread change; undefined without a change. */
  unreadMs: number | undefined;
  /** How much of this version was read. An unfinished last line waits for the line end. */
  read: 'nothing' | 'lines' | 'all';
  digest: string;
};

const NEW_FILE: Watched = {
  mark: '',
  sinceMs: 0,
  unreadMs: undefined,
  read: 'nothing',
  digest: '',
};

/** After `PATIENCE` times `settleMs`, a file is read in spite of changes or of an unfinished last line. */
const PATIENCE = 5;
/** In a folder with many files, each look checks the last changed files and a share of the older files. */
const FILES_PER_LOOK = 20;

/**
 * Watches a file, or all files of a folder, by size, time and digest. Network drives lose events of the file system, so
 * events are not used.
 */
export class WatchedFiles {
  readonly #settleMs: number;
  /** In the order of the changes, the last changed file last. */
  readonly #files = new Map<string, Watched>();
  #turn = 0;
  /** The last file from `look`, until the reader of the file asks for the next file. */
  #reading: string | undefined;
  /** The time when each target went away. A target never seen is away since minus infinity. */
  readonly #targets: Map<string, number | undefined>;
  /** The command's own file in a watched folder. */
  readonly #own: string | undefined;

  constructor(targets: readonly string[], settleMs: number, own?: string) {
    this.#settleMs = settleMs;
    this.#targets = new Map(targets.map((target) => [target, Number.NEGATIVE_INFINITY]));
    this.#own = own;
  }

  isAway = (target: string): boolean => this.#targets.get(target) !== undefined;

  /** Files with unread changes. The reader of a large file takes seconds. */
  get pending(): number {
    const isUnread = ([file, { read }]: [string, Watched]) =>
      read !== 'all' || file === this.#reading;
    return [...this.#files].filter(isUnread).length;
  }

  /** Files never read. */
  get fresh(): number {
    return [...this.#files.values()].filter(({ digest }) => digest === '').length;
  }

  /** Makes the next `look` return these files, changed or unchanged. */
  forget(files: Iterable<string> = this.#files.keys()): void {
    for (const file of files) {
      const watched = this.#files.get(file);
      if (watched) Object.assign(watched, { read: 'nothing', digest: '' });
    }
  }

  /** Yields each file with unread bytes. Size and time do not count. */
  async *again(): AsyncGenerator<Version | Problem, void, undefined> {
    for (const file of await this.#all()) {
      const found = (await steadily(file).catch(codeIfAway)) ?? 'EBUSY';
      if (typeof found === 'string') {
        if (found !== 'EISDIR') yield { file, problem: found };
        continue;
      }
      const watched = this.#note(file, found.mark, 0);
      const version = newVersion(file, watched, found.bytes, { isCalm: true, isLong: true });
      if (version) yield version;
    }
  }

  /** An absent target has no files. */
  async #all(): Promise<string[]> {
    const targets = [...this.#targets.keys()];
    const found = await Promise.all(targets.map(async (one) => (await filesIn(one)) ?? [one]));
    return [...new Set(found.flat())].filter((file) => file !== this.#own);
  }

  /** The versions ready to read, in the order of the files' names. */
  async *look(nowMs: number): AsyncGenerator<Version | Problem, void, undefined> {
    for (const [target, awayMs] of this.#targets) {
      const found = await stat(target).catch(codeIfAway);
      if (typeof found !== 'string') {
        this.#targets.set(target, undefined);
        continue;
      }
      // A target that comes back is read again.
      this.forget([...this.#files.keys()].filter((file) => resolve(file).startsWith(target)));
      this.#targets.set(target, awayMs ?? nowMs);
      // A stick or a network drive may be back in a moment.
      if (nowMs - (awayMs ?? nowMs) >= PATIENCE * this.#settleMs) {
        yield { file: target, problem: 'ENOENT' };
      }
    }
    for (const file of this.#due(await this.#all())) {
      const version = await this.#lookAt(file, nowMs);
      if (!version) continue;
      this.#reading = file;
      try {
        yield version;
      } finally {
        this.#reading = undefined;
      }
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
    const stats = await stat(file).catch(codeIfAway);
    if (typeof stats === 'string' || !stats.isFile()) {
      this.#files.delete(file);
      return undefined;
    }
    const mark = markOf(stats);
    const watched = this.#note(file, mark, nowMs);
    if (watched.read === 'all') return undefined;
    watched.unreadMs ??= nowMs;
    const patienceMs = PATIENCE * this.#settleMs;
    const calmMs = nowMs - watched.sinceMs;
    const isCalm = calmMs >= this.#settleMs;
    const unreadMs = nowMs - watched.unreadMs;
    const isLate = unreadMs >= patienceMs;
    // Runners arrive all the time, and the rows do not wait for a pause.
    const isDue =
      watched.read === 'lines' ? calmMs >= patienceMs : isCalm || unreadMs >= this.#settleMs;
    if (!isDue) return undefined;
    const bytes = await readFile(file).catch(codeIfAway);
    if (typeof bytes === 'string') {
      // A file that comes back is read again, changed or unchanged.
      watched.digest = '';
      return isLate ? { file, problem: bytes } : undefined;
    }
    const after = await stat(file).catch(codeIfAway);
    const isSteady = typeof after !== 'string' && markOf(after) === mark;
    if (!isSteady && (isCalm || !isLate)) return undefined;
    watched.unreadMs = isCalm ? undefined : nowMs;
    return newVersion(file, watched, bytes, { isCalm, isLong: calmMs >= patienceMs });
  }

  /** Notes the time of a change. */
  #note(file: string, mark: string, nowMs: number): Watched {
    const watched = this.#files.get(file) ?? { ...NEW_FILE };
    if (watched.mark === mark) return watched;
    Object.assign(watched, { mark, sinceMs: nowMs, read: 'nothing' });
    this.#files.delete(file);
    this.#files.set(file, watched);
    return watched;
  }
}

const wholeDigest = (bytes: Uint8Array): string => `whole ${digestOf(bytes)}`;

/** @returns undefined if this part of the file was read before */
function newVersion(
  file: string,
  watched: Watched,
  bytes: Uint8Array,
  { isCalm, isLong }: { isCalm: boolean; isLong: boolean },
): Version | undefined {
  const isEnded = isWorkbook(bytes) || endsInLineEnd(bytes);
  const isWhole = isCalm && (isEnded || isLong);
  if (isCalm) watched.read = isWhole ? 'all' : 'lines';
  const read = isWhole ? bytes : wholeLines(bytes);
  const digest = digestOf(read);
  const whole = wholeDigest(read);
  // A file read in part is read again as a whole: only a whole file shows removed rows.
  if (watched.digest === whole || (!isWhole && watched.digest === digest)) return undefined;
  watched.digest = isWhole ? whole : digest;
  const modifiedMs = Number(watched.mark.split(' ')[1]);
  return { file, bytes: read, modifiedMs, isCut: isWhole && !isEnded, isPartial: !isWhole };
}

/**
 * @param settleMs how long the file must stay unchanged
 * @returns undefined if the file changes each time
 */
async function steadily(file: string, settleMs = 0, signal?: AbortSignal) {
  for (let attempt = 0; attempt < PATIENCE; attempt++) {
    const before = await stat(file);
    // After a jump of the clock, a file may have a time in the future.
    if (signal && Math.abs(Date.now() - before.mtimeMs) < settleMs) await sleep(settleMs, signal);
    const bytes = await readFile(file);
    const mark = markOf(before);
    if (markOf(await stat(file)) === mark) return { bytes, mark };
  }
  return undefined;
}

/**
 * The bytes of a file named by a person.
 * @param settleMs how long the file must stay unchanged
 * @throws CliError, or the signal's reason
 */
export async function bytesOf(
  file: string,
  settleMs: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const path = pasted(file);
  try {
    const found = await steadily(file, settleMs, signal);
    if (found) return found.bytes;
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    if (code === 'ENOENT') throw unreadable(file, say('no_such_file'));
    throw unreadable(file, code === 'EISDIR' ? say('is_a_folder', { path }) : code);
  }
  throw unreadable(file, say('never_calm', { path }));
}

export const unreadable = (name: string, why: string): CliError =>
  failure(EXIT.unclear, 'file_unreadable', { name, why });

const markOf = ({ size, mtimeMs, ino }: Stats): string => `${size} ${mtimeMs} ${ino}`;

/** Leaves out the hidden and temporary files of editors and spreadsheets. */
const RESULTS_FILE = /^[^.~].*\.(csv|txt|tsv|tab|xlsx|xls|ods)$/i;

/** The statements of `verify`. */
const STATEMENT = /^verified-\d{8}T\d{6}\.txt$/;

/** The possible results files of a folder, by name. @returns undefined for a path to no folder */
export async function filesIn(folder: string): Promise<string[] | undefined> {
  const names = await readdir(folder).catch(codeIfAway);
  if (typeof names === 'string') return names === 'ENOTDIR' ? undefined : [];
  const found = names
    .filter((name) => RESULTS_FILE.test(name) && !STATEMENT.test(name))
    .sort(compareNames);
  return found.map((name) => join(folder, name));
}

/**
 * A file under replacement is away for a moment. A network drive may be away for longer, with any code: Windows says
 * ECONNRESET, ENETUNREACH or UNKNOWN.
 * @returns the system's code of an error.
 * @throws any other error
 */
function codeIfAway(error: unknown): string {
  const code = codeOf(error);
  if (code === undefined) throw error;
  return code;
}

/** A workbook (.xlsx) is an archive without lines. */
const isWorkbook = (bytes: Uint8Array): boolean =>
  [0x50, 0x4b, 0x03, 0x04].every((byte, at) => bytes[at] === byte);

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
