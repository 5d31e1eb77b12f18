import type { Context } from 'hono';
import { transact } from '../../db/client.ts';
import type { Statement } from '../../db/statement.ts';
import { ApiError, unauthorized } from '../../errors.ts';
import { bearerToken } from '../../http/bearer.ts';
import type { AppEnv } from '../../http/context.ts';
import { answering, type Endpoint, type Entrance } from '../../http/endpoint.ts';
import { timed } from '../../log.ts';
import type { Allowance } from '../../rate-limit/rate-limiter.ts';
import type { Scope } from '../../scopes.ts';
import { apiKeyPrefix, hasApiKeyPrefix, hashApiKey, isWellFormedApiKey } from './api-key.ts';
import { type CallerValues, findLiveKey, isBesideKey, type LiveKey, writeUse } from './queries.ts';

/** The handler of an operation for the holders of live keys with this scope, within their rate limit. */
export const requireScope = <Id extends string, P, Q, H, B, const S extends readonly Statement[]>(
  id: Id,
  scope: Scope,
  endpoint: Endpoint<unknown, P, Q, H, B, S>,
) => answering({ id, scope }, (c) => enter(c, scope), endpoint);

async function enter(c: Context<AppEnv>, neededScope: Scope): Promise<Entrance<unknown, LiveKey>> {
  const logFields = c.get('logFields');
  const { rateLimiter, refusals, uses } = c.get('services');
  const request = c.req.raw;
  const key = presentedKey(request.headers);
  const [keyHash, prefix] = [hashApiKey(key), apiKeyPrefix(key)];
  const use = uses.begin(keyHash, logFields.personal === true);
  c.set('use', use);
  const refusal = rateLimiter.refusal(keyHash);
  if (refusal) {
    c.set('allowance', refusal);
    throw overRateLimit(refusal);
  }
  const knownOrganizationId = rateLimiter.organizationOf(keyHash);
  if (knownOrganizationId) c.set('organizationId', knownOrganizationId);
  else if (refusals.isKeyOver(request, prefix)) {
    const waiting = { waitUntil: c.executionCtx.waitUntil.bind(c.executionCtx), logFields };
    if (!(await refusals.isLive(request, keyHash, waiting))) throw deadApiKey();
  }
  const counted = rateLimiter.take(keyHash, (late) => c.executionCtx.waitUntil(late));
  return {
    caller: undefined,
    allowance: timed(logFields, 'redis_ms', counted),
    check: findLiveKey({}),
    beside: (first) => (isBesideKey(first) ? first.besideKey() : undefined),
    values: { keyHash, neededScope } satisfies CallerValues,
    judge(key, allowance) {
      if (!key) {
        rateLimiter.forget(keyHash);
        c.executionCtx.waitUntil(refusals.addKey(request, prefix));
        throw deadApiKey();
      }
      use.of(key.id);
      logFields.key_id = key.id;
      logFields.key_prefix = prefix;
      logFields.organization_id = key.organization_id;
      c.set('organizationId', key.organization_id);
      rateLimiter.remember(keyHash, key.organization_id);
      if (key.is_use_due) c.executionCtx.waitUntil(recordUse(c, key.id));
      if (allowance && !allowance.admitted) throw overRateLimit(allowance);
      if (!key.permitted) throw lacksScope(neededScope);
    },
  };
}

/** No request waits for this write: after a failure, the next request of the key writes again. */
async function recordUse(c: Context<AppEnv>, keyId: string): Promise<void> {
  const { db, log } = c.get('services');
  await transact(db, [writeUse({ keyId })]).catch((error: unknown) =>
    log.error('The last use of a key was not recorded', error, { key_id: keyId }),
  );
}

/**
 * The key in either header. If both hold a key, the bearer token counts. A bearer token without our prefix belongs to a
 * proxy, not to this API.
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
