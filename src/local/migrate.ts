import { join } from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { reasonOf, targetOf } from './listen.ts';
import { assertPostgresAnswers } from './postgres.ts';

const MIGRATIONS_FOLDER = join(import.meta.dirname, '../../migrations');

/**
 * Brings a database up to the newest migration; all that are missing in one transaction.
 * Local and production alike: it talks to Postgres itself, not to a gateway.
 * @returns how many were applied
 */
export async function migrate(databaseUrl: string): Promise<number> {
  await assertPostgresAnswers(databaseUrl);
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  pool.on('error', () => {});
  try {
    const before = await countApplied(pool);
    await applyMigrations(drizzle(pool), { migrationsFolder: MIGRATIONS_FOLDER });
    return (await countApplied(pool)) - before;
  } finally {
    await pool.end();
  }
}

async function countApplied(pool: pg.Pool): Promise<number> {
  const table = 'drizzle.__drizzle_migrations';
  const { rows: tables } = await pool.query<{ found: string | null }>(
    'select to_regclass($1)::text as found',
    [table],
  );
  if (tables[0]?.found === null) return 0;
  const { rows } = await pool.query<{ applied: number }>(
    `select count(*)::int as applied from ${table}`,
  );
  return rows[0]?.applied ?? 0;
}

async function main(databaseUrl: string | undefined): Promise<void> {
  if (!databaseUrl) throw new Error('DATABASE_URL is not set: the postgres:// address to migrate.');
  const applied = await migrate(databaseUrl);
  const known = readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER }).length;
  console.log(`${targetOf(databaseUrl)}: applied ${applied} of ${known} migrations`);
}

if (import.meta.filename === process.argv[1]) {
  const { DATABASE_URL } = process.env;
  main(DATABASE_URL).catch((error: unknown) => {
    console.error(reasonOf(error));
    process.exitCode = 1;
  });
}
