import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { type Demo, ensureDemo, SAMPLE_RESULTS } from '../dev/stack/demo.ts';
import { migrate } from '../dev/stack/migrate.ts';
import { FREE_PORTS, type Stack, startStack } from '../dev/stack/stack.ts';
import { type Build, startWorker } from '../testing/runtime/bundle.ts';
import { apiKeyPrefix, generateApiKey, hashApiKey } from '../worker/auth/api-key/api-key.ts';
import { apiKeys } from '../worker/db/schema.ts';
import { SCOPES } from '../worker/scopes.ts';

/** A stack of its own, the demo world in it, and the deployed Worker in front. */
export type World = {
  origin: string;
  stack: Stack;
  demo: Demo;
  /** A file of results of the demo's race. */
  sampleCsv: string;
  /** A key of the demo's organization with every scope and an unspent quota. */
  createKey(): Promise<string>;
  stop(): Promise<void>;
};

export async function startWorld(build: Build, delayMs: number): Promise<World> {
  const stack = await startStack({
    ports: FREE_PORTS,
    postgresDelayMs: delayMs,
    redisDelayMs: delayMs,
  });
  const pool = new pg.Pool({ connectionString: stack.postgresUrl, max: 1 });
  const stopStack = async () => {
    await pool.end();
    await stack.stop();
  };
  try {
    await migrate(stack.postgresUrl);
    const folder = mkdtempSync(join(build.folder, 'demo-'));
    const demo = await ensureDemo(stack.postgresUrl, folder);
    const worker = await startWorker(build, stack);
    return {
      origin: worker.origin,
      stack,
      demo,
      sampleCsv: readFileSync(join(folder, SAMPLE_RESULTS), 'utf8'),
      async createKey() {
        const key = generateApiKey();
        await drizzle(pool)
          .insert(apiKeys)
          .values({
            organization_id: demo.organizationId,
            name: 'Bench key',
            key_prefix: apiKeyPrefix(key),
            key_hash: await hashApiKey(key),
            scopes: [...SCOPES],
          });
        return key;
      },
      async stop() {
        await worker.stop();
        await stopStack();
      },
    };
  } catch (error) {
    await stopStack();
    throw error;
  }
}
