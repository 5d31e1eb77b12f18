import pg from 'pg';
import { migrate } from '../../dev/stack/migrate.ts';
import { createOwnDatabase } from '../../dev/stack/own-database.ts';
import { type Stack, type StackOptions, startStack } from '../../dev/stack/stack.ts';

/** Addresses of a PostgreSQL whose user may create databases, and of a Redis. */
export type RealServers = { databaseUrl: string; redisUrl: string };

/** A stack with a migrated database that nothing else uses. */
export type OwnStack = {
  stack: Stack;
  /** Connects to Postgres directly, without the gateway. */
  pool: pg.Pool;
  /** Drops the database too. */
  stop(): Promise<void>;
};

/** @param servers without them the stack is the embedded one */
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
    // Dropping the database may break a connection that is closing.
    pool.on('error', () => {});
    undo.push(() => pool.end());
    return { stack, pool, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
