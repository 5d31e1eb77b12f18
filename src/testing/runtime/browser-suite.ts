import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';
import { afterAll, aroundEach, beforeAll, expect, inject } from 'vitest';
import { connectTo, type DevServer } from './dev-server.ts';

/**
 * A wait ends with its event. The bound ends a wait whose event never comes: three tests at once on half of a processor
 * wait half a minute for an ordinary answer.
 */
export const LONG = { timeout: 120_000 };

type BrowserSuite = {
  /**
   * Opens an empty page in its own browser context. The default language is English. `beside` is a further allowed
   * origin.
   */
  newPage(options?: BrowserContextOptions & { beside?: string }): Promise<Page>;
  /** Records a forbidden act of a page. Every test expects no forbidden act. */
  offend(offence: string): void;
  /**
   * Runs the action at the end of the test. Vitest's own hook may take the end of another test, because tests run
   * concurrently.
   */
  atEnd(action: () => unknown): void;
};

/** The pages and errors of a test. The tests of a file run concurrently. */
type Seen = { contexts: BrowserContext[]; offences: string[]; atEnd: (() => unknown)[] };

const tests = new AsyncLocalStorage<Seen>();

function currentTest(): Seen {
  const seen = tests.getStore();
  if (!seen) throw new Error('A page is opened in a test.');
  return seen;
}

/** Gives a page its own clipboard, because all pages of the browser share the real clipboard. */
const OWN_CLIPBOARD = `
  let copied = '';
  navigator.clipboard.writeText = async (text) => { copied = text; };
  navigator.clipboard.readText = async () => copied;`;

/** The text last copied by the page. */
export const copiedIn = (page: Page): Promise<string> =>
  page.evaluate('navigator.clipboard.readText()');

/** Waits until the element has the focus. */
export const inFocus = (element: Locator): Promise<void> =>
  element.and(element.page().locator(':focus')).waitFor();

/** Gives the window another size and waits for the scripts that follow the size. No request is made. */
export async function resize(page: Page, width: number, height = 900): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
  );
}

/** Holds requests of a page back until the returned function runs. */
export async function holdBack(
  page: Page,
  requests: Parameters<Page['route']>[0],
): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  await page.route(requests, async (route) => {
    await released.promise;
    await route.continue();
  });
  return released.resolve;
}

/**
 * Connects the tests of a file to the pages and the browser of the run. At the end of each test its pages close, and
 * the test fails if a page asked another origin, threw, opened a dialog or wrote to the console.
 * @param started receives the server before the first test
 */
export function setUpBrowser(started: (served: DevServer) => void): BrowserSuite {
  let browser: Browser;
  let served: DevServer;

  beforeAll(async () => {
    served = connectTo(inject('devServer'));
    started(served);
    browser = await chromium.connect(inject('chromium'));
  });

  afterAll(async () => {
    await browser?.close();
    await served?.stop();
  });

  aroundEach(async (runTest) => {
    const seen: Seen = { contexts: [], offences: [], atEnd: [] };
    try {
      await tests.run(seen, runTest);
    } finally {
      await Promise.all(seen.contexts.map((context) => context.close()));
      for (const action of seen.atEnd) await action();
    }
    expect(seen.offences).toEqual([]);
  });

  return {
    offend: (offence) => void currentTest().offences.push(offence),
    atEnd: (action) => void currentTest().atEnd.push(action),
    async newPage({ beside, ...options } = {}) {
      const { contexts, offences } = currentTest();
      const context = await browser.newContext({ locale: 'en-GB', ...options });
      contexts.push(context);
      await context.addInitScript(OWN_CLIPBOARD);
      const page = await context.newPage();
      context.on('request', (request) => {
        if (![served.origin, beside].includes(new URL(request.url()).origin))
          offences.push(`asked ${request.url()}`);
      });
      page.on('pageerror', (error) => offences.push(`threw ${error.message}`));
      page.on('dialog', (dialog) => offences.push(`said ${dialog.message()}`));
      page.on('console', (message) => {
        // The browser logs a line for each error answer, and some tests provoke such answers.
        const isAnswer = message.text().startsWith('Failed to load resource');
        // On a slow machine, the part of a page that needs a preloaded file comes late.
        const isEarly = /was preloaded using link preload but not used/.test(message.text());
        if (!isAnswer && !isEarly) offences.push(message.text());
      });
      page.setDefaultTimeout(LONG.timeout);
      return page;
    },
  };
}
