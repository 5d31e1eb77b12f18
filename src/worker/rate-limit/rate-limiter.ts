import { Redis } from '@upstash/redis/cloudflare';
import type { Config } from '../config.ts';
import { inTime } from '../in-time.ts';
import type { Log } from '../log.ts';
import { type Circuit, createCircuit } from './circuit.ts';
import { type CountRequest, exactWindow, type Verdict } from './exact-window.ts';
import { createKnownSenders } from './known-senders.ts';
import { createUses, type Uses } from './uses.ts';

/** Requests of an API key in a window. */
export const REQUESTS_PER_WINDOW = 120;
/** Requests of a panel session in a window, and of all sessions of an organization together. */
export const REQUESTS_PER_SESSION = 600;
export const REQUESTS_PER_ORGANIZATION = 1_200;
export const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1_000;

/** If Redis takes longer, the isolate judges by its own count. */
const REDIS_BUDGET_MS = 1_000;
/** A later verdict is lost. */
const LATE_VERDICT_MS = 10_000;

/** A sender's remaining requests. */
export type Allowance = {
  admitted: boolean;
  /** How many more requests would be admitted now. */
  remaining: number;
  /** Whole seconds until the oldest counted request leaves the window. A refused sender is admitted then. */
  resetSeconds: number;
};

/** The whole quota, for a request without a key. */
export const FULL_ALLOWANCE: Allowance = {
  admitted: true,
  remaining: REQUESTS_PER_WINDOW,
  resetSeconds: WINDOW_SECONDS,
};

/**
 * The windows of all kinds of senders. All windows share Redis and a circuit.
 * @param usesWaitMs how long counts of uses wait for the next request of their key
 */
export function createRateLimits(config: Config, log: Log, usesWaitMs?: number) {
  const redis = new Redis({
    url: config.UPSTASH_REDIS_REST_URL,
    token: config.UPSTASH_REDIS_REST_TOKEN,
    // A retry does not fit the budget. `retry: false` would still send a failed request twice.
    retry: { retries: 0 },
    enableTelemetry: false,
    // Each request sends a single command.
    enableAutoPipelining: false,
    signal: () => AbortSignal.timeout(LATE_VERDICT_MS),
  });
  const circuit = createCircuit(log);
  const uses = createUses(redis, circuit, usesWaitMs);
  const limiterOf = (prefix: string, requests: number, claim?: Uses['claim']) =>
    createRateLimiter(
      exactWindow(redis, prefix, requests, WINDOW_MS, claim),
      requests,
      circuit,
      uses,
    );
  return {
    /** By the hash of a key, which is known before Postgres answers. */
    keys: limiterOf('admitted', REQUESTS_PER_WINDOW, uses.claim),
    sessions: limiterOf('panel:session', REQUESTS_PER_SESSION),
    organizations: limiterOf('panel:organization', REQUESTS_PER_ORGANIZATION),
    uses,
    /** @throws Error if Redis does not answer */
    async ping(): Promise<void> {
      await redis.ping();
    },
  };
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

function createRateLimiter(
  count: CountRequest,
  requests: number,
  circuit: Circuit,
  { markMissed }: Pick<Uses, 'markMissed'>,
) {
  const known = createKnownSenders(requests, WINDOW_MS);

  /** Lets Redis count a request. @returns undefined for a late or failed verdict; a late refusal is kept */
  async function ask(sender: string, keepAlive: KeepAlive): Promise<Verdict | undefined> {
    const askedAtMs = Date.now();
    const asked = count(sender).then((verdict) => {
      if (!verdict.admitted) known.refuse(sender, verdict, askedAtMs);
      return verdict;
    });
    keepAlive(asked.then(markMissed, circuit.addUncounted));
    const inBudget = inTime(asked, REDIS_BUDGET_MS, () => new Error('no answer in time'));
    inBudget.then(circuit.answered, circuit.failed);
    keepAlive(Promise.allSettled([asked, inBudget]));
    return inBudget.catch(() => undefined);
  }

  async function judge(sender: string, keepAlive: KeepAlive): Promise<Verdict> {
    // The isolate judges first: a burst would otherwise ask Redis and the database for each request.
    const receivedAtMs = Date.now();
    const own = known.take(sender, receivedAtMs);
    if (!own.admitted) {
      known.refuse(sender, own, receivedAtMs);
      return own;
    }
    switch (circuit.next()) {
      case 'open':
        circuit.addUncounted();
        return own;
      case 'half-open':
        keepAlive(ask(sender, keepAlive));
        return own;
      case 'closed': {
        const verdict = (await ask(sender, keepAlive)) ?? own;
        if (!verdict.admitted) known.giveBack(sender, receivedAtMs);
        return verdict;
      }
    }
  }

  return {
    /** The refusal of a live sender over its limit, from the isolate's memory. Costs no trip. */
    refusal(sender: string): Allowance | undefined {
      const refusal = known.refusalOfLive(sender);
      return refusal && allowanceOf(refusal);
    },

    /** Counts a request. Never rejects: if Redis is late or fails, the isolate judges alone. */
    take: async (sender: string, keepAlive: KeepAlive): Promise<Allowance> =>
      allowanceOf(known.refusalOf(sender) ?? (await judge(sender, keepAlive))),

    /** The organization of a sender, if the sender was live at this isolate's last look. */
    organizationOf: known.organizationOf,
    /** Call when a sender is live. For a second, the isolate refuses a refused sender from memory. */
    remember: known.confirm,
    /** Call when a sender is not live: the isolate forgets the sender. */
    forget: known.forget,
  };
}

/** Receives work that may outlast the request. */
type KeepAlive = (late: Promise<unknown>) => void;

const allowanceOf = ({ admitted, remaining, resetAtMs }: Verdict): Allowance => ({
  admitted,
  remaining,
  // A clock set back must not stretch the window.
  resetSeconds: Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil((resetAtMs - Date.now()) / 1_000))),
});
