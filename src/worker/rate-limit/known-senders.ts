import type { Verdict } from './exact-window.ts';
import { keepNewest } from './newest.ts';

/** How long an isolate trusts its memory of a sender. A key revoked meanwhile gets 429 for this long. */
const REMEMBERED_MS = 1_000;
/**
 * The number of requests in an isolate's memory, which take 4 MiB. The sender with the oldest request is forgotten
 * first.
 */
const REQUESTS_MAX = 500_000;

/** An isolate's memory of a sender, in ms by the isolate's clock. */
type KnownSender = {
  /** The arrival times of the last window's requests: admitted by this isolate, or still without a verdict. */
  takenAtMs: number[];
  refusal?: Verdict & { untilMs: number };
  /** When the database last called the sender live, and the sender's organization. */
  live?: { atMs: number; organizationId: string };
};

/** Remembers refusals, and counts the requests admitted by this isolate. */
export function createKnownSenders(requests: number, windowMs: number) {
  const senders = new Map<string, KnownSender>();

  function touch(sender: string): KnownSender {
    const known = senders.get(sender) ?? { takenAtMs: [] };
    keepNewest(senders, sender, known, REQUESTS_MAX / requests);
    return known;
  }

  function refusalOf(sender: string): Verdict | undefined {
    const refusal = senders.get(sender)?.refusal;
    return refusal && Date.now() < refusal.untilMs ? refusal : undefined;
  }

  return {
    refusalOf,

    /** The refusal of a sender, if the database called the sender live within the last second. */
    refusalOfLive(sender: string): Verdict | undefined {
      const { live } = senders.get(sender) ?? {};
      return live && Date.now() - live.atMs < REMEMBERED_MS ? refusalOf(sender) : undefined;
    },

    /** Keeps a refusal for a second, or until the sender's next admission if earlier. */
    refuse(sender: string, verdict: Verdict, askedAtMs: number): void {
      const answeredAtMs = Date.now();
      // Redis decided after askedAtMs, so the refusal holds at least until then.
      const surelyUntilMs = askedAtMs + verdict.resetAtMs - answeredAtMs;
      const untilMs = Math.min(answeredAtMs + REMEMBERED_MS, surelyUntilMs);
      touch(sender).refusal = { ...verdict, untilMs };
    },

    /** Judges by the requests admitted in this isolate, and counts an admitted request. */
    take(sender: string, nowMs: number): Verdict {
      const known = touch(sender);
      known.takenAtMs = known.takenAtMs.filter((atMs) => atMs > nowMs - windowMs);
      const admitted = known.takenAtMs.length < requests;
      if (admitted) known.takenAtMs.push(nowMs);
      return {
        admitted,
        remaining: requests - known.takenAtMs.length,
        resetAtMs: (known.takenAtMs[0] ?? nowMs) + windowMs,
      };
    },

    /** Takes back the count of `take` at `atMs`. */
    giveBack(sender: string, atMs: number): void {
      const { takenAtMs = [] } = senders.get(sender) ?? {};
      const at = takenAtMs.indexOf(atMs);
      if (at >= 0) takenAtMs.splice(at, 1);
    },

    organizationOf: (sender: string) => senders.get(sender)?.live?.organizationId,

    confirm(sender: string, organizationId: string): void {
      touch(sender).live = { atMs: Date.now(), organizationId };
    },

    forget: (sender: string) => void senders.delete(sender),
  };
}
