import { expect, test } from 'vitest';
import { expectError } from '../../../testing/assertions.ts';
import { createRace } from '../../../testing/factories.ts';
import { answered, postCsv, postForm, storedResults } from '../../../testing/uploads.ts';
import { numberCell, workbookOf } from '../../../testing/workbook.ts';
import { WORKBOOK_TYPE } from './file-bytes.ts';

const workbook = () =>
  workbookOf({
    Cover: [['City Run 2026']],
    Results: [
      ['Pos', 'Bib', 'Name', 'Chip Time', 'Status'],
      ['1', '007', 'Eva Uno', numberCell(2_510 / 86_400, '[h]:mm:ss'), ''],
      ['2', '12', 'Teo Dos', numberCell(94_203 / 86_400, '[h]:mm:ss'), ''],
      ['', '13', 'Ada Tres', '', 'DNF'],
      ['', '999', 'Gus Cuatro', '', 'DNS'],
    ],
  });

const STORED = {
  '007': { status: 'FINISHED', chip: 2_510_000, gun: null, splits: {} },
  12: { status: 'FINISHED', chip: 94_203_000, gun: null, splits: {} },
  13: { status: 'DNF', chip: null, gun: null, splits: {} },
};

test('stores the results of a workbook that a form sends', async () => {
  const race = await createRace({ bibs: ['007', '12', '13'] });
  const out = await answered(await postCsv(race, workbook()));
  expect(out).toMatchObject({ total_processed: 4, uploaded: 3, not_found: 1 });
  expect(out.failed).toEqual([
    expect.objectContaining({
      row: 5,
      bib_number: '999',
      item: expect.objectContaining({ Name: 'Gus Cuatro' }),
    }),
  ]);
  expect(await storedResults(race.eventId)).toEqual(STORED);
});

test('stores the results of a workbook that is the whole body', async () => {
  const race = await createRace({ bibs: ['007', '12', '13'] });
  await answered(await postForm(race, workbook(), { type: WORKBOOK_TYPE }));
  expect(await storedResults(race.eventId)).toEqual(STORED);
});

test('stores the result in the last row that a spreadsheet has', async () => {
  const race = await createRace({ bibs: ['7'] });
  const cells = (...texts: string[]) =>
    texts.map((text) => `<c t="str"><v>${text}</v></c>`).join('');
  const sheet = `<row>${cells('bib', 'time')}</row><row r="1048576">${cells('7', '1:02:03')}</row>`;
  expect(await answered(await postCsv(race, workbookOf({ A: sheet })))).toMatchObject({
    uploaded: 1,
  });
});

test('previews a workbook as an upload reads it', async () => {
  const race = await createRace({ bibs: ['007', '12', '13'] });
  const response = await postCsv(race, workbook(), { to: '/results/file/preview' });
  expect(await response.json()).toMatchObject({
    header_line: 1,
    counts: { total_processed: 4, uploaded: 3, not_found: 1 },
    rows: [
      { row: 2, bib_number: '007', chip_time: '00:41:50.000' },
      { row: 3 },
      { row: 4 },
      { row: 5 },
    ],
    suggestion: { query: '' },
  });
});

test('refuses a workbook that is damaged, and a sheet that it has not', async () => {
  const race = await createRace({ bibs: ['007'] });
  const damaged = workbook().subarray(0, -40);
  const refusal = await expectError(await postCsv(race, damaged), 400, 'VALIDATION_ERROR');
  expect(refusal).toMatch(/broken or cut off/);
  const other = await postCsv(race, workbook(), { to: '/results/file?sheet=Winners' });
  expect(await expectError(other, 400, 'VALIDATION_ERROR')).toMatch(/no sheet "Winners"/);
  expect(await storedResults(race.eventId)).toEqual({});
});

test('asks which sheet is meant if several have results', async () => {
  const race = await createRace({ bibs: ['7', '12'] });
  const table = (bib: string) => [
    ['Bib', 'Time'],
    [bib, '0:41:50'],
    ['90', '0:43:07'],
  ];
  const sheets = workbookOf({ Fees: [['Bib', 'Paid']], '10K': table('7'), '21K': table('12') });
  const preview = await postCsv(race, sheets, { to: '/results/file/preview' });
  expect(await preview.json()).toMatchObject({
    suggestion: null,
    warnings: expect.arrayContaining([
      {
        code: 'sheet_unclear',
        detail:
          'The workbook has 3 sheets: "Fees", "10K", "21K". 2 have results. Unless somebody chooses, "10K" is read.',
        values: { count: 2, total: 3, sheets: ['Fees', '10K', '21K'], sheet: '10K' },
        rows: [],
        choices: [
          { query: 'sheet=10K', why: expect.stringMatching(/^the sheet "10K": "Bib" is the bib/) },
          { query: 'sheet=21K', why: expect.stringMatching(/^the sheet "21K": "Bib" is the bib/) },
        ],
      },
    ]),
  });
  const out = await answered(await postCsv(race, sheets));
  expect(out.warnings?.map(({ code }) => code)).toContain('sheet_unclear');
  const chosen = await postCsv(race, sheets, { to: '/results/file?sheet=21K' });
  expect((await answered(chosen)).warnings).toEqual([]);
  expect(Object.keys(await storedResults(race.eventId))).toEqual(['7', '12']);
});

test('names the sheet with the results where another one is read', async () => {
  const race = await createRace({ bibs: ['7'] });
  const sheets = workbookOf({
    Starters: [
      ['Bib', 'Name'],
      ['7', 'Eva Uno'],
      ['8', 'Teo Dos'],
    ],
    Results: [
      ['Bib', 'Time'],
      ['7', '0:41:50'],
      ['8', '0:43:07'],
    ],
  });
  const detail = await expectError(await postCsv(race, sheets), 400, 'VALIDATION_ERROR');
  expect(detail).toContain('Unless somebody chooses, "Starters" is read.');
  expect(detail).toContain('Send it with one of these parameters: sheet=Results');
});
