import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { createOwnDatabase } from '../../testing/runtime/own-stack.ts';
import { migrate, migrationStatus } from './migrate.ts';
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

const write = (name: string, sql: string) => writeFileSync(join(folder, `${name}.sql`), sql);

async function query(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(sql);
  await client.end();
  return rows;
}

test('keeps the migrations before a failed one, and names the failed one and its reason', async () => {
  write('0000_first', 'create table first (id int)');
  write('0001_second', 'create table second (id int); select 1 / 0');
  await expect(migrate(database.url, { folder })).rejects.toThrow(
    'Migration 0001_second was not applied: division by zero',
  );
  const tables = await query(`select to_regclass('first')::text a, to_regclass('second')::text b`);
  expect(tables).toEqual([{ a: 'first', b: null }]);
  write('0001_second', 'create table second (id int)');
  expect(await migrate(database.url, { folder })).toBe(1);
});

test('refuses a migration that was edited, and a new one with an earlier name than an applied one', async () => {
  write('0001_first', 'select 1');
  write('0003_third', 'select 3');
  await migrate(database.url, { folder });
  write('0002_second', 'select 2');
  write('0004_fourth', 'select 4');
  await expect(migrate(database.url, { folder })).rejects.toThrow('0002_second is new');
  rmSync(join(folder, '0001_first.sql'));
  write('0003_third', 'select 33');
  expect(await migrationStatus(database.url, folder)).toEqual([
    'unknown  0001_first',
    'late     0002_second',
    'edited   0003_third',
    'pending  0004_fourth',
  ]);
  rmSync(join(folder, '0002_second.sql'));
  await expect(migrate(database.url, { folder })).rejects.toThrow(
    /^Migration 0003_third was edited .*npm run dev -- --reset/,
  );
});

test('runs a file outside a transaction statement by statement, again if it failed half-way', async () => {
  write('0000_runners', 'create table runners (bib int)');
  const statements = (table: string) =>
    `-- runs outside a transaction
    drop index concurrently if exists by_bib;
    --> statement-breakpoint
    create index concurrently by_bib on runners (bib);
    --> statement-breakpoint
    create table ${table} (id int)`;
  write('0001_index', statements('no.such_schema'));
  await expect(migrate(database.url, { folder })).rejects.toThrow('0001_index was not applied');
  expect(await migrationStatus(database.url, folder)).toContain('pending  0001_index');
  write('0001_index', statements('splits'));
  expect(await migrate(database.url, { folder })).toBe(1);
  expect(
    await query(`select indisvalid from pg_index where indexrelid = 'by_bib'::regclass`),
  ).toEqual([{ indisvalid: true }]);
});

test('refuses a pooled address, which keeps no session', async () => {
  const pooled = 'postgres://user:secret@ep-example-pooler.eu-central-1.aws.neon.tech/races';
  await expect(migrate(pooled)).rejects.toThrow(
    /^ep-example-pooler.*\/races is a pooled address, which keeps no session/,
  );
});
