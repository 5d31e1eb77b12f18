import type { Redis } from '@upstash/redis';
import * as z from 'zod/mini';
import type { ErrorCode } from '../errors.ts';
import { inTime } from '../in-time.ts';
import { later } from '../later.ts';
import type { Circuit } from './circuit.ts';
import { keepNewest } from './newest.ts';

/** Days of UTC kept by Redis, today included. */
export const USES_DAYS = 14;

const DAY_MS = 24 * 60 * 60 * 1_000;
/** A hash also outlives the last moment of its day. */
const KEPT_SECONDS = ((USES_DAYS + 1) * DAY_MS) / 1_000;
/** How long counts wait for the next request of their key, which carries the counts. */
const WAIT_MS = 1_000;
/** Keys with counts in an isolate. The key with the oldest request is forgotten first. */
const KEYS_MAX = 10_000;
const READ_BUDGET_MS = 2_000;

/** `requests` counts all requests, `personal` answers with personal data, a code the refusals with the code. */
type Field = 'requests' | 'personal' | ErrorCode;

/** The uses of a key on a day of UTC. `isComplete`: no isolate has reported requests of the day that Redis missed. */
type UsesOfDay = {
  day: string;
  requests: number;
  personal: number;
  /** By their codes. */
  refusals: Partial<Record<ErrorCode, number>>;
  isComplete: boolean;
};

/** Counts before their trip. The id is unknown until the database has found the key. */
type Waiting = { keyId?: string; counts: Map<Field, number>; leavesAtMs: number };

/** A request of a key. */
export type Use = {
  /** Call when the key is live. */
  of(keyId: string): void;
  /** Call when the request is answered. @param code the reason of a refusal */
  end(code: ErrorCode | undefined, keepAlive: (late: Promise<unknown>) => void): void;
};

/** Names a hash of Redis, and the additions to its fields: field, number, field, number. */
export type Tally = { hash: string; added: string[] };

/**
 * Lua for adding the numbers from this index of ARGV to the hash, which is the last key. A new field may be the first
 * field of its hash.
 */
export const addTally = (first: number): string => `
for at = ${first}, #ARGV, 2 do
  local added = tonumber(ARGV[at + 1])
  if redis.call('HINCRBY', KEYS[#KEYS], ARGV[at], added) == added then
    redis.call('EXPIRE', KEYS[#KEYS], ${KEPT_SECONDS})
  end
end`;

const ADD = `#!lua flags=allow-key-locking${addTally(1)}
return 0`;

/**
 * The first half of the keys are hashes, the second half report missed requests of their days. Each day is a line of
 * text, because the embedded Redis returns no table filled by a loop.
 */
const READ = `#!lua flags=allow-key-locking
local days = ''
for at = 1, #KEYS / 2 do
  days = days .. string.format('%d ', redis.call('EXISTS', KEYS[at + #KEYS / 2]))
    .. table.concat(redis.call('HGETALL', KEYS[at]), ' ') .. '\\n'
end
return days`;

/** A line is 1 if requests were missed, else 0, and then field, number, field, number. */
const daysSchema = later(() => z.string().check(z.regex(/^([01] [\w -]*\n)+$/)));

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const hashOf = (keyId: string, day: string): string => `uses:${keyId}:${day}`;
const missedOn = (day: string): string => `uses:missed:${day}`;

export type Uses = ReturnType<typeof createUses>;

/**
 * Counts the uses of each key on each day. A request carries the counts of its key to Redis in the script of the rate
 * limit, so counting makes no trip. Facts known only after the verdict travel with the next request of the key, or
 * alone without a next request.
 * @param waitMs how long counts wait for the next request
 */
export function createUses(redis: Redis, circuit: Circuit, waitMs = WAIT_MS) {
  const waiting = new Map<string, Waiting>();

  function add({ counts }: Waiting, field: Field, number: number): void {
    counts.set(field, (counts.get(field) ?? 0) + number);
  }

  /** Takes the waiting counts. */
  function claim(of: Waiting | undefined): Tally | undefined {
    if (of?.keyId === undefined || of.counts.size === 0) return undefined;
    const { counts } = of;
    of.counts = new Map();
    return {
      hash: hashOf(of.keyId, dayOf(Date.now())),
      added: [...counts].flatMap(([field, number]) => [field, `${number}`]),
    };
  }

  async function leave(of: Waiting): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    // Without Redis the counts wait on, and 1 request in a second looks for Redis.
    const tally = circuit.isClosed() ? claim(of) : undefined;
    if (!tally) return;
    await redis.eval(ADD, [tally.hash], tally.added).catch(() => circuit.miss());
  }

  return {
    /** Counts a request of a key, of which the database may know nothing. @param sender the hash of the key */
    begin(sender: string, isPersonal: boolean): Use {
      const of: Waiting = waiting.get(sender) ?? { counts: new Map(), leavesAtMs: 0 };
      keepNewest(waiting, sender, of, KEYS_MAX);
      add(of, 'requests', 1);
      if (isPersonal) add(of, 'personal', 1);
      return {
        of(keyId) {
          of.keyId = keyId;
        },
        end(code, keepAlive) {
          // The secret is not the key's any more.
          if (code === 'UNAUTHORIZED') add(of, 'requests', -1);
          else if (code) add(of, code, 1);
          if (code && isPersonal) add(of, 'personal', -1);
          if (of.keyId === undefined || of.counts.size === 0 || Date.now() < of.leavesAtMs) return;
          of.leavesAtMs = Date.now() + waitMs;
          keepAlive(leave(of));
        },
      };
    },

    /** The counts that a sender's request carries. */
    claim: (sender: string): Tally | undefined => claim(waiting.get(sender)),

    /** Call when Redis has answered: marks the days with requests that Redis missed. */
    async markMissed(): Promise<void> {
      const sinceMs = circuit.takeMissed();
      if (sinceMs === undefined) return;
      for (let ms = sinceMs; dayOf(ms) <= dayOf(Date.now()); ms += DAY_MS) {
        await redis
          .set(missedOn(dayOf(ms)), 1, { ex: KEPT_SECONDS })
          .catch(() => circuit.miss(sinceMs));
      }
    },

    /** Reads the days of a key, the newest first. @throws Error if Redis does not answer */
    async read(keyId: string, now: Date): Promise<UsesOfDay[]> {
      const days = Array.from({ length: USES_DAYS }, (_, ago) =>
        dayOf(now.getTime() - ago * DAY_MS),
      );
      const keys = [...days.map((day) => hashOf(keyId, day)), ...days.map(missedOn)];
      const answer = redis.eval(READ, keys, []);
      const read = await inTime(answer, READ_BUDGET_MS, () => new Error('no answer in time'));
      return daysSchema()
        .parse(read)
        .split('\n')
        .slice(0, USES_DAYS)
        .map((line, ago) => toDay(days[ago] ?? '', line.trim().split(' ')));
    },
  };
}

function toDay(day: string, [missed, ...fields]: readonly string[]): UsesOfDay {
  const {
    requests = 0,
    personal = 0,
    ...refusals
  } = Object.fromEntries(
    fields.flatMap((field, at) => (at % 2 === 0 ? [[field, Number(fields[at + 1])]] : [])),
  );
  return { day, requests, personal, refusals, isComplete: missed === '0' };
}
