import { createServer, type IncomingMessage } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { LOOPBACK, listen } from '../../dev/stack/listen.ts';
import { violationsOf } from '../../testing/runtime/axe.ts';
import {
  arrival,
  atEnd,
  configure,
  dataOf,
  keptPages,
  newPage,
  newRace,
  openBoard,
  PEOPLE,
  PHONE,
  type Race,
  raceOf,
  refresh,
  resultOf,
  rowsOf,
  served,
  tabsOf,
  untilKept,
  upload,
  uploadAndServe,
  WAITING,
} from '../../testing/runtime/board-suite.ts';
import { copiedIn } from '../../testing/runtime/browser-suite.ts';
import { waitForAddress } from '../../testing/runtime/chromium.ts';
import { measureShifts, shiftsOf } from '../../testing/runtime/shifts.ts';

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
    type LoginAnswer = { status: number; headers: Record<string, string> };
    const LOGIN = '<!doctype html><title>Wi-Fi</title><p>Log in';
    /** The browser keeps no file alone, so the worker asks for each file. */
    const UNKEPT = { 'cache-control': 'no-store' };

    /** Serves the pages under another origin. An answer of `login` comes from the network between. */
    async function serveThrough(login: (request: IncomingMessage) => LoginAnswer | undefined) {
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
      expect(await tabsOf(page)).toEqual(['10K', '21K']);
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
    await page.locator('#before-date', { hasText: `Start ${start}` }).waitFor();
    await page.locator('#before-left', { hasText: 'in 2 h 0 min' }).waitFor();
    await page.locator('#event-where').getByText(start).waitFor();
    // Without a zone, a time says whose time is shown.
    await configure(race, 'time_zone', 'Nowhere/Else');
    const shown = async () => {
      await refresh(page);
      return page.locator('#event-where').textContent();
    };
    await expect.poll(shown, { timeout: 30_000, interval: 1_000 }).toContain('GMT-5');
  });

  test('shows a date at midnight in UTC as that day everywhere', async () => {
    const race = await newRace([], { event_date: '2031-05-17T00:00:00Z' });
    const page = await openBoard(race, '', { timezoneId: 'America/Lima' });
    await page.locator('#before').getByText('Saturday, 17 May 2031').waitFor();
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
    await upload(
      race,
      [1, 2, 3, 4, 6].map((bib) => arrival(bib)),
    );
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
    expect(text).toContain('Overall 2 of 2 Women 2 of 2 Women 40-\u206049 1 of 1');
    expect(text).toContain('Gap +0:14 Gun time 1:07:06');
    expect(text).not.toContain('Chip time');
    expect(text).toContain('Km 5 16:45');
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

  test('shows the race of a found runner, until the reader chooses another race', async () => {
    const race = await newRace(PEOPLE);
    await upload(race, [arrival(1), arrival(2)]);
    const page = await openBoard(race, '?distance=10K');
    const find = async () => {
      await page.getByLabel('Find a runner by bib').fill('2');
      await page.keyboard.press('Enter');
      await waitForAddress(page, `${race.board}?distance=21K&bib=2`);
      await page.locator('#leaders a.bib', { hasText: /^2$/ }).waitFor();
    };
    await find();
    await page.locator('#races').getByRole('link', { name: /^10K/ }).click();
    await waitForAddress(page, `${race.board}?distance=10K&bib=2`);
    await page.locator('#leaders a.bib', { hasText: /^1$/ }).waitFor();
    // The same search again is a search too.
    await find();
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
