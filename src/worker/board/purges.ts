import type { Log } from '../log.ts';

/** Deletes the caches' copies of a board. False if Cloudflare refuses: a free zone has 5 purges a minute. */
export type PurgeCache = (eventId: string) => Promise<boolean>;

/** A Worker may work for 30 s after its answer. These waits leave time for the last try. */
const WAITS_MS = [3_000, 6_000, 12_000];

type Waiting = {
  eventId: string;
  hidesName: boolean;
  isPurged: boolean;
  /** The current purge for this board. */
  purge?: Promise<void> | undefined;
};

type Options = { purge: PurgeCache; log: Log; wait?: (ms: number) => Promise<void> };

/**
 * Purges boards. A purge refused by Cloudflare is logged and tried again. While a purge that hides a name waits, all
 * further purges wait too. A single purge of a board serves all waiting purges of the board.
 */
export function createPurges({ purge, log, wait = pause }: Options) {
  const waiting = new Set<Waiting>();

  /** Asks Cloudflare for all waiting purges of the board. */
  async function ask(eventId: string, served: readonly Waiting[]): Promise<void> {
    try {
      const isPurged = await purge(eventId);
      for (const one of served) one.isPurged = isPurged;
      if (!isPurged)
        log.error('The purge of a board was refused', undefined, { event_id: eventId });
    } catch (error) {
      log.error('A board was not purged', error, { event_id: eventId });
    }
    for (const one of served) one.purge = undefined;
  }

  /** Asks Cloudflare, unless a name is to be hidden first. */
  async function tryOnce(own: Waiting): Promise<void> {
    if (!own.hidesName && [...waiting].some(({ hidesName }) => hidesName)) return;
    if (!own.purge) {
      const served = [...waiting].filter(
        ({ eventId, purge: ownPurge }) => eventId === own.eventId && !ownPurge,
      );
      const asked = ask(own.eventId, served);
      for (const one of served) one.purge = asked;
    }
    await own.purge;
  }

  return async (eventId: string, hidesName = false): Promise<void> => {
    const own: Waiting = { eventId, hidesName, isPurged: false };
    waiting.add(own);
    try {
      await tryOnce(own);
      for (const ms of WAITS_MS) {
        if (own.isPurged) return;
        await wait(ms);
        if (!own.isPurged) await tryOnce(own);
      }
      if (!own.isPurged) log.error('A board was given up', undefined, { event_id: eventId });
    } finally {
      waiting.delete(own);
    }
  };
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
