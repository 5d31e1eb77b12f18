import type { Verdict } from './exact-window.ts';
import { keepNewest } from './newest.ts';

/** An isolate trusts its memory of a sender for this long. A key revoked meanwhile gets 429 for this long. */
const REMEMBERED_MS = 1_000;
/** Requests that an isolate remembers, in 4 MiB. The sender that was seen longest ago is forgotten first. */
const REQUESTS_MAX = 500_000;

/** The memory that an isolate has of a sender, in ms by its own clock. */
type KnownSender = {
  /** When the requests of the last window came that this isolate admitted, or whose verdict is awaited. */
  takenAtMs: number[];
  refusal?: Verdict & { untilMs: number };
  /** When the database last said that the sender is live, and of which organization. */
  live?: { atMs: number; organizationId: string };
};

/** Remembers refusals, and counts the requests that this isolate admits. */
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

    /** The refusal of a sender that the database called live within the last second. */
    refusalOfLive(sender: string): Verdict | undefined {
      const { live } = senders.get(sender) ?? {};
      return live && Date.now() - live.atMs < REMEMBERED_MS ? refusalOf(sender) : undefined;
    },

    /** Keeps a refusal for a second, or until the sender would be admitted if that comes first. */
    refuse(sender: string, verdict: Verdict, askedAtMs: number): void {
      const answeredAtMs = Date.now();
      // Redis decided after askedAtMs: it refuses at least until then.
      const surelyUntilMs = askedAtMs + verdict.resetAtMs - answeredAtMs;
      const untilMs = Math.min(answeredAtMs + REMEMBERED_MS, surelyUntilMs);
      touch(sender).refusal = { ...verdict, untilMs };
    },

    /** Judges by the requests that this isolate admitted, and counts the request if it is admitted. */
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

    /** Takes back what `take` counted at that time. */
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
