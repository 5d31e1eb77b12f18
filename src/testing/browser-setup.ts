import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { CHROMIUM } from './runtime/chromium.ts';
import { type DevServerAddress, startDevServer } from './runtime/dev-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    devServer: DevServerAddress;
    /** The address of Chromium's debugger. */
    chromium: string;
  }
}

/** All files of a run share a server of the pages and a Chromium. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [served, browser] = await Promise.all([startDevServer(), chromium.launchServer(CHROMIUM)]);
  const { origin, demo, databaseUrl, panelSecret } = served;
  project.provide('devServer', { origin, demo, databaseUrl, panelSecret });
  project.provide('chromium', browser.wsEndpoint());
  return async () => {
    await browser.close();
    await served.stop();
  };
}
