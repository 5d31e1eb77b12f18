import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { reasonOf, targetOf } from './listen.ts';
import { connectTo } from './postgres.ts';
import { ifStarted } from './script.ts';

export const MIGRATIONS_FOLDER = join(import.meta.dirname, '../../../migrations');
/** Key of a run's advisory lock. Any number unused by further programs is good. */
const MIGRATION_LOCK = 7_216_053;
/**
 * While a migration waits for a table, all later queries on that table wait too. So a migration waits briefly, and
 * again.
 */
const LOCK_TIMEOUT_MS = 400;
const RETRY_FOR_MS = 60_000;
/** A run that was killed says no goodbye. Postgres looks so often, and then ends the statement, which has locks. */
const LOOK_FOR_CLIENT = "set client_connection_check_interval = '1s'";
export const OUTSIDE_A_TRANSACTION = '-- runs outside a transaction\n';
/** Errors after which a migration is tried again: a lock timeout and a deadlock. */
const LOCK_CONFLICTS = ['55P03', '40P01'];
const APPLIED_TABLE = 'race_results.applied_migrations';

/** A file of the folder: the name without `.sql`, the text, and the text's SHA-256. */
export type Migration = { name: string; text: string; hash: string };

type State = 'applied' | 'pending' | 'edited' | 'late' | 'unknown';
type Entry = { name: string; state: State; migration?: Migration | undefined };

type MigrateOptions = { folder?: string; lockTimeoutMs?: number; retryForMs?: number };

/** @returns the migrations in the order of their names, the order of applying */
export const readMigrations = (folder = MIGRATIONS_FOLDER): Migration[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      const hash = createHash('sha256').update(text).digest('hex');
      return { name: file.slice(0, -'.sql'.length), text, hash };
    });

/** A separate schema hides the table from other systems. */
export const CREATE_APPLIED = `create schema if not exists race_results;
  create table if not exists ${APPLIED_TABLE} (
    name text primary key, hash text not null, applied_at timestamptz not null default now()
  )`;

const RECORD = `insert into ${APPLIED_TABLE} (name, hash) values ($1, $2)`;

/**
 * Applies all new migrations to a database, each in a transaction unless its file begins with `-- runs outside a
 * transaction`. Concurrent runs take turns. A lock is waited for briefly, and again for a minute. The connection goes
 * to Postgres, not to a gateway.
 * @returns the number of migrations applied
 * @throws Error with the name of the refused or failed migration. Earlier migrations stay applied
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<number> {
  const { lockTimeoutMs = LOCK_TIMEOUT_MS, retryForMs = RETRY_FOR_MS } = options;
  return withClient(databaseUrl, async (client) => {
    // Postgres before version 14, and Postgres on Windows, cannot look.
    await client.query(LOOK_FOR_CLIENT).catch(() => {});
    await takeTurn(client, Date.now() + retryForMs);
    await client.query(CREATE_APPLIED);
    const pending = pendingOf(await compare(client, options.folder));
    for (const migration of pending) await apply(client, migration, lockTimeoutMs, retryForMs);
    return pending.length;
  });
}

/** @returns a line for each migration of the folder and of the database, with its state */
export const migrationStatus = (databaseUrl: string, folder?: string): Promise<string[]> =>
  withClient(databaseUrl, async (client) =>
    (await compare(client, folder)).map(({ name, state }) => `${state.padEnd(8)} ${name}`),
  );

async function withClient<Result>(
  databaseUrl: string,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  if (URL.parse(databaseUrl)?.hostname.includes('-pooler.')) {
    throw new Error(
      `${targetOf(databaseUrl)} is a pooled address, which keeps no session. Use the direct one, without "-pooler".`,
    );
  }
  const client = await connectTo(databaseUrl);
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/**
 * Waits for concurrent runs. The function asks repeatedly, because `create index concurrently` of another run waits for
 * every running statement, including a statement waiting for the lock.
 */
async function takeTurn(client: pg.Client, deadlineMs: number): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(
      `select pg_try_advisory_lock(${MIGRATION_LOCK}) as taken`,
    );
    if (rows[0]?.taken) return;
    if (Date.now() > deadlineMs) throw new Error('Another run is migrating this database.');
    await pause();
  }
}

/** Compares the files with the database's list of applied migrations, by name and content. */
async function compare(client: pg.Client, folder?: string): Promise<Entry[]> {
  const hashes = await appliedHashes(client);
  const newest = [...hashes.keys()].sort().at(-1) ?? '';
  const files = readMigrations(folder).map((migration) => {
    const { name, hash } = migration;
    const recorded = hashes.get(name);
    hashes.delete(name);
    const missing = name < newest ? 'late' : 'pending';
    const known = recorded === hash ? 'applied' : 'edited';
    return { name, migration, state: recorded === undefined ? missing : known } as const;
  });
  const unknown = [...hashes.keys()].map((name) => ({ name, state: 'unknown' }) as const);
  return [...files, ...unknown].sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function appliedHashes(client: pg.Client): Promise<Map<string, string>> {
  const exists = `select to_regclass('${APPLIED_TABLE}') is not null as exists`;
  const found = await client.query<{ exists: boolean }>(exists);
  if (!found.rows[0]?.exists) return new Map();
  const applied = `select name, hash from ${APPLIED_TABLE}`;
  const { rows } = await client.query<{ name: string; hash: string }>(applied);
  return new Map(rows.map(({ name, hash }) => [name, hash]));
}

const REFUSED: Partial<Record<State, string>> = {
  edited:
    'was edited after it was applied. Restore its text and write a new migration. The local database of an older ' +
    'checkout goes with `npm run dev -- --reset`.',
  late: 'is new, but one with a later name is applied already. Give it a later name.',
};

/** @throws Error with the name of a migration that is edited, or older than an applied migration */
function pendingOf(entries: readonly Entry[]): Migration[] {
  for (const { name, state } of entries) {
    if (REFUSED[state]) throw new Error(`Migration ${name} ${REFUSED[state]}`);
  }
  return entries.flatMap(({ state, migration }) =>
    state === 'pending' && migration ? [migration] : [],
  );
}

/**
 * Applies a migration. The function tries again, with pauses for waiting queries, while transactions hold the locks. A
 * file outside a transaction with a failure half-way runs again from its first statement.
 */
async function apply(client: pg.Client, migration: Migration, lockMs: number, retryMs: number) {
  const deadlineMs = Date.now() + retryMs;
  for (;;) {
    try {
      return await attempt(client, migration, lockMs, retryMs);
    } catch (error) {
      const isConflict =
        error instanceof pg.DatabaseError && LOCK_CONFLICTS.includes(error.code ?? '');
      if (isConflict && Date.now() < deadlineMs) {
        await pause();
        continue;
      }
      const reason = isConflict
        ? `other transactions have held its locks for ${retryMs / 1_000} s. Try again later.`
        : reasonOf(error);
      throw new Error(`Migration ${migration.name} was not applied: ${reason}`, { cause: error });
    }
  }
}

const pause = () => sleep(100 + Math.random() * 400);

async function attempt(
  client: pg.Client,
  { name, text, hash }: Migration,
  lockMs: number,
  retryMs: number,
): Promise<void> {
  const isInside = !text.startsWith(OUTSIDE_A_TRANSACTION);
  const statements = isInside ? ['begin', text] : text.split('--> statement-breakpoint');
  try {
    for (const statement of statements) {
      // A concurrent build waits for old transactions, and blocks no query meanwhile.
      const waitMs = !isInside && /\bconcurrently\b/i.test(statement) ? retryMs : lockMs;
      await client.query(`set lock_timeout = ${waitMs}`);
      await client.query(statement);
    }
    await client.query(RECORD, [name, hash]);
    if (isInside) await client.query('commit');
  } catch (error) {
    if (isInside) await client.query('rollback').catch(() => {});
    throw error;
  }
}

async function main(databaseUrl: string | undefined): Promise<void> {
  const { values: flags } = parseArgs({ options: { status: { type: 'boolean' } } });
  if (!databaseUrl)
    throw new Error(
      'DATABASE_URL is not set. Set it to the postgres:// address of the database to migrate.',
    );
  const target = targetOf(databaseUrl);
  if (flags.status) console.log([target, ...(await migrationStatus(databaseUrl))].join('\n'));
  else {
    const applied = await migrate(databaseUrl);
    console.log(`${target}: applied ${applied} of ${readMigrations().length} migrations`);
  }
}

ifStarted(import.meta.filename, () => main(process.env['DATABASE_URL']));
