import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Response,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type ServedPanel, servePanel } from '../panel/served.ts';
import { GUIDES } from './page.ts';

const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };
const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
];

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const UPLOADS = [
  ['Upload results as JSON', '/public/v1/events/{event_id}/results'],
  ['Upload results as CSV', '/public/v1/events/{event_id}/results/file'],
] as const;

const Document = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.looseObject({ summary: z.string().optional() })),
  ),
});

let served: ServedPanel;
let browser: Browser;
let opened: BrowserContext[] = [];
/** What no page may ever do; every test ends by looking at it. */
let offences: string[] = [];

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ARGUMENTS });
  served = await servePanel();
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

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  opened.push(context);
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== served.origin && !['data:', 'blob:'].includes(protocol)) {
      offences.push(`asked ${request.url()}`);
    }
  });
  context.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (response.status() >= 400 && !pathname.startsWith('/public/v1/')) {
      offences.push(`${response.status()} ${pathname}`);
    }
  });
  const page = await context.newPage();
  page.on('pageerror', (error) => offences.push(`threw ${error.message}`));
  // Every breach of a page's policy is told here too. Scalar greets with its version; the browser
  // itself has a line about an answer that is an error, which one test provokes.
  page.on('console', (message) => {
    const isExpected =
      message.type() === 'info' || message.text().startsWith('Failed to load resource');
    if (!isExpected) offences.push(message.text());
  });
  page.setDefaultTimeout(20_000);
  await page.goto(served.origin + path);
  return page;
}

type Operation = { method: string; path: string };

const operationsOf = async (): Promise<Operation[]> => {
  const answer = await fetch(`${served.origin}/openapi.json`);
  const { paths } = Document.parse(await answer.json());
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => METHODS.includes(method))
      .map((method) => ({ method, path })),
  );
};

/** The button that opens a call to try, which names it. */
const tryButton = (page: Page, { method, path }: Operation) =>
  page.getByRole('button', { name: `Test Request (${method} ${path})` });

const heldSideways = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

describe('the reference', () => {
  test.each([
    ['wide', { viewport: { width: 1360, height: 900 } }],
    ['narrow', PHONE],
  ])('shows every operation of openapi.json, %s', async (_, options) => {
    const operations = await operationsOf();
    expect(operations.length).toBeGreaterThan(6);
    const page = await open('/docs', options);
    await page.locator('h1').waitFor();
    expect(await page.locator('h1').count()).toBe(1);
    // Each is drawn when it comes into view.
    const missing = new Set(operations);
    for (let screen = 0; missing.size > 0 && screen < 1_000; screen++) {
      for (const operation of missing) {
        if ((await tryButton(page, operation).count()) > 0) missing.delete(operation);
      }
      await page.evaluate(
        'new Promise((drawn) => { scrollBy(0, 300); requestAnimationFrame(() => requestAnimationFrame(drawn)); })',
      );
    }
    expect([...missing]).toEqual([]);
    expect(await heldSideways(page)).toBe(0);
  });

  /** Opens an operation, sends its call as it is proposed; gives what was answered. */
  async function tryOut(page: Page, summary: string, operation: Operation): Promise<Response> {
    await page.getByRole('link', { name: summary }).click();
    await tryButton(page, operation).click();
    const call = page.waitForResponse((response) => response.url().includes('/public/v1/'));
    const send = page.getByRole('dialog').getByRole('button', { name: /^Send \w+ request/ });
    await send.click();
    return call;
  }

  test('tries calls against this very origin with the key that is pasted, and keeps it nowhere', async () => {
    const { apiKey, eventId } = served.demo;
    const page = await open('/docs');
    await page.locator('.scalar-password-input').first().fill(apiKey);
    const listing = { method: 'get', path: '/public/v1/events' };
    const answer = await tryOut(page, 'List events', listing);
    expect(answer.status()).toBe(200);
    expect(new URL(answer.url()).origin).toBe(served.origin);
    expect(await answer.request().headerValue('Authorization')).toBe(`Bearer ${apiKey}`);
    await page.getByRole('dialog').getByText(eventId).first().waitFor();
    await page.keyboard.press('Escape');

    // The event of the examples is nobody's, which is told last: the bodies are good.
    for (const [summary, path] of UPLOADS) {
      const refused = await tryOut(page, summary, { method: 'post', path });
      expect([refused.status(), await refused.json()], summary).toEqual([
        404,
        { code: 'NOT_FOUND', detail: 'This event does not exist.' },
      ]);
      await page.keyboard.press('Escape');
    }

    const kept = await page.evaluate(`(async () => {
      const databases = await indexedDB.databases();
      const rows = await Promise.all(databases.map(({ name }) => new Promise((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.onerror = reject;
        opening.onsuccess = async () => {
          const all = [...opening.result.objectStoreNames].map((store) => new Promise((done) => {
            const asking = opening.result.transaction(store).objectStore(store).getAll();
            asking.onsuccess = () => done(asking.result);
          }));
          resolve(await Promise.all(all));
        };
      })));
      return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, rows]);
    })()`);
    expect(kept).not.toContain(apiKey);
    await page.reload();
    await page.locator('.scalar-password-input').first().waitFor();
    expect(await page.locator('.scalar-password-input').first().inputValue()).toBe('');
  });

  test('is light or dark as the reader has it', async () => {
    const grounds = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await open('/docs', { colorScheme });
      await page.locator(`body.${colorScheme}-mode`).waitFor();
      grounds.push(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
    }
    expect(new Set(grounds).size).toBe(2);
  });

  test('says where else to read without JavaScript', async () => {
    const page = await open('/docs', { javaScriptEnabled: false });
    await page.getByRole('link', { name: 'openapi.json' }).waitFor();
    await page.getByRole('link', { name: 'Quickstart' }).click();
    await page.getByRole('heading', { name: 'Quickstart', level: 1 }).waitFor();
  });
});

describe.each(GUIDES)('the guide $slug', ({ slug, label }) => {
  test.each(['light', 'dark'] as const)(
    'fits a narrow phone, without scripts, %s',
    async (colorScheme) => {
      const page = await open(`/docs/${slug}`, { ...PHONE, colorScheme, javaScriptEnabled: false });
      expect(await heldSideways(page)).toBe(0);
      const [ground, ink] = (await page.evaluate(`(() => {
      const { backgroundColor, color } = getComputedStyle(document.documentElement);
      const brightness = (rgb) => rgb.match(/\\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
      return [brightness(backgroundColor), brightness(color)];
    })()`)) as [number, number];
      if (colorScheme === 'light') expect(ground - ink).toBeGreaterThan(500);
      else expect(ink - ground).toBeGreaterThan(500);
    },
  );

  test('is built for those who hear it or have no mouse', async () => {
    const page = await open(`/docs/${slug}`);
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    for (const landmark of ['banner', 'main'] as const) {
      expect(await page.getByRole(landmark).count(), landmark).toBe(1);
    }
    const nav = page.getByRole('navigation', { name: 'Documentation' });
    expect(await nav.locator('[aria-current=page]').innerText()).toBe(label);
    const levels = (await page.evaluate(
      `[...document.querySelectorAll('h1, h2, h3, h4')].map(({ localName }) => Number(localName[1]))`,
    )) as number[];
    expect(levels.filter((level) => level === 1)).toEqual([1]);
    for (const [at, level] of levels.entries())
      expect(level - (levels[at - 1] ?? 0)).toBeLessThan(2);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe('#content');
  });
});

test('is served under policies that let nothing foreign in', async () => {
  const policyOf = async (path: string) => {
    const answer = await fetch(served.origin + path);
    await answer.body?.cancel();
    expect(answer.status, path).toBe(200);
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(answer.headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(answer.headers.get('Cache-Control')).toBe('no-cache');
    return String(answer.headers.get('Content-Security-Policy'));
  };
  expect(await policyOf('/docs')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
      "img-src 'self' data:; connect-src 'self'; " +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  for (const { slug } of GUIDES) {
    expect(await policyOf(`/docs/${slug}`)).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
  }
  const [module = ''] =
    /\/docs\/scalar\/[^"]+/.exec(await (await fetch(`${served.origin}/docs`)).text()) ?? [];
  const answer = await fetch(served.origin + module);
  await answer.body?.cancel();
  expect(answer.headers.get('Content-Type')).toContain('text/javascript');
  expect(answer.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
});
