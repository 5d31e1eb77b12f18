import type { TestProject } from 'vitest/node';
import { migrate } from '../dev/stack/migrate.ts';
import { createOwnDatabase } from '../dev/stack/own-database.ts';
import { FREE_PORTS, startStack } from '../dev/stack/stack.ts';
import { buildPagesOfRun } from './pages.ts';
import { readResultsFiles } from './results-files.ts';

/** Addresses of a PostgreSQL whose user may create databases, and of a Redis. */
export type RealServers = { databaseUrl: string; redisUrl: string };

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
  const database = await createOwnDatabase(servers.databaseUrl);
  try {
    const stack = await startStack({
      ports: FREE_PORTS,
      databaseUrl: database.url,
      redisUrl: servers.redisUrl,
    });
    const pages = buildPagesOfRun();
    const stop = async () => {
      pages.remove();
      await stack.stop();
      await database.drop();
    };
    try {
      await migrate(stack.postgresUrl);
    } catch (error) {
      await stack.stop();
      throw error;
    }
    project.provide('pages', pages.folder);
    project.provide('workerEnv', stack.workerEnv);
    project.provide('servers', servers);
    project.provide('resultsFiles', readResultsFiles());
    return stop;
  } catch (error) {
    await database.drop();
    throw error;
  }
}
