import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import type { Stack } from '../dev/stack/stack.ts';
import { buildPages } from '../site/pages.ts';
import { type ResultsFile, readResultsFiles } from './results-files.ts';
import { type Build, buildWorker } from './runtime/bundle.ts';
import { type RealServers, startOwnStack } from './runtime/own-stack.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The servers of a run on real ones. */
    servers: RealServers | undefined;
    workerEnv: Stack['workerEnv'];
    /** The folder of the built pages. */
    pages: string;
    /** The Worker as it is deployed. */
    worker: Build;
    resultsFiles: ResultsFile[];
  }
}

/**
 * All tests of a run share one stack and one build; each makes an organization of its own. With `servers` in the
 * configuration it is a stack on these, which share the Redis with others: the limiter's keys are random and expire.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { servers } = project.getProvidedContext();
  // Not `.site`, which `npm run dev` may be serving at this moment.
  const folder = mkdtempSync(join(tmpdir(), 'run-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const pages = join(folder, 'pages');
  const [started, built] = await Promise.allSettled([startOwnStack(servers), buildWorker(folder)]);
  const stop = async () => {
    if (started.status === 'fulfilled') await started.value.stop();
    remove();
  };
  try {
    if (started.status === 'rejected') throw started.reason;
    if (built.status === 'rejected') throw built.reason;
    buildPages(pages);
    project.provide('pages', pages);
    project.provide('worker', built.value);
    project.provide('workerEnv', started.value.stack.workerEnv);
    project.provide('resultsFiles', readResultsFiles());
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}
