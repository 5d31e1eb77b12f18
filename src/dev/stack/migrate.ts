import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import pg from 'pg';
import { z } from 'zod';
import { reasonOf, targetOf } from './listen.ts';
import { assertPostgresAnswers } from './postgres.ts';

const MIGRATIONS_FOLDER = join(import.meta.dirname, '../../../migrations');
/** Key of the advisory lock that migrations hold. Any number that no other program uses will do. */
const MIGRATION_LOCK = 7_216_053;
/** While a migration waits for a table, all later queries on that table wait too. */
const LOCK_TIMEOUT_MS = 5_000;
const LOCK_NOT_AVAILABLE = '55P03';

const journalSchema = z.object({ entries: z.array(z.object({ tag: z.string() })) });

type MigrateOptions = { folder?: string; lockTimeoutMs?: number };

/**
 * Applies all new migrations to a database, each in its own transaction, and records them as drizzle-kit
 * does. Concurrent runs take turns. It connects to Postgres itself, not to a gateway.
 * @returns the number of migrations applied
 * @throws Error that names the failed migration. The migrations before it stay applied
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<number> {
  const { lockTimeoutMs = LOCK_TIMEOUT_MS } = options;
  await assertPostgresAnswers(databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  await client.connect();
  try {
    let applied = 0;
    for (const migration of readMigrations(options.folder)) {
      if (await apply(client, migration, lockTimeoutMs)) applied += 1;
    }
    return applied;
  } finally {
    await client.end();
  }
}

type Migration = ReturnType<typeof readMigrations>[number];

function readMigrations(folder = MIGRATIONS_FOLDER) {
  const journal: unknown = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8'));
  const { entries } = journalSchema.parse(journal);
  const files = readMigrationFiles({ migrationsFolder: folder });
  return files.map((file, index) => ({ ...file, tag: entries[index]?.tag }));
}

/** @returns false if an earlier run applied the migration */
async function apply(client: pg.Client, migration: Migration, lockTimeoutMs: number) {
  await client.query('begin');
  try {
    await client.query('set local lock_timeout = 0');
    await client.query(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
    const isNew = !(await isApplied(client, migration));
    if (isNew) {
      for (const statement of migration.sql) await client.query(statement);
      await client.query(
        'insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)',
        [migration.hash, migration.folderMillis],
      );
    }
    await client.query('commit');
    return isNew;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    const reason =
      error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE
        ? `another transaction has held a required lock for ${lockTimeoutMs / 1_000} s. Try again later.`
        : reasonOf(error);
    throw new Error(`Migration ${migration.tag} was not applied: ${reason}`, { cause: error });
  }
}

async function isApplied(client: pg.Client, { folderMillis }: Migration): Promise<boolean> {
  await client.query('create schema if not exists drizzle');
  await client.query(
    `create table if not exists drizzle.__drizzle_migrations (
      id serial primary key, hash text not null, created_at bigint
    )`,
  );
  const { rows } = await client.query<{ applied: boolean }>(
    'select coalesce(max(created_at) >= $1, false) as applied from drizzle.__drizzle_migrations',
    [folderMillis],
  );
  return rows[0]?.applied === true;
}

async function main(databaseUrl: string | undefined): Promise<void> {
  if (!databaseUrl)
    throw new Error(
      'DATABASE_URL is not set. Set it to the postgres:// address of the database to migrate.',
    );
  const applied = await migrate(databaseUrl);
  console.log(
    `${targetOf(databaseUrl)}: applied ${applied} of ${readMigrations().length} migrations`,
  );
}

if (import.meta.filename === process.argv[1]) {
  const { DATABASE_URL } = process.env;
  main(DATABASE_URL).catch((error: unknown) => {
    console.error(reasonOf(error));
    process.exitCode = 1;
  });
}
