import { NeonDbError, type NeonQueryFunction, neon, neonConfig } from '@neondatabase/serverless';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { createOwnDatabase, type OwnDatabase } from '../../testing/runtime/own-stack.ts';
import type { Fault } from './gateway.ts';
import { freePort, LOOPBACK } from './listen.ts';
import { type NeonGateway, startNeonGateway } from './neon-gateway.ts';
import { type Stack, startStack } from './stack.ts';

neonConfig.fetchEndpoint = (host, port) => `http://${host}:${port}/sql`;

let database: OwnDatabase | undefined;
let stack: Stack;
let sql: NeonQueryFunction<false, false>;

beforeAll(async () => {
  const servers = inject('servers');
  database = servers && (await createOwnDatabase(servers.databaseUrl));
  stack = await startStack({ databaseUrl: database?.url });
  sql = neon(ownerUrl(stack.neon));
}, 60_000);
afterAll(async () => {
  await stack?.stop();
  await database?.drop();
});
beforeEach(async () => {
  await sql`drop table if exists bibs`;
  await sql`create table bibs (bib int primary key)`;
});

const ownerUrl = ({ url }: NeonGateway): string =>
  Object.assign(new URL(url), { username: 'owner' }).href;

const bibs = () => sql`select bib from bibs order by bib`;

describe('one statement', () => {
  test('returns every kind of value that the driver parses', async () => {
    const [row] = await sql`select ${7}::int as number, 9007199254740993::bigint as big,
      ${['a', 'b,"c']}::text[] as list, ${{ split: 1 }}::jsonb as document, null as nothing,
      true as yes, '2026-03-01 06:30:00.123456+02'::timestamptz as instant`;
    // The driver leaves an instant as text in a process in which any file has loaded Drizzle.
    expect({ ...row, instant: new Date(row?.['instant']) }).toEqual({
      number: 7,
      big: '9007199254740993',
      list: ['a', 'b,"c'],
      document: { split: 1 },
      nothing: null,
      yes: true,
      instant: new Date('2026-03-01T04:30:00.123Z'),
    });
  });

  test('names itself after a mistake, and no conflict', async () => {
    const told = vi.spyOn(console, 'error').mockReturnValue();
    await post({ query: '-- countBibs\nselect\n  bibb from bibs' });
    await post({ query: '-- addBib\ninsert into bibs values (1), (1)' });
    expect(told.mock.calls).toEqual([
      [
        'The statement countBibs failed with 42703: column "bibb" does not exist\n' +
          '  line 3: bibb from bibs\n' +
          '  hint: Perhaps you meant to reference the column "bibs.bib".',
      ],
    ]);
    told.mockRestore();
  });

  test('answers raw text in GMT, as arrays', async () => {
    const query = "select 1 as n, timestamptz '2026-03-01 02:00+02' as t";
    expect(await (await post({ query })).json()).toMatchObject({
      command: 'SELECT',
      rowCount: 1,
      rowAsArray: true,
      fields: [
        { name: 'n', dataTypeID: 23, format: 'text' },
        { name: 't', dataTypeID: 1184 },
      ],
      rows: [['1', '2026-03-01 00:00:00+00']],
    });
  });

  // Raw output is Postgres' own text: proxy/src/serverless/json.rs of Neon, pg_text_row_to_json; the forms are the
  // forms of the PostgreSQL manual, chapters "Data Types".
  test.each([
    ['true', 't'],
    ['false', 'f'],
    ['null::int', null],
    ['-7::int', '-7'],
    ['9223372036854775807::bigint', '9223372036854775807'],
    ['count(*)', '1'],
    ['12.3400::numeric', '12.3400'],
    ["'NaN'::numeric", 'NaN'],
    ['0.1::float8 + 0.2::float8', '0.30000000000000004'],
    ["'-Infinity'::float8", '-Infinity'],
    ["timestamptz '2026-03-01 06:30:00.123456+02'", '2026-03-01 04:30:00.123456+00'],
    ["timestamptz '2026-03-01 06:30:00+00'", '2026-03-01 06:30:00+00'],
    ["timestamp '2026-03-01 06:30:00'", '2026-03-01 06:30:00'],
    ["date '2026-03-01'", '2026-03-01'],
    ["interval '1 day 02:03:04.5'", '1 day 02:03:04.5'],
    ['array[1, null, 3]', '{1,NULL,3}'],
    [`array['a', 'b,"c', '', 'NULL', null]`, '{a,"b,\\"c","","NULL",NULL}'],
    ['array[]::text[]', '{}'],
    [`'{"b": 1, "a": [true, null]}'::jsonb`, '{"a": [true, null], "b": 1}'],
    ["'\\x00ff'::bytea", '\\x00ff'],
    ["'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'::uuid", 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
  ])('writes %s as %j', async (expression, text) => {
    const response = await post({ query: `select ${expression} as value` });
    expect(await response.json()).toMatchObject({ rows: [[text]] });
  });

  // json_to_pg_text of this file of Neon.
  test('accepts every kind of JSON value as a parameter', async () => {
    const params = [
      true,
      7,
      1.5,
      'a"b',
      null,
      { split: [1] },
      ['a', 'b,"c\\', null, 'NULL'],
      [1, 2],
    ];
    const response = await post({
      query: `select $1::bool, $2::int, $3::numeric, $4::text, $5::text, $6::jsonb, $7::text[],
        $8::bigint[]`,
      params,
    });
    const texts = [
      't',
      '7',
      '1.5',
      'a"b',
      null,
      '{"split": [1]}',
      '{a,"b,\\"c\\\\",NULL,"NULL"}',
      '{1,2}',
    ];
    expect(await response.json()).toMatchObject({ rows: [texts] });
  });

  test('passes on every field of a Postgres error', async () => {
    await sql`insert into bibs values (1)`;
    const error = await sql`insert into bibs values (1)`.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NeonDbError);
    expect(error).toMatchObject({
      code: '23505',
      severity: 'ERROR',
      table: 'bibs',
      constraint: 'bibs_pkey',
      detail: 'Key (bib)=(1) already exists.',
    });
  });

  test('rejects a second statement behind a semicolon', async () => {
    await expect(sql.query('select 1; select 2')).rejects.toMatchObject({ code: '42601' });
  });

  test('rolls back a transaction that a statement left open', async () => {
    await sql.query('begin');
    await sql`insert into bibs values (5)`;
    // Undoes the insert if both run in the transaction left open.
    await sql.query('rollback');
    expect(await bibs()).toEqual([{ bib: 5 }]);
  });

  test('gives each of twenty concurrent statements its own answer', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => sql`select ${n}::int as n`),
    );
    expect(answers.flat()).toEqual(Array.from({ length: 20 }, (_, n) => ({ n })));
  });
});

describe('a batch', () => {
  test('commits a batch as a whole', async () => {
    const results = await sql.transaction([
      sql`insert into bibs values (1), (2)`,
      sql`select count(*)::int as n from bibs`,
    ]);
    expect(results[1]).toEqual([{ n: 2 }]);
    expect(await bibs()).toHaveLength(2);
  });

  test('rolls back a batch when its second statement fails', async () => {
    const batch = sql.transaction([
      sql`insert into bibs values (1)`,
      sql`insert into bibs values (1)`,
    ]);
    await expect(batch).rejects.toMatchObject({ code: '23505' });
    expect(await bibs()).toEqual([]);
  });

  // sql_over_http.rs of Neon: SqlOverHttpError::Postgres is 400, with the SQLSTATE in `code`.
  test.each([
    ['insert into bibs values (1)', '23505'],
    ['select 1 / 0', '22012'],
    ['insert into bibs values (null)', '23502'],
    ['nonsense', '42601'],
    ['select * from absent', '42P01'],
  ])(
    'rolls back a batch that fails in %j, and answers 400 with the SQLSTATE %s',
    async (query, code) => {
      const response = await post({
        queries: [{ query: 'insert into bibs values (1)' }, { query }],
      });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code, severity: 'ERROR' });
      expect(await bibs()).toEqual([]);
    },
  );

  test('rolls back a batch that fails in its commit, and answers 400 with the SQLSTATE', async () => {
    await sql`alter table bibs add constraint late unique (bib) deferrable initially deferred`;
    await sql`alter table bibs drop constraint bibs_pkey`;
    const query = 'insert into bibs values (1)';
    const response = await post({ queries: [{ query }, { query }] });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: '23505', constraint: 'late' });
    expect(await bibs()).toEqual([]);
  });
});

describe('limits', () => {
  const tooMuch = 64 * 1024 * 1024;

  test('answers 413 to a request over 64 MiB', async () => {
    const response = await post({ query: 'select $1', params: ['x'.repeat(tooMuch)] });
    expect(response.status).toBe(413);
  });

  test('answers 507 and rolls back when a response is over 64 MiB', async () => {
    const batch = sql.transaction([
      sql`insert into bibs values (1)`,
      sql`select repeat('x', ${tooMuch}::int)`,
    ]);
    await expect(batch).rejects.toThrow('HTTP status 507');
    await expect(batch).rejects.toThrow('response is too large (max is 67108864 bytes)');
    expect(await bibs()).toEqual([]);
  });

  test.each(['not JSON', '{"params":[]}', '{"queries":[{}]}'])(
    'answers 400 to %s',
    async (body) => {
      expect((await post(body)).status).toBe(400);
    },
  );
});

describe('faults', () => {
  const tagged = (tag: string) => neon(`${ownerUrl(stack.neon)}?application_name=${tag}`);
  const setFault = (tag: string, fault?: Fault) =>
    fetch(`${stack.neon.origin}/faults?for=${tag}`, {
      method: 'POST',
      body: JSON.stringify(fault),
    });

  test.each([
    { kind: 'refuse', kept: false },
    { kind: 'tear-before', kept: false },
    { kind: 'tear-after', kept: true },
    { kind: 'garbage', kept: false },
  ] as const)(
    'breaks the connection with the fault $kind (executed: $kept)',
    async ({ kind, kept }) => {
      await setFault(kind, { kind, times: 1 });
      const insert = tagged(kind)`insert into bibs values (1)`;
      await expect(insert).rejects.toThrow(kind === 'garbage' ? 'JSON' : 'Error connecting');
      expect(await bibs()).toHaveLength(kept ? 1 : 0);
      // The fault was for a single request.
      await tagged(kind)`insert into bibs values (2)`;
    },
  );

  test('answers the SQLSTATE of a fault without executing', async () => {
    await setFault('deadlock', { kind: 'sqlstate', sqlstate: '40P01', times: 1 });
    const insert = tagged('deadlock')`insert into bibs values (1)`;
    await expect(insert).rejects.toMatchObject({ code: '40P01' });
    expect(await bibs()).toEqual([]);
  });

  test('applies a fault to its tag alone until it is cleared', async () => {
    await setFault('slow', { kind: 'delay', ms: 150 });
    expect(await elapsedMs(tagged('slow')`select 1`)).toBeGreaterThanOrEqual(145);
    expect(await elapsedMs(tagged('slow')`select 1`)).toBeGreaterThanOrEqual(145);
    expect(await elapsedMs(tagged('other')`select 1`)).toBeLessThan(145);
    await setFault('slow');
    expect(await elapsedMs(tagged('slow')`select 1`)).toBeLessThan(145);
  });
});

test('answers 500 without a SQLSTATE when the database does not answer', async () => {
  const gateway = await startNeonGateway({ databaseUrl: 'postgres://a:b@127.0.0.1:1/c', port: 0 });
  await expect(neon(gateway.url)`select 1`).rejects.toThrow(/HTTP status 500.*ECONNREFUSED/);
  await gateway.stop();
});

test('stops what it started when a part of the stack does not start', async () => {
  const upstash = await freePort();
  const ports = { postgres: 0, neon: 0, upstash };
  const databaseUrl = `postgres://postgres@${LOOPBACK}:1/nowhere`;
  await expect(startStack({ ports, databaseUrl })).rejects.toThrow('Postgres does not answer');
  await expect(fetch(`http://${LOOPBACK}:${upstash}/`)).rejects.toThrow();
});

async function elapsedMs(work: PromiseLike<unknown>): Promise<number> {
  const start = performance.now();
  await work;
  return performance.now() - start;
}

function post(body: unknown): Promise<Response> {
  return fetch(`${stack.neon.origin}/sql`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'Neon-Connection-String': ownerUrl(stack.neon) },
  });
}
