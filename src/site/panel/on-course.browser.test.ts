import type { Locator, Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { violationsOf } from '../../testing/runtime/axe.ts';
import {
  button,
  createRace,
  figuresIn,
  LONG,
  linkTo,
  listOf,
  opened,
  panel,
} from '../../testing/runtime/race-suite.ts';

const AFTER_GUN = '1:46:30';

/** Bib 1 is behind Km 20 of a half marathon, and the bibs 2 and 3 are behind Km 10. */
async function createRunning(afterGun = AFTER_GUN) {
  const race = await createRace();
  await panel.pool.query("update events set time_zone = 'Europe/Madrid' where id = $1", [
    race.eventId,
  ]);
  await panel.pool.query(
    `insert into event_starts (event_id, ordinal, name, starts_at)
     values ($1, 1, 'Gun', now() - $2::interval)`,
    [race.eventId, afterGun],
  );
  await panel.pool.query(
    `insert into passings (event_id, registration_id, point, time_ms, upload_id)
     select $1, id, point, minutes * 60000, gen_random_uuid()
     from registrations join (values
       ('1', 'Km 5', 25), ('1', 'Km 10', 50), ('1', 'Km 20', 105),
       ('2', 'Km 5', 27.5), ('2', 'Km 10', 55), ('3', 'Km 5', 30), ('3', 'Km 10', 60)
     ) passing (bib, point, minutes) on bib = bib_number
     where event_id = $1`,
    [race.eventId],
  );
  return race;
}

const onCourse = (page: Page) => listOf(page, 'On course').getByRole('listitem');

const textsOf = async (rows: Locator) =>
  (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());

/** Says whether the tab is out of sight. */
const hide = (page: Page, isHidden: boolean) =>
  page.evaluate(
    `Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} })`,
  );

const TIME = String.raw`\d\d?:\d\d:\d\d( [AP]M)?`;
const MINUTE = String.raw`\d\d?:\d\d( [AP]M)?`;

test('shows how far the race is, and who is on the course', async () => {
  const page = await opened(await createRunning());
  await page.locator('.progress strong').nth(5).waitFor();
  expect(await textsOf(page.locator('.progress'))).toEqual([
    expect.stringMatching(/^Started 3 Km 5 3 Km 10 3 Km 20 1 Finished 0 Still out 3$/),
  ]);
  await linkTo(page, 'On course').click();
  const rows = onCourse(page);
  await rows.nth(2).waitFor();
  expect(await figuresIn(page.getByRole('region', { name: 'On course' }).locator('dl'))).toEqual([
    'Started 3',
    'Km 5 3',
    'Km 10 3',
    'Km 20 1',
    'Finished 0',
    'Still out 3',
  ]);
  // A row outside the screen has no text yet.
  await rows.last().scrollIntoViewIfNeeded();
  await vi.waitFor(async () => expect(await rows.last().innerText()).toContain('Zoë'), LONG);
  const said = await textsOf(onCourse(page));
  expect(said[1]).toMatch(
    RegExp(
      `^2 José Ejemplo 21K.+Open Km 10 00:55:00 5\\d minutes ago Km 20 ≈ ${MINUTE} Finish ≈ ${MINUTE}$`,
    ),
  );
  expect(said.map((one) => one.slice(0, 5))).toEqual(['1 Ana', '2 Jos', '3 Zoë']);
  expect(await violationsOf(page)).toEqual([]);
});

test('tells a long delay in hours, without a finish, and asks before results with runners out are official', async () => {
  const race = await createRunning('20:00:00');
  await race.upload('finish.csv', 'bib,gun_time\n1,1:50:00\n');
  const page = await opened(race, 'course');
  await onCourse(page).nth(1).waitFor();
  expect((await textsOf(onCourse(page)))[0]).toMatch(
    RegExp(`Km 10 00:55:00 19 hours ago Km 20 ≈ ${MINUTE} 18 hours late$`),
  );
  expect(await figuresIn(page.locator('#part-course dl').first())).toContain(
    'Not seen at the finish 2',
  );
  await panel.pool.query(
    "update event_starts set starts_at = now() - interval '2 hours' where event_id = $1",
    [race.eventId],
  );
  await page.reload();
  await linkTo(page, 'Results').click();
  await button(page, 'Make official').click();
  const question = page.getByRole('dialog');
  await question.getByText('2 runners are still on the course.').waitFor();
  const accept = button(question, 'Make official');
  expect(await accept.getAttribute('class')).not.toContain('primary');
  expect(await violationsOf(page)).toEqual([]);
});

test('says that nobody is on the course yet, without a list', async () => {
  const page = await opened(await createRace(), 'course');
  await page.getByText(/^No point has seen a runner yet/).waitFor();
  expect(await onCourse(page).count()).toBe(0);
  expect(await button(page, 'Print the sheet for the sweep').count()).toBe(0);
  await linkTo(page, 'Speaker’s page').waitFor();
});

test('prints the sheet for the sweep: who was seen at a point and not after it', async () => {
  const page = await opened(await createRunning(), 'course');
  await page.evaluate('window.print = () => {}');
  await page.getByLabel('Last point').selectOption({ label: 'Seen at Km 10 and not after it' });
  await page.getByText('2 runners on the course').waitFor();
  expect(await onCourse(page).count()).toBe(2);
  await button(page, 'Print the sheet for the sweep').click();
  await page.locator('body.prints-sheets').waitFor({ state: 'attached' });
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(
    /Seen at Km 10 and not after it$/,
  );
  expect(await textsOf(page.getByRole('row'))).toEqual([
    expect.stringMatching(RegExp(`^☐ 2 José Ejemplo ${TIME}$`)),
    expect.stringMatching(RegExp(`^☐ 3 Zoë Ejemplo ${TIME}$`)),
  ]);
  expect(await page.getByRole('main').isVisible()).toBe(false);
});

test('tells the speaker who comes next, and reads again every ten seconds while in sight', async () => {
  const race = await createRunning();
  const page = await opened(race, 'course');
  await page.clock.install();
  await linkTo(page, 'Speaker’s page').click();
  await page.getByRole('row').nth(2).waitFor();
  expect(new URL(page.url()).search).toContain('part=speaker');
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(
    /^Speaker’s page\s·\sHarbour/,
  );
  expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
    'Finish',
    'Km 20',
  ]);
  expect(await textsOf(page.getByRole('row'))).toEqual([
    expect.stringMatching(/^in \d min 1 Ana Ejemplo 21K.*place 1 in Open at Km 20$/),
    expect.stringMatching(/^in \d min 2 José Ejemplo 21K.*place 2 in Open at Km 10$/),
    expect.stringMatching(/^in 1\d min 3 Zoë Ejemplo 21K.*place 3 in Open at Km 10$/),
  ]);
  expect(await violationsOf(page)).toEqual([]);

  await race.upload('finish.csv', 'bib,gun_time\n1,1:50:00\n');
  await page.clock.runFor(10_000);
  await vi.waitFor(
    async () =>
      expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(['Km 20']),
    LONG,
  );
  await hide(page, true);
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().includes('/on-course')) asked += 1;
  });
  await page.clock.runFor(30_000);
  expect(asked).toBe(0);
  await hide(page, false);
  const isAsked = page.waitForRequest(/\/on-course\?/);
  await page.clock.runFor(10_000);
  await isAsked;

  await page.evaluate('window.print = () => {}');
  await button(page, 'Print').click();
  await page.locator('body.prints-sheets').waitFor({ state: 'attached' });
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(['Km 20']);
  expect(await page.getByRole('row').count()).toBe(2);
});

test('draws the finish times and the arrivals by gender, and says them in words', async () => {
  const race = await createRunning();
  await panel.pool.query(
    `with runner as (insert into persons select from generate_series(4, 15) returning id)
     insert into registrations (event_id, person_id, status, bib_number, distance, gender)
     select $1, id, 'PAID', n, '21K', (array['F', 'M'])[1 + n % 2]
     from (select id, 3 + row_number() over () as n from runner) runner`,
    [race.eventId],
  );
  const rows = Array.from({ length: 12 }, (_, at) => `${4 + at},1:${20 + at}:00`);
  await race.upload('finish.csv', `bib,gun_time\n${rows.join('\n')}\n`);
  const page = await opened(race, 'course', { reducedMotion: 'reduce' });
  await page.getByText(/Finish times and arrivals per minute stand here while/).waitFor();
  await race.change('/board', 'PATCH', { board_enabled: true });
  const picture = page.getByRole('img', { name: /^Women: 6, most of them between 01:/ });
  await picture.waitFor(LONG);
  expect(await picture.getAttribute('aria-label')).toMatch(/ Men: 6, most of them between 01:/);
  expect(await picture.locator('rect.g0').count()).toBeGreaterThan(2);
  expect(await page.locator('figcaption').allInnerTexts()).toEqual([
    expect.stringMatching(/^21K.*Finish times$/),
  ]);
  expect(await violationsOf(page)).toEqual([]);
});

test.each(['course', 'speaker'])('fits a phone, in Spanish: the part %s', async (part) => {
  const page = await opened(await createRunning(), part, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: 'es-ES',
    colorScheme: 'dark',
  });
  await page.getByText('José Ejemplo').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await violationsOf(page)).toEqual([]);
  const wanted = part === 'course' ? /hace 5\d minutos/ : 'puesto 2 de Open en Km 10';
  await page.getByText(wanted).waitFor();
  if (part === 'course') {
    // The part has the numbers in large.
    expect(await page.locator('.progress').isVisible()).toBe(false);
    await linkTo(page, 'Resultados').click();
    await page.locator('.progress strong').first().waitFor();
    expect((await textsOf(page.locator('.progress')))[0]).toBe(
      'Salieron 3 Llegaron 0 Siguen fuera 3',
    );
  }
});
