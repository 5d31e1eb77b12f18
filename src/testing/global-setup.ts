import type { TestProject } from 'vitest/node';
import { migrate } from '../local/migrate.ts';
import { FREE_PORTS, type Stack, startStack } from '../local/stack.ts';
import type { RealServers } from './services-setup.ts';

declare module 'vitest' {
  interface ProvidedContext {
    workerEnv: Stack['workerEnv'];
    servers: RealServers | undefined;
  }
}

/** One stack for the whole run; its tests share it, each with an organization of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stack = await startStack({ ports: FREE_PORTS });
  await migrate(stack.postgresUrl);
  project.provide('workerEnv', stack.workerEnv);
  project.provide('servers', undefined);
  return stack.stop;
}
