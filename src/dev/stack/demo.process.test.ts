import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getTableColumns, getTableName } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashApiKey } from '../../worker/auth/api-key/api-key.ts';
import { persons, registrations } from '../../worker/db/schema.ts';
import { type Demo, ensureDemo, SAMPLE_RESULTS } from './demo.ts';
import { migrate } from './migrate.ts';
import { startPostgres } from './postgres.ts';

type TestDatabase = { url: string; pool: pg.Pool; stop(): Promise<void> };

let first: TestDatabase;
let second: TestDatabase;
const folders: string[] = [];

async function startDatabase(): Promise<TestDatabase> {
  const postgres = await startPostgres();
  await migrate(postgres.url);
  const pool = new pg.Pool({ connectionString: postgres.url, max: 1 });
  return {
    url: postgres.url,
    pool,
    async stop() {
      await pool.end();
      await postgres.stop();
    },
  };
}

/** A folder for the state of a checkout. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'demo-'));
  folders.push(folder);
  return folder;
}

beforeAll(async () => {
  // In turn: a start keeps this process from answering.
  first = await startDatabase();
  second = await startDatabase();
}, 120_000);
afterAll(async () => {
  await Promise.all([first?.stop(), second?.stop()]);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}, 60_000);

const countOf = async ({ pool }: TestDatabase, table: 'organizations' | 'api_keys') =>
  (await pool.query<{ count: number }>(`select count(*)::int as count from ${table}`)).rows[0]
    ?.count;

/** The race of the demo's event, found by the demo's key alone. */
async function raceOf({ pool }: TestDatabase, { apiKey, eventId }: Demo): Promise<number> {
  const { rowCount } = await pool.query(
    `select from registrations join events on events.id = event_id
    join api_keys using (organization_id) where key_hash = $1 and events.id = $2`,
    [hashApiKey(apiKey), eventId],
  );
  return rowCount ?? 0;
}

test('makes one demo world for each database, whichever is used in turn', async () => {
  const folder = newFolder();
  const inFirst = await ensureDemo(first.url, folder);
  const inSecond = await ensureDemo(second.url, folder);
  expect(await raceOf(first, inFirst)).toBe(300);
  expect(await raceOf(second, inSecond)).toBe(300);
  expect(inSecond.apiKey).not.toBe(inFirst.apiKey);
  expect(existsSync(join(folder, SAMPLE_RESULTS))).toBe(true);

  expect(await ensureDemo(first.url, folder)).toEqual(inFirst);
  expect(await ensureDemo(second.url, folder)).toEqual(inSecond);
  expect([await countOf(first, 'organizations'), await countOf(first, 'api_keys')]).toEqual([1, 1]);
});

test.each([registrations, persons])('fills every column of a race (%#)', async (table) => {
  await ensureDemo(first.url, newFolder());
  const columns = Object.values(getTableColumns(table)).map(({ name }) => name);
  const empty = columns.map((name) => `case when count(${name}) = 0 then '${name}' end`);
  const { rows } = await first.pool.query<{ empty: string }>(
    `select concat_ws(',', ${empty.join()}) as empty from ${getTableName(table)}`,
  );
  expect(rows).toEqual([{ empty: '' }]);
});

test('finds the demo world that another checkout made, and adds a key of its own', async () => {
  const made = await ensureDemo(first.url, newFolder());
  const keys = (await countOf(first, 'api_keys')) ?? 0;
  const folder = newFolder();
  const demoFound = await ensureDemo(first.url, folder);
  expect(demoFound).toEqual({ ...made, apiKey: expect.any(String) });
  expect(demoFound.apiKey).not.toBe(made.apiKey);
  expect(await raceOf(first, demoFound)).toBe(300);
  expect(await ensureDemo(first.url, folder)).toEqual(demoFound);
  expect([await countOf(first, 'organizations'), await countOf(first, 'api_keys')]).toEqual([
    1,
    keys + 1,
  ]);
});

test('replaces a key that was revoked', async () => {
  const folder = newFolder();
  const before = await ensureDemo(first.url, folder);
  await first.pool.query('update api_keys set revoked_at = now()');
  const after = await ensureDemo(first.url, folder);
  expect(after).toEqual({ ...before, apiKey: expect.any(String) });
  expect(after.apiKey).not.toBe(before.apiKey);
  expect(await countOf(first, 'organizations')).toBe(1);
});

test('makes a new world where somebody deleted the event', async () => {
  const folder = newFolder();
  const before = await ensureDemo(first.url, folder);
  await first.pool.query('delete from events');
  const after = await ensureDemo(first.url, folder);
  expect(after.apiKey).not.toBe(before.apiKey);
  expect(await raceOf(first, after)).toBe(300);
  expect(await countOf(first, 'organizations')).toBe(1);
});
