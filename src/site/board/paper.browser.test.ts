import { encode } from 'uqr';
import { expect, test } from 'vitest';
import {
  arrival,
  configure,
  newRace,
  openBoard,
  openWall,
  PEOPLE,
  PHONE,
  served,
  upload,
} from '../../testing/runtime/board-suite.ts';

/** The sheets of a page on paper. */
async function sheetsOf(page: Awaited<ReturnType<typeof openBoard>>): Promise<number> {
  const paper = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  return paper.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

/** The dark modules of a QR code. */
const darkIn = (address: string) =>
  encode(address, { ecc: 'M', border: 1 }).data.flat().filter(Boolean).length;

test('prints the certificate of a finisher as a sheet, with a seal only for official results', async () => {
  const race = await newRace(PEOPLE, { board_names: 'initials', name: 'Carrera <b>Larga</b>' });
  await configure(race, 'board_code', 'kd7wx9f2');
  await upload(
    race,
    [1, 3, 5].map((bib) => arrival(bib)),
  );
  const page = await openBoard(race, '?bib=3', { ...PHONE, locale: 'es' });
  await page.evaluate('window.print = () => {}');
  await page.getByRole('button', { name: 'Diploma' }).click();
  const sheet = page.locator('#certificate');
  await sheet.waitFor({ state: 'attached' });
  expect(await sheet.isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  const shown = await page.locator('body').innerText();
  for (const part of ['Carrera <b>Larga</b>', 'Villa Ejemplo', 'Carla E.', 'Dorsal 3', '1:07:02']) {
    expect(shown).toContain(part);
  }
  expect(await sheet.locator('dd').allInnerTexts()).toEqual(['2 de 3', '2 de 3', '1 de 1']);
  expect(await sheet.locator('.way text').allTextContents()).toEqual(['Km 5', '16:45']);
  const address = `${served.origin}/b/kd7w-x9f2`;
  expect(shown).toContain(address.replace(/^.*\/\//, ''));
  const path = (await sheet.locator('.code path').getAttribute('d')) ?? '';
  expect(path.match(/M/g)).toHaveLength(darkIn(`${address}?bib=3`));
  expect(await (await fetch(`${address}?bib=3`)).text()).toContain('Carla E.');
  expect(shown).toContain('Resultado provisional');
  expect(await sheet.locator('.seal').count()).toBe(0);
  expect(await sheetsOf(page)).toBe(1);
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate('dispatchEvent(new Event("afterprint"))');
  expect(await page.locator('body.certifies, #certificate').count()).toBe(0);

  for (const [state, seals, said] of [
    ['official', 1, 'Resultados oficiales del 10 de mayo de 2027, versión 2'],
    ['changed_since', 0, 'No oficial: cambiado desde la versión 2 del 10 de mayo de 2027'],
  ] as const) {
    await page.route('**/data', async (route) => {
      const answer = await route.fetch({
        headers: { ...route.request().headers(), 'if-none-match': '' },
      });
      const official = { version: 2, made_at: '2027-05-10T18:00:00.000Z', state, changes: null };
      await route.fulfill({ json: { ...(await answer.json()), official } });
    });
    const answered = page.waitForResponse((response) => response.url().endsWith('/data'));
    await page.evaluate('dispatchEvent(new Event("online"))');
    await answered;
    await page.locator(`#worth[data-state="${state}"]`).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Diploma' }).click();
    await sheet.waitFor({ state: 'attached' });
    expect(await sheet.locator('.seal').count()).toBe(seals);
    expect(await sheet.locator('.worth').textContent()).toBe(said);
    await page.evaluate('dispatchEvent(new Event("afterprint"))');
    await page.unroute('**/data');
  }
});

test('has no certificate for a runner without a finish', async () => {
  const race = await newRace(PEOPLE);
  await upload(race, [{ bib_number: '1', status: 'DNF' }]);
  const page = await openBoard(race, '?bib=1');
  await page.getByRole('button', { name: 'Share' }).waitFor();
  expect(await page.getByRole('button', { name: 'Certificate' }).count()).toBe(0);
});

test('says on board and wall what decided between two arrivals of one shown second', async () => {
  const race = await newRace(PEOPLE);
  const at = (bib: number, ms: string) => ({ bib_number: String(bib), chip_time: `40:00.${ms}` });
  await upload(race, [at(1, '100')]);
  await upload(race, [at(3, '380'), ...[5, 7, 9].map((bib) => arrival(bib))]);
  const page = await openBoard(race);
  const behind = await page.locator('#arrivals .clock small').allInnerTexts();
  expect(behind.map((told) => told.trim())).toContain('by 0.28 s');
  const wall = await openWall(race, '?screen');
  const row = wall
    .locator('#wall-lines li')
    .filter({ has: wall.locator('.wall-bib', { hasText: /^3$/ }) });
  expect(await row.locator('.time').innerText()).toContain('by 0.28 s');
});
