import type { TestProject } from 'vitest/node';
import { migrate } from '../dev/stack/migrate.ts';
import { FREE_PORTS, type Stack, startStack } from '../dev/stack/stack.ts';
import type { RealServers } from './services-setup.ts';

declare module 'vitest' {
  interface ProvidedContext {
    workerEnv: Stack['workerEnv'];
    servers: RealServers | undefined;
  }
}

/** All tests of a run share one stack. Each test makes an organization of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stack = await startStack({ ports: FREE_PORTS });
  await migrate(stack.postgresUrl);
  project.provide('workerEnv', stack.workerEnv);
  project.provide('servers', undefined);
  return stack.stop;
}
