import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { migrate } from './migrate.ts';
import { createOwnDatabase } from './own-database.ts';

test('gives up on a migration that waits too long for a lock, and names it', async () => {
  const servers = inject('servers');
  if (!servers) throw new Error('This needs a real server: npm run test:services.');
  const database = await createOwnDatabase(servers.databaseUrl);
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  const session = new pg.Client({ connectionString: database.url });
  await session.connect();
  try {
    mkdirSync(join(folder, 'meta'));
    writeFileSync(join(folder, '0000_gate.sql'), 'alter table runners add column gate int');
    const entries = [{ idx: 0, when: 1, tag: '0000_gate', breakpoints: true }];
    writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ entries }));
    await session.query('create table runners (bib int)');
    await session.query('begin; select * from runners');
    await expect(migrate(database.url, { folder, lockTimeoutMs: 100 })).rejects.toThrow(
      'Migration 0000_gate was not applied: another transaction has held a required lock for 0.1 s',
    );
    await session.query('commit');
    expect(await migrate(database.url, { folder })).toBe(1);
  } finally {
    await session.end();
    rmSync(folder, { recursive: true });
    await database.drop();
  }
});
