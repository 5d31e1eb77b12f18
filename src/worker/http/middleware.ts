import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import type { LogFields, LogLine } from '../log.ts';
import { FULL_ALLOWANCE, REQUESTS_PER_WINDOW, WINDOW_SECONDS } from '../rate-limit/rate-limiter.ts';
import { tooManyRefusals } from '../rate-limit/refusals.ts';
import { drain } from './body.ts';
import { type AppEnv, senderOf } from './context.ts';

/** `Cache-Control` of an answer that no cache may keep. */
export const NOT_STORED = 'private, no-store';

const UUID_LENGTH = 36;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const RAY = /^[\da-f]{16}$/;

/** The longest id that a client may give its request. A key is longer, so no key gets into the log as an id. */
export const REQUEST_ID_MAX = 40;

/** Logs a line for each request. If the client leaves before the answer, the line is about the end of the request. */
export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  const { log, now } = c.get('services');
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
      request_id: c.get('requestId'),
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

  // The platform ends a request without a client, so code after `next` may never run.
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
  if (body && !body.locked) await drain(c.req.raw, c.get('services').gate, senderOf(c));
});

/**
 * Forbids caching, because answers contain personal data; an operation may set another value. Browsers ignore
 * Strict-Transport-Security over plain http, so the header does no harm on local answers.
 */
export const safeHeaders = createMiddleware<AppEnv>(async (c, next) => {
  c.header('Cache-Control', NOT_STORED);
  c.header('X-Content-Type-Options', 'nosniff');
  c.header('Strict-Transport-Security', 'max-age=31536000');
  await next();
});

/** The id in the path of a board. */
const BOARD_OF = /^\/board\/(?:v1\/)?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:\/|$)/;
/** The code in a short address. */
const CODE_OF = /^\/b\/(\w+)$/;

/**
 * Answers 429 to an address that asked for too many missing boards, unless this board is open: a whole venue may share
 * an address.
 */
const limitMissing = (by: 'boards' | 'codes', nameIn: RegExp) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const refusals = c.get('services').refusals[by];
    if (refusals.isOver(c.req.raw)) {
      const [, name] = nameIn.exec(c.req.path) ?? [];
      const waiting = {
        waitUntil: c.executionCtx.waitUntil.bind(c.executionCtx),
        logFields: c.get('logFields'),
      };
      const isOpen = name && (await refusals.isOpen(c.req.raw, name, waiting));
      if (!isOpen) throw tooManyRefusals();
    }
    await next();
    const hasCostATrip = c.get('logFields').trips > 0;
    if (c.res.status === 404 && hasCostATrip) c.executionCtx.waitUntil(refusals.add(c.req.raw));
  });

export const limitMissingBoards = limitMissing('boards', BOARD_OF);
export const limitMissingCodes = limitMissing('codes', CODE_OF);

/** Counts why a request of a key was refused. */
export const countUse = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  c.get('use')?.end(c.get('logFields').code, (late) => c.executionCtx.waitUntil(late));
});

/** Sets RateLimit and RateLimit-Policy, from the IETF HTTPAPI draft. */
export const rateLimitHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const { remaining, resetSeconds } = c.get('allowance') ?? FULL_ALLOWANCE;
  // c.header() would copy the finished response once for each header.
  const { headers } = c.res;
  headers.set('RateLimit-Policy', `"per-key";q=${REQUESTS_PER_WINDOW};w=${WINDOW_SECONDS}`);
  headers.set('RateLimit', `"per-key";r=${remaining};t=${resetSeconds}`);
});
