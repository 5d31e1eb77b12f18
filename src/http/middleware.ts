import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import { FULL_ALLOWANCE, REQUESTS_PER_WINDOW, WINDOW_SECONDS } from '../rate-limit/rate-limiter.ts';
import { drain } from './body.ts';
import type { AppEnv } from './context.ts';

/** Logs one line a request: what was asked, how it ended and what it cost. */
export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  const { log, now } = c.var.services;
  const startedAt = now().getTime();
  const facts: AppEnv['Variables']['facts'] = { trips: 0 };
  c.set('facts', facts);
  await next();
  log.info({
    level: 'info',
    request_id: c.var.requestId,
    method: c.req.method,
    // The pattern, not the path: a path can carry what somebody typed.
    route: routePath(c, -1),
    status: c.res.status,
    ms: now().getTime() - startedAt,
    key_id: facts.keyId,
    trips: facts.trips,
    rows: facts.rows,
  });
});

/** Lets a client that is still sending get to its answer. */
export const bodyDrained = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const { body } = c.req.raw;
  if (body && !body.locked) await drain(body);
});

/**
 * Answers are about one organization's people: nothing on the way may keep them, unless an operation
 * says for itself what its client may.
 */
export const neverCached = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'private, no-store');
});

/** RateLimit and RateLimit-Policy, the fields of the IETF's HTTPAPI draft. */
export const rateLimitFields = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const { remaining, resetSeconds } = c.var.allowance ?? FULL_ALLOWANCE;
  c.header('RateLimit-Policy', `"per-key";q=${REQUESTS_PER_WINDOW};w=${WINDOW_SECONDS}`);
  c.header('RateLimit', `"per-key";r=${remaining};t=${resetSeconds}`);
});
