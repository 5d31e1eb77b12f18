import { drizzle } from 'drizzle-orm/node-postgres';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { describe, expect, test, vi } from 'vitest';
import { insertEvent } from '../../dev/stack/seed.ts';
import { fetchDocumented } from '../../testing/documented.ts';
import { expectNoViolations } from '../../testing/runtime/axe.ts';
import { copiedIn, holdBack, inFocus, resize } from '../../testing/runtime/browser-suite.ts';
import { waitForAddress } from '../../testing/runtime/chromium.ts';
import { type Session, signToken } from '../../testing/runtime/dev-server.ts';
import {
  button,
  historyOf,
  LONG,
  linkTo,
  listOf,
  newPage,
  panel,
} from '../../testing/runtime/race-suite.ts';
import { measureShifts, shiftsOf } from '../../testing/runtime/shifts.ts';
import type { CreatedApiKey } from '../../worker/api-keys/answer-schemas.ts';
import { SCOPES } from '../../worker/scopes.ts';
import { OPERATIONS } from '../openapi/operations.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const PHONE = { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true };

async function signedIn(session: Session, options?: BrowserContextOptions): Promise<Page> {
  const page = await newPage(options);
  await page.goto(panel.linkOf(session).replace('#', '?view=keys#'));
  await page.locator('#foot').waitFor();
  return page;
}

const dialogOf = (page: Page) => page.getByRole('dialog');

/** The browser's message about a field when its form is sent. */
const problemOf = (field: Locator): Promise<string> =>
  field.evaluate((input) => String(Reflect.get(input, 'validationMessage')));

const secretOf = (page: Page) => page.getByRole('textbox', { name: 'Full key' });

const nameOf = (page: Page) => page.getByRole('textbox', { name: /^(Name|Nombre)$/ });

const raceOf = (page: Page) => page.getByRole('combobox', { name: 'Race', exact: true });

const letterOf = (page: Page) => page.getByRole('textbox', { name: 'Text to send with the key' });

const keyRows = (page: Page) => listOf(page, /^(API keys|Claves de API)$/).locator('> li');

const itemOf = (page: Page, name: string) => keyRows(page).filter({ hasText: name });

/** The texts that the page cuts off. */
const cutIn = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('main *, dialog[open] *')]
    .filter((one) => one.checkVisibility() && !one.closest('.unseen') && one.textContent.trim() && one.children.length === 0)
    .filter((one) => {
      const { overflowX, overflowY } = getComputedStyle(one);
      const isCut = (overflow, has, shows) => overflow !== 'visible' && overflow !== 'auto' && has > shows + 1;
      return isCut(overflowX, one.scrollWidth, one.clientWidth) || isCut(overflowY, one.scrollHeight, one.clientHeight);
    })
    .map((one) => one.textContent)`);

/** Fills in the form and sends it. Returns with the secret on the screen. */
async function createKey(page: Page, name: string, scopes: string[], expiry = 'Never') {
  await button(page, /New key|Create the first key/).click();
  await nameOf(page).fill(name);
  for (const scope of scopes) await page.getByLabel(scope).check();
  await page.getByLabel(expiry, { exact: true }).check();
  await button(dialogOf(page), 'Create key').click();
  const secret = await secretOf(page).inputValue();
  expect(secret).toMatch(/^er_live_[0-9A-Za-z]{38}$/);
  return secret;
}

const saved = (page: Page) => button(dialogOf(page), 'I have saved the key').click();

/** The status of a request with a key. */
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

describe('the panel server', () => {
  test('serves the page with a strict policy, and the API at every other path', async () => {
    const answer = await fetch(`${panel.origin}/panel`, { redirect: 'manual' });
    expect(answer.status).toBe(200);
    const policy = answer.headers.get('Content-Security-Policy') ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'self'(?: 'sha256-[^']{44}'){3}; style-src 'self' 'sha256-[^']{44}'; /,
    );
    expect(policy).not.toContain('unsafe');
    expect(answer.headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
    await answer.body?.cancel();
    const slashed = await fetch(`${panel.origin}/panel/`, { redirect: 'manual' });
    expect([slashed.status, slashed.headers.get('Location')]).toEqual([307, '/panel']);
    const start = await fetch(`${panel.origin}/`, { redirect: 'manual' });
    expect([start.status, start.headers.get('Location')]).toEqual([302, '/docs']);
    for (const path of ['/none', '/panel/none', '/_redirects', '/public/v1/none', '/_headers']) {
      const answer = await fetch(panel.origin + path);
      expect(answer.status, path).toBe(404);
      expect(await answer.json()).toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});

describe('the session', () => {
  test('comes from the link, leaves the address and stays in its tab until the sign-out', async () => {
    const { demo } = panel;
    const page = await signedIn(demo);
    await itemOf(page, 'Demo key').getByText('Active').waitFor();
    await waitForAddress(page, `${panel.origin}/panel?view=keys`);
    const kept = await page.evaluate(`(async () => JSON.stringify([
      { ...localStorage }, document.cookie, history.state, window.name,
      await indexedDB.databases(), await caches.keys(), document.documentElement.outerHTML,
      [...document.querySelectorAll('input, textarea')].map(({ value }) => value),
    ]))()`);
    expect(kept).toContain('Demo key');
    expect(kept).not.toContain(demo.token);
    await linkTo(page, 'Races').click();
    await waitForAddress(page, `${panel.origin}/panel`);
    await page.reload();
    await page.getByRole('heading', { name: 'Races', level: 1 }).waitFor();
    await page.goBack();
    await itemOf(page, 'Demo key').waitFor();

    await button(page, 'Sign out').click();
    expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
    await page.reload();
    await page.getByLabel('Session token').waitFor();
    expect(await page.getByLabel('Session token').inputValue()).toBe('');
    expect(await page.getByLabel('Session token').getAttribute('type')).toBe('password');
  });

  test('belongs to its tab: another tab stays signed in after a sign-out', async () => {
    const session = await panel.newOrganization();
    const page = await signedIn(session);
    const other = await page.context().newPage();
    await other.goto(panel.linkOf(session));
    await other.getByText('No races yet').waitFor();
    await button(page, 'Sign out').click();
    await page.getByLabel('Session token').waitFor();
    await other.reload();
    await other.getByText('No races yet').waitFor();
    await page.reload();
    await page.getByLabel('Session token').waitFor();
  });

  test('that has ended is not kept for the next reload', async () => {
    const page = await signedIn(await panel.newOrganization());
    await page.route('**/api/v1/**', (route) => route.fulfill({ status: 401, json: {} }));
    await page.reload();
    await page.getByRole('alert').filter({ hasText: 'invalid or has expired' }).waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  test('starts from the form and ends with the sign-out button', async () => {
    const session = await panel.newOrganization('admin');
    const page = await newPage();
    await page.goto(`${panel.origin}/panel`);
    await button(page, 'Sign in').click();
    expect(await problemOf(page.getByLabel('Organization id'))).toMatch(
      /^An organization id looks/,
    );
    expect(await problemOf(page.getByLabel('Session token'))).toMatch(/has three parts/);
    await page.getByLabel('Organization id').fill(` ${session.organizationId} `);
    await page.getByLabel('Session token').fill(session.token);
    await page.keyboard.press('Enter');
    await page.getByText('No races yet').waitFor();
    await button(page, 'Sign out').click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByLabel('Session token').inputValue()).toBe('');
  });

  test('explains why it is refused', async () => {
    const member = await panel.newOrganization('member');
    const { organizationId } = await panel.newOrganization();
    const refusals: [Session, string][] = [
      [{ ...member, token: await signToken('nobody', -3_600) }, 'invalid or has expired'],
      [member, 'only owners and admins can open this page'],
      [{ organizationId, token: member.token }, 'does not exist, or you are not a member'],
    ];
    const page = await newPage();
    for (const [session, message] of refusals) {
      await page.goto(panel.linkOf(session));
      await page.getByRole('alert').filter({ hasText: message }).waitFor();
      await waitForAddress(page, `${panel.origin}/panel`);
      expect(await page.getByLabel('Organization id').inputValue()).toBe(session.organizationId);
      // Nobody at the screen afterwards finds the token.
      expect(await page.getByLabel('Session token').inputValue()).toBe('');
    }
  });
});

describe('a key', () => {
  test('can be created, copied, used, rotated and revoked', async () => {
    const session = await panel.newOrganization();
    const page = await signedIn(session);
    const first = await createKey(page, 'Timing van', ['events:read', 'results:write'], '30 days');
    await dialogOf(page).getByText('It is shown only once').waitFor();
    await button(dialogOf(page), 'Copy').click();
    await page.getByText('Copied to the clipboard.').waitFor();
    await saved(page);
    await page.getByRole('status').filter({ hasText: 'Key “Timing van” created.' }).waitFor();
    expect(await secretOf(page).count()).toBe(0);

    expect(await copiedIn(page)).toBe(first);

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
    expect(await item.innerText()).toMatch(/Active.*in 30 days/s);

    await button(item, 'Details of Timing van').click();
    await button(item, 'Rotate Timing van').click();
    const question = dialogOf(page);
    for (const said of [/Rotate this key/, 'Timing van', first.slice(0, 12), 'stops working']) {
      await question.getByText(said).first().waitFor();
    }
    expect(await question.getByRole('list').innerText()).toMatch(/read events\s+upload results/);
    await button(question, 'Cancel').click();
    expect(await answerTo(first)).toBe(200);

    await button(item, 'Rotate Timing van').click();
    await button(question, 'Rotate').click();
    await page.getByText('The key “Timing van” has a new secret').waitFor();
    const second = await secretOf(page).inputValue();
    await saved(page);
    expect(second).not.toBe(first);
    expect(await answerTo(first)).toBe(401);
    expect(await answerTo(second)).toBe(200);
    await item
      .locator('.key-name')
      .getByText(`${second.slice(0, 12)}…`)
      .waitFor();

    await button(item, 'Revoke Timing van').click();
    await question.getByText('you cannot activate a revoked key again').waitFor();
    await question.getByText(second.slice(0, 12)).waitFor();
    expect(await question.getByRole('list').innerText()).toMatch(/read events\s+upload results/);
    await button(question, 'Revoke').click();
    await item.locator('.pill[data-state]', { hasText: 'Revoked' }).waitFor();
    expect(await item.getByRole('button').allInnerTexts()).toEqual(['✎', 'Details']);
    expect(await answerTo(second)).toBe(401);
  });

  test('can be for one race, which its row and its history name', async () => {
    const race = `Hill Ten${' of the Example Hills'.repeat(8)}`;
    const session = await panel.newOrganization();
    const { rows } = await panel.pool.query<{ id: string }>(
      `insert into events (organization_id, name, event_date, city)
      select $1, name, now() + interval '1 day', 'Port Example'
      from unnest(array['Harbour Half', $2]) name order by name returning id`,
      [session.organizationId, race],
    );
    const page = await signedIn(session, { viewport: { width: 320, height: 740 } });
    await button(page, 'Create the first key').click();
    await nameOf(page).fill('Km 10');
    await page.getByLabel('events:read').check();
    await raceOf(page).selectOption(race);
    await button(dialogOf(page), 'Create key').click();
    const key = await secretOf(page).inputValue();
    await saved(page);
    const item = itemOf(page, 'Km 10');
    const only = item.getByText(/^Only .*Hill Ten/);
    await only.waitFor();
    expect(await only.evaluate((one) => one.getBoundingClientRect().right)).toBeLessThan(320);
    await button(item, 'Details of Km 10').click();
    await historyOf(item).filter({ hasText: 'Hill Ten' }).waitFor();
    const statuses = rows.map(({ id }) => answerTo(key, `/public/v1/events/${id}`));
    expect(await Promise.all(statuses)).toEqual([404, 200]);
  });

  test('can be made for a timing company in two clicks', async () => {
    const session = await panel.newOrganization();
    const { rows } = await panel.pool.query<{ id: string }>(
      `insert into events (organization_id, name, event_date, city)
       select $1, 'In ' || hours || ' hours', now() + hours * interval '1 hour', 'Port Example'
       from unnest(array[960, 120, -7, -216]) hours returning id`,
      [session.organizationId],
    );
    const page = await signedIn(session);
    await button(page, 'Create the first key').click();
    await page.getByRole('radio', { name: /^Timing company/ }).check();
    await button(dialogOf(page), 'Create key').click();
    const secret = await secretOf(page).inputValue();
    const letter = await letterOf(page).inputValue();
    expect(letter).toContain('for In 120 hours (');
    expect(letter).toContain(`Id of the race: ${rows[1]?.id}`);
    expect(letter).toContain(`Address of the API: ${panel.origin}`);
    expect(letter).toContain(secret.slice(0, 12));
    expect(letter).not.toContain(secret);
    await button(dialogOf(page), 'Copy the text').click();
    await page.getByText('Copied to the clipboard.').waitFor();
    expect(await copiedIn(page)).toBe(letter);
    const { data } = (await (await keysOf(session)).json()) as { data: object[] };
    expect(data).toMatchObject([
      {
        name: 'Timing',
        scopes: ['events:read', 'inscriptions:read', 'results:write'],
        event_id: rows[1]?.id,
      },
    ]);
    const [{ expires_at }] = data as [{ expires_at: string }];
    const afterHours = (Date.parse(expires_at) - Date.now()) / 3_600_000;
    expect(afterHours).toBeCloseTo(120 + 6 + 7 * 24, 0);
    // A race that began five hours ago still runs.
    await panel.pool.query(
      `update events set event_date = now() - interval '5 hours' where id = $1`,
      [rows[2]?.id],
    );
    await saved(page);
    await page.reload();
    await button(page, /New key/).click();
    await page.getByRole('radio', { name: /^Timing company/ }).check();
    expect(await raceOf(page).inputValue()).toBe(rows[2]?.id);
  });

  test('ends after the chosen race, whichever the reader chooses', async () => {
    const session = await panel.newOrganization();
    await panel.pool.query(
      `insert into events (organization_id, name, event_date, city)
       select $1, 'In ' || days || ' days', now() + days * interval '1 day', 'Port Example'
       from unnest(array[3, 60]) days`,
      [session.organizationId],
    );
    const page = await signedIn(session);
    await button(page, 'Create the first key').click();
    const ends = (name: string) => page.getByRole('radio', { name, exact: true });
    await nameOf(page).fill('Van');
    await page.getByLabel('results:write').check();
    await ends('30 days').check();
    await raceOf(page).selectOption('In 3 days');
    expect(await ends('30 days').isChecked()).toBe(true);
    await raceOf(page).selectOption('In 60 days');
    expect(await ends('A week after the race').isChecked()).toBe(true);
    await ends('30 days').check();
    expect(await problemOf(ends('30 days'))).toMatch(/^The key would stop before the race/);
    await ends('On a date').check();
    const date = new Date(Date.now() + 60 * DAY_MS).toISOString().slice(0, 16);
    await page.getByLabel('Date and time').fill(date);
    expect(await problemOf(page.getByLabel('Date and time'))).toMatch(/^The key would stop before/);
    await button(dialogOf(page), 'Create key').click();
    expect(await secretOf(page).count()).toBe(0);
    await ends('A week after the race').check();
    await raceOf(page).selectOption('In 3 days');
    await button(dialogOf(page), 'Create key').click();
    await secretOf(page).waitFor();
    const { data } = (await (await keysOf(session)).json()) as { data: [{ expires_at: string }] };
    const days = (Date.parse(data[0].expires_at) - Date.now()) / DAY_MS;
    expect(days).toBeCloseTo(3 + 0.25 + 7, 1);
  });

  test('comes with a text in the language of the panel', async () => {
    const page = await signedIn(await panel.newOrganization(), { locale: 'es-MX' });
    await button(page, 'Crear la primera clave').click();
    await page.getByRole('radio', { name: /^Sitio web/ }).check();
    await button(dialogOf(page), 'Crear clave').click();
    const letter = page.getByRole('textbox', { name: 'Texto para enviar con la clave' });
    expect(await letter.inputValue()).toMatch(
      /^Esto acompaña .* todas nuestras carreras.*\nCon la clave puedes: listar y leer eventos\.\n/,
    );
  });

  test('can be created with the keyboard, and Escape does not close the secret', async () => {
    const page = await signedIn(await panel.newOrganization());
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await inFocus(page.getByRole('heading', { name: 'API keys' }));
    await press('Tab');
    await inFocus(button(page, 'Create the first key'));
    await press('Enter');
    await inFocus(page.getByRole('radio', { name: /^Timing company/ }));
    await press('Tab');
    await inFocus(nameOf(page));
    await press('Enter');
    // The form is empty: the first wrong field has the focus, and the browser shows the reason.
    await nameOf(page).and(page.locator(':focus:user-invalid')).waitFor();
    expect(await problemOf(nameOf(page))).toBe('Give the key a name.');
    await page.keyboard.type('Website');
    const firstScope = page.getByRole('checkbox').first();
    expect(await problemOf(firstScope)).toBe('Choose at least one permission.');
    await press('Tab', 'Space', 'Tab', 'Tab', 'Tab', 'Space');
    expect(await problemOf(firstScope)).toBe('');
    await press('Tab', 'Tab', 'Tab', 'ArrowRight', 'ArrowRight');
    await page.getByText('Stops working on').waitFor();
    await press('Tab', 'Tab');
    await inFocus(button(page, 'Create key'));
    await press('Enter');
    await inFocus(button(page, 'Copy'));
    await press('Enter');
    await page.getByText('Copied to the clipboard.').waitFor();
    await press('Escape', 'Escape', 'Escape');
    const secret = await secretOf(page).inputValue();
    expect(secret).toMatch(/^er_live_/);
    await press('Tab', 'Tab', 'Tab');
    await inFocus(button(page, 'I have saved the key'));
    await press('Enter');
    await inFocus(keyRows(page).locator('strong'));
    const item = itemOf(page, 'Website');
    await button(item, 'Details of Website').click();
    expect(await item.getByRole('list', { name: 'Permissions' }).innerText()).toMatch(
      /^events:read\s+stats:read$/,
    );
    await item.getByText('in 3 months').waitFor();

    await press('Tab', 'Tab', 'Enter');
    // The cancel button has the focus. Escape returns to the button that opened the dialog.
    await inFocus(button(page, 'Cancel'));
    await press('Escape');
    await inFocus(button(page, 'Revoke Website'));
    expect(await answerTo(secret)).toBe(200);
  });

  test('can be copied by hand if the browser forbids the clipboard', async () => {
    const page = await signedIn(await panel.newOrganization());
    await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error())');
    const secret = await createKey(page, 'Website', ['events:read']);
    await button(dialogOf(page), 'Copy').click();
    await page.getByText('The browser did not allow copying.').waitFor();
    expect(await page.evaluate('getSelection().toString()')).toBe(secret);
  });

  test('shows a hostile name as text', async () => {
    const page = await signedIn(await panel.newOrganization());
    const name = '<img src=x onerror="document.title=1"><b>bold</b>';
    await createKey(page, name, ['events:read']);
    await page.getByRole('heading', { name: `The key “${name}” is ready` }).waitFor();
    await saved(page);
    expect(await keyRows(page).locator('strong').innerText()).toBe(name);
    await button(page, `Details of ${name}`).click();
    await button(page, `Revoke ${name}`).click();
    expect(await dialogOf(page).locator('strong').first().innerText()).toBe(name);
    await button(dialogOf(page), 'Cancel').click();
    await button(page, `Rename ${name}`).click();
    // U+202E turns the signs behind. The page isolates the sign with the name.
    await nameOf(page).fill('Van \u202e123');
    await button(page, 'Save').click();
    await page.getByText('The key is called “\u2068Van \u202e123\u2069” now.').waitFor();
    expect(await page.locator('img[src=x], .key b, dialog b').count()).toBe(0);
    expect(await page.title()).toBe('API keys');
  });

  test('shows that it has expired', async () => {
    const session = await panel.newOrganization();
    await addKey(session, 'Old report');
    await panel.pool.query(
      `update api_keys set expires_at = now() - interval '1 second' where organization_id = $1`,
      [session.organizationId],
    );
    const page = await signedIn(session);
    await page.getByText('1 expired key').click();
    const item = itemOf(page, 'Old report');
    await item.locator('.pill[data-state]', { hasText: 'Expired' }).waitFor();
    await button(item, 'Details of Old report').click();
    expect(await item.getByRole('button').allInnerTexts()).toEqual(['✎', 'Details', 'Revoke']);
  });
});

describe('the form', () => {
  test('refuses input that the API would refuse', async () => {
    const page = await signedIn(await panel.newOrganization());
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') asked.push(request.url());
    });
    await button(page, 'Create the first key').click();
    await nameOf(page).fill('x'.repeat(101));
    await page.getByLabel('On a date').check();
    await page.getByLabel('Date and time').fill('2020-01-31T12:00');
    await button(dialogOf(page), 'Create key').click();
    const problems = await page
      .locator('#key-form :invalid:not(fieldset)')
      .evaluateAll((all) => all.map((one) => String(Reflect.get(one, 'validationMessage'))));
    expect(problems).toEqual([
      'Use at most 100 characters. This name has 101.',
      'Choose at least one permission.',
      'Choose a moment in the future.',
    ]);
    expect(asked).toEqual([]);
  });

  test('shows the reason of a refusal and keeps its input', async () => {
    const page = await signedIn(await panel.newOrganization());
    await button(page, 'Create the first key').click();
    // Half a character is the only wrong name that the page accepts.
    await page.evaluate(`(() => {
      const name = document.querySelector('#name');
      name.value = 'Van \\ud83d';
      name.dispatchEvent(new Event('input', { bubbles: true }));
    })()`);
    await page.getByLabel('events:read').check();
    await button(dialogOf(page), 'Create key').click();
    const refusal = dialogOf(page).getByRole('alert');
    await refusal.getByText('expected a text of 1 to 100 characters').waitFor();
    await refusal.getByText('The API did not accept the request:').waitFor();

    await nameOf(page).fill('Van');
    await page.route('**/api-keys', (route) => route.fulfill({ status: 503 }));
    await button(dialogOf(page), 'Create key').click();
    await refusal.getByText('could not answer').waitFor();
    await page.unroute('**/api-keys');
    await page.route('**/api-keys', (route) => route.abort());
    await button(dialogOf(page), 'Create key').click();
    await refusal.getByText('the key may already exist').waitFor();
    await page.unroute('**/api-keys');

    expect(await nameOf(page).inputValue()).toBe('Van');
    await button(dialogOf(page), 'Create key').click();
    await page.getByText('The key “Van” is ready').waitFor();
  });

  test('keeps its input when the session ends', async () => {
    const session = await panel.newOrganization();
    const page = await signedIn(session);
    await button(page, 'Create the first key').click();
    await nameOf(page).fill('Half done');
    await page.getByLabel('stats:read').check();
    await page.route('**/api-keys', (route) => route.fulfill({ status: 401 }));
    await button(dialogOf(page), 'Create key').click();
    await page.getByRole('alert').filter({ hasText: 'invalid or has expired' }).waitFor();
    await page.unroute('**/api-keys');
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await page.getByText('Paste a session instead').click();
    await page.getByLabel('Session token').fill(session.token);
    await button(page, 'Sign in').click();
    await button(page, 'Create the first key').click();
    expect(await nameOf(page).inputValue()).toBe('Half done');
    expect(await page.getByLabel('stats:read').isChecked()).toBe(true);
  });
});

/** Adds keys as left by another system: in every state. */
const addOldKeys = (organizationId: string, count: number) =>
  panel.pool.query(
    `insert into api_keys
       (organization_id, name, key_prefix, key_hash, scopes, created_at, expires_at, revoked_at)
     select $1::uuid, 'Old key ' || n, 'er_live_' || lpad(n::text, 4, '0'),
       encode(sha256(($1::uuid::text || n)::bytea), 'hex'), array['stats:read'],
       now() - n * interval '1 day',
       case when n % 3 = 1 then now() - interval '1 day' end, case when n % 3 = 2 then now() end
     from generate_series(1, $2::int) n`,
    [organizationId, count],
  );

const namesOf = (page: Page) => keyRows(page).locator('strong').allTextContents();

describe('the list', () => {
  test('folds expired and revoked keys into a line each', async () => {
    const session = await panel.newOrganization();
    await addOldKeys(session.organizationId, 600);
    const page = await signedIn(session);
    const shown = () =>
      keyRows(page).evaluateAll((rows) => rows.filter((row) => row.checkVisibility()).length);
    expect(await shown()).toBe(200);
    expect((await namesOf(page)).slice(0, 2)).toEqual(['Old key 3', 'Old key 6']);
    const [expired, revoked] = ['200 expired keys', '200 revoked keys'].map((line) =>
      page.getByText(line),
    );
    for (const line of [expired, revoked]) {
      expect(await line?.evaluate((one) => one.clientHeight)).toBeLessThanOrEqual(48);
    }
    await expired?.click();
    expect(await shown()).toBe(400);
    await revoked?.click();
    expect(await shown()).toBe(600);
  });

  test('finds keys by words of name, prefix, permission or creator, ended ones too', async () => {
    const session = await panel.newOrganization();
    await addOldKeys(session.organizationId, 12);
    await addKey(session, 'Café van');
    const page = await signedIn(session);
    const shown = (names: string[]) =>
      vi.waitFor(async () => expect(await namesOf(page)).toEqual(names), LONG);
    const search = page.getByLabel('Search keys');
    await search.fill('0011');
    await shown(['Old key 11']);
    await page.getByText('Old key 11').waitFor();
    await search.fill('old van');
    await page.getByText('No key matches the search.').waitFor();
    await search.fill('STATS cafe');
    await shown(['Café van']);
    await search.fill('user-');
    await shown(['Café van']);
  });

  test('renames a key in its row', async () => {
    const session = await panel.newOrganization();
    await addKey(session, 'Website');
    const page = await signedIn(session);
    const rename = async (name: string) => {
      await button(page, /^Rename /).click();
      await nameOf(page).and(page.locator(':focus')).fill(name);
    };
    await rename('Shop');
    await page.keyboard.press('Escape');
    await itemOf(page, 'Website').waitFor();
    await rename(' ');
    await page.keyboard.press('Enter');
    expect(await problemOf(nameOf(page))).toBe('Give the key a name.');
    await nameOf(page).fill('Shop');
    await page.route('**/api-keys/*', (route) => route.abort());
    await page.keyboard.press('Enter');
    await itemOf(page, 'Save').getByText('No answer came.').waitFor();
    await page.unroute('**/api-keys/*');
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'is called “Shop” now' }).waitFor();
    await inFocus(keyRows(page).locator('strong', { hasText: 'Shop' }));
    await button(page, 'Details of Shop').click();
    await historyOf(page).getByText('Renamed').waitFor();
  });

  test('shows the history of a key and who made each change', async () => {
    const session = await panel.newOrganization();
    const made = (await (await addKey(session, 'Website')).json()) as { id: string };
    const adminId = `admin-${crypto.randomUUID()}`;
    await panel.pool.query(
      "insert into organization_members (organization_id, user_id, role) values ($1, $2, 'admin')",
      [session.organizationId, adminId],
    );
    const rotation = await fetchDocumented(
      `${panel.origin}/api/v1/organizations/${session.organizationId}/api-keys/${made.id}/rotate`,
      { method: 'POST', headers: { Authorization: `Bearer ${await signToken(adminId)}` } },
    );
    expect(rotation.status).toBe(200);
    const page = await signedIn(session);
    const item = itemOf(page, 'Website');
    const details = button(item, 'Details of Website');
    await details.click();
    const changes = item.getByRole('list', { name: 'History' }).getByRole('listitem');
    await changes.nth(1).waitFor();
    const [rotated, created] = await changes.allInnerTexts();
    expect(rotated).toMatch(new RegExp(`^Rotated by ${adminId} · .* · er_live_`));
    expect(created).toMatch(/^Created by you · /);
    expect(await details.getAttribute('aria-expanded')).toBe('true');
    await details.click();
    await changes.first().waitFor({ state: 'hidden' });

    await page.route('**/events?page=1&page_size=100', (route) => route.abort());
    await details.click();
    await item.getByText('No answer came.').waitFor();
  });

  test('shows what a key did on the last days', async () => {
    const session = await panel.newOrganization();
    const made = (await (await addKey(session, 'Website')).json()) as CreatedApiKey;
    const page = await signedIn(session);
    const item = itemOf(page, 'Website');
    const details = button(item, 'Details of Website');
    // The keys of all tests share Redis, which may have missed requests of today.
    const told = async (is_complete: boolean, sentence: string) => {
      const none = { requests: 0, personal_reads: 0, refusals: {}, is_complete };
      await page.route('**/uses', (route) =>
        route.fulfill({ json: { days: [{ day: '2026-05-01', ...none }] } }),
      );
      await details.click();
      await item.getByText(sentence).waitFor();
      await details.click();
      await page.unroute('**/uses');
    };
    await told(true, 'No use in the last 14 days.');
    await told(false, '0 requests · 0 reads of personal data · the counter was away');
    const asked = [1, 2].map(() =>
      fetchDocumented(`${panel.origin}/public/v1/events`, {
        headers: { 'X-API-Key': made.api_key },
      }),
    );
    for (const { status } of await Promise.all(asked)) expect(status).toBe(403);
    const uses = `/api/v1/organizations/${session.organizationId}/api-keys/${made.id}/uses`;
    const headers = { Authorization: `Bearer ${session.token}` };
    await vi.waitFor(async () => {
      const answer = await fetchDocumented(panel.origin + uses, { headers });
      expect(await answer.json()).toMatchObject({ days: { 0: { requests: 2 } } });
    }, LONG);
    await details.click();
    await item
      .getByText('2 requests · 0 reads of personal data · 2 refused: the permission is missing')
      .waitFor();
  });

  test('warns of the keys that expire within a week', async () => {
    const session = await panel.newOrganization();
    const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
    for (const [name, days] of [
      ['Later', 8],
      ['Second', 6],
      ['First', 2.5],
    ] as const) {
      const key = { name, scopes: ['stats:read'], expires_at: inDays(days) };
      await keysOf(session, { method: 'POST', body: JSON.stringify(key) });
    }
    const page = await signedIn(session);
    const warning = page.getByRole('group').filter({ hasText: 'keys expire within a week' });
    await warning.getByText('2 keys expire within a week').click();
    expect(await warning.locator('strong').allInnerTexts()).toEqual(['First', 'Second']);
    await warning.getByText('Rotating a key does not change its expiry.').waitFor();
    await itemOf(page, 'Second').getByText('Expires in 6 days').waitFor();
    await itemOf(page, 'Later').getByText('Active', { exact: true }).waitFor();
  });

  test('has rows of one line, which can stand in the order of their last use', async () => {
    const session = await panel.newOrganization();
    for (const name of ['First', 'Second', 'Third']) await addKey(session, name);
    await panel.pool.query(
      "update api_keys set last_used_at = now() where organization_id = $1 and name = 'First'",
      [session.organizationId],
    );
    await addOldKeys(session.organizationId, 12);
    const page = await signedIn(session, { viewport: { width: 1280, height: 800 } });
    expect((await namesOf(page))[0]).toBe('Third');
    await page.getByLabel('Order of the keys').selectOption('Last used first');
    expect((await namesOf(page))[0]).toBe('First');
    const heights = await keyRows(page).evaluateAll((rows) => rows.map((row) => row.clientHeight));
    expect(Math.max(...heights)).toBeLessThanOrEqual(48);
  });

  test('keeps what the reader has selected while times go by', async () => {
    const session = await panel.newOrganization();
    await addOldKeys(session.organizationId, 6);
    const page = await newPage();
    await page.clock.install();
    await page.goto(panel.linkOf(session).replace('#', '?view=keys#'));
    await keyRows(page).first().waitFor();
    await page.evaluate("getSelection().selectAllChildren(document.querySelector('.key code'))");
    const selected = await page.evaluate('String(getSelection())');
    expect(selected).toMatch(/^er_live_/);
    await addKey(session, 'Made meanwhile');
    await page.clock.runFor(65_000);
    await itemOf(page, 'Made meanwhile').waitFor();
    expect(await page.evaluate('String(getSelection())')).toBe(selected);
  });

  test('recovers from a failure', async () => {
    const session = await panel.newOrganization();
    await addKey(session, 'Website');
    const page = await signedIn(session);
    await page.route('**/api-keys?page=1&page_size=100', (route) => route.abort());
    await button(page, 'Details of Website').click();
    await button(page, 'Revoke Website').click();
    await button(dialogOf(page), 'Revoke').click();
    await page.getByRole('alert').filter({ hasText: 'No answer came.' }).waitFor();
    expect(await keyRows(page).count()).toBe(1);
    await page.unroute('**/api-keys?page=1&page_size=100');
    await button(page, 'Try again').click();
    await page.getByText('1 revoked key').click();
    await itemOf(page, 'Website').locator('.pill[data-state]', { hasText: 'Revoked' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});

test('offers the scopes that an operation needs, and no others', async () => {
  const page = await signedIn(await panel.newOrganization());
  await button(page, 'Create the first key').click();
  const boxes = await page.locator('[name=scope]').all();
  const offered = await Promise.all(boxes.map((box) => box.getAttribute('value')));
  const used = new Set(OPERATIONS.map(({ scope }) => scope));
  expect(offered).toEqual(SCOPES.filter((scope) => used.has(scope)));
});

test.each([
  ['a phone', PHONE],
  ['a desk', {}],
])('moves nothing when scripts and answers come late, on %s', async (_, options) => {
  const session = await panel.newOrganization();
  await addOldKeys(session.organizationId, 12);
  const page = await signedIn(session, options);
  await measureShifts(page, '**/assets/*.js', '**/api/v1/**');
  await page.reload();
  await itemOf(page, 'Old key 3').waitFor();
  expect(await shiftsOf(page)).toBeLessThan(0.02);
  await linkTo(page, 'Races').click();
  await page.getByText('No races yet').waitFor();
  expect(await shiftsOf(page)).toBeLessThan(0.02);
  await button(page, 'Sign out').click();
  await page.reload();
  await page.getByLabel('Session token').waitFor();
  expect(await shiftsOf(page)).toBeLessThan(0.02);
});

describe('a page whose scripts have not come', () => {
  test('says what its view is to a reader with a session, and moves nothing later', async () => {
    const session = await panel.newOrganization();
    for (const [locale, view, title, lead] of [
      ['en-GB', '', 'Races', /^Open a race/],
      ['es-PE', '?view=keys', 'Claves de API', /^Cada clave/],
    ] as const) {
      const page = await newPage({ ...PHONE, locale });
      const answer = await holdBack(page, '**/assets/*.js');
      await measureShifts(page);
      await page.goto(panel.linkOf(session).replace('#', `${view}#`), { waitUntil: 'commit' });
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await page.getByText(lead).waitFor();
      answer();
      await page.locator('#foot').waitFor();
      expect(await page.getByText(lead).count()).toBe(1);
      expect(await shiftsOf(page)).toBeLessThan(0.02);
    }
    const page = await newPage();
    const answer = await holdBack(page, '**/assets/*.js');
    await page.goto(`${panel.origin}/panel`, { waitUntil: 'commit' });
    await page.getByText('Race Results API').waitFor();
    expect(await page.getByText(/^Open a race/).isVisible()).toBe(false);
    answer();
  });

  test('loses no session to a reader who is faster than the scripts', async () => {
    const page = await newPage();
    const answer = await holdBack(page, '**/assets/*.js');
    const session = await panel.newOrganization();
    await page.goto(panel.linkOf(session), { waitUntil: 'commit' });
    const keys = page.getByText('API keys').filter({ visible: true });
    await keys.first().click({ force: true });
    expect(new URL(page.url()).search).toBe('');
    answer();
    await linkTo(page, 'API keys').click();
    await page.getByText('No keys yet').waitFor();
  });
});

describe('the way back', () => {
  test('is a link to the organization’s own panel, after the session has ended', async () => {
    const address = 'https://panel.example/races/17?tab=keys';
    const page = await newPage();
    const link = panel.linkOf(await panel.newOrganization());
    await page.goto(`${link}&return_to=${encodeURIComponent(address)}`);
    await page.getByText('No races yet').waitFor();
    await waitForAddress(page, `${panel.origin}/panel`);
    await button(page, 'Sign out').click();
    await page.getByLabel('Session token').waitFor();
    expect(await linkTo(page, /panel\.example/).getAttribute('href')).toBe(address);
  });

  test('is not kept from a link whose session the API refuses', async () => {
    const { organizationId } = await panel.newOrganization();
    const token = await signToken('nobody');
    const page = await newPage();
    await page.goto(`${panel.linkOf({ organizationId, token })}&return_to=https://evil.example`);
    await page.getByRole('alert').filter({ hasText: 'does not exist' }).waitFor();
    expect(await linkTo(page, /evil\.example/).count()).toBe(0);
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });
});

describe('axe', () => {
  test('finds nothing in any state, light and dark', async () => {
    const session = await panel.newOrganization();
    await addOldKeys(session.organizationId, 12);
    for (const event of [{ board_enabled: true }, { name: 'Hill Run', city: 'Hill' }]) {
      await insertEvent(drizzle(panel.pool), session.organizationId, event);
    }
    const expires_at = new Date(Date.now() + DAY_MS).toISOString();
    const ending = { name: 'Ending', scopes: ['stats:read'], expires_at };
    await keysOf(session, { method: 'POST', body: JSON.stringify(ending) });
    const page = await newPage({ reducedMotion: 'reduce' });
    const check = (state: string) => expectNoViolations(page, state);

    await page.goto(panel.linkOf({ ...session, token: await signToken('nobody') }));
    await page.getByRole('alert').waitFor();
    await check('refused');
    const link = panel.linkOf(session).replace('#', '?view=keys#');
    await page.goto(`${link}&return_to=https://panel.example`);
    await button(itemOf(page, 'Ending'), 'Details of Ending').click();
    await historyOf(page).first().waitFor();
    await check('keys');
    await button(page, 'New key').click();
    await button(dialogOf(page), 'Create key').click();
    await nameOf(page).and(page.locator(':user-invalid')).waitFor();
    await check('form');
    await nameOf(page).fill('Website');
    await page.getByLabel('stats:read').check();
    await button(dialogOf(page), 'Create key').click();
    await secretOf(page).waitFor();
    await check('secret');
    await saved(page);
    await button(page, 'Details of Website').click();
    await button(page, 'Revoke Website').click();
    await check('confirmation');
    await button(dialogOf(page), 'Cancel').click();
    await linkTo(page, 'Races').click();
    await check('events');
    await button(page, 'Sign out').click();
    await linkTo(page, /panel\.example/).waitFor();
    await check('signed out');
  });
});

describe('the reader', () => {
  test('gets Spanish or English, by browser language or by choice', async () => {
    const session = await panel.newOrganization();
    await addKey(session, 'Website');
    const page = await signedIn(session, { locale: 'es-AR' });
    const languageOf = () => page.evaluate('document.documentElement.lang + document.title');
    expect(await languageOf()).toBe('esClaves de API');
    expect(await itemOf(page, 'Website').innerText()).toMatch(/Activa.*Nunca.*Detalles/s);
    await button(page, 'EN, English').click();
    await vi.waitFor(async () => expect(await languageOf()).toBe('enAPI keys'), LONG);
    expect(await itemOf(page, 'Website').innerText()).toMatch(/Active.*Never.*Details/s);
    await button(page, 'ES, Español').click();
    await button(page, 'Detalles de Website').click();
    await button(page, 'Revocar Website').click();
    await page.getByText('Los programas que usan la clave ya no podrán:').waitFor();
    await page.getByText('leer estadísticas').waitFor();

    const other = await newPage({ locale: 'fr-FR' });
    await other.goto(`${panel.origin}/panel`);
    await button(other, 'Sign in').waitFor();
  });

  test('skips the bar, and stays signed in', async () => {
    const session = await panel.newOrganization();
    await addKey(session, 'Website');
    const page = await signedIn(session);
    const skip = linkTo(page, 'Skip to the content');
    await skip.focus();
    await page.keyboard.press('Enter');
    await inFocus(page.getByRole('main'));
    await page.keyboard.press('Tab');
    await inFocus(button(page, 'New key'));
    await linkTo(page, 'Races').focus();
    await page.keyboard.press('Enter');
    await page.getByText('No races yet').waitFor();
  });

  test.each([
    // A desk at 200 % is half as wide.
    ['a tablet and a desk, at 200 % too', {}, ['768 1024', '1440 900', '720 450']],
    ['a phone at 200 %', { ...PHONE, viewport: { width: 188, height: 370 } }, ['188 370']],
  ])('reads every word of the keys on %s', async (_, options, sizes) => {
    const session = await panel.newOrganization();
    await addOldKeys(session.organizationId, 3);
    await addKey(session, 'Cronometraje de la media maratón de la costa');
    const page = await signedIn(session, { ...options, locale: 'es-ES' });
    const readsAll = async () => {
      for (const [width = 0, height] of sizes.map((size) => size.split(' ').map(Number))) {
        await resize(page, width, height);
        expect(await cutIn(page), `${width} px`).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
          width,
        );
      }
    };
    await readsAll();
    await button(page, 'Detalles de Cronometraje de la media maratón de la costa').click();
    await page.getByRole('list', { name: 'Historial' }).getByRole('listitem').waitFor();
    await readsAll();
    await button(page, /Nueva clave/).click();
    await page.getByRole('radio', { name: /^Empresa de/ }).check();
    await readsAll();
  });

  test('can use a phone: nothing is wider than the screen or smaller than a finger', async () => {
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
    await page.goto(panel.linkOf(session).replace('#', '?view=keys#'));
    await button(page, 'Crear la primera clave').click();
    await fits('form');
    await nameOf(page).fill('Cronometraje-de-la-media-maratón-'.repeat(3));
    for (const box of await page.getByRole('checkbox').all()) await box.check();
    await button(dialogOf(page), 'Crear clave').click();
    await page.getByText('Guárdala ahora').waitFor();
    await fits('secret');
    await button(page, 'Ya la guardé').click();
    await keyRows(page).waitFor();
    await fits('list');
    await button(page, /^Detalles de /).click();
    await historyOf(page).first().waitFor();
    await fits('details');
    await button(page, /^Revocar /).click();
    await fits('confirmation');
    await button(dialogOf(page), 'Cancelar').click();
    await linkTo(page, 'Carreras').click();
    await page.getByText('Todavía no hay carreras').waitFor();
    await fits('events');
  });
});
