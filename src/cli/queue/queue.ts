import type { ResultBatch } from '../../client/index.ts';
import { ApiError, isRaceResultsError, type RaceResultsClient } from '../../client/index.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { codeOf, ownFolder } from '../own-files.ts';
import { rows, say } from '../words.ts';
import { type Access, classify, connect, sentence } from './api.ts';
import { type Difference, enqueue, reconcile, release, resend, speakFor } from './decide.ts';
import { readHeldResults } from './held-results.ts';
import { type Lock, lockAddress, takeLock } from './lock.ts';
import { rowIn } from './result-row.ts';
import {
  type Entry,
  type Flight,
  loadState,
  type RaceState,
  readEntries,
  removeEntry,
  saveDecisions,
  saveState,
  waitingCount,
} from './state.ts';
import { type Answer, nextFlight, upload } from './upload.ts';
import type { User } from './user.ts';

/** Where a queue is. */
export type Place = Access & { stateDir: string; folder: string; user: User };

export type Sent =
  /** Nothing waits. */
  | { kind: 'idle' }
  | { kind: 'answered'; file: string; rows: number; failed: number; batch: string | undefined }
  /** The upload is kept, and sent again under the same key. */
  | { kind: 'offline'; why: string; retryAfterSeconds: number | undefined }
  /** Nothing was sent: the disk does not take the queue. */
  | { kind: 'disk'; why: string };

/** The differences that a comparison with the API found. */
export type Compared = { lost: string[]; differences: Difference[]; resent: string[] };

const ENTRIES_REMEMBERED = 200;
const BATCHES_LOOKED_AT = 20;

export class DiskError extends Error {}

/** The queue between the files and the API. One process at a time has it. */
export class Queue {
  readonly state: RaceState;
  /** Sentences about what a disk has damaged. */
  readonly lost: readonly string[];
  readonly #place: Place;
  readonly #lock: Lock;
  readonly #client: RaceResultsClient;
  /** Whether the upload under way may have reached the API already. */
  #isRepeated: boolean;
  #saving: Promise<void> = Promise.resolve();
  #savedDecisions = '';
  #savedFlight: string | undefined;

  private constructor(place: Place, lock: Lock, loaded: { state: RaceState; lost: string[] }) {
    this.#place = place;
    this.#lock = lock;
    this.state = loaded.state;
    this.lost = loaded.lost;
    this.#isRepeated = loaded.state.flight !== null;
    this.#savedFlight = loaded.state.flight?.key;
    this.#client = connect(place, { maxAttempts: 1 });
  }

  /**
   * @param name what is sent, for people who find the queue taken
   * @throws CliError if another process has it, or it belongs to another event
   */
  static async open(place: Place, name: string): Promise<Queue> {
    const { stateDir, eventId, user, folder } = place;
    await ownFolder(stateDir);
    const lock = await takeLock(lockAddress(user, eventId, folder), name);
    try {
      const loaded = await loadState(stateDir, eventId);
      if (loaded.state.event !== eventId) throw otherEvent(stateDir, loaded.state.event);
      const queue = new Queue(place, lock, loaded);
      if (loaded.lost.length > 0) await queue.save();
      await queue.takeInbox();
      return queue;
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#saving;
    await this.#lock.release();
  }

  /** @throws DiskError */
  save(): Promise<void> {
    const { stateDir } = this.#place;
    const saving = this.#saving.then(async () => {
      try {
        const decisions = JSON.stringify([...this.state.decisions]);
        if (decisions !== this.#savedDecisions) await saveDecisions(stateDir, this.state);
        this.#savedDecisions = decisions;
        await saveState(stateDir, this.state);
      } catch (error) {
        if (codeOf(error) === undefined) throw error;
        throw new DiskError(error instanceof Error ? error.message : String(error));
      }
    });
    this.#saving = saving.catch(() => {});
    return saving;
  }

  /** Takes what other commands left. @returns whether there was anything */
  async takeInbox(): Promise<boolean> {
    const { stateDir } = this.#place;
    const found = await readEntries(stateDir);
    const { handled } = this.state;
    for (const { id, entry } of found) {
      if (entry && !handled.includes(id)) apply(this.state, entry);
      handled.push(id);
    }
    if (found.length === 0) return false;
    handled.splice(0, handled.length - ENTRIES_REMEMBERED);
    await this.save();
    for (const { id } of found) await removeEntry(stateDir, id);
    return true;
  }

  /**
   * Sends the upload that has no answer yet, or else the next one.
   * @throws CliError if the key or the event is refused, or the signal's reason
   */
  async sendNext(signal: AbortSignal): Promise<Sent> {
    const { state } = this;
    try {
      if (!state.flight) {
        const next = nextFlight(state);
        if (!next) return { kind: 'idle' };
        state.flight = next;
        this.#isRepeated = false;
      }
      const { flight } = state;
      // Nothing is sent before it is on the disk.
      if (flight.key !== this.#savedFlight) await this.save();
      this.#savedFlight = flight.key;
      const answer = await this.#answerTo(flight, signal);
      if ('kind' in answer) return answer;
      land(state, flight, answer.failed, answer.count);
      await this.save();
      const { file, rows: sent } = flight;
      const { length: failed } = answer.failed;
      return { kind: 'answered', file, rows: sent.size, failed, batch: answer.batch };
    } catch (error) {
      if (error instanceof DiskError) return { kind: 'disk', why: error.message };
      throw error;
    }
  }

  async #answerTo(
    flight: Flight,
    signal: AbortSignal,
  ): Promise<Sent | { failed: Answer['failed']; count: number; batch: string | undefined }> {
    const { state } = this;
    const isRepeated = this.#isRepeated;
    this.#isRepeated = true;
    try {
      const answer = await upload(this.#client, this.#place.eventId, flight, signal);
      state.lastBatch = answer.batch_id;
      state.lastSuccessAt = new Date().toISOString();
      // Rows that were not counted are found by a comparison.
      if (answer.total_processed !== flight.rows.size) state.compare ??= noCause();
      return { failed: answer.failed, count: answer.uploaded, batch: answer.batch_id };
    } catch (error) {
      if (!isRaceResultsError(error)) throw error;
      const failure = classify(error);
      if (failure.kind === 'offline') return { ...failure, kind: 'offline' };
      if (failure.kind === 'key' || failure.status === 404) throw this.#refused(failure.why, error);
      if (isRepeated) {
        // Another version of this command may write the same rows as another file.
        state.flight = { ...flight, key: crypto.randomUUID() };
        this.#isRepeated = false;
        return { kind: 'offline', why: failure.why, retryAfterSeconds: undefined };
      }
      const failed = [...flight.rows.keys()].map((bib_number) => ({
        ...{ bib_number, reason: failure.why, reason_code: 'refused' },
      }));
      return { failed, count: 0, batch: undefined };
    }
  }

  #refused(why: string, cause: Error): CliError {
    const count = rows(waitingCount(this.state));
    const waiting = say('nothing_is_lost_wait_in', { count });
    const isEvent = cause instanceof ApiError && cause.status === 404;
    const where = isEvent ? say('check_event_and_the_key') : '';
    const code = isEvent ? EXIT.usage : EXIT.key;
    return new CliError(code, `${sentence(why)}${where} ${waiting}`, { cause });
  }

  /**
   * Asks whether somebody else wrote to the event, or the API has lost something. Then `compare` is due.
   * @throws RaceResultsError
   */
  async check(signal: AbortSignal): Promise<void> {
    const { state } = this;
    const { eventId } = this.#place;
    const newest = await this.#newestBatches(signal);
    const list = this.#client.listEventResults(eventId, { page_size: 1 }, { signal });
    const { total } = (await list).meta;
    const isKnown = (newest[0]?.id ?? null) === state.lastBatch && total === state.count;
    if (!isKnown) state.compare ??= noCause();
  }

  async #newestBatches(signal: AbortSignal): Promise<readonly ResultBatch[]> {
    const query = { page_size: BATCHES_LOOKED_AT };
    const list = this.#client.listResultBatches(this.#place.eventId, query, { signal });
    return (await list).data;
  }

  /** Compares all that the API holds with what was sent, if it is due. @throws RaceResultsError, DiskError */
  async compare(signal: AbortSignal): Promise<Compared | undefined> {
    const { state } = this;
    const { compare } = state;
    if (!compare) return undefined;
    const newest = await this.#newestBatches(signal);
    const known = newest.findIndex(({ id }) => id === state.lastBatch);
    const others = known < 0 ? newest : newest.slice(0, known);
    // A batch that took results away did so on purpose: they are not sent again.
    const taken = others.find(({ source, removed }) => source === 'revert' || removed > 0);
    const held = await readHeldResults(this.#client, this.#place.eventId, signal);
    const group = compare.group ?? taken?.id ?? null;
    const found = reconcile(state, held.texts, group);
    const resent = compare.isResend ? resend(state) : [];
    state.lastBatch = newest[0]?.id ?? null;
    state.compare = null;
    await this.save();
    return { ...found, resent };
  }

  /** Sends rows of unknown bibs again, if a registration has one of them now. @throws RaceResultsError */
  async retryRegistered(signal: AbortSignal): Promise<string[]> {
    const { state } = this;
    const unknown = [...state.rejected].filter(([, { code }]) => code === 'unknown_bib');
    if (unknown.length === 0) return [];
    const lines = unknown.map(([bib]) => `"${bib.replaceAll('"', '""')}",DNF\n`);
    const file = `bib,status\n${lines.join('')}`;
    const { counts } = await this.#client.previewEventResultsFile(this.#place.eventId, file, {
      signal,
    });
    if (counts.not_found >= unknown.length) return [];
    for (const [bib, { file, text }] of unknown) enqueue(state, bib, file, text);
    await this.save();
    return unknown.map(([bib]) => bib);
  }
}

const noCause = () => ({ group: null, isResend: false });

/** The API's answer to an upload. */
function land(
  state: RaceState,
  { file, rows }: Flight,
  failed: Answer['failed'],
  added: number,
): void {
  const reasons = new Map(failed.map((one) => [one.bib_number?.trim(), one]));
  for (const [bib, text] of rows) {
    const failure = reasons.get(bib);
    if (failure) {
      const { reason, reason_code: code } = failure;
      if (!state.queue.has(bib)) state.rejected.set(bib, { file, text, reason, code });
    } else {
      state.stored.set(bib, text);
      state.rejected.delete(bib);
    }
  }
  if (state.count !== null) state.count += added;
  state.flight = null;
}

/** A person's decision counts from now on. */
function apply(state: RaceState, entry: Entry): void {
  switch (entry.type) {
    case 'set': {
      const { bib, text, isHeld } = entry;
      const over = state.said.get(bib)?.text ?? null;
      state.decisions.set(bib, { text, over, isHeld, group: null });
      state.heldBack.delete(bib);
      enqueue(state, bib, `set ${bib}`, text);
      return;
    }
    case 'release':
      release(state, entry.bib);
      return;
    case 'send':
      if (entry.accepted !== null) state.accepted.push(entry.accepted);
      for (const text of entry.texts) {
        const bib = rowIn(text).bib_number;
        const over = state.said.get(bib)?.text ?? null;
        if (entry.isMended) {
          state.decisions.set(bib, { text, over, isHeld: false, group: null });
        } else {
          state.decisions.delete(bib);
          speakFor(state, bib, entry.file, text);
        }
        state.heldBack.delete(bib);
        enqueue(state, bib, entry.file, text);
      }
      return;
    case 'undone':
      state.compare = { group: entry.group, isResend: false };
      return;
    case 'resend':
      state.compare = { group: null, isResend: true };
  }
}

const otherEvent = (stateDir: string, event: string): CliError =>
  new CliError(EXIT.usage, say('belongs_to_the_event_give', { stateDir, event }));
