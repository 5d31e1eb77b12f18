import { sleep } from '../../client/waiting.ts';
import { EXIT, failure } from '../exit-codes.ts';
import { say } from '../words.ts';
import { type Offline, unlessOffline, waitMs } from './api.ts';
import { DiskError, type Entry, holderOf, type Place, Queue } from './queue.ts';
import { isWaiting, loadState, type RaceState } from './state.ts';

/** The outcome of an entry. */
type Delivered = {
  state: RaceState;
  /** Undefined if everything is done; else why it is kept in the state folder, and sent later. */
  waiting: string | undefined;
};

/** Some seconds: a person waits. */
const ATTEMPTS = 3;
const PATIENCE_MS = 15_000;
const LOOK_EVERY_MS = 100;

/**
 * Keeps an entry on the disk, and sends what it says. If another process has the queue, that one does.
 * @param bibs those that the entry is about
 * @throws CliError if the entry is not kept, or the key or the event is refused
 */
export async function deliver(
  place: Place,
  entry: Entry,
  bibs: readonly string[],
  signal: AbortSignal,
): Promise<Delivered> {
  for (;;) {
    const queue = await Queue.open(place, entry.type);
    if (queue) {
      try {
        await queue.take(entry);
        return { state: queue.state, waiting: await drain(queue, signal) };
      } finally {
        await queue.close();
      }
    }
    const holder = await holderOf(place, entry);
    const why = holder?.problem;
    if (why !== undefined) throw failure(EXIT.running, 'running_did_not_take_it', { why });
    if (holder) return awaitRunning(place, bibs, signal);
    // It has ended in the meantime.
    await sleep(LOOK_EVERY_MS, signal);
  }
}

/** Sends until nothing waits. @returns why something does */
async function drain(queue: Queue, signal: AbortSignal): Promise<string | undefined> {
  try {
    for (let failures = 0; ; ) {
      let offline: Offline | undefined;
      const sent = await unlessOffline(queue.sendNext(signal), (found) => {
        offline = found;
      });
      if (!sent && !offline) return undefined;
      failures = offline ? failures + 1 : 0;
      if (offline && failures === ATTEMPTS) return offline.why;
      if (offline) await sleep(waitMs(failures, offline.retryAfterSeconds), signal);
    }
  } catch (error) {
    if (error instanceof DiskError) return error.message;
    throw error;
  }
}

async function awaitRunning(
  { stateDir, eventId }: Place,
  bibs: readonly string[],
  signal: AbortSignal,
): Promise<Delivered> {
  const endsAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const { state } = await loadState(stateDir, eventId);
    const isDone = state.compare === null && !bibs.some((bib) => isWaiting(state, bib));
    if (isDone) return { state, waiting: undefined };
    if (performance.now() > endsAt) return { state, waiting: say('running_has_it') };
    await sleep(LOOK_EVERY_MS, signal);
  }
}
