import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchChromium } from './chromium.ts';
import { type DevServer, startDevServer } from './dev-server.ts';

type BrowserSuite = {
  /** Opens an empty page in a browser context of its own. The default language is English. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
  /** Records what no page may do. Every test expects nothing at its end. */
  offend(offence: string): void;
};

/**
 * Starts the pages and a browser for the tests of a file. At the end of each test its pages close, and it
 * fails if one asked another origin, threw, opened a dialog or wrote to the console.
 * @param started receives the server before the first test
 */
export function setUpBrowser(started: (served: DevServer) => void): BrowserSuite {
  let browser: Browser;
  let served: DevServer;
  let opened: BrowserContext[] = [];
  let offences: string[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
    served = await startDevServer();
    started(served);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await served?.stop();
  }, 60_000);

  afterEach(async () => {
    await Promise.all(opened.map((context) => context.close()));
    opened = [];
    const seen = offences;
    offences = [];
    expect(seen).toEqual([]);
  });

  return {
    offend: (offence) => void offences.push(offence),
    async newPage(options = {}) {
      const context = await browser.newContext({ locale: 'en-GB', ...options });
      opened.push(context);
      const page = await context.newPage();
      // Scalar makes images of data, and logs its version.
      const isScalar = () => page.url().startsWith(`${served.origin}/docs/console`);
      context.on('request', (request) => {
        const { origin, protocol } = new URL(request.url());
        const isData = ['data:', 'blob:'].includes(protocol) && isScalar();
        if (origin !== served.origin && !isData) offences.push(`asked ${request.url()}`);
      });
      page.on('pageerror', (error) => offences.push(`threw ${error.message}`));
      page.on('dialog', (dialog) => offences.push(`said ${dialog.message()}`));
      page.on('console', (message) => {
        // The browser logs a line for each error answer, and some tests provoke one.
        const isAnswer = message.text().startsWith('Failed to load resource');
        const isVersion = message.type() === 'info' && isScalar();
        if (!isAnswer && !isVersion) offences.push(message.text());
      });
      page.setDefaultTimeout(30_000);
      return page;
    },
  };
}
