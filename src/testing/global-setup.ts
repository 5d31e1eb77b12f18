import type { TestProject } from 'vitest/node';
import { FREE_PORTS, startStack } from '../dev/stack/stack.ts';
import { provideShared } from './run.ts';

/** All tests of a run share one stack. Each test makes an organization of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stack = await startStack({ ports: FREE_PORTS });
  try {
    const removeBuilds = await provideShared(project, stack, undefined);
    return async () => {
      removeBuilds();
      await stack.stop();
    };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}
