import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { fetchDocumented } from '../documented.ts';
import { setUpBrowser } from './browser-suite.ts';
import type { DevServer, Session } from './dev-server.ts';

export { LONG } from './browser-suite.ts';

/** The address of an upload, not of a preview. */
export const UPLOAD_ADDRESS = /\/results\/file(\?|$)/;

export const PHONE = { viewport: { width: 320, height: 740 }, hasTouch: true, isMobile: true };

export let panel: DevServer;
export const { newPage } = setUpBrowser((started) => {
  panel = started;
});

/** Two facts in the page's form. */
export const dotted = (facts: string) => facts.replaceAll(' · ', '\u00a0·\u00a0');

export const button = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('button', {
    name: typeof name === 'string' ? dotted(name) : name,
    exact: true,
  });

export const linkTo = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('link', { name, exact: true });

/** The card in which a file is sent. */
export const cardOf = (page: Page) =>
  page.getByRole('region', { name: /^Send a results file|^Enviar un archivo/ });

export const listOf = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('list', { name });

/** What happened to a runner's result, or to a key. */
export const historyOf = (within: Page | Locator) =>
  listOf(within, /^(History|Historial)$/).getByRole('listitem');

/** The list of runners. */
export const RESULTS = /^(Results|Resultados)$/;

export const runnersOf = (page: Page) => listOf(page, RESULTS).locator('> li');

export const runnerOf = (page: Page, name: string) => runnersOf(page).filter({ hasText: name });

export const racesOf = (page: Page) => listOf(page, /^(Races|Carreras)$/).locator('> li');

export const uploadsOf = (page: Page) => listOf(page, /^(Uploads|Subidas)$/).locator('> li');

/** The changes of an upload. */
export const changesIn = (page: Page) => listOf(page, /^(Changes|Cambios)$/).getByRole('listitem');

/** The heading over what a sent file did. */
export const sentIn = (page: Page) =>
  page.getByRole('heading', { name: /^(The file is stored|El archivo está guardado)$/ });

/** Waits for the number of listed runners. */
export const counted = (page: Page, words: string) =>
  page.getByRole('status').filter({ hasText: words }).waitFor();

export const WARNINGS = /^Please check|^Por favor/;

/** The readings between which only a person can decide. */
export const choicesIn = (page: Page) =>
  page.getByRole('group', { name: /^How is the file|^¿Cómo/ }).locator('label');

export const switchOf = (page: Page, name: string) =>
  page.getByRole('switch', { name, exact: true });

export const said = (page: Page, words: string) =>
  page.getByRole('status').filter({ hasText: words }).waitFor();

type Stored = { bib_number: string; status: string; chip_time_ms: string | null };

/** A race of an organization with runners 1 to 3, and the session of its manager. */
export async function createRace() {
  const session = await panel.newOrganization();
  const { rows } = await panel.pool.query<{ id: string }>(
    `insert into events (organization_id, name, event_date, city)
     values ($1, 'Harbour <b>Half</b>', now() + interval '1 day', 'Port Example') returning id`,
    [session.organizationId],
  );
  const eventId = rows[0]?.id ?? '';
  await panel.pool.query(
    `with runner as (insert into persons select from generate_series(1, 3) returning id)
     insert into registrations
       (event_id, person_id, status, bib_number, given_names, surnames, distance, category)
     select $1, id, 'PAID', n, (array['Ana', 'José', 'Zoë'])[n], 'Ejemplo', '21K', 'Open'
     from (select id, row_number() over () as n from runner) runner`,
    [eventId],
  );
  const ask = (path: string, init: RequestInit = {}) =>
    fetchDocumented(`${panel.origin}/api/v1/organizations/${session.organizationId}${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${session.token}`, ...init.headers },
    });
  const created = await ask('/api-keys', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Timing van', scopes: ['results:write'] }),
  });
  const { api_key: key } = (await created.json()) as { api_key: string };
  /** Sends a file with a key, as a timing company does. */
  const upload = async (name: string, content: string, sender = '') => {
    const body = new FormData();
    body.set('file', new File([content], name));
    const path = `${panel.origin}/public/v1/events/${eventId}/results/file?sender=${sender}`;
    const headers = { 'X-API-Key': key };
    const answer = await fetchDocumented(path, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
    await answer.body?.cancel();
  };
  const stored = async () => {
    const found = await panel.pool.query<Stored>(
      `select bib_number, results.status, chip_time_ms from results
       join registrations on registrations.id = registration_id
       where results.event_id = $1 order by bib_number`,
      [eventId],
    );
    return found.rows.map(({ bib_number, status, chip_time_ms }) =>
      [bib_number, status, chip_time_ms && Number(chip_time_ms) / 1_000].join(' '),
    );
  };
  /** Changes something as the manager does. */
  const change = async (path: string, method: string, content?: object) => {
    const answer = await ask(`/events/${eventId}${path}`, {
      method,
      ...(content && { headers: { 'Content-Type': 'application/json' } }),
      ...(content && { body: JSON.stringify(content) }),
    });
    expect(answer.status).toBe(200);
    await answer.body?.cancel();
  };
  return { session, eventId, upload, change, stored };
}

/** Opens a part of a race's page. */
export async function opened(
  { session, eventId }: { session: Session; eventId: string },
  part = '',
  options?: BrowserContextOptions,
): Promise<Page> {
  const page = await newPage(options);
  const query = `?race=${eventId}${part && `&part=${part}`}`;
  await page.goto(panel.linkOf(session).replace('#', `${query}#`));
  await page.locator('#foot').waitFor();
  return page;
}

export const fileField = (page: Page) => page.getByLabel(/^(Choose a file|Elegir un archivo)$/);

export const choose = (page: Page, name: string, content: string | Uint8Array) =>
  fileField(page).setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });

/** The paragraphs in which a dot between two facts begins or ends a line. */
export const hangingDots = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('p, strong, small')]
    .filter((element) => element.checkVisibility() && element.textContent.includes('·'))
    .flatMap((element) => {
      const range = document.createRange();
      const letters = [];
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) [...texts.currentNode.data].forEach((letter, at) => {
        range.setStart(texts.currentNode, at);
        range.setEnd(texts.currentNode, at + 1);
        const { top, width } = range.getBoundingClientRect();
        if (letter.trim() && width > 0) letters.push({ letter, top });
      });
      const isHanging = ({ letter, top }, at) =>
        letter === '·' && (letters[at - 1]?.top !== top || letters[at + 1]?.top !== top);
      return letters.some(isHanging) ? [element.textContent] : [];
    })`);

/** The names and numbers of a list of figures. */
export const figuresIn = async (element: Locator) =>
  (await element.locator('div').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
