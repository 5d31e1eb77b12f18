import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createOwnDatabase } from '../../testing/runtime/own-stack.ts';
import { migrate, readMigrations } from './migrate.ts';

/** A database with a table, a session in a transaction that reads the table, and a folder with a migration. */
async function reportIsOpen(migration: string) {
  const servers = inject('servers');
  if (!servers) throw new Error('This needs a real server: npm run test:services.');
  const database = await createOwnDatabase(servers.databaseUrl);
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  const connect = async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    return client;
  };
  const [report, reader] = [await connect(), await connect()];
  onTestFinished(async () => {
    await Promise.all([report.end(), reader.end()]);
    rmSync(folder, { recursive: true });
    await database.drop();
  });
  writeFileSync(join(folder, '0000_gate.sql'), migration);
  await report.query('create table runners (bib int)');
  await report.query('begin; select * from runners');
  return { url: database.url, folder, report, reader };
}

const ADD_COLUMN = 'alter table runners add column gate int';

test('gives up on a migration whose locks do not come, and names it', async () => {
  const { url, folder, report } = await reportIsOpen(ADD_COLUMN);
  await expect(migrate(url, { folder, lockTimeoutMs: 50, retryForMs: 300 })).rejects.toThrow(
    'Migration 0000_gate was not applied: other transactions have held its locks for 0.3 s',
  );
  await report.query('commit');
  expect(await migrate(url, { folder })).toBe(1);
});

test('lets others read a table whose lock it waits for, and applies the migration when the lock comes', async () => {
  const { url, folder, report, reader } = await reportIsOpen(ADD_COLUMN);
  let isDone = false;
  const migrated = migrate(url, { folder }).finally(() => {
    isDone = true;
  });
  // Three attempts have failed meanwhile. A reader waits for a single attempt at most.
  await reader.query("set lock_timeout = '1s'");
  for (let read = 0; read < 20; read++)
    await reader.query('select pg_sleep(0.1), (select count(*) from runners)');
  expect(isDone).toBe(false);
  await report.query('commit');
  expect(await migrated).toBe(1);
});

test('builds an index concurrently, and waits for a report without stopping anyone', async () => {
  const { url, folder, report, reader } = await reportIsOpen(
    `-- runs outside a transaction\ncreate index concurrently by_bib on runners (bib)`,
  );
  const runs = [migrate(url, { folder }), migrate(url, { folder })];
  await expect
    .poll(async () => (await reader.query("select to_regclass('by_bib') as oid")).rows)
    .not.toEqual([{ oid: null }]);
  await reader.query("set lock_timeout = '1s'");
  await reader.query('insert into runners values (1)');
  await report.query('commit');
  expect((await Promise.all(runs)).sort()).toEqual([0, 1]);
});

test('frees the tables of a run that was killed', async () => {
  const { url, folder, report, reader } = await reportIsOpen(`${ADD_COLUMN}; select pg_sleep(60)`);
  await report.query('commit');
  const script = `import { migrate } from ${JSON.stringify(join(import.meta.dirname, 'migrate.ts'))};
    await migrate(${JSON.stringify(url)}, { folder: ${JSON.stringify(folder)} });`;
  const run = spawn(process.execPath, ['--input-type=module', '--eval', script]);
  onTestFinished(() => void run.kill('SIGKILL'));
  const sleeping = `select count(*)::int as count from pg_stat_activity
    where query like '%pg_sleep(60)' and datname = current_database()`;
  await expect
    .poll(async () => (await reader.query(sleeping)).rows, { timeout: 60_000 })
    .toEqual([{ count: 1 }]);
  run.kill('SIGKILL');
  await reader.query("set lock_timeout = '10s'");
  expect((await reader.query('select count(*)::int as count from runners')).rows).toEqual([
    { count: 0 },
  ]);
});

test('brings an empty database up to date once when three migrate it at the same time', async () => {
  const servers = inject('servers');
  if (!servers) throw new Error('This needs a real server: npm run test:services.');
  const { url, drop } = await createOwnDatabase(servers.databaseUrl);
  onTestFinished(drop);
  const applied = await Promise.all(Array.from({ length: 3 }, () => migrate(url)));
  expect(applied.sort((a, b) => a - b)).toEqual([0, 0, readMigrations().length]);
});
