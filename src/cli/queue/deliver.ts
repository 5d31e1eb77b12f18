import type { RaceResultsClient } from '../../client/index.ts';
import { sleep } from '../../client/waiting.ts';
import { type CliError, EXIT, failure } from '../exit-codes.ts';
import { say } from '../words.ts';
import { unlessOffline } from './api.ts';
import { type Entry, holderOf, type Place, Queue } from './queue.ts';
import { loadState, queueOf, type RaceState } from './state.ts';

const LOOK_EVERY_MS = 100;

/** The parts of `Context` that sending needs. */
type Sender = { settings: Place; client: RaceResultsClient; signal: AbortSignal };

/**
 * Keeps an entry on the disk, and sends what it says. If another process has the queue, that one does.
 * @returns the state after it
 * @throws CliError if the entry is not kept, if it is kept and sent later, or the key or the event is refused
 */
export async function deliver(
  { settings, client, signal }: Sender,
  entry: Entry,
): Promise<RaceState> {
  for (;;) {
    const queue = await Queue.open(settings, client, entry.type);
    if (queue) {
      try {
        await queue.take(entry);
        const [, offline] = await unlessOffline(queue.sendAll(signal));
        if (offline) throw waits(queue.state, offline.why);
        return queue.state;
      } finally {
        await queue.close();
      }
    }
    const holder = await holderOf(settings, entry);
    if (holder === 'silent') {
      const why = say('running_is_silent');
      throw failure(EXIT.running, 'running_did_not_take_it', { why });
    }
    if (holder?.problem !== undefined) {
      throw failure(EXIT.running, 'running_did_not_take_it', { why: holder.problem });
    }
    if (holder) {
      const { state } = await loadState(settings.stateDir, settings.eventId);
      if (holder.waits !== undefined) throw waits(state, holder.waits);
      return state;
    }
    // It has ended in the meantime.
    await sleep(LOOK_EVERY_MS, signal);
  }
}

const waits = (state: RaceState, why: string): CliError =>
  failure(EXIT.offline, 'queue_waits', { count: queueOf(state).size, why });
