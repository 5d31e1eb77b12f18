import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { fetchDocumented } from '../testing/documented.ts';
import { type ServedPanel, type Session, servePanel, signToken } from './served.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const PHONE = { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true };
const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let panel: ServedPanel;
let browser: Browser;
let opened: BrowserContext[] = [];
/** What no page may ever do; every test ends by looking at it. */
let offences: string[] = [];

beforeAll(async () => {
  // Playwright makes the profile, a new one each time, and removes it.
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ARGUMENTS });
  panel = await servePanel();
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await panel?.stop();
}, 60_000);

afterEach(async () => {
  await Promise.all(opened.map((context) => context.close()));
  opened = [];
  const seen = offences;
  offences = [];
  expect(seen).toEqual([]);
});

/** A page of a browser that remembers nothing; English unless said. */
async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    locale: 'en-GB',
    permissions: ['clipboard-write'],
    ...options,
  });
  opened.push(context);
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== panel.origin) offences.push(`asked ${request.url()}`);
  });
  const page = await context.newPage();
  page.on('pageerror', (error) => offences.push(`threw ${error.message}`));
  page.on('console', (message) => {
    // The browser's own line about an answer that is an error, which some tests provoke.
    if (!message.text().startsWith('Failed to load resource')) offences.push(message.text());
  });
  page.setDefaultTimeout(10_000);
  return page;
}

async function signedIn(session: Session, options?: BrowserContextOptions): Promise<Page> {
  const page = await newPage(options);
  await page.goto(panel.linkOf(session));
  await page.locator('#keys').waitFor();
  return page;
}

const button = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: true });

const dialogOf = (page: Page) => page.getByRole('dialog');

const secretOf = (page: Page) => page.getByRole('textbox', { name: 'Secret' });

const itemOf = (page: Page, name: string) => page.locator('.key').filter({ hasText: name });

/** Fills in the form and sends it; ends with the secret on the screen. */
async function createKey(page: Page, name: string, scopes: string[], expiry = 'Never') {
  await button(page, /New key|Create the first key/).click();
  await page.getByLabel('Name').fill(name);
  for (const scope of scopes) await page.getByLabel(scope).check();
  await page.getByLabel(expiry, { exact: true }).check();
  await button(dialogOf(page), 'Create key').click();
  const secret = await secretOf(page).inputValue();
  expect(secret).toMatch(/^er_live_[0-9A-Za-z]{38}$/);
  return secret;
}

const saved = (page: Page) => button(dialogOf(page), 'I have saved it').click();

/** What the API says to a key. */
async function answerTo(apiKey: string, path = '/public/v1/events'): Promise<number> {
  const answer = await fetchDocumented(panel.origin + path, { headers: { 'X-API-Key': apiKey } });
  await answer.body?.cancel();
  return answer.status;
}

const keysOf = ({ organizationId, token }: Session, init: RequestInit = {}) =>
  fetchDocumented(`${panel.origin}/api/v1/organizations/${organizationId}/api-keys`, {
    ...init,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
  });

const addKey = (session: Session, name: string) =>
  keysOf(session, { method: 'POST', body: JSON.stringify({ name, scopes: ['stats:read'] }) });

describe('what is served', () => {
  test('the page under a strict policy, and the API at every other path', async () => {
    for (const path of ['/panel', '/panel/panel.js', '/panel/panel.css']) {
      const answer = await fetch(panel.origin + path, { redirect: 'manual' });
      expect(answer.status, path).toBe(200);
      const policy = answer.headers.get('Content-Security-Policy') ?? '';
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).not.toContain('unsafe');
      expect(answer.headers.get('Referrer-Policy')).toBe('no-referrer');
      expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
      await answer.body?.cancel();
    }
    const slashed = await fetch(`${panel.origin}/panel/`, { redirect: 'manual' });
    expect([slashed.status, slashed.headers.get('Location')]).toEqual([307, '/panel']);
    for (const path of ['/', '/panel/none', '/public/v1/none', '/_headers']) {
      const answer = await fetch(panel.origin + path);
      expect(answer.status, path).toBe(404);
      expect(await answer.json()).toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});

describe('the session', () => {
  test('comes from the link, which leaves the address, and is kept in memory alone', async () => {
    const { demo } = panel;
    const page = await signedIn(demo);
    await itemOf(page, 'Demo key').getByText('Active').waitFor();
    expect(page.url()).toBe(`${panel.origin}/panel`);
    const kept = await page.evaluate(`(async () => JSON.stringify([
      { ...localStorage }, { ...sessionStorage }, document.cookie, history.state, window.name,
      await indexedDB.databases(), await caches.keys(), document.documentElement.outerHTML,
      [...document.querySelectorAll('input, textarea')].map(({ value }) => value),
    ]))()`);
    expect(kept).toContain('Demo key');
    expect(kept).not.toContain(demo.token);
    expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);

    await page.reload();
    await page.getByText('Kept only in this page’s memory').waitFor();
    expect(await page.getByLabel('Session token').inputValue()).toBe('');
  });

  test('can be typed in, and signed out of', async () => {
    const session = await panel.newOrganization('admin');
    const page = await newPage();
    await page.goto(`${panel.origin}/panel`);
    await button(page, 'Sign in').click();
    await page.getByText('An organization id looks like').waitFor();
    await page.getByText('A session token is three parts').waitFor();
    await page.getByLabel('Organization id').fill(` ${session.organizationId} `);
    await page.getByLabel('Session token').fill(session.token);
    await page.keyboard.press('Enter');
    await page.getByText('No keys yet').waitFor();
    await button(page, 'Sign out').click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(await page.getByLabel('Session token').inputValue()).toBe('');
  });

  test('that is not good enough is told why', async () => {
    const member = await panel.newOrganization('member');
    const { organizationId } = await panel.newOrganization();
    const refusals: [Session, string][] = [
      [{ ...member, token: await signToken('nobody', '1 hour ago') }, 'not valid or has ended'],
      [member, 'only its owners and admins manage keys'],
      [{ organizationId, token: member.token }, 'does not exist or you are not a member'],
    ];
    const page = await newPage();
    for (const [session, message] of refusals) {
      await page.goto(panel.linkOf(session));
      await page.getByRole('alert').filter({ hasText: message }).waitFor();
      expect(page.url()).toBe(`${panel.origin}/panel`);
      expect(await page.getByLabel('Organization id').inputValue()).toBe(session.organizationId);
    }
  });
});

describe('a key', () => {
  test('is made, copied, used, rotated and revoked', async () => {
    const session = await panel.newOrganization();
    const page = await signedIn(session);
    const first = await createKey(page, 'Timing van', ['events:read', 'results:write'], '30 days');
    await dialogOf(page).getByText('the only time it is shown').waitFor();
    await button(dialogOf(page), 'Copy').click();
    await page.getByText('Copied to the clipboard.').waitFor();
    await saved(page);
    await page.getByRole('status').filter({ hasText: '“Timing van” was created.' }).waitFor();
    expect(await secretOf(page).count()).toBe(0);
    expect(await page.locator('#secret').inputValue()).toBe('');

    // The page may not read the clipboard; a person pastes it.
    await button(page, 'New key').click();
    await page.keyboard.press('Control+V');
    expect(await page.getByLabel('Name').inputValue()).toBe(first);
    await button(dialogOf(page), 'Cancel').click();

    expect(await answerTo(first)).toBe(200);
    expect(await answerTo(first, `/public/v1/events/${crypto.randomUUID()}/stats`)).toBe(403);
    const { data } = (await (await keysOf(session)).json()) as {
      data: { scopes: string[]; expires_at: string }[];
    };
    expect(data).toMatchObject([{ scopes: ['events:read', 'results:write'] }]);
    const lasts = Date.parse(data[0]?.expires_at ?? '') - Date.now();
    expect(lasts / DAY_MS).toBeCloseTo(30, 1);

    const item = itemOf(page, 'Timing van');
    await item.getByText(`${first.slice(0, 12)}…`).waitFor();
    expect(await item.innerText()).toMatch(/Active.*events:read\s*results:write.*in 30 days/s);

    await button(item, 'Rotate Timing van').click();
    const question = dialogOf(page);
    for (const said of [/Rotate this key/, 'Timing van', first.slice(0, 12), 'stops working']) {
      await question.getByText(said).first().waitFor();
    }
    expect(await question.locator('.stops').innerText()).toMatch(/read events\s+upload results/);
    await button(question, 'Cancel').click();
    expect(await answerTo(first)).toBe(200);

    await button(item, 'Rotate Timing van').click();
    await button(question, 'Rotate').click();
    await page.getByText('New secret of “Timing van”').waitFor();
    const second = await secretOf(page).inputValue();
    await saved(page);
    expect(second).not.toBe(first);
    expect(await answerTo(first)).toBe(401);
    expect(await answerTo(second)).toBe(200);
    await item.getByText(`${second.slice(0, 12)}…`).waitFor();

    await button(item, 'Revoke Timing van').click();
    await question.getByText('cannot be turned on again').waitFor();
    await question.getByText(second.slice(0, 12)).waitFor();
    expect(await question.locator('.stops').innerText()).toMatch(/read events\s+upload results/);
    await button(question, 'Revoke').click();
    await item.locator('.state', { hasText: 'Revoked' }).waitFor();
    expect(await item.getByRole('button').count()).toBe(0);
    expect(await answerTo(second)).toBe(401);
  });

  test('is made with the keyboard alone, and Escape never loses the secret', async () => {
    const page = await signedIn(await panel.newOrganization());
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const focused = (selector: string) => page.locator(`${selector}:focus`).waitFor();
    await focused('#keys-title');
    await press('Tab');
    await focused('#empty button');
    await press('Enter');
    await focused('#name');
    await press('Enter');
    // Sent empty: the first thing that is wrong has the focus, and says what is.
    await focused('#name[aria-invalid=true]');
    await page.getByText('Give the key a name.').waitFor();
    await page.keyboard.type('Website');
    await press('Tab', 'Space', 'Tab', 'Tab', 'Tab', 'Space');
    await page.getByText('Choose at least one.').waitFor({ state: 'hidden' });
    await press('Tab', 'Tab', 'Tab', 'ArrowRight', 'ArrowRight');
    await page.getByText('Stops working on').waitFor();
    await press('Tab', 'Tab');
    await focused('#key-form [type=submit]');
    await press('Enter');
    await focused('#copy');
    await press('Enter');
    await page.getByText('Copied to the clipboard.').waitFor();
    await press('Escape', 'Escape', 'Escape');
    const secret = await secretOf(page).inputValue();
    expect(secret).toMatch(/^er_live_/);
    await press('Tab');
    await focused('#secret-saved');
    await press('Enter');
    await focused('.key strong');
    const item = itemOf(page, 'Website');
    expect(await item.locator('.scopes').innerText()).toMatch(/^events:read\s+stats:read$/);
    await item.getByText('in 3 months').waitFor();

    await press('Tab', 'Tab', 'Enter');
    // The harmless answer has the focus; Escape goes back to where the question was asked.
    await focused('#confirm-cancel');
    await press('Escape');
    await focused('.key .danger');
    expect(await answerTo(secret)).toBe(200);
  });

  test('can be copied where the browser forbids the clipboard', async () => {
    const page = await signedIn(await panel.newOrganization());
    await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error())');
    const secret = await createKey(page, 'Website', ['events:read']);
    await button(dialogOf(page), 'Copy').click();
    await page.getByText('The browser did not allow copying.').waitFor();
    expect(await page.evaluate('getSelection().toString()')).toBe(secret);
  });

  test('of a hostile name is text and nothing else', async () => {
    const page = await signedIn(await panel.newOrganization());
    const name = '<img src=x onerror="document.title=1"><b>bold</b>';
    await createKey(page, name, ['events:read']);
    await page.getByRole('heading', { name: `The key “${name}” is ready` }).waitFor();
    await saved(page);
    expect(await page.locator('.key strong').innerText()).toBe(name);
    await button(page, `Revoke ${name}`).click();
    expect(await page.locator('#confirm-name').innerText()).toBe(name);
    expect(await page.locator('img[src=x], .key b, dialog b').count()).toBe(0);
    expect(await page.title()).toBe('API keys');
  });

  test('that has expired says so', async () => {
    const session = await panel.newOrganization();
    const expires_at = new Date(Date.now() + 1_500).toISOString();
    const key = { name: 'Old report', scopes: ['stats:read'], expires_at };
    await keysOf(session, { method: 'POST', body: JSON.stringify(key) });
    await new Promise((resolve) => setTimeout(resolve, 1_600));
    const page = await signedIn(session);
    const item = itemOf(page, 'Old report');
    await item.locator('.state', { hasText: 'Expired' }).waitFor();
    expect(await item.getByRole('button').allInnerTexts()).toEqual(['Revoke']);
  });
});

describe('the form', () => {
  test('refuses what the API would', async () => {
    const page = await signedIn(await panel.newOrganization());
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') asked.push(request.url());
    });
    await button(page, 'Create the first key').click();
    await page.getByLabel('Name').fill('x'.repeat(101));
    await page.getByLabel('On a date').check();
    await page.getByLabel('Date and time').fill('2020-01-31T12:00');
    await button(dialogOf(page), 'Create key').click();
    await page.getByText('At most 100 characters; this has 101.').waitFor();
    await page.getByText('Choose at least one.').waitFor();
    await page.getByText('Choose a moment in the future.').waitFor();
    expect(asked).toEqual([]);
  });

  test('says what the API refused, and keeps what was typed', async () => {
    const page = await signedIn(await panel.newOrganization());
    await button(page, 'Create the first key').click();
    // Half a character: the one wrong name that the page leaves to the API.
    await page.evaluate(`document.querySelector('#name').value = 'Van \\ud83d'`);
    await page.getByLabel('events:read').check();
    await button(dialogOf(page), 'Create key').click();
    const refusal = dialogOf(page).getByRole('alert');
    await refusal.getByText('expected a text of 1 to 100 characters').waitFor();
    await refusal.getByText('The API did not accept this:').waitFor();

    await page.getByLabel('Name').fill('Van');
    await page.route('**/api-keys', (route) => route.fulfill({ status: 503 }));
    await button(dialogOf(page), 'Create key').click();
    await refusal.getByText('did not manage to answer').waitFor();
    await page.unroute('**/api-keys');
    await page.route('**/api-keys', (route) => route.abort());
    await button(dialogOf(page), 'Create key').click();
    await refusal.getByText('the key may exist already').waitFor();
    await page.unroute('**/api-keys');

    expect(await page.getByLabel('Name').inputValue()).toBe('Van');
    await button(dialogOf(page), 'Create key').click();
    await page.getByText('The key “Van” is ready').waitFor();
  });

  test('keeps what was typed when the session ends meanwhile', async () => {
    const session = await panel.newOrganization();
    const page = await signedIn(session);
    await button(page, 'Create the first key').click();
    await page.getByLabel('Name').fill('Half done');
    await page.getByLabel('stats:read').check();
    await page.route('**/api-keys', (route) => route.fulfill({ status: 401 }));
    await button(dialogOf(page), 'Create key').click();
    await page.getByRole('alert').filter({ hasText: 'not valid or has ended' }).waitFor();
    await page.unroute('**/api-keys');
    await page.getByLabel('Session token').fill(session.token);
    await button(page, 'Sign in').click();
    await button(page, 'Create the first key').click();
    expect(await page.getByLabel('Name').inputValue()).toBe('Half done');
    expect(await page.getByLabel('stats:read').isChecked()).toBe(true);
  });
});

describe('the list', () => {
  test('turns its pages, and survives a failure', async () => {
    const session = await panel.newOrganization();
    for (let number = 1; number <= 21; number++) await addKey(session, `Key ${number}.`);
    const page = await signedIn(session);
    await page.getByText('Page 1 of 2 · 21 keys').waitFor();
    expect(await page.locator('.key').count()).toBe(20);
    await page.route('**/api-keys?page=2', (route) => route.abort());
    await button(page, 'Next').click();
    await page.getByRole('alert').filter({ hasText: 'No answer came.' }).waitFor();
    expect(await page.locator('.key').count()).toBe(20);
    await page.unroute('**/api-keys?page=2');
    await button(page, 'Try again').click();
    await page.getByText('Page 2 of 2').waitFor();
    expect(await page.locator('.key strong').allInnerTexts()).toEqual(['Key 1.']);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await button(page, 'Next').isDisabled()).toBe(true);
  });
});

describe('the reader', () => {
  test('gets Spanish or English, by their browser and by choice', async () => {
    const session = await panel.newOrganization();
    await addKey(session, 'Website');
    const page = await signedIn(session, { locale: 'es-AR' });
    const languageOf = () => page.evaluate('document.documentElement.lang + document.title');
    expect(await languageOf()).toBe('esClaves de API');
    expect(await itemOf(page, 'Website').innerText()).toMatch(/Activa.*Nunca.*Rotar/s);
    await button(page, 'EN, English').click();
    expect(await languageOf()).toBe('enAPI keys');
    expect(await itemOf(page, 'Website').innerText()).toMatch(/Active.*Never.*Rotate/s);
    await button(page, 'ES, Español').click();
    await button(page, 'Revocar Website').click();
    await page.getByText('Los programas que la usan ya no podrán:').waitFor();
    await page.getByText('leer estadísticas').waitFor();

    const other = await newPage({ locale: 'fr-FR' });
    await other.goto(`${panel.origin}/panel`);
    await button(other, 'Sign in').waitFor();
  });

  test('can use a phone: nothing is wider than it, nothing smaller than a finger', async () => {
    const session = await panel.newOrganization();
    const page = await newPage({ ...PHONE, locale: 'es-ES' });
    const fits = async (view: string) => {
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect(width, view).toBeLessThanOrEqual(375);
      const small = await page.evaluate(`[...document.querySelectorAll(
        document.querySelector('dialog[open]') ? 'dialog[open] :is(button, label:has(input), #name)' : 'button',
      )].filter((one) => one.checkVisibility()).map((one) => [one.innerText, one.getBoundingClientRect()])
        .filter(([, { width, height }]) => Math.min(width, height) < 43.9).map(([text]) => text)`);
      expect(small, view).toEqual([]);
    };
    await page.goto(`${panel.origin}/panel`);
    await button(page, 'Entrar').waitFor();
    await fits('sign in');
    await page.goto(panel.linkOf(session));
    await button(page, 'Crear la primera clave').click();
    await fits('form');
    await page.getByLabel('Nombre').fill('Cronometraje-de-la-media-maratón-'.repeat(3));
    for (const box of await page.getByRole('checkbox').all()) await box.check();
    await button(dialogOf(page), 'Crear clave').click();
    await page.getByText('Guárdalo ahora').waitFor();
    await fits('secret');
    await button(page, 'Ya lo guardé').click();
    await page.locator('.key').waitFor();
    await fits('list');
    await button(page, /^Revocar /).click();
    await fits('confirmation');
  });
});
