import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { migrate } from './migrate.ts';
import { createOwnDatabase } from './own-database.ts';
import { startPostgres } from './postgres.ts';

let database: { url: string; drop(): Promise<void> };
let folder: string;
beforeEach(async () => {
  const servers = inject('servers');
  if (servers) database = await createOwnDatabase(servers.databaseUrl);
  else {
    const { url, stop } = await startPostgres();
    database = { url, drop: stop };
  }
  folder = mkdtempSync(join(tmpdir(), 'migrations-'));
}, 30_000);
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await database.drop();
});

function write(...migrations: string[]): void {
  mkdirSync(join(folder, 'meta'), { recursive: true });
  const entries = migrations.map((sql, idx) => {
    const tag = `000${idx}_step`;
    writeFileSync(join(folder, `${tag}.sql`), sql);
    return { idx, when: 1_000 + idx, tag, breakpoints: true };
  });
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ entries }));
}

async function query(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(sql);
  await client.end();
  return rows;
}

test('brings an empty database up to date once when three migrate it at the same time', async () => {
  const applied = await Promise.all(Array.from({ length: 3 }, () => migrate(database.url)));
  const total = applied.reduce((sum, count) => sum + count, 0);
  expect(await query('select count(*)::int as n from drizzle.__drizzle_migrations')).toEqual([
    { n: total },
  ]);
  expect(await migrate(database.url)).toBe(0);
});

test('keeps the migrations before a failed one, and names the failed one and its reason', async () => {
  write('create table first (id int)', 'create table second (id int); select 1 / 0');
  await expect(migrate(database.url, { folder })).rejects.toThrow(
    'Migration 0001_step was not applied: division by zero',
  );
  const tables = await query(`select to_regclass('first')::text a, to_regclass('second')::text b`);
  expect(tables).toEqual([{ a: 'first', b: null }]);
  write('create table first (id int)', 'create table second (id int)');
  expect(await migrate(database.url, { folder })).toBe(1);
});
