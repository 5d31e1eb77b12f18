import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { drizzle } from 'drizzle-orm/node-postgres';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { queryOf, readAlerts } from '../dev/operations/alerts.ts';
import { bootstrap } from '../dev/operations/bootstrap.ts';
import { confirm } from '../dev/operations/confirm.ts';
import { holdingsOf as holdingsOfPerson } from '../dev/operations/personal-data.ts';
import { smoke } from '../dev/operations/smoke.ts';
import { insertEvent, insertRace, insertRegistrations, setUpEvent } from '../dev/stack/seed.ts';
import { generateApiKey } from '../worker/auth/api-key/api-key.ts';
import { parseConfig } from '../worker/config.ts';
import type { Log } from '../worker/log.ts';
import { buildServices } from '../worker/services.ts';
import { RUNBOOKS, shellOf } from './runbooks.ts';
import { startApi } from './runtime/api.ts';
import { type OwnDevServer, startDevServer } from './runtime/dev-server.ts';
import { startWorkerd } from './runtime/workerd.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const PAGES = RUNBOOKS.map(({ page }) => page);
/** The expected output of each page's commands. The page about logs has a separate test. */
const PRINTED: Record<string, RegExp> = {
  '.github/operations/first-deployment.md':
    /Key {2,}er_live_[\s\S]*(no cache: a local stack\n){2} +320 401\n$/,
  '.github/operations/after-a-restore.md':
    /race_results_api[\s\S]*max[\s\S]*before[\s\S]*reason[\s\S]*created[\s\S]*hidden_at/,
  // A session prints nothing.
  '.github/operations/README.md': /^0\n$/,
  '.github/operations/signing-keys.md': /"crv":"Ed25519"[\s\S]*digest/,
  '.github/operations/capacity.md': /^\d+\n[\s\S]*usename/,
  '.github/operations/bad-deployment.md': /this is a local stack[\s\S]*applied {2}0000_baseline/,
  // The person has a registration at another organization too, so the person's row stays.
  '.github/operations/forget-a-runner.md': /^purged .{36}\npurged .{36}\n$/,
  '.github/operations/give-a-runner-their-data.md':
    /persons 1, registrations 2, board_hidden_names 0, passings 0, replaced_passings 0, replaced_results 0, results 1, withdrawn_passings 0, withdrawn_results 0, result_batches 1, passing_uploads 0, event_changes 0, official_results 0/,
  '.github/operations/hide-a-runner.md': /INSERT 0 1\nDELETE 1/,
  '.github/operations/leaked-key.md': /First key[\s\S]*\n401\n[\s\S]*INSERT 0 1[\s\S]*csv/,
  '.github/operations/race-day.md': /the board is served by the cache[\s\S]*VACUUM[\s\S]*csv/,
  '.github/operations/restore.md': /applied {2}0000_baseline[\s\S]*"status":"ok"[\s\S]*results.csv/,
  '.github/operations/rotate-secrets.md': /CREATE ROLE\nt\n.*"status":"ok".*\n?ALTER ROLE/,
  '.github/operations/vendor-away.md': /"status":"ok"\}\n.*"status":"ok"\} 200\n[\s\S]*\n[tf]\n$/,
  '.github/operations/wrong-upload.md':
    /"file_name":"results.csv"[\s\S]*"before":null[\s\S]*"dry_run":true[\s\S]*"dry_run":false/,
};

let served: OwnDevServer;
beforeAll(async () => {
  served = await startDevServer();
}, 120_000);
afterAll(async () => {
  await served?.stop();
}, 60_000);

/** The `sh` blocks of a page, also inside lists. */
function commandsOf(page: string): string[] {
  const runbook = RUNBOOKS.find((one) => one.page === page);
  return runbook ? shellOf(runbook) : [];
}

/** Runs commands as an operator pastes them. Fails if a command fails. */
async function paste(commands: string, environment: Record<string, string>): Promise<string> {
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
  });
  return stdout;
}

async function upload(eventId: string, key: string, csv: string): Promise<{ batch_id: string }> {
  const body = new FormData();
  body.set('file', new File([csv], 'results.csv'));
  const response = await fetch(`${served.origin}/public/v1/events/${eventId}/results/file`, {
    method: 'POST',
    body,
    headers: { 'X-API-Key': key },
  });
  expect(response.status).toBe(200);
  return response.json() as Promise<{ batch_id: string }>;
}

const countOf = async (query: string, values: unknown[] = []): Promise<number> =>
  (
    await served.pool.query<{ count: number }>(
      `select count(*)::int as count from ${query}`,
      values,
    )
  ).rows[0]?.count ?? 0;

/**
 * An organization with an event from `npm run bootstrap`, with two more runners and a result. The first runner also has
 * a registration in a second event and at a second organization, which has a result of an equal bib.
 */
async function place() {
  const db = drizzle(served.pool);
  const asked = { organization: `Club ${crypto.randomUUID()}`, owner: 'operator' };
  const [made] = await bootstrap(served.databaseUrl, [{ ...asked, hasTestEvent: true }]);
  if (!made) throw new Error('Nothing was made.');
  const eventId = made.eventId ?? '';
  const person_id = crypto.randomUUID();
  const ada = { person_id, given_names: 'Ada', surnames: 'Ejemplo', document: '90000002' };
  const [runner = ''] = await insertRegistrations(db, eventId, [
    { bib_number: '2', ...ada },
    { bib_number: '3', given_names: 'Bruno', surnames: 'Muestra' },
  ]);
  await insertRegistrations(db, await insertEvent(db, made.organizationId), [ada]);
  await upload(eventId, made.apiKey, 'Bib;Time\n2;00:40:00\n3;00:41:00\n');
  await setUpEvent(db, eventId, { board_names: 'initials' });

  const race = await insertRace(db, [{ bib_number: '2', ...ada }]);
  await upload(race.eventId, race.key, 'Bib;Time\n2;00:50:00\n');
  await setUpEvent(db, race.eventId, { board_names: 'initials' });
  return { ...made, ...asked, eventId, runner, neighbour: race.organizationId };
}

async function signingKid(): Promise<string> {
  const response = await fetch(`${served.origin}/.well-known/jwks.json`);
  const { keys } = (await response.json()) as { keys: { kid: string }[] };
  return keys[0]?.kid ?? '';
}

/**
 * All rows of an organization in the database, except the numbers of official versions: a restore raises all numbers.
 */
async function holdingsOf(organizationId: string) {
  const { rows } = await served.pool.query(
    `select to_jsonb(events) as event,
      (select to_jsonb(event_settings) - 'official_above' from event_settings where event_id = events.id) as settings,
      (select jsonb_agg(to_jsonb(api_keys) - 'last_used_at') from api_keys
        where organization_id = $1) as keys,
      (select jsonb_agg(to_jsonb(result_batches)) from result_batches
        where event_id = events.id) as batches,
      (select jsonb_agg(array[to_jsonb(r), to_jsonb(person), to_jsonb(result)])
        from registrations r join persons person on person.id = r.person_id
        left join results result on result.registration_id = r.id
        where r.event_id = events.id) as runners
    from events where organization_id = $1`,
    [organizationId],
  );
  return rows;
}

test('smokes an API that works', async () => {
  const { apiKey, eventId } = await place();
  // The runner has no result, then a result, then the uploaded result.
  for (const csv of ['', 'Bib;Time;Km 5\n1;00:59:00;00:20:00\n', 'Bib;Time\n1;01:00:01\n']) {
    if (csv) await upload(eventId, apiKey, csv);
    const lines: string[] = [];
    await smoke({ api: served.origin, key: apiKey }, (line) => lines.push(line));
    expect(lines.length).toBeGreaterThan(12);
    expect(lines.length).toBeLessThanOrEqual(20);
  }
});

test('names the check at which an API fails its smoke', async () => {
  const { apiKey, organizationId, eventId } = await place();
  const failing = (key: string, more = {}) => smoke({ api: served.origin, key, ...more }, () => {});
  await expect(failing(apiKey, { version: 'x', worker: 'race-results-api' })).rejects.toThrow(
    'the Worker runs: version null answered, not x',
  );
  await setUpEvent(drizzle(served.pool), eventId, { board_enabled: false });
  await expect(failing(apiKey)).rejects.toThrow(
    'the board is served by the cache: answered 404, not 200',
  );
  await served.pool.query(
    `update api_keys set scopes = array['events:read'] where organization_id = $1`,
    [organizationId],
  );
  await expect(failing(apiKey)).rejects.toThrow(
    'the event has its test runner: listEventParticipants: 403 INSUFFICIENT_SCOPE',
  );
  await served.pool.query(`update events set name = 'Harbour Half' where id = $1`, [eventId]);
  await expect(failing(apiKey)).rejects.toThrow(
    'none of its 2 events is called "Smoke test". Use the key that',
  );
  expect(await countOf('result_batches where event_id = $1', [eventId])).toBe(3);
});

test('makes an organization whose first key works and has a history, once, and refuses a remote host unasked', async () => {
  const { organizationId, organization, owner } = await place();
  expect(await countOf('api_key_events where organization_id = $1', [organizationId])).toBe(1);
  const remote = { DATABASE_URL: 'postgres://user:s3cret@db.example/races' };
  const unasked = paste('npm run --silent bootstrap -- --organization C --owner o', remote);
  await expect(unasked).rejects.toThrow('Nothing was written to db.example/races');

  const again = (more: string) =>
    paste(
      `npm run --silent bootstrap -- --organization '${organization}' --owner ${owner} ${more}`,
      {
        DATABASE_URL: served.databaseUrl,
      },
    );
  const named = () => countOf('organizations where name = $1', [organization]);
  await expect(again('')).rejects.toThrow(`There is an organization "${organization}"`);
  expect(await named()).toBe(1);
  await again('--another');
  expect(await named()).toBe(2);
  await expect(again(`--organization ' '`)).rejects.toThrow('NAME and SUB may not be blank');
});

test('makes the organizations of a file, all or none, and keeps their keys to whoever made them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bootstrap-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [from, keys] = [join(folder, 'organizations.csv'), join(folder, 'keys.csv')];
  const names = [1, 2, 3].map((n) => `Club ${n} ${crypto.randomUUID()}, North`);
  const named = () => countOf('organizations where name = any ($1)', [names]);
  const make = (rows: string[]) => {
    writeFileSync(from, `\uFEFFOrganization,owner,comment\r\n${rows.join('\r\n')}\r\n`);
    return paste(`npm run --silent bootstrap -- --from ${from} --keys ${keys}`, {
      DATABASE_URL: served.databaseUrl,
    });
  };
  const rows = names.map((name, at) => `"${name}",owner-${at},`);
  await expect(make([...rows, '"",owner-4,', rows[0] ?? ''])).rejects.toThrow(
    'row 4 has no organization or no owner; row 5 names',
  );
  await bootstrap(served.databaseUrl, [{ organization: names[2] ?? '', owner: 'other' }]);
  await expect(make(rows)).rejects.toThrow(`There is an organization "${names[2]}"`);
  expect([await named(), existsSync(keys)]).toEqual([1, false]);

  expect(await make(rows.slice(0, 2))).toContain('Made 2 organizations.');
  expect(await named()).toBe(3);
  const [, first = ''] = readFileSync(keys, 'utf8').split('\r\n');
  expect([first, statSync(keys).mode & 0o777]).toEqual([
    expect.stringContaining(names[0] ?? ''),
    0o600,
  ]);
  const key = first.split(',').at(-1) ?? '';
  const asked = await fetch(`${served.origin}/public/v1/events`, { headers: { 'X-API-Key': key } });
  expect(asked.status).toBe(200);
  await expect(make([`Other ${crypto.randomUUID()},owner,`])).rejects.toThrow('EEXIST');
});

test('writes down what one organization holds of a person, for one reader, and no row of another', async () => {
  const { organizationId, apiKey, eventId, runner, neighbour } = await place();
  await upload(eventId, apiKey, 'Bib;Time\n2;00:39:00\n');
  const { rows } = await served.pool.query<{ person_id: string }>(
    'select person_id from registrations where id = $1',
    [runner],
  );
  const personId = rows[0]?.person_id ?? '';
  const held = await holdingsOfPerson(served.databaseUrl, personId, organizationId);
  expect(held['persons']).toHaveLength(1);
  expect(held['registrations']).toHaveLength(2);
  expect(held['replaced_results']).toHaveLength(1);
  expect(held['results']).toEqual([expect.objectContaining({ chip_time_ms: 39 * 60_000 })]);
  const heldByNeighbour = await holdingsOfPerson(served.databaseUrl, personId, neighbour);
  expect(heldByNeighbour['registrations']).toHaveLength(1);
  expect(JSON.stringify(held)).not.toContain(
    (heldByNeighbour['registrations']?.[0] as { id: string } | undefined)?.id,
  );
  const stranger = await holdingsOfPerson(served.databaseUrl, personId, crypto.randomUUID());
  expect(Object.values(stranger).flat()).toEqual([]);
});

test('prunes old uploads when the platform calls at night', async () => {
  const { apiKey, eventId } = await place();
  const age = `update result_batches set received_at = '2001-01-01' where event_id = $1`;
  await served.pool.query(age, [eventId]);
  await upload(eventId, apiKey, 'Bib;Time\n3;00:38:00\n');
  const batches = () => countOf('result_batches where event_id = $1', [eventId]);
  expect(await batches()).toBe(2);
  const called = await fetch(`${served.origin}/cdn-cgi/handler/scheduled`);
  expect([called.status, await called.text()]).toEqual([200, expect.stringMatching(/ok/i)]);
  expect(await batches()).toBe(1);
});

test('signs no session for another machine with the secret of this one', async () => {
  const session = (environment: Record<string, string>) =>
    paste('npm run --silent session -- --user operator', environment);
  for (const name of ['API', 'API_URL', 'DATABASE_URL']) {
    await expect(session({ [name]: 'https://api.example/races' })).rejects.toThrow(
      'Set PANEL_JWT_SECRET to the secret of api.example',
    );
  }
  const named = { API: 'https://api.example', PANEL_JWT_SECRET: served.panelSecret };
  expect(await session(named)).toMatch(/^ey/);
});

test('refuses to write to a remote host unasked', async () => {
  const databaseUrl = 'postgres://user:s3cret@db.example/races';
  await expect(confirm('Make organization "Club"', databaseUrl, false)).rejects.toThrow(
    'Nothing was written to db.example/races',
  );
});

/** Lines of the log of a race: arrivals, polls, a mistyped bib, a dead key and an event of somebody else. */
async function linesOfRace(): Promise<{ eventId: string; lines: string[] }> {
  const api = await startApi(inject('workerEnv'));
  try {
    const { eventId, apiKey } = await api.createRace(40);
    const event = `${api.origin}/public/v1/events/${eventId}`;
    const ask = (path: string, init: RequestInit = {}, key = apiKey) =>
      fetch(`${event}${path}`, {
        ...init,
        headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      });
    for (let bib = 1; bib <= 40; bib += 4) {
      const results = [0, 1, 2, 90].map((n) => ({ bib_number: `${bib + n}`, time: '01:00:00' }));
      await ask('/results', { method: 'POST', body: JSON.stringify({ results }) });
      await ask('/results?page_size=5');
      await ask('/stats');
    }
    await ask('/results', {}, generateApiKey());
    await ask('/results?page=0');
    await fetch(`${api.origin}/public/v1/events/${crypto.randomUUID()}`, {
      headers: { 'X-API-Key': apiKey },
    });
    await expect.poll(() => api.printed.length).toBeGreaterThan(32);
    return { eventId, lines: api.printed.filter((line) => line.startsWith('{')) };
  } finally {
    await api.stop();
  }
}

test('answers each question of the page about logs from the lines of a race', async () => {
  const { eventId, lines } = await linesOfRace();
  const folder = mkdtempSync(join(tmpdir(), 'logs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'lines.jsonl'), lines.join('\n'));
  const commands = commandsOf('.github/operations/logs.md');
  const isQuestion = (command: string) => command.includes('lines.jsonl');
  const others = commands.filter((command) => !isQuestion(command));
  expect(await paste(others.join('\n'), {})).toContain("select 'answers_fail' as alert");
  const answers = await Promise.all(
    commands.filter(isQuestion).map(async (command) => {
      const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', command], {
        cwd: folder,
        env: { ...process.env, EVENT: eventId },
      });
      return stdout
        .trim()
        .split('\n')
        .flatMap((line) => (line ? [JSON.parse(line)] : []));
    }),
  );
  const [routes, failures, uploads, refused] = answers;
  const UPLOAD = '/public/v1/events/:event_id/results';
  expect(routes).toContainEqual(
    expect.objectContaining({ route: UPLOAD, postgres: expect.any(Number) }),
  );
  expect(failures).toContainEqual(
    expect.objectContaining({ status: 401, code: 'UNAUTHORIZED', n: 1 }),
  );
  expect(uploads).toHaveLength(10);
  expect(uploads?.[0]).toMatchObject({ status: 200, batch_id: expect.any(String), not_found: 1 });
  expect(refused).toEqual([{ route: UPLOAD, refusal: 'invalid_input', n: 1 }]);
});

type SentLine = { minutesAgo: number; fields: object };
const line = (fields: object, minutesAgo = 1): SentLine => ({ minutesAgo, fields });
const many = (count: number, fields: object) => Array.from({ length: count }, () => line(fields));

/** The answers of queries over a table of these lines. */
async function askLines(
  lines: readonly SentLine[],
  queries: readonly string[],
): Promise<Record<string, unknown>[][]> {
  const client = await served.pool.connect();
  try {
    await client.query('begin');
    await client.query('create temp table lines (at timestamptz, line jsonb) on commit drop');
    await client.query(
      `insert into lines select now() - (sent ->> 'minutesAgo')::int * interval '1 minute', sent -> 'fields'
      from jsonb_array_elements($1::jsonb) sent`,
      [JSON.stringify(lines)],
    );
    const answers: Record<string, unknown>[][] = [];
    for (const query of queries) answers.push((await client.query(query)).rows);
    return answers;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

test('answers each question of the page about figures from the lines of a month', async () => {
  const route = '/public/v1/events/:event_id/results';
  const [club, other] = ['a', 'b'].map((organization_id) => ({ organization_id, route }));
  const read = { method: 'GET', status: 200, ms: 20, postgres_ms: 3 };
  const upload = { method: 'POST', status: 200, ms: 90, postgres_ms: 30, batch_id: 'x' };
  const lines = [
    ...many(18, { ...club, ...read, rate: 10 }),
    line({ ...club, ...read, ms: 900, rate: 10 }),
    ...many(5, { ...club, ...upload, rows: 20 }),
    line({ ...other, method: 'GET', status: 429, ms: 1 }),
    ...many(4, { ...other, method: 'GET', status: 503, ms: 800 }),
    line({ level: 'error', message: 'No answer from Postgres.' }),
    ...many(50, { ...other, ...upload, rows: 1 }).map((old) => ({
      ...old,
      minutesAgo: 60 * 24 * 31,
    })),
  ];
  const page = RUNBOOKS.find((one) => one.page.endsWith('/figures.md'));
  const queries = (page?.blocks ?? []).filter(({ language }) => language === 'sql');
  const [objective, organizations, minutes, volume] = await askLines(
    lines,
    queries.map(({ code }) => code),
  );
  // 195 reads and 5 uploads: 4 failed, and 14 of the reads were slow.
  expect(objective).toEqual([
    { requests: '200', answered_percent: '98.00', fast_percent: '92.82' },
  ]);
  expect(organizations).toEqual([
    { organization_id: 'a', reads: '190', uploads: '5', rows: '100', refused: '0', failed: '0' },
    { organization_id: 'b', reads: '5', uploads: '0', rows: null, refused: '1', failed: '4' },
  ]);
  expect(minutes).toEqual([
    { minute: expect.any(Date), requests: '200', postgres_ms_a_second: '12.0' },
  ]);
  expect(volume).toEqual([
    { day: expect.any(Date), lines: '30', size: expect.stringMatching(/^\d+ bytes$/) },
  ]);
  expect(queries).toHaveLength(4);
});

describe('the alerts', () => {
  const upload = { method: 'POST', route: '/public/v1/events/:event_id/results', status: 200 };
  const HEALTHY = [
    ...many(5, { method: 'GET', route: '/readyz', status: 200 }),
    ...many(295, { method: 'GET', route: '/public/v1/events', status: 200 }),
    ...many(20, { ...upload, batch_id: 'b' }),
    ...many(3, { ...upload, status: 429 }),
    line({ ...upload, status: 503 }),
    ...many(50, { ...upload, status: 503 }).map((old) => ({ ...old, minutesAgo: 60 })),
    line({ level: 'error', message: 'Each isolate enforces the rate limit alone: …' }),
  ];

  /** The names of the alerts that fire on these lines. */
  async function firing(lines: SentLine[]): Promise<string[]> {
    const alerts = await readAlerts();
    const answers = await askLines(lines, alerts.map(queryOf));
    return alerts.flatMap(({ name }, at) => (answers[at]?.[0]?.['fires'] ? [name] : []));
  }

  test('stay silent while a race goes well', async () => {
    expect(await firing(HEALTHY)).toEqual([]);
  });

  test('count a line of a sampled read as often as it says', async () => {
    const failures = many(4, { method: 'GET', status: 500 });
    expect(await firing([...HEALTHY, ...failures])).toEqual(['answers_fail']);
    const sampledReads = many(30, { method: 'GET', status: 200, rate: 10 });
    expect(await firing([...HEALTHY, ...failures, ...sampledReads])).toEqual([]);
  });

  test.each<[string, SentLine[]]>([
    ['answers_fail', many(5, { method: 'GET', status: 500 })],
    ['an_upload_fails', many(2, { ...upload, status: 503 })],
    ['redis_is_away', many(3, { message: 'Each isolate enforces the rate limit alone: …' })],
    ['a_crew_is_refused', many(20, { ...upload, status: 429 })],
  ])('fire: %s', async (name, more) => {
    expect(await firing([...HEALTHY, ...more])).toEqual([name]);
  });

  test('fire if no upload comes: a_race_is_silent', async () => {
    expect(await firing(HEALTHY.filter(({ fields }) => !('batch_id' in fields)))).toEqual([
      'a_race_is_silent',
    ]);
  });

  /** The Worker's lines in the output. */
  const linesOf = (printed: readonly string[]): SentLine[] =>
    printed.flatMap((text) => {
      const [json] = /\{"level".*\}/.exec(text) ?? [];
      return json ? [line(JSON.parse(json))] : [];
    });

  /** Starts the Worker with these variables, and asks these paths. */
  async function ask(bindings: Record<string, string>, paths: readonly string[]) {
    const printed: string[] = [];
    const worker = await startWorkerd(inject('worker').folder, {
      bindings: { ...inject('workerEnv'), ...bindings },
      onLine: (text) => printed.push(text),
    });
    onTestFinished(worker.stop);
    const answers: { status: number; text: string }[] = [];
    for (const path of paths) {
      const response = await fetch(`${worker.origin}${path}`);
      answers.push({ status: response.status, text: await response.text() });
    }
    return { answers, printed };
  }

  test('fire if the Worker cannot start, and a health check names the variable', async () => {
    const paths = ['/readyz', '/public/v1/events'];
    const { answers, printed } = await ask({ DATABASE_URL: 'synthetic4711' }, paths);
    expect(answers.map(({ status }) => status)).toEqual([500, 500]);
    expect(answers[0]?.text).toContain('DATABASE_URL: expected postgres://');
    expect(answers[1]?.text).not.toContain('DATABASE_URL');
    await expect.poll(() => linesOf(printed).length).toBe(2);
    expect(await firing([...HEALTHY, ...linesOf(printed)])).toEqual(['the_worker_cannot_start']);
    expect(`${printed} ${answers.map(({ text }) => text)}`).not.toContain('4711');
  });

  test('fire if the nightly prune fails', async () => {
    const before = served.printed.length;
    const name = (from: string, to: string) =>
      served.pool.query(`alter function ${from}(timestamptz) rename to ${to}`);
    await name('prune_history', 'prune_nothing');
    const called = await fetch(`${served.origin}/cdn-cgi/handler/scheduled`).finally(() =>
      name('prune_nothing', 'prune_history'),
    );
    expect(called.ok).toBe(false);
    const printed = () => linesOf(served.printed.slice(before));
    await expect.poll(() => printed().length, { timeout: 20_000 }).toBeGreaterThan(0);
    expect(await firing([...HEALTHY, ...printed()])).toEqual(['history_is_not_pruned']);
  });

  test('fire if the platform refuses a purge', async () => {
    const lines: SentLine[] = [];
    const config = parseConfig({ ...inject('workerEnv'), PANEL_JWT_SECRET: served.panelSecret });
    const log: Log = {
      info: () => {},
      error: (message) => void lines.push(line({ level: 'error', message })),
    };
    void buildServices(config, log, { purge: async () => false }).purgeBoard('synthetic');
    await expect.poll(() => lines.length).toBe(1);
    expect(await firing([...HEALTHY, ...lines])).toEqual(['a_board_is_not_purged']);
  });

  test('fire if no line comes of the probe, whose lines are written whatever share of reads is', async () => {
    const silent = HEALTHY.filter(({ fields }) => !JSON.stringify(fields).includes('readyz'));
    expect(await firing(silent)).toEqual(['the_log_is_silent']);
    const paths = ['/readyz', '/healthz', '/healthz', '/readyz'];
    const { printed } = await ask({ LOG_READS_ONE_IN: '9999' }, paths);
    await expect.poll(() => linesOf(printed).length).toBe(2);
    expect(await firing([...silent, ...linesOf(printed)])).toEqual([]);
  });

  test('name fields of the log and pages that are there', async () => {
    const fields = readFileSync(join(ROOT, '.github/operations/log-fields.md'), 'utf8');
    const pages = PAGES.map((page) => basename(page));
    const wrong = (await readAlerts()).flatMap(({ page, filters, of = [] }) => [
      ...(pages.includes(page) ? [] : [page]),
      ...[...filters, ...of].map(({ key }) => key).filter((key) => !fields.includes(`\`${key}\``)),
    ]);
    expect(wrong).toEqual([]);
  });
});

describe('the pages', () => {
  test('are short enough to be read in an emergency', () => {
    const long = PAGES.filter(
      (page) => readFileSync(join(ROOT, page), 'utf8').split('\n').length > 61,
    );
    expect([PAGES.length > 7, long]).toEqual([true, []]);
  });

  test('have commands with an expected output, or none', () => {
    const without = RUNBOOKS.filter(({ page }) => commandsOf(page).length > 0 && !PRINTED[page]);
    expect(without.map(({ page }) => page)).toEqual(['.github/operations/logs.md']);
  });

  test.each(Object.entries(PRINTED))(
    'hold commands that do what they say, and nothing to another organization: %s',
    async (page, printed) => {
      const { organizationId, apiKey, eventId, runner, neighbour } = await place();
      const held = await holdingsOf(neighbour);
      const session = await paste('npm run --silent session -- --user operator', {
        PANEL_JWT_SECRET: served.panelSecret,
      });
      const commands = commandsOf(page).join('\n');
      const roles = ['before', 'after'].map((when) => `worker_${when}_${runner.slice(0, 8)}`);
      const [role = '', newRole = ''] = roles;
      await served.pool.query(`create role ${role} login in role race_results_api`);
      onTestFinished(async () => {
        for (const each of roles) await served.pool.query(`drop role if exists ${each}`);
      });
      const output = await paste(commands, {
        PID: '0',
        SUB: 'operator',
        PANEL_JWT_SECRET: served.panelSecret,
        COPY: join(mkdtempSync(join(tmpdir(), 'copy-')), 'copy.json'),
        LOST: join(mkdtempSync(join(tmpdir(), 'lost-')), 'lost.sql'),
        KEYS: join(mkdtempSync(join(tmpdir(), 'keys-')), 'keys.json'),
        ROLE: role,
        NEW_ROLE: newRole,
        NEW_PASSWORD: 'synthetic',
        API: served.origin,
        DATABASE_URL: served.databaseUrl,
        BROKEN_URL: served.databaseUrl,
        SINCE: '2026-01-01 00:00',
        HIGHEST: '20',
        KEY: apiKey,
        SMOKE_KEY: apiKey,
        LEAKED: apiKey,
        LEAKED_KID: await signingKid(),
        TEST_EVENT: eventId,
        TOKEN: session.trim(),
        ORGANIZATION: organizationId,
        EVENT: eventId,
        RUNNER: runner,
      });
      expect(output).toMatch(printed);
      expect(await holdingsOf(neighbour)).toEqual(held);
    },
  );
});
