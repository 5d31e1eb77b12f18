import { createServer, type IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { RaceResultsClient } from '../../client/index.ts';
import { playRace } from '../../dev/race-simulator/rehearsal.ts';
import { LOOPBACK, listen } from '../../dev/stack/listen.ts';
import { insertKey } from '../../dev/stack/seed.ts';
import { violationsOf } from '../../testing/runtime/axe.ts';
import { copiedIn, setUpBrowser } from '../../testing/runtime/browser-suite.ts';
import { waitForAddress } from '../../testing/runtime/chromium.ts';
import type { DevServer } from '../../testing/runtime/dev-server.ts';
import { measureShifts, shiftsOf } from '../../testing/runtime/shifts.ts';
import { inWholeSeconds } from '../../timing-files/write/whole-seconds.ts';
import {
  BoardList,
  type BoardRace,
  BoardResult,
  type BoardRunner,
  BoardSnapshot,
} from '../../worker/board/answer-schemas.ts';

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
/** For `vi.waitFor`: `expect.poll` needs the current test, which concurrent tests do not set. */
const WAITING = { timeout: 30_000, interval: 100 };
const WALL = { viewport: { width: 1920, height: 1080 } };

let served: DevServer;
const { newPage, atEnd } = setUpBrowser((started) => {
  served = started;
});

type Person = Partial<
  Record<'bib_number' | 'given_names' | 'surnames' | 'gender' | 'category' | 'distance', string>
>;

type Race = { eventId: string; board: string; apiKey: string };

/** Makes an event with an enabled board. Each event has its own organization, so that no key reaches its limit. */
async function newRace(
  people: Person[],
  { board_names = 'none', ...columns }: Record<string, unknown> = {},
): Promise<Race> {
  const eventId = crypto.randomUUID();
  const { organizationId } = await served.newOrganization();
  const event = {
    id: eventId,
    organization_id: organizationId,
    name: 'Carrera de Prueba',
    event_date: new Date(Date.now() - 3_600_000).toISOString(),
    city: 'Villa Ejemplo',
    time_zone: 'UTC',
    ...columns,
  };
  await insert('events', [event]);
  await insert('event_settings', [{ event_id: eventId, board_enabled: true, board_names }]);
  const rows = people.map((person) => ({
    status: 'PAID',
    ...person,
    event_id: eventId,
    person_id: crypto.randomUUID(),
  }));
  await insert(
    'persons',
    rows.map(({ person_id }) => ({ id: person_id })),
  );
  await insert('registrations', rows);
  const apiKey = await insertKey(drizzle(served.pool), organizationId);
  return { eventId, board: `${served.origin}/board/${eventId}`, apiKey };
}

async function insert(table: string, rows: Record<string, unknown>[]): Promise<void> {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (columns.length === 0) return;
  await served.pool.query(
    `insert into ${table} (${columns}) select ${columns}
    from json_populate_recordset(null::${table}, $1::json)`,
    [JSON.stringify(rows)],
  );
}

const configure = ({ eventId }: Race, column: string, value: unknown) =>
  served.pool.query(
    column.startsWith('board_')
      ? `update event_settings set ${column} = $2 where event_id = $1`
      : `update events set ${column} = $2 where id = $1`,
    [eventId, value],
  );

async function upload({ eventId, apiKey }: Race, results: unknown[]): Promise<void> {
  const answer = await fetch(`${served.origin}/public/v1/events/${eventId}/results`, {
    method: 'POST',
    headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ results }),
  });
  expect(await answer.json()).toMatchObject({ failed: [] });
}

const versionOf = async ({ board }: Race) => (await fetch(`${board}/data`)).headers.get('ETag');

/** Uploads a change and waits until the board serves the change: the ranking may be some seconds old. */
async function uploadAndServe(race: Race, results: unknown[]): Promise<void> {
  const known = await versionOf(race);
  await upload(race, results);
  await vi.waitFor(async () => expect(await versionOf(race)).not.toBe(known), WAITING);
}

/** `waitForFunction` would not wait for the promise. */
const untilKept = (page: Page, pathname: string) =>
  vi.waitFor(
    async () => expect(await page.evaluate(`caches.match('${pathname}').then(Boolean)`)).toBe(true),
    WAITING,
  );

/** The names of the caches with pages. */
async function keptPages(page: Page): Promise<string[]> {
  const names: string[] = await page.evaluate('caches.keys()');
  return names.filter((name) => name.startsWith('board '));
}

const dataOf = async ({ board }: Race) =>
  BoardSnapshot.parse(await (await fetch(`${board}/data`)).json());

async function raceOf(race: Race, distance: string): Promise<BoardRace> {
  const found = (await dataOf(race)).races.find((one) => one.distance === distance);
  if (!found) throw new Error(`no race of ${distance}`);
  return found;
}

const resultOf = async ({ board }: Race, bib: string) =>
  BoardResult.parse(await (await fetch(`${board}/bibs/${encodeURIComponent(bib)}`)).json());

async function openBoard({ board }: Race, query = '', options: BrowserContextOptions = {}) {
  const page = await newPage(options);
  await page.goto(board + query);
  await page.locator('#board').waitFor();
  return page;
}

const tabsOf = (page: Page): Promise<string[]> =>
  page.locator('#races .tab').evaluateAll((tabs) => tabs.map((tab) => tab.textContent ?? ''));

const tab = (page: Page, distance: string) =>
  page.locator('#races').getByRole('link', { name: new RegExp(`^${distance}\\b`) });

/** Opens the wall, whose rows a reader with a keyboard does not need. */
async function openWall({ board }: Race, query: string, options: BrowserContextOptions = WALL) {
  const page = await newPage(options);
  await page.goto(board + query);
  await page.locator('#wall-lines li').first().waitFor();
  return page;
}

/** The rows of the wall that are partly off the screen, or under a message. */
const outside = (page: Page) =>
  page.evaluate(`(() => {
    const notice = document.querySelector('#notice').getBoundingClientRect();
    return [...document.querySelectorAll('#wall-lines li')].flatMap((row) => {
      const { top, bottom, left, right } = row.getBoundingClientRect();
      const covered = notice.height > 0 && notice.bottom > top && notice.top < bottom;
      const cut = top < 0 || left < 0 || bottom > innerHeight || right > innerWidth;
      return cut || covered ? [row.textContent] : [];
    });
  })()`);

/** Makes the page send a request at once, as after a lost connection, and waits for the answer. */
async function refresh(page: Page): Promise<number> {
  const answered = page.waitForResponse((response) => response.url().endsWith('/data'));
  await page.evaluate('dispatchEvent(new Event("online"))');
  return (await answered).status();
}

const PEOPLE = Array.from({ length: 60 }, (_, index) => ({
  bib_number: String(index + 1),
  given_names: ['Ana', 'Bruno', 'Carla'][index % 3] ?? '',
  surnames: ['Ejemplo', 'Muestra'][index % 2] ?? '',
  gender: ['F', 'M'][index % 2] ?? '',
  category: ['18-29', '30-39', '40-49'][index % 3] ?? '',
  distance: ['10K', '21K'][index % 2] ?? '',
}));

const clock = (seconds: number) =>
  [seconds / 3_600, (seconds / 60) % 60, seconds % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':');

const arrival = (bib: number, seconds = 4_000 + bib * 7) => ({
  bib_number: String(bib),
  chip_time: `${clock(seconds)}.25`,
  gun_time: clock(seconds + 5),
  splits: { 'Km 5': clock(seconds / 4) },
});

/** A time in the page's form. */
const said = (time: string | null) =>
  time === null ? '' : inWholeSeconds(time).replace(/^00:|^0(?=\d:)/, '');

/** The parts of a row: the place, the bib, the runner and the time. */
const PARTS = [['.place'], ['.bib'], ['.name', '.details'], ['.clock', '.pace']];

/** The texts of a table, by row and part. */
const rowsOf = (page: Page, table: string): Promise<string[][]> =>
  page.locator(`${table} tbody tr`).evaluateAll(
    (rows, parts) =>
      rows.map((row) =>
        parts.map((selectors) =>
          selectors
            .map((selector) => row.querySelector(selector)?.textContent)
            .filter(Boolean)
            .join(' '),
        ),
      ),
    PARTS,
  );

const NAMED: Record<string, string> = { F: 'Women', M: 'Men' };
/** A joiner behind the hyphen keeps `30-39` on a line. */
const groupName = ({ gender, category }: Pick<BoardRunner, 'gender' | 'category'>) =>
  [gender && (NAMED[gender] ?? gender), category?.replace('-', '-\u2060')]
    .filter(Boolean)
    .join(' ');

const KM: Record<string, number> = { '10K': 10, '21K': 21.0975 };

const paceText = (time: string, distance: string) => {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  const pace = Math.floor((hours * 3_600 + minutes * 60 + seconds) / (KM[distance] ?? Number.NaN));
  return `${Math.floor(pace / 60)}:${String(pace % 60).padStart(2, '0')} /km`;
};

const expectedRow = (runner: BoardRunner, distance: string) => [
  String(runner.place),
  runner.bib_number,
  [runner.name, groupName(runner)].filter(Boolean).join(' '),
  `${said(runner.time)} ${paceText(runner.time, distance)}`,
];

/** The script of a board's page. The page contains its styles. */
const filesOf = (html: string): string[] =>
  [...html.matchAll(/src="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);

describe('the board server', () => {
  test('serves the page only for an enabled board, and always its files', async () => {
    const race = await newRace([]);
    const page = await fetch(race.board);
    expect(page.status).toBe(200);
    expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'; script-src");
    expect(page.headers.get('X-Request-Id')).toMatch(/./);
    const html = await page.text();
    expect(html).toContain('<h1 id="event-name"');
    expect(filesOf(html)).toHaveLength(1);
    for (const path of filesOf(html)) {
      const answer = await fetch(served.origin + path);
      expect(answer.status, path).toBe(200);
      expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(answer.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
      await answer.body?.cancel();
    }
    for (const path of [
      '/board',
      '/board/',
      '/board/board',
      '/board/index.html',
      '/pages/board',
      '/pages/board.html',
      '/pages/en/missing',
    ]) {
      const answer = await fetch(served.origin + path, { redirect: 'manual' });
      expect(answer.status, path).toBe(404);
      expect(await answer.json()).toMatchObject({ code: 'NOT_FOUND' });
    }
    for (const path of ['/favicon.ico', '/favicon.svg']) {
      expect((await fetch(served.origin + path)).headers.get('Content-Type'), path).toMatch(
        /^image/,
      );
    }
  });

  test.each([
    ['/board/17', 'There is no board at this address'],
    [`/board/${crypto.randomUUID()}`, 'There is no board at this address'],
    ['/docs/none', 'There is no page at this address'],
    ['/none', 'There is no page at this address'],
  ])('shows people a page at a wrong address (%s)', async (path, title) => {
    for (const options of [{}, { locale: 'es', colorScheme: 'dark' as const, ...PHONE }]) {
      const page = await newPage(options);
      const answer = await page.goto(served.origin + path);
      expect(answer?.status()).toBe(404);
      const heading = 'locale' in options ? /^No hay ning/ : title;
      await page.getByRole('heading', { name: heading }).waitFor();
      expect(await violationsOf(page)).toEqual([]);
    }
    const answer = await fetch(served.origin + path, { headers: { Accept: 'application/json' } });
    expect(await answer.json()).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('accepts other spellings of the same address', async () => {
    const race = await newRace(PEOPLE);
    await upload(race, [arrival(7)]);
    const upper = `${served.origin}/board/${race.eventId.toUpperCase()}`;
    for (const path of ['/data?x=1', '/bibs/%37?y', '?screen']) {
      const answer = await fetch(upper + path);
      expect(answer.status, path).toBe(200);
      await answer.body?.cancel();
    }
  });

  test('serves what a board shows first in less than 29 KiB, each file compressed', async () => {
    const html = await (await fetch((await newRace([])).board)).text();
    const files = await Promise.all(
      filesOf(html).map(async (path) => (await fetch(served.origin + path)).text()),
    );
    const sizes = [html, ...files].map((content) => gzipSync(content).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(29 * 1_024);
  });

  test('shows the board after one script, without a request for its data', async () => {
    const race = await newRace(PEOPLE);
    await upload(race, [arrival(1), arrival(3)]);
    const page = await newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    // Requests of the page some seconds later.
    const later = /\/(data|bibs\/3)$/;
    await page.route(later, (route) => route.abort());
    await page.goto(`${race.board}/?bib=3`);
    await page.locator('.result').getByText('2 of 2').first().waitFor();
    expect(await rowsOf(page, '#arrivals')).toHaveLength(2);
    const files = asked.filter((path) => !(/favicon|woff2/.test(path) || later.test(path)));
    expect(files).toEqual([
      `${new URL(race.board).pathname}/`,
      expect.stringMatching(/^\/assets\/board-\w+\.js$/),
    ]);
  });
});

describe('a finished race', () => {
  test('shows the same results as the API', async () => {
    const race = await newRace(PEOPLE, { board_names: 'initials' });
    const page = await openBoard(race);
    await page.getByText('Nobody has arrived yet.').waitFor();
    const order = PEOPLE.map((_, index) => 1 + ((index * 23) % 60));
    for (let from = 0; from < order.length; from += 7) {
      await upload(
        race,
        order.slice(from, from + 7).map((bib) => arrival(bib)),
      );
      if (from % 3 === 0) await refresh(page);
    }
    await upload(race, [
      { bib_number: '9', status: 'DSQ' },
      arrival(10, 3_600),
      arrival(11, 3_600),
    ]);
    // The board serves a ranking for some seconds. The awaited ranking holds the last upload.
    const disqualified = async () =>
      (await dataOf(race)).races.reduce((sum, { counts }) => sum + counts.DSQ, 0);
    await vi.waitFor(async () => expect(await disqualified()).toBe(1), WAITING);
    await refresh(page);

    for (const distance of ['10K', '21K']) {
      await tab(page, distance).click();
      await waitForAddress(page, `${race.board}?distance=${distance}`);
      const shown = await raceOf(race, distance);
      const rows = (runners: BoardRunner[]) => runners.map((r) => expectedRow(r, distance));
      expect(await rowsOf(page, '#arrivals')).toEqual(rows(shown.arrivals));
      expect(await rowsOf(page, '#leaders')).toEqual(rows(shown.leaders));
      const cards = await page
        .locator('.group')
        .evaluateAll((all) =>
          all.map((card) => [
            card.querySelector('h3')?.textContent,
            card.querySelector('p')?.textContent,
            ...[...card.querySelectorAll('tbody tr')].map(
              (row) => row.querySelector('.bib')?.textContent,
            ),
          ]),
        );
      expect(cards).toEqual(
        [...shown.genders, ...shown.categories].map((group) => [
          groupName(group),
          `${group.finished} finishers`,
          ...group.leaders.map(({ bib_number }) => bib_number),
        ]),
      );
      const { rows: standing } = await served.pool.query(
        `select bib_number, position_distance::int from standings join registrations
          using (event_id, bib_number) where event_id = $1 and distance = $2
        order by position_distance, char_length(bib_number), bib_number limit 10`,
        [race.eventId, distance],
      );
      expect(
        (await rowsOf(page, '#leaders')).map(([place, bib]) => ({
          bib_number: bib,
          position_distance: Number(place),
        })),
      ).toEqual(standing);
    }
    expect(await page.locator('#counts').innerText()).toMatch(/^Finished\s+30$/);
    await tab(page, '10K').click();
    expect(await page.locator('#counts').innerText()).toMatch(/^Finished\s+29\s+Disqualified\s+1$/);
  });

  test('ranks equal times 1, 1, 3', async () => {
    const race = await newRace(PEOPLE.map((person) => ({ ...person, distance: '5K' })));
    await upload(race, [arrival(1, 1_000), arrival(2, 1_000), arrival(3, 1_001)]);
    const page = await openBoard(race);
    const places = (await rowsOf(page, '#leaders')).map(([place, bib]) => [place, bib]);
    expect(places).toEqual([
      ['1', '1'],
      ['1', '2'],
      ['3', '3'],
    ]);
    // Nobody has silver.
    const medals = await page
      .locator('#leaders tbody tr')
      .evaluateAll((rows) => rows.map(({ dataset }) => dataset['medal']));
    expect(medals).toEqual(['1', '1', '3']);
    await page.locator('#races').waitFor({ state: 'hidden' });
  });
});

describe('the races of an event', () => {
  test('stand in tabs with their counts, and the one with the latest arrival opens', async () => {
    const race = await newRace(PEOPLE);
    await upload(race, [arrival(1), arrival(3)]);
    await upload(race, [arrival(2)]);
    const page = await openBoard(race);
    expect(await tabsOf(page)).toEqual(['10K2', '21K1']);
    expect((await rowsOf(page, '#leaders')).map(([, bib]) => bib)).toEqual(['2']);
    await tab(page, '10K').click();
    await waitForAddress(page, `${race.board}?distance=10K`);
    expect((await rowsOf(page, '#arrivals')).map(([, bib]) => bib)).toEqual(['3', '1']);
    await page.goBack();
    await waitForAddress(page, race.board);
    await page.locator('#leaders a.bib', { hasText: /^2$/ }).waitFor();

    // An open page keeps its race.
    await upload(race, [arrival(5)]);
    await refresh(page);
    await page.locator('#races').getByText('10K3').waitFor();
    expect((await rowsOf(page, '#leaders')).map(([, bib]) => bib)).toEqual(['2']);
    const shared = await openBoard(race, '?distance=21K');
    expect(await tabsOf(shared)).toEqual(['10K3', '21K1']);
    expect((await rowsOf(shared, '#leaders')).map(([, bib]) => bib)).toEqual(['2']);
  });

  test('are one list without tabs if there is one distance', async () => {
    const race = await newRace(PEOPLE.map(({ distance: _, ...person }) => person));
    await upload(race, [arrival(1), arrival(2)]);
    const page = await openBoard(race, '?distance=42K');
    await page.locator('#races').waitFor({ state: 'hidden' });
    expect(await rowsOf(page, '#leaders')).toHaveLength(2);
    expect(await page.locator('.rows').first().innerText()).not.toContain('/km');
  });
});

describe('the full list', () => {
  const MANY = Array.from({ length: 130 }, (_, index) => ({
    ...PEOPLE[index % 60],
    bib_number: String(index + 1),
    distance: index < 120 ? '21K' : '10K',
  }));

  test('has pages, filters and an address for each of them', async () => {
    const race = await newRace(MANY);
    await upload(race, [
      ...MANY.slice(0, 118).map((_, index) => arrival(index + 1)),
      { bib_number: '119', status: 'DNS' },
      { bib_number: '120', status: 'DNF' },
      arrival(121),
    ]);
    const page = await openBoard(race, '?distance=21K');
    await page.getByRole('link', { name: 'Show all 120 results' }).click();
    await waitForAddress(page, `${race.board}?distance=21K&list`);
    await page.getByText('Page 1 of 3').waitFor();
    expect(await rowsOf(page, '#list-rows')).toHaveLength(50);
    expect(await page.locator('#skip').getAttribute('href')).toBe('#list-title');
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByText('Page 2 of 3').waitFor();
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByText('Page 3 of 3').waitFor();
    // A keyboard user stays on the link, and the page begins at the top.
    expect(await page.evaluate('document.activeElement.id')).toBe('list-next');
    const top = await page.evaluate("document.querySelector('#list').getBoundingClientRect().top");
    expect(Math.abs(Number(top))).toBeLessThan(1);
    await waitForAddress(page, `${race.board}?distance=21K&list&page=3`);
    const last = await rowsOf(page, '#list-rows');
    expect(last.slice(-3).map(([place, bib, , time]) => [place, bib, time])).toEqual([
      ['118', '118', '1:20:27 3:48 /km'],
      ['', '120', 'Did not finish'],
      ['', '119', 'Did not start'],
    ]);

    const choice = page.getByLabel('Gender and category');
    await choice.selectOption('Women');
    await waitForAddress(page, `${race.board}?distance=21K&list&gender=F`);
    await page.locator('#list-state').getByText('60 results', { exact: true }).waitFor();
    await choice.selectOption('Women 30-\u206039');
    await page.locator('#list-state').getByText('20 results', { exact: true }).waitFor();
    const filtered = `${race.board}?distance=21K&list&gender=F&category=30-39`;
    await waitForAddress(page, filtered);
    const shown = await rowsOf(page, '#list-rows');
    expect(new Set(shown.map(([, , who]) => who))).toEqual(new Set(['Women 30-\u206039']));
    // The last runner, bib 119, did not start.
    const places = Array.from({ length: 19 }, (_, index) => String(index + 1));
    expect(shown.map(([place]) => place)).toEqual([...places, '']);
    expect(await violationsOf(page)).toEqual([]);
    await page.goto(`${race.board}?distance=21K&list&page=9999`);
    await page.getByText('Page 3 of 3').waitFor();
    await waitForAddress(page, `${race.board}?distance=21K&list&page=3`);
    await page.getByLabel('Go to place').fill('60');
    await page.keyboard.press('Enter');
    await page.getByText('Page 2 of 3').waitFor();
    expect((await rowsOf(page, '#list-rows')).map(([place]) => place)).toContain('60');
    await page.goto(`${race.board}?bib=77`);
    await page.getByRole('link', { name: 'In the full list' }).click();
    await page.locator('#list-rows tr.mine').getByText('77', { exact: true }).first().waitFor();

    const shared = await openBoard(race, new URL(filtered).search, PHONE);
    await shared.locator('#list-state').getByText('20 results', { exact: true }).waitFor();
    expect(await rowsOf(shared, '#list-rows')).toEqual(shown);
    await shared.getByRole('link', { name: 'Back to the board' }).click();
    await waitForAddress(shared, `${race.board}?distance=21K`);
    await shared.locator('#leaders').waitFor();
    expect(await shared.locator('#skip').getAttribute('href')).toBe('#arrivals-title');
    const list = await fetch(`${race.board}/results?distance=21K&gender=F&category=30-39`);
    expect(BoardList.parse(await list.json()).total).toBe(20);
  });

  test('says what is wrong and tries again', async () => {
    const race = await newRace(MANY);
    await upload(race, [arrival(1)]);
    const page = await newPage();
    await page.route('**/results?*', (route) => route.fulfill({ status: 503, body: '{}' }));
    await page.goto(`${race.board}?list`);
    await page.locator('#list-state').getByText('The results server does not answer').waitFor();
    await page.unroute('**/results?*');
    await page.locator('#list-state').getByText('1 result', { exact: true }).waitFor();
    await page.goto(`${race.board}?list&category=none`);
    await page.getByText('No results match.').waitFor();
  });
});

test('shows the same results as the API after a race at 60 times its speed, and nothing jumps', async () => {
  const people = PEOPLE.slice(0, 40).map((person, index) => ({
    ...person,
    distance: index % 2 ? '3K' : '2K',
  }));
  const race = await newRace(people, { board_names: 'initials' });
  const pages = await Promise.all(
    [PHONE, { viewport: { width: 1280, height: 800 } }].map(async (options) => {
      const page = await newPage(options);
      await measureShifts(page);
      await page.goto(race.board);
      await page.locator('#board').waitFor();
      return page;
    }),
  );
  const [phone, page] = pages;
  if (!phone || !page) throw new Error('no pages');
  const { origin } = served;
  const { eventId, apiKey } = race;
  let updates = 0;
  await page.exposeFunction('updated', () => {
    updates += 1;
  });
  await page.evaluate(`new MutationObserver(() => updated())
    .observe(document.querySelector('#races'), { childList: true, subtree: true })`);

  const played = await playRace({ origin, apiKey, eventId, speed: 60, seed: 7, runners: 40 });
  expect(played.differences).toEqual([]);
  // The board updated during the race: how often depends on the machine.
  expect(updates).toBeGreaterThan(0);
  for (const one of pages) expect(await shiftsOf(one)).toBeLessThan(0.02);

  await uploadAndServe(race, [arrival(1, 500)]);
  await refresh(page);
  const client = new RaceResultsClient({ baseUrl: origin, apiKey });
  const { data: results } = await client.listEventResults(eventId, { page_size: 100 });
  expect(results).toHaveLength(40);
  for (const distance of ['2K', '3K']) {
    await tab(page, distance).click();
    await waitForAddress(page, `${race.board}?distance=${distance}`);
    const own = results.filter((result) => result.distance === distance);
    const finished = own.filter(({ status }) => status === 'FINISHED');
    const shown = await rowsOf(page, '#leaders');
    expect(shown.map(([place, bib, , time]) => [place, bib, time?.split(' ')[0]])).toEqual(
      finished
        .slice(0, shown.length)
        .map(({ position_distance, bib_number, chip_time, gun_time }) => [
          String(position_distance),
          bib_number,
          said(chip_time ?? gun_time),
        ]),
    );
    expect(shown.length).toBeGreaterThan(4);
    const { counts } = await raceOf(race, distance);
    for (const [status, count] of Object.entries(counts)) {
      expect([status, count]).toEqual([
        status,
        own.filter((result) => result.status === status).length,
      ]);
    }
  }
}, 240_000);

describe('an update', () => {
  const THIRTY = PEOPLE.map((person) => ({ ...person, distance: '10K' }));

  async function withThirty() {
    const race = await newRace(THIRTY);
    await upload(
      race,
      THIRTY.slice(0, 30).map((_, index) => arrival(index + 1)),
    );
    return race;
  }

  const bibs = async (page: Page) => (await rowsOf(page, '#arrivals')).map(([, bib]) => bib);

  test('appears without a reload, and its runners stand out for a while', async () => {
    const race = await withThirty();
    const page = await openBoard(race, '', PHONE);
    await upload(race, [arrival(31), arrival(32)]);
    await page.locator('#arrivals tr.new').nth(1).waitFor();
    expect((await bibs(page)).slice(0, 3)).toEqual(['32', '31', '30']);
    await page.locator('#arrivals tr.new').first().waitFor({ state: 'detached' });
  });

  test('waits behind a button while the page is scrolled', async () => {
    const race = await withThirty();
    const page = await openBoard(race, '', PHONE);
    await page.locator('#genders').scrollIntoViewIfNeeded();
    const before = { bibs: await bibs(page), text: await page.locator('#standings').textContent() };
    await upload(race, [arrival(31), arrival(32), arrival(33)]);
    await refresh(page);
    await page.getByRole('button', { name: '3 new arrivals' }).waitFor();
    expect(await bibs(page)).toEqual(before.bibs);
    expect(await page.locator('#standings').textContent()).toBe(before.text);
    expect(await violationsOf(page)).toEqual([]);
    await upload(race, [arrival(34)]);
    await refresh(page);
    await page.getByRole('button', { name: '4 new arrivals' }).click();
    await page.locator('#fresh').waitFor({ state: 'hidden' });
    expect((await bibs(page)).slice(0, 5)).toEqual(['34', '33', '32', '31', '30']);
    await vi.waitFor(async () => expect(await page.evaluate('scrollY')).toBe(0), WAITING);
    expect(await page.evaluate('document.activeElement.id')).toBe('arrivals-title');
  });

  test('appears while a runner is open', async () => {
    const race = await newRace(THIRTY);
    const page = await openBoard(race, '?bib=5', PHONE);
    await page.locator('#before').getByText('Nobody has arrived yet.').waitFor();
    await uploadAndServe(race, [arrival(5), arrival(6)]);
    await refresh(page);
    await page.locator('.result').getByText('1 of 2').first().waitFor();
    expect(await bibs(page)).toEqual(['6', '5']);
    expect(await page.locator('#before').isVisible()).toBe(false);
    await uploadAndServe(race, [arrival(7)]);
    await refresh(page);
    await page.locator('#arrivals a.bib', { hasText: /^7$/ }).waitFor();
  });

  test('waits while somebody is in the tables by keyboard', async () => {
    const race = await withThirty();
    const page = await openBoard(race);
    await upload(race, [arrival(31)]);
    await refresh(page);
    await page.locator('#arrivals a.bib', { hasText: /^31$/ }).waitFor();
    await page.locator('#arrivals a.bib').first().focus();
    await upload(race, [arrival(32)]);
    await refresh(page);
    await page.getByRole('button', { name: '1 new arrival' }).waitFor();
    expect((await bibs(page))[0]).toBe('31');
    await page.getByLabel('Find a runner by bib').focus();
    await refresh(page);
    await page.locator('#arrivals a.bib', { hasText: /^32$/ }).waitFor();
  });

  test('is an empty 304 while nothing changes', async () => {
    const race = await newRace(THIRTY);
    await upload(race, [arrival(1)]);
    const page = await openBoard(race);
    // The server wrote the data and their version into the page.
    expect(await refresh(page)).toBe(304);
    await uploadAndServe(race, [arrival(2)]);
    expect([await refresh(page), await refresh(page)]).toEqual([200, 304]);
    await page.locator('#arrivals tbody tr').nth(1).waitFor();
  });

  test('is announced to screen readers, once for many arrivals', async () => {
    const race = await newRace(THIRTY);
    const page = await openBoard(race);
    await upload(race, [arrival(1), arrival(2), arrival(3)]);
    await refresh(page);
    const heard = page.locator('#heard');
    await heard.getByText('3 arrivals. The latest is bib 3: 1:07:02').waitFor();
    await upload(race, [arrival(4)]);
    await refresh(page);
    await page.locator('#arrivals tbody tr').nth(3).waitFor();
    expect(await heard.textContent()).toContain('3 arrivals');
  });

  test('does not animate for a viewer who prefers reduced motion', async () => {
    const race = await newRace(PEOPLE);
    await upload(race, [arrival(3)]);
    const page = await openBoard(race, '', { reducedMotion: 'reduce' });
    await upload(race, [arrival(1)]);
    await refresh(page);
    await page.locator('#arrivals tr.new').waitFor();
    expect(await page.evaluate('document.getAnimations().length')).toBe(0);
  });
});

async function pass({ eventId, apiKey }: Race, point: string, times: Record<string, string>) {
  const passings = Object.entries(times).map(([bib_number, time]) => ({
    bib_number,
    point,
    time,
  }));
  const answer = await fetch(`${served.origin}/public/v1/events/${eventId}/passings`, {
    method: 'POST',
    headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ passings }),
  });
  expect(await answer.json()).toMatchObject({ failed: [] });
}

/** Sends a start for all runners, an hour ago. */
const tellStart = ({ eventId }: { eventId: string }) =>
  served.pool.query(
    `insert into event_starts (event_id, ordinal, name, starts_at, utc_offset_minutes)
    values ($1, 1, 'Gun', now() - interval '1 hour', 0)`,
    [eventId],
  );

describe('the course', () => {
  test('shows who has passed a point, and fills the card of a followed runner until a DNF', async () => {
    const half = PEOPLE.map((person) => ({ ...person, distance: '21K' }));
    const race = await newRace(half, { board_names: 'initials' });
    await tellStart(race);
    const page = await openBoard(race, '?bib=3', PHONE);
    await page.locator('.result').getByText('No result yet').waitFor();
    await pass(race, 'Km 10', { 3: '50:00', 4: '41:28', 5: '45:00', 6: '1:02:00' });
    await vi.waitFor(
      async () => expect((await raceOf(race, '21K')).points).toHaveLength(1),
      WAITING,
    );
    await refresh(page);
    const point = page.locator('.point');
    await point.getByRole('heading', { name: 'Km 10' }).waitFor();
    // Before the first arrival no list without a runner stands over the course.
    const leaders = page.locator('#leaders-title');
    expect(await leaders.isVisible()).toBe(false);
    await page.locator('#course-part').getByText('No arrivals yet.').waitFor();
    await point.getByText('4 of 60').waitFor();
    const bibs = (table: string) => page.locator(`.point ${table} .bib`).allTextContents();
    expect(await bibs('.first')).toEqual(['4', '5', '3']);
    expect(await bibs('.latest')).toEqual(['6', '3', '5']);
    const card = page.locator('.result');
    await card.getByText('Expected finish').waitFor();
    const [expected = '', reached, passed = ''] = await card
      .locator('.places dd')
      .allTextContents();
    // The only time is since the gun: in a race of waves, the runner is faster than the time says.
    expect(expected).toMatch(/^about \d\d:\d\d or before$/);
    expect(reached).toBe('Km 10, place 3');
    expect(passed).toMatch(/^\d\d:\d\d.*\s·\s.*ago|this minute|now/);
    await card.getByText('Km 10, since the gun').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await uploadAndServe(race, [{ bib_number: '3', status: 'DNF' }]);
    await refresh(page);
    await card.getByText('Did not finish').waitFor();
    expect(await card.innerText()).not.toContain('about');
    // Nor after somebody has left the race.
    expect(await page.locator('#counts').innerText()).toMatch(/Did not finish\s*1/);
    expect(await leaders.isVisible()).toBe(false);
    expect(await page.locator('#arrivals-title').isVisible()).toBe(false);
    const wall = await openWall(race, '?screen&point=Km+10');
    expect(await wall.locator('#wall-title').innerText()).toBe('Km 10 · 4 of 60');
    expect(await wall.locator('.wall-bib').allTextContents()).toEqual(['6', '3', '5', '4']);
    const places = wall.locator('#wall-lines .place');
    expect(await places.allTextContents()).toEqual(['4', '3', '2', '1']);
    expect(await violationsOf(wall)).toEqual([]);
  });

  test('gives each small card the place at the last point, and when the next one and the finish are expected', async () => {
    const race = await newRace(PEOPLE.map((person) => ({ ...person, distance: '21K' })));
    await tellStart(race);
    const minutes = Array.from({ length: 40 }, (_, at) => [String(at + 1), `00:${20 + at}:10`]);
    await pass(race, 'Km 5', Object.fromEntries(minutes));
    await pass(race, 'Km 10', { 1: '40:20' });
    const page = await openBoard(race, '?bib=1,31', PHONE);
    const details = page.locator('#others .details');
    await details
      .getByText(
        /^Km 5, place 31\s·\sKm 10 about \d\d:\d\d or before\s·\sfinish about \d\d:\d\d or before$/,
      )
      .waitFor();
    const wide = await openBoard(race, '?bib=1,31&lang=es', {
      viewport: { width: 1440, height: 900 },
    });
    for (const { width, scale } of [
      { width: 1440, scale: '100%' },
      { width: 390, scale: '100%' },
      { width: 320, scale: '200%' },
    ]) {
      await wide.setViewportSize({ width, height: 900 });
      await wide.evaluate(`document.documentElement.style.fontSize = '${scale}'`);
      const cut = await wide
        .locator('#others .details')
        .evaluate((place) => place.scrollHeight - place.clientHeight);
      expect(cut, `${width} ${scale}`).toBeLessThanOrEqual(2);
    }
    // Text of twice the size has no room for two columns.
    const lefts = await wide
      .locator('.result .places > div')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
    expect(lefts.length).toBeGreaterThan(2);
    expect(new Set(lefts).size).toBe(1);
    // The course says everything: no list without a runner stands above.
    expect(await wide.locator('#arrivals-title').isVisible()).toBe(false);
    expect(await wide.locator('#skip').getAttribute('href')).toBe('#course-title');
    const places = await page.locator('.result .places').innerText();
    expect(places).toContain('Km 10, place 1');
    // Two times give the pace between them.
    expect(places).not.toContain('or before');
    expect(await violationsOf(page)).toEqual([]);
  });
});

describe('the page of a runner', () => {
  test.each([
    ['of a finisher', { ...arrival(1), chip_time: '00:58:03.250' }],
    ['of an hour', { ...arrival(1), chip_time: '01:02:03' }],
  ])('shows the time %s before its scripts come, and moves nothing then', async (_, result) => {
    const race = await newRace(PEOPLE, { board_names: 'initials' });
    await upload(race, [result]);
    const page = await newPage(PHONE);
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/assets/*.js', async (route) => {
      await held;
      await route.continue();
    });
    await measureShifts(page);
    await page.goto(`${race.board}?bib=1`, { waitUntil: 'commit' });
    const shown = async (card: string) => {
      const places = ['.bib', 'h2', '.clock'].map((part) => page.locator(`${card} ${part}`));
      return Promise.all(
        places.map(async (place) => [await place.innerText(), (await place.boundingBox())?.y]),
      );
    };
    await page.locator('#early').waitFor();
    const early = await shown('#early');
    expect(early).toEqual([
      ['1', expect.any(Number)],
      ['Ana E.', expect.any(Number)],
      [said(result.chip_time), expect.any(Number)],
    ]);
    answer();
    await page.locator('#found .result').waitFor();
    expect(await shown('#found .result')).toEqual(early);
    expect(await page.locator('#early').count()).toBe(0);
    expect(await shiftsOf(page)).toBeLessThan(0.02);
  });
});

describe('the connection', () => {
  test('is reported as lost and recovers without a reload', async () => {
    const race = await newRace(PEOPLE);
    await upload(race, [arrival(1)]);
    const page = await openBoard(race);
    const status = page.locator('#status');
    await status.getByText(/^Live · \d\d:\d\d:\d\d$/).waitFor();
    await page.context().setOffline(true);
    await page
      .getByText(/^No connection\. Showing results of \d\d:\d\d:\d\d\. Trying again…$/)
      .waitFor();
    expect(await status.getAttribute('data-state')).toBe('offline');
    expect(await rowsOf(page, '#arrivals')).toHaveLength(1);
    expect(await violationsOf(page)).toEqual([]);
    await upload(race, [arrival(3)]);
    await page.context().setOffline(false);
    await page.locator('#arrivals tbody tr').nth(1).waitFor();
    await page.locator('#status[data-state="live"]').waitFor();
    expect(await page.locator('#notice').textContent()).toBe('');
  });

  test.each([
    ['en', 'Offline', /^No connection\. Showing results of \d\d:\d\d:\d\d\. Trying again…$/],
    ['es', 'Sin conexión', /^Sin conexión\. Últimos resultados: \d\d:\d\d:\d\d\. Reintentando…$/],
  ])(
    'is not needed for the last state, which says of when it is (%s)',
    async (lang, state, notice) => {
      const race = await newRace(PEOPLE, { board_names: 'initials' });
      await upload(race, [arrival(1), arrival(3)]);
      const page = await openBoard(race, `?bib=3&lang=${lang}`, PHONE);
      // The service worker keeps the page, and the page its answers.
      const { pathname } = new URL(race.board);
      await untilKept(page, pathname);
      await refresh(page);
      await untilKept(page, `${pathname}/data`);
      await page.context().setOffline(true);
      await uploadAndServe(race, [arrival(5)]);
      await page.reload();
      await page.getByText(notice).waitFor();
      expect(await page.locator('#status').innerText()).toBe(state);
      expect(await page.locator('h1').innerText()).toBe('Carrera de Prueba');
      const shown = page.locator('#arrivals .bib');
      expect(await shown.allInnerTexts()).toEqual(['3', '1']);
      expect(await page.locator('.result h2').innerText()).toBe('Carla E.');
      expect(await violationsOf(page)).toEqual([]);
      await page.context().setOffline(false);
      await page.locator('#status[data-state="live"]').waitFor();
      expect(await shown.allInnerTexts()).toEqual(['5', '3', '1']);
      await upload(race, [arrival(7)]);
      await vi.waitFor(async () => {
        await page.reload();
        expect(await shown.allInnerTexts()).toEqual(['7', '5', '3', '1']);
        expect(await page.locator('#notice').textContent()).toBe('');
      }, WAITING);
    },
  );

  test('is not needed for what came with the page, although it is lost at once', async () => {
    const race = await newRace(PEOPLE);
    await upload(race, [arrival(1), arrival(3)]);
    const page = await newPage(PHONE);
    await page.route('**/data', (route) => route.abort());
    await page.route('**/bibs/*', (route) => route.abort());
    await page.goto(`${race.board}?bib=3`);
    const { pathname } = new URL(race.board);
    for (const path of ['', '/data', '/bibs/3']) await untilKept(page, pathname + path);
    await page.context().setOffline(true);
    await page.reload();
    await page.getByText(/^No connection\. Showing results of/).waitFor();
    expect(await page.locator('#arrivals .bib').allInnerTexts()).toEqual(['3', '1']);
    await page.locator('.result .final', { hasText: '1:07:02' }).waitFor();
  });

  test('is not needed for a page that came past the worker, as by a forced reload', async () => {
    const [first, second] = [await newRace(PEOPLE), await newRace(PEOPLE)];
    const page = await openBoard(first);
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    const browser = await page.context().newCDPSession(page);
    await browser.send('Network.enable');
    await browser.send('Network.setBypassServiceWorker', { bypass: true });
    await page.goto(second.board);
    expect(await page.evaluate('navigator.serviceWorker.controller')).toBeNull();
    await untilKept(page, new URL(second.board).pathname);
  });

  test('leaves the last pages in the browser, of boards that are on, and nothing else', async () => {
    const races: Race[] = [];
    for (let count = 0; count < 4; count++) races.push(await newRace(PEOPLE));
    const page = await newPage();
    for (const race of races) {
      await page.goto(`${race.board}?bib=1`);
      await untilKept(page, new URL(race.board).pathname);
    }
    const namesOf = (kept: typeof races) => kept.map(({ eventId }) => `board /board/${eventId}`);
    await vi.waitFor(
      async () => expect(await keptPages(page)).toEqual(namesOf(races.slice(1))),
      WAITING,
    );
    const [, off, ...on] = races;
    if (!off) throw new Error('no race');
    const kept = await page.evaluate(
      `caches.match('/board/${off.eventId}').then((page) => page.text())`,
    );
    expect(kept).toContain('id="first"></script>');
    await configure(off, 'board_enabled', false);
    await vi.waitFor(async () => expect((await fetch(off.board)).status).toBe(404), WAITING);
    await page.goto(off.board);
    await vi.waitFor(async () => expect(await keptPages(page)).toEqual(namesOf(on)), WAITING);
    const answers: string[] = await page.evaluate(
      'caches.open("answers").then((cache) => cache.keys()).then((kept) => kept.map(({ url }) => url))',
    );
    expect(answers.filter((url) => !/\/board\/[\da-f-]{36}\/(data|bibs\/1)$/.test(url))).toEqual(
      [],
    );
    await page.goto(`${served.origin}/docs`);
    expect(await page.evaluate('navigator.serviceWorker.controller')).toBeNull();
  });

  describe('through a network that wants a login', () => {
    type Answer = { status: number; headers: Record<string, string> };
    const LOGIN = '<!doctype html><title>Wi-Fi</title><p>Log in';
    /** The browser keeps no file alone, so the worker asks for each file. */
    const UNKEPT = { 'cache-control': 'no-store' };

    /** Serves the pages under another origin. An answer of `login` comes from the network between. */
    async function serveThrough(login: (request: IncomingMessage) => Answer | undefined) {
      const network = createServer(async (request, response) => {
        const foreign = login(request);
        if (foreign) {
          response.writeHead(foreign.status, { ...foreign.headers, ...UNKEPT }).end(LOGIN);
          return;
        }
        const answer = await fetch(served.origin + request.url);
        const headers = Object.fromEntries(answer.headers);
        for (const name of [
          'cache-control',
          'content-encoding',
          'content-length',
          'transfer-encoding',
        ])
          delete headers[name];
        response.writeHead(answer.status, { ...headers, ...UNKEPT });
        response.end(new Uint8Array(await answer.arrayBuffer()));
      });
      atEnd(() => network.close());
      return `http://${LOOPBACK}:${await listen(network)}`;
    }

    test.each([
      ['a page', { status: 200, headers: { 'Content-Type': 'text/html' } }],
      ['another address', { status: 302, headers: { Location: '/login' } }],
    ])('no page is kept whose files were answered with %s', async (_, answer) => {
      const [first, second] = [await newRace(PEOPLE), await newRace(PEOPLE)];
      let asked = 0;
      let isLogin = true;
      const origin = await serveThrough(({ url = '', headers }) => {
        if (url === '/login')
          return { status: 200, headers: { 'Content-Type': 'text/javascript' } };
        if (!isLogin || !url.startsWith('/assets/') || headers['sec-fetch-dest'] !== 'empty')
          return undefined;
        asked += 1;
        return answer;
      });
      const page = await newPage({ beside: origin });
      await page.goto(`${origin}/board/${first.eventId}`);
      await vi.waitFor(() => expect(asked).toBeGreaterThan(0), WAITING);
      isLogin = false;
      await page.goto(`${origin}/board/${second.eventId}`);
      await untilKept(page, `/board/${second.eventId}`);
      expect(await keptPages(page)).toEqual([`board /board/${second.eventId}`]);
    });

    test.each([
      ['a page', 200],
      ['an error', 404],
    ])('the kept page stays when %s answers instead of it', async (_, status) => {
      const race = await newRace(PEOPLE);
      let isLogin = false;
      const headers = { 'Content-Type': 'text/html' };
      const origin = await serveThrough(() => (isLogin ? { status, headers } : undefined));
      const page = await newPage({ beside: origin });
      await page.goto(`${origin}/board/${race.eventId}`);
      await untilKept(page, `/board/${race.eventId}`);
      isLogin = true;
      await page.reload();
      await page.getByText('Log in').waitFor();
      await page.context().setOffline(true);
      await page.reload();
      await page.locator('#status[data-state="offline"]').waitFor();
    });
  });

  test.each([
    ['an error of the server', 503, '{}', 'The results server does not answer.', 'failing'],
    ['a page of a Wi-Fi login', 200, '<html>login</html>', 'No connection.', 'offline'],
  ])('shows the right message for %s', async (_, status, body, text, state) => {
    const race = await newRace(PEOPLE);
    await upload(race, [arrival(1)]);
    const page = await openBoard(race, '?theme=dark');
    await page.route('**/data', (route) => route.fulfill({ status, body }));
    await refresh(page);
    await page.getByText(`${text} Showing results of`).waitFor();
    expect(await page.locator('#status').getAttribute('data-state')).toBe(state);
    expect(await rowsOf(page, '#arrivals')).toHaveLength(1);
    expect(await violationsOf(page)).toEqual([]);
    await page.unroute('**/data');
    await refresh(page);
    await page.locator('#status[data-state="live"]').waitFor();
  });

  test('shows the age of answers that a cache has kept for long', async () => {
    const race = await newRace(PEOPLE);
    const page = await openBoard(race);
    await page.route('**/data', (route) =>
      route.fulfill({ status: 304, headers: { Age: '3600' } }),
    );
    await refresh(page);
    await page.getByText('The results server does not answer. Showing results of').waitFor();
    const hour = new Date(Date.now() - 3_600_000).getUTCHours();
    expect(await page.locator('#notice').textContent()).toMatch(
      new RegExp(`results of ${String(hour).padStart(2, '0')}:`),
    );
  });

  test('is retried if it failed from the start', async () => {
    const race = await newRace(PEOPLE);
    const page = await newPage();
    await page.route('**/data', (route) => route.abort());
    await page.goto(race.board);
    await page.getByText(/^No connection\. Showing results of .+Trying again…$/).waitFor();
    await page.unroute('**/data');
    await page.locator('#notice').getByText('No connection').waitFor({ state: 'hidden' });
  });

  test('is asked at once for a page of long ago, which a browser restores', async () => {
    const race = await newRace(PEOPLE);
    await upload(race, [arrival(1)]);
    const page = await newPage();
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/data', async (route) => {
      await held;
      await route.continue();
    });
    await page.clock.install({ time: Date.now() + 3_600_000 });
    await page.goto(race.board);
    await page.locator('#status').getByText('Loading…').waitFor();
    expect(await rowsOf(page, '#arrivals')).toHaveLength(1);
    expect(await violationsOf(page)).toEqual([]);
    answer();
    await page.locator('#status:is([data-state="live"], [data-state="quiet"])').waitFor();
  });

  test('shows that it loads, and not an empty page', async () => {
    const page = await newPage();
    await page.route('**/assets/*.js', () => {});
    await page.goto((await newRace(PEOPLE)).board, { waitUntil: 'commit' });
    await page.locator('#status').getByText('Loading…').waitFor();
    await page.locator('#loading').waitFor();
    expect(await page.locator('h1').textContent()).toBe('Carrera de Prueba');
  });
});

describe('the state of the race', () => {
  const HOUR_MS = 3_600_000;
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();

  /** Moves all arrivals of the race to a moment in the past. */
  const arrivedAgo = ({ eventId }: Race, ms: number) =>
    served.pool.query(
      `update results set updated_at = now() - $2::int * interval '1 ms',
        first_finished_at = now() - $2::int * interval '1 ms' where event_id = $1`,
      [eventId, ms],
    );

  test.each([
    ['before its date', 48 * HOUR_MS, 'Before the race', 'Results will appear here.'],
    ['after its start', -HOUR_MS, 'No arrivals yet', 'Nobody has arrived yet.'],
    ['long after its date', -72 * HOUR_MS, 'No results', 'This race has no results.'],
  ])('is told %s, without results', async (_, startsIn, status, text) => {
    const event_date = at(startsIn);
    const race = await newRace(PEOPLE, { event_date });
    for (const options of [PHONE, { colorScheme: 'dark' as const }]) {
      const page = await openBoard(race, '', options);
      await page.locator('#status').getByText(status, { exact: true }).waitFor();
      await page.locator('#before').getByText(text).waitFor();
      const date = new Date(event_date).toLocaleDateString('en-GB', { dateStyle: 'long' });
      await page.locator('#before').getByText(date).waitFor();
      expect(await tabsOf(page)).toEqual(['10K0', '21K0']);
      expect(await violationsOf(page)).toEqual([]);
    }
  });

  test('is live only while runners arrive, and over some hours later', async () => {
    const race = await newRace(PEOPLE, { event_date: at(-2 * HOUR_MS) });
    await upload(race, [arrival(1)]);
    const page = await openBoard(race);
    const status = page.locator('#status');
    await status.getByText(/^Live · /).waitFor();
    await arrivedAgo(race, 4 * 60_000);
    await refresh(page);
    await status.getByText(/^Live · /).waitFor();
    await arrivedAgo(race, 6 * 60_000);
    await refresh(page);
    await status.getByText(/^Last arrival \d\d:\d\d$/).waitFor();
    await arrivedAgo(race, 4 * HOUR_MS);
    await refresh(page);
    await status.getByText('Race over', { exact: true }).waitFor();
    expect(await page.locator('body').innerText()).not.toContain('Live');
  });

  test('is updated, and opens with the winners, once results are corrected after the race', async () => {
    const race = await newRace(PEOPLE, { event_date: at(-30 * HOUR_MS) });
    await upload(
      race,
      PEOPLE.slice(0, 12).map((_, index) => arrival(index + 1)),
    );
    await arrivedAgo(race, 28 * HOUR_MS);
    await uploadAndServe(race, [arrival(1, 3_900)]);
    const page = await openBoard(race, '', PHONE);
    await page
      .locator('#status')
      .getByText(/^Updated \d\d:\d\d$/)
      .waitFor();
    expect(await page.locator('body').innerText()).not.toContain('Live');
    expect(await page.locator('#arrivals').isVisible()).toBe(false);
    const steps = await page.locator('#podium .bib').allTextContents();
    const shown = await page.locator('#races [aria-current] bdi').textContent();
    const { leaders } = await raceOf(race, shown ?? '');
    expect(steps).toEqual(leaders.slice(0, 3).map(({ bib_number }) => bib_number));
    expect(await violationsOf(page)).toEqual([]);
  });

  test('shows the start in the time of its place, and counts down to it', async () => {
    const event_date = at(2 * HOUR_MS - 30_000);
    const race = await newRace([], { event_date, time_zone: 'Asia/Kathmandu' });
    const page = await openBoard(race, '', { timezoneId: 'America/Lima' });
    const options = { timeZone: 'Asia/Kathmandu', hour: '2-digit', minute: '2-digit' } as const;
    const start = new Date(event_date).toLocaleTimeString('en-GB', options);
    await page.getByText(`Start ${start} · in 2 h 0 min`).waitFor();
    await page.locator('#event-where').getByText(start).waitFor();
    // Without a zone, a time says whose time is shown.
    await configure(race, 'time_zone', 'Nowhere/Else');
    await refresh(page);
    await page.locator('#event-where').getByText('GMT-5').waitFor();
  });

  test('shows a date at midnight in UTC as that day everywhere', async () => {
    const race = await newRace([], { event_date: '2031-05-17T00:00:00Z' });
    const page = await openBoard(race, '', { timezoneId: 'America/Lima' });
    await page.locator('#before').getByText('17 May 2031').waitFor();
  });
});

test('hides all runners on a board that is switched off, and shows them again later', async () => {
  const race = await newRace(PEOPLE);
  await upload(race, [arrival(1)]);
  const page = await openBoard(race, '?bib=1');
  await page.locator('.result').waitFor();
  await configure(race, 'board_enabled', false);
  await refresh(page);
  await page.getByRole('heading', { name: 'This board is no longer public.' }).waitFor();
  const text = (await page.title()) + (await page.locator('body').innerText());
  expect(text).not.toMatch(/1:06:47|Carrera|Villa/);
  expect(await violationsOf(page)).toEqual([]);
  expect((await fetch(race.board)).status).toBe(404);
  await configure(race, 'board_enabled', true);
  await refresh(page);
  await page.locator('.result').waitFor();
  expect(await rowsOf(page, '#arrivals')).toHaveLength(1);
});

test('shows names as soon as the event allows them', async () => {
  const race = await newRace(PEOPLE);
  await upload(race, [arrival(1)]);
  const page = await openBoard(race);
  expect(await page.locator('body').innerText()).not.toContain('Ana');
  await configure(race, 'board_names', 'initials');
  await refresh(page);
  await page.locator('#arrivals').getByText('Ana E.', { exact: true }).waitFor();
  expect(await page.content()).not.toMatch(/(?<!Villa )Ejemplo</);
  // Names disappear at once, also while the rest waits for the reader.
  await page.locator('#arrivals a.bib').focus();
  await upload(race, [arrival(3)]);
  await configure(race, 'board_names', 'none');
  await refresh(page);
  await page.locator('#arrivals').getByText('Ana E.').waitFor({ state: 'hidden' });
});

describe('the search', () => {
  test('finds a runner with positions, times and splits, and keeps the bib in the address', async () => {
    const race = await newRace(PEOPLE, { board_names: 'initials' });
    await upload(race, [arrival(1), arrival(2), arrival(3)]);
    const page = await openBoard(race);
    await page.getByLabel('Find a runner by bib').fill(' 3 ');
    await page.keyboard.press('Enter');
    const result = page.locator('.result');
    await result.waitFor();
    await result.getByText('Splits').click();
    const known = await resultOf(race, '3');
    const text = (await result.innerText()).replace(/\s+/g, ' ');
    expect(text).toContain(`3 ${known.name} 10K · Women 40-\u206049`);
    expect(text).toContain('1:07:02 6:42 /km');
    expect(text).toContain('Overall 2 of 2 Gender 2 of 2 Category 1 of 1');
    expect(text).toContain('Gap +0:14 Gun time 1:07:06');
    expect(text).not.toContain('Chip time');
    expect(text).toContain('Splits Km 5 16:45');
    await waitForAddress(page, `${race.board}?bib=3`);
    expect(await violationsOf(page)).toEqual([]);
    await page.reload();
    await result.getByText('Carla E.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await waitForAddress(page, race.board);
    // The focus in the field would open the keyboard of a phone.
    expect(await page.evaluate('document.activeElement.id')).toBe('event-name');
  });

  test('closes without a step of history, and gives the focus back', async () => {
    const race = await newRace(PEOPLE);
    await upload(race, [arrival(1), arrival(3)]);
    const page = await openBoard(race);
    await page.locator('#leaders a.bib').first().click();
    await page.locator('.result').getByText('1 of 2').first().waitFor();
    const steps = await page.evaluate('history.length');
    await page.getByRole('button', { name: 'Close' }).click();
    await waitForAddress(page, race.board);
    expect(await page.evaluate('history.length')).toBe(steps);
    expect(await page.evaluate('document.activeElement.className')).toContain('bib');
  });

  test('offers number keys for bibs of digits, and finds a bib in any case', async () => {
    const numbers = await openBoard(await newRace(PEOPLE));
    expect(await numbers.locator('#bib').getAttribute('inputmode')).toBe('numeric');
    const race = await newRace([{ bib_number: '21K-00042-B', distance: '21K' }]);
    const page = await openBoard(race);
    expect(await page.locator('#bib').getAttribute('inputmode')).toBe('text');
    await page.getByLabel('Find a runner by bib').fill('21k-00042-b');
    await page.keyboard.press('Enter');
    await page.locator('.result .bib').getByText('21K-00042-B', { exact: true }).waitFor();
  });

  test('keeps the height of the card while the result is awaited', async () => {
    const race = await newRace(PEOPLE);
    await upload(race, [arrival(1)]);
    const page = await newPage(PHONE);
    await measureShifts(page);
    await page.goto(`${race.board}?bib=3`);
    await page.locator('#found .result').waitFor();
    const height = () => page.locator('#found .result').evaluate((card) => card.clientHeight);
    const before = await height();
    await uploadAndServe(race, [arrival(3)]);
    await refresh(page);
    await page.locator('.result.finish').getByText('2 of 2').first().waitFor();
    expect(await height()).toBe(before);
    expect(await shiftsOf(page)).toBeLessThan(0.02);
  });

  test('opens a runner by address: with the race, a title and a button that copies the address', async () => {
    const race = await newRace(PEOPLE, { board_names: 'initials' });
    await upload(race, [arrival(3)]);
    await upload(race, [arrival(2)]);
    const page = await openBoard(race, '?bib=3&theme=dark');
    await page.locator('.result').waitFor();
    expect(await page.title()).toBe('3 · Carla E. · Carrera de Prueba');
    expect(await page.locator('#races [aria-current]').textContent()).toBe('10K1');
    expect(await violationsOf(page)).toEqual([]);
    await page.evaluate('delete Navigator.prototype.share');
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name: 'Link copied' }).waitFor();
    expect(await copiedIn(page)).toBe(`${race.board}?bib=3`);
  });

  test('copies the address where a frame forbids to share, and says that nothing else is allowed', async () => {
    const race = await newRace(PEOPLE);
    const page = await openBoard(race, '?bib=3');
    await page.evaluate(`
      navigator.share = () => Promise.reject(new DOMException('', 'NotAllowedError'));`);
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name: 'Link copied' }).waitFor();
    expect(await copiedIn(page)).toBe(`${race.board}?bib=3`);
    await page.evaluate(`
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'));`);
    await page.locator('.share').click();
    await page.getByRole('button', { name: 'Not allowed here' }).waitFor();
  });

  test('tells a bib without a result from an unknown bib, and shows the result when it arrives', async () => {
    const race = await newRace(PEOPLE, { board_names: 'initials' });
    const page = await openBoard(race, '?bib=17');
    await page.locator('.result').getByText('No result yet. It will appear here.').waitFor();
    expect(await page.locator('.result h2').textContent()).toBe('10K');
    expect(await page.locator('.result').innerText()).not.toContain('Bruno');
    expect(await violationsOf(page)).toEqual([]);
    await uploadAndServe(race, [arrival(17)]);
    await refresh(page);
    await page.locator('.result .final').getByText('1:08:40').waitFor();
    await page.getByLabel('Find a runner by bib').fill('999');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByText('Nobody in this event has bib 999.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await uploadAndServe(race, [{ bib_number: '18', status: 'DNF', splits: { 'Km 5': '20:00' } }]);
    await page.getByLabel('Find a runner by bib').fill('18');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.locator('.result').getByText('Did not finish').waitFor();
    await page.getByLabel('Find a runner by bib').fill('');
    await page.keyboard.press('Enter');
    await page.getByText('Type a bib number or a name.').waitFor();
  });

  test('shows the same as the board soon after a disqualification, and no celebration', async () => {
    const race = await newRace(PEOPLE, { board_names: 'initials' });
    const page = await openBoard(race, '?bib=3', PHONE);
    await uploadAndServe(race, [arrival(1), arrival(3)]);
    await page.locator('.result.finish').getByText('2 of 2').first().waitFor();
    await uploadAndServe(race, [{ bib_number: '3', status: 'DSQ' }]);
    await page.locator('#counts').getByText('Disqualified').waitFor();
    const out = page.locator('.result:not(.finish)').getByText('Disqualified');
    await out.waitFor({ timeout: 7_000 });
    expect(await page.locator('.result').innerText()).not.toContain('of');
    expect(await violationsOf(page)).toEqual([]);
  });

  test('finds runners by name, with or without accents, and offers those who share it', async () => {
    const race = await newRace(
      [
        { bib_number: '7', given_names: 'Ángela', surnames: 'Íñiguez', distance: '10K' },
        { bib_number: '8', given_names: 'Angela', surnames: 'Ibarra', distance: '10K' },
        { bib_number: '9', given_names: 'Oculta', surnames: 'Ibarra', distance: '10K' },
        { bib_number: '10', given_names: 'Zoe', surnames: 'Sola', distance: '10K' },
      ],
      { board_names: 'initials' },
    );
    await upload(race, [arrival(7), arrival(8), arrival(9), arrival(10)]);
    await served.pool.query(
      `insert into board_hidden_names select id from registrations where event_id = $1 and bib_number = '9'`,
      [race.eventId],
    );
    const page = await openBoard(race);
    const search = async (text: string) => {
      await page.getByLabel('Find a runner by bib or name').fill(text);
      await page.keyboard.press('Enter');
    };
    await search('angela i');
    await page.getByText('2 runners. Choose one.').waitFor();
    await waitForAddress(page, `${race.board}?find=angela+i`);
    expect(await page.locator('.choices .name').allTextContents()).toEqual([
      'Ángela Í.',
      'Angela I.',
    ]);
    expect(await violationsOf(page)).toEqual([]);
    await page.locator('.choices a').nth(1).click();
    await page.locator('.result h2').getByText('Angela I.').waitFor();
    await waitForAddress(page, `${race.board}?bib=8`);
    await search('ZOÉ');
    await page.locator('.result h2').getByText('Zoe S.').waitFor();
    await waitForAddress(page, `${race.board}?bib=10`);
    await search('Oculta');
    await page.getByText('Nobody on the course or with a result is called “Oculta”').waitFor();
    await search('#007');
    await page.locator('.result .bib').getByText('7', { exact: true }).waitFor();
  });

  test('keeps the followed runners beside, in the address and on the device', async () => {
    const race = await newRace(PEOPLE, { board_names: 'initials' });
    await upload(race, [arrival(1), arrival(3), arrival(5)]);
    const page = await openBoard(race, '?bib=3', PHONE);
    await page.getByRole('button', { name: 'Follow' }).click();
    await page
      .locator('#leaders tr', { has: page.getByText('5', { exact: true }) })
      .last()
      .click();
    await waitForAddress(page, `${race.board}?bib=5,3`);
    await page.locator('.result .bib').getByText('5', { exact: true }).waitFor();
    const small = page.locator('#others li');
    await small.getByText('Carla E.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await uploadAndServe(race, [arrival(3, 3_000)]);
    await refresh(page);
    // A fraction of a second is the next second.
    await small.getByText('50:01').waitFor();
    await small.locator('a').click();
    await waitForAddress(page, `${race.board}?bib=3,5`);
    await page.locator('.result h2').getByText('Carla E.').waitFor();

    await page.goto(race.board);
    await small.getByText('Carla E.').waitFor();
    await page.getByRole('button', { name: 'Stop following bib 3' }).click();
    await page.locator('#others').waitFor({ state: 'hidden' });
    const shared = await openBoard(race, '?bib=17,1');
    await shared.locator('#others').getByText('2 of 3').waitFor();
    await shared.locator('.result').getByText('No result yet').waitFor();
  });

  test('opens from any bib on the board with the keyboard', async () => {
    const race = await newRace(PEOPLE);
    await upload(race, [arrival(1), arrival(2)]);
    const page = await openBoard(race);
    await page.locator('#leaders a.bib').first().focus();
    await page.keyboard.press('Enter');
    const [first] = (await dataOf(race)).races;
    const bib = first?.leaders[0]?.bib_number ?? '';
    await page.locator('.result .bib').getByText(bib, { exact: true }).waitFor();
    await waitForAddress(page, `${race.board}?bib=${bib}`);
  });
});

describe('unusual content', () => {
  const HOSTILE = '<img src=x onerror=alert(1)>';

  test('appears as text everywhere', async () => {
    const odd = [
      {
        bib_number: HOSTILE,
        given_names: '<b>Eva</b>',
        surnames: '<i>',
        category: HOSTILE,
        gender: '<script>alert(1)</script>',
        distance: '"><svg onload=alert(1)>',
      },
      {
        bib_number: '../../data?x#y',
        given_names: 'عمر',
        surnames: 'خالد',
        category: 'فئة ‏٤٠',
        gender: 'F',
        distance: '__proto__',
      },
      {
        bib_number: '%2e%2e%00',
        given_names: '🏃‍♀️🏽',
        surnames: '賽',
        category: 'constructor',
        gender: 'toString',
        distance: '\u202e21K',
      },
    ];
    const race = await newRace(odd, {
      name: `${HOSTILE}{{7*7}}`,
      city: '<u>',
      board_names: 'initials',
    });
    await upload(
      race,
      odd.map(({ bib_number }, index) => ({
        bib_number,
        chip_time: `01:0${index}:00`,
        splits: { [HOSTILE]: '10:00', __proto__x: '11:00' },
      })),
    );
    const page = await openBoard(race);
    expect(await page.locator('h1').textContent()).toBe(`${HOSTILE}{{7*7}}`);
    expect(await page.title()).toContain(HOSTILE);
    expect(await page.locator('#races .tab').count()).toBe(3);
    for (const { distance } of odd) {
      await page.locator('#races .tab').getByText(distance, { exact: true }).click();
      await page.locator('#leaders tbody tr').waitFor();
    }
    expect(await page.locator('main :is(img, script, i, b, u)').count()).toBe(0);
    for (const { bib_number } of odd) {
      await page.getByLabel('Find a runner by bib').fill(bib_number);
      await page.keyboard.press('Enter');
      await page.locator('.result .bib').getByText(bib_number, { exact: true }).waitFor();
    }
    await page.locator('.result summary').click();
    await page.locator('.splits').getByText(HOSTILE).waitFor();
  });

  test('does not break the layout if it is long', async () => {
    const long = 'x'.repeat(60);
    const people = Array.from({ length: 66 }, (_, index) => ({
      bib_number: `${long.slice(0, 30)}${index}`,
      given_names: long,
      surnames: long,
      gender: `${long}${index}`,
      category: `${long} ${index}`,
      distance: `${long}${index % 3}`,
    }));
    const race = await newRace(people, {
      name: `${long}${long} ${long}`,
      city: long.repeat(3),
      board_names: 'initials',
    });
    await upload(
      race,
      people.map(({ bib_number }, index) => ({ bib_number, chip_time: clock(6_000 + index) })),
    );
    expect((await dataOf(race)).races.flatMap(({ categories }) => categories)).toHaveLength(60);
    for (const viewport of [PHONE.viewport, WALL.viewport]) {
      for (const query of ['', `?list&distance=${long}0`, `?bib=${long.slice(0, 30)}1`]) {
        const page = await openBoard(race, query, { viewport });
        expect(
          await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
        ).toBeLessThanOrEqual(0);
      }
    }
  });

  const SIX_DIGITS = Array.from({ length: 20 }, (_, index) => ({
    bib_number: String(888_801 + index),
    given_names: ['محمد', '太郎', 'X'.repeat(60), 'Ñandú'][index % 4] ?? '',
    surnames: 'Ejemplo',
    gender: 'F',
    category: '18-29',
    distance: '100K',
  }));
  const TITLE = 'Gran Fondo Internacional de la Ciudad de Ejemplo '.padEnd(
    120,
    'y sus Alrededores ',
  );

  async function newLongRace() {
    const settings = { name: TITLE, board_names: 'initials', time_zone: null };
    const race = await newRace(SIX_DIGITS, settings);
    await upload(
      race,
      SIX_DIGITS.map(({ bib_number }, index) => ({ bib_number, chip_time: clock(45_296 + index) })),
    );
    return race;
  }

  /** The parts of a row that cover another part of the row. */
  const colliding = (page: Page): Promise<unknown> =>
    page.evaluate(`[...document.querySelectorAll('#list-rows tbody tr')].flatMap((row) => {
      const parts = [...row.querySelectorAll('.place, .bib, .name, .details, .clock')].map((part) => {
        const range = document.createRange();
        range.selectNodeContents(part);
        return [part.className, range.getBoundingClientRect()];
      });
      return parts.flatMap(([one, a], at) => parts.slice(at + 1).flatMap(([other, b]) =>
        a.right > b.left + 1 && b.right > a.left + 1 && a.bottom > b.top + 3 && b.bottom > a.top + 3
          ? [one + ' ' + other] : []));
    })`);

  /** The texts that are cut. */
  const cut = (page: Page, selector: string): Promise<string[]> =>
    page
      .locator(selector)
      .evaluateAll((places) =>
        places
          .filter((place) => place.checkVisibility() && place.scrollWidth > place.clientWidth)
          .map((place) => place.textContent ?? ''),
      );

  /** The texts that must stand on a single line and do not. */
  const wrapped = (page: Page): Promise<unknown> =>
    page.evaluate(`[...document.querySelectorAll('.place, .bib, .clock, .pace, dd, .tab, .pill, .time')]
      .filter((place) => {
        const range = document.createRange();
        range.selectNodeContents(place);
        const lines = [...range.getClientRects()].filter(({ width }) => width > 0);
        return lines.some(({ top }) => top > lines[0].top + lines[0].height / 2);
      })
      .map((place) => place.textContent)`);

  test('names a group once, and counts one runner in the singular', async () => {
    const race = await newRace([
      { bib_number: '1', gender: 'M', category: 'Senior Men', distance: '5K' },
      { bib_number: '2', gender: 'F', category: '18-29', distance: '5K' },
    ]);
    await upload(race, [arrival(1), { bib_number: '2', status: 'DNF' }]);
    const page = await openBoard(race, '?lang=es');
    await page.locator('#categories').getByText('Senior Men', { exact: true }).first().waitFor();
    expect(await page.locator('#counts').innerText()).toMatch(
      /Llegó\s+1\s+No terminó|1\s+Llegó\s+1\s+No terminó/,
    );
  });

  test('says what decided between equal seconds, and keeps places over 10 000 and long bibs whole on a narrow phone', async () => {
    const people = Array.from({ length: 60 }, (_, index) => ({
      bib_number: `21K-000${10 + index}-B`,
      given_names: 'María Fernanda',
      surnames: 'E',
      gender: 'F',
      category: '18-29',
      distance: '21K',
    }));
    const race = await newRace(people, { board_names: 'initials' });
    await upload(
      race,
      people.map(({ bib_number }, index) => ({
        bib_number,
        chip_time: `10:31:40.${index < 3 ? index : 300 + index}`,
      })),
    );
    const page = await openBoard(race, '', { ...PHONE, viewport: { width: 320, height: 640 } });
    await page.route('**/results?*', async (route) => {
      const answer = await route.fetch();
      const list = BoardList.parse(await answer.json());
      const rows = list.rows.map(({ place, ...row }) => ({
        ...row,
        place: place !== null && place > 3 ? place + 98_765 : place,
      }));
      await route.fulfill({ json: { ...list, rows } });
    });
    await page.locator('#all-results').click();
    await page.locator('#list-rows tbody tr').nth(49).waitFor();
    expect(await cut(page, '#list-rows :is(.bib, .clock, .place)')).toEqual([]);
    expect(await colliding(page)).toEqual([]);
    const behind = await page.locator('#list-rows .clock small').allInnerTexts();
    expect(behind.filter(Boolean)).toEqual(['by 0.1 s']);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  });

  test.each([320, 360, 390, 768, 1280, 1440, 1920])(
    'leaves bibs of six digits, times of ten hours and the date whole at a width of %i',
    async (width) => {
      const race = await newLongRace();
      const reader = { locale: 'es-PE', timezoneId: 'America/Lima' };
      const page = await openBoard(race, '', { viewport: { width, height: 900 }, ...reader });
      expect(await page.locator('#categories .bib').count()).toBe(5);
      expect(await cut(page, '.rows .bib, .rows .clock, #event-where')).toEqual([]);
      expect(await cut(page, '.rows td:last-child, .rows td:first-child')).toEqual([]);
      await page.goto(`${race.board}?list`);
      await page.locator('#list-rows tbody tr').nth(19).waitFor();
      expect(await cut(page, '.rows .bib, .rows .clock')).toEqual([]);
    },
  );

  test('breaks no name at its hyphen', async () => {
    const people = PEOPLE.map((person, index) => ({
      ...person,
      given_names: 'Ana-Josefa',
      category: `Sub-23 ${'promo '.repeat(index % 7)}intro-base`,
      distance: '21K sub-elite',
    }));
    const race = await newRace(people, { board_names: 'initials' });
    await upload(
      race,
      people.map((_, index) => arrival(index + 1)),
    );
    for (const width of [320, 360, 768]) {
      const page = await newPage({ viewport: { width, height: 740 } });
      for (const query of ['?bib=3,4', '?find=ana']) {
        await page.goto(race.board + query);
        await page.locator('#found .details, .result').first().waitFor({ state: 'attached' });
        const broken = await page.evaluate(`(() => {
          const texts = document.createTreeWalker(document.querySelector('#board'), NodeFilter.SHOW_TEXT);
          const broken = [];
          while (texts.nextNode()) {
            for (const { index, 0: word } of texts.currentNode.data.matchAll(/\\S+-\\S+/g)) {
              const range = new Range();
              range.setStart(texts.currentNode, index);
              range.setEnd(texts.currentNode, index + word.length);
              const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
              if (new Set(tops).size > 1) broken.push(word);
            }
          }
          return broken;
        })()`);
        expect(broken, `${query} at ${width} px`).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      }
    }
  });

  test('breaks no place, bib or time of 2 000 runners over two lines at any width', async () => {
    const people = Array.from({ length: 2_000 }, (_, index) => ({
      ...PEOPLE[index % 60],
      bib_number: String(1_001 + index),
      distance: '21K',
    }));
    const race = await newRace(people, { board_names: 'initials' });
    await upload(
      race,
      people.map((_, index) => ({
        ...arrival(1_001 + index),
        chip_time: `${clock(4_000 + index)}.${123 + (index % 800)}`,
      })),
    );
    for (const width of [320, 390, 768, 1440, 1920]) {
      const page = await newPage({ viewport: { width, height: 900 } });
      for (const [query, last] of [
        ['', '#arrivals tbody tr:last-child'],
        ['?list&page=40', '#list-rows tbody tr:nth-child(50)'],
        ['?bib=2750', '.result .places > div:last-child'],
        ['?screen', '#wall-lines li:nth-child(8)'],
      ]) {
        await page.goto(race.board + query);
        await page.locator(last ?? '').waitFor({ state: 'attached' });
        expect(await wrapped(page), `${query} at ${width} px`).toEqual([]);
      }
    }
  });

  test('reads in its own direction, where the others stand', async () => {
    const race = await newLongRace();
    const page = await openBoard(race);
    await page.locator('#leaders .name').getByText('محمد E.').first().waitFor();
    const sides = await page.evaluate(`[...new Set([...document.querySelectorAll('#leaders .name')]
      .map((name) => getComputedStyle(name).textAlign))]`);
    expect(sides).toEqual(['left']);
    const directions =
      await page.evaluate(`[...new Set([...document.querySelectorAll('#leaders .name')]
      .map((name) => getComputedStyle(name).direction))].sort()`);
    expect(directions).toEqual(['ltr', 'rtl']);
    await page.locator('#leaders .name').getByText('太郎 E.').first().waitFor();
  });

  test('pushes no row off the wall', async () => {
    const race = await newLongRace();
    for (const viewport of [
      WALL.viewport,
      { width: 1280, height: 720 },
      { width: 1080, height: 1920 },
      { width: 320, height: 740 },
    ]) {
      const page = await openWall(race, '?screen', { viewport });
      await page.locator('#wall-lines li').nth(7).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      expect(await outside(page)).toEqual([]);
      expect(await cut(page, '.wall-bib, #wall-lines .time, #wall-lines .place')).toEqual([]);
    }
  });
});

test('leaves no room beside the podium empty, although a third gender has a card', async () => {
  const people = PEOPLE.map((person, index) => ({
    ...person,
    gender: ['F', 'M', 'X'][index % 3] ?? '',
    distance: '10K',
  }));
  const race = await newRace(people, { event_date: '2020-05-17T08:00:00Z' });
  await upload(
    race,
    people.map((_, index) => arrival(index + 1)),
  );
  for (const width of [1440, 1920]) {
    const page = await openBoard(race, '', { viewport: { width, height: 900 } });
    await page.locator('#genders > :nth-child(3)').waitFor();
    const boxOf = (selector: string) =>
      page.locator(selector).evaluate((place) => {
        const { left, right, top, bottom } = place.getBoundingClientRect();
        return { left, right, top, bottom };
      });
    const [board, leaders, podium, rows] = await Promise.all(
      ['.standings', '.leaders', '#podium', '#leaders'].map(boxOf),
    );
    expect([leaders?.left, leaders?.right], `${width}`).toEqual([board?.left, board?.right]);
    expect(podium?.top, `${width}`).toBeCloseTo(rows?.top ?? 0, 0);
    expect(podium?.bottom, `${width}`).toBeCloseTo(rows?.bottom ?? 0, 0);
    const tops = await page
      .locator('#genders > *')
      .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().top));
    expect(new Set(tops).size, `${width}`).toBe(1);
    expect((await boxOf('#genders > :last-child')).right).toBeCloseTo(board?.right ?? 0, 0);
  }
});

test('leaves no room above the podium of three equal times empty', async () => {
  const race = await newRace(PEOPLE.slice(0, 12).map((person) => ({ ...person, distance: '10K' })));
  await configure(race, 'event_date', '2020-05-17T08:00:00Z');
  await upload(
    race,
    Array.from({ length: 12 }, (_, at) => arrival(at + 1, at < 3 ? 2_000 : 2_000 + at)),
  );
  const page = await openBoard(race, '', { viewport: { width: 1440, height: 900 } });
  await page.locator('#podium [data-medal="1"]:nth-child(3)').waitFor();
  const top = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((place) => place.getBoundingClientRect().top);
  expect(Math.abs((await top('#podium li')) - (await top('#leaders')))).toBeLessThan(24);
});

describe('what a reader looks for', () => {
  const people = (count: number): Person[] =>
    Array.from({ length: count }, (_, at) => ({
      bib_number: String(at + 1),
      given_names: `Ana${at === 7 ? '' : 'bel'}`,
      surnames: 'Ejemplo',
      distance: '10K',
    }));
  const minutes = (at: number) =>
    `00:${String(30 + Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`;
  const isInSight = (page: Page, selector: string) =>
    page.locator(selector).evaluate((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return top >= 0 && bottom <= row.ownerDocument.documentElement.clientHeight;
    });

  test('is in sight and marked: the row of a place, and the row of a runner', async () => {
    const race = await newRace(people(230), { board_names: 'initials' });
    await upload(
      race,
      people(230).map(({ bib_number }, at) => ({ bib_number, chip_time: minutes(at) })),
    );
    const page = await openBoard(race, '?list', PHONE);
    await page.locator('#list-place').fill('200');
    await page.keyboard.press('Enter');
    const sought = page.locator('#list-rows tr.sought');
    await sought.filter({ hasText: '200' }).waitFor();
    expect(await isInSight(page, '#list-rows tr.sought')).toBe(true);
    await page.locator('#list-next').click();
    await page.locator('#list-rows tr', { hasText: '201' }).first().waitFor();
    expect(await sought.count()).toBe(0);

    await page.goto(`${race.board}?bib=140`);
    await page.getByRole('link', { name: 'In the full list' }).click();
    await sought.filter({ hasText: '140' }).waitFor();
    expect(await isInSight(page, '#list-rows tr.sought')).toBe(true);

    const desk = await openBoard(race, '?list', { viewport: { width: 1440, height: 900 } });
    await desk.locator('#list-rows tbody tr').first().waitFor();
    const width = (selector: string) =>
      desk.locator(selector).evaluate((place) => Math.round(place.getBoundingClientRect().width));
    expect(await width('#list')).toBe(await width('.board'));
  });

  test('stands on lines: what begins a row of the page, and the heads of two cards', async () => {
    const race = await newRace(people(60));
    await upload(
      race,
      people(30).map(({ bib_number }, at) => ({ bib_number, chip_time: minutes(at) })),
    );
    const page = await openBoard(race, '', { viewport: { width: 1440, height: 900 } });
    const left = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((place) => place.getBoundingClientRect().left);
    expect(await left('#counts dd')).toBe(await left('.arrivals'));
    const top = (selector: string) =>
      page.locator(selector).evaluate((place) => place.getBoundingClientRect().top);
    expect(await top('#arrivals tbody')).toBe(await top('#leaders tbody'));
  });

  test('is whole on a phone and a tablet whose text is twice as large', async () => {
    const race = await newRace(people(60), { board_names: 'initials' });
    await upload(
      race,
      people(60).map(({ bib_number }, at) => ({ bib_number, chip_time: minutes(at) })),
    );
    await configure(race, 'name', 'Maratón Internacional de Puerto Ejemplo');
    const tablet = { viewport: { width: 768, height: 1_024 } };
    for (const [query, options] of [
      ...['', '?bib=7', '?bib=7,2,3', '?list'].map((query) => [query, PHONE] as const),
      ['', tablet] as const,
    ]) {
      const page = await newPage(options);
      // On a slow line the page shows a wider fallback font first.
      await page.route('**/*.woff2', (route) => route.abort());
      await page.goto(race.board + query);
      await page.locator('tbody tr:visible').first().waitFor();
      await page.evaluate("document.documentElement.style.fontSize = '200%'");
      // The wall is another view, and texts for screen readers alone are cut on purpose.
      const cut = await page.evaluate(`[...document.querySelectorAll('header *, #board *')]
        .filter((place) => place.offsetParent && place.textContent.trim())
        .filter((place) => !place.closest('.unseen, .wall, .tabs, thead, label > span'))
        .filter((place) => {
          const { overflow } = getComputedStyle(place);
          const isCut = place.scrollHeight > place.clientHeight + 2 || place.scrollWidth > place.clientWidth + 1;
          const isOut = place.getBoundingClientRect().right > document.documentElement.clientWidth + 1;
          return isOut || (overflow === 'hidden' && isCut);
        })
        .map((place) => place.outerHTML.slice(0, 120))`);
      expect(cut, query).toEqual([]);
      // A city at the beginning of a line has no dot before.
      const begins = await page.evaluate(`(() => {
        const city = document.querySelector('#event-where bdi');
        const date = city.previousElementSibling.getBoundingClientRect();
        const isBelow = city.getBoundingClientRect().top >= date.bottom - 2;
        return isBelow && getComputedStyle(city, '::before').display !== 'none' ? city.textContent : '';
      })()`);
      expect(begins, query).toBe('');
      // The field has room for a name.
      const field = await page.locator('#bib').boundingBox();
      expect(field?.width, query).toBeGreaterThan(250);
    }
  });

  test('uses the width of the page: the card, the only point of a course, and a group on the wall', async () => {
    const grouped = people(12).map((person) => ({
      ...person,
      gender: 'M',
      category: 'Veteranos de 55 a 59',
    }));
    const race = await newRace(grouped, { board_names: 'initials' });
    const times = { 1: '00:25:00', 2: '00:26:00', 3: '00:27:00', 4: '00:28:00', 5: '00:29:00' };
    await pass(race, 'Km 5', times);
    await upload(
      race,
      grouped.slice(2).map(({ bib_number }, at) => ({ bib_number, chip_time: minutes(at) })),
    );
    const page = await openBoard(race, '?bib=1', { viewport: { width: 768, height: 900 } });
    const widthOf = (selector: string) =>
      page.locator(selector).evaluate((place) => Math.round(place.getBoundingClientRect().width));
    expect(await widthOf('.result')).toBe(await widthOf('.board'));
    // Nothing stands beside an empty place.
    const places = page.locator('.result .places');
    const right = (place: Locator) => place.evaluate((one) => one.getBoundingClientRect().right);
    expect(await right(places.locator('> :last-child'))).toBeCloseTo(await right(places), 0);
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(await widthOf('.point')).toBe(await widthOf('.board'));
    const top = (selector: string) =>
      page.locator(selector).evaluate((place) => place.getBoundingClientRect().top);
    expect(await top('.point .first')).toBe(await top('.point .latest'));

    const wall = await openWall(race, '?screen');
    const cut = await wall
      .locator('.wall-group')
      .evaluateAll((groups) => groups.filter((one) => one.scrollWidth > one.clientWidth).length);
    expect(cut).toBe(0);
  });

  test('is whole on the narrowest phone: each tab, and the times of a podium without their font', async () => {
    const distances = ['5K', '10K', '21K'];
    const race = await newRace(
      distances.flatMap((distance, of) =>
        people(5).map((person) => ({
          ...person,
          bib_number: `${of}${person.bib_number}`,
          distance,
        })),
      ),
    );
    await configure(race, 'event_date', new Date(Date.now() - 30 * 3_600_000).toISOString());
    await upload(
      race,
      distances.flatMap((_, of) =>
        people(5).map(({ bib_number }) => ({
          bib_number: `${of}${bib_number}`,
          chip_time: `02:20:0${bib_number}.33${bib_number}`,
        })),
      ),
    );
    for (const width of [320, 390]) {
      const page = await newPage({ ...PHONE, viewport: { width, height: 740 } });
      await page.route('**/*.woff2', (route) => route.abort());
      await page.goto(race.board);
      await page.locator('#podium li').first().waitFor();
      const cut = await page
        .locator('#races, #podium li')
        .evaluateAll((all) =>
          all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
        );
      expect(cut, String(width)).toEqual([]);
    }
  });

  test('has figures of one width in its times', async () => {
    const race = await newRace(people(5));
    const page = await newPage(PHONE);
    await page.goto(race.board);
    // The page may stand without its font.
    const measured = await page.evaluate<string>(`
      document.fonts.load('600 1em "Sofia Sans Semi Condensed"').then((fonts) => {
        const widths = ['11:11', '40:00'].map((time) => {
          const text = document.createElement('span');
          text.style.position = 'absolute';
          text.style.font = '600 100px "Sofia Sans Semi Condensed"';
          text.style.fontVariantNumeric = getComputedStyle(document.body).fontVariantNumeric;
          text.textContent = time;
          document.body.append(text);
          return text.getBoundingClientRect().width;
        });
        return [fonts.length, ...new Set(widths)].join(' ');
      })`);
    expect(measured).toMatch(/^1 \d{3}\.?\d*$/);
  });

  test('moves nothing when a name in the address is found', async () => {
    const race = await newRace(people(60), { board_names: 'initials' });
    await upload(
      race,
      people(60).map(({ bib_number }, at) => ({ bib_number, chip_time: minutes(at) })),
    );
    const page = await newPage(PHONE);
    await measureShifts(page, '**/find?*');
    await page.goto(`${race.board}?find=anabel`);
    await page.locator('.choices li').first().waitFor();
    expect(await shiftsOf(page)).toBeLessThanOrEqual(0.05);
  });

  test('stands on a card without reserved room before the race, in the time of the place on the course', async () => {
    const before = await newRace(people(3), {
      event_date: new Date(Date.now() + 20 * 3_600_000).toISOString(),
    });
    const waiting = await openBoard(before, '?bib=2', PHONE);
    const heightOf = (page: Page, selector: string) =>
      page.locator(selector).evaluate((place) => place.getBoundingClientRect().height);
    expect(await heightOf(waiting, '.result')).toBeLessThan(260);

    const race = await newRace(people(3), { time_zone: 'Europe/Madrid' });
    await pass(race, 'Km 5', { 1: '00:25:00', 2: '00:26:00' });
    const page = await openBoard(race, '?bib=1', { ...PHONE, timezoneId: 'America/Lima' });
    const facts = page.locator('.result .places dd');
    await facts.first().waitFor();
    expect((await facts.allInnerTexts()).join()).not.toMatch(/GMT|UTC/);
    // Nor for a runner without a passing.
    const unseen = await openBoard(race, '?bib=3', PHONE);
    expect(await heightOf(unseen, '.result')).toBeLessThan(260);

    const tie = await newRace(people(4));
    await upload(
      tie,
      ['1', '2', '3', '4'].map((bib_number) => ({ bib_number, chip_time: '35:00' })),
    );
    await configure(tie, 'event_date', new Date(Date.now() - 30 * 3_600_000).toISOString());
    const podium = await openBoard(tie, '', PHONE);
    await podium.locator('#podium li').first().waitFor();
    expect(await heightOf(podium, '#podium')).toBeLessThan(150);
  });

  test('is on the wall before the first arrival, also for one distance', async () => {
    const race = await newRace(people(3));
    await pass(race, 'Km 5', { 2: '00:25:00' });
    for (const query of ['?screen', '?screen&distance=10K']) {
      const page = await openWall(race, query);
      await page.locator('#wall-title', { hasText: '10K · Km 5 · ' }).waitFor();
      expect(await page.locator('#wall-lines .wall-bib').allInnerTexts()).toEqual(['2']);
    }
  });
});

describe('the wall', () => {
  /** The contrast of every text on the wall with its background, the weakest first. */
  const CONTRASTS = `(() => {
    const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const light = (colour) => {
      const [r, g, b] = parts(colour).map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (place) => {
      for (let at = place; at; at = at.parentElement) {
        const colour = getComputedStyle(at).backgroundColor;
        if (parts(colour)[3] !== 0) return colour;
      }
    };
    return [...document.querySelectorAll('.bar :is(h1, #event-where, #status), #notice, #wall *')]
      .filter((place) => place.checkVisibility() && place.textContent !== '')
      .map((place) => {
        const [dark, bright] = [light(getComputedStyle(place).color), light(behind(place))].sort((a, b) => a - b);
        return [(bright + 0.05) / (dark + 0.05), place.textContent];
      })
      .sort(([one], [other]) => one - other);
  })()`;

  async function weakest(page: Page): Promise<number> {
    const [first] = z
      .array(z.tuple([z.number(), z.string()]))
      .parse(await page.evaluate(CONTRASTS));
    return first?.[0] ?? 0;
  }

  test('shows eight whole rows in large text, with names and places in each own race', async () => {
    const race = await newRace(PEOPLE, { board_names: 'initials' });
    await upload(
      race,
      PEOPLE.map((_, index) => arrival(index + 1)),
    );
    const page = await openWall(race, '?screen');
    expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0);
    const rows = page.locator('#wall-lines li');
    expect(await rows.count()).toBe(8);
    expect(await outside(page)).toEqual([]);
    const size = await page.evaluate(
      `parseFloat(getComputedStyle(document.querySelector('#wall-lines li')).fontSize) / innerHeight`,
    );
    // A letter of a twentieth of the screen's height is read from 20 m on a screen of 2 m.
    expect(size).toBeGreaterThan(0.05);
    const { races } = await dataOf(race);
    for (const text of await rows.allInnerTexts()) {
      const [place, distance, bib, name] = text.split('\n');
      const known = races.find((one) => one.distance === distance);
      const runner = known?.arrivals.find(({ bib_number }) => bib_number === bib);
      expect([place, name]).toEqual([String(runner?.place), runner?.name]);
    }
  });

  test('shows all lists in turn, and the arrivals between them', async () => {
    const race = await newRace(PEOPLE);
    await upload(
      race,
      PEOPLE.map((_, index) => arrival(index + 1)),
    );
    const page = await newPage(WALL);
    await page.clock.install();
    await page.goto(`${race.board}?screen`);
    await page.locator('#wall-lines li').first().waitFor();
    const seen: string[] = [];
    for (let turn = 0; turn < 16; turn++) {
      seen.push(await page.locator('#wall-title').innerText());
      expect(await outside(page)).toEqual([]);
      await page.clock.fastForward(10_000);
    }
    const { races } = await dataOf(race);
    const lists = races.flatMap(({ distance }) =>
      ['Overall', 'By gender', 'By category', 'By category'].map((list) => `${distance} · ${list}`),
    );
    expect(seen.filter((_, turn) => turn % 2 === 0)).toEqual(Array(8).fill('Latest arrivals'));
    expect(seen.filter((_, turn) => turn % 2 === 1)).toEqual(lists.slice(0, 8));
  });

  test('shows one race if the address asks for it', async () => {
    const race = await newRace(PEOPLE);
    await upload(race, [arrival(1), arrival(2)]);
    const page = await openWall(race, '?screen&distance=21K');
    expect(await page.locator('#wall-title').innerText()).toBe('21K · Latest arrivals');
    expect(await page.locator('#wall-lines .wall-bib').allInnerTexts()).toEqual(['2']);
    expect(await page.locator('#wall-lines .heading').allInnerTexts()).toEqual(['21K · 1 of 30']);
    // The title names the race, and no row does so again. Rows of two races name theirs.
    expect(await page.locator('.wall-race').allTextContents()).toEqual(['']);
    const both = await openWall(race, '?screen');
    expect((await both.locator('.wall-race').allTextContents()).sort()).toEqual(['10K', '21K']);
  });

  test('is filled below the first arrival with the first ones at each point, over its whole height', async () => {
    const race = await newRace(PEOPLE.map((person) => ({ ...person, distance: '21K' })));
    await pass(race, 'Km 5', { 1: '20:00', 2: '20:30', 3: '21:00', 4: '21:30', 5: '22:00' });
    await pass(race, 'Km 15', { 1: '60:00', 2: '61:00' });
    await upload(race, [arrival(1)]);
    const asked: string[] = [];
    const page = await newPage(WALL);
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${race.board}?screen`);
    const lines = page.locator('#wall-lines li');
    await lines.nth(4).waitFor();
    expect(await page.locator('#wall-lines .heading').allInnerTexts()).toEqual([
      '21K · Km 15 · 2 of 60',
      '21K · Km 5 · 5 of 60',
    ]);
    expect(await page.locator('#wall-lines .wall-bib').allInnerTexts()).toEqual(['1', '2', '3']);
    expect(await outside(page)).toEqual([]);
    const bottom = await lines.last().evaluate((line) => line.getBoundingClientRect().bottom);
    expect(bottom).toBeGreaterThan(1_000);
    expect(asked.filter((path) => path.endsWith('/data')).length).toBeLessThan(2);
  });

  test.each(['light', 'dark'])('has a contrast of 7:1 also in a new row, %s', async (theme) => {
    const race = await newRace(PEOPLE, { board_names: 'initials' });
    await upload(race, [arrival(1), arrival(2)]);
    const page = await openWall(race, `?screen&theme=${theme}`);
    expect(await weakest(page)).toBeGreaterThan(7);
    await upload(race, [arrival(3)]);
    await refresh(page);
    await page.locator('#wall-lines li.new').waitFor();
    expect(await weakest(page)).toBeGreaterThan(7);
    expect(await violationsOf(page)).toEqual([]);
    await page.route('**/data', (route) => route.fulfill({ status: 503, body: '{}' }));
    await refresh(page);
    await page.getByText('The results server does not answer').waitFor();
    expect(await weakest(page)).toBeGreaterThan(7);
    expect(await outside(page)).toEqual([]);
    expect(await violationsOf(page)).toEqual([]);
  });

  test('shows the winners first, with medals, once the race is over', async () => {
    const race = await newRace(PEOPLE, { event_date: '2020-05-17T08:00:00Z' });
    await upload(race, [arrival(1), arrival(3), arrival(5), arrival(7)]);
    const page = await openWall(race, '?screen');
    expect(await page.locator('#wall-title').innerText()).toBe('10K · Overall');
    const lines = page.locator('#wall-lines li');
    expect(await lines.locator('.place').allInnerTexts()).toEqual(['1', '2', '3', '4']);
    expect(await lines.evaluateAll((all) => all.map(({ dataset }) => dataset['medal']))).toEqual([
      '1',
      '2',
      '3',
      undefined,
    ]);
    expect(await weakest(page)).toBeGreaterThan(7);
  });

  test('says before the race when it is, and can be left', async () => {
    const race = await newRace([], { event_date: '2031-05-17T00:00:00Z' });
    const page = await newPage(WALL);
    await page.goto(`${race.board}?screen`);
    await page.getByText('17 May 2031. Results will appear here.').waitFor();
    await page.getByRole('button', { name: 'Large text' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Find a runner by bib').waitFor();
    await waitForAddress(page, race.board);
  });
});

describe('the page', () => {
  test('may stand in a frame of another site', async () => {
    const race = await newRace(PEOPLE);
    const { headers } = await fetch(race.board);
    expect(headers.get('Content-Security-Policy')).toContain('frame-ancestors *');
    expect(headers.get('X-Frame-Options')).toBeNull();
  });

  test('says in a chat what it is, with a picture', async () => {
    const race = await newRace(PEOPLE);
    const html = await (await fetch(`${race.board}?bib=3,1&lang=es`)).text();
    const image = `${served.origin}/board/share.png`;
    expect(html).toContain(`<meta property="og:url" content="${race.board}?bib=3%2C1">`);
    expect(html).toContain(`<meta property="og:image" content="${image}">`);
    // A chat does not reveal the language of its readers.
    expect(html).not.toContain('content="Live results"');
    const picture = await fetch(image);
    expect([picture.status, picture.headers.get('Content-Type')]).toEqual([200, 'image/png']);
  });

  test.each([
    ['de-DE', /^17 May 2031/],
    ['en-US', /^May 17, 2031/],
    ['es-PE', /^17 de mayo de 2031/],
  ])('writes dates as a reader of %s does', async (locale, date) => {
    const race = await newRace([], { event_date: '2031-05-17T00:00:00Z' });
    const page = await openBoard(race, '', { locale });
    expect(await page.locator('#before-date').innerText()).toMatch(date);
  });

  test('uses the language of the browser or the chosen language', async () => {
    const race = await newRace(PEOPLE);
    await upload(race, [arrival(1)]);
    const page = await openBoard(race, '', { locale: 'es-AR' });
    await page.getByRole('heading', { name: 'Últimas llegadas' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('es');
    await page.getByRole('button', { name: 'EN, English' }).click();
    await page.getByRole('heading', { name: 'Latest arrivals' }).waitFor();
    await waitForAddress(page, `${race.board}?lang=en`);
    await page.reload();
    await page.getByRole('heading', { name: 'Latest arrivals' }).waitFor();
    expect(await page.locator('#arrivals th').allTextContents()).toEqual([
      'Place',
      'Runner',
      'Time',
    ]);
  });

  test.each(['light', 'dark'] as const)(
    'is %s if the browser or the viewer prefers it',
    async (scheme) => {
      const race = await newRace(PEOPLE);
      const page = await openBoard(race, '', { colorScheme: scheme });
      const dark = () =>
        page.evaluate(`getComputedStyle(document.documentElement).backgroundColor
        .match(/\\d+/g).reduce((sum, part) => sum + Number(part), 0) < 384`);
      expect(await dark()).toBe(scheme === 'dark');
      await page.getByRole('button', { name: 'Dark colours' }).click();
      expect(await dark()).toBe(scheme !== 'dark');
      await waitForAddress(page, `${race.board}?theme=${scheme === 'dark' ? 'light' : 'dark'}`);
    },
  );

  test('has a skip link and a name for every control', async () => {
    const race = await newRace(PEOPLE);
    await upload(race, [arrival(1)]);
    const page = await openBoard(race);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('arrivals-title');
    const tree = await page.locator('body').ariaSnapshot();
    for (const part of [
      'heading "Carrera de Prueba"',
      'searchbox "Find a runner by bib"',
      'table "Latest arrivals"',
      'columnheader "Place"',
      'link "Bib 1: show the result"',
      'button "Dark colours"',
    ]) {
      expect(tree).toContain(part);
    }
    expect(tree).not.toMatch(/(button|link|textbox|searchbox)$/m);
  });

  test('sends fewer requests while it is hidden, and none after a minute', async () => {
    const race = await newRace([]);
    const page = await openBoard(race);
    await page.clock.install();
    await page.evaluate(
      `Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })`,
    );
    await refresh(page);
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/data')) asked += 1;
    });
    await page.clock.runFor(20_000);
    expect(asked).toBe(0);
    await page.clock.runFor(20_000);
    await vi.waitFor(() => expect(asked).toBe(1), WAITING);
    await page.clock.runFor(100_000);
    const asleep = asked;
    expect(asleep).toBeLessThanOrEqual(2);
    await page.clock.runFor(600_000);
    expect(asked).toBe(asleep);
    await page.evaluate(`Object.defineProperty(document, 'hidden', { get: () => false })`);
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await vi.waitFor(() => expect(asked).toBe(asleep + 1), WAITING);
  });
});
