import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../../dev/stack/migrate.ts';
import { connectTo } from '../../dev/stack/postgres.ts';
import { type Stack, type StackOptions, startStack } from '../../dev/stack/stack.ts';

/** Addresses of a PostgreSQL whose user may create databases, and of a Redis. */
export type RealServers = { databaseUrl: string; redisUrl: string };

/** A stack with a migrated database for a single user. */
export type OwnStack = {
  stack: Stack;
  /** Connects to Postgres directly, without the gateway. */
  pool: pg.Pool;
  /** Drops the database too. */
  stop(): Promise<void>;
};

/** @param servers without servers, the stack is embedded */
export async function startOwnStack(
  servers?: RealServers,
  options: Pick<StackOptions, 'postgresDelayMs' | 'redisDelayMs'> = {},
): Promise<OwnStack> {
  const undo: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const action of undo.splice(0).reverse()) await action();
  };
  try {
    const database = servers && (await createOwnDatabase(servers.databaseUrl));
    if (database) undo.push(database.drop);
    const addresses = { databaseUrl: database?.url, redisUrl: servers?.redisUrl };
    const stack = await startStack({ ...addresses, ...options });
    undo.push(stack.stop);
    await migrate(stack.postgresUrl);
    const pool = new pg.Pool({ connectionString: stack.postgresUrl, max: 4 });
    // Dropping the database may break a closing connection.
    pool.on('error', () => {});
    undo.push(() => pool.end());
    return { stack, pool, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export type OwnDatabase = { url: string; drop(): Promise<void> };

/**
 * Creates an empty database on the server at `serverUrl`. The user needs the right to create databases.
 * `drop` removes the database and ends its open connections.
 * @throws Error with a single line if the server does not answer
 */
export async function createOwnDatabase(serverUrl: string): Promise<OwnDatabase> {
  const name = `race_results_${randomBytes(6).toString('hex')}`;
  const run = async (statement: string) => {
    const client = await connectTo(serverUrl);
    await client.query(statement).finally(() => client.end());
  };
  await run(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = name;
  return { url: url.href, drop: () => run(`drop database if exists ${name} with (force)`) };
}
