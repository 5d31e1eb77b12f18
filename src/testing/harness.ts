import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { createApp } from '../app.ts';
import { type Config, parseConfig } from '../config.ts';
import type { Log } from '../log.ts';
import { buildServices, type Services } from '../services.ts';
import { expectDocumented } from './documented.ts';

export const testConfig: Config = parseConfig(env);

/** What the application logged, a line an entry. */
export type LoggedLine = Record<string, unknown>;

/**
 * The application as production builds it, with its log in hand. Whatever it answers is held against
 * its document.
 */
export function startApp(config: Config = testConfig, overrides: Partial<Services> = {}) {
  const logged: LoggedLine[] = [];
  const log: Log = {
    info: (line) => void logged.push(line),
    error: (message, error, line) =>
      void logged.push({ level: 'error', message, error: String(error), ...line }),
  };
  const app = createApp({ ...buildServices(config, log), ...overrides });

  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const context = createExecutionContext();
    const sent = new Request(`http://api.test${path}`, init);
    const { method, url } = sent;
    const response = await app.fetch(sent, {}, context);
    await waitOnExecutionContext(context);
    const { status, headers } = response;
    const body = await response.clone().text();
    expectDocumented(method, new URL(url).pathname, { status, headers, body });
    return response;
  }
  return { app, request, logged };
}

export type TestApp = ReturnType<typeof startApp>;

export const withKey = (key: string): Record<string, string> => ({
  Authorization: `Bearer ${key}`,
});
