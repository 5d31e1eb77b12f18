import { createExecutionContext } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { expectError } from '../../testing/assertions.ts';
import { createKey, createRace } from '../../testing/factories.ts';
import { withoutServices } from '../../testing/faults.ts';
import { limiterThat, testConfig, withKey } from '../../testing/harness.ts';
import { createClub, createMember, signSession, withSession } from '../../testing/members.ts';
import { generateApiKey } from '../auth/api-key/api-key.ts';
import { requireScope } from '../auth/api-key/require-scope.ts';
import { requireManager } from '../auth/panel/require-manager.ts';
import type { RowStream } from '../db/row-stream.ts';
import { command, type Statement, statement } from '../db/statement.ts';
import { type ErrorCode, invalid, notFound } from '../errors.ts';
import { findEvent } from '../events/queries.ts';
import { buildServices, type Services } from '../services.ts';
import type { AppEnv } from './context.ts';
import type { Endpoint, OperationHandler } from './endpoint.ts';
import { handleError } from './error-handler.ts';
import { requestLog } from './middleware.ts';

const SECRET = 'what only a good caller may see';

type AnyEndpoint = Endpoint<unknown, unknown, unknown, unknown, unknown, readonly Statement[]>;

const selectOne = statement(
  'selectOne',
  () => z.strictObject({ one: z.int() }),
  () => sql`select 1 as one`,
);

const answer = () => new Response(SECRET, { headers: { 'X-Secret': SECRET, ETag: '"secret"' } });

/** Endpoints with different inputs and failures, and the status for a good caller. */
const ENDPOINTS: Record<string, [number, AnyEndpoint]> = {
  'asks nothing': [200, { weight: 'light', statements: () => [], answer }],
  'asks something': [200, { weight: 'light', statements: () => [selectOne({})], answer }],
  'was sent a wrong query': [
    400,
    {
      weight: 'light',
      query: () => z.object({ missing: z.string() }),
      statements: () => [selectOne({})],
      answer,
    },
  ],
  'refuses while it names its statements': [
    400,
    {
      weight: 'light',
      statements: () => {
        throw invalid('invalid_input', 'What was sent is wrong.');
      },
      answer,
    },
  ],
  'does not find what it answers': [
    404,
    {
      weight: 'light',
      statements: () => [selectOne({})],
      answer: () => {
        throw notFound('This event');
      },
    },
  ],
};

type Ask = (headers: Record<string, string>, path?: string) => Promise<Response>;

/** A route with this handler, and the trips of its requests. */
function startRoute(
  handler: OperationHandler<string>,
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
    .onError(handleError)
    .get('/:organization_id', handler);
  const ask: Ask = async (headers, path = '/x') =>
    app.request(path, { headers }, {}, createExecutionContext());
  return { ask, trips };
}

async function expectRefused(response: Response, status: number, code: ErrorCode) {
  expect(response.headers.get('X-Secret')).toBeNull();
  expect(response.headers.get('ETag')).toBeNull();
  await expectError(response, status, code);
}

describe.each(Object.entries(ENDPOINTS))(
  'requireScope with an endpoint that %s',
  (_, [status, endpoint]) => {
    const handler = requireScope('getEvent', 'events:read', endpoint);
    const { ask, trips } = startRoute(handler);

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
      const limited = startRoute(handler, { rateLimiter: limiterThat('refuses') });
      const { organizationId } = await createRace();
      const key = await createKey(organizationId, { scopes: ['stats:read'] });
      await expectRefused(await limited.ask(withKey(key)), 429, 'RATE_LIMITED');
      await expectRefused(await limited.ask(withKey(generateApiKey())), 401, 'UNAUTHORIZED');
    });

    test('answers 503 if the key cannot be looked up', async () => {
      const away = startRoute(handler, {}, withoutServices(testConfig, 'postgres'));
      const { key } = await createRace();
      await expectRefused(await away.ask(withKey(key)), 503, 'SERVICE_UNAVAILABLE');
    });

    test('passes a live key in one trip', async () => {
      const { key } = await createRace();
      trips.length = 0;
      expect((await ask(withKey(key))).status).toBe(status);
      expect(trips).toEqual([1]);
    });
  },
);

describe.each(Object.entries(ENDPOINTS))(
  'requireManager with an endpoint that %s',
  (_, [status, endpoint]) => {
    const { ask, trips } = startRoute(requireManager('getEvent', endpoint));

    test('answers 401 without a session, 404 to strangers and 403 to plain members', async () => {
      const { organizationId } = await createClub();
      const path = `/${organizationId}`;
      await expectRefused(await ask({}, path), 401, 'UNAUTHORIZED');
      const stranger = withSession(await signSession({ sub: 'nobody' }));
      await expectRefused(await ask(stranger, path), 404, 'NOT_FOUND');
      const { headers } = await createMember(organizationId, 'member');
      await expectRefused(await ask(headers, path), 403, 'INSUFFICIENT_SCOPE');
    });

    test('passes the owner of a known session in one trip', async () => {
      const { organizationId, owner } = await createClub();
      await ask(owner.headers, `/${organizationId}`);
      trips.length = 0;
      expect((await ask(owner.headers, `/${organizationId}`)).status).toBe(status);
      expect(trips).toEqual([1]);
    });
  },
);

test("checks the key in the same trip as the endpoint's statements", async () => {
  const { key, eventId } = await createRace();
  const { ask, trips } = startRoute(
    requireScope('getEvent', 'events:read', {
      weight: 'light',
      statements: () => [findEvent({ eventId })],
      answer: ([[event]], { c }) => c.json(event?.id),
    }),
  );
  expect(await (await ask(withKey(key))).json()).toBe(eventId);
  expect(trips).toEqual([1]);
});

const readIsolation = statement(
  'readIsolation',
  () => z.strictObject({ isolation: z.string() }),
  () => sql`select current_setting('transaction_isolation') as isolation`,
);

test.each([
  ['GET', 'repeatable read'],
  ['HEAD', 'repeatable read'],
  ['POST', 'read committed'],
])('runs the statements of a %s at the isolation level %s', async (method, level) => {
  const { key } = await createRace();
  const services = buildServices(testConfig, { info() {}, error() {} });
  const handler = requireScope('getEvent', 'events:read', {
    weight: 'light',
    statements: () => [readIsolation({}), selectOne({})],
    answer: ([[row]]) => new Response(null, { headers: { Isolation: row?.isolation ?? '' } }),
  });
  const app = new Hono<AppEnv>()
    .use(async (c, next) => {
      c.set('services', services);
      await next();
    })
    .use(requestLog)
    .all('/', handler);
  const sent = { method, headers: withKey(key) };
  const response = await app.request('/', sent, {}, createExecutionContext());
  expect(response.headers.get('Isolation')).toBe(level);
});

test('checks the key again in each further trip', async () => {
  const { organizationId } = await createRace();
  const key = await createKey(organizationId);
  const revokeAll = command(
    'revokeAll',
    () => sql`update api_keys set revoked_at = now() where organization_id = ${organizationId}`,
  );
  const { ask, trips } = startRoute(
    requireScope('getEvent', 'events:read', {
      weight: 'light',
      statements: () => [revokeAll({})],
      answer: async (_, { run }) => {
        await run(selectOne({}));
        return answer();
      },
    }),
  );
  await expectRefused(await ask(withKey(key)), 401, 'UNAUTHORIZED');
  expect(trips).toEqual([2]);
});

test('ends the transfer of rows that a refused caller will not read', async () => {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const watched: Statement<RowStream> = {
    ...command('watched', () => sql`select 1`)({}),
    isStreamed: true,
    read({ stream }) {
      if (!stream) throw new Error('no stream');
      const { cancel } = stream;
      return Object.assign(stream, {
        cancel() {
          cancel();
          resolve();
        },
      });
    },
  };
  const { ask } = startRoute(
    requireScope('getEvent', 'events:read', {
      weight: 'light',
      statements: () => [watched],
      answer,
    }),
  );
  await expectRefused(await ask(withKey(generateApiKey())), 401, 'UNAUTHORIZED');
  await ended;
});
