import type { Verdict } from './exact-window.ts';

/** An isolate trusts its memory of a key for this long. A key revoked meanwhile gets 429 for this long. */
const REMEMBERED_MS = 1_000;
/** Up to 1 KiB each. The key that was used longest ago is forgotten first. */
const KEYS_MAX = 4_000;

/** The memory that an isolate has of a key, in ms by its own clock. */
type KnownKey = {
  /** When the requests of the last window came that this isolate admitted, or whose verdict is awaited. */
  takenAtMs: number[];
  refusal?: Verdict & { untilMs: number };
  /** When the database last said that the key is live. */
  liveAtMs?: number;
};

/** Remembers refusals, and counts the requests that this isolate admits. */
export function createKnownKeys(requests: number, windowMs: number) {
  const keys = new Map<string, KnownKey>();

  function touch(key: string): KnownKey {
    const known = keys.get(key) ?? { takenAtMs: [] };
    keys.delete(key);
    keys.set(key, known);
    const [oldest] = keys.keys();
    if (keys.size > KEYS_MAX && oldest !== undefined) keys.delete(oldest);
    return known;
  }

  function refusalOf(key: string): Verdict | undefined {
    const refusal = keys.get(key)?.refusal;
    return refusal && Date.now() < refusal.untilMs ? refusal : undefined;
  }

  return {
    refusalOf,

    /** The refusal of a key that the database called live within the last second. */
    refusalOfLive(key: string): Verdict | undefined {
      const liveAtMs = keys.get(key)?.liveAtMs;
      const isLive = liveAtMs !== undefined && Date.now() - liveAtMs < REMEMBERED_MS;
      return isLive ? refusalOf(key) : undefined;
    },

    /** Keeps a refusal for a second, or until the key would be admitted if that comes first. */
    refuse(key: string, verdict: Verdict, askedAtMs: number): void {
      const answeredAtMs = Date.now();
      // Redis decided after askedAtMs: it refuses at least until then.
      const surelyUntilMs = askedAtMs + verdict.resetAtMs - answeredAtMs;
      const untilMs = Math.min(answeredAtMs + REMEMBERED_MS, surelyUntilMs);
      touch(key).refusal = { ...verdict, untilMs };
    },

    /** Judges by the requests that this isolate admitted, and counts the request if it is admitted. */
    take(key: string, nowMs: number): Verdict {
      const known = touch(key);
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
    giveBack(key: string, atMs: number): void {
      const { takenAtMs = [] } = keys.get(key) ?? {};
      const at = takenAtMs.indexOf(atMs);
      if (at >= 0) takenAtMs.splice(at, 1);
    },

    wasLive: (key: string): boolean => keys.get(key)?.liveAtMs !== undefined,

    confirm(key: string): void {
      touch(key).liveAtMs = Date.now();
    },

    forget: (key: string) => void keys.delete(key),
  };
}
