import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { type Demo, ensureDemo, SAMPLE_RESULTS } from '../dev/stack/demo.ts';
import { migrate } from '../dev/stack/migrate.ts';
import { insertKey } from '../dev/stack/seed.ts';
import { FREE_PORTS, type Stack, startStack } from '../dev/stack/stack.ts';
import { type Build, startWorker } from '../testing/runtime/bundle.ts';

/** The deployed Worker on a stack with the demo world. */
export type World = {
  origin: string;
  stack: Stack;
  demo: Demo;
  /** A results file of the demo's race. */
  sampleCsv: string;
  /** Creates a key with every scope and a rate limit of its own. */
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
      createKey: () => insertKey(drizzle(pool), demo.organizationId),
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
