import { createExecutionContext } from 'cloudflare:test';
import { type Handler, Hono, type MiddlewareHandler } from 'hono';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import { createKey, createRace } from '../../testing/factories.ts';
import { withoutServices } from '../../testing/faults.ts';
import { testConfig, withKey } from '../../testing/harness.ts';
import { createClub, createMember, signSession, withSession } from '../../testing/members.ts';
import { generateApiKey } from '../auth/api-key/api-key.ts';
import { type CallerEnv, requireScope } from '../auth/api-key/require-scope.ts';
import { type MemberEnv, requireManager } from '../auth/panel/require-manager.ts';
import { ApiError, type ErrorCode, invalid } from '../errors.ts';
import { findEvent } from '../events/queries.ts';
import type { RateLimiter } from '../rate-limit/rate-limiter.ts';
import { buildServices, type Services } from '../services.ts';
import type { AppEnv } from './context.ts';
import { handleError } from './error-handler.ts';
import { requestLog } from './middleware.ts';

const SECRET = 'what only a good caller may see';

/** Does the work of every handler here, except for asking who calls. */
const HANDLERS: Record<string, () => Response> = {
  'returns at once': () => new Response(SECRET, { headers: { 'X-Secret': SECRET } }),
  streams: () => {
    const stream = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode(SECRET)),
    });
    return new Response(stream, { headers: { ETag: '"secret"', 'Content-Length': '9' } });
  },
  'throws invalid': () => {
    throw invalid('What was sent is wrong.');
  },
};

type Ask = (headers: Record<string, string>, path?: string) => Promise<Response>;

/** A route behind the guard, and the trips of the requests to it. */
function startRoute<E extends AppEnv>(
  guard: MiddlewareHandler<E>,
  handler: Handler<E>,
  overrides: Partial<Services> = {},
  config = testConfig,
) {
  const trips: unknown[] = [];
  const log = { info: (line: Record<string, unknown>) => trips.push(line['trips']), error() {} };
  const services = { ...buildServices(config, log), ...overrides };
  const app = new Hono<AppEnv>()
    .use(async (c, next) => {
      c.set('services', services);
      await next();
    })
    .use(requestLog)
    .onError(handleError);
  const route = new Hono<E>().get('/', guard, handler);
  app.route('/:organization_id', route);
  const ask: Ask = async (headers, path = '/x') =>
    app.request(path, { headers }, {}, createExecutionContext());
  return { ask, trips };
}

const alwaysOver: RateLimiter = {
  refusal: () => undefined,
  hasServed: () => true,
  take: () => Promise.resolve({ admitted: false, remaining: 0, resetSeconds: 42 }),
  forget: () => {},
  remember: () => {},
  ping: () => Promise.resolve(),
};

async function expectRefused(response: Response, status: number, code: ErrorCode) {
  expect(response.headers.get('X-Secret')).toBeNull();
  expect(response.headers.get('ETag')).toBeNull();
  expect(response.headers.get('Content-Length')).toBeNull();
  await expectError(response, status, code);
}

describe.each(Object.entries(HANDLERS))(
  'requireScope before a handler that %s',
  (name, handler) => {
    const { ask, trips } = startRoute<CallerEnv>(requireScope('events:read'), handler);

    test('answers 401 to an unknown key', async () => {
      await expectRefused(await ask(withKey(generateApiKey())), 401, 'UNAUTHORIZED');
    });

    test('answers 401 to a revoked key', async () => {
      const { organizationId } = await createRace();
      const key = await createKey(organizationId, { revoked_at: new Date() });
      await expectRefused(await ask(withKey(key)), 401, 'UNAUTHORIZED');
    });

    test('answers 403 to a key without the scope', async () => {
      const { organizationId } = await createRace();
      const key = await createKey(organizationId, { scopes: ['stats:read'] });
      await expectRefused(await ask(withKey(key)), 403, 'INSUFFICIENT_SCOPE');
    });

    test('answers 429 to a live key over its limit and 401 to an unknown one', async () => {
      const limited = startRoute<CallerEnv>(requireScope('events:read'), handler, {
        rateLimiter: alwaysOver,
      });
      const { organizationId } = await createRace();
      const key = await createKey(organizationId, { scopes: ['stats:read'] });
      await expectRefused(await limited.ask(withKey(key)), 429, 'RATE_LIMITED');
      await expectRefused(await limited.ask(withKey(generateApiKey())), 401, 'UNAUTHORIZED');
    });

    test('answers 503 if the key cannot be looked up', async () => {
      const config = withoutServices(testConfig, 'postgres');
      const away = startRoute<CallerEnv>(requireScope('events:read'), handler, {}, config);
      const { key } = await createRace();
      await expectRefused(await away.ask(withKey(key)), 503, 'SERVICE_UNAVAILABLE');
    });

    test('passes a live key in one trip', async () => {
      const { key } = await createRace();
      trips.length = 0;
      const response = await ask(withKey(key));
      expect(response.status).toBe(name === 'throws invalid' ? 400 : 200);
      await response.body?.cancel();
      expect(trips).toEqual([1]);
    });
  },
);

describe.each(Object.entries(HANDLERS))(
  'requireManager before a handler that %s',
  (name, handler) => {
    const { ask, trips } = startRoute<MemberEnv>(requireManager, handler);

    test('answers 401 without a session, 404 to strangers and 403 to plain members', async () => {
      const { organizationId } = await createClub();
      const path = `/${organizationId}`;
      await expectRefused(await ask({}, path), 401, 'UNAUTHORIZED');
      const stranger = withSession(await signSession({ sub: 'nobody' }));
      await expectRefused(await ask(stranger, path), 404, 'NOT_FOUND');
      const { headers } = await createMember(organizationId, 'member');
      await expectRefused(await ask(headers, path), 403, 'INSUFFICIENT_SCOPE');
    });

    test('passes the owner in one trip', async () => {
      const { organizationId, owner } = await createClub();
      trips.length = 0;
      const response = await ask(owner.headers, `/${organizationId}`);
      expect(response.status).toBe(name === 'throws invalid' ? 400 : 200);
      await response.body?.cancel();
      expect(trips).toEqual([1]);
    });
  },
);

test("cancels the handler's stream if authentication fails", async () => {
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const { ask } = startRoute<CallerEnv>(
    requireScope('events:read'),
    () => new Response(new ReadableStream({ cancel: () => resolve() })),
  );
  await expectRefused(await ask(withKey(generateApiKey())), 401, 'UNAUTHORIZED');
  await stopped;
});

test.each<[string, Handler<CallerEnv>]>([
  [
    'catches the refusal',
    async (c) => {
      await c.var.caller.run().catch(() => {});
      return c.text(SECRET);
    },
  ],
  [
    'does not wait for its question',
    (c) => {
      c.var.caller.run();
      return c.text(SECRET);
    },
  ],
  [
    'throws while it asks',
    (c) => {
      c.var.caller.run();
      throw invalid('What was sent is wrong.');
    },
  ],
])('refuses a dead key before a handler that %s', async (_what, handler) => {
  const { ask, trips } = startRoute<CallerEnv>(requireScope('events:read'), handler);
  await expectRefused(await ask(withKey(generateApiKey())), 401, 'UNAUTHORIZED');
  expect(trips).toEqual([1]);
});

test("authenticates in the same trip as the handler's queries", async () => {
  const { key, eventId } = await createRace();
  const { ask, trips } = startRoute<CallerEnv>(requireScope('events:read'), async (c) => {
    const [[event]] = await c.var.caller.run(findEvent({ eventId }));
    return c.json(event?.id);
  });
  expect(await (await ask(withKey(key))).json()).toBe(eventId);
  expect(trips).toEqual([1]);
});

test('lets a handler put a failure into other words, with the same code', async () => {
  const rewording = (code: ErrorCode) =>
    startRoute<CallerEnv>(requireScope('events:read'), async (c) => {
      await c.var.caller.run().catch((cause: unknown) => {
        throw new ApiError(code, 'The handler says so.', { cause });
      });
      return c.text(SECRET);
    });
  const key = withKey(generateApiKey());
  const detail = await expectError(await rewording('UNAUTHORIZED').ask(key), 401, 'UNAUTHORIZED');
  expect(detail).toBe('The handler says so.');
  await expectRefused(await rewording('NOT_FOUND').ask(key), 401, 'UNAUTHORIZED');
});
