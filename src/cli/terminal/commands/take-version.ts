import { basename, join } from 'node:path';
import { FileError } from '../../../timing-files/read/file-error.ts';
import { ownFile } from '../../../timing-files/write/own-files.ts';
import { CliError, EXIT } from '../../exit-codes.ts';
import type { Reading } from '../../files/race-file.ts';
import { chooseReading, faultText, type ReadFile, readRows } from '../../files/reading.ts';
import type { Problem, Version } from '../../files/watched-files.ts';
import { digestOf } from '../../own-files.ts';
import { unlessOffline } from '../../queue/api.ts';
import type { FileFacts } from '../../queue/difference.ts';
import type { Folder } from '../../queue/folder.ts';
import { merge, type SettledFile } from '../../queue/merge.ts';
import { pastedPath, say } from '../../words.ts';
import type { Context } from '../context.ts';
import {
  type Guard,
  headerGuard,
  isStopping,
  meaningGuard,
  previewGuards,
  readingOf,
} from '../guards.ts';
import { keepRejected, sayRejected } from '../notices.ts';
import { rejectedOf, type Source, type Stop } from '../view.ts';
import { isStartList } from './start-list.ts';

/** A held back version of a file. */
export class Stopped extends Error {
  readonly file: string;
  readonly stop: Stop;

  constructor(file: string, stop: Omit<Stop, 'answer'> & Partial<Stop>) {
    super(stop.text);
    this.file = file;
    this.stop = { answer: 'none', ...stop };
  }
}

/** The stop for an absent or locked file. */
export function waitingFor({ file, problem }: Problem): Stopped {
  const key = problem === 'ENOENT' ? 'short_absent' : 'short_unopened';
  const short = say(key, { name: basename(file), code: problem });
  return new Stopped(file, { short, text: say('waits_for_file', { short }), answer: 'comes_back' });
}

/** A file as it was read last. */
type Taken = Source & {
  settled: SettledFile;
  facts: FileFacts;
  reading: Reading;
  read: ReadFile;
};

/** The last readings of the watched files. */
export class TakenFiles {
  readonly #context: Context;
  readonly #folder: Folder;
  /** Files named by a person have results, whatever program wrote the files. */
  readonly #named: ReadonlySet<string>;
  readonly sources = new Map<string, Taken>();
  /** Readings already checked by the API or a person. */
  readonly #checked = new Set<string>();
  /** The turn of the first sight of each content. */
  readonly #turns = new Map<string, number>();
  #turn = 0;

  constructor(context: Context, folder: Folder, named: Iterable<string>) {
    this.#context = context;
    this.#folder = folder;
    this.#named = new Set(named);
  }

  /**
   * Takes over the rows of a version.
   * @param isLate whether the first look at all files is done
   * @returns whether the version had rows to read
   * @throws Stopped for a held back version
   */
  async take(
    version: Version,
    isLate: boolean,
    offline: string | undefined,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { file, isPartial, bytes } = version;
    const read = await this.#read(version);
    if (!read) return false;
    const isOwn = ownFile(read.header) !== undefined || isStartList(read.header);
    if (isOwn && !this.#named.has(file)) {
      this.leave(file);
      return false;
    }
    const { settings, output } = this.#context;
    const before = this.sources.get(file);
    const guards = [
      ...headerGuard(settings, file, read, before?.reading.header),
      ...meaningGuard(file, read, this.#folder),
    ];
    const reading = readingOf(file, read, read.accepted);
    const form = JSON.stringify([reading.header, reading.read, reading.times_of_day]);
    if (guards.length === 0 && read.rows.size > 0 && !this.#checked.has(form)) {
      guards.push(...(await this.#doubts(version, read, offline, signal)));
    }
    if (guards.length > 0) throw stoppedBy(file, settings.folder, read, guards);
    if (read.rows.size > 0) this.#checked.add(form);
    output.forget(`stopped ${file}`);
    const digest = digestOf(bytes);
    const turn = this.#turns.get(digest) ?? (isLate ? ++this.#turn : 0);
    this.#turns.set(digest, turn);
    const isFiltered = read.parameters.where.length + read.parameters.whereNot.length > 0;
    const isWhole = !isPartial && !isFiltered && read.parameters.point === undefined;
    this.sources.set(file, {
      settled: { path: file, digest, modifiedMs: version.modifiedMs, turn, rows: read.rows },
      facts: { columns: read.splitNames, unreadable: read.unreadable, isWhole },
      // A new column stays new until a person looks at it.
      reading: before && read.added.length > 0 ? before.reading : reading,
      read,
      rows: isPartial && before ? Math.max(before.rows, read.total) : read.total,
      readAt: new Date().toISOString(),
    });
    this.tell();
    if (read.added.length > 0) throw addedTo(file, settings.folder, read.added);
    return true;
  }

  /** Hands the merged files to the folder. */
  tell(): void {
    const files = [...this.sources.values()];
    this.#folder.read({
      merged: merge(files.map(({ settled }) => settled)),
      files: new Map(files.map(({ settled, facts }) => [settled.path, facts])),
    });
  }

  /** Drops an absent file. The stored rows stay. */
  leave(file: string): void {
    if (this.sources.delete(file)) this.tell();
  }

  /** @returns undefined without content. @throws Stopped for an unreadable file */
  async #read({ file, bytes, isPartial, isCut }: Version): Promise<ReadFile | undefined> {
    const { settings } = this.#context;
    const taken = this.sources.get(file);
    const isNew = !taken;
    try {
      const chosen = await chooseReading(bytes, file, { ...settings, before: taken?.reading });
      return readRows(chosen, file, isCut, taken?.read.rows);
    } catch (error) {
      if (error instanceof CliError && error.exitCode === EXIT.unclear) {
        // The times of day wait for the starts.
        const isAsked = settings.told !== undefined;
        const short = isAsked ? say('short_no_starts', { name: basename(file) }) : '';
        throw new Stopped(file, { short, text: error.message });
      }
      if (!(error instanceof FileError)) throw error;
      const isEmpty = bytes.length === 0;
      // A file under construction may be empty.
      if (isPartial || (isEmpty && isNew)) return undefined;
      const short = say(isEmpty ? 'short_no_rows' : 'short_unreadable', { name: basename(file) });
      const why = say('file_unreadable', { name: basename(file), why: faultText(error) });
      const check = say('check_it', { path: pastedPath(settings.folder, file) });
      // A folder may have files of another kind.
      const answer = isNew && !this.#named.has(file) ? 'no_results' : 'none';
      throw new Stopped(file, { short, text: isEmpty ? why : `${why} ${check}`, answer });
    }
  }

  /**
   * Asks the API about the rows of a file.
   * @throws Stopped if the API cannot be asked now, or only a person can choose the reading
   */
  async #doubts(
    { file, bytes }: Version,
    read: ReadFile,
    offline: string | undefined,
    signal: AbortSignal,
  ) {
    const { output, settings } = this.#context;
    const waits = (why: string) =>
      new Stopped(file, { short: '', text: say('not_checked', { file: basename(file), why }) });
    if (offline !== undefined) throw waits(offline);
    try {
      const context = { ...this.#context, signal };
      const asked = previewGuards(context, file, bytes, read, this.#folder.sender);
      const [guards, away] = await unlessOffline(asked);
      if (!guards) throw waits(away.why);
      for (const { code, detail } of guards.filter((one) => !isStopping(one.code))) {
        const noticed = { file: basename(file), code, detail };
        output.once(`${file} ${code}`, 'noticed', noticed, say('noticed', noticed));
      }
      return guards.filter(({ code }) => isStopping(code) && !read.accepted.includes(code));
    } catch (error) {
      if (!(error instanceof CliError) || error.exitCode !== EXIT.unclear) throw error;
      const path = pastedPath(settings.folder, file);
      throw new Stopped(file, { short: say('short_check', { path }), text: error.message });
    }
  }

  /** Writes the rejected rows of each file, and reports each row once. */
  async noticeRejected(): Promise<void> {
    const { output, settings } = this.#context;
    const rejected = this.#folder.difference.failed.map(rejectedOf);
    for (const [file, { read }] of this.sources) {
      const own = rejected.filter((row) => row.file === file);
      await keepRejected(output, this.#rejectedPath(file), read, own);
    }
    const count = sayRejected(output, rejected, settings);
    const path = basename(settings.stateDir);
    if (count > 0) output.progress('rejected_rows', { count, path });
  }

  #rejectedPath(file: string): string {
    // The rejected rows of a workbook are a CSV file: under the name of a workbook, no spreadsheet opens it.
    const end = /\.xlsx$/i.test(file) ? '.csv' : '';
    const name = this.#named.has(file) ? 'rejected.csv' : `rejected-${basename(file)}${end}`;
    return join(this.#context.settings.stateDir, name);
  }
}

function stoppedBy(
  file: string,
  folder: string,
  read: ReadFile,
  guards: readonly Guard[],
): Stopped {
  const name = basename(file);
  const codes = guards.map(({ code }) => code);
  const code = codes.find(isStopping) ?? 'other_reading';
  const short = say(`short_${code}`, { name });
  const why = guards.map(({ detail }) => detail).join(' ');
  const text = say('version_stopped', { why, name, path: pastedPath(folder, file) });
  const answers: Partial<Record<typeof code, Stop['answer']>> = {
    header_differs: 'none',
    point_or_finish: 'point_or_finish',
  };
  const reading = readingOf(file, read, [...read.accepted, ...codes]);
  return new Stopped(file, { short, text, answer: answers[code] ?? 'right', reading });
}

/** The known columns are sent. */
function addedTo(file: string, folder: string, columns: readonly string[]): Stopped {
  const values = { name: basename(file), columns, path: pastedPath(folder, file) };
  const text = say('columns_added', values);
  return new Stopped(file, { short: say('short_added', values), text, answer: 'added' });
}
