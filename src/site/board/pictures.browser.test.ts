import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { violationsOf } from '../../testing/runtime/axe.ts';
import {
  arrival,
  clock,
  newPage,
  newRace,
  openBoard,
  openWall,
  PHONE,
  pass,
  served,
  tellStart,
  upload,
  uploadAndServe,
  WAITING,
  WALL,
} from '../../testing/runtime/board-suite.ts';
import { measureShifts, shiftsOf } from '../../testing/runtime/shifts.ts';

const PEOPLE = Array.from({ length: 40 }, (_, index) => ({
  bib_number: String(index + 1),
  given_names: 'Ana',
  surnames: 'Ejemplo',
  gender: index % 2 ? 'M' : 'F',
  category: '18-29',
  distance: '21K',
}));

/** A race an hour after the gun: 30 of 40 runners have passed Km 5, and 10 of these runners Km 10. */
async function newRunningRace() {
  const race = await newRace(PEOPLE, { board_names: 'initials' });
  await tellStart(race);
  const times = (count: number, minutes: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [String(at + 1), `00:${minutes}:${10 + at}`]),
    );
  await pass(race, 'Km 5', times(30, 25));
  await pass(race, 'Km 10', times(10, 50));
  return race;
}

const labelOf = (page: Page, picture = '#line svg') =>
  page.locator(picture).getAttribute('aria-label');

const labelled = async (page: Page, words: string | RegExp, picture = '#line svg') =>
  vi.waitFor(async () => expect(await labelOf(page, picture)).toMatch(words), WAITING);

/**
 * The places of the marked runners, by their labels: from 0 to 1 of the picture's width. One look at the picture, which
 * stays: the page may draw new pins at any time.
 */
const placesOf = (page: Page): Promise<Record<string, number>> =>
  page.locator('#line svg').evaluate((svg) => {
    const [, , width] = svg.getAttribute('viewBox')?.split(' ') ?? [];
    return Object.fromEntries(
      [...svg.querySelectorAll('.pin')].map((pin) => [
        pin.querySelector('text')?.textContent ?? '',
        Number(pin.querySelector('circle')?.getAttribute('cx')) / Number(width),
      ]),
    );
  });

const styled = (page: Page) => page.locator('svg [style], svg[style]').count();

test('shows the points, the field, the leader and the followed runner on the course, in words too', async () => {
  const race = await newRunningRace();
  const page = await openBoard(race, '?bib=12', PHONE);
  await labelled(
    page,
    /^40 runners on the course\. Start to Km 5: 10\. Km 5 to Km 10: 20\. Km 10 to Finish: 10\. First: Ana E\.: about km 1[12]\.?\d*\. Bib 12 Ana E\.: about km 9/,
  );
  const places = await placesOf(page);
  expect(places['1 Ana E.']).toBeGreaterThan(places['12'] ?? 1);
  expect(places['12']).toBeGreaterThan(0.3);
  expect(await page.locator('#line .band').getAttribute('d')).toMatch(/^M.{200,}Z$/);
  expect(await page.locator('#line text.at').allTextContents()).toEqual([
    'Start',
    'Km 5',
    'Km 10',
    'Finish',
  ]);
  expect(await styled(page)).toBe(0);
  expect(await violationsOf(page)).toEqual([]);
  const first = (selector: string) =>
    page.locator(selector).evaluate((place) => place.getBoundingClientRect().top);
  expect(await first('#line')).toBeLessThan(await first('#standings'));
  const spanish = await openBoard(race, '?lang=es');
  await labelled(spanish, /^40 corredores en el recorrido\. Salida a Km 5: 10\./);

  await uploadAndServe(race, [{ bib_number: '1', status: 'DNF' }]);
  const later = await openBoard(race);
  await labelled(later, /^39 runners on the course\. Start to Km 5: 10\. .*Km 10 to Finish: 10\./);
  await later.getByText('Counts include 1 out of the race.').waitFor();
});

test('shows the course until its last runner has arrived', async () => {
  const race = await newRunningRace();
  const page = await openBoard(race);
  await page.locator('#course-part').waitFor();
  expect(await page.locator('#line').isVisible()).toBe(true);
  await uploadAndServe(
    race,
    PEOPLE.map((_, at) => arrival(at + 1)),
  );
  const later = await openBoard(race);
  await later.locator('#arrivals tbody tr').first().waitFor();
  expect(await later.locator('#line').isVisible()).toBe(false);
  expect(await later.locator('#course-part').isVisible()).toBe(false);
});

test('moves a followed runner on without new data, and stands still for readers who prefer that', async () => {
  const race = await newRunningRace();
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    const page = await newPage({ reducedMotion });
    await page.clock.install();
    await page.goto(`${race.board}?bib=25`);
    await labelled(page, 'Bib 25');
    await page.route('**/data', (route) => route.abort());
    const leader = async () => (await placesOf(page))['1 Ana E.'] ?? 0;
    const before = await leader();
    await page.clock.runFor(3 * 60_000);
    if (reducedMotion === 'reduce') expect(await leader()).toBe(before);
    else expect(await leader()).toBeGreaterThan(before + 0.01);
  }
});

test('shows the told points before the race, and no field', async () => {
  const later = { event_date: new Date(Date.now() + 3_600_000).toISOString() };
  const plain = await openBoard(await newRace(PEOPLE, later));
  expect(await plain.locator('#line').isVisible()).toBe(false);
  const race = await newRace(PEOPLE, later);
  await served.pool.query(
    `insert into event_points (event_id, ordinal, name, course_order, km)
    values ($1, 1, 'Bridge', 1, 8), ($1, 2, 'Tower', 2, null)`,
    [race.eventId],
  );
  const page = await openBoard(race);
  await labelled(page, /^Start, Bridge, Tower, Finish\./);
  expect(await page.locator('#line .leg').count()).toBe(0);
  await page.getByText('The points stand at equal distances').waitFor();
  await page.locator('#before-date', { hasText: /\d{4}\s·\sStart \d\d:\d\d$/ }).waitFor();
  const wall = await newPage(WALL);
  await wall.goto(`${race.board}?screen`);
  await labelled(wall, /^Start, Bridge, Tower, Finish\./, '#wall-course svg');
  await wall.locator('#wall-title', { hasText: /^Start \d\d:\d\d$/ }).waitFor();
  await wall.locator('#wall-left', { hasText: /^in (59 min|1 h)/ }).waitFor();
});

test('counts down over the whole wall before the race, and names each start', async () => {
  const people = PEOPLE.map((one, at) => ({ ...one, distance: ['10K', '21K'][at % 2] ?? '' }));
  const later = { event_date: new Date(Date.now() + 3_600_000).toISOString() };
  const race = await newRace(people, later);
  await served.pool.query(
    `insert into event_starts (event_id, ordinal, name, distance, starts_at, utc_offset_minutes)
    values ($1, 1, 'Short', '10K', now() + interval '70 minutes', 0),
      ($1, 2, 'Long', '21K', now() + interval '50 minutes', 0)`,
    [race.eventId],
  );
  const wall = await newPage(WALL);
  await wall.goto(`${race.board}?screen`);
  await wall
    .locator('#wall-starts', { hasText: /^Long\s*\d\d:\d\d\s*Short\s*\d\d:\d\d$/ })
    .waitFor();
  const left = await wall.locator('#wall-left').boundingBox();
  const none = await wall.locator('#wall-none').boundingBox();
  expect(left?.y).toBeGreaterThan(200);
  expect(left?.height).toBeGreaterThan(150);
  expect((none?.y ?? 0) + (none?.height ?? 0)).toBeLessThanOrEqual(1_080);

  await served.pool.query('update event_starts set starts_at = $2 where event_id = $1', [
    race.eventId,
    later.event_date,
  ]);
  await wall.reload();
  await wall.locator('#wall-left', { hasText: /in (59 min|1 h)/ }).waitFor();
  expect(await wall.locator('#wall-starts').textContent()).toBe('');
});

test('stands above the arrivals on the wall, whose rows are whole', async () => {
  const race = await newRunningRace();
  await upload(
    race,
    Array.from({ length: 10 }, (_, at) => arrival(at + 1)),
  );
  const page = await openWall(race, '?screen');
  // The leader is at the finish, and marked no more.
  await labelled(page, /^\d+ runners on the course\.(?!.*First:)/, '#wall-course svg');
  await page.getByText(/^\d+ runners on the course\.$/).waitFor();
  await page.getByRole('img', { name: `${served.origin}/board/` }).waitFor();
  expect(await page.locator('#wall-lines li').count()).toBe(10);
  const bottom = await page.evaluate(
    `Math.max(...[...document.querySelectorAll('#wall-lines li')].map((row) => row.getBoundingClientRect().bottom))`,
  );
  expect(bottom).toBeLessThanOrEqual(1080);
});

test('stand on the wall too, by gender: the finish times, and the arrivals per minute', async () => {
  const race = await newRunningRace();
  await upload(
    race,
    PEOPLE.slice(0, 20).map((_, at) => arrival(at + 1)),
  );
  await served.pool.query(
    `update results set first_finished_at = now() - interval '1 minute' * (gun_time_ms % 9) where event_id = $1`,
    [race.eventId],
  );
  const page = await newPage(WALL);
  await page.clock.install();
  await page.goto(`${race.board}?screen`);
  await page.locator('#wall-lines li').first().waitFor();
  const chart = page.locator('#wall-chart svg');
  const untilTitled = (title: string) =>
    vi.waitFor(async () => {
      await page.clock.runFor(10_000);
      expect(await page.locator('#wall-title').textContent()).toBe(title);
    }, WAITING);
  await untilTitled('21K · Finish times');
  await labelled(page, /^Women: 10, most of them between .* Men: 10/, '#wall-chart svg');
  expect(await page.locator('#wall-lines').isVisible()).toBe(false);
  const box = await chart.boundingBox();
  expect(box?.width).toBeGreaterThan(1_700);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(1_080);
  await untilTitled('21K · Arrivals per minute');
  await labelled(page, /^Women: 10, most of them between \d\d:\d\d/, '#wall-chart svg');
  await page.clock.runFor(10_000);
  expect(await chart.isVisible()).toBe(false);
});

test('shows the paces of a runner and the finish among all finishes of the gender, and moves nothing', async () => {
  const race = await newRunningRace();
  await upload(
    race,
    PEOPLE.map(({ bib_number }, at) => ({
      bib_number,
      chip_time: clock(6_300 + 7 * at),
      gun_time: clock(6_305 + 7 * at),
    })),
  );
  const page = await newPage();
  await measureShifts(page);
  for (const width of [320, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${race.board}?bib=4`);
    await labelled(
      page,
      /^Pace, in minutes a kilometre\. Start to Km 5: 5:0\d \/km\./,
      '.paces svg',
    );
    await labelled(page, /^Bib 4 with 1:45:21 among 20 finish times\./, '.among svg');
    await labelled(page, /^Women: 20, most of them between .* Men: 20/, '#finish-times');
    expect(await page.locator('.splits').innerText()).toMatch(/place 4/);
    expect(await shiftsOf(page), String(width)).toBeLessThanOrEqual(0.02);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(await styled(page)).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
  }
});

test('knows a told point in any case, on the card and on the wall', async () => {
  const race = await newRace(PEOPLE);
  await served.pool.query(
    `insert into event_points (event_id, ordinal, name, course_order, km)
    values ($1, 1, 'Bridge', 1, 8), ($1, 2, 'Tower', 2, 15)`,
    [race.eventId],
  );
  await pass(race, 'Bridge', { '2': '00:40:00' });
  const splits = { BRIDGE: '00:41:00', TOWER: '01:15:00' };
  await upload(race, [{ bib_number: '1', chip_time: '01:45:00', splits }]);
  const page = await openBoard(race, '?bib=1');
  await labelled(page, /Start to BRIDGE: 5:07 \/km\. BRIDGE to TOWER: 4:51 \/km\./, '.paces svg');
  const wall = await openWall(race, '?screen&point=bridge');
  await wall.getByText('Bridge · 1 of 40').waitFor();
});

test('shows one category at a time, at the choice of the reader, and all categories on paper', async () => {
  const people = PEOPLE.map((person, at) => ({
    ...person,
    category: ['A', 'B', 'C'][at % 3] ?? '',
  }));
  const race = await newRace(people);
  await upload(
    race,
    people.map((_, at) => arrival(at + 1)),
  );
  const page = await openBoard(race);
  const heads = page.locator('#categories h3:visible');
  expect(await heads.allTextContents()).toEqual(['Women A']);
  await page.locator('#category').selectOption({ label: 'Men C' });
  expect(await heads.allTextContents()).toEqual(['Men C']);
  await page.emulateMedia({ media: 'print' });
  await heads.nth(5).waitFor();
});
