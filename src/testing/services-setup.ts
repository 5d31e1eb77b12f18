import type { TestProject } from 'vitest/node';
import { createOwnDatabase } from '../dev/stack/own-database.ts';
import { FREE_PORTS, startStack } from '../dev/stack/stack.ts';
import { provideShared } from './run.ts';
import type { RealServers } from './runtime/own-stack.ts';

const DATABASE_URL = 'postgres://postgres@127.0.0.1:5432/postgres';
const REDIS_URL = 'redis://127.0.0.1:6379';

/**
 * Starts the stack on servers that are already running. It creates a database and drops it at the end. It
 * shares the Redis, because the limiter's keys are random and expire. Without servers the run fails.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const servers: RealServers = {
    databaseUrl: process.env['DATABASE_URL'] ?? DATABASE_URL,
    redisUrl: process.env['REDIS_URL'] ?? REDIS_URL,
  };
  const undo: (() => unknown)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const database = await createOwnDatabase(servers.databaseUrl);
    undo.push(database.drop);
    const stack = await startStack({
      ports: FREE_PORTS,
      databaseUrl: database.url,
      redisUrl: servers.redisUrl,
    });
    undo.push(stack.stop);
    undo.push(await provideShared(project, stack, servers));
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}
