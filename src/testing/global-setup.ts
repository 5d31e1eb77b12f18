import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { TestProject } from 'vitest/node';
import type { Stack } from '../dev/stack/stack.ts';
import { buildPages } from '../site/pages.ts';
import { readResultsFiles } from './results-files.ts';
import type { RealServers } from './runtime/own-stack.ts';

declare module 'vitest' {
  interface ProvidedContext {
    servers: RealServers | undefined;
    workerEnv: Stack['workerEnv'];
    /** The folder of the built pages. */
    pages: string;
    /** JSON of `ResultsFile[]`: vitest encodes a text a hundred times faster than its parts. */
    resultsFiles: string;
  }
}

/**
 * All tests of a run share a stack; each test makes its own organization. With `servers` in the configuration the stack
 * uses these servers, whose Redis is shared: the limiter's keys are random and expire.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { servers } = project.getProvidedContext();
  const thread = new Worker(new URL('./runtime/stack-thread.ts', import.meta.url), {
    workerData: servers,
  });
  // Not `.site`, which `npm run dev` may be serving at this moment.
  const pages = mkdtempSync(join(tmpdir(), 'pages-'));
  const ended = new Promise((resolve) => thread.once('exit', resolve));
  const stop = async () => {
    thread.postMessage('stop');
    await ended;
    rmSync(pages, { recursive: true, force: true });
  };
  try {
    const started = once(thread, 'message');
    buildPages(pages);
    const [workerEnv] = await started;
    project.provide('pages', pages);
    project.provide('workerEnv', workerEnv);
    project.provide('resultsFiles', JSON.stringify(readResultsFiles()));
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}
