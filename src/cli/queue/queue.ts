import type { Server } from 'node:net';
import * as z from 'zod/mini';
import { isRaceResultsError, type RaceResultsClient } from '../../client/index.ts';
import { CliError, EXIT, failure } from '../exit-codes.ts';
import { codeOf, ownFolder } from '../own-files.ts';
import { say } from '../words.ts';
import { failureOf, messageOf } from './api.ts';
import { type Difference, decide, reconcile, release, resend, speakFor } from './decide.ts';
import { ask, lockAddress, takeLock } from './lock.ts';
import { readHeldResults, rowIn } from './result-row.ts';
import {
  isHeldBack,
  loadState,
  NO_CAUSE,
  type RaceState,
  saveState,
  type Tally,
  tally,
} from './state.ts';
import { type Answer, csvLine, type Flight, nextFlight, upload } from './upload.ts';
import type { User } from './user.ts';

/** Where a queue is. */
export type Place = { eventId: string; stateDir: string; folder: string; user: User };

const text = z.string();

/** A decision of a person, which a command hands to the process that has the queue. */
const Entry = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('send'),
    file: text,
    texts: z.array(text),
    /** A header with a reading of it, which the person has accepted. */
    accepted: z.optional(text),
    /** Whether these rows replace those in the files. */
    isDecision: z.boolean(),
    isHeld: z.boolean(),
  }),
  z.object({ type: z.literal('release'), bib: text }),
  /** `undo` or `resend`: the API's results are compared. */
  z.object({ type: z.literal('compare'), group: z.nullable(text), isResend: z.boolean() }),
  /** `check` has changed race.json. */
  z.object({ type: z.literal('checked') }),
]);
export type Entry = z.infer<typeof Entry>;

/** The process that has a queue, as it answers other commands. */
const Holder = z.object({
  pid: z.int(),
  startedAt: text,
  name: text,
  /** The status line of `watch`. */
  shown: z.optional(z.object({ state: text, text })),
  /** Why an entry was not taken. */
  problem: z.optional(text),
});
type Holder = z.infer<typeof Holder>;

/** @returns undefined if no process has the queue */
export async function holderOf(
  { user, eventId, folder }: Place,
  entry: Entry | null = null,
): Promise<Holder | undefined> {
  const answer = await ask(lockAddress(user, eventId, folder), entry);
  if (answer === undefined) return undefined;
  const silent = { pid: 0, startedAt: '-', name: '-', problem: say('running_is_silent') };
  return z.safeParse(Holder, answer).data ?? silent;
}

type Answered = { file: string; rows: number; failed: number; batch: string | undefined };

/** The differences that a comparison with the API found. */
export type Compared = { lost: string[]; differences: Difference[]; resent: string[] };

const BATCHES_LOOKED_AT = 20;

/** The disk takes no more. */
export class DiskError extends CliError {}

/** The queue between the files and the API. One process at a time has it. */
export class Queue {
  readonly state: RaceState;
  /** Sentences about what a disk has damaged. */
  readonly lost: readonly string[];
  /** Called when another command has left an entry. */
  onEntry: (entry: Entry) => void = () => {};
  onCompared: (compared: Compared) => void = () => {};
  shown: Holder['shown'];
  readonly #place: Place;
  readonly #lock: Server;
  readonly #client: RaceResultsClient;
  /** The upload that has no answer yet. */
  #flight: Flight | undefined;
  #saving: Promise<void> = Promise.resolve();
  #tally: Tally | undefined;

  private constructor(
    place: Place,
    client: RaceResultsClient,
    lock: Server,
    { state, lost }: Awaited<ReturnType<typeof loadState>>,
  ) {
    this.#place = place;
    this.#client = client;
    this.#lock = lock;
    this.state = state;
    this.lost = lost;
    // The process before this one has ended, and the API may hold what it sent.
    if (this.state.isUnanswered) this.state.compare ??= NO_CAUSE;
  }

  /**
   * @param name what is sent, for people who find the queue taken
   * @returns undefined if another process has it. @throws CliError if it belongs to another event
   */
  static async open(
    place: Place,
    client: RaceResultsClient,
    name: string,
  ): Promise<Queue | undefined> {
    const { stateDir, eventId, user, folder } = place;
    await ownFolder(stateDir);
    const holder: Holder = { pid: process.pid, startedAt: new Date().toISOString(), name };
    const lock = await takeLock(lockAddress(user, eventId, folder), async (question) => {
      const queue = await opening;
      const entry = z.safeParse(Entry, question).data;
      const problem = entry && (await queue?.take(entry).then(() => undefined, messageOf));
      return { ...holder, shown: queue?.shown, problem };
    });
    const opening = lock && Queue.#load(place, client, lock);
    return opening;
  }

  static async #load(place: Place, client: RaceResultsClient, lock: Server): Promise<Queue> {
    const { stateDir, eventId } = place;
    try {
      const loaded = await loadState(stateDir, eventId);
      const { event } = loaded.state;
      if (event !== eventId) {
        throw failure(EXIT.usage, 'state_of_another_event', { stateDir, event });
      }
      const queue = new Queue(place, client, lock, loaded);
      if (loaded.lost.length > 0) await queue.save();
      return queue;
    } catch (error) {
      lock.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#saving;
    await new Promise((resolve) => this.#lock.close(resolve));
  }

  /** Taken again when the state has changed. */
  get tally(): Tally {
    this.#tally ??= tally(this.state);
    return this.#tally;
  }

  /** @throws DiskError */
  save(): Promise<void> {
    this.#tally = undefined;
    const saving = this.#saving.then(async () => {
      try {
        await saveState(this.#place.stateDir, this.state);
      } catch (error) {
        if (codeOf(error) === undefined) throw error;
        throw new DiskError(EXIT.usage, say('disk', { why: messageOf(error) }));
      }
    });
    this.#saving = saving.catch(() => {});
    return saving;
  }

  /** A person's decision counts from now on. @throws DiskError if it is not kept */
  async take(entry: Entry): Promise<void> {
    apply(this.state, entry);
    await this.save();
    this.onEntry(entry);
  }

  /**
   * Compares with what the API holds if that is due. Then sends the upload that has no answer yet, or the next one.
   * @returns undefined if nothing waits
   * @throws RaceResultsError: the upload is kept, and sent again under the same key. DiskError: nothing was sent
   */
  async sendNext(signal: AbortSignal): Promise<Answered | undefined> {
    const { state } = this;
    await this.#compare(signal);
    if (!this.#flight) {
      const next = nextFlight(state);
      if (next.rows.size === 0) return undefined;
      state.isUnanswered = true;
      // Nothing is sent before it is on the disk.
      await this.save();
      this.#flight = next;
    }
    const { file, rows } = this.#flight;
    const answer = await this.#answerTo(this.#flight, signal);
    this.#flight = undefined;
    land(state, rows, answer);
    await this.save();
    return { file, rows: rows.size, failed: answer.failed.length, batch: answer.batch_id };
  }

  /** Sends until nothing waits. @throws like `sendNext` */
  async sendAll(signal: AbortSignal): Promise<void> {
    while (await this.sendNext(signal));
  }

  async #answerTo(
    flight: Flight,
    signal: AbortSignal,
  ): Promise<Pick<Answer, 'failed' | 'uploaded'> & { batch_id?: string }> {
    const { state } = this;
    try {
      const answer = await upload(this.#client, this.#place.eventId, flight, signal);
      state.lastBatch = answer.batch_id;
      state.lastSuccessAt = new Date().toISOString();
      // Rows that were not counted are found by a comparison.
      if (answer.total_processed !== flight.rows.size) state.compare ??= NO_CAUSE;
      return answer;
    } catch (error) {
      const found = isRaceResultsError(error) ? failureOf(error) : undefined;
      if (found?.exitCode !== EXIT.unclear) throw error;
      const reason = { reason: found.why, reason_code: 'refused' };
      const failed = [...flight.rows.keys()].map((bib_number) => ({ bib_number, ...reason }));
      return { failed, uploaded: 0 };
    }
  }

  /**
   * Asks whether somebody else wrote to the event, or the API has lost something. Then a comparison is due.
   * @throws RaceResultsError
   */
  async check(signal: AbortSignal): Promise<void> {
    const { state } = this;
    const [newest] = await this.#newestBatches(signal);
    const list = this.#client.listEventResults(this.#place.eventId, { page_size: 1 }, { signal });
    const { total } = (await list).meta;
    const isKnown = (newest?.id ?? null) === state.lastBatch && total === state.count;
    if (!isKnown) state.compare ??= NO_CAUSE;
  }

  async #newestBatches(signal: AbortSignal) {
    const query = { page_size: BATCHES_LOOKED_AT };
    return (await this.#client.listResultBatches(this.#place.eventId, query, { signal })).data;
  }

  /** Compares all that the API holds with what was sent, if it is due. @throws RaceResultsError, DiskError */
  async #compare(signal: AbortSignal): Promise<void> {
    const { state } = this;
    const { compare } = state;
    if (!compare) return;
    const newest = await this.#newestBatches(signal);
    const known = newest.findIndex(({ id }) => id === state.lastBatch);
    const others = known < 0 ? newest : newest.slice(0, known);
    // A batch that took results away did so on purpose: they are not sent again.
    const taken = others.find(({ source, removed }) => source === 'revert' || removed > 0);
    const held = await readHeldResults(this.#client, this.#place.eventId, signal);
    const found = reconcile(state, held.texts, compare.group ?? taken?.id ?? null);
    const resent = compare.isResend ? resend(state) : [];
    state.lastBatch = newest[0]?.id ?? null;
    // An entry may have asked for another comparison meanwhile.
    if (state.compare === compare) state.compare = null;
    state.isUnanswered = this.#flight !== undefined;
    await this.save();
    // A person who takes results back here knows what has changed.
    const differences = compare.group === null ? found.differences : [];
    this.onCompared({ lost: found.lost, differences, resent });
  }

  /** Sends rows of unknown bibs again, if a registration has one of them now. @throws RaceResultsError */
  async retryRegistered(signal: AbortSignal): Promise<string[]> {
    const { rejected } = this.state;
    const bibs = [...rejected].flatMap(([bib, { code }]) => (code === 'unknown_bib' ? [bib] : []));
    if (bibs.length === 0) return [];
    const file = ['bib,status\n', ...bibs.map((bib) => csvLine([bib, 'DNF']))].join('');
    const { eventId } = this.#place;
    const { counts } = await this.#client.previewEventResultsFile(eventId, file, { signal });
    if (counts.not_found >= bibs.length) return [];
    for (const bib of bibs) rejected.delete(bib);
    await this.save();
    return bibs;
  }
}

/** The API's answer to an upload. */
function land(
  state: RaceState,
  rows: Flight['rows'],
  { failed, uploaded }: Pick<Answer, 'failed' | 'uploaded'>,
): void {
  const reasons = new Map(failed.map((one) => [one.bib_number?.trim(), one]));
  for (const [bib, text] of rows) {
    const found = reasons.get(bib);
    state.rejected.delete(bib);
    if (!found) state.stored.set(bib, text);
    else state.rejected.set(bib, { text, reason: found.reason, code: found.reason_code });
  }
  if (state.count !== null) state.count += uploaded;
  state.isUnanswered = false;
}

function apply(state: RaceState, entry: Entry): void {
  if (entry.type === 'release') release(state, entry.bib);
  if (entry.type === 'compare') state.compare = entry;
  if (entry.type !== 'send') return;
  const { file, texts, accepted, isDecision, isHeld } = entry;
  if (accepted !== undefined) state.accepted.push(accepted);
  for (const text of texts) {
    const bib = rowIn(text).bib_number;
    if (!isDecision) speakFor(state, bib, file, text);
    // A person has seen which runners it reinstates.
    if (isDecision || isHeldBack(state, bib)) decide(state, bib, text, { file, isHeld });
    else state.decisions.delete(bib);
    state.rejected.delete(bib);
  }
}
