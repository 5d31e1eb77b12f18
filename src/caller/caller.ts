import type { SQL } from 'drizzle-orm';
import type { BatchResponse } from 'drizzle-orm/batch';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { type Database, type Query, transact } from '../db/client.ts';
import { ApiError } from '../errors.ts';
import { bearerToken } from '../http/bearer.ts';
import type { AppEnv } from '../http/context.ts';
import type { Allowance } from '../rate-limit/rate-limiter.ts';
import type { Scope } from '../scopes.ts';
import { hashApiKey, isWellFormedApiKey } from './api-key.ts';
import { findKey, ofPermittedKey } from './queries.ts';

/** Who asks, before it is known who that is: they are identified in the trip that answers them. */
export type Caller = {
  db: Database;
  /** SQL for the key's organization; null unless the key is live and holds the scope. */
  organizationId: SQL;
  /** SQL for the key's own id, under the same conditions. */
  apiKeyId: SQL;
  /**
   * Identifies the caller, counts the request and runs the queries, in one round trip.
   * A second call in the same request identifies again and counts no more.
   * @throws ApiError UNAUTHORIZED, RATE_LIMITED or INSUFFICIENT_SCOPE, judged in this order
   *   (contract sections 5 and 7).
   */
  ask<const T extends readonly Query[]>(...queries: T): Promise<BatchResponse<T>>;
};

export type CallerEnv = AppEnv & { Variables: { caller: Caller } };

/** Lets in keys that hold the scope; the handler's own first query finds out whether one does. */
export const scope = (needed: Scope) =>
  createMiddleware<CallerEnv>(async (c, next) => {
    const keyHash = await hashApiKey(presentedKey(c.req.raw.headers));
    const caller = createCaller(c, keyHash, needed);
    c.set('caller', caller);
    await next();
    // What they sent was refused before anybody asked who they are: that is judged first.
    if (c.error && c.var.facts.trips === 0) await caller.ask();
  });

function createCaller(c: Context<CallerEnv>, keyHash: string, needed: Scope): Caller {
  const { db, rateLimiter } = c.var.services;
  const facts = c.var.facts;
  let counted: Promise<Allowance> | undefined;

  return {
    db,
    organizationId: ofPermittedKey(db, 'organization_id', keyHash, needed),
    apiKeyId: ofPermittedKey(db, 'id', keyHash, needed),

    async ask(...queries) {
      if (!counted) {
        const refusal = rateLimiter.refusal(keyHash);
        if (refusal) throw rateLimited(c, refusal);
        counted = rateLimiter.take(keyHash);
      }
      facts.trips += 1;
      const [allowance, [[key], ...answers]] = await Promise.all([
        counted,
        transact(db, [findKey(db, keyHash, needed), ...queries]),
      ]);
      c.set('allowance', allowance);
      if (!key) {
        rateLimiter.forget(keyHash);
        throw unauthorized('The API key does not exist, has expired or was revoked.');
      }
      facts.keyId = key.id;
      if (!allowance.admitted) throw rateLimited(c, allowance);
      if (!key.permitted) {
        throw new ApiError('INSUFFICIENT_SCOPE', `The API key lacks the scope ${needed}.`);
      }
      return answers;
    },
  };
}

const unauthorized = (detail: string): ApiError => new ApiError('UNAUTHORIZED', detail);

function rateLimited(c: Context<CallerEnv>, allowance: Allowance): ApiError {
  c.set('allowance', allowance);
  return new ApiError('RATE_LIMITED', 'The API key has used up its requests for this minute.', {
    retryAfterSeconds: allowance.resetSeconds,
  });
}

/** The key of either header; a bearer token goes first where both are sent. */
function presentedKey(headers: Headers): string {
  const key = bearerToken(headers) ?? headers.get('X-API-Key')?.trim();
  if (!key) {
    throw unauthorized('Send an API key: "Authorization: Bearer <key>" or "X-API-Key: <key>".');
  }
  if (!isWellFormedApiKey(key)) {
    throw unauthorized('The API key is malformed: a part of it is missing or mistyped.');
  }
  return key;
}
