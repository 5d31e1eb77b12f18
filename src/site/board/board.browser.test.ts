import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, test, vi } from 'vitest';
import { RaceResultsClient } from '../../client/index.ts';
import { playRace } from '../../dev/race-simulator/rehearsal.ts';
import { violationsOf } from '../../testing/runtime/axe.ts';
import {
  arrival,
  dataOf,
  expectedRow,
  filesOf,
  groupName,
  newPage,
  newRace,
  openBoard,
  openWall,
  PEOPLE,
  PHONE,
  pass,
  raceOf,
  refresh,
  rowsOf,
  said,
  served,
  tab,
  tabsOf,
  tellStart,
  upload,
  uploadAndServe,
  WAITING,
} from '../../testing/runtime/board-suite.ts';
import { waitForAddress } from '../../testing/runtime/chromium.ts';
import { measureShifts, shiftsOf } from '../../testing/runtime/shifts.ts';
import { BoardList, type BoardRunner } from '../../worker/board/answer-schemas.ts';

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
  });

  test('serves what a board shows first in less than 30 KB, each file compressed', async () => {
    const html = await (await fetch((await newRace([])).board)).text();
    const sizeOf = async (path: string) =>
      gzipSync(await (await fetch(served.origin + path)).text()).length;
    const texts = [...html.matchAll(/\/assets\/(?:en|es)-\w+\.js/g)].map(([path]) => path);
    expect(texts).toHaveLength(2);
    const largest = Math.max(...(await Promise.all(texts.map(sizeOf))));
    const sizes = [
      gzipSync(html).length,
      largest,
      ...(await Promise.all(filesOf(html).map(sizeOf))),
    ];
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(30_000);
  });

  test('shows the board after one script and the texts of a language, without a request for its data', async () => {
    const race = await newRace(PEOPLE);
    await upload(race, [arrival(1), arrival(3)]);
    const page = await newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    // The page stands without the pictures, and asks again some seconds later.
    const later = /\/(data|bibs\/3)$/;
    const pictures = /\/assets\/((course|charts)-\w+\.js|paper-\w+\.css)$/;
    await page.route(pictures, (route) => route.abort());
    await page.route(later, (route) => route.abort());
    await page.goto(`${race.board}/?bib=3`);
    await page.locator('.result').getByText('2 of 2').first().waitFor();
    expect(await rowsOf(page, '#arrivals')).toHaveLength(2);
    const files = asked.filter(
      (path) => ![/favicon|woff2/, later, pictures].some((kind) => kind.test(path)),
    );
    expect(files.toSorted()).toEqual([
      expect.stringMatching(/^\/assets\/chunk-\w+\.js$/),
      expect.stringMatching(/^\/assets\/en-\w+\.js$/),
      `${new URL(race.board).pathname}/`,
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
        [...shown.genders, ...shown.categories.slice(0, 1)].map((group) => [
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
  test('stand in tabs with their counts, and the race with the most runners on the course opens', async () => {
    // A runner without a distance is no race before a result.
    const race = await newRace([...PEOPLE, { bib_number: '99', given_names: 'Diego' }]);
    await served.pool.query(
      `insert into event_starts (event_id, ordinal, name, distance, starts_at, utc_offset_minutes)
      values ($1, 1, 'Long', '21K', now() - interval '3 hours', 0),
        ($1, 2, 'Short', '10K', now() - interval '2 hours', 0)`,
      [race.eventId],
    );
    /** The tab of the open race has its start. */
    const opened = (distance: string, finished: number) =>
      expect.stringMatching(new RegExp(`^${distance}\\d\\d:\\d\\d\\s·\\s${finished}$`));
    await upload(race, [arrival(1), arrival(3)]);
    await upload(race, [arrival(2)]);
    const page = await openBoard(race);
    expect(await tabsOf(page)).toEqual(['10K2', opened('21K', 1)]);
    expect((await rowsOf(page, '#leaders')).map(([, bib]) => bib)).toEqual(['2']);
    await tab(page, '10K').click();
    expect(await tabsOf(page)).toEqual([opened('10K', 2), '21K1']);
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
    expect(await tabsOf(shared)).toEqual(['10K3', opened('21K', 1)]);
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
    const [expected = '', passed = ''] = await card.locator('.places dd').allTextContents();
    // The only time is since the gun: in a race of waves, the runner is faster than the time says.
    expect(expected).toMatch(/^by about \d\d:\d\d$/);
    await card.getByText('Km 10, place 3').waitFor();
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
      .getByText(/^Km 5, place 31\s·\sKm 10 by about \d\d:\d\d\s·\sfinish by about \d\d:\d\d$/)
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
    expect(lefts.length).toBeGreaterThan(1);
    expect(new Set(lefts).size).toBe(1);
    // The course says everything: no list without a runner stands above.
    expect(await wide.locator('#arrivals-title').isVisible()).toBe(false);
    expect(await wide.locator('#skip').getAttribute('href')).toBe('#course-title');
    const places = await page.locator('.result .places').innerText();
    expect(places).toContain('Km 10, place 1');
    // Two times give the pace between them.
    expect(places).not.toContain('by about');
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
