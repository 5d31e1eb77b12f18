import { existsSync, realpathSync } from 'node:fs';
import * as z from 'zod/mini';
import {
  isRaceResultsError,
  type RaceResultsClient,
  type ResultBatch,
} from '../../client/index.ts';
import { sleep } from '../../client/waiting.ts';
import { plainCsvLine } from '../../timing-files/write/csv.ts';
import { CliError, EXIT, failure } from '../exit-codes.ts';
import { codeOf, ownFolder } from '../own-files.ts';
import { say } from '../words.ts';
import { failureOf, messageOf, systemText, unlessOffline } from './api.ts';
import { impossiblePassings, impossibleResults } from './impossible.ts';
import { bibOf, keyOfText, readChanges, readHeld } from './item.ts';
import { askLocal, type LocalServer, localAddress, openLocal } from './local.ts';
import { decisionOf, isUnfiled, waitingOf, whyAsked } from './record.ts';
import {
  knownOf,
  loadState,
  markOfRejected,
  NO_CAUSE,
  queueOf,
  type RaceState,
  reconcile,
  resend,
  saveState,
  type Tally,
  take,
  tally,
} from './state.ts';
import { type Flight, type Landed, nextFlight, upload } from './upload.ts';
import type { User } from './user.ts';

/** The parts of `Context` that sending needs. */
type Sender = { settings: Place; client: RaceResultsClient; signal: AbortSignal };

/** Where a queue is. */
type Place = { eventId: string; stateDir: string; folder: string; user: User };

const text = z.string();
const texts = z.array(text);

/** The process that has the queue carries out decisions from every terminal and from the page. */
const Entry = z.discriminatedUnion('type', [
  /** Rows of a file, or decisions that replace what the files say. */
  z.object({
    type: z.literal('send'),
    file: text,
    texts,
    isDecision: z.boolean(),
    isHeld: z.boolean(),
  }),
  z.object({ type: z.literal('release'), keys: texts }),
  /** Keeps the stored results. Without keys, it answers every open question. */
  z.object({ type: z.literal('keep'), keys: texts }),
  z.object({ type: z.literal('remove'), bib: text }),
  /** `undo` or `resend`: the API's results are compared. */
  z.object({ type: z.literal('compare'), isResend: z.boolean() }),
  /** Somebody has looked at the rejected rows. */
  z.object({ type: z.literal('seen') }),
  /** Files that cannot be read have no results, and a shorter list is right. */
  z.object({ type: z.literal('ignore'), files: texts }),
  /** A stopped file is right as it is, or its times are of a point. */
  z.object({ type: z.literal('reading'), file: text, point: z.optional(text) }),
  /** race.json has changed. */
  z.object({ type: z.literal('checked') }),
]);
export type Entry = z.infer<typeof Entry>;

/** The process that has a queue, as it answers other commands. */
const Holder = z.object({
  pid: z.int(),
  startedAt: text,
  name: text,
  /** The state that no file keeps, if it has a page. */
  live: z.optional(z.unknown()),
  /** Why an entry was not taken, or is not done yet. */
  problem: z.optional(text),
  waits: z.optional(text),
});
type Holder = z.infer<typeof Holder>;

/** A folder has one address, also if it is named by a link or, on Windows and macOS, in other letters. */
const addressOf = ({ user, eventId, folder }: Place) =>
  localAddress(user.secret, eventId, realpathSync.native(folder));

/** An entry waits so long for the API, and then goes on without the command that brought it. */
const ENTRY_PATIENCE_MS = 15_000;

/** @returns undefined if no process has the queue, and 'silent' if one has it that does not answer */
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

type Answered = {
  file: string;
  rows: number;
  failed: number;
  batch: string | undefined;
  /** New results. */
  uploaded: number;
};

/** Those of some minutes, also if several laptops send. */
const BATCHES_LOOKED_AT = 100;
/** A new folder looks at the latest of them. */
const HANDS_READ = 50;
const LOOK_EVERY_MS = 50;

/** The disk takes no more. */
export class DiskError extends CliError {}

/** What `watch` adds to the address of a queue. */
type Pages = { live(): unknown; page(): string; view(): string };

/** The queue between the files and the API. One process at a time has it. */
export class Queue {
  readonly state: RaceState;
  /** Sentences about what a disk has damaged. */
  readonly lost: readonly string[];
  /** Called before an entry is kept. @throws CliError if it cannot be done */
  onEntry: (entry: Entry) => Promise<void> = async () => {};
  /** Called with results that the API has lost. */
  onLost: (keys: string[]) => void = () => {};
  pages: Pages | undefined;
  /** The points of the course that have passings. */
  points: readonly string[] = [];
  readonly local: LocalServer;
  readonly #place: Place;
  readonly #client: RaceResultsClient;
  /** The upload that has no answer yet. */
  #flight: Flight | undefined;
  #saving: Promise<void> = Promise.resolve();
  #tally: Tally | undefined;

  private constructor(
    place: Place,
    client: RaceResultsClient,
    local: LocalServer,
    { state, lost }: Awaited<ReturnType<typeof loadState>>,
  ) {
    this.#place = place;
    this.#client = client;
    this.local = local;
    this.state = state;
    this.lost = lost;
    // The process before this one has ended, and the API may hold what it sent.
    if (this.state.isUnanswered) this.state.compare ??= NO_CAUSE;
  }

  /**
   * @param name what is sent, for people who find the queue taken
   * @param entry is for the process that has it, if there is one
   * @returns the process that has it, 'silent' if that one does not answer
   * @throws CliError if it belongs to another event, or other programs have its ports
   */
  static async open(
    { settings: place, client, signal }: Sender,
    name: string,
    entry?: Entry,
  ): Promise<Queue | Holder | 'silent'> {
    for (;;) {
      const queue = await Queue.#openFree(place, client, name);
      const found = queue ?? (await holderOf(place, entry));
      if (found) return found;
      // It has ended in the meantime.
      await sleep(LOOK_EVERY_MS, signal);
    }
  }

  /** @returns undefined if another process has it */
  static async #openFree(
    place: Place,
    client: RaceResultsClient,
    name: string,
  ): Promise<Queue | undefined> {
    await ownFolder(place.stateDir);
    const me: Holder = { pid: process.pid, startedAt: new Date().toISOString(), name };
    const opened: { queue?: Queue } = {};
    const local = await openLocal(addressOf(place), {
      page: () => opened.queue?.pages?.page() ?? name,
      view: () => opened.queue?.pages?.view() ?? name,
      state: async () => ({ ...me, live: opened.queue?.pages?.live() }),
      take: async (sent) => {
        const entry = z.safeParse(Entry, sent).data;
        const { queue } = opened;
        if (!entry || !queue) return { ...me, problem: say('entry_unknown') };
        return queue.#takeAndWait(entry).then(
          (waits) => ({ ...me, waits }),
          (error: unknown) => ({ ...me, problem: messageOf(error) }),
        );
      },
    });
    if (!local) return undefined;
    try {
      const loaded = await loadState(place.stateDir, place.eventId);
      const { event } = loaded.state;
      if (event !== place.eventId) {
        throw failure(EXIT.usage, 'state_of_another_event', { stateDir: place.stateDir, event });
      }
      const queue = new Queue(place, client, local, loaded);
      if (loaded.lost.length > 0) await queue.save();
      opened.queue = queue;
      return queue;
    } catch (error) {
      await local.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#saving;
    await this.local.close();
  }

  /** Taken again when the state has changed. */
  get tally(): Tally {
    this.#tally ??= tally(this.state);
    return this.#tally;
  }

  /** @throws DiskError */
  save(): Promise<void> {
    const saving = this.#saving.then(async () => {
      try {
        await saveState(this.#place.stateDir, this.state);
      } catch (error) {
        if (codeOf(error) === undefined) throw error;
        throw new DiskError(EXIT.usage, say('disk', { why: systemText(error) }));
      } finally {
        // People are not told of a row before it is on the disk.
        this.#tally = undefined;
      }
    });
    this.#saving = saving.catch(() => {});
    return saving;
  }

  /** A person's decision counts from now on. @throws CliError if it is not kept; RaceResultsError */
  async take(entry: Entry): Promise<void> {
    await this.onEntry(entry);
    if (entry.type === 'remove')
      await this.#client.deleteEventResult(this.#place.eventId, entry.bib);
    apply(this.state, entry);
    await this.save();
  }

  /** @returns why it is not done yet; undefined if the API holds what was decided */
  async #takeAndWait(entry: Entry): Promise<string | undefined> {
    await this.take(entry);
    const endsAt = performance.now() + ENTRY_PATIENCE_MS;
    for (;;) {
      const isResend = entry.type === 'compare' && entry.isResend;
      const keys = isResend ? [...this.state.known.keys()] : keysOf(entry);
      const isWaiting = keys.some((key) => waitingOf(knownOf(this.state, key)));
      // The command that waits reads the state from the disk.
      if (!isWaiting && this.state.compare === null) return this.#saving.then(() => undefined);
      if (performance.now() > endsAt) return say('running_has_it');
      await sleep(LOOK_EVERY_MS, undefined);
    }
  }

  /**
   * Compares with what the API holds if that is due. Then sends the upload that has no answer yet, or the next one.
   * @returns undefined if nothing waits
   * @throws RaceResultsError: the upload is kept, and sent again under the same key. DiskError: nothing was sent
   */
  async sendNext(signal: AbortSignal): Promise<Answered | undefined> {
    const { state } = this;
    await this.compare(signal);
    if (!this.#flight) {
      if (nextFlight(state).rows.size === 0) return undefined;
      // What a person decided meanwhile is not replaced before somebody says so.
      await this.#readHands(signal);
      const next = nextFlight(state);
      await this.#holdImpossible(next, signal);
      for (const [key, text] of next.rows) {
        if (waitingOf(knownOf(state, key))?.text !== text) next.rows.delete(key);
      }
      if (next.rows.size === 0) return this.sendNext(signal);
      state.isUnanswered = true;
      // Nothing is sent before it is on the disk.
      await this.save();
      this.#flight = next;
    }
    const flight = this.#flight;
    const landed = await this.#answerTo(flight, signal);
    this.#flight = undefined;
    for (const [key, text] of flight.rows) {
      take(state, key, { is: 'answered', text, failed: landed.failed.get(key) });
    }
    if (state.count !== null) state.count += landed.uploaded;
    state.isUnanswered = false;
    await this.save();
    const { file, rows } = flight;
    const { batch, uploaded } = landed;
    return { file, rows: rows.size, failed: landed.failed.size, batch, uploaded };
  }

  /** Rows that nobody runs wait for a person. What a person let pass is sent. @throws RaceResultsError, DiskError */
  async #holdImpossible({ file, rows, isOfPassings }: Flight, signal: AbortSignal): Promise<void> {
    const { state } = this;
    const isUnasked = (key: string, text: string) => {
      const known = knownOf(state, key);
      return known.passed !== text && !decisionOf(known);
    };
    if (state.sources.get(file)?.isTrusted) return;
    const unasked = [...rows].filter(([key, text]) => isUnasked(key, text));
    const { eventId } = this.#place;
    const keys = isOfPassings
      ? impossiblePassings(state, unasked)
      : await impossibleResults(this.#client, eventId, unasked, signal);
    for (const key of keys) {
      const isSame = waitingOf(knownOf(state, key))?.text === rows.get(key);
      if (isSame) take(state, key, { is: 'doubted', why: 'impossible' });
    }
    if (keys.length > 0) await this.save();
  }

  /** Sends until nothing waits. @throws like `sendNext` */
  async sendAll(signal: AbortSignal): Promise<void> {
    while (await this.sendNext(signal));
  }

  async #answerTo(flight: Flight, signal: AbortSignal): Promise<Landed> {
    const { state } = this;
    try {
      const landed = await upload(this.#client, this.#place.eventId, flight, signal);
      state.lastBatch = landed.batch ?? state.lastBatch;
      state.lastSuccessAt = new Date().toISOString();
      // Rows that were not counted are found by a comparison.
      if (!landed.isWhole) state.compare ??= NO_CAUSE;
      return landed;
    } catch (error) {
      const found = isRaceResultsError(error) ? failureOf(error) : undefined;
      if (found?.exitCode !== EXIT.unclear) throw error;
      const refused = { reason: found.why, code: 'refused' };
      const failed = new Map([...flight.rows.keys()].map((key) => [key, refused]));
      return { batch: undefined, uploaded: 0, isWhole: true, failed };
    }
  }

  /**
   * Asks whether somebody else wrote to the event, or the API has lost something. Then a comparison is due.
   * @returns the newest batches, the newest first
   * @throws RaceResultsError
   */
  async check(signal: AbortSignal): Promise<ResultBatch[]> {
    const { state } = this;
    const batches = await this.#newestBatches(signal);
    const [newest] = batches;
    const list = this.#client.listEventResults(this.#place.eventId, { page_size: 1 }, { signal });
    const { total } = (await list).meta;
    const isKnown = (newest?.id ?? null) === state.lastBatch && total === state.count;
    if (!isKnown) state.compare ??= NO_CAUSE;
    return batches;
  }

  async #newestBatches(signal: AbortSignal) {
    const query = { page_size: BATCHES_LOOKED_AT };
    return (await this.#client.listResultBatches(this.#place.eventId, query, { signal })).data;
  }

  /** Compares all that the API holds with what was sent, if it is due. @throws RaceResultsError, DiskError */
  async compare(signal: AbortSignal): Promise<void> {
    const { state } = this;
    const { compare } = state;
    if (!compare) return;
    const newest = await this.#newestBatches(signal);
    await this.#readHands(signal);
    const { eventId } = this.#place;
    const held = await readHeld(this.#client, eventId, signal, state.known.keys());
    this.points = held.points;
    const lost = reconcile(state, held.texts, held.points);
    state.count = held.results;
    if (compare.isResend) resend(state, this.#watched());
    state.lastBatch = newest[0]?.id ?? null;
    // An entry may have asked for another comparison meanwhile.
    if (state.compare === compare) state.compare = null;
    state.isUnanswered = this.#flight !== undefined;
    await this.save();
    if (lost.length > 0) this.onLost(lost);
  }

  /** The files that are watched. */
  #watched = (): Set<string> => new Set([...this.state.sources.keys()].filter(existsSync));

  /** Takes over what people decided or took back since the last look, the oldest first. */
  async #readHands(signal: AbortSignal): Promise<void> {
    const { state } = this;
    const query = { by_hand: 'true', page_size: BATCHES_LOOKED_AT } as const;
    const fresh: ResultBatch[] = [];
    for await (const batch of this.#client.listResultBatches(this.#place.eventId, query, {
      signal,
    })) {
      if (batch.id === state.lastHand || fresh.length === HANDS_READ) break;
      fresh.push(batch);
    }
    for (const batch of fresh.reverse()) {
      await this.#readHand(batch, signal);
      state.lastHand = batch.id;
      await this.save();
    }
  }

  async #readHand({ id, source, reverts }: ResultBatch, signal: AbortSignal): Promise<void> {
    const isRevert = source === 'revert';
    const { eventId } = this.#place;
    const file = reverts === null ? null : await this.#fileOf(reverts, signal);
    const hand = { file, batch: id, isRevert, watched: this.#watched() };
    for (const { bib, ...change } of await readChanges(this.#client, eventId, id, signal)) {
      take(this.state, bib, { is: 'handed', ...hand, ...change });
    }
  }

  /** The name of the file of a batch. */
  async #fileOf(batch: string, signal: AbortSignal): Promise<string | null> {
    const query = { page_size: 100 };
    const batches = this.#client.listResultBatches(this.#place.eventId, query, { signal });
    for await (const { id, file_name } of batches) if (id === batch) return file_name;
    return null;
  }

  /** Sends rows of unknown bibs again, if a registration has one of them now. @throws RaceResultsError */
  async retryRegistered(signal: AbortSignal): Promise<string[]> {
    const keys = [...this.state.known].flatMap(([key, { rejected }]) =>
      rejected?.code === 'unknown_bib' ? [key] : [],
    );
    const bibs = [...new Set(keys.map(bibOf))];
    if (bibs.length === 0) return [];
    const file = ['bib,status\n', ...bibs.map((bib) => plainCsvLine([bib, 'DNF']))].join('');
    const { eventId } = this.#place;
    const { counts } = await this.#client.previewEventResultsFile(eventId, file, { signal });
    if (counts.not_found >= bibs.length) return [];
    for (const key of keys) take(this.state, key, { is: 'released' });
    await this.save();
    return bibs;
  }
}

/**
 * Keeps an entry on the disk, and sends what it says. If another process has the queue, that one does.
 * @returns the state after it
 * @throws CliError if the entry is not kept, if it is kept and sent later, or the key or the event is refused
 */
export async function deliver(sender: Sender, entry: Entry): Promise<RaceState> {
  const { stateDir, eventId } = sender.settings;
  const queue = await Queue.open(sender, entry.type, entry);
  if (queue instanceof Queue) {
    try {
      await queue.take(entry);
      const [, offline] = await unlessOffline(queue.sendAll(sender.signal));
      if (offline) throw waits(queue.state, offline.why);
      return queue.state;
    } finally {
      await queue.close();
    }
  }
  const why = queue === 'silent' ? say('running_is_silent') : queue.problem;
  if (queue === 'silent' || why !== undefined) {
    throw failure(EXIT.running, 'running_did_not_take_it', { why });
  }
  const { state } = await loadState(stateDir, eventId);
  if (queue.waits !== undefined) throw waits(state, queue.waits);
  return state;
}

const waits = (state: RaceState, why: string): CliError =>
  failure(EXIT.offline, 'queue_waits', { count: queueOf(state).size, why });

/** The results and passings that an entry is about. */
const keysOf = (entry: Entry): string[] => {
  if (entry.type === 'send') return entry.texts.map(keyOfText);
  return entry.type === 'release' || entry.type === 'keep' ? entry.keys : [];
};

function apply(state: RaceState, entry: Entry): void {
  switch (entry.type) {
    case 'send': {
      const { file, isDecision, isHeld } = entry;
      for (const text of entry.texts) {
        const said = { is: 'said', file, text, isByPerson: true } as const;
        const decided = { is: 'decided', file, text, isHeld } as const;
        take(state, keyOfText(text), isDecision ? decided : said);
      }
      state.stops.delete(file);
      return;
    }
    case 'release':
      for (const key of entry.keys) take(state, key, { is: 'released' });
      return;
    case 'keep':
      for (const key of entry.keys) take(state, key, { is: 'kept' });
      if (entry.keys.length === 0) keepAll(state);
      return;
    case 'ignore':
      for (const file of entry.files) ignore(state, file);
      return;
    case 'remove':
      take(state, entry.bib, { is: 'removed' });
      return;
    case 'seen':
      state.seen = tally(state).rejected.map(markOfRejected);
      return;
    case 'compare':
      state.compare = { isResend: entry.isResend };
  }
}

function keepAll(state: RaceState): void {
  for (const key of openIn(state)) take(state, key, { is: 'kept' });
  state.seen = tally(state).rejected.map(markOfRejected);
  for (const [file, { answer }] of state.stops) {
    if (answer === 'no_results') ignore(state, file);
  }
}

function ignore(state: RaceState, file: string): void {
  const answer = state.stops.get(file)?.answer;
  if (answer !== 'no_results' && answer !== 'list_shorter') return;
  state.ignored = [...new Set([...state.ignored, file])];
  state.stops.delete(file);
}

/** All about which a person has to decide. */
const openIn = ({ known }: RaceState): string[] =>
  [...known].flatMap(([key, one]) => (whyAsked(one) || isUnfiled(one) ? [key] : []));
