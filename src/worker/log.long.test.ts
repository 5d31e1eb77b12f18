import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { createRace, createRegistrations } from '../testing/factories.ts';
import { injectFault } from '../testing/faults.ts';
import { startApp, testConfig, withKey } from '../testing/harness.ts';
import { createClub } from '../testing/members.ts';
import { routesOf } from '../testing/routes.ts';
import { createApp } from './app.ts';
import { generateApiKey } from './auth/api-key/api-key.ts';
import type { Config } from './config.ts';
import { busy, createTurns } from './gate/turns.ts';
import { consoleLog } from './log.ts';
import { buildServices } from './services.ts';

afterEach(() => void vi.restoreAllMocks());

/** The secrets that no line may hold. The service writes nothing similar. */
const PLANTED = {
  name: 'Zenobia-Plantada',
  bib: 'B77531',
  chip: 'CHIP-Q7Q7',
  document: 'DOC90909090',
  email: 'zenobia@planted.example',
  key: generateApiKey(),
};
const SECRETS = Object.values(PLANTED);

/** The lines on the console, which the platform collects. */
function watchConsole(): string[] {
  const lines: string[] = [];
  for (const name of ['log', 'error', 'warn', 'info', 'debug'] as const) {
    vi.spyOn(console, name).mockImplementation((...values) => void lines.push(values.join(' ')));
  }
  return lines;
}

/** The application with the log of production. */
const startLogging = (config: Config) => createApp(buildServices(config, consoleLog));

async function send(
  app: ReturnType<typeof createApp>,
  path: string,
  init: RequestInit,
): Promise<number> {
  const context = createExecutionContext();
  const response = await app.fetch(new Request(`http://api.test${path}`, init), env, context);
  await response.text();
  await waitOnExecutionContext(context);
  return response.status;
}

type Body = { body?: BodyInit; type?: string };

/** Bodies with everything planted: results, a key to create, a file, and an empty body. */
function bodies(): Body[] {
  const { name, bib, chip, document, email, key } = PLANTED;
  const row = { bib_number: bib, chip_time: name, status: document, splits: { [name]: chip } };
  const newKey = { name, scopes: [document], expires_at: email };
  const csv = `dorsal;tiempo;${name};${email}\n${bib};${chip};${document};${key}\n"${name}`;
  const form = new FormData();
  form.set('file', new File([csv], `${name} ${bib}.csv`));
  return [
    { body: JSON.stringify({ results: [row] }), type: 'application/json' },
    { body: JSON.stringify(newKey), type: 'application/json' },
    { body: `{"results": [${name}`, type: 'application/json' },
    { body: form },
    { body: csv, type: `text/csv; ${name}=${bib}` },
  ];
}

/** A path of a route with existing ids, with everything planted in the query, and in the path. */
function pathsOf(path: string, ids: Record<string, string>): string[] {
  const { name, bib, chip, document, email, key } = PLANTED;
  const filled = path.replaceAll(/:(\w+)/g, (_, id) => ids[id] ?? encodeURIComponent(bib));
  const planted = path.replaceAll(/:\w+/g, encodeURIComponent(`${name} ${document}`));
  const query = { bib, chip, document, name, page: name, sender: name, split: key, where: email };
  return [filled, `${filled}?${new URLSearchParams(query)}`, planted];
}

test('holds nothing of a person and no key after any input and any failure', async () => {
  const { name, bib, chip, document, email, key } = PLANTED;
  const { organizationId, owner } = await createClub();
  const planted = {
    'X-Request-Id': key,
    'Idempotency-Key': name,
    'User-Agent': email,
    'CF-Ray': bib,
    Referer: `https://example.org/${name}`,
    Cookie: document,
    'If-None-Match': chip,
  };
  const refused: Record<string, string>[] = [
    withKey(key),
    { Authorization: `Basic ${name}` },
    { 'X-API-Key': document },
  ];
  const working = startLogging(testConfig);
  const faults = [{ kind: 'sqlstate', sqlstate: '42601' } as const, { kind: 'garbage' } as const];
  const broken = await Promise.all(
    faults.map(async (fault) => startLogging(await injectFault(testConfig, 'postgres', fault))),
  );
  const lines = watchConsole();
  const statuses = new Set<number>();
  const routes = [...routesOf(startApp().app), { method: 'GET', path: `/${name}/${bib}` }];
  const everything = routes.map(async (route) => {
    const method = route.method === 'ALL' ? 'GET' : route.method;
    // A separate key for each route: 120 requests a minute are served.
    const { eventId, key: live } = await createRace();
    const runner = { bib_number: bib, chip, document, email, given_names: name, surnames: name };
    await createRegistrations(eventId, [runner]);
    const known = [withKey(live), owner.headers];
    const paths = pathsOf(route.path, { event_id: eventId, organization_id: organizationId });
    const sendAll = async (app: typeof working, callers: Record<string, string>[]) => {
      for (const [at, path] of paths.entries()) {
        const sent: Body[] = method === 'GET' || at > 0 ? [{}] : [{}, ...bodies()];
        for (const caller of callers) {
          for (const { body, type } of sent) {
            const headers = { ...planted, ...caller, ...(type && { 'Content-Type': type }) };
            statuses.add(await send(app, path, { method, headers, ...(body && { body }) }));
          }
        }
      }
    };
    await sendAll(working, [...known, ...refused]);
    for (const app of broken) await sendAll(app, known);
  });
  await Promise.all(everything);
  const found = lines.filter((line) => SECRETS.some((secret) => line.includes(secret)));
  expect(found.slice(0, 3)).toEqual([]);
  expect(lines.length).toBeGreaterThan(300);
  // All of these outcomes were met.
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 404, 500, 503]));
}, 60_000);

test('says who asked for what, how it ended, and what it waited for', async () => {
  const { eventId, organizationId, key, path } = await createRace({ bibs: ['1'] });
  const { request, logged } = startApp();
  const headers = {
    ...withKey(key),
    'CF-Ray': '8f1c0d9e7a6b5c4d',
    'Content-Type': 'application/json',
  };
  const results = [{ bib_number: '1', time: '01:00:00' }];
  const upload = await request(`${path}/results`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ results }),
  });
  const { batch_id } = await upload.json<{ batch_id: string }>();
  await request(`${path}/results?page=0`, { headers });
  expect(logged).toEqual([
    expect.objectContaining({
      ray: '8f1c0d9e7a6b5c4d',
      method: 'POST',
      status: 200,
      trips: 2,
      rows: 1,
      route: '/public/v1/events/:event_id/results',
      organization_id: organizationId,
      event_id: eventId,
      batch_id,
      postgres_ms: expect.any(Number),
      redis_ms: expect.any(Number),
    }),
    expect.objectContaining({ status: 400, code: 'VALIDATION_ERROR', event_id: eventId }),
  ]);
});

test('has one line for a client that leaves before the answer', async () => {
  const { key, path } = await createRace();
  const slow = await injectFault(testConfig, 'postgres', { kind: 'delay', ms: 300 });
  const { app, logged } = startApp(slow);
  const client = new AbortController();
  const context = createExecutionContext();
  const request = new Request(`http://api.test${path}`, {
    headers: withKey(key),
    signal: client.signal,
  });
  const answered = app.fetch(request, env, context);
  client.abort();
  await answered;
  await waitOnExecutionContext(context);
  expect(logged).toEqual([expect.objectContaining({ client_gone: true })]);
  expect(logged[0]).not.toHaveProperty('status');
});

test('has no error where a refusal has no cause', async () => {
  const { key, path } = await createRace();
  const services = buildServices(testConfig, consoleLog);
  const none = createTurns({ total: 0 });
  const heavy = { ...none, wait: (sender: string) => none.wait(sender, { patienceMs: 0 }) };
  const lines = watchConsole();
  const app = createApp({ ...services, gate: { ...services.gate, heavy } });
  expect(await send(app, `${path}/results/export`, { headers: withKey(key) })).toBe(503);
  const refusals = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');
  expect(refusals).toEqual([
    {
      level: 'error',
      message: busy().message,
      request_id: expect.any(String),
    },
  ]);
});
