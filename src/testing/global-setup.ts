import type { TestProject } from 'vitest/node';
import { migrate } from '../dev/stack/migrate.ts';
import { FREE_PORTS, type Stack, startStack } from '../dev/stack/stack.ts';
import { buildPagesOfRun } from './pages.ts';
import { type ResultsFile, readResultsFiles } from './results-files.ts';
import type { RealServers } from './services-setup.ts';

declare module 'vitest' {
  interface ProvidedContext {
    workerEnv: Stack['workerEnv'];
    /** The folder of the built pages. */
    pages: string;
    servers: RealServers | undefined;
    resultsFiles: ResultsFile[];
  }
}

/** All tests of a run share one stack. Each test makes an organization of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stack = await startStack({ ports: FREE_PORTS });
  await migrate(stack.postgresUrl);
  const pages = buildPagesOfRun();
  project.provide('pages', pages.folder);
  project.provide('workerEnv', stack.workerEnv);
  project.provide('servers', undefined);
  project.provide('resultsFiles', readResultsFiles());
  return async () => {
    pages.remove();
    await stack.stop();
  };
}
