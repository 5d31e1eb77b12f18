import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { createApp } from '../worker/app.ts';
import { type Config, parseConfig } from '../worker/config.ts';
import { checkRows } from '../worker/db/statement.ts';
import { UNEXPECTED } from '../worker/http/error-handler.ts';
import type { Log } from '../worker/log.ts';
import type { RateLimiter } from '../worker/rate-limit/rate-limiter.ts';
import { buildServices, type Services } from '../worker/services.ts';
import { expectDocumented } from './documented.ts';

checkRows();

export const testConfig: Config = parseConfig(env);

/** A line of the application's log. */
export type LoggedLine = Record<string, unknown>;

/**
 * Builds the application as production does, but every request is within the rate limit: counting takes Redis longer
 * than most requests. Keeps the log and compares each answer with the OpenAPI document.
 */
export const startApp = (config: Config = testConfig, overrides: Partial<Services> = {}) =>
  startLimitedApp(config, { rateLimiter: ADMITTING, panelLimits: admittingPanel(), ...overrides });

/** Like `startApp`, with the rate limit. No request counts as a use of its key: the counts wait for a second. */
export function startLimitedApp(config: Config = testConfig, overrides: Partial<Services> = {}) {
  const logged: LoggedLine[] = [];
  const bugs: unknown[] = [];
  const log: Log = {
    info: (line) => void logged.push(line),
    error: (message, error, line) => {
      logged.push({ level: 'error', message, error: String(error), ...line });
      // A test with a fault has another configuration.
      if (message === UNEXPECTED && config === testConfig) bugs.push(error);
    },
  };
  const services = buildServices(config, log);
  const uses = { ...services.uses, begin: () => ({ of() {}, end() {} }) };
  const app = createApp({ ...services, uses, ...overrides });

  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const context = createExecutionContext();
    const sent = new Request(`http://api.test${path}`, init);
    const { method, url } = sent;
    const response = await app.fetch(sent, env, context);
    await waitOnExecutionContext(context);
    const { status, headers } = response;
    if (bugs.length > 0) throw bugs.shift();
    // In workerd `text()` warns about a type without text.
    const body = new TextDecoder().decode(await response.clone().arrayBuffer());
    expectDocumented(method, new URL(url).pathname, { status, headers, body });
    return response;
  }
  return { app, request, logged };
}

export type TestApp = ReturnType<typeof startApp>;

let shared: TestApp | undefined;

/** Sends a request to the shared application of the tests. The application starts with the first request. */
export const request: TestApp['request'] = (path, init) => {
  shared ??= startApp();
  return shared.request(path, init);
};

/** A rate limiter that admits or refuses every request. */
export const limiterThat = (admitted: 'admits' | 'refuses'): RateLimiter => ({
  refusal: () => undefined,
  organizationOf: () => undefined,
  take: () =>
    Promise.resolve(
      admitted === 'admits'
        ? { admitted: true, remaining: 119, resetSeconds: 60 }
        : { admitted: false, remaining: 0, resetSeconds: 42 },
    ),
  remember: () => {},
  forget: () => {},
});

const ADMITTING = limiterThat('admits');

/** Remembers sessions, as the limiter does. */
function admittingPanel() {
  const known = new Map<string, string>();
  const sessions: RateLimiter = {
    ...ADMITTING,
    organizationOf: (session) => known.get(session),
    remember: (session, organizationId) => void known.set(session, organizationId),
    forget: (session) => void known.delete(session),
  };
  return { sessions, organizations: ADMITTING };
}

export const withKey = (key: string): Record<string, string> => ({
  Authorization: `Bearer ${key}`,
});
