import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CURSOR, isSince } from '../../worker/db/since.ts';

/** Postgres keeps the lower 32 bits of a transaction in each row. */
const [BITS, BEFORE] = [2 ** 32, 512];
const SEGMENT = 'pg_xact/0FFF';
const SEGMENT_LENGTH = 262_144;
const PORT = 5_999;

const folder = mkdtempSync(join(tmpdir(), 'wraparound-'));
const data = join(folder, 'data');
const [bin = ''] = globSync('/usr/lib/postgresql/*/bin').toSorted().reverse();

/** Runs a program of Postgres, which refuses to be root. */
function run(program: string, ...args: string[]): void {
  const command = [join(bin, program), ...args];
  const isRoot = process.getuid?.() === 0;
  const [file = '', ...rest] = isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command;
  execFileSync(file, rest, { stdio: 'ignore', cwd: folder });
}

const start = () =>
  run(
    'pg_ctl',
    ...['-D', data, '-w', '-l', join(folder, 'log'), 'start'],
    ...['-o', `-p ${PORT} -k ${folder} -c listen_addresses=''`],
  );
const stop = () => run('pg_ctl', '-D', data, '-m', 'fast', 'stop');

async function inSession(database: string, work: (client: pg.Client) => Promise<void>) {
  const client = new pg.Client({ host: folder, port: PORT, user: 'postgres', database });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  chmodSync(folder, 0o777);
  run('initdb', '-D', data, '-A', 'trust', '-U', 'postgres');
  start();
  await inSession('postgres', async (client) => {
    await client.query('update pg_database set datallowconn = true');
  });
  // A row that is not frozen would be of the future.
  for (const database of ['template0', 'template1', 'postgres'])
    await inSession(database, async (client) => void (await client.query('vacuum (freeze)')));
  stop();
  run('pg_resetwal', '-e', '0', '-x', String(BITS - BEFORE), data);
  writeFileSync(join(data, SEGMENT), new Uint8Array(SEGMENT_LENGTH));
  chmodSync(join(data, SEGMENT), 0o666);
  start();
}, 120_000);
afterAll(() => {
  stop();
  rmSync(folder, { recursive: true });
});

test('a copy gets each later row and no earlier row when the numbers of transactions begin anew', async () => {
  await inSession('postgres', async (client) => {
    const cursorNow = async () => {
      const { rows } = await client.query<{ cursor: string }>(
        new PgDialect().sqlToQuery(sql`select ${CURSOR}::text as cursor`).sql,
      );
      return rows[0]?.cursor ?? '';
    };
    const since = async (cursor: string) => {
      const of = isSince('passings', sql.raw(`${cursor}::bigint`));
      const query = sql`select array_agg(n order by n) as list from passings where ${of}`;
      const { rows } = await client.query<{ list: number[] }>(
        new PgDialect().sqlToQuery(query).sql,
      );
      return rows[0]?.list;
    };
    await client.query('create table passings (n int)');
    await client.query('insert into passings values (-1)');
    const before = await cursorNow();
    expect(Number(before)).toBeLessThan(BITS);
    for (let n = 0; n < 2 * BEFORE; n++) await client.query(`insert into passings values (${n})`);
    const later = await cursorNow();
    expect(Number(later)).toBeGreaterThan(BITS);
    await client.query('insert into passings values (5000)');
    await client.query('vacuum freeze passings');

    const all = Array.from({ length: 2 * BEFORE }, (_, n) => n);
    expect(await since(before)).toEqual([...all, 5_000]);
    expect(await since(later)).toEqual([5_000]);
  });
});
