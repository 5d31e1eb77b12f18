import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod/mini';
import type { Copy, FollowedLists, RaceResultsClient } from '../../client/index.ts';
import { sleep } from '../../client/waiting.ts';
import { plainCsvLine } from '../../timing-files/write/csv.ts';
import { EXIT, failure } from '../exit-codes.ts';
import { say } from '../words.ts';
import { messageOf, unlessOffline } from './api.ts';
import {
  type Difference,
  difference,
  type FileFacts,
  type HeldValue,
  type Open,
} from './difference.ts';
import {
  bibOf,
  keyOf,
  keyOfText,
  pointOf,
  ResultRow,
  shortText,
  textOf,
  textOfPassing,
} from './item.ts';
import { askLocal, type LocalServer, localAddress, openLocal } from './local.ts';
import type { Merged } from './merge.ts';
import { type Landed, nextRequest, sendRequest } from './sending.ts';
import { acknowledge, type Line, newSender, type Request, Store } from './store.ts';
import type { User } from './user.ts';

type Sender = { settings: Place; client: RaceResultsClient; signal: AbortSignal };

/** The place of a state. `senderName` is the name given by a person. */
type Place = {
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
  /** The state in memory only. */
  live: z.optional(z.unknown()),
  /** `problem` says why an entry was refused, `waits` why an entry is not done yet. */
  problem: z.optional(text),
  waits: z.optional(text),
});
type Holder = z.infer<typeof Holder>;

/** A folder has a single address, in spite of links and, on Windows and macOS, of upper and lower case. */
const addressOf = ({ user, eventId, folder }: Place) =>
  localAddress(user.secret, eventId, realpathSync.native(folder));

/** After this time without the API, the entry goes on without the asking command. */
const ENTRY_PATIENCE_MS = 15_000;
const LOOK_EVERY_MS = 50;
/** Of this many looks, a single look asks for passings, unless this folder has sent passings. */
const PASSINGS_EVERY = 3;

/** @returns undefined if no process has the folder, and 'silent' if a process has the folder and does not answer */
export async function holderOf(
  place: Place,
  entry?: Entry,
): Promise<Holder | 'silent' | undefined> {
  const answer = entry
    ? await askLocal(addressOf(place), '/entry', entry, 2 * ENTRY_PATIENCE_MS)
    : await askLocal(addressOf(place), '/state');
  if (answer === undefined) return undefined;
  return z.safeParse(Holder, answer).data ?? 'silent';
}

/** The pages of `watch` at the address of a folder. */
type Pages = { live(): unknown; page(): string; view(): string };

type Answered = { request: Request; landed: Landed };

const noMore = (key: string): Line => ['given', key, null];

const NO_FILES: Merged = { rows: new Map(), unordered: new Map(), twins: new Map() };

/** Sends the rows of files and people, a single request at a time. A folder belongs to a single process at a time. */
export class Folder {
  readonly store: Store;
  readonly local: LocalServer;
  /** The content of the files. */
  #merged = NO_FILES;
  #files: ReadonlyMap<string, FileFacts> = new Map();
  /** Bibs of unreadable rows. */
  #unreadable: ReadonlySet<string> = new Set();
  /** Called before an entry is kept. @throws CliError for an impossible entry */
  onEntry: (entry: Entry) => Promise<void> = async () => {};
  pages: Pages | undefined;
  /** The time of the last look at the API, by a monotonic clock; undefined before the first look. */
  lookedMs: number | undefined;
  readonly held = new Map<string, HeldValue>();
  readonly passings: Copy<'passings'>;
  readonly #results: Copy<'results'>;
  /** The key of each registration, or of a registration at a point. */
  readonly #keys = new Map<string, string>();
  /** Rows sent since the last look. */
  readonly #unseen = new Set<string>();
  #looks = 0;
  readonly #place: Place;
  readonly #client: RaceResultsClient;
  #difference: Difference | undefined;

  private constructor(place: Place, client: RaceResultsClient, local: LocalServer, store: Store) {
    this.#place = place;
    this.#client = client;
    this.local = local;
    this.store = store;
    this.#results = client.follow('results', place.eventId);
    this.passings = client.follow('passings', place.eventId);
  }

  /**
   * @param name the work in a few words, shown to a person if the folder is taken
   * @param entry is sent to the process with the folder, if any
   * @returns the process with the folder, 'silent' if the process does not answer
   * @throws CliError if the folder belongs to another event or is a copy, or if other programs have the folder's ports
   */
  static async open(
    { settings: place, client, signal }: Sender,
    name: string,
    entry?: Entry,
  ): Promise<Folder | Holder | 'silent'> {
    for (;;) {
      const folder = await Folder.#openFree(place, client, name);
      const found = folder ?? (await holderOf(place, entry));
      if (found) return found;
      // The process with the folder has ended.
      await sleep(LOOK_EVERY_MS, signal);
    }
  }

  /** @returns undefined if another process has the folder */
  static async #openFree(place: Place, client: RaceResultsClient, name: string) {
    const me: Holder = { pid: process.pid, startedAt: new Date().toISOString(), name };
    const opened: { folder?: Folder } = {};
    const local = await openLocal(addressOf(place), {
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
      const store = await Store.open(place.stateDir);
      await own(store, place);
      const folder = new Folder(place, client, local, store);
      opened.folder = folder;
      return folder;
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
  read(
    merged: Merged,
    files: ReadonlyMap<string, FileFacts>,
    unreadable: ReadonlySet<string>,
  ): void {
    this.#unreadable = unreadable;
    this.#merged = merged;
    this.#files = files;
    this.#difference = undefined;
  }

  /** The rows to send, and the questions for a person. Computed again after a change. */
  get difference(): Difference {
    const { acknowledged, decisions, given } = this.store;
    this.#difference ??= difference({
      ...{ merged: this.#merged, files: this.#files },
      ...{ acknowledged, decisions, given, held: this.held },
    });
    return this.#difference;
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
    const { store } = this;
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
        return [['ignored', [...new Set([...store.ignored, entry.file])]]];
      default:
        return [];
    }
  }

  /** The file's current value raises no question while the API holds the decided value. */
  #settled(key: string, held: string | null): Line {
    const said = this.#merged.rows.get(key)?.text ?? this.store.acknowledged.get(key)?.text;
    return ['decision', key, { is: 'api', text: said ?? null, held }];
  }

  /** @throws CliError for a key without a question, or if the answer needs the name of a file */
  #decision(key: string, by: string) {
    const { left, failed, old } = this.difference;
    const open = [...left, ...failed, ...old].find((one) => one.key === key);
    if (!open && by === 'api' && this.#unreadable.has(key)) {
      return { is: 'api' as const, text: null, held: this.held.get(key)?.text ?? null };
    }
    if (!open) throw failure(EXIT.usage, 'nobody_asked', { bib: bibOf(key) });
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
        (this.store.request !== null || keys.some((key) => this.difference.send.has(key))));
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
    await this.store.write([['request', request]]);
    return this.#send(request, signal);
  }

  /** Sends until nothing waits. @throws like `sendNext` */
  async sendAll(signal: AbortSignal): Promise<Answered[]> {
    const all: Answered[] = [];
    for (let one = await this.sendNext(signal); one; one = await this.sendNext(signal))
      all.push(one);
    return all;
  }

  async #send(request: Request, signal: AbortSignal): Promise<Answered> {
    const { store, held } = this;
    const { file, rows } = request;
    const landed = await sendRequest(
      this.#client,
      this.#place.eventId,
      request,
      this.sender,
      signal,
    );
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
      const known = store.acknowledged.get(key);
      const answer = refused.get(key);
      const stored = held.get(key);
      const over = this.#merged.rows.get(key)?.over;
      const given = store.given.get(key)?.text === value;
      return [
        [
          'acknowledged',
          key,
          answer
            ? {
                ...(known ?? { text: null, file, earlier: [], id: null }),
                answer: { ...answer, held: stored?.text ?? null },
              }
            : acknowledge(known, { text: value, file, id: stored?.id ?? null, over }),
        ],
        ...(given ? [noMore(key)] : []),
      ];
    });
    await this.#write([...lines, ['request', null]]);
    return { request, landed };
  }

  /** Fetches the changes at the API. @throws RaceResultsError, DiskError */
  async look(signal: AbortSignal): Promise<void> {
    const results = await this.#results.update({ signal });
    const isPassings =
      this.#looks++ % PASSINGS_EVERY === 0 || [...this.#unseen].some((key) => pointOf(key));
    const passings = isPassings
      ? await this.passings.update({ signal })
      : { changed: [], removed: [] };
    const seen = new Set<string>();
    const keep = (id: string, registration: string, key: string | null, value: string) => {
      this.#forget(id);
      if (key === null) return;
      this.#keys.set(id, key);
      this.held.set(key, { text: value, id: registration });
      seen.add(key);
    };
    for (const item of results.removed) this.#forget(item.inscription_id);
    for (const item of passings.removed) this.#forget(idOfPassing(item));
    for (const item of results.changed) {
      keep(item.inscription_id, item.inscription_id, item.bib_number, textOfResult(item));
    }
    for (const item of passings.changed) {
      const { bib_number, point, time } = item;
      const key = bib_number === null ? null : keyOf(bib_number, point);
      const value = textOfPassing({ bib_number: bib_number ?? '', point, time });
      keep(idOfPassing(item), item.inscription_id, key, value);
    }
    // A sent row missing from the API came and went between two looks.
    for (const key of this.#unseen) {
      if (!seen.has(key) && this.held.get(key)?.id === null) this.held.delete(key);
    }
    this.#unseen.clear();
    this.lookedMs = performance.now();
    this.#difference = undefined;
    await this.#acknowledgeFound();
  }

  #forget(id: string): void {
    const key = this.#keys.get(id);
    this.#keys.delete(id);
    if (key === undefined) return;
    const [registration] = id.split(' ');
    if (this.held.get(key)?.id === registration) this.held.delete(key);
  }

  /** A stored value equal to the file's value counts as acknowledged. */
  async #acknowledgeFound(): Promise<void> {
    const lines = [...this.difference.found].map(([key, { text: value, file }]): Line => {
      const known = this.store.acknowledged.get(key);
      const over = this.#merged.rows.get(key)?.over;
      const id = this.held.get(key)?.id ?? null;
      return ['acknowledged', key, acknowledge(known, { text: value, file, id, over })];
    });
    if (lines.length > 0) await this.#write(lines);
  }

  /** Lets the rows of unknown bibs be sent again once the API knows some of the bibs. @throws RaceResultsError */
  async retryRegistered(signal: AbortSignal): Promise<string[]> {
    const failed = this.difference.failed.filter(({ code }) => code === 'unknown_bib');
    const bibs = [...new Set(failed.map(({ key }) => bibOf(key)))];
    if (bibs.length === 0) return [];
    const file = ['bib,status\n', ...bibs.map((bib) => plainCsvLine([bib, 'DNF']))].join('');
    const { eventId } = this.#place;
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

const textOfResult = (item: FollowedLists['results']): string => {
  const row = { ...item, bib_number: item.bib_number ?? '' };
  return textOf(ResultRow.parse(row));
};

const idOfPassing = ({ inscription_id, point }: FollowedLists['passings']): string =>
  `${inscription_id} ${point}`;

/** Makes the name of a new state. @throws CliError for the state of another event, and for a copy */
async function own(store: Store, { stateDir, eventId, user, senderName }: Place): Promise<void> {
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
  await store.write([['owner', { event: eventId, sender, place }]]);
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
      const [, offline] = await unlessOffline(folder.sendAll(sender.signal));
      if (offline) throw waits(folder.store, offline.why);
      return folder.store;
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
