import type { TestProject } from 'vitest/node';
import { migrate } from '../local/migrate.ts';
import { FREE_PORTS, type Stack, startStack } from '../local/stack.ts';

declare module 'vitest' {
  interface ProvidedContext {
    workerEnv: Stack['workerEnv'];
  }
}

/** One stack for the whole run; its tests share it, each with an organization of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stack = await startStack({ ports: FREE_PORTS });
  await migrate(stack.postgresUrl);
  project.provide('workerEnv', stack.workerEnv);
  return stack.stop;
}
