import type { Locator, Page } from 'playwright-core';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { violationsOf } from '../../testing/runtime/axe.ts';
import {
  arrival,
  clock,
  configure,
  dataOf,
  newPage,
  newRace,
  once,
  openBoard,
  openWall,
  outside,
  PEOPLE,
  type Person,
  PHONE,
  pass,
  refresh,
  served,
  upload,
  WAITING,
  WALL,
} from '../../testing/runtime/board-suite.ts';
import { holdBack, resize } from '../../testing/runtime/browser-suite.ts';
import { waitForAddress } from '../../testing/runtime/chromium.ts';
import { measureShifts, shiftsOf } from '../../testing/runtime/shifts.ts';
import { BoardList } from '../../worker/board/answer-schemas.ts';

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
    for (const query of ['', `?list&distance=${long}0`, `?bib=${long.slice(0, 30)}1`]) {
      const page = await openBoard(race, query);
      for (const { width } of [PHONE.viewport, WALL.viewport]) {
        await resize(page, width);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
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

  // The tests read the race at the same time, and change nothing.
  const longRace = once(async () => {
    const settings = { name: TITLE, board_names: 'initials', time_zone: null };
    const race = await newRace(SIX_DIGITS, settings);
    await upload(
      race,
      SIX_DIGITS.map(({ bib_number }, index) => ({ bib_number, chip_time: clock(45_296 + index) })),
    );
    return race;
  });

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
    page.evaluate(`[...document.querySelectorAll('.place, .bib, .clock, .pace, dd, .tab, .pill, .time > *')]
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
    expect(behind.map((told) => told.trim()).filter(Boolean)).toEqual(['by 0.1 s']);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  });

  test('leaves bibs of six digits, times of ten hours and the date whole at any width', async () => {
    const race = await longRace();
    const page = await openBoard(race, '', { locale: 'es-PE', timezoneId: 'America/Lima' });
    const widths = [320, 360, 390, 768, 1280, 1440, 1920];
    const isWhole = async (...selectors: string[]) => {
      for (const width of widths) {
        await resize(page, width);
        for (const selector of selectors)
          expect(await cut(page, selector), `${selector} at ${width} px`).toEqual([]);
      }
    };
    expect(await page.locator('#categories .bib').count()).toBe(5);
    const ends = '.rows td:last-child, .rows td:first-child';
    await isWhole('.rows .bib, .rows .clock, #event-where', ends);
    await page.goto(`${race.board}?list`);
    await page.locator('#list-rows tbody tr').nth(19).waitFor();
    await isWhole('.rows .bib, .rows .clock');
  });

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
    const page = await newPage();
    for (const query of ['?bib=3,4', '?find=ana']) {
      await page.goto(race.board + query);
      await page.locator('#found .details, .result').first().waitFor({ state: 'attached' });
      for (const width of [320, 360, 768]) {
        await resize(page, width);
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
    const page = await newPage();
    for (const [query, last] of [
      ['', '#arrivals tbody tr:last-child'],
      ['?list&page=40', '#list-rows tbody tr:nth-child(50)'],
      ['?bib=2750', '.result .places > div:last-child'],
      ['?screen', '#wall-lines li:nth-child(8)'],
    ] as const) {
      await page.goto(race.board + query);
      await page.locator(last).waitFor({ state: 'attached' });
      for (const width of [320, 390, 768, 1440, 1920]) {
        await resize(page, width);
        expect(await wrapped(page), `${query} at ${width} px`).toEqual([]);
      }
    }
  });

  test('reads in its own direction, where the others stand', async () => {
    const race = await longRace();
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
    const race = await longRace();
    const page = await openWall(race, '?screen');
    await page.locator('#wall-lines li').nth(7).waitFor();
    for (const { width, height } of [
      WALL.viewport,
      { width: 1280, height: 720 },
      { width: 1080, height: 1920 },
      { width: 320, height: 740 },
    ]) {
      await resize(page, width, height);
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
  const page = await openBoard(race);
  await page.locator('#genders > :nth-child(3)').waitFor();
  const boxOf = (selector: string) =>
    page.locator(selector).evaluate((place) => {
      const { left, right, top, bottom } = place.getBoundingClientRect();
      return { left, right, top, bottom };
    });
  for (const width of [1440, 1920]) {
    await resize(page, width);
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
    const category = await boxOf('#categories > :last-child');
    expect(category.right, `${width}`).toBeCloseTo(board?.right ?? 0, 0);
    expect(category.top, `${width}`).toBeCloseTo(tops[0] ?? 0, 0);
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
    const page = await newPage(PHONE);
    await page.route('**/*.woff2', (route) => route.abort());
    await page.goto(race.board);
    await page.locator('#podium li').first().waitFor();
    for (const width of [320, 390]) {
      await resize(page, width);
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

  test('shows ten whole rows in large text, with names and places in each own race', async () => {
    const race = await newRace(PEOPLE, { board_names: 'initials' });
    await upload(
      race,
      PEOPLE.map((_, index) => arrival(index + 1)),
    );
    const page = await openWall(race, '?screen');
    expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0);
    const rows = page.locator('#wall-lines li');
    expect(await rows.count()).toBe(10);
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

  test('has its styles before its first paint, and after a click on a board', async () => {
    const race = await newRace(PEOPLE);
    await upload(race, [arrival(1), arrival(2)]);
    const page = await newPage(WALL);
    const release = await holdBack(page, /\/assets\/wall-\w+\.css$/);
    const asked = page.waitForRequest(/wall-\w+\.css$/);
    await page.goto(`${race.board}?screen`, { waitUntil: 'commit' });
    await asked;
    const painted = () => page.evaluate<number>("performance.getEntriesByType('paint').length");
    const script = () => page.evaluate<string>('document.readyState');
    await vi.waitFor(async () => expect(await script()).toBe('interactive'), WAITING);
    expect(await painted()).toBe(0);
    release();
    await page.locator('#wall-lines li').first().waitFor();

    const board = await newPage(WALL);
    const styles: string[] = [];
    board.on('request', (request) => styles.push(new URL(request.url()).pathname));
    await board.goto(race.board);
    await board.locator('#arrivals tbody tr').first().waitFor();
    const isOfWall = (path: string) => /wall-\w+\.css/.test(path);
    expect(styles.filter(isOfWall)).toEqual([]);
    await board.getByRole('button', { name: 'Large text' }).click();
    await board.locator('#wall-lines li').first().waitFor();
    expect(styles.filter(isOfWall)).toHaveLength(1);
    expect(await outside(board)).toEqual([]);
  });

  test('gives the whole width to two columns: groups beside each other, and the name larger than the time', async () => {
    const race = await newRace(PEOPLE, {
      board_names: 'initials',
      name: 'Gran Premio Internacional de Atletismo de la Ciudad de Villa Ejemplo',
      event_date: '2020-05-17T08:00:00Z',
    });
    await upload(
      race,
      PEOPLE.map((_, index) => arrival(index + 1)),
    );
    const page = await newPage(WALL);
    await page.clock.install();
    await page.goto(`${race.board}?screen&distance=10K`);
    const rows = page.locator('#wall-lines li');
    await rows.nth(9).waitFor();
    const left = (at: number) => rows.nth(at).evaluate((row) => row.getBoundingClientRect().left);
    // Three winners beside seven further places, and as high as all seven.
    expect([await left(2), await left(3)]).toEqual([await left(0), await left(9)]);
    expect(await left(3)).toBeGreaterThan(900);
    const bottom = (at: number) =>
      rows.nth(at).evaluate((row) => row.getBoundingClientRect().bottom);
    expect(Math.abs((await bottom(2)) - (await bottom(9)))).toBeLessThan(8);
    const sizes = await page.evaluate<number[]>(
      `['.wall-name', '.time', '.wall-bib'].map((part) => {
        const { fontSize, fontWeight } = getComputedStyle(document.querySelector('#wall-lines ' + part));
        return parseFloat(fontSize) * fontWeight;
      })`,
    );
    expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
    expect(new Set(sizes).size).toBe(3);
    // The name of the event is whole, on two lines.
    const isCut = await page
      .locator('h1')
      .evaluate((name) => name.scrollHeight > name.clientHeight + 1);
    expect(isCut).toBe(false);
    for (let turn = 0; (await rows.locator('.wall-name').count()) !== 6; turn++) {
      expect(turn).toBeLessThan(9);
      await page.clock.fastForward(10_000);
    }
    // Two groups of three: each column begins with its heading.
    const tops = await page
      .locator('#wall-lines .heading')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(tops).toEqual([tops[0], tops[0]]);
  });

  test('shows all lists and pictures in turn, and the arrivals between them', async () => {
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
      ['Overall', 'Finish times', 'By gender', 'By category', 'By category'].map(
        (list) => `${distance} · ${list}`,
      ),
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
    ['de-DE', /^Saturday,? 17 May 2031/],
    ['en-US', /^Saturday, May 17, 2031/],
    ['es-PE', /^sábado, 17 de mayo de 2031/],
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
