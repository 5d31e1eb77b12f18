import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod/mini';
import type { RaceResultsClient } from '../../client/index.ts';
import { sleep } from '../../client/waiting.ts';
import { plainCsvLine } from '../../timing-files/write/csv.ts';
import { EXIT, failure } from '../exit-codes.ts';
import { version } from '../version.ts';
import { say } from '../words.ts';
import { messageOf, unlessOffline } from './api.ts';
import {
  type Acknowledged,
  type Difference,
  difference,
  type Facts,
  NO_FILES,
  NOTHING,
  type Open,
} from './difference.ts';
import { Held } from './held.ts';
import { bibOf, type FileRowText, keyOfText, pointOf, shortText } from './item.ts';
import { askLocal, type LocalServer, localAddress, openLocal } from './local.ts';
import { type Landed, nextRequest, requireSending, sendRequest } from './sending.ts';
import { acknowledge, type Line, newSender, type Request, Store } from './store.ts';
import type { User } from './user.ts';

type Sender = { settings: FolderSettings; client: RaceResultsClient; signal: AbortSignal };

/** `senderName` is the name given by a person. */
type FolderSettings = {
  eventId: string;
  stateDir: string;
  folder: string;
  user: User;
  senderName: string | undefined;
};

const text = z.string();
const texts = z.readonly(z.array(text));

/** An order to the process with the folder, from any terminal or from the page. */
const Entry = z.discriminatedUnion('type', [
  /** Rows sent by a person. */
  z.object({ type: z.literal('give'), file: text, texts, isByHand: z.boolean() }),
  /** `by` is `file`, `api` or the name of a disagreeing file. */
  z.object({ type: z.literal('decide'), keys: texts, by: text }),
  /** A person removed the result of a bib from the API. */
  z.object({ type: z.literal('removed'), bib: text }),
  /** The API has changed. */
  z.object({ type: z.literal('look') }),
  /** An unreadable file has no results, or a shorter list is right. */
  z.object({ type: z.literal('ignore'), file: text }),
  /** A stopped file is right, or the file's times belong to a point. */
  z.object({ type: z.literal('reading'), file: text, point: z.optional(text) }),
  /** race.json has changed. */
  z.object({ type: z.literal('checked') }),
]);
export type Entry = z.infer<typeof Entry>;

/** The answer of the process with the folder to other commands. */
const Holder = z.object({
  pid: z.int(),
  startedAt: text,
  name: text,
  /** Of the program. */
  version: text,
  /** The state in memory only. */
  live: z.optional(z.unknown()),
  /** `problem` says why an entry was refused, `waits` why an entry is not done yet. */
  problem: z.optional(text),
  waits: z.optional(text),
});
type Holder = z.infer<typeof Holder>;

/** A folder has a single address, in spite of links and, on Windows and macOS, of upper and lower case. */
const addressOf = ({ user, eventId, folder }: FolderSettings) =>
  localAddress(user.secret, eventId, realpathSync.native(folder));

/** After this time without the API, the entry goes on without the asking command. */
const ENTRY_PATIENCE_MS = 15_000;
const LOOK_EVERY_MS = 50;
/** Of this many looks, a single look asks for passings, unless this folder has sent passings. */
const PASSINGS_EVERY = 3;

/** @returns undefined if no process has the folder, and 'silent' if a process has the folder and does not answer */
export async function holderOf(
  settings: FolderSettings,
  entry?: Entry,
): Promise<Holder | 'silent' | undefined> {
  const address = addressOf(settings);
  const answer = entry
    ? await askLocal(address, '/entry', entry, 2 * ENTRY_PATIENCE_MS)
    : await askLocal(address, '/state');
  if (answer === undefined) return undefined;
  return z.safeParse(Holder, answer).data ?? 'silent';
}

/** The pages of `watch` at the address of a folder. */
type Pages = { live(): unknown; page(): string; view(): string };

type Answered = { request: Request; landed: Landed };

/** The content of the watched files. */
type Content = Pick<Facts, 'merged' | 'files'>;

/** Sends the rows of files and people, a single request at a time. A folder belongs to a single process at a time. */
export class Folder {
  readonly store: Store;
  readonly local: LocalServer;
  #content: Content = NO_FILES;
  /** Called before an entry is kept. @throws CliError for an impossible entry */
  onEntry: (entry: Entry) => Promise<void> = async () => {};
  pages: Pages | undefined;
  /** The time of the last look at the API, by a monotonic clock; undefined before the first look. */
  lookedMs: number | undefined;
  readonly #stored: Held;
  /** Rows sent since the last look. */
  readonly #unseen = new Set<string>();
  #looks = 0;
  /** Whether the API was asked if the API leaves rows to a person. */
  #isAble = false;
  readonly #settings: FolderSettings;
  readonly #client: RaceResultsClient;
  #difference: Difference | undefined;

  private constructor({ settings, client }: Sender, local: LocalServer, store: Store) {
    this.#settings = settings;
    this.#client = client;
    this.local = local;
    this.store = store;
    this.#stored = new Held(client, settings.eventId, store.acknowledged, () => {
      this.#difference = undefined;
    });
  }

  get held(): Held['values'] {
    return this.#stored.values;
  }

  get passings(): Held['passings'] {
    return this.#stored.passings;
  }

  /**
   * @param name the work in a few words, shown to a person if the folder is taken
   * @param entry is sent to the process with the folder, if any
   * @returns the process with the folder, 'silent' if the process does not answer
   * @throws CliError if the folder belongs to another event or is a copy, or if other programs have the folder's ports
   */
  static async open(
    sender: Sender,
    name: string,
    entry?: Entry,
  ): Promise<Folder | Holder | 'silent'> {
    for (;;) {
      const folder = await Folder.#openFree(sender, name);
      const found = folder ?? (await holderOf(sender.settings, entry));
      if (found) return found;
      // The process with the folder has ended.
      await sleep(LOOK_EVERY_MS, sender.signal);
    }
  }

  /** @returns undefined if another process has the folder */
  static async #openFree(sender: Sender, name: string) {
    const { settings } = sender;
    const startedAt = new Date().toISOString();
    const me: Holder = { pid: process.pid, startedAt, name, version: version() };
    const opened: { folder?: Folder } = {};
    const local = await openLocal(addressOf(settings), {
      page: () => opened.folder?.pages?.page() ?? name,
      view: () => opened.folder?.pages?.view() ?? name,
      state: async () => ({ ...me, live: opened.folder?.pages?.live() }),
      take: async (sent) => {
        const entry = z.safeParse(Entry, sent).data;
        const { folder } = opened;
        if (!entry || !folder) return { ...me, problem: say('entry_unknown') };
        return folder.#takeAndWait(entry).then(
          (waits) => ({ ...me, waits }),
          (error: unknown) => ({ ...me, problem: messageOf(error) }),
        );
      },
    });
    if (!local) return undefined;
    try {
      const store = await Store.open(settings.stateDir);
      await own(store, settings);
      opened.folder = new Folder(sender, local, store);
      return opened.folder;
    } catch (error) {
      await local.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.store.write([]);
    await this.local.close();
  }

  get sender(): string {
    return this.store.owner?.sender ?? '';
  }

  /** Takes over the content of the files. */
  read(content: Content): void {
    this.#content = content;
    this.#difference = undefined;
  }

  /** The rows to send, and the questions for a person. Computed again after a change. */
  get difference(): Difference {
    const { acknowledged, decisions, given } = this.store;
    this.#difference ??= difference({
      ...this.#content,
      ...{ acknowledged, decisions, given, held: this.held },
    });
    return this.#difference;
  }

  /** Everything that a person may decide. */
  get open(): Open[] {
    const { left, failed, old } = this.difference;
    return [...left, ...failed, ...old];
  }

  async #write(lines: readonly Line[]): Promise<void> {
    await this.store.write(lines);
    this.#difference = undefined;
  }

  /** A person's decision counts from now on. @throws CliError if the decision is not kept */
  async take(entry: Entry): Promise<void> {
    await this.onEntry(entry);
    await this.#write(this.#linesOf(entry));
  }

  #linesOf(entry: Entry): Line[] {
    switch (entry.type) {
      case 'give':
        return entry.texts.flatMap((one): Line[] => {
          const key = keyOfText(one);
          const { file, isByHand } = entry;
          const given: Line = ['given', key, { text: one, file, isByHand }];
          return isByHand ? [given, this.#settled(key, one)] : [given];
        });
      case 'decide':
        return entry.keys.map((key): Line => ['decision', key, this.#decision(key, entry.by)]);
      case 'removed':
        return [this.#settled(entry.bib, null)];
      case 'ignore':
        return [['ignored', entry.file, true]];
      default:
        return [];
    }
  }

  /** The file's current value raises no question while the API holds the decided value. */
  #settled(key: string, held: string | null): Line {
    const said = this.#content.merged.rows.get(key)?.text ?? this.store.acknowledged.get(key)?.text;
    return ['decision', key, { is: 'api', text: said ?? null, held }];
  }

  /** @throws CliError for a key without a question, or if the answer needs the name of a file */
  #decision(key: string, by: string) {
    const open = this.open.find((one) => one.key === key);
    // Of an unreadable row, only the stored value can count.
    if (!open || (open.line !== null && by !== 'api')) {
      throw failure(EXIT.usage, 'nobody_asked', { bib: bibOf(key) });
    }
    const { text: said, held, choices, code } = open;
    if (by === 'api') return { is: 'api' as const, text: said, held };
    const chosen = choices.find(({ file }) => file === by || file.endsWith(`/${by}`));
    const isUnclear = choices.length > 0 ? !chosen : by !== 'file' || code === 'gone';
    if (isUnclear) {
      const files = choices.length > 0 ? choices.map(({ file }) => file) : ['file'];
      throw failure(EXIT.usage, code === 'gone' ? 'gone_needs_remove' : 'name_the_file', {
        ...{ bib: bibOf(key), files },
      });
    }
    return { is: 'file' as const, text: chosen?.text ?? said, held };
  }

  /** @returns why the entry is not done yet; undefined if the API has answered */
  async #takeAndWait(entry: Entry): Promise<string | undefined> {
    await this.take(entry);
    if (entry.type === 'look') this.lookedMs = undefined;
    const keys =
      entry.type === 'give' ? entry.texts.map(keyOfText) : 'keys' in entry ? entry.keys : [];
    const endsAt = performance.now() + ENTRY_PATIENCE_MS;
    const isWaiting = () =>
      (entry.type === 'look' && this.lookedMs === undefined) ||
      (keys.length > 0 &&
        (this.store.request !== undefined || keys.some((key) => this.difference.send.has(key))));
    while (isWaiting()) {
      if (performance.now() > endsAt) return say('running_has_it');
      await sleep(LOOK_EVERY_MS, undefined);
    }
    return undefined;
  }

  /**
   * Sends the request without an answer, or else the next request.
   * @returns undefined without rows to send
   * @throws RaceResultsError: the request is kept, and sent again under the request's key. DiskError: nothing was sent
   */
  async sendNext(signal: AbortSignal): Promise<Answered | undefined> {
    const { store } = this;
    if (store.request) return this.#send(store.request, signal);
    if (this.lookedMs === undefined) await this.look(signal);
    const request = nextRequest(this.difference.send);
    if (!request) return undefined;
    await this.store.write([['request', '', request]]);
    return this.#send(request, signal);
  }

  async #send(request: Request, signal: AbortSignal): Promise<Answered> {
    const { store, held } = this;
    const { file, rows } = request;
    const client = this.#client;
    const { eventId } = this.#settings;
    if (!this.#isAble) await requireSending(client, eventId, signal);
    this.#isAble = true;
    const landed = await sendRequest(client, eventId, request, this.sender, signal);
    const { refused } = landed;
    if (!landed.isReplayed) {
      for (const [key, value] of rows) {
        if (refused.has(key)) continue;
        held.set(key, { text: value, id: held.get(key)?.id ?? null });
        this.#unseen.add(key);
      }
    }
    // A question compares with the stored value of now. After a repetition, another sender may have written.
    if (landed.isReplayed || refused.size > 0) await this.look(signal);
    const lines = rows.flatMap(([key, value]): Line[] => {
      const known = store.acknowledged.get(key) ?? { ...NOTHING, file };
      const refusal = refused.get(key);
      const acknowledged = refusal
        ? { ...known, answer: { ...refusal, held: held.get(key)?.text ?? null } }
        : this.#acknowledged(key, { text: value, file });
      const given: Line[] = store.given.get(key)?.text === value ? [['given', key, null]] : [];
      return [['acknowledged', key, acknowledged], ...given];
    });
    await this.#write([...lines, ['request', '', null]]);
    return { request, landed };
  }

  /** Fetches the changes at the API. @throws RaceResultsError, DiskError */
  async look(signal: AbortSignal): Promise<void> {
    const isOfPassings =
      this.#looks % PASSINGS_EVERY === 0 || [...this.#unseen].some((key) => pointOf(key));
    await this.#stored.look(signal, isOfPassings);
    this.#looks += 1;
    // A sent row missing from the API came and went between two looks.
    for (const key of this.#unseen) {
      if (this.held.get(key)?.id !== null) continue;
      this.held.delete(key);
      this.#difference = undefined;
    }
    this.#unseen.clear();
    this.lookedMs = performance.now();
    await this.#acknowledgeFound();
  }

  /** A stored value equal to the file's value counts as acknowledged. */
  async #acknowledgeFound(): Promise<void> {
    const lines = [...this.difference.found].map(
      ([key, row]): Line => ['acknowledged', key, this.#acknowledged(key, row)],
    );
    if (lines.length > 0) await this.#write(lines);
  }

  /** The facts about a key after the API took a value. */
  #acknowledged(key: string, { text, file }: Pick<FileRowText, 'text' | 'file'>): Acknowledged {
    const over = this.#content.merged.rows.get(key)?.over;
    const id = this.held.get(key)?.id ?? null;
    return acknowledge(this.store.acknowledged.get(key), { text, file, id }, over);
  }

  /** Lets the rows of unknown bibs be sent again once the API knows some of the bibs. @throws RaceResultsError */
  async retryRegistered(signal: AbortSignal): Promise<string[]> {
    const failed = this.difference.failed.filter(({ code }) => code === 'unknown_bib');
    const bibs = [...new Set(failed.map(({ key }) => bibOf(key)))];
    if (bibs.length === 0) return [];
    const file = ['bib,status\n', ...bibs.map((bib) => plainCsvLine([bib, 'DNF']))].join('');
    const { eventId } = this.#settings;
    const { counts } = await this.#client.previewEventResultsFile(eventId, file, { signal });
    if (counts.not_found >= bibs.length) return [];
    await this.retry(failed);
    return bibs;
  }

  /** Forgets the answers to rows: the rows are sent again. @throws DiskError */
  async retry(rows: readonly Open[]): Promise<void> {
    await this.#write(
      rows.flatMap(({ key }): Line[] => {
        const known = this.store.acknowledged.get(key);
        return known ? [['acknowledged', key, { ...known, answer: null }]] : [];
      }),
    );
  }
}

/** Makes the name of a new state. @throws CliError for the state of another event, and for a copy */
async function own(
  store: Store,
  { stateDir, eventId, user, senderName }: FolderSettings,
): Promise<void> {
  const { owner } = store;
  const place = `${user.secret.slice(0, 8)} ${realpathSync.native(resolve(stateDir))}`;
  if (owner && owner.event !== eventId) {
    throw failure(EXIT.usage, 'state_of_another_event', { stateDir, event: owner.event });
  }
  if (owner && owner.place !== place && senderName === undefined) {
    throw failure(EXIT.guard, 'state_is_copied', { stateDir, sender: owner.sender });
  }
  const sender = senderName ?? owner?.sender ?? newSender();
  if (owner?.sender === sender && owner.place === place) return;
  await store.write([['owner', '', { event: eventId, sender, place }]]);
}

/**
 * Keeps an entry on the disk, and sends the entry's rows. If another process has the folder, the other process does
 * both.
 * @returns the state after the entry
 * @throws CliError if the entry is not kept, if the entry is kept and sent later, or if the key or the event is refused
 */
export async function deliver(sender: Sender, entry: Entry): Promise<Store> {
  const { stateDir } = sender.settings;
  const folder = await Folder.open(sender, entry.type, entry);
  if (folder instanceof Folder) {
    try {
      if (entry.type === 'decide') await folder.look(sender.signal);
      await folder.take(entry);
      for (;;) {
        const [sent, offline] = await unlessOffline(folder.sendNext(sender.signal));
        if (offline) throw waits(folder.store, offline.why);
        if (!sent) return folder.store;
      }
    } finally {
      await folder.close();
    }
  }
  const why = folder === 'silent' ? say('running_is_silent') : folder.problem;
  if (folder === 'silent' || why !== undefined) {
    throw failure(EXIT.running, 'running_did_not_take_it', { why });
  }
  const store = await Store.read(stateDir);
  if (folder.waits !== undefined) throw waits(store, folder.waits);
  return store;
}

const waits = ({ given, request }: Store, why: string) =>
  failure(EXIT.offline, 'queue_waits', { count: given.size || request?.rows.length || 0, why });

/** A row in words: bib, point, the stored value and the file's value. */
export function comparedText({ key, text: said, held, choices }: Open): string {
  const files = choices.map((one) => `${shortText(one.text)} (${one.file.split(/[\\/]/).at(-1)})`);
  return say('compared', {
    bib: key.replace('\n', ' '),
    held: shortText(held),
    file: files.length > 0 ? files.join(' / ') : shortText(said),
  });
}
