import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate } from '../dev/stack/migrate.ts';
import type { Stack } from '../dev/stack/stack.ts';
import { buildPages } from '../site/pages.ts';
import { type ResultsFile, readResultsFiles } from './results-files.ts';
import { type Build, buildWorker } from './runtime/bundle.ts';
import type { RealServers } from './runtime/own-stack.ts';

declare module 'vitest' {
  interface ProvidedContext {
    workerEnv: Stack['workerEnv'];
    /** The folder of the built pages. */
    pages: string;
    /** The Worker as it is deployed. */
    worker: Build;
    servers: RealServers | undefined;
    resultsFiles: ResultsFile[];
  }
}

/**
 * Provides what all tests of a run share. The builds go to a folder of their own: `npm run dev` may be
 * serving `.site` at this moment.
 * @returns a function that removes the builds
 */
export async function provideShared(
  project: TestProject,
  stack: Stack,
  servers: RealServers | undefined,
): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'run-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const pages = join(folder, 'pages');
  try {
    const [worker] = await Promise.all([buildWorker(folder), migrate(stack.postgresUrl)]);
    buildPages(pages);
    project.provide('worker', worker);
  } catch (error) {
    remove();
    throw error;
  }
  project.provide('pages', pages);
  project.provide('workerEnv', stack.workerEnv);
  project.provide('servers', servers);
  project.provide('resultsFiles', readResultsFiles());
  return remove;
}
