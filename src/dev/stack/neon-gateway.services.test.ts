import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createOwnDatabase, type OwnDatabase } from '../../testing/runtime/own-stack.ts';
import { type NeonGateway, startNeonGateway } from './neon-gateway.ts';

let database: OwnDatabase;
let gateway: NeonGateway;

beforeAll(async () => {
  const servers = inject('servers');
  if (!servers) throw new Error('This needs a real server: npm run test:services.');
  database = await createOwnDatabase(servers.databaseUrl);
  gateway = await startNeonGateway({ databaseUrl: database.url, port: 0 });
});
afterAll(async () => {
  await gateway?.stop();
  await database?.drop();
});

async function post(
  body: unknown,
  { origin }: NeonGateway = gateway,
  signal: AbortSignal | null = null,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${origin}/sql`, {
    method: 'POST',
    headers,
    signal,
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

// A session of Neon begins with PostgreSQL's own defaults ("Client Connection Defaults" in its manual); a developer's
// server may have different defaults.
test("writes values as PostgreSQL's defaults do, with any settings of the server", async () => {
  const url = new URL(database.url);
  const settings = { datestyle: 'SQL,DMY', intervalstyle: 'iso_8601', bytea_output: 'escape' };
  const options = { ...settings, extra_float_digits: '-3', timezone: 'America/Bogota' };
  url.searchParams.set(
    'options',
    Object.entries(options)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  );
  const gatewayAway = await startNeonGateway({ databaseUrl: url.href, port: 0 });
  const query = `select timestamptz '2026-03-01 06:30:00.5+02', date '2026-03-01',
    interval '1 day 02:03:04', '\\x00ff'::bytea, 0.1::float8 + 0.2::float8`;
  const written = await post({ query }, gatewayAway);
  await gatewayAway.stop();
  expect(written.body).toMatchObject({
    rows: [
      [
        '2026-03-01 04:30:00.5+00',
        '2026-03-01',
        '1 day 02:03:04',
        '\\x00ff',
        '0.30000000000000004',
      ],
    ],
  });
});

// sql_over_http.rs of Neon: an error of Postgres is SqlOverHttpError::Postgres, 400.
test('rolls back a batch whose connection is ended, and answers 400 with the SQLSTATE 57P01', async () => {
  await post({ query: 'create table bibs (bib int)' });
  const ended = await post({
    queries: [
      { query: 'insert into bibs values (1)' },
      { query: 'select pg_terminate_backend(pg_backend_pid())' },
    ],
  });
  expect(ended).toMatchObject({ status: 400, body: { code: '57P01', severity: 'FATAL' } });
  expect(await post({ query: 'select count(*) as n from bibs' })).toMatchObject({
    status: 200,
    body: { rows: [['0']] },
  });
});

test.each([
  ['a statement', (write: { query: string }) => write],
  ['a batch', (write: { query: string }) => ({ queries: [{ query: 'select 1' }, write] })],
])('cancels %s when its client hangs up', async (_what, bodyOf) => {
  await post({ query: 'create table if not exists gates (gate int)' });
  await post({ query: 'insert into gates values (1)' });
  const session = new pg.Client({ connectionString: database.url });
  await session.connect();
  await session.query('begin; update gates set gate = 2');
  const waiting = async () => {
    const { rows } = await session.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length;
  };
  const client = new AbortController();
  const answer = post(bodyOf({ query: 'update gates set gate = 3' }), gateway, client.signal);
  await expect.poll(waiting).toBe(1);
  client.abort();
  await expect(answer).rejects.toThrow();
  await expect.poll(waiting).toBe(0);
  await session.query('commit');
  await session.end();
  expect(await post({ query: 'select max(gate) as gate from gates' })).toMatchObject({
    body: { rows: [['2']] },
  });
});

test('commits one of two deadlocked batches and answers 400 with the SQLSTATE 40P01 to the other', async () => {
  await post({ query: 'create table laps (bib int primary key, lap int)' });
  await post({ query: 'insert into laps values (1, 0), (2, 0)' });
  const lap = (bib: number) => ({ query: `update laps set lap = lap + 1 where bib = ${bib}` });
  const pause = { query: 'select pg_sleep(0.5)' };
  const answers = await Promise.all([
    post({ queries: [lap(1), pause, lap(2)] }),
    post({ queries: [lap(2), pause, lap(1)] }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  expect(answers.find(({ status }) => status === 400)?.body).toMatchObject({ code: '40P01' });
  expect(await post({ query: 'select lap from laps order by bib' })).toMatchObject({
    body: { rows: [['1'], ['1']] },
  });
});

test.each([
  ['ReadCommitted', [['0'], ['1']]],
  ['RepeatableRead', [['0'], ['0']]],
])('runs a batch at the isolation level %s', async (level, counts) => {
  await post({ query: 'create table if not exists marks (mark int)' });
  await post({ query: 'delete from marks' });
  const session = new pg.Client({ connectionString: database.url });
  await session.connect();
  await session.query('select pg_advisory_lock(1)');
  const count = { query: 'select count(*) from marks' };
  const pause = { query: 'select pg_advisory_xact_lock(1)' };
  const headers = { 'Neon-Batch-Isolation-Level': level };
  const answer = post({ queries: [count, pause, count] }, gateway, null, headers);
  const waiting = async () => {
    const { rows } = await session.query(
      "select from pg_locks where locktype = 'advisory' and not granted",
    );
    return rows.length;
  };
  await expect.poll(waiting).toBe(1);
  await session.query('insert into marks values (1)');
  await session.query('select pg_advisory_unlock(1)');
  const [before, after] = counts;
  expect(await answer).toMatchObject({
    body: { results: [{ rows: [before] }, {}, { rows: [after] }] },
  });
  await session.end();
});

test('answers 500 with the reason when Postgres refuses the connection', async () => {
  const url = new URL(database.url);
  url.pathname = 'absent';
  const other = await startNeonGateway({ databaseUrl: url.href, port: 0 });
  const answer = await post({ query: 'select 1' }, other);
  await other.stop();
  expect(answer).toMatchObject({ status: 500, body: { code: '3D000' } });
});
