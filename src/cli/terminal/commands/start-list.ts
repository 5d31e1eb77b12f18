import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import Papa from 'papaparse';
import type { Copy, StartListEntry } from '../../../client/index.ts';
import { compareNames } from '../../../timing-files/read/name-order.ts';
import { BYTE_ORDER_MARK, csvLine } from '../../../timing-files/write/csv.ts';
import { EXIT, type ExitCode, failure } from '../../exit-codes.ts';
import { codeOf, replaceOwn } from '../../own-files.ts';
import { type Key, say } from '../../words.ts';
import type { Context } from '../context.ts';

/** Writes the start list as a file for a timing program, and reports the changes since the last file. */
export async function startList(context: Context): Promise<ExitCode> {
  const { settings, output, signal } = context;
  const file = new StartListFile(context, settings.operand);
  const { written } = await file.update(signal);
  const { path } = file;
  if (written) output.answer('start_list', written, startListText(written));
  else output.answer('start_list', { path }, say('start_list_same', { path }));
  return EXIT.done;
}

/**
 * The columns in order, with names known to timing programs. The last column identifies a runner through a change of
 * bib.
 */
const COLUMNS = {
  bib_number: 'Bib',
  chip: 'Chip',
  given_names: 'First name',
  surnames: 'Last name',
  gender: 'Gender',
  distance: 'Distance',
  category: 'Category',
  kit_status: 'Kit',
  inscription_id: 'Registration',
} as const satisfies Record<keyof StartListEntry, string>;

/** Whether a file with this header is a start list of ours. */
export const isStartList = (header: readonly string[]): boolean =>
  Object.values(COLUMNS).every((name) => header.includes(name));

const FIELDS = Object.keys(COLUMNS) as (keyof StartListEntry)[];

const DELIMITERS: Readonly<Record<string, string>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
};

/** In the order of the bibs. Without a bib, a program would import a runner once more at each import. */
function startListCsv(entries: Iterable<StartListEntry>, delimiter: string): string {
  const rows = [...entries]
    .filter(({ bib_number }) => bib_number !== null)
    .sort((one, other) => compareNames(one.bib_number ?? '', other.bib_number ?? ''))
    .map((entry) => FIELDS.map((field) => entry[field]));
  const table = [Object.values(COLUMNS), ...rows];
  return BYTE_ORDER_MARK + table.map((cells) => csvLine(cells, delimiter)).join('');
}

/** The cells of each runner of a file, by registration. */
type Runners = ReadonlyMap<string, readonly string[]>;

/** @returns undefined for a text not from `startListCsv` */
function runnersIn(text: string): Runners | undefined {
  const plain = text.replace(/^\uFEFF/, '');
  const names = Object.values(COLUMNS);
  const delimiter = Object.values(DELIMITERS).find((one) =>
    new RegExp(`^${names.join(one)}\r?\n`).test(plain),
  );
  if (delimiter === undefined) return undefined;
  const { data } = Papa.parse<string[]>(plain, { delimiter, skipEmptyLines: true });
  return new Map(data.slice(1).map((cells) => [cells.at(-1) ?? '', cells]));
}

/** The bibs of new, renumbered, withdrawn and changed runners. */
type StartListChanges = {
  late: string[];
  renumbered: { from: string; to: string }[];
  withdrawn: string[];
  changed: string[];
};

function changesBetween(before: Runners, after: Runners): StartListChanges {
  const changes: StartListChanges = { late: [], renumbered: [], withdrawn: [], changed: [] };
  for (const [id, cells] of after) {
    const old = before.get(id);
    const [bib = ''] = cells;
    if (!old) changes.late.push(bib);
    else if (old[0] !== bib) changes.renumbered.push({ from: old[0] ?? '', to: bib });
    else if (old.join('\n') !== cells.join('\n')) changes.changed.push(bib);
  }
  for (const [id, [bib = '']] of before) if (!after.has(id)) changes.withdrawn.push(bib);
  return changes;
}

/** An update of the file. The first update has no `changes`. */
type StartListUpdate = {
  path: string;
  runners: number;
  without_bib: number;
  changes: StartListChanges | undefined;
};

/** A file with the start list of an event. Each `update` makes the file equal to the registrations. */
export class StartListFile {
  readonly path: string;
  readonly #copy: Copy<'start-list'>;
  readonly #delimiter: string;
  /** Whether the file differs, or may differ, from the copy. */
  #isDue = true;

  /** @throws CliError for an unknown delimiter */
  constructor({ settings, client }: Pick<Context, 'settings' | 'client'>, name: string) {
    const { eventId, folder } = settings;
    const delimiter = settings.text('delimiter') ?? 'comma';
    const known = DELIMITERS[delimiter];
    const names = Object.keys(DELIMITERS);
    if (known === undefined) throw failure(EXIT.usage, 'delimiter_unknown', { delimiter, names });
    this.path = resolve(folder, name);
    this.#delimiter = known;
    this.#copy = client.follow('start-list', eventId);
  }

  /**
   * Asks for changes, and replaces the file at once if the file differs.
   * @returns whether runners are new or changed since the last update, and the facts of a written file
   * @throws RaceResultsError, or CliError if the file is not a start list, would lose all runners, or cannot be written
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
    const before = existsSync(path) ? await readFile(path, 'utf8') : undefined;
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
      // A file open in a spreadsheet or a timing program cannot be replaced.
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
  const counted = (bibs: string[], one: Key, many: Key) =>
    bibs.length === 0 ? [] : [say(bibs.length === 1 ? one : many, { bibs, count: bibs.length })];
  const more = renumbered.length - RENUMBERED_SAID;
  return [
    ...counted(late, 'late_entry', 'late_entries'),
    ...renumbered.slice(0, RENUMBERED_SAID).map((bibs) => say('bib_is_now', bibs)),
    ...(more > 0 ? [say('bibs_are_others', { more })] : []),
    ...counted(withdrawn, 'withdrawn_one', 'withdrawn_all'),
    ...counted(changed, 'entry_changed', 'entries_changed'),
  ];
}
