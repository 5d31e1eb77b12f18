import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Copy } from '../../client/index.ts';
import { EXIT, failure } from '../exit-codes.ts';
import {
  changesBetween,
  DELIMITERS,
  readText,
  runnersIn,
  type StartListChanges,
  startListCsv,
} from '../files/start-list.ts';
import { codeOf, replaceOwn } from '../own-files.ts';
import { say } from '../words.ts';
import type { Context } from './context.ts';

/** What an update found. `changes` are undefined for the first file. */
type StartListUpdate = {
  path: string;
  runners: number;
  without_bib: number;
  changes: StartListChanges | undefined;
};

/** A file that has the start list of an event. Each `update` makes it equal to the registrations. */
export class StartListFile {
  readonly path: string;
  readonly #copy: Copy<'start-list'>;
  readonly #delimiter: string;
  /** Whether the file is not as the copy, or nobody knows. */
  #isDue = true;

  /** @throws CliError for an unknown delimiter */
  constructor({ settings, client }: Pick<Context, 'settings' | 'client'>, name: string) {
    const { eventId, folder, delimiter = 'comma' } = settings;
    const known = DELIMITERS[delimiter];
    const names = Object.keys(DELIMITERS);
    if (known === undefined) throw failure(EXIT.usage, 'delimiter_unknown', { delimiter, names });
    this.path = resolve(folder, name);
    this.#delimiter = known;
    this.#copy = client.follow('start-list', eventId);
  }

  /**
   * Asks what has changed, and replaces the file at once if it is not equal.
   * @returns whether runners are new or others since the last time, and what the file says now if it was written
   * @throws RaceResultsError, or CliError if the file is not a start list, would lose everybody, or cannot be written
   */
  async update(signal: AbortSignal): Promise<{ isChanged: boolean; written?: StartListUpdate }> {
    const { changed, removed } = await this.#copy.update({ signal });
    this.#isDue ||= changed.length + removed.length > 0 || !existsSync(this.path);
    const written = this.#isDue ? await this.#write() : undefined;
    this.#isDue = false;
    return { isChanged: changed.length > 0, ...(written && { written }) };
  }

  async #write(): Promise<StartListUpdate | undefined> {
    const { path } = this;
    const before = await readText(path);
    const known = before === undefined ? undefined : runnersIn(before);
    if (before !== undefined && !known)
      throw failure(EXIT.guard, 'start_list_other_file', { path });
    const text = startListCsv(this.#copy.items.values(), this.#delimiter);
    if (text === before) return undefined;
    const after = runnersIn(text) ?? new Map();
    const count = known?.size ?? 0;
    if (after.size === 0 && count > 0) {
      throw failure(EXIT.guard, 'start_list_empty', { path, count });
    }
    try {
      await replaceOwn(path, text);
    } catch (error) {
      // A spreadsheet or a timing program that has the file open lets nobody replace it.
      throw failure(EXIT.usage, 'rejected_file_open', { path, error: codeOf(error) ?? error });
    }
    return {
      path,
      runners: after.size,
      without_bib: this.#copy.items.size - after.size,
      changes: known && changesBetween(known, after),
    };
  }
}

/** `start.csv: 3 late entries (bib 601, 602, 603), bib 41 is now 412, 2 withdrawn (bib 7, 9).` */
export function startListText(update: StartListUpdate): string {
  const { path, runners, without_bib, changes } = update;
  const parts = changes ? changedParts(changes) : [];
  const found = parts.length > 0 ? parts.join(', ') : say('start_list_whole', { runners });
  const waiting = without_bib > 0 ? ` ${say('start_list_without_bib', { without_bib })}` : '';
  return `${path}: ${found}.${waiting}`;
}

const RENUMBERED_SAID = 10;

function changedParts({ late, renumbered, withdrawn, changed }: StartListChanges): string[] {
  const some = (bibs: string[], one: 'late_entry' | 'withdrawn_one' | 'entry_changed') =>
    bibs.length === 1 ? [say(one, { bibs })] : [];
  const many = (bibs: string[], all: 'late_entries' | 'withdrawn_all' | 'entries_changed') =>
    bibs.length > 1 ? [say(all, { bibs, count: bibs.length })] : [];
  const more = renumbered.length - RENUMBERED_SAID;
  return [
    ...some(late, 'late_entry'),
    ...many(late, 'late_entries'),
    ...renumbered.slice(0, RENUMBERED_SAID).map((bibs) => say('bib_is_now', bibs)),
    ...(more > 0 ? [say('bibs_are_others', { more })] : []),
    ...some(withdrawn, 'withdrawn_one'),
    ...many(withdrawn, 'withdrawn_all'),
    ...some(changed, 'entry_changed'),
    ...many(changed, 'entries_changed'),
  ];
}
