import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { transact } from '../../db/client.ts';
import { cancelStreams } from '../../db/row-stream.ts';
import { ApiError, unauthorized } from '../../errors.ts';
import { bearerToken } from '../../http/bearer.ts';
import type { AppEnv } from '../../http/context.ts';
import { createGuard, type RunQueries } from '../../http/guard.ts';
import { tooManyRefusals } from '../../http/middleware.ts';
import { timed } from '../../log.ts';
import type { Allowance } from '../../rate-limit/rate-limiter.ts';
import type { Scope } from '../../scopes.ts';
import { hasApiKeyPrefix, hashApiKey, isWellFormedApiKey } from './api-key.ts';
import { type CallerValues, findLiveKey, type LiveKey, useLiveKey } from './queries.ts';

/** The holder of an API key. */
export type Caller = {
  /** SHA-256 of the key in hex. What it sends is counted under this name. */
  keyHash: string;
  /**
   * Checks the key, counts the request and runs the statements, in one round trip.
   * A second call in the same request checks the key again and does not count.
   * @throws ApiError UNAUTHORIZED, RATE_LIMITED or INSUFFICIENT_SCOPE, checked in this order
   */
  run: RunQueries;
};

export type CallerEnv = AppEnv & { Variables: { caller: Caller } };

/**
 * Answers 401, 429 or 403 unless the request has a live key within its rate limit that holds the scope.
 * The handler's first `caller.run` checks the key, in the same trip as its queries. If the handler runs
 * no query, the guard checks the key in a trip of its own.
 */
export const requireScope = (needed: Scope) =>
  createMiddleware<CallerEnv>(async (c, next) => {
    const keyHash = await hashApiKey(presentedKey(c.req.raw.headers));
    const { run, enforce } = createGuard(checkKey(c, keyHash, needed));
    c.set('caller', { keyHash, run });
    await enforce(c, next);
  });

function checkKey(c: Context<CallerEnv>, keyHash: string, neededScope: Scope): RunQueries {
  const { logFields, services } = c.var;
  const { db, rateLimiter, refusals } = services;
  let counted: Promise<Allowance> | undefined;

  function judge(key: LiveKey | undefined, allowance: Allowance): void {
    if (!key) {
      rateLimiter.forget(keyHash);
      throw deadApiKey();
    }
    logFields.key_id = key.id;
    logFields.organization_id = key.organization_id;
    rateLimiter.remember(keyHash);
    if (!allowance.admitted) throw overRateLimit(allowance);
    if (!key.permitted) throw lacksScope(neededScope);
  }

  return async (...statements) => {
    if (!counted) {
      const refusal = rateLimiter.refusal(keyHash);
      if (refusal) {
        c.set('allowance', refusal);
        throw overRateLimit(refusal);
      }
      if (!rateLimiter.hasServed(keyHash) && refusals.isOver(c.req.raw)) throw tooManyRefusals();
      const taken = rateLimiter.take(keyHash, (late) => c.executionCtx.waitUntil(late));
      counted = timed(logFields, 'redis_ms', taken);
    }
    logFields.trips += 1;
    const [allowance, [[key], ...answers]] = await Promise.all([
      counted,
      timed(
        logFields,
        'postgres_ms',
        transact(
          db,
          [useLiveKey({}), ...statements],
          { keyHash, neededScope } satisfies CallerValues,
          [findLiveKey({}), ...statements],
        ),
      ),
    ]);
    c.set('allowance', allowance);
    try {
      judge(key, allowance);
    } catch (refused) {
      cancelStreams(answers);
      throw refused;
    }
    return answers;
  };
}

/**
 * The key in either header. If both hold a key, the bearer token counts. A bearer token without our
 * prefix is not for this API: a proxy may use it.
 */
function presentedKey(headers: Headers): string {
  const token = bearerToken(headers);
  const key = token && hasApiKeyPrefix(token) ? token : headers.get('X-API-Key')?.trim() || token;
  if (!key) throw missingApiKey();
  if (!isWellFormedApiKey(key)) throw malformedApiKey();
  return key;
}

export const missingApiKey = () =>
  unauthorized('Send an API key: "Authorization: Bearer <key>" or "X-API-Key: <key>".');

export const malformedApiKey = () =>
  unauthorized('The API key is malformed: a part of it is missing or mistyped.');

export const deadApiKey = () =>
  unauthorized('The API key does not exist, has expired or was revoked.');

export const lacksScope = (scope: string) =>
  new ApiError('INSUFFICIENT_SCOPE', `The API key lacks the scope ${scope}.`);

export const overRateLimit = ({ resetSeconds }: Pick<Allowance, 'resetSeconds'>) =>
  new ApiError('RATE_LIMITED', 'The API key has used up its requests for this minute.', {
    retryAfterSeconds: resetSeconds,
  });
