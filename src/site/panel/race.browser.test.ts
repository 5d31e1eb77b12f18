import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { Request } from 'playwright-core';
import { describe, expect, test, vi } from 'vitest';
import { setUpEvent } from '../../dev/stack/seed.ts';
import { violationsOf } from '../../testing/runtime/axe.ts';
import { inFocus } from '../../testing/runtime/browser-suite.ts';
import { waitForAddress } from '../../testing/runtime/chromium.ts';
import { signToken } from '../../testing/runtime/dev-server.ts';
import {
  button,
  cardOf,
  choicesIn,
  choose,
  createRace,
  dotted,
  figuresIn,
  fileField,
  hangingDots,
  historyOf,
  LONG,
  linkTo,
  listOf,
  newPage,
  opened,
  PHONE,
  panel,
  racesOf,
  runnerOf,
  runnersOf,
  said,
  sentIn,
  switchOf,
  UPLOAD_ADDRESS,
  uploadsOf,
  WARNINGS,
} from '../../testing/runtime/race-suite.ts';
import { numberCell, workbookOf } from '../../testing/workbook.ts';

describe('the list of races', () => {
  test('stands first, with the next race on top, and finds a race by name and city', async () => {
    const session = await panel.newOrganization();
    await panel.pool.query(
      `insert into events (organization_id, name, event_date, city)
       select $1, 'Race ' || n, now() + n * interval '1 day', case n when 7 then 'Málaga' else 'Port' end
       from generate_series(-290, 9) n`,
      [session.organizationId],
    );
    const page = await newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(panel.linkOf(session));
    const names = () =>
      page
        .getByRole('list', { name: 'Races' })
        .locator('> li')
        .evaluateAll((rows) =>
          rows
            .filter((row) => row.checkVisibility())
            .map((row) => row.querySelector('h2')?.textContent),
        );
    await vi.waitFor(async () => expect(await names()).toHaveLength(10), LONG);
    expect((await names()).slice(0, 2)).toEqual(['Race 0', 'Race 1']);
    const search = page.getByLabel('Search races');
    await search.fill('race malaga');
    await vi.waitFor(async () => expect(await names()).toEqual(['Race 7']), LONG);
    await search.fill('race -290');
    await vi.waitFor(async () => expect(await names()).toEqual(['Race -290']), LONG);
    await search.fill('nothing');
    await page.getByText('No race matches the search.').waitFor();
  });

  test('leads to a page of each race, and back', async () => {
    const race = await createRace();
    const page = await newPage();
    await page.goto(panel.linkOf(race.session));
    await linkTo(page, 'Harbour <b>Half</b>').click();
    await waitForAddress(page, `${panel.origin}/panel?race=${race.eventId}`);
    await inFocus(page.getByRole('heading', { level: 1, name: 'Harbour <b>Half</b>' }));
    expect(await page.title()).toBe('Harbour <b>Half</b>');
    await linkTo(page, 'Uploads').click();
    await page.getByText('Nothing has been uploaded yet.').waitFor();
    await page.reload();
    await page.getByText('Nothing has been uploaded yet.').waitFor();
    await page.goBack();
    await runnersOf(page).first().waitFor();
    await linkTo(page, /Races/).first().click();
    await racesOf(page).waitFor();
  });

  test('says that a race of somebody else does not exist', async () => {
    const race = await createRace();
    const other = await createRace();
    const page = await newPage();
    const link = panel.linkOf(race.session).replace('#', `?race=${other.eventId}#`);
    await page.goto(link);
    await page.getByText('This race does not exist, or it is not your organization’s.').waitFor();
    expect(await linkTo(page, 'Uploads').count()).toBe(0);
    await linkTo(page.getByRole('main'), 'Races').last().click();
    await racesOf(page).waitFor();
  });
});

test.each([
  ['results', '/runners', '.runner'],
  ['uploads', '/result-batches', '.upload'],
  ['course', '/on-course', '#part-course .figures'],
  ['speaker', '/on-course', '#part-speaker .empty'],
])(
  'the part %s asks for its first answer before the scripts come, and once',
  async (part, path, shown) => {
    const race = await createRace();
    await race.upload('finish.csv', 'bib,time\n1,1:00:00\n');
    const page = await newPage();
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/assets/*.js', async (route) => {
      await held;
      await route.continue();
    });
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.endsWith(path)) asked.push(search);
    });
    const link = panel.linkOf(race.session);
    const address = link.replace('#', `?race=${race.eventId}&part=${part}#`);
    await page.goto(address, { waitUntil: 'commit' });
    await vi.waitFor(() => expect(asked).toHaveLength(1), LONG);
    answer();
    await page.locator(shown).first().waitFor();
    expect(asked).toHaveLength(1);
  },
);

describe('the head of a race', () => {
  test('stays true while results come in', async () => {
    const race = await createRace();
    const page = await newPage();
    await page.clock.install();
    await page.goto(panel.linkOf(race.session).replace('#', `?race=${race.eventId}#`));
    const head = page.locator('.race-head');
    await head.getByText('Not started').waitFor();
    expect(await head.locator('.primary').allInnerTexts()).toEqual(['Set up the board']);
    expect(await figuresIn(head.locator('.figures'))).toEqual(['Registered 3']);
    await runnersOf(page).first().waitFor();
    expect(await page.getByText('No result', { exact: true }).count()).toBe(0);
    await race.upload('finish.csv', 'bib,time\n1,1:00:00\n2,1:10:00\n');
    await page.clock.runFor(15_000);
    await head.getByText('Results are coming in').waitFor();
    await head.getByText('finish.csv · 2 rows').waitFor();
    expect(await head.locator('.primary').allInnerTexts()).toEqual(['Send a file']);
    expect(await figuresIn(head.locator('.figures'))).toEqual([
      'Registered 3',
      'Results 2',
      'Without a result 1',
    ]);
    await page.locator('.runner .outcome', { hasText: '01:10:00' }).waitFor();
  });

  test('does not run again because it is corrected, and no key is proposed for it', async () => {
    const race = await createRace();
    await race.upload('finish.csv', 'bib,time\n1,1:00:00\n2,1:10:00\n');
    await panel.pool.query(
      `update events set event_date = now() - interval '10 hours' where id = $1`,
      [race.eventId],
    );
    const page = await opened(race, '', { viewport: { width: 390, height: 844 } });
    // The field is wide enough for a name.
    const field = page.getByLabel('Find by bib or name');
    const width = await field.evaluate((place) => place.getBoundingClientRect().width);
    expect(width).toBeGreaterThan(150);
    const head = page.locator('.race-head');
    await head.getByText('Results are coming in').waitFor();
    const row = runnerOf(page, 'José');
    await button(row, 'Details of José Ejemplo').click();
    await historyOf(row).waitFor();
    await row.getByLabel('Chip time').fill('1:09:00');
    await button(row, 'Save correction').click();
    await said(page, 'The result of José Ejemplo is corrected.');
    await head.getByText('Race over').waitFor();
    expect(await button(page, 'Make official').getAttribute('class')).toContain('primary');
    await button(page, 'Make official').click();
    await page.getByRole('dialog').getByText('Make official').first().waitFor();
    await page.goto(`${panel.origin}/panel?view=keys`);
    await button(page, /New key|Create the first key/).click();
    await page.getByRole('radio', { name: /^Timing company/ }).check();
    const races = page.getByRole('combobox', { name: 'Race', exact: true });
    expect(await races.inputValue()).toBe('');
  });

  test('leaves the first screen of a phone to the list, and opens there', async () => {
    const race = await createRace();
    await race.upload('finish.csv', 'bib,time\n1,1:00:00\n2,1:10:00\n');
    const page = await opened(race, '', { viewport: { width: 390, height: 740 }, isMobile: true });
    const first = runnerOf(page, 'Ana');
    await first.waitFor();
    expect((await first.boundingBox())?.y).toBeLessThan(640);
    await linkTo(page, 'Settings').click();
    await page.getByText('History of the race', { exact: true }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  test('leads from a phone to the keys, lines the bibs up, and lets no line begin or end with a dot', async () => {
    const race = await createRace();
    await panel.pool.query(
      `update registrations set bib_number = (array['7', '104', '12345'])[bib_number::int] where event_id = $1`,
      [race.eventId],
    );
    await race.upload('finish.csv', 'bib,time\n7,1:00:00\n12345,1:10:00\n');
    for (const width of [320, 390]) {
      const page = await opened(race, '', { ...PHONE, viewport: { width, height: 844 } });
      await runnersOf(page).nth(2).waitFor();
      for (const column of ['.bib', '.who']) {
        const lefts = await page
          .locator(`.runner ${column}`)
          .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
        expect(new Set(lefts).size, column).toBe(1);
      }
      expect(await hangingDots(page)).toEqual([]);
      await linkTo(page, 'API keys').click();
      await waitForAddress(page, `${panel.origin}/panel?view=keys`);
      await page.getByRole('heading', { name: 'API keys' }).waitFor();
    }
  });

  test('shows the times of a race by the clock of its place, and names the zone where nobody knows the place', async () => {
    const race = await createRace();
    const page = await opened(race, '', { timezoneId: 'America/Lima' });
    const time = page.getByRole('time').first();
    await time.getByText('GMT-5').waitFor();
    await panel.pool.query(
      `update events set event_date = '2031-05-17T03:15:00Z', time_zone = 'Asia/Kathmandu' where id = $1`,
      [race.eventId],
    );
    await page.reload();
    await time.getByText('17 May 2031, 09:00').waitFor();
    await linkTo(page, /Races/).first().click();
    await racesOf(page).getByText('17 May 2031, 09:00').waitFor();
    // A day without a time is the same day in every time zone.
    await panel.pool.query(`update events set event_date = '2031-05-17T00:00:00Z' where id = $1`, [
      race.eventId,
    ]);
    await page.reload();
    await vi.waitFor(
      async () =>
        expect(await racesOf(page).getByRole('time').innerText()).toMatch(/^17\sMay\s2031$/),
      LONG,
    );
  });

  test('downloads the results for people, in the language of the page, and prints a page for each distance', async () => {
    const race = await createRace();
    await race.upload('finish.csv', 'bib,time,Km 5\n1,1:00:00,20:00\n2,1:10:00.5,21:00\n');
    await panel.pool.query(
      `update registrations set distance = '5K', gender = 'F' where event_id = $1 and bib_number = '2'`,
      [race.eventId],
    );
    for (const [locale, button, header, row] of [
      [
        'en-GB',
        'Download',
        'Place,Place by gender,',
        '1,,1,1,Ana,Ejemplo,,Open,21K,,01:00:00,,00:20:00,3600000,,"{""Km 5"":1200000}"',
      ],
      [
        'es-ES',
        'Descargar',
        'Puesto;Puesto por género;',
        '1;;1;1;Ana;Ejemplo;;Open;21K;;01:00:00;;00:20:00;3600000;;"{""Km 5"":1200000}"',
      ],
    ] as const) {
      const page = await opened(race, '', { locale });
      await page.getByText(button, { exact: true }).click();
      const csv = page.getByRole('button', { name: 'CSV' });
      await page.route('**/export*', (route) => route.abort());
      await csv.click();
      await said(page, locale === 'en-GB' ? 'No answer came.' : 'No llegó ninguna respuesta.');
      await page.unroute('**/export*');
      const files = new Map<string, Buffer>();
      for (const format of ['csv', 'xlsx']) {
        const saving = page.waitForEvent('download');
        await page.getByRole('button', { name: format === 'csv' ? 'CSV' : 'Excel' }).click();
        const file = await saving;
        expect(file.suggestedFilename()).toBe(`Harbour _b_Half__b_.${format}`);
        files.set(format, await buffer(await file.createReadStream()));
      }
      const text = files.get('csv')?.toString() ?? '';
      expect(text.startsWith(`\uFEFF${header}`)).toBe(true);
      expect(text).toContain(`\n${row}\r\n`);
      expect(text.indexOf('José'), '5K stands before 21K').toBeLessThan(text.indexOf('Ana'));
      expect(files.get('xlsx')?.subarray(0, 2).toString()).toBe('PK');
      expect(await violationsOf(page)).toEqual([]);

      await page.evaluate('window.print = () => {}');
      await page.getByRole('button', { name: /speaker|locutor/ }).click();
      await page.locator('body.prints-sheets').waitFor({ state: 'attached' });
      const sheet = await page.pdf({ format: 'A4' });
      expect(sheet.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(2);
      await page.emulateMedia({ media: 'print' });
      const pages = await page.locator('#sheets article').allInnerTexts();
      const [overall, women] = locale === 'en-GB' ? ['Overall', 'Women'] : ['General', 'Mujeres'];
      const texts = pages.map((one) => one.replace(/\s+/g, ''));
      expect(texts).toEqual([
        expect.stringContaining(`${overall}12JoséEjemplo01:10:01${women}12JoséEjemplo`),
        expect.stringContaining(`${overall}11AnaEjemplo01:00:00`),
      ]);
      expect(texts[0]).toContain(`${women}·Open12JoséEjemplo`);
      await page.evaluate('dispatchEvent(new Event("afterprint"))');
      await page.locator('#sheets').waitFor({ state: 'hidden' });
    }
  });
});

test('counts the places of a category within its gender on the sheet of the speaker', async () => {
  const race = await createRace();
  await race.upload('finish.csv', 'bib,time\n1,1:00:00\n2,1:10:00\n3,1:10:00\n');
  await panel.pool.query(
    `update registrations set gender = (array['M', 'F', 'F'])[bib_number::int] where event_id = $1`,
    [race.eventId],
  );
  await panel.pool.query(
    `insert into event_starts (event_id, ordinal, name, bib_from, bib_to, starts_at)
    values ($1, 1, 'Wave B', 3, 9, '2027-05-09T09:07:30Z'), ($1, 2, 'Wave C', 10, 19, '2027-05-09T09:09:00Z')`,
    [race.eventId],
  );
  const page = await opened(race);
  await page.evaluate('window.print = () => {}');
  await page.getByText('Download', { exact: true }).click();
  await page.getByRole('button', { name: /speaker|locutor/ }).click();
  await page.locator('body.prints-sheets').waitFor({ state: 'attached' });
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('#sheets p').innerText()).toMatch(/\s·\sstart\sWave\sB:\s09:07:30/);
  const groups = page.locator('#sheets section');
  expect((await groups.allInnerTexts()).map((one) => one.replace(/\s+/g, ' '))).toEqual([
    'Overall 1 1 Ana Ejemplo 01:00:00 2 2 José Ejemplo 01:10:00 2 3 Zoë Ejemplo 01:10:00',
    'Women 1 2 José Ejemplo 01:10:00 1 3 Zoë Ejemplo 01:10:00',
    'Men 1 1 Ana Ejemplo 01:00:00',
    'Women · Open 1 2 José Ejemplo 01:10:00 1 3 Zoë Ejemplo 01:10:00',
    'Men · Open 1 1 Ana Ejemplo 01:00:00',
  ]);
});

describe('a file that came by mail', () => {
  test('is shown, sent, explained row by row and taken back', async () => {
    const race = await createRace();
    await race.upload('first.csv', 'bib,time\n1,1:00:00\n2,1:10:00\n');
    const page = await opened(race, 'uploads');
    await choose(
      page,
      'mail.csv',
      'Dorsal;Tiempo\n1;1:00:00\n2;1:09:00\n3;1:20:00\n99;1:30:00\n2b;1:75:00\n',
    );
    const rows = page.getByRole('table').locator('tbody').getByRole('row');
    await rows.first().waitFor();
    await inFocus(page.getByText('mail.csv', { exact: true }));
    expect(await rows.allInnerTexts()).toContain('3\tFinished\t01:20:00');
    expect(await figuresIn(cardOf(page).locator('dl'))).toEqual([
      'New 1',
      'Changed 1',
      'Unchanged 1',
      'Not found 1',
      'Failed 1',
    ]);
    expect(await race.stored()).toEqual(['1 FINISHED 3600', '2 FINISHED 4200']);

    await page.getByLabel('Reason').fill('Sent by mail');
    await button(page, 'Send 3 results').click();
    await inFocus(sentIn(page));
    expect(await race.stored()).toEqual(['1 FINISHED 3600', '2 FINISHED 4140', '3 FINISHED 4800']);
    expect(await figuresIn(cardOf(page).locator('dl'))).toEqual([
      'New 1',
      'Changed 1',
      'Unchanged 1',
      'Not found 1',
      'Failed 1',
    ]);
    await listOf(page, 'Rows that cannot be stored')
      .getByText('No runner of this race has the bib: “99”')
      .waitFor();
    const saving = page.waitForEvent('download');
    await button(page, 'Download the failed rows').click();
    const file = await saving;
    expect(file.suggestedFilename()).toBe('mail.csv - failed rows.csv');
    const failed = Buffer.concat(await (await file.createReadStream()).toArray()).toString();
    expect(failed).toContain(
      '99,1:30:00,5,"No runner of this race has the bib: “99” (No registration of this event has the bib number ""99"".)",unknown_bib',
    );
    expect(failed).toContain('2b,1:75:00,6,');

    const uploads = uploadsOf(page);
    await uploads.nth(1).waitFor();
    expect(await uploads.locator('strong').allInnerTexts()).toEqual([
      dotted('mail.csv · 5 rows'),
      dotted('first.csv · 2 rows'),
    ]);
    expect(await figuresIn(uploads.first().locator('.figures'))).toEqual([
      'New 1',
      'Changed 1',
      'Not found 1',
    ]);
    await uploads
      .first()
      .getByText(/by you\s·\sSent by mail$/)
      .waitFor();
    await button(uploads.first(), 'Changes of mail.csv · 5 rows').click();
    await uploads.first().getByText('No runner has these bibs: 99').waitFor();
    await uploads.first().getByText('01:10:00 → 01:09:00').waitFor();
    await uploads.first().getByText('No result → 01:20:00').waitFor();

    await button(cardOf(page), 'Take back').click();
    const question = page.getByRole('dialog');
    await question.getByRole('listitem').first().waitFor();
    expect(await question.getByRole('listitem').allInnerTexts()).toEqual([
      '1 result disappears.',
      '1 result becomes what it was before.',
    ]);
    await button(question, 'Take back').click();
    await said(page, 'Taken back: mail.csv');
    expect(await race.stored()).toEqual(['1 FINISHED 3600', '2 FINISHED 4200']);
    await inFocus(button(page, 'Choose a file'));
  });

  test('names no column as a split of which nothing is stored', async () => {
    const race = await createRace();
    const page = await opened(race, 'uploads');
    await choose(page, 'plain.csv', 'bib,time,Pos,Nombre,Km 5\n1,1:00:00,1,Ana,20:00\n');
    const read = page.getByRole('status').filter({ hasText: 'How it is read' });
    await read.getByText('“Km 5”').waitFor();
    expect(await read.innerText()).not.toMatch(/Pos|Nombre/);
  });

  test('asks what only a person knows, with an example for each answer', async () => {
    const race = await createRace();
    const page = await opened(race, 'uploads');
    await choose(page, 'halt.csv', 'bib,time\n1,1:00:00\n2,1:10:00\n3,xx\n');
    const choices = choicesIn(page);
    await choices
      .filter({ hasText: '“xx” is “Disqualified”' })
      .getByText('bib 3, Disqualified')
      .waitFor();
    await page
      .getByText('What does a status mean?')
      .or(page.getByText('unknown'))
      .first()
      .waitFor();
    expect(await button(page, /^Send \d/).count()).toBe(0);
    await choices.filter({ hasText: '“xx” is “Did not finish”' }).click();
    await button(page, 'Send 3 results').click();
    await sentIn(page).waitFor();
    expect(await race.stored()).toEqual(['1 FINISHED 3600', '2 FINISHED 4200', '3 DNF ']);
  });

  test('is read by the columns that the reader names, if no suggestion is right', async () => {
    const race = await createRace();
    const page = await opened(race, 'uploads');
    const file = 'time,Code,Lap\n1,90,1:00:00\n2,91,1:10:00\n3,92,no idea\n';
    await choose(page, 'odd.csv', file);
    await page.getByText('Name the columns by hand').click();
    const columns = page.getByRole('region', { name: 'Columns of the file' });
    const rows = columns.getByRole('row');
    expect(await rows.nth(3).innerText()).toMatch(/^Lap\s+1:00:00\s·\s1:10:00\s·\sno idea/);
    const meaning = (name: string) => columns.getByRole('combobox', { name: `Meaning of ${name}` });
    await meaning('time').selectOption('Bib');
    await meaning('Code').selectOption('Remark, not stored');
    await meaning('Lap').selectOption('Time');
    expect(await violationsOf(page)).toEqual([]);
    await button(page, 'Read the file like this').click();
    await cardOf(page).getByText('How it is read: Bib: “time” · Time: “Lap”').waitFor();
    await button(page, 'Send 2 results').click();
    await page.getByRole('heading', { name: 'The file is stored' }).waitFor();
    expect(await race.stored()).toEqual(['1 FINISHED 3600', '2 FINISHED 4200']);
  });

  test('shows its columns open if nothing of it can be stored, and first why', async () => {
    const page = await opened(await createRace(), 'uploads');
    const file = 'time,Code,Lap\n1040,90,1:11:33\n1041,91,1:11:41\n1042,92,1:12:00\n';
    await choose(page, 'odd.csv', file);
    await button(page, 'Read the file like this').waitFor();
    const notes = listOf(page, 'Please check').getByRole('listitem');
    expect(await notes.first().innerText()).toContain('The file cannot be read as it is.');
    expect(await page.getByText('These columns are not stored').count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    const meaning = page.getByRole('combobox', { name: 'Meaning of Lap' });
    const { x = 0, width = 0 } = (await meaning.boundingBox()) ?? {};
    expect(x + width).toBeLessThan(320);
    expect(width).toBeGreaterThan(200);
  });

  test('has no example for answers that store its first rows alike, also if a preview failed', async () => {
    const page = await opened(await createRace(), 'uploads');
    const preview = (word: string) => (url: URL) =>
      url.pathname.endsWith('/preview') && url.searchParams.get('status_word') === word;
    await page.route(preview('pending:DSQ'), (route) => route.abort());
    const isLast = preview('pending:');
    // A request whose answer is read ends as either, because the panel then ends its signal.
    const ended = Promise.withResolvers<void>();
    const note = (request: Request) => isLast(new URL(request.url())) && ended.resolve();
    page.on('requestfinished', note).on('requestfailed', note);
    const rows = Array.from({ length: 60 }, (_, at) => `${at + 1},1:10:${10 + (at % 50)}`);
    await choose(page, 'late.csv', ['bib,time', ...rows, '61,pending'].join('\n'));
    const choices = choicesIn(page);
    await choices.filter({ hasText: '“pending” stands for nothing' }).waitFor();
    await ended.promise;
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
    expect(await choices.locator('small').allTextContents()).toEqual(['', '', '', '']);
  });

  test('is read by the last answer, although an earlier one is still read', async () => {
    const race = await createRace();
    const page = await opened(race, 'uploads');
    await choose(page, 'halt.csv', 'bib,time\n1,1:00:00\n2,1:10:00\n3,xx\n');
    const choices = choicesIn(page);
    await choices.filter({ hasText: 'bib 3, Disqualified' }).waitFor();
    const late = Promise.withResolvers<void>();
    const isDsq = (url: URL) =>
      url.pathname.endsWith('/preview') && url.searchParams.get('status_word') === 'xx:DSQ';
    await page.route(isDsq, async (route) => {
      await late.promise;
      await route.continue();
    });
    const asked = page.waitForRequest((request) => isDsq(new URL(request.url())));
    await choices.filter({ hasText: '“xx” is “Disqualified”' }).click();
    await asked;
    await choices.filter({ hasText: '“xx” is “Did not finish”' }).click();
    expect(await button(page, /^Send \d/).count()).toBe(0);
    late.resolve();
    await button(page, 'Send 3 results').click();
    await sentIn(page).waitFor();
    expect(await race.stored()).toEqual(['1 FINISHED 3600', '2 FINISHED 4200', '3 DNF ']);
  });

  test('can be answered again after an answer that the API did not get', async () => {
    const page = await opened(await createRace(), 'uploads');
    await choose(page, 'halt.csv', 'bib,time\n1,1:00:00\n2,1:10:00\n3,xx\n');
    const dnf = choicesIn(page).filter({ hasText: '“xx” is “Did not finish”' });
    await choicesIn(page).filter({ hasText: 'bib 3, Disqualified' }).waitFor();
    await page.route('**/file/preview?*', (route) => route.abort());
    await dnf.click();
    await page.getByText('No answer came.').waitFor();
    await page.unroute('**/file/preview?*');
    await dnf.click();
    await button(page, 'Send 3 results').waitFor();
  });

  test('is sent as it was shown, although another program writes it again', async () => {
    const race = await createRace();
    const page = await opened(race, 'uploads');
    const write = (content: string) =>
      page.evaluate(`(async () => {
        const folder = await navigator.storage.getDirectory();
        window.exported = await folder.getFileHandle('export.csv', { create: true });
        const stream = await exported.createWritable();
        await stream.write(${JSON.stringify(content)});
        await stream.close();
      })()`);
    await write('bib,time\n1,1:00:00\n');
    await page.evaluate(`(async () => {
      const chosen = new DataTransfer();
      chosen.items.add(await exported.getFile());
      const input = document.querySelector('#file');
      input.files = chosen.files;
      input.dispatchEvent(new Event('change'));
    })()`);
    await button(page, 'Send 1 result').waitFor();
    await write('bib,time\n1,1:00:00\n2,1:10:00\n');
    await button(page, 'Send 1 result').click();
    await sentIn(page).waitFor();
    expect(await race.stored()).toEqual(['1 FINISHED 3600']);
  });

  test('that is lost on its way leaves the race alone that is opened meanwhile', async () => {
    const race = await createRace();
    const { rows } = await panel.pool.query<{ id: string }>(
      `insert into events (organization_id, name, event_date, city)
       values ($1, 'Other race', now() + interval '1 day', 'Port Example') returning id`,
      [race.session.organizationId],
    );
    const page = await opened(race, 'uploads');
    await choose(page, 'mail.csv', 'bib,time\n1,1:00:00\n');
    const lost = Promise.withResolvers<void>();
    await page.route(UPLOAD_ADDRESS, async (route) => {
      await lost.promise;
      await route.abort();
    });
    await button(page, 'Send 1 result').click();
    await page.locator('#send-file[data-step=sending]').waitFor();
    await linkTo(page, 'Races').first().click();
    await linkTo(page, 'Other race').click();
    await linkTo(page, 'Uploads').click();
    await waitForAddress(page, `${panel.origin}/panel?race=${rows[0]?.id}&part=uploads`);
    lost.resolve();
    await said(page, 'nobody knows yet whether the file is stored');
    expect(await page.locator('#send-file').getAttribute('data-step')).toBe('idle');
    await choose(page, 'none.csv', 'bib,time\n1,1:00:00\n');
    await listOf(page, /^Rows that cannot be|^Filas que/)
      .getByText('No runner of this race')
      .waitFor();
  });

  test('can have the times of a point, which is stored, shown and taken back', async () => {
    const race = await createRace();
    const passings = async () => {
      const { rows } = await panel.pool.query<{ passing: string }>(
        `select concat_ws(' ', bib_number, point, time_ms) as passing from passings
         join registrations on registrations.id = registration_id
         where passings.event_id = $1 order by 1`,
        [race.eventId],
      );
      return rows.map(({ passing }) => passing);
    };
    const page = await opened(race, 'uploads');
    await page.getByLabel('A point on the course').check();
    const file = 'Dorsal;Tiempo\n1;41:28\n2;0:43:02,5\n99;44:00\n';
    await choose(page, 'km10.csv', file);
    await page.getByText('Write the name of the point first.').waitFor();
    await inFocus(page.getByLabel('Name of the point'));
    await page.getByLabel('Name of the point').fill('Km 10');
    await choose(page, 'km10.csv', file);
    const rows = page.getByRole('table').locator('tbody').getByRole('row');
    await rows.first().waitFor();
    expect(await rows.allInnerTexts()).toEqual(
      expect.arrayContaining(['1\tKm 10\t00:41:28', '2\tKm 10\t00:43:02.500']),
    );
    expect(await page.getByLabel('Reason').isVisible()).toBe(false);
    expect(await violationsOf(page)).toEqual([]);
    expect(await passings()).toEqual([]);
    await button(page, 'Send 2 times').click();
    await inFocus(sentIn(page));
    expect(await figuresIn(cardOf(page).locator('dl'))).toEqual([
      'New 2',
      'Changed 0',
      'Unchanged 0',
      'Not found 1',
      'Failed 0',
    ]);
    expect(await passings()).toEqual(['1 Km 10 2488000', '2 Km 10 2582500']);
    expect(await race.stored()).toEqual([]);
    const point = listOf(page, 'Points of the course').getByRole('listitem');
    await point.getByText('2 runners · fastest 00:41:28').waitFor();
    expect(await page.locator('#points option').evaluateAll((all) => all.map(String))).toHaveLength(
      1,
    );
    expect(await violationsOf(page)).toEqual([]);

    await button(cardOf(page), 'Take this point back').click();
    const question = page.getByRole('dialog');
    await question.getByText('2 times of points disappear').waitFor();
    await button(question, 'Take back').click();
    await said(page, 'Taken back: km10.csv · 3 rows.');
    await point.waitFor({ state: 'detached' });
    expect(await passings()).toEqual([]);
    await button(page, 'Choose a file').last().waitFor();
  });

  test('leaves what a person decided, names it by group, and stores the rows that the reader chooses', async () => {
    const race = await createRace();
    await race.upload('first.csv', 'bib,time\n1,1:00:00\n2,1:10:00\n');
    await race.change('/results/1', 'PATCH', { status: 'DSQ', reason: 'Cut the course' });
    await race.change('/results/2?reason=Wrong+runner', 'DELETE');
    const page = await opened(race, 'uploads', { locale: 'es-PE' });
    const file = 'bib,time\n1,1:00:01\n2,1:11:00\n3,1:20:00\n';
    await choose(page, 'again.csv', file);
    const groups = cardOf(page).locator('fieldset');
    await groups.nth(1).waitFor();
    const texts = (await groups.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    expect(texts).toEqual([
      expect.stringMatching(
        /^Alguien corrigió.* 1 Ana Ejemplo · Descalificado → 01:00:01 por ti · .* · Cut the course$/,
      ),
      expect.stringMatching(
        /^Alguien los borró .* 2 José Ejemplo · Sin resultado → 01:11:00 por ti · .* · Wrong runner$/,
      ),
    ]);
    expect(await figuresIn(cardOf(page).locator('dl'))).toContain('Fuera 2');
    expect(await violationsOf(page)).toEqual([]);
    await button(page, 'Enviar 1 resultado').waitFor();
    const anyway = page.getByLabel('Guardar de todos modos');
    await anyway.nth(1).press('Space');
    await button(page, 'Enviar 2 resultados').click();
    await inFocus(sentIn(page));
    expect(await race.stored()).toEqual(['1 DSQ ', '2 FINISHED 4260', '3 FINISHED 4800']);
    expect(await figuresIn(cardOf(page).locator('dl'))).toEqual([
      ...['Nuevos 2', 'Cambiados 0', 'Sin cambios 0', 'No encontrados 0', 'Con error 0', 'Fuera 1'],
    ]);
    await page.getByText('son dos subidas').waitFor();
    const uploads = uploadsOf(page);
    await uploads.nth(4).waitFor();
    expect(await uploads.locator('strong').allInnerTexts()).toEqual(
      expect.arrayContaining([dotted('again.csv · 1 fila'), dotted('again.csv · 3 filas')]),
    );
    expect(await violationsOf(page)).toEqual([]);
  });

  test('that would change many results is held back as one group', async () => {
    const race = await createRace();
    await race.upload('first.csv', 'bib,time\n1,1:00:00\n2,1:10:00\n3,1:20:00\n', 'Finish laptop');
    const page = await opened(race, 'uploads');
    await page
      .getByRole('list', { name: 'Uploads' })
      .getByText('with the key “Timing van”, Finish laptop')
      .waitFor();
    await choose(page, 'wrong.csv', 'bib,time\n1,2:00:00\n2,2:10:00\n3,2:20:00\n');
    const group = page.getByRole('group', { name: /^The file would change many/ });
    await group.getByRole('listitem').nth(2).waitFor();
    expect(await group.getByRole('listitem').first().innerText()).toMatch(
      /^1\s+Ana Ejemplo\s·\s01:00:00\s→\s02:00:00\s+by Finish laptop/,
    );
    expect(await button(page, 'Send 0 results').isDisabled()).toBe(true);
    // The rows that stay out are in no table of stored rows.
    expect(await page.getByRole('table').and(page.locator('#preview-table')).count()).toBe(0);
    // The answer to the second upload is lost: the file is sent again, and stored once.
    await group.getByLabel('Store these 3 rows of the file anyway').check();
    let uploads = 0;
    await page.route(UPLOAD_ADDRESS, async (route) => {
      uploads += 1;
      if (uploads !== 2) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await button(page, 'Send 3 results').click();
    await page.getByRole('alert').getByText('nobody knows yet').waitFor();
    expect(await group.getByRole('checkbox').isDisabled()).toBe(true);
    await button(page, 'Send again').click();
    await sentIn(page).waitFor();
    expect(await race.stored()).toEqual(['1 FINISHED 7200', '2 FINISHED 7800', '3 FINISHED 8400']);
    expect(uploads).toBe(4);
    await uploadsOf(page).nth(2).waitFor();
    expect(await uploadsOf(page).count()).toBe(3);
  });

  test('is explained in the language of the reader, with what the file has', async () => {
    const page = await opened(await createRace(), 'uploads', { locale: 'es-ES' });
    await choose(
      page,
      'correo.csv',
      'Startnummer;Netto;Sexo\n1;59.59;M\n2;1.10.03;M\n3;abc;F\n99;1.20.03;F\n2b;;M\n',
    );
    await choicesIn(page).filter({ hasText: '“abc” es «Descalificado»' }).waitFor();
    await choicesIn(page).filter({ hasText: '“abc” es «Abandonó»' }).click();
    const readAs = page.getByRole('status').filter({ hasText: '1.28.03 es 1 h 28 min 3 s' });
    await readAs.waitFor();
    expect(await readAs.innerText()).toContain('Dorsal: “Startnummer” · Tiempo: “Netto”');
    const failed = listOf(page, /^Rows that cannot be|^Filas que/);
    await failed.getByText('A quien terminó le falta el tiempo').waitFor();
    expect(await listOf(page, WARNINGS).locator('[lang=en]').count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
  });

  test('can be a sheet of a workbook', async () => {
    const race = await createRace();
    const page = await opened(race, 'uploads');
    const timed = (seconds: number) => numberCell(seconds / 86_400, '[h]:mm:ss');
    const workbook = workbookOf({
      Saturday: [
        ['bib', 'time'],
        ['1', timed(3_600)],
        ['2', timed(4_200)],
      ],
      Sunday: [
        ['bib', 'time'],
        ['3', timed(4_800)],
        ['2', timed(4_100)],
      ],
    });
    await choose(page, 'weekend.xlsx', new Uint8Array(workbook));
    await choicesIn(page).filter({ hasText: 'Sunday' }).click();
    await page.getByRole('table').getByText('01:20:00').waitFor();
    await button(page, 'Send 2 results').click();
    await sentIn(page).waitFor();
    expect(await race.stored()).toEqual(['2 FINISHED 4100', '3 FINISHED 4800']);
    await button(page, 'Choose the next sheet').click();
    await choicesIn(page).filter({ hasText: 'Sunday” · already stored' }).waitFor();
    expect(await choicesIn(page).locator('input:disabled').count()).toBe(1);
    await choicesIn(page).filter({ hasText: 'Saturday' }).click();
    await page.getByRole('table').getByText('01:00:00').waitFor();
    await button(page, 'Send 2 results').click();
    await sentIn(page).waitFor();
    expect(await race.stored()).toEqual(['1 FINISHED 3600', '2 FINISHED 4200', '3 FINISHED 4800']);
    expect(await button(page, 'Choose the next sheet').isVisible()).toBe(false);
  });

  test('is stored once when the line breaks, and the panel says what happened', async () => {
    const race = await createRace();
    const page = await opened(race, 'uploads');
    await choose(page, 'mail.csv', 'bib,time\n1,1:00:00\n');
    await button(page, 'Send 1 result').waitFor();
    await page.context().setOffline(true);
    await button(page, 'Send 1 result').click();
    await page.getByText('You are offline. Nothing was sent.').waitFor();
    expect(await race.stored()).toEqual([]);
    await page.context().setOffline(false);
    // The file arrives, and the answer is lost.
    await page.route(UPLOAD_ADDRESS, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await button(page, 'Send 1 result').click();
    await page.getByText('nobody knows yet whether the file is stored').waitFor();
    await page.unroute(UPLOAD_ADDRESS);
    await button(page, 'Send again').click();
    await sentIn(page).waitFor();
    expect(await figuresIn(cardOf(page).locator('dl'))).toContain('New 1');
    await vi.waitFor(async () => expect(await uploadsOf(page).count()).toBe(1), LONG);
    expect(await race.stored()).toEqual(['1 FINISHED 3600']);
  });

  test('is refused if nobody can read it or it is too large', async ({ onTestFinished }) => {
    const page = await opened(await createRace(), 'uploads');
    await choose(page, 'photo.xlsx', new Uint8Array([0x50, 0x4b, 0x03, 0x04, 1, 2, 3]));
    const message = cardOf(page).getByRole('alert');
    await message.getByText('Nobody can read this file as results.').waitFor();
    await inFocus(button(page, 'Choose a file'));
    // The browser opens the file: sending 16 MiB to the browser takes longer than the test on a busy machine.
    const large = join(tmpdir(), `${crypto.randomUUID()}.csv`);
    await writeFile(large, Buffer.alloc(16 * 1_024 * 1_024 + 1, 'x'));
    onTestFinished(() => rm(large));
    await fileField(page).setInputFiles(large);
    await message.getByText('The file is too large: at most 16 MiB are accepted.').waitFor();
    await choose(page, 'names.csv', 'bib,name\n1,Ana\n2,José\n');
    await page.getByText('The file cannot be stored as it is.').waitFor();
    await button(page, 'Cancel').waitFor();
    expect(await button(page, /^Send \d/).isVisible()).toBe(false);
  });
});

test('shows the same switches of a race in two tabs', async () => {
  const race = await createRace();
  const page = await opened(race, 'board');
  const other = await opened(race, 'board');
  await switchOf(page, 'Live board').click();
  await said(page, 'is on.');
  // The second tab has not asked since, and its next change leaves this switch.
  await other.getByRole('radio', { name: 'Given name and initial' }).click();
  await said(other, 'The board shows the given name');
  expect(await switchOf(other, 'Live board').isChecked()).toBe(true);
});

test('shows no race to a member', async () => {
  const race = await createRace();
  const member = `member-${crypto.randomUUID()}`;
  await panel.pool.query(
    "insert into organization_members (organization_id, user_id, role) values ($1, $2, 'member')",
    [race.session.organizationId, member],
  );
  const page = await newPage();
  const session = { ...race.session, token: await signToken(member) };
  await page.goto(panel.linkOf(session).replace('#', `?race=${race.eventId}#`));
  await page.getByRole('alert').filter({ hasText: 'only owners and admins' }).waitFor();
});

describe('official results', () => {
  test('are made in the head of the race, kept as versions, and told on the board', async () => {
    const race = await createRace();
    const page = await opened(race);
    await button(page, 'Make official').waitFor({ state: 'hidden' });
    await race.upload('finish.csv', 'bib,time\n1,1:00:00\n2,1:10:00\n');
    await panel.pool.query(
      `with more as (
         insert into registrations (event_id, person_id, status, bib_number, given_names)
         select event_id, person_id, 'PAID', bib_number || '0', 'Eva' from registrations
         where event_id = $1 and bib_number < '3'
         returning id
       )
       insert into passings (event_id, registration_id, point, time_ms, upload_id)
       select event_id, id, point, time_ms, gen_random_uuid() from registrations
       cross join (values ('Km 5', 1500000), ('Km 10', 3100400)) passing (point, time_ms)
       where event_id = $1 and bib_number = '3'`,
      [race.eventId],
    );
    await page.reload();
    await page.getByText('Provisional', { exact: true }).waitFor(LONG);

    await button(page, 'Make official').click();
    const question = page.getByRole('dialog');
    await question.getByText('This signs all results as they are now').waitFor();
    await question.getByText('3 runners have no result.').waitFor();
    expect(await question.getByRole('listitem').allInnerTexts()).toEqual([
      '3 Zoë Ejemplo · last seen at Km 10, 00:51:41',
      '10 Eva · seen at no point',
      '20 Eva · seen at no point',
    ]);
    expect(await violationsOf(page)).toEqual([]);
    await button(question, 'Make official').click();
    await said(page, 'Version 1 is official.');
    await page.getByText('Official, version 1', { exact: true }).waitFor();
    await button(page, 'Make official').waitFor({ state: 'hidden' });

    const fold = page.getByText('Official versions', { exact: true });
    const closed = await fold.boundingBox();
    await fold.click();
    expect((await fold.boundingBox())?.x).toBe(closed?.x);
    const saving = page.waitForEvent('download');
    await button(page, 'Download version 1').click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('Harbour _b_Half__b_ - official results 1.jsonl');

    await setUpEvent(drizzle(panel.pool), race.eventId, { board_enabled: true });
    const board = await newPage();
    await board.goto(`${panel.origin}/board/${race.eventId}`);
    await board.getByText('Official results, version 1 of').waitFor(LONG);
    expect(await violationsOf(board)).toEqual([]);
    const fromBoard = board.waitForEvent('download');
    await linkTo(board, 'Signed file').click();
    expect((await fromBoard).suggestedFilename()).toBe(saved.suggestedFilename());
    await linkTo(board, 'Check it').click();
    await board.getByLabel(/official version/).setInputFiles({
      name: saved.suggestedFilename(),
      mimeType: 'application/octet-stream',
      buffer: await buffer(await saved.createReadStream()),
    });
    await board
      .getByText('The signature is right, and every result is as it was signed.')
      .waitFor();

    await race.upload('again.csv', 'bib,time\n1,0:59:00\n');
    await page.reload();
    await page.getByText('Changed since version 1', { exact: true }).waitFor(LONG);
    await button(page, 'Make official').waitFor();
    await page.getByText('Official versions', { exact: true }).click();
    await page.getByText(/Version 1\s·\s.+\s·\sresults: 2\s·\schanged since/).waitFor();
    const changes = listOf(page, 'Changed since').getByRole('listitem');
    await changes.first().waitFor(LONG);
    expect(await changes.allInnerTexts()).toEqual([
      expect.stringMatching(/^1\s+01:00:00 → 00:59:00$/),
    ]);
    expect(await violationsOf(page)).toEqual([]);
    for (const [bib, worth] of [
      ['1', 'Changed since official version 1: 01:00:00 → 00:59:00'],
      ['2', 'The same result as in official version 1'],
    ] as const) {
      const row = runnersOf(page).filter({ has: page.getByText(bib, { exact: true }) });
      await button(row.first(), /^Details of/).click();
      await row.first().getByText(worth).waitFor();
    }
    await button(page, 'ES, Español').click();
    await page.getByText('Cambió tras la versión 1', { exact: true }).waitFor();
    await page.getByText('Qué cambió desde entonces', { exact: true }).waitFor();

    await board.goto(`${panel.origin}/board/${race.eventId}?bib=1`);
    await board.getByRole('link', { name: 'Changed since version 1' }).click();
    await board.getByText('What changed since: 1 result').click();
    const told = board.locator('#official-list li');
    await told.first().waitFor();
    expect(await told.allInnerTexts()).toEqual([expect.stringMatching(/^1\s+1:00:00 → 59:00$/)]);
    await board
      .locator('.result .history', {
        hasText: 'Changed since official version 1: 1:00:00 → 59:00',
      })
      .waitFor();
    expect(await violationsOf(board)).toEqual([]);
    await board.goto(`${panel.origin}/board/${race.eventId}?bib=2&lang=es`);
    await board
      .locator('.result .history', { hasText: 'El mismo tiempo que en la versión oficial 1' })
      .waitFor();
  });
});

describe('the starts of a race', () => {
  test('are told in the panel, and a gun that went off later is corrected after a look at what moves', async () => {
    const race = await createRace();
    await race.upload(
      'finish.csv',
      'bib,chip,gun\n1,1:00:00,1:05:00\n2,1:01:00,1:02:00\n3,1:10:00,\n',
    );
    const page = await opened(race);
    await linkTo(page, 'Settings').click();
    await button(page, 'Add a start').click();
    await page.getByLabel('Start', { exact: true }).fill('Gun');
    await page.getByLabel('Goes off at').fill('2027-05-09T09:00:00');
    await button(page, 'Save the starts').click();
    await said(page, 'The starts are saved. Runners without a start: 0.');
    await button(page, 'Correct the start').click();
    const question = page.getByRole('dialog');
    await question.getByText('Times that move: 2 of results, 0 at points.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await button(question, 'Correct the start').click();
    await said(page, 'The start is corrected: Gun.');
    const { rows } = await panel.pool.query(
      'select gun_time_ms::int as gun from results where event_id = $1 order by gun_time_ms',
      [race.eventId],
    );
    expect(rows.map(({ gun }) => gun)).toEqual([3_690_000, 3_870_000, null]);
    await button(page, 'ES, Español').click();
    await button(page, 'Corregir la salida').waitFor();
    await button(page, 'EN, English').click();
    // The crew sends all times with the gun of the start: no time moves back, and the start does.
    await race.upload('again.csv', 'bib,chip,gun\n1,1:00:00,1:06:00\n2,1:01:00,1:03:00\n');
    await page.reload();
    await linkTo(page, 'Uploads').click();
    const moved = uploadsOf(page).filter({ hasText: 'Start corrected' });
    await moved.getByRole('button', { name: /^Take back/ }).click();
    await button(question, 'Take back').click();
    await said(page, 'Taken back');
    const told = await panel.pool.query<{ at: string }>(
      `select to_char(starts_at at time zone 'UTC', 'HH24:MI:SS') as at from event_starts where event_id = $1`,
      [race.eventId],
    );
    expect(told.rows.map(({ at }) => at.slice(-2))).toEqual(['00']);
  });
});

test('lists runners who are DNS and were seen, names a wrong clock, and opens the correction', async () => {
  const race = await createRace();
  await race.upload('finish.csv', 'bib,time,status\n1,1:10:00,\n2,,DNS\n3,1:20:00,\n');
  await panel.pool.query(
    `insert into passings (registration_id, event_id, point, time_ms, upload_id)
    select id, event_id, 'Km 5', 1500000, gen_random_uuid() from registrations
    where event_id = $1 and bib_number in ('1', '2', '3')`,
    [race.eventId],
  );
  await panel.pool.query(
    `insert into event_starts (event_id, ordinal, name, starts_at)
    values ($1, 1, 'Gun', date_trunc('minute', now()) + interval '35 minutes')`,
    [race.eventId],
  );
  const page = await opened(race);
  await page.getByText(/The clock at Km 5 is (59|60) minutes ahead of the server/).waitFor();
  await page.getByText('1 runner is DNS, and a point saw the runner').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await button(page, 'The DNS was wrong: bib 2').click();
  await button(page, 'Save result').or(button(page, 'Save correction')).waitFor();
  await button(page, 'ES, Español').click();
  await page.getByText('1 corredor figura como DNS y un punto lo vio').waitFor();
});

test('copies the settings of another race of the organization, after a look at the settings', async () => {
  const race = await createRace();
  await panel.pool.query(
    `with other as (
      insert into events (organization_id, name, event_date, city, time_zone)
      select organization_id, 'Carrera 2026', '2026-05-10T07:00:00Z', 'Soria', 'Europe/Madrid' from events where id = $1
      returning id
    ), settings as (
      insert into event_settings (
        event_id, board_names, board_hidden_distances, ranking_rule, prizes, starts_version, points_version)
      select id, 'full', '{21K,Kids}', 'gun', 'overall_leaves_category', 1, 1 from other
    ), started as (
      insert into event_starts (event_id, ordinal, name, starts_at)
      select id, 1, 'Gun', '2026-05-10T07:30:00Z' from other
    )
    insert into event_points (event_id, ordinal, name, course_order, km) select id, 1, 'Bridge', 1, 4.5 from other`,
    [race.eventId],
  );
  await panel.pool.query(
    `update events set event_date = '2027-11-14T08:00:00Z', time_zone = 'Europe/Madrid' where id = $1`,
    [race.eventId],
  );
  const page = await opened(race);
  await linkTo(page, 'Settings').click();
  await page.getByText('Copy settings', { exact: true }).click();
  const from = page.getByLabel('From the race');
  const other = from.locator('option', { hasText: 'Carrera 2026' });
  await from.selectOption((await other.getAttribute('value')) ?? '');
  await button(page, 'Show the settings').click();
  const question = page.getByRole('dialog');
  await question.getByText(/Gun: 14\sNov\s2027, 09:30/).waitFor();
  await question.getByText('Bridge, km 4.5').waitFor();
  await question.getByText('Hidden names: 21K').waitFor();
  await question.getByText('The other race hides the names of Kids.').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await button(question, 'Copy the settings').click();
  await said(page, 'The settings of Carrera 2026 are copied.');
  const { rows } = await panel.pool.query(
    `select board_names, board_hidden_distances, ranking_rule, prizes, starts_at, km from event_settings
    join event_starts using (event_id) join event_points using (event_id) where event_id = $1`,
    [race.eventId],
  );
  expect(rows).toEqual([
    {
      board_names: 'full',
      board_hidden_distances: ['21K'],
      ranking_rule: 'gun',
      prizes: 'overall_leaves_category',
      starts_at: new Date('2027-11-14T08:30:00Z'),
      km: 4.5,
    },
  ]);
  await button(page, 'ES, Español').click();
  await button(page, 'Ver los ajustes').waitFor();
});

test('tells the course of a race, whose kilometres the board then reads', async () => {
  const race = await createRace();
  const page = await opened(race);
  await linkTo(page, 'Settings').click();
  await page.getByText('Course', { exact: true }).click();
  for (const [name, km] of [
    ['Summit', '12,5'],
    ['Bridge', '4'],
  ] as const) {
    await button(page, 'Add a point').click();
    await page.getByLabel('Point', { exact: true }).last().fill(name);
    await page.getByLabel('Kilometres from the start').last().fill(km);
  }
  await button(page, 'Earlier on the course: Bridge').click();
  await button(page, 'Save the course').click();
  await said(page, 'The course is saved, with 2 points.');
  expect(await violationsOf(page)).toEqual([]);
  const { rows } = await panel.pool.query(
    'select name, distance, course_order, km from event_points where event_id = $1 order by course_order',
    [race.eventId],
  );
  expect(rows).toEqual([
    { name: 'Bridge', distance: null, course_order: 1, km: 4 },
    { name: 'Summit', distance: null, course_order: 2, km: 12.5 },
  ]);
  await button(page, 'ES, Español').click();
  await button(page, 'Guardar el recorrido').waitFor();
});

describe('the rule of ranking', () => {
  const CHIP_AND_GUN = 'bib,chip,gun\n1,1:00:00,1:05:00\n2,1:01:00,1:02:00\n3,1:10:00,\n';

  test('is changed with the keyboard, after a question that says what changes, and kept in the history', async () => {
    const race = await createRace();
    await race.upload('finish.csv', CHIP_AND_GUN);
    await panel.pool.query(
      `update registrations set gender = (array['F', 'M', 'F'])[bib_number::int] where event_id = $1`,
      [race.eventId],
    );
    const page = await opened(race);
    const head = page.getByRole('region', { name: 'Harbour <b>Half</b>' });
    const rule = head.locator('summary', { hasText: 'Ranking · by chip time' });
    const missing = head.getByText('1 finisher has no gun time: the chip time ranks this runner.');
    await page.waitForLoadState('networkidle');
    expect(await missing.isVisible()).toBe(false);

    await linkTo(page, 'Settings').click();
    await rule.focus();
    await page.keyboard.press('Enter');
    const choice = page.getByRole('radio', { name: 'Chip time', exact: true });
    await choice.focus();
    await page.keyboard.press('Enter');
    await head.getByText('Places count like this already.').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.type('The federation asks for it.');
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog');
    await question.getByText('2 runners get another place.').waitFor();
    await question.getByText('Places by chip time → Places by gun time').waitFor();
    // A category counts within its gender, and no gender has two of these runners.
    expect(await question.getByRole('listitem').allInnerTexts()).toEqual([
      `${dotted('21K · overall')}: José Ejemplo 2 → 1, Ana Ejemplo 1 → 2`,
    ]);
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await said(page, 'The ranking is changed: Places by gun time.');
    await head.locator('summary', { hasText: 'Ranking · by gun time' }).waitFor();
    await missing.waitFor();
    // Parts loaded meanwhile leave the message.
    await said(page, 'The ranking is changed');

    await head.getByText('History of the race', { exact: true }).click();
    const changes = listOf(page, 'History of the race').getByRole('listitem');
    await changes.first().waitFor();
    expect(await changes.allInnerTexts()).toEqual([
      expect.stringMatching(
        /^Ranking: Places by chip time → Places by gun time\s·\s.+\s·\sby you\s·\sThe federation asks for it\.$/,
      ),
    ]);
    expect(await violationsOf(page)).toEqual([]);
    await button(page, 'ES, Español').click();
    await head.getByText('Clasificación: Puestos por tiempo de chip → ').waitFor();
    await head
      .getByText('1 corredor con llegada no tiene tiempo de pistola: cuenta su tiempo de chip.')
      .waitFor();
    const { rows } = await panel.pool.query(
      'select ranking_rule from event_settings where event_id = $1',
      [race.eventId],
    );
    expect(rows).toEqual([{ ranking_rule: 'gun' }]);
  });

  test('makes official results count as changed since, and its history has what else was changed', async () => {
    const race = await createRace();
    await race.upload('finish.csv', CHIP_AND_GUN);
    const page = await opened(race);
    await button(page, 'Make official').click();
    await button(page.getByRole('dialog'), 'Make official').click();
    await page.getByText('Official, version 1', { exact: true }).waitFor();
    await linkTo(page, 'Settings').click();
    await page.locator('summary', { hasText: 'Ranking' }).click();
    await page.getByRole('radio', { name: 'Gun time, in categories chip time' }).check();
    await button(page, 'Change the ranking').click();
    await button(page.getByRole('dialog'), 'Cancel').click();
    await page.locator('summary', { hasText: 'by chip time' }).waitFor();
    await button(page, 'Change the ranking').click();
    await button(page.getByRole('dialog'), 'Change the ranking').click();
    await page.getByText('Changed since version 1', { exact: true }).waitFor();

    await linkTo(page, 'Board').click();
    await switchOf(page, 'Live board').click();
    await said(page, 'is on.');
    await page.getByLabel('Bib', { exact: true }).fill('3');
    await button(page, 'Hide').click();
    await said(page, 'no longer shows the name of bib 3');
    await linkTo(page, 'Settings').click();
    await page.getByText('History of the race', { exact: true }).click();
    const changes = listOf(page, 'History of the race').locator('strong');
    await changes.nth(3).waitFor();
    expect(await changes.allInnerTexts()).toEqual([
      'Name of bib 3 on the board: shown → hidden',
      'Live board: off → on',
      'Ranking: Places by chip time → Places overall by gun time, in categories by chip time',
      'Official results: version 1',
    ]);
  });
});

test('swaps the results of two bibs after a question, and takes it back', async () => {
  const race = await createRace();
  await race.upload('finish.csv', 'bib,time,Km 5\n1,1:00:00,20:00\n2,1:10:00,21:00\n');
  const page = await opened(race);
  const runner = runnerOf(page, 'Ana');
  await button(runner, 'Details of Ana Ejemplo').click();
  await runner.getByText('Swap with another bib').click();
  const other = runner.getByLabel('The other bib');
  await other.fill('99');
  await button(runner, 'Swap results').click();
  await runner.getByRole('alert').waitFor();
  await other.fill('3');
  await runner.getByLabel('Why they are swapped').fill('Bibs mixed up');
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog');
  const changes = question.getByRole('listitem');
  await changes.first().waitFor();
  expect(await changes.allInnerTexts()).toEqual([
    '1 Ana Ejemplo: 01:00:00 → No result',
    '3 Zoë Ejemplo: No result → 01:00:00',
  ]);
  expect(await violationsOf(page)).toEqual([]);
  await button(question, 'Swap results').click();
  await said(page, 'The results of 1 Ana Ejemplo and 3 Zoë Ejemplo are swapped.');
  expect(await race.stored()).toEqual(['2 FINISHED 4200', '3 FINISHED 3600']);
  await linkTo(page, 'Uploads').click();
  const upload = uploadsOf(page).first();
  await upload.getByText('Swap · 1 ↔ 3', { exact: true }).waitFor();
  await upload.getByText('Bibs mixed up').waitFor();
  await upload.getByRole('button', { name: /^Take back/ }).click();
  await button(question, 'Take back').click();
  await said(page, 'Taken back');
  expect(await race.stored()).toEqual(['1 FINISHED 3600', '2 FINISHED 4200']);
});
