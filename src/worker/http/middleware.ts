import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import { ApiError } from '../errors.ts';
import type { LogFields, LogLine } from '../log.ts';
import { FULL_ALLOWANCE, REQUESTS_PER_WINDOW, WINDOW_SECONDS } from '../rate-limit/rate-limiter.ts';
import { REFUSALS_PERIOD_SECONDS } from '../rate-limit/refusals.ts';
import { drain } from './body.ts';
import type { AppEnv } from './context.ts';

const UUID_LENGTH = 36;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const RAY = /^[\da-f]{16}$/;

/** Logs one line for each request, or for its end if the client leaves before the answer. */
export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  const { log, now } = c.var.services;
  const { headers, signal, cf } = c.req.raw;
  const startedAt = now().getTime();
  const logFields: LogFields = { trips: 0 };
  c.set('logFields', logFields);

  function write(outcome: Pick<LogLine, 'status' | 'client_gone'>) {
    const ray = headers.get('CF-Ray') ?? '';
    const colo = cf?.['colo'];
    const event = c.req.param('event_id') ?? '';
    log.info({
      level: 'info',
      request_id: c.var.requestId,
      version: c.env.VERSION?.id,
      ray: RAY.test(ray) ? ray : undefined,
      colo: typeof colo === 'string' ? colo : undefined,
      method: c.req.method,
      route: routePath(c),
      ...outcome,
      ms: now().getTime() - startedAt,
      ...(event.length === UUID_LENGTH && UUID.test(event) && { event_id: event }),
      ...logFields,
    });
  }

  // The platform ends such a request, so that nothing behind `next` may run.
  const leave = () => write({ client_gone: true });
  signal.addEventListener('abort', leave);
  await next();
  signal.removeEventListener('abort', leave);
  if (!signal.aborted) write({ status: c.res.status });
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
