import { expect, test } from 'vitest';
import { createRace } from '../../testing/factories.ts';
import { startApp, testConfig, withKey } from '../../testing/harness.ts';
import { createClub, createMember, panelOf } from '../../testing/members.ts';
import { postCsv, postJson } from '../../testing/uploads.ts';
import { createReadiness } from '../health/readiness.ts';
import { type LogLine, sampled } from '../log.ts';
import { JSON_BODY_MAX } from '../results/upload/schemas.ts';

const { request, logged } = startApp();

const lastLine = () => logged.findLast(({ level }) => level === 'info') ?? {};

test('logs why a request is refused and how many of its inputs are wrong, and no value', async () => {
  const race = await createRace({ bibs: ['1'] });
  const ask = (path: string) => request(race.path + path, { headers: withKey(race.key) });
  await ask('/results?page=secret&page_size=secret');
  expect(lastLine()).toMatchObject({
    ...{ status: 400, refusal: 'invalid_input', count: 2 },
    inputs: ['page', 'page_size'],
  });
  await postJson(race, '{"results":"secret"}', { send: request });
  expect(lastLine()).toMatchObject({ status: 400, refusal: 'not_an_upload', count: 1 });
  await postCsv(race, 'secret,time\n1,00:40:00\n', { send: request });
  expect(lastLine()).toMatchObject({ status: 400, refusal: 'no_bib_column' });
  await postJson(race, '{}', { send: request, to: '/results?secret=1' });
  expect(lastLine()).toMatchObject({ status: 400, refusal: 'unknown_input' });
  expect(lastLine()).toMatchObject({ inputs: undefined });
  const club = await createClub();
  const key = JSON.stringify({ name: 'Van', scopes: ['secret'], secret: 1 });
  const headers = { ...club.owner.headers, 'Content-Type': 'application/json' };
  await request(club.path, { method: 'POST', headers, body: key });
  expect(lastLine()).toMatchObject({ status: 400, refusal: 'invalid_input', inputs: ['scopes'] });
  await postJson(race, `{"secret":"${'x'.repeat(JSON_BODY_MAX)}"}`, { send: request });
  expect(lastLine()).toMatchObject({ status: 413, refusal: 'body_too_large', count: 1 });
  expect(JSON.stringify(logged)).not.toContain('secret');
});

test('answers the word and the values of a refusal to a request that prefers values, and to no other request', async () => {
  const race = await createRace({ bibs: ['1'] });
  const key = withKey(race.key);
  const refused = async (headers: Record<string, string>) => {
    const path = `${race.path}/results/file?header_line=9`;
    const csv = { ...headers, 'Content-Type': 'text/csv' };
    return (
      await request(path, { method: 'POST', headers: csv, body: 'bib,time\n1,00:40:00\n' })
    ).json();
  };
  const detail = expect.any(String);
  const envelope = { code: 'VALIDATION_ERROR', detail };
  expect(await refused(key)).toEqual(envelope);
  expect(await refused({ ...key, Prefer: 'values' })).toEqual({
    ...envelope,
    ...{ refusal: 'unreadable_file', values: { case: 'header_line_beyond', line: 9 } },
  });
});

test('writes one in ten lines of reads with its rate, and every line of a write, of 429 and of 5xx', () => {
  const written: LogLine[] = [];
  const draws = [0.05, 0.1, 0.99, 0.0999];
  const log = sampled(
    { info: (line) => void written.push(line), error: () => {} },
    10,
    () => draws.shift() ?? 0.5,
  );
  const reads = [200, 304, 404, 200].map((status) => ({ method: 'GET', status }));
  const others = [
    ...[200, 400, 500].map((status) => ({ method: 'POST', status })),
    { method: 'GET', status: 429 },
    { method: 'GET', status: 503 },
    { method: 'GET', client_gone: true as const },
  ];
  for (const line of [...reads, ...others]) log.info({ level: 'info', ...line });
  const lines = written.map(({ level, ...line }) => line);
  expect(lines).toEqual([
    { method: 'GET', status: 200, rate: 10 },
    { method: 'GET', status: 200, rate: 10 },
    ...others,
  ]);
});

test('samples reads if the variable says so, and none without it', async () => {
  const lines = async (config: object) => {
    const app = startApp({ ...testConfig, ...config });
    for (let count = 0; count < 20; count += 1) await app.request('/public/v1/events');
    return app.logged.length;
  };
  expect(await lines({})).toBe(20);
  expect(await lines({ LOG_READS_ONE_IN: 9_999 })).toBeLessThan(3);
});

test('logs every read of personal data with its key, operation and rows, whatever share of reads is logged', async () => {
  const { organizationId, key, path, eventId } = await createRace({ bibs: ['1', '2', '3'] });
  const { headers, path: panel } = await panelOf({ organizationId, eventId });
  const { request: ask, logged } = startApp({ ...testConfig, LOG_READS_ONE_IN: 9_999 });
  const known = { key_prefix: key.slice(0, 12), organization_id: organizationId, personal: true };
  for (const [address, operation, rows] of [
    ['/participants', 'listEventParticipants', 3],
    ['/participants/lookup?bib=1', 'lookupEventParticipants', 1],
    ['/participants/export', 'exportEventParticipants', 3],
    ['/participants/export?changed_since=', 'exportEventParticipants', 3],
    ['/start-list', 'exportEventStartList', 3],
  ] as const) {
    const before = logged.length;
    await (await ask(`${path}${address}`, { headers: withKey(key) })).text();
    const lines = logged.slice(before);
    expect(lines[0]).toMatchObject({ ...known, operation, status: 200 });
    expect(lines.at(-1)).toMatchObject({ ...known, operation, rows });
  }
  for (const [address, operation] of [
    ['/results/export', 'exportOrganizationEventResults'],
    ['/runners', 'listOrganizationEventRunners'],
    ['/on-course', 'getOrganizationEventOnCourse'],
  ] as const) {
    await ask(`${panel}${address}`, { headers });
    expect(logged).toContainEqual(expect.objectContaining({ operation, personal: true }));
  }
  const before = logged.length;
  for (let count = 0; count < 5; count++) await ask(`${path}/stats`, { headers: withKey(key) });
  expect(logged.length - before).toBeLessThan(2);
});

test('logs how many rows of an upload were not stored', async () => {
  const race = await createRace({ bibs: ['1', '2'] });
  const rows = ['1', '1', '2', '8', '9', '10'].map((bib_number) => ({
    bib_number,
    chip_time: bib_number === '2' ? 'soon' : '00:40:00',
  }));
  await postJson(race, JSON.stringify({ results: rows }), { send: request });
  const counts = { rows: 6, not_found: 3, errors: 1, duplicates: 1 };
  expect(lastLine()).toMatchObject({ status: 200, ...counts });
});

test('logs which user of the panel did what', async () => {
  const race = await createRace({ bibs: ['1'] });
  const { organizationId } = race;
  const { userId, path: event, ask } = await panelOf(race, { send: request });
  await ask('/board', { method: 'PATCH', body: '{"board_names": "initials"}' });
  const switched = { status: 200, user_id: userId, board_names: 'initials' };
  expect(lastLine()).toMatchObject(switched);
  expect(lastLine()).not.toHaveProperty('board_enabled');
  await ask('/results/export');
  expect(lastLine()).toMatchObject({
    user_id: userId,
    route: expect.stringContaining('/results/export'),
  });
  const named = await createMember(organizationId, 'admin', 'somebody@example.org');
  await request(`${event}/results/export`, { headers: named.headers });
  expect(lastLine()).not.toHaveProperty('user_id');
});

test('logs why a service does not answer /readyz', async () => {
  const gone = () => Promise.reject(new Error('connection refused'));
  const away = startApp(testConfig, {
    readiness: createReadiness(gone, () => Promise.resolve()),
  });
  expect((await away.request('/readyz')).status).toBe(503);
  expect(away.logged).toContainEqual(
    expect.objectContaining({
      level: 'error',
      message: 'No answer from Postgres.',
      error: expect.stringContaining('connection refused'),
    }),
  );
});
