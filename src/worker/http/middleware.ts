import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import { ApiError } from '../errors.ts';
import { FULL_ALLOWANCE, REQUESTS_PER_WINDOW, WINDOW_SECONDS } from '../rate-limit/rate-limiter.ts';
import { REFUSALS_PERIOD_SECONDS } from '../rate-limit/refusals.ts';
import { drain } from './body.ts';
import type { AppEnv } from './context.ts';

/** Logs one line for each request. */
export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  const { log, now } = c.var.services;
  const startedAt = now().getTime();
  const logFields: AppEnv['Variables']['logFields'] = { trips: 0 };
  c.set('logFields', logFields);
  await next();
  log.info({
    level: 'info',
    request_id: c.var.requestId,
    method: c.req.method,
    // The pattern: the path itself may contain personal data.
    route: routePath(c, -1),
    status: c.res.status,
    ms: now().getTime() - startedAt,
    key_id: logFields.keyId,
    trips: logFields.trips,
    rows: logFields.rows,
  });
});

/** Reads the rest of the body: many clients read the answer only after they sent everything. */
export const drainBody = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const { body } = c.req.raw;
  if (body && !body.locked) await drain(c.req.raw, c.var.services.bodyLimits);
});

/**
 * Forbids caching, because answers contain personal data; an operation may override it. Browsers ignore
 * Strict-Transport-Security over plain http, so local answers may have it too.
 */
export const safeHeaders = createMiddleware<AppEnv>(async (c, next) => {
  c.header('Cache-Control', 'private, no-store');
  c.header('X-Content-Type-Options', 'nosniff');
  c.header('Strict-Transport-Security', 'max-age=31536000');
  await next();
});

/** Counts an answer that cost a trip and was refused: 401, or 404 of a board. */
export const countRefusals = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const { status } = c.res;
  const isRefused = status === 401 || (status === 404 && c.req.path.startsWith('/board/'));
  if (!isRefused || c.var.logFields.trips === 0) return;
  c.executionCtx.waitUntil(c.var.services.refusals.add(c.req.raw));
});

/** Answers 429 without a trip to an address that has had too many refused answers. */
export const stopRefused = createMiddleware<AppEnv>(async (c, next) => {
  if (c.var.services.refusals.isOver(c.req.raw)) throw tooManyRefusals();
  await next();
});

export const tooManyRefusals = () =>
  new ApiError('RATE_LIMITED', 'Too many requests from this address were refused.', {
    retryAfterSeconds: REFUSALS_PERIOD_SECONDS,
  });

/** Sets RateLimit and RateLimit-Policy, from the IETF HTTPAPI draft. */
export const rateLimitHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const { remaining, resetSeconds } = c.var.allowance ?? FULL_ALLOWANCE;
  // c.header() would copy the finished response once for each header.
  const { headers } = c.res;
  headers.set('RateLimit-Policy', `"per-key";q=${REQUESTS_PER_WINDOW};w=${WINDOW_SECONDS}`);
  headers.set('RateLimit', `"per-key";r=${remaining};t=${resetSeconds}`);
});
