import { inTime } from '../in-time.ts';
import { tooSlow, type Waiting } from './waiting.ts';

/** A turn that has not begun after this time never will: the runtime has ended its request. */
const TURN_MAX_MS = 1_000;

/** Waits for the request's turn. */
export type Turns = (waiting: Waiting) => Promise<void>;

/**
 * Gives the requests for boards turns, one after the other. Between two turns the isolate serves everything
 * else: an upload beside many requests for boards waits for a few of them, not for all.
 */
export function createTurns(): Turns {
  let last = Promise.resolve();

  async function startAfter(before: Promise<void>) {
    await inTime(before, TURN_MAX_MS, tooSlow).catch(() => {});
    // A timer fires after the events that came in meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }

  return (waiting) => {
    last = startAfter(last);
    // The next request waits for this turn: it begins even if this client leaves.
    waiting.waitUntil(last);
    return last;
  };
}
