import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from './migrate.ts';
import { type LocalPostgres, startPostgres } from './postgres.ts';

const MIGRATIONS = join(import.meta.dirname, '../../migrations');
/** The first one that counts results. */
const COUNTING = '0005_result_cells_and_event_versions';

let postgres: LocalPostgres;
let pool: pg.Pool;

beforeAll(async () => {
  postgres = await startPostgres();
  pool = new pg.Pool({ connectionString: postgres.url, max: 1 });
}, 60_000);
afterAll(async () => {
  await pool.end();
  await postgres.stop();
});

/** Applies the migrations that came before one. */
async function migrateUpTo(tag: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  try {
    cpSync(MIGRATIONS, folder, { recursive: true });
    const file = join(folder, 'meta/_journal.json');
    const journal: { entries: { tag: string }[] } = JSON.parse(readFileSync(file, 'utf8'));
    const end = journal.entries.findIndex((entry) => entry.tag === tag);
    expect(end).toBeGreaterThan(0);
    writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, end) }));
    await applyMigrations(drizzle(pool), { migrationsFolder: folder });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('results that were there before they were counted are counted by the migration', async () => {
  await migrateUpTo(COUNTING);
  await pool.query(`
    with club as (insert into organizations (name) values ('Club') returning id),
    key as (
      insert into api_keys (organization_id, name, key_prefix, key_hash, scopes)
      select id, 'Key', 'er_live_0000', repeat('0', 64), '{results:write}' from club returning id
    ),
    event as (
      insert into events (organization_id, name, event_date, city)
      select id, name, now(), 'Port Example' from club, (values ('ran'), ('planned')) as it (name)
      returning id, name
    ),
    batch as (
      insert into result_batches (event_id, api_key_id, source, total_processed, uploaded, updated,
        not_found, errors, duplicates)
      select event.id, key.id, 'json', 0, 0, 0, 0, 0, 0 from event, key where event.name = 'ran'
      returning id, event_id
    ),
    person as (insert into persons (given_names) values ('Ana') returning id),
    registration as (
      insert into registrations (event_id, person_id, bib_number, gender)
      select event_id, person.id, n::text, case when n < 4 then 'F' end
      from batch, person, generate_series(1, 6) n
      returning id, event_id, bib_number::int as n
    )
    insert into results (registration_id, event_id, batch_id, status, chip_time_ms)
    select registration.id, registration.event_id, batch.id,
      case when n = 5 then 'DNS' else 'FINISHED' end, case when n <> 5 then 59000 + n * 500 end
    from registration, batch where n < 6`);

  expect(await migrate(postgres.url)).toBeGreaterThan(0);
  const { rows: cells } = await pool.query(
    'select bucket::float8, gender, category, entries from result_cells order by bucket, gender',
  );
  expect(cells).toEqual([
    { bucket: 0, gender: 'F', category: null, entries: 1 },
    { bucket: 1, gender: 'F', category: null, entries: 2 },
    { bucket: 1, gender: null, category: null, entries: 1 },
    { bucket: 1_000_000_000_000_003, gender: null, category: null, entries: 1 },
  ]);
  const { rows: versions } = await pool.query(
    'select name, version > 0 as versioned from events left join event_versions on event_id = id',
  );
  expect(versions).toEqual(
    expect.arrayContaining([
      { name: 'ran', versioned: true },
      { name: 'planned', versioned: true },
    ]),
  );
});
