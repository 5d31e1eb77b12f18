import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type Build, buildWorker } from './runtime/bundle.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The Worker in its deployed form. */
    worker: Build;
  }
}

/** Builds the Worker for tests that start the Worker. */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'build-'));
  project.provide('worker', await buildWorker(folder));
  return () => rmSync(folder, { recursive: true, force: true });
}
