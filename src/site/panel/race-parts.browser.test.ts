import { renderSVG } from 'uqr';
import { describe, expect, test, vi } from 'vitest';
import { fetchDocumented } from '../../testing/documented.ts';
import { expectNoViolations, violationsOf } from '../../testing/runtime/axe.ts';
import { copiedIn, inFocus, resize } from '../../testing/runtime/browser-suite.ts';
import { waitForAddress } from '../../testing/runtime/chromium.ts';
import {
  button,
  changesIn,
  choicesIn,
  choose,
  counted,
  createRace,
  figuresIn,
  historyOf,
  LONG,
  linkTo,
  listOf,
  newPage,
  opened,
  PHONE,
  panel,
  RESULTS,
  racesOf,
  runnerOf,
  runnersOf,
  said,
  sentIn,
  switchOf,
  uploadsOf,
  WARNINGS,
} from '../../testing/runtime/race-suite.ts';
import { measureShifts, shiftsOf } from '../../testing/runtime/shifts.ts';

describe('a runner', () => {
  test('gets no time that is probably mistyped before the reader says that it is right', async () => {
    const race = await createRace();
    await race.upload('finish.csv', 'bib,time,gun_time,Km 5\n1,1:00:00,1:00:09,20:00\n');
    const page = await opened(race);
    const row = runnersOf(page).first();
    await button(row, 'Details of Ana Ejemplo').click();
    await historyOf(row).waitFor();
    await row.getByLabel('Chip time').fill('9:00');
    await button(row, 'Save correction').click();
    const question = page.getByRole('dialog');
    await question.getByText('A split does not fit the time.').waitFor();
    expect(await race.stored()).toEqual(['1 FINISHED 3600']);
    await button(question, 'Cancel').click();
    await row.getByLabel('Chip time').fill('59:00');
    await button(row, 'Save correction').click();
    await said(page, 'is corrected.');
    await row.locator('form.correct:not(.swap, [aria-busy])').waitFor();
    await row.getByLabel('Chip time').fill('9:00');
    await button(row, 'Save correction').click();
    await button(question, 'Store it as it is').click();
    await question.waitFor({ state: 'hidden' });
    await said(page, 'is corrected.');
    expect(await race.stored()).toEqual(['1 FINISHED 540']);
    // The change is the reader's own.
    await historyOf(row).nth(2).waitFor();
    expect(await row.getByRole('alert').count()).toBe(0);
  });

  test('is told in Spanish why the API refuses', async () => {
    const race = await createRace();
    await race.upload('finish.csv', 'bib,time\n1,1:00:00\n');
    const page = await opened(race, '', { locale: 'es', viewport: { width: 1280, height: 800 } });
    await button(page, 'Detalles de Ana Ejemplo').click();
    await page.getByText('Intercambiar con otro dorsal', { exact: true }).click();
    for (const [bib, sentence] of [
      ['99', 'Ningún corredor de esta carrera tiene el dorsal 99.'],
      ['1', 'La API no aceptó la petición: Los dos dorsales son el mismo: escribe el otro.'],
    ] as const) {
      await page.getByLabel('El otro dorsal').fill(bib);
      await button(page, 'Intercambiar resultados').click();
      await page.getByRole('alert').getByText(sentence, { exact: true }).waitFor();
    }
    await linkTo(page, 'Ajustes').click();
    await page.getByText('Recorrido', { exact: true }).click();
    for (const _ of ['first', 'second']) {
      await button(page, 'Añadir un punto').click();
      await page.getByLabel('Punto', { exact: true }).last().fill('Km 10');
    }
    await button(page, 'Guardar el recorrido').click();
    await page.getByText('Los puntos 1 y 2 tienen el mismo nombre.').waitFor();
    for (const name of ['Todos', 'Nadie']) {
      await button(page, 'Añadir una salida').click();
      await page.getByLabel('Salida', { exact: true }).last().fill(name);
      await page.getByLabel('Hora de salida').last().fill('2030-05-09T09:00:00');
    }
    await button(page, 'Guardar las salidas').click();
    await page.getByText('Las salidas 1 y 2 son de los mismos corredores.').waitFor();
    await linkTo(page, 'Subidas').click();
    await choose(page, 'corredores.csv', 'nombre,club\nAna,Sol\n');
    await listOf(page, WARNINGS)
      .getByText(/La cabecera no tiene columna de dorsal/)
      .waitFor();
    expect(await page.locator('main').innerText()).not.toMatch(/\b(the|not|has|expected|found)\b/i);
  });

  test('is found by name, corrected with a reason, and the correction is taken back', async () => {
    const race = await createRace();
    await race.upload(
      'finish.csv',
      'bib,time,gun_time,Km 5\n1,1:00:00,1:00:09,20:00\n2,1:10:00,,\n',
    );
    const page = await opened(race);
    await page.getByLabel('Find by bib or name').fill('ejemplo jose');
    const row = runnersOf(page);
    await row.getByText('José Ejemplo').waitFor();
    await vi.waitFor(async () => expect(await row.count()).toBe(1), LONG);
    await button(row, 'Details of José Ejemplo').click();
    await historyOf(row).waitFor();
    await row.getByLabel('Chip time').fill('1h09');
    await button(row, 'Save correction').click();
    expect(
      await row
        .getByLabel('Chip time')
        .evaluate((input) => String(Reflect.get(input, 'validationMessage'))),
    ).toBe('Write a time such as 1:28:03 or 45:10.5.');
    await row.getByLabel('Chip time').fill('1:09:00');
    await row.getByLabel('Reason').fill('Photo finish');
    await button(row, 'Save correction').click();
    await said(page, 'The result of José Ejemplo is corrected.');
    expect(await race.stored()).toEqual(['1 FINISHED 3600', '2 FINISHED 4140']);
    await historyOf(row).nth(1).waitFor();
    const [now, before] = await historyOf(row).allInnerTexts();
    expect(now).toMatch(/^01:09:00\s·\s.*\s·\sCorrection\s·\sby you\s·\sPhoto finish$/);
    expect(before).toMatch(/^01:10:00\s·\s.*\s·\sfinish\.csv\s·\swith the key “Timing van”$/);

    await row.locator('form.correct:not(.swap, [aria-busy])').waitFor();
    await button(row, 'Save correction').click();
    await row.getByText('Nothing is different from what is stored.').waitFor();
    await linkTo(page, 'Uploads').click();
    await button(page, 'Take back: Correction · 2 José E.').click();
    await page.getByRole('dialog').getByText('Correction · 2 José E.').first().waitFor();
    await button(page.getByRole('dialog'), 'Take back').click();
    await said(page, 'Taken back: Correction · 2 José E.');
    expect(await race.stored()).toEqual(['1 FINISHED 3600', '2 FINISHED 4200']);
  });

  test('is found by what was typed while an earlier search had no answer yet', async () => {
    const race = await createRace();
    const page = await opened(race);
    await runnersOf(page).nth(2).waitFor();
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/runners?*search=ana', async (route) => {
      await answered;
      await route.continue();
    });
    const search = page.getByLabel('Find by bib or name');
    const asked = page.waitForRequest(/search=ana$/);
    await search.fill('ana');
    await asked;
    await search.fill('zoe');
    await search.press('Enter');
    answer();
    await counted(page, '1 runner');
    await runnersOf(page).getByText('Zoë Ejemplo').waitFor();
    expect(await runnersOf(page).count()).toBe(1);
  });

  test('that somebody changes meanwhile says so, and keeps what is typed until it is saved again', async () => {
    const race = await createRace();
    await race.upload('first.csv', 'bib,time,gun_time\n1,1:00:00,1:00:09\n');
    const page = await opened(race);
    const row = runnerOf(page, 'Ana');
    await button(row, 'Details of Ana Ejemplo').click();
    await historyOf(row).waitFor();
    await row.getByLabel('Gun time').fill('1:00:12');
    await race.upload('second.csv', 'bib,time,gun_time\n1,1:00:05,1:00:09\n');
    await button(row, 'Save correction').click();
    await row
      .getByText('Changed meanwhile with the key “Timing van” to 01:00:05. Yours is not stored.')
      .waitFor();
    expect(await race.stored()).toEqual(['1 FINISHED 3605']);
    // Untouched fields show the stored values.
    expect(await row.getByLabel('Chip time').inputValue()).toBe('01:00:05');
    expect(await row.getByLabel('Gun time').inputValue()).toBe('1:00:12');
    // The history comes late: the page asks the reader all the same.
    const late = Promise.withResolvers<void>();
    await page.route('**/history*', async (route) => {
      await late.promise;
      await route.continue();
    });
    await race.upload('late.csv', 'bib,time,gun_time\n1,1:00:05.5,1:00:09\n');
    await button(row, 'Save correction').click();
    await row.getByText('Changed meanwhile to 01:00:06. Yours is not stored.').waitFor();
    expect(await race.stored()).toEqual(['1 FINISHED 3605.5']);
    late.resolve();
    // Within five seconds the page shows the change, also while the history gets no answer.
    await page.route('**/history*', (route) => route.abort());
    await race.upload('third.csv', 'bib,time,gun_time\n1,1:00:07,1:00:09\n');
    await row
      .getByText('Changed meanwhile to 01:00:07. Yours is not stored.')
      .waitFor({ timeout: 10_000 });
    await button(row, 'Save correction').click();
    await said(page, 'The result of Ana Ejemplo is corrected.');
    const { rows } = await panel.pool.query(
      'select chip_time_ms::int as chip, gun_time_ms::int as gun from results where event_id = $1',
      [race.eventId],
    );
    expect(rows).toEqual([{ chip: 3_607_000, gun: 3_612_000 }]);
  });

  test('without a result is in the list that the number opens, and a cut course can be seen', async () => {
    const race = await createRace();
    await race.upload('finish.csv', 'bib,time,Km 5,Km 8\n1,1:00:00,20:00,32:00\n2,58:00,,\n');
    const page = await opened(race);
    const row = (name: string) => runnerOf(page, name);
    const points = row('Ana').locator('.points span');
    await points.nth(1).waitFor();
    const [first, second] = await points.evaluateAll((all) =>
      all.map((point) => point.getBoundingClientRect()),
    );
    expect(second?.left).toBeGreaterThan((first?.right ?? 0) + 8);
    await row('José').getByText('Km 5 not seen', { exact: true }).waitFor();
    await row('Ana').getByText('Km 5 20:00', { exact: true }).waitFor();
    // The list compares a searched runner with listed runners.
    const search = page.getByLabel('Find by bib or name');
    await search.fill('2');
    await counted(page, '1 runner');
    await row('José').getByText('Km 5 not seen', { exact: true }).waitFor();
    await search.fill('');
    await counted(page, '3 runners');
    const places = await page.locator('.runner .place').allTextContents();
    expect(places).toEqual(['1', '2', '']);
    await linkTo(page, '1 without a result: show the list').click();
    await counted(page, '1 runner');
    await row('Zoë').waitFor();
    expect(await runnersOf(page).count()).toBe(1);
    await inFocus(page.getByLabel('Which runners'));
    await page.reload();
    await counted(page, '1 runner');
    await page.getByLabel('Which runners').selectOption('Finished');
    await counted(page, '2 runners');
    await page.getByLabel('Which runners').selectOption('Disqualified');
    await page.getByText('No runner matches the search.').waitFor();
  });

  test('is marked if not paid or cancelled, and listed with the data that it lacks', async () => {
    const race = await createRace();
    await panel.pool.query("update registrations set gender = 'F' where event_id = $1", [
      race.eventId,
    ]);
    await panel.pool.query(
      `with runner as (insert into persons select from generate_series(1, 4) returning id)
       insert into registrations
         (event_id, person_id, given_names, status, bib_number, gender, category, distance)
       select $1, id, name, status, bib, gender, category, distance
       from (select id, row_number() over () as n from runner) runner
       join (values (1, 'Pia', 'PENDING', '4', null, 'Open', '21K'),
                    (2, 'Carl', 'CANCELLED', '5', 'M', 'Open', '21K'),
                    (3, 'Bo', 'PAID', null, 'M', 'Open', null),
                    (4, 'Gil', 'PAID', '7', null, null, '21K'))
         added (n, name, status, bib, gender, category, distance) using (n)`,
      [race.eventId],
    );
    const page = await opened(race);
    const row = (name: string) => runnerOf(page, name);
    await row('Pia').getByText('Not paid', { exact: true }).waitFor();
    await row('Carl').getByText('Cancelled', { exact: true }).waitFor();
    expect(
      await runnersOf(page)
        .getByText(/^(Not paid|Cancelled)$/)
        .count(),
    ).toBe(2);
    expect(await figuresIn(page.locator('dl').first())).toContain('Registered 5');
    await page.getByLabel('Which runners').selectOption('Incomplete data');
    await counted(page, '2 runners');
    await row('Bo')
      .getByText(/^No bib\s·\sNo distance$/)
      .waitFor();
    await row('Gil')
      .getByText(/^No gender\s·\sNo category$/)
      .waitFor();
  });

  test('is open with what was typed when a new session begins after one that has ended', async () => {
    const race = await createRace();
    await race.upload('first.csv', 'bib,time\n1,1:00:00\n2,1:10:00\n');
    const page = await opened(race);
    await page.getByLabel('Find by bib or name').fill('ejemplo');
    const row = runnerOf(page, 'José');
    await button(row, 'Details of José Ejemplo').click();
    await historyOf(row).waitFor();
    await row.getByLabel('Chip time').fill('1:09:00');
    await row.getByLabel('Reason').fill('Photo finish');
    await page.route('**/results/2', (route) => route.fulfill({ status: 401, json: {} }));
    await button(row, 'Save correction').click();
    await page.getByRole('alert').filter({ hasText: 'invalid or has expired' }).waitFor();
    expect(await runnersOf(page).count()).toBe(0);
    await page.unroute('**/results/2');
    // The organization's own panel opens this page again, without a place.
    await page.goto(panel.linkOf(race.session));
    await row.getByLabel('Reason').waitFor();
    await waitForAddress(page, `${panel.origin}/panel?race=${race.eventId}`);
    await vi.waitFor(
      async () => expect(await row.getByLabel('Reason').inputValue()).toBe('Photo finish'),
      LONG,
    );
    expect(await row.getByLabel('Chip time').inputValue()).toBe('1:09:00');
    expect(await page.getByLabel('Find by bib or name').inputValue()).toBe('ejemplo');
    await button(row, 'Save correction').click();
    await said(page, 'The result of José Ejemplo is corrected.');
    // No other user gets the input.
    await page.getByLabel('Find by bib or name').fill('secret');
    await page.route('**/api/v1/**', (route) => route.fulfill({ status: 401, json: {} }));
    await page.getByRole('alert').filter({ hasText: 'invalid or has expired' }).waitFor();
    await page.unroute('**/api/v1/**');
    const other = await panel.newOrganization();
    await page.goto(panel.linkOf(other));
    await page.getByText('No races yet').waitFor();
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('secret');
  });

  test('is up to date when it is closed after results have come', async () => {
    const race = await createRace();
    await race.upload('first.csv', 'bib,time\n1,1:00:00\n');
    const page = await opened(race);
    const ana = runnerOf(page, 'Ana');
    await button(ana, 'Details of Ana Ejemplo').click();
    await historyOf(ana).first().waitFor();
    await race.upload('second.csv', 'bib,time\n1,1:30:05\n2,1:10:00\n');
    await ana.locator('.outcome').getByText('01:30:05').waitFor();
    await vi.waitFor(
      async () => expect(await ana.getByLabel('Chip time').inputValue()).toBe('01:30:05'),
      LONG,
    );
    // The row moves when nobody works on the row any more.
    const names = () => runnersOf(page).locator('strong').allInnerTexts();
    expect((await names())[0]).toBe('Ana Ejemplo');
    await button(ana, 'Details of Ana Ejemplo').click();
    await vi.waitFor(async () => expect((await names())[0]).toBe('José Ejemplo'), LONG);
  });

  test('without a result gets the time on the paper list, which can be taken back', async () => {
    const race = await createRace();
    await race.upload('finish.csv', 'bib,time\n1,1:00:00\n');
    const page = await opened(race);
    const row = runnerOf(page, 'Zoë Ejemplo');
    await button(row, 'Details of Zoë Ejemplo').click();
    await row.getByText('No result yet: enter one').waitFor();
    expect(await button(row, 'Remove result').isVisible()).toBe(false);
    await button(row, 'Save result').click();
    expect(
      await row
        .getByLabel('Chip time')
        .evaluate((input) => String(Reflect.get(input, 'validationMessage'))),
    ).toContain('Write the chip time or the gun time');
    await row.getByLabel('Gun time').fill('1:20:00');
    await row.getByLabel('Reason').fill('Chip failed');
    await button(row, 'Save result').click();
    await said(page, 'The result of Zoë Ejemplo is stored.');
    const { rows } = await panel.pool.query(
      'select status, gun_time_ms, reason, user_id is not null as has_user from results ' +
        'join result_batches batch on batch.id = batch_id where results.event_id = $1 and reason is not null',
      [race.eventId],
    );
    expect(rows).toEqual([
      { status: 'FINISHED', gun_time_ms: '4800000', reason: 'Chip failed', has_user: true },
    ]);
    await row.getByText('Correct this result').waitFor();
    await historyOf(row).waitFor();
    expect(await historyOf(row).allInnerTexts()).toEqual([
      expect.stringMatching(/^01:20:00\s·\s.*\s·\sCorrection\s·\sby you\s·\sChip failed$/),
    ]);
    await linkTo(page, 'Uploads').click();
    await button(page, 'Take back: Correction · 3 Zoë E.').click();
    await button(page.getByRole('dialog'), 'Take back').click();
    await said(page, 'Taken back: Correction · 3 Zoë E.');
    expect(await race.stored()).toEqual(['1 FINISHED 3600']);
  });

  test('can be disqualified and lose the result, which the history tells', async () => {
    const race = await createRace();
    await race.upload('finish.csv', 'bib,time,Km 5\n1,1:00:00,20:00\n');
    const page = await opened(race);
    const row = runnerOf(page, 'Ana Ejemplo');
    await button(row, 'Details of Ana Ejemplo').click();
    await row.getByLabel('Status').selectOption('Disqualified');
    expect(await row.getByLabel('Chip time').isDisabled()).toBe(true);
    await button(row, 'Save correction').click();
    await row.locator('.outcome', { hasText: 'Disqualified' }).waitFor();
    expect(await race.stored()).toEqual(['1 DSQ ']);
    expect(await row.locator('dl').count()).toBe(0);
    await row.getByText('Km 5 20:00', { exact: true }).waitFor();
    await row.getByLabel('Reason').fill('Another bib');
    await button(row, 'Remove result').click();
    await page.getByRole('dialog').getByText('Ana Ejemplo').waitFor();
    await button(page.getByRole('dialog'), 'Remove result').click();
    await row.locator('.outcome', { hasText: 'No result' }).waitFor();
    await inFocus(row.getByLabel('Status'));
    expect(await row.getByRole('alert').count()).toBe(0);
    expect(await race.stored()).toEqual([]);
    await historyOf(row)
      .first()
      .filter({ hasText: /^Taken away\s·\s/ })
      .waitFor();
  });

  test('is hidden from the board and shown again', async () => {
    const race = await createRace();
    await race.upload('finish.csv', 'bib,time\n1,1:00:00\n2,1:10:00\n');
    const hidden = async () => {
      const { rows } = await panel.pool.query<{ bib_number: string }>(
        `select bib_number from board_hidden_names
         join registrations on id = registration_id where event_id = $1 order by 1`,
        [race.eventId],
      );
      return rows.map(({ bib_number }) => bib_number);
    };
    const page = await opened(race);
    const row = runnerOf(page, 'Ana Ejemplo');
    await button(row, 'Details of Ana Ejemplo').click();
    await button(row, 'Hide name').click();
    await said(page, 'The board no longer shows Ana Ejemplo.');
    await row.getByText('Name hidden', { exact: true }).waitFor();
    expect(await hidden()).toEqual(['1']);
    await linkTo(page, 'Board').click();
    const list = listOf(page, 'Hidden runners').getByRole('listitem');
    await list.getByText('Ana Ejemplo').waitFor();
    await page.getByLabel('Bib', { exact: true }).fill('#2');
    await button(page, 'Hide').click();
    await list.getByText('José Ejemplo').waitFor();
    expect(await hidden()).toEqual(['1', '2']);
    await page.getByLabel('Bib', { exact: true }).fill('99');
    await button(page, 'Hide').click();
    await page.getByText('No runner of this race has the bib 99.').waitFor();
    await button(page, 'Show name again: Ana Ejemplo').click();
    await vi.waitFor(async () => expect(await list.count()).toBe(1), LONG);
    expect(await hidden()).toEqual(['2']);
  });
});

describe('the uploads of a race', () => {
  test('show old and new, before they are stored and after', async () => {
    const race = await createRace();
    await race.upload('first.csv', 'bib,time,Km 5\n1,1:00:00,20:00\n2,1:10:00,21:00\n');
    const page = await opened(race, 'uploads');
    await choose(page, 'second.csv', 'bib,time\n1,1:01:00\n2,1:10:00\n');
    const changes = listOf(page, 'What would change').getByRole('listitem');
    await changes.nth(1).waitFor();
    expect((await changes.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))).toEqual([
      '1 01:00:00 → 01:01:00 Km 5 00:20:00 → –',
      '2 01:10:00 Km 5 00:21:00 → –',
    ]);
    await listOf(page, WARNINGS).getByText('2 results would lose splits').waitFor();
    await button(page, 'Send 2 results').click();
    await sentIn(page).waitFor();
    await button(page, 'Changes of second.csv · 2 rows').click();
    await changesIn(page).filter({ hasText: 'Km 5 00:21:00 → –' }).waitFor();
  });

  test('of points are listed, and each is taken back, also the deletion of a point', async () => {
    const race = await createRace();
    const page = await opened(race, 'uploads');
    const list = listOf(page, 'Uploads of the points');
    const times = async () => {
      const { rows } = await panel.pool.query<{ time: string }>(
        'select time_ms as time from passings where event_id = $1 order by 1',
        [race.eventId],
      );
      return rows.map(({ time }) => Number(time) / 1_000);
    };
    expect(await list.count()).toBe(0);
    await page.getByLabel('A point on the course').check();
    await page.getByLabel('Name of the point').fill('Km 10');
    for (const [name, time] of [
      ['right.csv', '41:00'],
      ['wrong.csv', '42:00'],
    ] as const) {
      await choose(page, name, `Dorsal;Tiempo\n1;${time}\n`);
      await button(page, 'Send 1 time').click();
      await list.getByText(`${name} · 1 row`).waitFor();
      await button(page, 'Send another file').click();
      await page.getByLabel('A point on the course').check();
      await page.getByLabel('Name of the point').fill('Km 10');
    }
    expect(await times()).toEqual([2_520]);
    const question = page.getByRole('dialog');
    const takeBack = async (name: string, effect: string) => {
      await button(list, `Take back: ${name}`).click();
      await question.getByText(effect).waitFor();
      await button(question, 'Take back').click();
      await said(page, `Taken back: ${name}.`);
    };
    await takeBack('wrong.csv · 1 row', '1 time of a point becomes what it was before.');
    await list.locator('li', { hasText: 'wrong.csv' }).getByText('Taken back').first().waitFor();
    expect(await times()).toEqual([2_460]);
    await listOf(page, 'Points of the course').getByRole('button').click();
    await question.getByText('You can take this back too.').waitFor();
    await button(question, 'Take this point back').click();
    await said(page, 'Taken back: Km 10.');
    await takeBack('Point taken back · Km 10', '1 time of a point comes back.');
    await vi.waitFor(async () => expect(await times()).toEqual([2_460]), LONG);
    expect(await violationsOf(page)).toEqual([]);
  });

  test('end with the session, and say so', async () => {
    const race = await createRace();
    await race.upload('finish.csv', 'bib,time\n1,1:00:00\n');
    const page = await opened(race, 'uploads');
    await uploadsOf(page).waitFor();
    await page.route('**/revert*', (route) => route.fulfill({ status: 401, json: {} }));
    await button(page, /^Take back/).click();
    await page.getByRole('alert').filter({ hasText: 'invalid or has expired' }).waitFor();
    expect(await page.getByRole('listitem').count()).toBe(0);
  });

  test('keep a take-back that got no answer on the screen', async () => {
    const race = await createRace();
    await race.upload('<b>fix.csv', 'bib,time\n1,1:00:00\n');
    const page = await opened(race, 'uploads');
    await button(page, 'Take back: <b>fix.csv · 1 row').click();
    const question = page.getByRole('dialog');
    // The question asks the API for the effect first. That answer comes.
    await question.waitFor();
    await page.route('**/revert*', (route) => route.abort());
    await button(question, 'Take back').click();
    await question.getByText('it may have been taken back already').waitFor();
    await page.unroute('**/revert*');
    await button(question, 'Take back').click();
    await uploadsOf(page).getByText('Taken back').first().waitFor();
    expect(await race.stored()).toEqual([]);
  });
});

describe('the board of a race', () => {
  test('can be switched on and off, with and without names', async () => {
    const race = await createRace();
    const address = `${panel.origin}/board/${race.eventId}`;
    const page = await opened(race, 'board');
    const switches = async () => {
      const { rows } = await panel.pool.query(
        'select board_enabled, board_names from event_settings where event_id = $1',
        [race.eventId],
      );
      return rows;
    };
    await page.getByText('Nobody sees the board.').waitFor();
    await page.getByText('The board is off').waitFor();
    expect(await linkTo(page, 'Preview').count()).toBe(0);
    await switchOf(page, 'Live board').click();
    await said(page, 'is on.');
    const answer = await fetch(address);
    await answer.body?.cancel();
    expect(answer.status).toBe(200);
    await page.getByLabel('Given name and initial').click();
    await page.getByText('The board shows the given name').first().waitFor();
    expect(await switches()).toEqual([{ board_enabled: true, board_names: 'initials' }]);
    expect(await linkTo(page, 'Preview').getAttribute('href')).toBe(address);
    expect(await linkTo(page, 'Large screen').getAttribute('href')).toBe(`${address}?screen`);
    // The keyboard moves a switch, and the switch keeps the focus.
    await switchOf(page, 'Live board').focus();
    await page.keyboard.press('Space');
    await page.getByText('Nobody sees the board.').waitFor();
    await inFocus(switchOf(page, 'Live board'));
    expect(await switches()).toEqual([{ board_enabled: false, board_names: 'initials' }]);
  });

  test('keeps a switch where it is if the API does not answer, and says so beside it', async () => {
    const page = await opened(await createRace(), 'board');
    await page.route('**/board', (route) => route.abort());
    await switchOf(page, 'Live board').click();
    await page.getByRole('alert').filter({ hasText: 'No answer came.' }).waitFor();
    expect(await switchOf(page, 'Live board').isChecked()).toBe(false);
    await page.unroute('**/board');
    await switchOf(page, 'Live board').click();
    await said(page, 'is on.');
    expect(await switchOf(page, 'Live board').isChecked()).toBe(true);
  });

  test('has an address and a line for a website that can be copied', async () => {
    const race = await createRace();
    const address = `${panel.origin}/board/${race.eventId}`;
    const page = await opened(race, 'board');
    await switchOf(page, 'Live board').waitFor();
    expect(await page.getByLabel('Address').count()).toBe(0);
    await switchOf(page, 'Live board').click();
    await page.locator('#copy-address').click();
    await said(page, 'Address copied to the clipboard.');
    expect(await copiedIn(page)).toMatch(/\/b\/\w{4}-\w{4}$/);
    await page.locator('#copy-frame').click();
    await said(page, 'Line copied to the clipboard.');
    expect(await copiedIn(page)).toBe(
      `<iframe src="${address}" title="Harbour &lt;b>Half&lt;/b>" width="100%" height="800" allow="clipboard-write; web-share"></iframe>`,
    );
  });

  test('has a poster of its short address that prints alone on a sheet, and a new short address', async () => {
    const race = await createRace();
    const page = await opened(race, 'board');
    const shown = page.locator('#code-address');
    expect(await shown.innerText()).toBe(`${panel.origin}/board/${race.eventId}`);
    await button(page, 'Make a short address').click();
    await said(page, 'The short address is /b/');
    const code = (await shown.innerText()).slice(-9);
    expect(code).toMatch(/^\w{4}-\w{4}$/);
    await page.getByRole('switch').click();
    await said(page, 'is on.');
    const address = `${panel.origin}/b/${code}`;
    const isDrawn = '(({ complete, naturalWidth }) => complete && naturalWidth > 0)';
    await vi.waitFor(
      async () =>
        expect(await page.evaluate(`${isDrawn}(document.querySelector('#code'))`)).toBe(true),
      LONG,
    );
    const saving = page.waitForEvent('download');
    await linkTo(page, 'Save the QR code').click();
    const file = await saving;
    expect(file.suggestedFilename()).toBe(`board-${race.eventId}.svg`);
    const chunks = await (await file.createReadStream()).toArray();
    expect(Buffer.concat(chunks).toString()).toBe(renderSVG(address, { ecc: 'M', border: 4 }));
    expect(await page.locator('#poster').isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    const printed = (await page.locator('body').innerText()).split('\n').filter(Boolean);
    expect(printed.slice(0, 2)).toEqual([
      expect.stringMatching(/^live results$/i),
      'Harbour <b>Half</b>',
    ]);
    expect(printed.slice(3, -1)).toEqual([new URL(panel.origin).host, `/b/${code}`]);
    const paper = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(paper.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    expect(await page.getByLabel('Address').inputValue()).toBe(address);
    expect((await fetch(address)).url).toBe(`${panel.origin}/board/${race.eventId}`);

    await page.emulateMedia({ media: 'screen' });
    await button(page, 'New short address').click();
    const question = page.getByRole('dialog');
    await question.getByText('The old short address leads nowhere any more').waitFor();
    await button(question, 'New short address').click();
    await said(page, 'The short address is /b/');
    const renewed = (await shown.innerText()).slice(-9);
    expect(renewed).not.toBe(code);
    expect((await fetch(address)).status).toBe(404);
    expect((await fetch(`${panel.origin}/b/${renewed.toUpperCase()}`)).status).toBe(200);
  });

  test('hides the names of a distance in one act, and says how many', async () => {
    const race = await createRace();
    await panel.pool.query(
      `update registrations set distance = '2K Kids' where event_id = $1 and bib_number = '1'`,
      [race.eventId],
    );
    const page = await opened(race, 'board');
    const mark = page.getByRole('checkbox', { name: '2K Kids 1 name' });
    await mark.click();
    await said(page, '2K Kids: 1 name is hidden on the board.');
    expect(await mark.isChecked()).toBe(true);
    await page.reload();
    await mark.click();
    await said(page, '2K Kids: the board may show 1 name again.');
    expect(await mark.isChecked()).toBe(false);
  });
});

describe('axe', () => {
  test('finds nothing in any part of a race, light and dark', async () => {
    const race = await createRace();
    await race.upload('finish.csv', 'bib,time,Km 5\n1,1:00:00,20:00\n2,1:10:00,\n99,1:00:00,\n');
    const page = await opened(race, '', { reducedMotion: 'reduce' });
    const check = (state: string) => expectNoViolations(page, state);
    await button(page, 'Details of Ana Ejemplo').click();
    await historyOf(page).waitFor();
    await button(page, 'Hide name').click();
    await page.getByText('Name hidden', { exact: true }).waitFor();
    await check('results');
    await linkTo(page, 'Uploads').click();
    await button(page, /^Changes of/).click();
    await changesIn(page).first().waitFor();
    await check('uploads');
    await choose(page, 'mail.csv', 'bib,time\n1,1:00:00\n2,1:10:00\n99,1:20:00\n3,xx\n');
    await choicesIn(page).locator('small').filter({ hasText: 'bib' }).first().waitFor();
    await check('choices');
    await choicesIn(page).first().click();
    await button(page, /^Send/).click();
    await sentIn(page).waitFor();
    await check('sent');
    await linkTo(page, 'Board').click();
    await listOf(page, 'Hidden runners').getByRole('listitem').waitFor();
    await check('board');
  });
});

test('fits a race on a phone: nothing is wider than the screen or smaller than a finger', async () => {
  const race = await createRace();
  await race.upload('finish.csv', 'bib,time,Km 5\n1,1:00:00,20:00\n2,1:10:00,\n99,1:00:00,\n');
  const page = await opened(race, '', { ...PHONE, locale: 'es-ES' });
  const fits = async (state: string) => {
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width, state).toBeLessThanOrEqual(320);
    const small =
      await page.evaluate(`[...document.querySelectorAll('button, a.button, nav a, select, input:not(.unseen, [type=radio], [role=switch], .choices [type=checkbox])')]
      .filter((one) => one.checkVisibility()).map((one) => [one.outerHTML, one.getBoundingClientRect()])
      .filter(([, { width, height }]) => Math.min(width, height) < 43.9).map(([html]) => html)`);
    expect(small, state).toEqual([]);
  };
  // A time stands whole in its row.
  expect(
    await page
      .locator('.outcome')
      .evaluateAll((all) =>
        all.filter((one) => one.scrollWidth > one.clientWidth || one.clientHeight > 30).map(String),
      ),
  ).toEqual([]);
  await button(page, 'Detalles de Ana Ejemplo').click();
  await historyOf(page).waitFor();
  await fits('results');
  await linkTo(page, 'Subidas').click();
  await button(page, /^Cambios de/).click();
  await changesIn(page).first().waitFor();
  await fits('uploads');
  await choose(page, 'correo.csv', 'bib,time\n1,1:00:00\n2,1:10:00\n99,1:20:00\n3,xx\n');
  await choicesIn(page).locator('small').filter({ hasText: 'dorsal' }).first().waitFor();
  await fits('choices');
  await choicesIn(page).first().click();
  await button(page, /^Enviar/).click();
  await sentIn(page).waitFor();
  await fits('sent');
  await linkTo(page, 'Tablero').click();
  await page.getByText(/^(Nobody is hidden|No hay nadie oculto)\.$/).waitFor();
  await fits('board');
});

test.each([
  ['a phone', PHONE],
  ['a desk', {}],
])('a race moves nothing when scripts and answers come late, on %s', async (_, options) => {
  const race = await createRace();
  await race.upload('finish.csv', 'bib,time\n1,1:00:00\n2,1:10:00\n');
  const page = await opened(race, '', options);
  await measureShifts(page, '**/assets/*.js', '**/api/v1/**');
  await page.reload();
  await runnersOf(page).first().waitFor();
  expect(await shiftsOf(page)).toBeLessThan(0.02);
  for (const [part, shown] of [
    ['Uploads', '.upload'],
    ['Board', '#no-hidden'],
  ] as const) {
    await linkTo(page, part).click();
    await page.locator(shown).first().waitFor();
    expect(await shiftsOf(page), part).toBeLessThan(0.02);
  }
});

test('keeps the opened race when the request of an earlier race answers late', async () => {
  const race = await createRace();
  const { rows } = await panel.pool.query<{ id: string }>(
    `insert into events (organization_id, name, event_date, city)
     values ($1, 'Other race', now() + interval '1 day', 'Port Example') returning id`,
    [race.session.organizationId],
  );
  const other = rows[0]?.id ?? '';
  await panel.pool.query('insert into event_settings (event_id, board_enabled) values ($1, true)', [
    other,
  ]);
  await fetchDocumented(
    `${panel.origin}/api/v1/organizations/${race.session.organizationId}/events/${race.eventId}/hidden-names/1`,
    { method: 'PUT', headers: { Authorization: `Bearer ${race.session.token}` } },
  );
  const page = await newPage();
  await page.goto(panel.linkOf(race.session));
  await linkTo(page, 'Other race').waitFor();
  const late = Promise.withResolvers<void>();
  const isLate = new RegExp(`/events/${race.eventId}$`);
  const isHiddenAsked = page.waitForRequest(/hidden-names/);
  await page.route(/hidden-names/, async (route) => {
    await late.promise;
    await route.continue();
  });
  await linkTo(page, 'Harbour <b>Half</b>').click();
  await runnersOf(page).first().waitFor();
  await linkTo(page, 'Board').click();
  await isHiddenAsked;
  await page.route(isLate, async (route) => {
    await late.promise;
    await route.continue();
  });
  const isRaceAsked = page.waitForRequest(isLate);
  await linkTo(page, 'Results').click();
  await isRaceAsked;
  await linkTo(page, 'Races').first().click();
  await linkTo(page, 'Other race').click();
  await page.getByText('No runner of this race has a bib yet.').waitFor();
  await page.getByLabel('Find by bib or name').fill('zz');
  await page.getByText('No runner matches the search.').waitFor();
  const answers = Promise.all([
    page.waitForResponse((one) => new URL(one.url()).pathname.endsWith(race.eventId)),
    page.waitForResponse((one) => one.url().includes(`${race.eventId}/hidden-names`)),
  ]);
  late.resolve();
  await answers;
  await linkTo(page, 'Results').click();
  await page.getByRole('heading', { level: 1 }).getByText('Other race').waitFor();
  expect(await page.getByLabel('Find by bib or name').inputValue()).toBe('zz');
  await linkTo(page, 'Board').click();
  expect(await listOf(page, 'Hidden runners').getByRole('listitem').count()).toBe(0);
  expect(await page.locator('#board-address').inputValue()).toBe(`${panel.origin}/board/${other}`);
});

test('requests a race while the texts of the page load', async () => {
  const race = await createRace();
  const page = await newPage({ locale: 'es-ES' });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const isAsked = page.waitForRequest(/\/runners\?/);
  let early: string[] | undefined;
  await page.route('**/assets/es-*.js', async (route) => {
    await isAsked;
    early ??= [...asked];
    await route.continue();
  });
  await page.goto(panel.linkOf(race.session).replace('#', `?race=${race.eventId}#`));
  await runnersOf(page).first().waitFor();
  // A single file beside the page shows the rows. Rarely opened parts come later.
  const files = early?.filter((path) => path.startsWith('/assets/'));
  expect(files?.map((path) => /\w+(?=-)/.exec(path)?.[0]).sort()).toEqual(['es']);
  // Each answer is used, and a reader loads the texts of a single language, the later parts last.
  expect(asked.filter((path) => path.endsWith('/runners'))).toHaveLength(1);
  expect(asked.filter((path) => path.endsWith(`/events/${race.eventId}`))).toHaveLength(1);
  await vi.waitFor(() => {
    const texts = asked.filter((path) => /assets\/(en|es)-/.test(path));
    expect(texts).toEqual(Array.from({ length: 5 }, () => expect.stringMatching(/es-/)));
  }, LONG);
});

test('leaves the line to the rows of a race until the rows stand', async () => {
  const race = await createRace();
  const page = await newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  let before: string[] | undefined;
  await page.route('**/runners?*', async (route) => {
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
    before = [...asked];
    await route.continue();
  });
  await page.goto(panel.linkOf(race.session).replace('#', `?race=${race.eventId}#`));
  await runnersOf(page).first().waitFor();
  const isLater = (path: string) => /\/assets\/(folds|warnings)-|\/(ranking|warnings)$/.test(path);
  await vi.waitFor(() => expect(asked.filter(isLater)).toHaveLength(4), LONG);
  expect(before?.filter(isLater)).toEqual([]);
});

describe('a phone', () => {
  const phone = (width: number) => ({ ...PHONE, viewport: { width, height: 844 } });

  test.each(['en-GB', 'es-PE'])('has the list on half of its first screen (%s)', async (locale) => {
    const { session, eventId, upload } = await createRace();
    await upload('finish.csv', 'dorsal,tiempo\n1,01:00:00\n');
    const page = await newPage({ ...phone(390), locale });
    await page.goto(panel.linkOf(session).replace('#', `?race=${eventId}#`));
    await runnersOf(page).first().waitFor();
    const box = await listOf(page, RESULTS).boundingBox();
    expect(box?.y).toBeLessThanOrEqual(844 / 2);
    await page.setViewportSize({ width: 768, height: 1_024 });
    await page.reload();
    await runnersOf(page).first().waitFor();
    expect((await listOf(page, RESULTS).boundingBox())?.y).toBeLessThan(600);
  });

  test.each(['en-GB', 'es-PE'])('shows the whole hint in its search field (%s)', async (locale) => {
    const { session, eventId } = await createRace();
    const page = await newPage({ ...phone(320), locale });
    await page.goto(panel.linkOf(session).replace('#', `?race=${eventId}#`));
    await runnersOf(page).first().waitFor();
    // The button for emptying the field has room behind the words.
    const room = await page.evaluate(`(() => {
      const field = document.querySelector('#runner-search');
      const style = getComputedStyle(field);
      const pen = document.createElement('canvas').getContext('2d');
      pen.font = style.font;
      const inner = field.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
      return inner - pen.measureText(field.placeholder).width;
    })()`);
    expect(room).toBeGreaterThan(20);
  });

  test('cuts nothing of a text of twice the size', async () => {
    const { session, eventId } = await createRace();
    const page = await newPage({ ...phone(390), locale: 'es-PE' });
    for (const [view, shown] of [
      ['', racesOf(page)],
      [`?race=${eventId}`, runnersOf(page)],
      ['?view=keys', button(page, 'Detalles de Timing van')],
    ] as const) {
      await page.goto(panel.linkOf(session).replace('#', `${view}#`));
      await shown.first().waitFor();
      await page.locator('#foot').waitFor();
      if (view === '?view=keys') await shown.click();
      await page.evaluate("document.documentElement.style.fontSize = '200%'");
      for (const width of [390, 320]) {
        await resize(page, width);
        const cut = await page.evaluate(`[...document.querySelectorAll('body *')]
          .filter((place) => place.offsetParent && !place.closest('.unseen, .skip'))
          .filter((place) => {
            const { left, right } = place.getBoundingClientRect();
            const isCut = place.scrollWidth > place.clientWidth + 1 && place.clientWidth > 1;
            const { overflowX } = getComputedStyle(place);
            return left < -1 || right > ${width} + 1 || (overflowX === 'hidden' && isCut);
          })
          .map((place) => place.outerHTML.slice(0, 120))`);
        expect(cut, `${view} at ${width} px`).toEqual([]);
      }
    }
  });
});

test.each([
  ['a phone', PHONE],
  ['a desk', {}],
])('the list of races moves nothing, on %s', async (_, options) => {
  const session = await panel.newOrganization();
  await panel.pool.query(
    `insert into events (organization_id, name, event_date, city)
     select $1, 'Race ' || n, now() + n * interval '1 day', 'Port' from generate_series(-9, 9) n`,
    [session.organizationId],
  );
  const page = await newPage(options);
  await measureShifts(page, '**/assets/*.js', '**/api/v1/**');
  await page.goto(panel.linkOf(session));
  await racesOf(page).nth(9).waitFor();
  expect(await shiftsOf(page)).toBeLessThan(0.02);
});
