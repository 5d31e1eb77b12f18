import { setTimeout as wait } from 'node:timers/promises';
import { isRaceResultsError } from '../../client/index.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { say } from '../words.ts';
import { classify, waitMs } from './api.ts';
import { type Compared, DiskError, type Place, Queue } from './queue.ts';
import { type Entry, isWaiting, leaveEntry, loadState, type RaceState } from './state.ts';

/** The outcome of an entry. */
type Delivered = {
  state: RaceState;
  /** Undefined if everything is done; else why it is kept in the state folder, and sent later. */
  waiting: string | undefined;
};

/** Some seconds: a person waits. */
const ATTEMPTS = 3;
const PATIENCE_MS = 15_000;
const LOOK_EVERY_MS = 200;

/**
 * Leaves an entry on the disk, and sends what it says. If another process has the queue, that one does.
 * @param bibs those that the entry is about
 * @throws CliError if the key or the event is refused; the entry is kept
 */
export async function deliver(
  place: Place,
  entry: Entry,
  bibs: readonly string[],
  signal: AbortSignal,
): Promise<Delivered> {
  const id = await leaveEntry(place.stateDir, entry);
  const queue = await openIfFree(place, entry.type);
  if (!queue) return awaitRunning(place, { id, bibs }, signal);
  try {
    return { state: queue.state, waiting: await drain(queue, signal) };
  } finally {
    await queue.close();
  }
}

async function openIfFree(place: Place, name: string): Promise<Queue | undefined> {
  try {
    return await Queue.open(place, name);
  } catch (error) {
    if (error instanceof CliError && error.exitCode === EXIT.running) return undefined;
    throw error;
  }
}

/** Sends until nothing waits. @returns why something does */
async function drain(
  queue: Queue,
  signal: AbortSignal,
  onCompared: (compared: Compared) => void = () => {},
): Promise<string | undefined> {
  for (let failures = 0; ; ) {
    const step = await nextStep(queue, signal, onCompared);
    if (step.kind === 'idle') return undefined;
    if (step.kind === 'disk') return step.why;
    if (step.kind === 'answered') {
      failures = 0;
      continue;
    }
    failures += 1;
    if (failures === ATTEMPTS) return step.why;
    await wait(waitMs(failures, step.retryAfterSeconds), undefined, { signal });
  }
}

async function nextStep(
  queue: Queue,
  signal: AbortSignal,
  onCompared: (compared: Compared) => void,
): ReturnType<Queue['sendNext']> {
  try {
    const compared = await queue.compare(signal);
    if (compared) onCompared(compared);
    return await queue.sendNext(signal);
  } catch (error) {
    if (error instanceof DiskError) return { kind: 'disk', why: error.message };
    if (!isRaceResultsError(error)) throw error;
    const failure = classify(error);
    if (failure.kind === 'offline') return failure;
    // A key that may only write still sends results.
    if (failure.kind === 'refused' || !queue.state.compare || error.code === 'UNAUTHORIZED')
      throw error;
    queue.state.compare = null;
    return queue.sendNext(signal);
  }
}

async function awaitRunning(
  { stateDir, eventId }: Place,
  { id, bibs }: { id: string; bibs: readonly string[] },
  signal: AbortSignal,
): Promise<Delivered> {
  const endsAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const { state } = await loadState(stateDir, eventId);
    const isDone =
      state.handled.includes(id) &&
      state.compare === null &&
      !bibs.some((bib) => isWaiting(state, bib));
    if (isDone) return { state, waiting: undefined };
    if (performance.now() > endsAt) {
      const why = say('the_running_watch_has_it');
      return { state, waiting: why };
    }
    await wait(LOOK_EVERY_MS, undefined, { signal });
  }
}
