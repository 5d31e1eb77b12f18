import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { generateApiKey } from '../caller/api-key.ts';
import { RaceResultsClient } from '../client/index.ts';
import { playRace } from '../rehearsal/race.ts';
import { type ServedWorker, serveWorker } from '../testing/served-worker.ts';
import { PAGE } from './page.ts';
import { BoardResult, type BoardRunner, BoardSnapshot } from './schemas.ts';

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const WALL = { viewport: { width: 1920, height: 1080 } };
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

let served: ServedWorker;
let browser: Browser;
let opened: BrowserContext[] = [];
/** What no page may ever do; every test ends by looking at it. */
let offences: string[] = [];

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ARGUMENTS });
  served = await serveWorker(generateApiKey());
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

type Person = Partial<
  Record<'bib_number' | 'given_names' | 'surnames' | 'gender' | 'category' | 'distance', string>
>;

type Race = { eventId: string; board: string };

/** An event of the demo's organization with an open board. */
async function newRace(people: Person[], settings: Record<string, unknown> = {}): Promise<Race> {
  const eventId = crypto.randomUUID();
  const event = {
    id: eventId,
    organization_id: served.demo.organizationId,
    name: 'Carrera de Prueba',
    event_date: '2026-05-17T08:00:00Z',
    city: 'Villa Ejemplo',
    board_enabled: true,
    ...settings,
  };
  await insert('events', [event]);
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
  return { eventId, board: `${served.origin}/board/${eventId}` };
}

async function insert(table: string, rows: Record<string, unknown>[]): Promise<void> {
  for (const row of rows) {
    const columns = Object.keys(row);
    const values = columns.map((_, index) => `$${index + 1}`);
    await served.pool.query(
      `insert into ${table} (${columns}) values (${values})`,
      Object.values(row),
    );
  }
}

const configure = ({ eventId }: Race, column: string, value: unknown) =>
  served.pool.query(`update events set ${column} = $2 where id = $1`, [eventId, value]);

async function upload({ eventId }: Race, results: unknown[]): Promise<void> {
  const answer = await fetch(`${served.origin}/public/v1/events/${eventId}/results`, {
    method: 'POST',
    headers: { 'X-API-Key': served.demo.apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ results }),
  });
  expect(await answer.json()).toMatchObject({ failed: [] });
}

const dataOf = async ({ board }: Race) =>
  BoardSnapshot.parse(await (await fetch(`${board}/data`)).json());

const resultOf = async ({ board }: Race, bib: string) =>
  BoardResult.parse(await (await fetch(`${board}/bibs/${encodeURIComponent(bib)}`)).json());

/** A page of a browser that remembers nothing; English unless said. */
async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  opened.push(context);
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== served.origin) offences.push(`asked ${request.url()}`);
  });
  const page = await context.newPage();
  page.on('pageerror', (error) => offences.push(`threw ${error.message}`));
  page.on('dialog', (dialog) => offences.push(`said ${dialog.message()}`));
  page.on('console', (message) => {
    // The browser's own line about an answer that is an error, which some tests provoke.
    if (!message.text().startsWith('Failed to load resource')) offences.push(message.text());
  });
  page.setDefaultTimeout(15_000);
  return page;
}

async function openBoard({ board }: Race, query = '', options: BrowserContextOptions = {}) {
  const page = await newPage(options);
  await page.goto(board + query);
  await page.locator('#board').waitFor();
  return page;
}

/** Lets the page ask at once, as it does when its connection is back, and waits for the answer. */
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

/** A time as the page says it. */
const said = (time: string | null) =>
  (time ?? '').replace(/\.000$|0+$/, '').replace(/^00:|^0(?=\d:)/, '');

/** What the rows of a table say, each as its cells. */
const rowsOf = (page: Page, table: string): Promise<string[][]> =>
  page
    .locator(`${table} tbody tr`)
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? '')),
    );

const expectedRow = (runner: BoardRunner) => [
  String(runner.place),
  runner.bib_number,
  [runner.name ?? '', runner.gender, runner.category, runner.distance].join(''),
  said(runner.chip_time ?? runner.gun_time),
];

describe('what is served', () => {
  test('the page only where there is a board, and its files beside it', async () => {
    const race = await newRace([]);
    const page = await fetch(race.board);
    expect([page.status, await page.text()]).toEqual([200, PAGE]);
    for (const file of readdirSync(join(import.meta.dirname, 'site/board'))) {
      const answer = await fetch(`${served.origin}/board/${file}`);
      expect(answer.status, file).toBe(200);
      expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
      await answer.body?.cancel();
    }
    for (const path of ['/board', '/board/', '/board/page', '/board/index', '/board/index.html']) {
      const answer = await fetch(served.origin + path, { redirect: 'manual' });
      expect(answer.status, path).toBe(404);
      expect(await answer.json()).toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  test('is one thing however its address is written', async () => {
    const race = await newRace(PEOPLE);
    await upload(race, [arrival(7)]);
    const upper = `${served.origin}/board/${race.eventId.toUpperCase()}`;
    for (const path of ['/data?x=1', '/bibs/%37?y', '?screen']) {
      const answer = await fetch(upper + path);
      expect(answer.status, path).toBe(200);
      await answer.body?.cancel();
    }
  });

  test('is under 60 KiB, compressed as one file each', () => {
    const folder = join(import.meta.dirname, 'site/board');
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
    const sizes = [PAGE, ...files].map((content) => gzipSync(content).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60 * 1_024);
  });

  test('loads each file once and before it is asked for', async () => {
    const race = await newRace([]);
    const page = await newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(race.board);
    await page.locator('#board').waitFor();
    const scripts = asked.filter((path) => path.endsWith('.js'));
    const written = readdirSync(join(import.meta.dirname, 'site/board'));
    expect(scripts.map((path) => path.replace('/board/', '')).sort()).toEqual(
      written.filter((name) => name.endsWith('.js')).sort(),
    );
    const hints = PAGE.match(/(?<=modulepreload" href="|<script type="module" src=")[^"]+/g);
    expect(hints?.sort()).toEqual(scripts.sort());
  });
});

describe('a race that is played to its end', () => {
  test('is on the board as the API has it', async () => {
    const race = await newRace(PEOPLE, { board_shows_names: true });
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
    await refresh(page);

    const snapshot = await dataOf(race);
    expect(await rowsOf(page, '#arrivals')).toEqual(snapshot.arrivals.map((r) => expectedRow(r)));
    expect(await rowsOf(page, '#leaders')).toEqual(snapshot.leaders.map((r) => expectedRow(r)));
    expect(snapshot.leaders.map((r) => r.place).slice(0, 3)).toEqual([1, 1, 3]);
    const cards = await page
      .locator('.card')
      .evaluateAll((all) =>
        all.map((card) => [
          card.querySelector('h3')?.textContent,
          card.querySelector('p')?.textContent,
          ...[...card.querySelectorAll('tbody tr')].map(
            (row) => row.querySelector('.bib')?.textContent,
          ),
        ]),
      );
    const named: Record<string, string> = { F: 'Women', M: 'Men' };
    expect(cards).toEqual(
      [...snapshot.genders, ...snapshot.distances, ...snapshot.categories].map((group) => [
        named[group.name] ?? group.name,
        `${group.finished} finishers`,
        ...group.leaders.map(({ bib_number }) => bib_number),
      ]),
    );
    expect(await page.locator('#counts').innerText()).toMatch(/Finished\s+59\s+Disqualified\s+1/);

    const { rows } = await served.pool.query(
      `select bib_number, position_overall::int from standings where event_id = $1
      order by position_overall, registration_id limit 10`,
      [race.eventId],
    );
    const shown = await rowsOf(page, '#leaders');
    expect(
      shown.map(([place, bib]) => ({ bib_number: bib, position_overall: Number(place) })),
    ).toEqual(rows);
  });
});

test('a race played at 60 times its speed ends on the board as the API answers it', async () => {
  const people = PEOPLE.slice(0, 40).map((person) => ({ ...person, distance: '3K' }));
  const race = await newRace(people);
  const page = await openBoard(race);
  const { origin } = served;
  const { eventId } = race;
  const { apiKey } = served.demo;
  let arrivals = 0;
  await page.exposeFunction('arrived', () => {
    arrivals += 1;
  });
  await page.evaluate(`new MutationObserver(() => arrived())
    .observe(document.querySelector('#arrivals'), { childList: true, subtree: true })`);

  const played = await playRace({ origin, apiKey, eventId, speed: 60, seed: 7, runners: 40 });
  expect(played.differences).toEqual([]);
  // While it was played, the board has moved by itself.
  expect(arrivals).toBeGreaterThan(3);

  await refresh(page);
  const client = new RaceResultsClient({ baseUrl: origin, apiKey });
  const { data: results } = await client.listEventResults(eventId, { page_size: 100 });
  expect(results).toHaveLength(40);
  const finished = results.filter(({ status }) => status === 'FINISHED');
  const shown = await rowsOf(page, '#leaders');
  expect(shown.map(([place, bib, , time]) => [place, bib, time])).toEqual(
    finished
      .slice(0, shown.length)
      .map(({ position_overall, bib_number, chip_time, gun_time }) => [
        String(position_overall),
        bib_number,
        said(chip_time ?? gun_time),
      ]),
  );
  expect(shown.length).toBeGreaterThan(4);
  const { counts } = await dataOf(race);
  for (const [status, count] of Object.entries(counts)) {
    expect([status, count]).toEqual([
      status,
      results.filter((result) => result.status === status).length,
    ]);
  }
}, 240_000);

describe('an update', () => {
  test('comes by itself, and keeps focus, scroll, selection and every row that stays', async () => {
    const race = await newRace(PEOPLE);
    await upload(
      race,
      PEOPLE.slice(0, 30).map((_, index) => arrival(index + 1)),
    );
    const page = await openBoard(race, '', PHONE);
    const bib = page.locator('#arrivals a.bib', { hasText: /^30$/ });
    await bib.focus();
    await page.evaluate(`(() => {
      const row = document.querySelector('#arrivals tr[data-key="30"]');
      row.mark = 'mine';
      getSelection().selectAllChildren(row.querySelector('.time span'));
      window.gone = [];
      new MutationObserver((changes) => {
        for (const { removedNodes } of changes) {
          for (const node of removedNodes) if (node.nodeName === 'TR') window.gone.push(node.dataset.key);
        }
      }).observe(document.querySelector('#arrivals'), { childList: true, subtree: true });
      document.querySelector('#genders').scrollIntoView();
    })()`);
    const state = () =>
      page.evaluate(`(() => {
        const row = document.querySelector('#arrivals tr[data-key="30"]');
        return [row.mark, document.activeElement.textContent, String(getSelection()), scrollY];
      })()`);
    const before = await state();
    await upload(race, [arrival(31), arrival(32)]);
    await page.locator('#arrivals tr.new').nth(1).waitFor();
    expect(await state()).toEqual(before);
    expect(before).toEqual(['mine', '30', '1:10:10', expect.any(Number)]);
    // Those that the list has no room for; nothing else left it, not for a moment.
    expect(await page.evaluate('window.gone')).toHaveLength(2);
    await page.locator('#arrivals tr.new').first().waitFor({ state: 'detached' });
  });

  test('is 304 while there is none', async () => {
    const race = await newRace(PEOPLE);
    await upload(race, [arrival(1)]);
    const page = await openBoard(race);
    expect([await refresh(page), await refresh(page)]).toEqual([304, 304]);
    await upload(race, [arrival(2)]);
    expect([await refresh(page), await refresh(page)]).toEqual([200, 304]);
    expect(await rowsOf(page, '#arrivals')).toHaveLength(2);
  });

  test('is heard, once for a crowd', async () => {
    const race = await newRace(PEOPLE);
    const page = await openBoard(race);
    await upload(race, [arrival(1), arrival(2), arrival(3)]);
    await refresh(page);
    const heard = page.locator('#heard');
    await heard.getByText('3 arrivals. The latest is bib 3: 1:07:01.25').waitFor();
    await upload(race, [arrival(4)]);
    await refresh(page);
    expect(await rowsOf(page, '#arrivals')).toHaveLength(4);
    expect(await heard.textContent()).toContain('3 arrivals');
  });

  test('does not move for who asked for no motion', async () => {
    const race = await newRace(PEOPLE);
    const page = await openBoard(race, '', { reducedMotion: 'reduce' });
    await upload(race, [arrival(1)]);
    await refresh(page);
    await page.locator('#arrivals tr.new').waitFor();
    expect(await page.evaluate('document.getAnimations().length')).toBe(0);
  });
});

describe('a connection', () => {
  test('that is lost is said to be, and comes back by itself', async () => {
    const race = await newRace(PEOPLE);
    await upload(race, [arrival(1)]);
    const page = await openBoard(race);
    const status = page.locator('#status');
    await status.getByText(/^Live · \d\d:\d\d:\d\d$/).waitFor();
    await page.context().setOffline(true);
    await page.getByText(/^Connection lost, showing \d\d:\d\d:\d\d; trying again$/).waitFor();
    expect(await status.getAttribute('data-state')).toBe('lost');
    expect(await rowsOf(page, '#arrivals')).toHaveLength(1);
    await upload(race, [arrival(2)]);
    await page.context().setOffline(false);
    await page.locator('#arrivals tr').nth(2).waitFor();
    expect(await status.getAttribute('data-state')).toBe('live');
    expect(await page.locator('#notice').textContent()).toBe('');
  });

  test.each([
    ['an error', { status: 503, body: '{}' }],
    ['no board', { status: 200, body: '<html>Wi-Fi login</html>' }],
  ])('that answers with %s is lost too', async (_, answer) => {
    const race = await newRace(PEOPLE);
    await upload(race, [arrival(1)]);
    const page = await openBoard(race);
    await page.route('**/data', (route) => route.fulfill(answer));
    await refresh(page);
    await page.getByText('Connection lost, showing').waitFor();
    expect(await rowsOf(page, '#arrivals')).toHaveLength(1);
    await page.unroute('**/data');
    await refresh(page);
    await page.locator('#status[data-state="live"]').waitFor();
  });

  test('whose answers a cache has kept for long says how old they are', async () => {
    const race = await newRace(PEOPLE);
    const page = await openBoard(race);
    await page.route('**/data', (route) =>
      route.fulfill({ status: 304, headers: { Age: '3600' } }),
    );
    await refresh(page);
    await page.getByText('Connection lost, showing').waitFor();
    const hour = new Date(Date.now() - 3_600_000).getHours();
    expect(await page.locator('#notice').textContent()).toMatch(
      new RegExp(`showing ${String(hour).padStart(2, '0')}:`),
    );
  });

  test('that never was is waited for', async () => {
    const race = await newRace(PEOPLE);
    const page = await newPage();
    await page.route('**/data', (route) => route.abort());
    await page.goto(race.board);
    await page.getByText('No connection yet; trying again').waitFor();
    await page.unroute('**/data');
    await page.locator('#board').waitFor();
  });
});

test('a board that is switched off says so, shows nobody, and can come back', async () => {
  const race = await newRace(PEOPLE);
  await upload(race, [arrival(1)]);
  const page = await openBoard(race, '?bib=1');
  await page.locator('.result').waitFor();
  await configure(race, 'board_enabled', false);
  await refresh(page);
  await page.getByText('This board is not public any more.').waitFor();
  expect(await page.locator('body').innerText()).not.toContain('1:06:47');
  expect((await fetch(race.board)).status).toBe(404);
  await configure(race, 'board_enabled', true);
  await refresh(page);
  await page.locator('.result').waitFor();
  expect(await rowsOf(page, '#arrivals')).toHaveLength(1);
});

test('names are there when the event says so, and from then on', async () => {
  const race = await newRace(PEOPLE);
  await upload(race, [arrival(1)]);
  const page = await openBoard(race);
  expect(await page.locator('body').innerText()).not.toContain('Ana');
  await configure(race, 'board_shows_names', true);
  await refresh(page);
  await page.locator('#arrivals').getByText('Ana E.', { exact: true }).waitFor();
  expect(await page.content()).not.toContain('Ejemplo<');
  await configure(race, 'board_shows_names', false);
  await refresh(page);
  await page.locator('#arrivals').getByText('Ana E.').waitFor({ state: 'hidden' });
});

describe('the search', () => {
  test('finds a runner with places, times and splits, and keeps them in the address', async () => {
    const race = await newRace(PEOPLE, { board_shows_names: true });
    await upload(race, [arrival(1), arrival(2), arrival(3)]);
    const page = await openBoard(race);
    await page.getByLabel('Find a runner by bib').fill(' 3 ');
    await page.keyboard.press('Enter');
    const result = page.locator('.result');
    await result.waitFor();
    const known = await resultOf(race, '3');
    const text = (await result.innerText()).replace(/\s+/g, ' ');
    expect(text).toContain(`3 ${known.name}`);
    expect(text).toContain('Overall 3 Women 2 40-49 1 Chip time 1:07:01.25 Gun time 1:07:06');
    expect(text).toContain('Splits Km 5 16:45');
    expect(page.url()).toBe(`${race.board}?bib=3`);
    await page.reload();
    await result.getByText('Carla E.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    expect(page.url()).toBe(race.board);
    expect(await page.evaluate('document.activeElement.id')).toBe('bib');
  });

  test('says that a bib is not there yet, and shows it when it arrives', async () => {
    const race = await newRace(PEOPLE);
    const page = await openBoard(race, '?bib=17');
    await page.getByText('No result for bib 17 yet.').waitFor();
    await upload(race, [arrival(17)]);
    await refresh(page);
    await page.locator('.result .final').getByText('1:08:39').waitFor();
    await upload(race, [{ bib_number: '18', status: 'DNF', splits: { 'Km 5': '20:00' } }]);
    await page.getByLabel('Find a runner by bib').fill('18');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.locator('.result').getByText('Did not finish').waitFor();
    await page.getByLabel('Find a runner by bib').fill('');
    await page.keyboard.press('Enter');
    await page.getByText('Type a bib number.').waitFor();
  });

  test('opens from any bib on the board, with the keyboard alone', async () => {
    const race = await newRace(PEOPLE);
    await upload(race, [arrival(1), arrival(2)]);
    const page = await openBoard(race);
    await page.locator('#leaders a.bib').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('.result .bib').getByText('1', { exact: true }).waitFor();
    expect(page.url()).toBe(`${race.board}?bib=1`);
  });
});

describe('odd content', () => {
  const HOSTILE = '<img src=x onerror=alert(1)>';

  test('is text, wherever it stands', async () => {
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
      board_shows_names: true,
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
    expect(await rowsOf(page, '#leaders')).toHaveLength(3);
    expect(await page.locator('main :is(img, script, i, b, u)').count()).toBe(0);
    for (const { bib_number } of odd) {
      await page.getByLabel('Find a runner by bib').fill(bib_number);
      await page.keyboard.press('Enter');
      await page.locator('.result .bib').getByText(bib_number, { exact: true }).waitFor();
    }
    await page.locator('.splits').getByText(HOSTILE).waitFor();
  });

  test('that is long breaks no line and no page', async () => {
    const long = 'x'.repeat(40);
    const people = Array.from({ length: 45 }, (_, index) => ({
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
      board_shows_names: true,
    });
    await upload(
      race,
      people.map(({ bib_number }, index) => ({ bib_number, chip_time: clock(6_000 + index) })),
    );
    for (const viewport of [PHONE.viewport, WALL.viewport]) {
      const page = await openBoard(race, '', { viewport });
      expect(await rowsOf(page, '#arrivals')).toHaveLength(20);
      expect(await page.locator('#categories .card').count()).toBe(40);
      expect(
        await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
      ).toBeLessThanOrEqual(0);
    }
  });
});

describe('the page', () => {
  test('speaks the language of the browser, or the one that is chosen', async () => {
    const race = await newRace(PEOPLE);
    await upload(race, [arrival(1)]);
    const page = await openBoard(race, '', { locale: 'es-AR' });
    await page.getByRole('heading', { name: 'Últimas llegadas' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('es');
    await page.getByRole('button', { name: 'EN, English' }).click();
    await page.getByRole('heading', { name: 'Latest arrivals' }).waitFor();
    expect(page.url()).toBe(`${race.board}?lang=en`);
    await page.reload();
    await page.getByRole('heading', { name: 'Latest arrivals' }).waitFor();
    expect(await page.locator('#arrivals th').allTextContents()).toEqual([
      'Place',
      'Bib',
      'Runner',
      'Time',
    ]);
  });

  test.each(['light', 'dark'] as const)(
    'is %s as the browser is, and as it is told',
    async (scheme) => {
      const race = await newRace(PEOPLE);
      const page = await openBoard(race, '', { colorScheme: scheme });
      const dark = () =>
        page.evaluate(`getComputedStyle(document.documentElement).backgroundColor
        .match(/\\d+/g).reduce((sum, part) => sum + Number(part), 0) < 384`);
      expect(await dark()).toBe(scheme === 'dark');
      await page.getByRole('button', { name: 'Dark colours' }).click();
      expect(await dark()).toBe(scheme !== 'dark');
      expect(page.url()).toBe(`${race.board}?theme=${scheme === 'dark' ? 'light' : 'dark'}`);
    },
  );

  test('has large type for a screen, all of it in view, and shows its groups in turn', async () => {
    const race = await newRace(PEOPLE, { board_shows_names: true });
    await upload(
      race,
      PEOPLE.map((_, index) => arrival(index + 1)),
    );
    const page = await openBoard(race, '?screen', WALL);
    expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0);
    const size = await page.evaluate(
      `parseFloat(getComputedStyle(document.querySelector('#arrivals .time')).fontSize)`,
    );
    expect(size).toBeGreaterThan(28);
    expect(await page.locator('#arrivals tr:visible').count()).toBeGreaterThan(10);
    const card = () => page.locator('#categories .card:visible').innerText();
    const first = await card();
    expect(first).toContain('18-29');
    await page.locator('#categories .card:visible', { hasText: '30-39' }).waitFor();
    const clipped =
      await page.evaluate(`[...document.querySelectorAll('#arrivals tr, .card tr, #leaders tr')]
      .filter((row) => row.checkVisibility() && row.getBoundingClientRect().bottom > innerHeight).length`);
    expect(clipped).toBe(0);
    await page.getByRole('button', { name: 'Large type' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Find a runner by bib').waitFor();
    expect(page.url()).toBe(race.board);
  });

  test('has a way past everything for the keyboard, and names for all that can be pressed', async () => {
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

  test('asks less often while nobody looks', async () => {
    const race = await newRace([]);
    const page = await openBoard(race);
    await page.clock.install();
    await page.evaluate(`Object.defineProperty(document, 'hidden', { get: () => true })`);
    await refresh(page);
    let asked = 0;
    page.on('request', () => {
      asked += 1;
    });
    await page.clock.runFor(20_000);
    expect(asked).toBe(0);
    await page.clock.runFor(20_000);
    await expect.poll(() => asked).toBe(1);
  });
});
