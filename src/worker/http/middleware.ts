import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import { FULL_ALLOWANCE, REQUESTS_PER_WINDOW, WINDOW_SECONDS } from '../rate-limit/rate-limiter.ts';
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
  if (body && !body.locked) await drain(c.req.raw, c.var.services.bodyLimits.pace);
});

/** Forbids caching by default, because answers contain personal data. An operation may override it. */
export const noStore = createMiddleware<AppEnv>(async (c, next) => {
  c.header('Cache-Control', 'private, no-store');
  await next();
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
