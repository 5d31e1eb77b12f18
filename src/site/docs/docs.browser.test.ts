import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { listen } from '../../dev/stack/listen.ts';
import { insertRace, setUpEvent } from '../../dev/stack/seed.ts';
import { expectNoViolations, violationsOf } from '../../testing/runtime/axe.ts';
import { copiedIn, setUpBrowser } from '../../testing/runtime/browser-suite.ts';
import { waitForAddress } from '../../testing/runtime/chromium.ts';
import type { DevServer } from '../../testing/runtime/dev-server.ts';
import { measureShifts, shiftsOf } from '../../testing/runtime/shifts.ts';
import { GUIDES, pathOf, SPANISH } from './page.ts';

const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };

let served: DevServer;
const { newPage, offend, atEnd } = setUpBrowser((started) => {
  served = started;
});

/** Opens a page. Only the operations of the API may answer with an error. */
async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await newPage(options);
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (response.status() >= 400 && !pathname.startsWith('/public/v1/')) {
      offend(`${response.status()} ${pathname}`);
    }
  });
  await page.goto(served.origin + path);
  return page;
}

const heldSideways = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

describe('the reference', () => {
  test('is read without JavaScript, operation by operation', async () => {
    const page = await open('/docs/reference', { ...PHONE, javaScriptEnabled: false });
    await page.getByRole('link', { name: 'Upload results as a file' }).click();
    await page.getByRole('heading', { name: 'Upload results as a file' }).waitFor();
    expect(await heldSideways(page)).toBe(0);
    const sample = page.locator('.sample').filter({ hasText: 'results.csv' }).first();
    await sample.getByRole('radio', { name: 'Python' }).check();
    await sample.getByText("files={'file': open('results.csv', 'rb')}").waitFor();
    await sample.locator('.sh').waitFor({ state: 'hidden' });
  });

  test('has samples with the reader’s key, and shows only its start', async () => {
    const { apiKey, eventId } = served.demo;
    const page = await open('/docs/reference/events');
    await page.getByLabel('Your API key').fill(apiKey);
    await page.getByLabel('Your event’s id').fill(eventId);
    await page.locator('.block .copy').filter({ visible: true }).first().click();
    await page.locator('.block').getByRole('button', { name: 'Copied' }).first().waitFor();
    expect(await page.locator('body').innerText()).not.toContain(apiKey);
  });
});

describe('the page that verifies official results', () => {
  /** Makes the results of a new event official. */
  async function makeOfficial() {
    const { eventId, organizationId, apiKey, token } = served.demo;
    // In UTC, the evening is on the next day.
    await served.pool.query(
      `update events set event_date = '2026-11-30T01:30:00Z', time_zone = 'America/Bogota' where id = $1`,
      [eventId],
    );
    const send = (path: string, init: RequestInit) =>
      fetch(`${served.origin}${path}`, init).then((answer) => answer.text());
    const event = `/public/v1/events/${eventId}`;
    const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
    const results = [
      { bib_number: '17', chip_time: '1:28:03' },
      { bib_number: '18', chip_time: '1:30:00' },
    ];
    await send(`${event}/results`, { method: 'POST', headers, body: JSON.stringify({ results }) });
    const panel = `/api/v1/organizations/${organizationId}/events/${eventId}/results/official`;
    await send(panel, { method: 'POST', headers: { Authorization: `Bearer ${token}` } });
    return {
      eventId,
      version: await send(`${event}/results/official/1`, { headers }),
      csv: await send(`${event}/results/export`, { headers }),
    };
  }

  const fileOf = (name: string, text: string) => ({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(text),
  });

  test('tells a version that nobody changed from others, and sends nothing', async () => {
    const { eventId, version, csv } = await makeOfficial();
    const page = await open(`/docs/verify?event=${eventId}`, PHONE);
    const sent: string[] = [];
    page.on('request', (request) =>
      sent.push(`${request.method()} ${new URL(request.url()).pathname}`),
    );
    const choose = (label: RegExp, name: string, text: string) =>
      page.getByLabel(label).setInputFiles(fileOf(name, text));
    const verdict = page.getByRole('status');
    const says = (text: string | RegExp) => verdict.getByText(text).waitFor();

    await choose(/official version/, 'a.jsonl', version);
    await says('The signature is right, and every result is as it was signed.');
    await says(/, 29 November 2026$/);
    await says(/^Version 1 of \d+ \w+ \d{4} at \d\d:\d\d$/);
    await choose(/official version/, 'a.jsonl', version.replace('01:28:03', '01:27:03'));
    await says('The results are not those that were signed:');
    await choose(/official version/, 'a.jsonl', version.replace(/\{"bib_number":"18".*\n/, ''));
    await says('The results are not those that were signed:');
    await choose(/official version/, 'a.jsonl', version.replace(/\.(\w)/, '.A$1'));
    await says('The signature is wrong:');
    await choose(/official version/, 'a.csv', csv);
    await says('This file is no official version of results.');

    await choose(/official version/, 'a.jsonl', version);
    await choose(/export of results/, 'b.csv', csv);
    await says('The export says the same');
    await choose(/export of results/, 'b.csv', csv.replace('01:28:03', '01:27:03'));
    await verdict.getByRole('cell', { name: '01:27:03.000' }).waitFor();
    const named = verdict.locator('td[data-column="In the export"]');
    expect(await named.allInnerTexts()).toEqual(['01:27:03.000']);
    expect(await heldSideways(page)).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    const others = sent.filter((request) => request !== 'GET /favicon.svg');
    const board = `GET /board/v1/${eventId}`;
    expect(new Set(others)).toEqual(new Set(['GET /.well-known/jwks.json', board]));

    await page.reload();
    await page.getByRole('button', { name: 'Check the published file' }).click();
    await says('The signature is right, and every result is as it was signed.');
    await choose(/export of results/, 'b.csv', csv);
    await says('The export says the same');
    expect(await violationsOf(page)).toEqual([]);

    await page.goto(`${served.origin}/docs/verify?event=${crypto.randomUUID()}`);
    await choose(/official version/, 'a.jsonl', version);
    await says('The signature is right, and it is of another event.');

    await page.getByRole('link', { name: 'Español' }).click();
    await page.getByLabel(/versión oficial/).waitFor({ state: 'attached' });
    expect(await page.getByRole('button', { name: /archivo publicado/ }).count()).toBe(0);
    await choose(/versión oficial/, 'a.jsonl', version);
    await says('La firma es correcta, y cada resultado está como se firmó.');
    await choose(/exportación de resultados/, 'b.csv', csv.replace('01:28:03', '01:27:03'));
    await says('1 fila es distinta.');
    await verdict.getByRole('columnheader', { name: 'En la exportación' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });
});

test.each([
  ['/docs', PHONE],
  ['/docs/quickstart', PHONE],
  ['/docs/csv', {}],
  ['/docs/live-folder', {}],
  ['/docs/verify', PHONE],
  ['/docs/es/verify', PHONE],
  ['/docs/reference', {}],
  ['/docs/reference/uploads', PHONE],
])('moves nothing on %s when its script comes late', async (path, options) => {
  const page = await newPage(options);
  await measureShifts(page, '**/assets/*.js');
  const script = page.waitForResponse('**/assets/docs-*.js');
  await page.goto(served.origin + path);
  await (await script).finished();
  await page.locator('#search-words').fill('upload');
  await page.locator('.results a').first().waitFor();
  expect(await shiftsOf(page)).toBeLessThan(0.02);
});

test('keeps the language that the reader chose, and moves nothing for it', async () => {
  const page = await open('/docs/quickstart');
  await page.getByRole('radio', { name: 'PHP' }).nth(1).check();
  expect(await page.getByText('curl -s').filter({ visible: true }).count()).toBe(0);
  await measureShifts(page, '**/assets/docs-*.js');
  await page.goto(`${served.origin}/docs/reference/results`);
  await page.getByText('curl_setopt_array').first().waitFor();
  await page.locator('.sample .sh').first().waitFor({ state: 'hidden' });
  expect(await page.getByRole('radio', { name: 'PHP' }).first().isChecked()).toBe(true);
  await page.waitForFunction("document.querySelector('[data-sample=api]')?.dataset.value");
  expect(await shiftsOf(page)).toBeLessThan(0.02);
});

describe('the start page', () => {
  test('weighs less than 30 KB with everything it loads, and waits for nothing before it shows', async () => {
    const page = await open('/docs');
    await page.locator('.copy').waitFor();
    const loaded = (await page.evaluate(`
      [...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')]
        .map(({ name, decodedBodySize, renderBlockingStatus }) => [name, decodedBodySize, renderBlockingStatus])
    `)) as [string, number, string][];
    const bytes = loaded.reduce((sum, [, size]) => sum + size, 0);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(30_000);
    expect(loaded.filter(([, , status]) => status === 'blocking')).toEqual([]);
  });

  test('shows the board in a picture', async () => {
    const page = await open('/docs', PHONE);
    const picture = page.getByRole('img', { name: 'The live board' });
    expect((await picture.boundingBox())?.width).toBeGreaterThan(250);
    await picture.click();
    await page.getByRole('heading', { level: 1, name: /board/i }).waitFor();
  });

  test('leads to every guide, the reference and the panel, also without JavaScript', async () => {
    const page = await open('/docs', { ...PHONE, javaScriptEnabled: false });
    const hrefs = (await page.evaluate(
      `[...document.querySelectorAll('main a')].map((link) => link.getAttribute('href'))`,
    )) as string[];
    const places = ['/docs/reference', '/panel', '/openapi.json', '/llms.txt'];
    expect(hrefs).toEqual(expect.arrayContaining(places));
    expect(hrefs).toEqual(expect.arrayContaining(GUIDES.map(({ slug }) => `/docs/${slug}`)));
    expect(await heldSideways(page)).toBe(0);
  });
});

describe('the search', () => {
  test('finds parts of all guides and leads to them', async () => {
    const page = await open('/docs/errors');
    const words = page.getByRole('combobox', { name: 'Search the documentation' });
    await words.fill('retry safe');
    const results = page.locator('.results a');
    await results.first().waitFor();
    expect(await results.first().innerText()).toContain('Why a retry is safe');
    await words.press('Enter');
    await waitForAddress(page, `${served.origin}/docs/live-timing#why-a-retry-is-safe`);
  });

  test.each([
    'python',
    'pagination',
    'webhook',
    'CORS',
    'disqualify',
    'chiptime',
    'revertResultBatch',
    'upload',
    'subir resultados',
    'certificate',
    'names in results',
  ])('finds %s', async (word) => {
    const page = await open('/docs');
    await page.keyboard.press('/');
    await page.keyboard.type(word);
    await page.locator('.results a').first().waitFor();
  });

  test('is reached with Ctrl-K, and its results with the arrows', async () => {
    const page = await open('/docs');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('upload');
    await page.locator('.results a').nth(1).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const href = await page.locator('.results a').nth(1).getAttribute('href');
    await page.keyboard.press('Enter');
    await waitForAddress(page, served.origin + href);
  });

  test('finds Spanish parts on a Spanish page, and says which parts are in English', async () => {
    const page = await open('/docs/es', PHONE);
    expect(await heldSideways(page)).toBe(0);
    const words = page.getByRole('combobox', { name: 'Buscar en la documentación' });
    await words.fill('descargar los resultados');
    const results = page.locator('.results a');
    await results.first().waitFor();
    expect(await results.first().getAttribute('href')).toBe(
      '/docs/es/organizing#descargar-los-resultados',
    );
    await words.fill('tambien se puede deshacer');
    await page.locator('.results a', { hasText: 'Deshacer' }).waitFor();
    await words.fill('idempotency');
    const english = page.locator('.results a[hreflang=en]', { hasText: '(en inglés)' }).first();
    await english.waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await words.fill('xyzzy');
    await page.getByText('Ninguna página tiene “xyzzy”.').waitFor();
    await page.goto(`${served.origin}/docs`);
    await page.getByRole('combobox').fill('descargar');
    await page.getByText('No page has “descargar”.').waitFor();
  });

  test('says when it finds nothing, and closes with Escape', async () => {
    const page = await open('/docs');
    const words = page.getByRole('combobox', { name: 'Search the documentation' });
    await words.fill('<b>xyzzy</b>');
    await page.getByText('No page has “<b>xyzzy</b>”.').waitFor();
    await words.press('Escape');
    await page.locator('.results').waitFor({ state: 'hidden' });
    expect(await words.inputValue()).toBe('');
  });
});

describe('the samples', () => {
  const EVENT = '123e4567-e89b-12d3-a456-426614174000';
  const block = (page: Page, text: string) =>
    page
      .locator('.block')
      .filter({ has: page.locator('pre', { hasText: text }) })
      .first();

  /** Copies the selection as a reader does with the keyboard. */
  const copyByHand = (page: Page, text: string) =>
    page.evaluate(`(() => {
      const isSought = (pre) => pre.checkVisibility() && pre.textContent.includes('${text}');
      const pre = [...document.querySelectorAll('.block pre')].find(isSought);
      getSelection().selectAllChildren(pre);
      const clipboardData = new DataTransfer();
      pre.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
      return clipboardData.getData('text/plain');
    })()`);

  /** Copies a block with its button. The lines are joined. */
  async function copied(page: Page, text: string): Promise<string> {
    await block(page, text).getByRole('button', { name: 'Copy' }).click();
    await block(page, text).getByRole('button', { name: 'Copied' }).waitFor();
    return (await copiedIn(page)).replace(/\s+/g, ' ');
  }

  test('have the host of the page, and a key and an event that the reader types once', async () => {
    const { apiKey } = served.demo;
    const page = await open('/docs/quickstart');
    const lookup = `curl -s "${served.origin}/public/v1/events/$EVENT/participants/lookup?bib=17" \\ -H "X-API-Key: $KEY"`;
    expect(await copied(page, 'lookup')).toBe(lookup);
    await page.getByLabel('Your API key').fill(apiKey);
    await page.getByLabel('Your event’s id').fill(EVENT);
    const filled = lookup.replace('$KEY', apiKey).replace('$EVENT', EVENT);
    expect(await copied(page, 'lookup')).toBe(filled);
    // The page shows only the start of the key.
    expect(await page.locator('body').innerText()).not.toContain(apiKey);
    expect(await page.locator('body').innerText()).toContain(`${apiKey.slice(0, 12)}…`);

    // A sample selected by hand works too.
    expect(await copyByHand(page, 'lookup')).toContain(apiKey);

    await page.goto(`${served.origin}/docs/crm`);
    expect(await copied(page, 'participants/export?')).toContain(apiKey);
    const other = await open('/docs/crm');
    expect(await other.getByLabel('Your API key').inputValue()).toBe('');
    expect(await page.evaluate('localStorage.length + document.cookie.length')).toBe(0);
    await page.getByLabel('Your API key').fill('');
    expect(await copied(page, 'participants/export?')).toContain('$KEY');
    expect(await page.evaluate('sessionStorage.length')).toBe(1);
  });

  test('refuse what is no key or id, because readers paste them into a shell', async () => {
    const page = await open('/docs/quickstart');
    await page.getByLabel('Your API key').fill('er_live_$(id)');
    await page.getByText('A key has er_live_ and 38 letters and digits.').waitFor();
    await page.getByLabel('Your event’s id').fill('"; id');
    await page.getByText('An id looks like').waitFor();
    expect(await copied(page, 'lookup')).toMatch(/\$EVENT.*\$KEY/);
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  test('stand under the contents of their guide', async () => {
    const page = await open('/docs/quickstart');
    const contents = page.getByRole('navigation', { name: 'On this page' });
    await contents.getByRole('link', { name: 'Upload results' }).click();
    await waitForAddress(page, `${served.origin}/docs/quickstart#upload-results`);
  });
});

describe('the page of results of a site of its own', () => {
  /** The page of the guide, served by a club's server. */
  async function startClub(eventId: string) {
    const guide = readFileSync(join(import.meta.dirname, 'guides/own-site.md'), 'utf8');
    const [, sample = ''] = /```html\n([\s\S]*?)\n```/.exec(guide) ?? [];
    expect(sample.split('\n').length).toBeLessThanOrEqual(30);
    const html = sample.replace('$API', served.origin).replace('$EVENT', eventId);
    const server = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html').end(html);
    });
    const port = await listen(server);
    atEnd(() => server.close());
    return `http://127.0.0.1:${port}`;
  }

  test('shows the board from another origin, follows it, and runs nothing that people typed', async () => {
    const { eventId, path, key } = await insertRace(
      drizzle(served.pool),
      [
        { bib_number: '1', given_names: 'Ada', surnames: 'Ejemplo', distance: '21K' },
        { bib_number: '2', given_names: '<img/src=x>', surnames: 'Muestra', distance: '21K' },
      ],
      { event: { board_enabled: true, board_names: 'initials' } },
    );
    const send = (bib_number: string, time: string) =>
      fetch(`${served.origin}${path}/results`, {
        method: 'POST',
        headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
        body: JSON.stringify({ results: [{ bib_number, time }] }),
      });
    await send('1', '01:28:03');
    const club = await startClub(eventId);
    const page = await newPage({ beside: club });
    await page.goto(club);
    await page.getByRole('heading', { name: 'Harbour Half' }).waitFor();
    await page.getByText('21K 1 results, provisional').waitFor();
    const cells = () => page.locator('td').allInnerTexts();
    expect(await cells()).toEqual(['1', '1', 'Ada E.', '01:28:03.000']);
    await send('2', '01:20:00');
    await page.getByText('<img/src=x> M.').waitFor();
    expect((await cells())[1]).toBe('2');
    await setUpEvent(drizzle(served.pool), eventId, { board_enabled: false });
    await page.getByText('The board answers 404.').waitFor();
  });
});

describe('axe', () => {
  const paths = [
    ...['/docs', '/docs/reference', '/docs/reference/uploads'],
    ...GUIDES.map(({ slug }) => `/docs/${slug}`),
    ...SPANISH.map((slug) => pathOf(`es/${slug}`)),
  ];

  test.each(paths)('finds nothing on %s, light and dark', async (path) => {
    const page = await open(path);
    if (path === '/docs') {
      await page.getByRole('combobox').fill('retry');
      await page.locator('.results a').first().waitFor();
      await page.getByLabel('Your API key').fill('wrong');
    }
    await expectNoViolations(page, path);
  });
});

test.each(GUIDES)('fits the guide $slug on a narrow phone without scripts', async ({ slug }) => {
  const page = await open(`/docs/${slug}`, { ...PHONE, javaScriptEnabled: false });
  expect(await heldSideways(page)).toBe(0);
});

test('is light or dark as the reader prefers', async () => {
  const page = await open('/docs/quickstart');
  const brightnesses = async () =>
    (await page.evaluate(`(() => {
      const { backgroundColor, color } = getComputedStyle(document.documentElement);
      const brightness = (rgb) => rgb.match(/\\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
      return [brightness(backgroundColor), brightness(color)];
    })()`)) as [number, number];
  for (const [colorScheme, sign] of [
    ['light', 1],
    ['dark', -1],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    const [ground, ink] = await brightnesses();
    expect(sign * (ground - ink), colorScheme).toBeGreaterThan(500);
  }
});

test('has a skip link', async () => {
  const page = await open('/docs/quickstart');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await waitForAddress(page, `${served.origin}/docs/quickstart#content`);
});

test('serves the documentation with policies that allow only its own origin', async () => {
  const policyOf = async (path: string) => {
    const answer = await fetch(served.origin + path);
    await answer.body?.cancel();
    expect(answer.status, path).toBe(200);
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(answer.headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(answer.headers.get('Cache-Control')).toBe('no-cache');
    return String(answer.headers.get('Content-Security-Policy'));
  };
  const own = "default-src 'none'; script-src 'self'; ";
  const rest =
    "; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
  const start = await policyOf('/docs');
  expect(start.startsWith(`${own}style-src 'sha256-`) && start.endsWith(rest), start).toBe(true);
  expect(await policyOf('/docs/reference/events')).toBe(`${own}style-src 'self'${rest}`);
  for (const { slug } of GUIDES) {
    expect(await policyOf(`/docs/${slug}`)).toBe(`${own}style-src 'self'${rest}`);
  }
});
