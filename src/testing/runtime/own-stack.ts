import pg from 'pg';
import { migrate } from '../../dev/stack/migrate.ts';
import { createOwnDatabase } from '../../dev/stack/own-database.ts';
import { FREE_PORTS, type Stack, startStack } from '../../dev/stack/stack.ts';
import type { RealServers } from '../run.ts';

/** A stack on real servers, with a database that nothing else uses. */
export type OwnStack = {
  stack: Stack;
  /** Connects to Postgres directly, without the gateway. */
  pool: pg.Pool;
  /** Drops the database too. */
  stop(): Promise<void>;
};

export async function startOwnStack({ databaseUrl, redisUrl }: RealServers): Promise<OwnStack> {
  const database = await createOwnDatabase(databaseUrl);
  try {
    await migrate(database.url);
    const stack = await startStack({ ports: FREE_PORTS, databaseUrl: database.url, redisUrl });
    const pool = new pg.Pool({ connectionString: database.url, max: 4 });
    // Dropping the database may break a connection that is closing.
    pool.on('error', () => {});
    return {
      stack,
      pool,
      async stop() {
        await pool.end();
        await stack.stop();
        await database.drop();
      },
    };
  } catch (error) {
    await database.drop();
    throw error;
  }
}
