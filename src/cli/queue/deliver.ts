import { sleep } from '../../client/waiting.ts';
import { type CliError, EXIT, failure } from '../exit-codes.ts';
import { say } from '../words.ts';
import { unlessOffline, waitMs } from './api.ts';
import { DiskError, type Entry, holderOf, type Place, Queue } from './queue.ts';
import { isWaiting, loadState, queueOf, type RaceState } from './state.ts';

/** Some seconds: a person waits. */
const ATTEMPTS = 3;
const PATIENCE_MS = 15_000;
const LOOK_EVERY_MS = 100;

/**
 * Keeps an entry on the disk, and sends what it says. If another process has the queue, that one does.
 * @param bibs those that the entry is about
 * @returns the state after it
 * @throws CliError if the entry is not kept, if it is kept and sent later, or the key or the event is refused
 */
export async function deliver(
  place: Place,
  entry: Entry,
  bibs: readonly string[],
  signal: AbortSignal,
): Promise<RaceState> {
  for (;;) {
    const queue = await Queue.open(place, entry.type);
    if (queue) {
      try {
        await queue.take(entry);
        const why = await drain(queue, signal);
        if (why !== undefined) throw waits(queue.state, why);
        return queue.state;
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
      const [sent, offline] = await unlessOffline(queue.sendNext(signal));
      if (!offline && !sent) return undefined;
      failures = offline ? failures + 1 : 0;
      if (failures === ATTEMPTS) return offline?.why;
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
): Promise<RaceState> {
  const endsAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const { state } = await loadState(stateDir, eventId);
    const isDone = state.compare === null && !bibs.some((bib) => isWaiting(state, bib));
    if (isDone) return state;
    if (performance.now() > endsAt) throw waits(state, say('running_has_it'));
    await sleep(LOOK_EVERY_MS, signal);
  }
}

const waits = (state: RaceState, why: string): CliError =>
  failure(EXIT.offline, 'queue_waits', { count: queueOf(state).size, why });
