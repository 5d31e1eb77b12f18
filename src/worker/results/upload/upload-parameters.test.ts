import { describe, expect, test } from 'vitest';
import { expectError } from '../../../testing/assertions.ts';
import { createRace } from '../../../testing/factories.ts';
import {
  answered,
  filePart,
  form,
  postForm,
  type Race,
  storedBatches,
  storedResults,
} from '../../../testing/uploads.ts';

const FILE = [
  'Stadtlauf;;;;;',
  'Stnr;Messpunkt;Netto;Brutto;Rang;Tempo',
  "7;Ziel;1h28'03;1h28'40;1;4:10",
  "7;Km 10;41'50;42'27;;4:11",
  '8;Ziel;;;aufgegeben;',
  "9;Ziel;1h41'27;1h42'00;3;4:49",
  '',
].join('\n');

const QUERY = new URLSearchParams([
  ['bib', 'Stnr'],
  ['chip_time', '#3'],
  ['gun_time', 'brutto'],
  ['status', 'Rang'],
  ['split', ''],
  ['header_line', '2'],
  ['time_format', 'apostrophes'],
  ['status_word', 'aufgegeben:DNF'],
  ['where', 'Messpunkt:Ziel'],
]).toString();

type As = readonly [name: string, write: (file: string) => BodyInit, type: string | undefined];

const AS: readonly [As, As] = [
  ['a form', (file: string) => form([filePart(file)]), undefined],
  ['text/csv', (file: string) => file, 'text/csv; charset=utf-8'],
];

const post = (race: Race, query: string, file = FILE, [, write, type]: As = AS[0]) =>
  postForm(race, write(file), { to: `/results/file?${query}`, ...(type && { type }) });

async function refusal(query: string, file = FILE): Promise<string> {
  const race = await createRace({ bibs: ['7', '8', '9'] });
  const detail = await expectError(await post(race, query, file), 400, 'VALIDATION_ERROR');
  expect(await storedBatches(race.eventId)).toEqual([]);
  return detail;
}

describe.each(AS)('a file as %s', (...as) => {
  test('reads a file as its parameters say', async () => {
    const race = await createRace({ bibs: ['7', '8', '9'] });
    const out = await answered(await post(race, QUERY, FILE, as));
    expect(out).toMatchObject({ total_processed: 3, uploaded: 3, splits_detected: [] });
    expect(await storedResults(race.eventId)).toEqual({
      7: { status: 'FINISHED', chip: 5_283_000, gun: 5_320_000, splits: {} },
      8: { status: 'DNF', chip: null, gun: null, splits: {} },
      9: { status: 'FINISHED', chip: 6_087_000, gun: 6_120_000, splits: {} },
    });
  });

  test('reads a file as the contract says where there is no parameter', async () => {
    const race = await createRace({ bibs: ['7'] });
    const out = await answered(await post(race, '', 'bib,time,Km 5\n7,20:00,10:00\n', as));
    expect(out).toMatchObject({ uploaded: 1, splits_detected: ['Km 5'] });
  });

  test('may have no parameters that the API does not know', async () => {
    const race = await createRace({ bibs: ['7'] });
    for (const query of ['page=0', 'Bib=x']) {
      const answer = await post(race, query, 'bib,time\n7,20:00\n', as);
      await expectError(answer, 400, 'VALIDATION_ERROR');
    }
  });
});

describe('refuses', () => {
  test.each([
    [
      'a column that is not there',
      'bib=Dossard',
      /no column "Dossard" \(parameter bib\).*#1 Stadtlauf/,
    ],
    ['a column number that is not there', 'bib=%2399', /no column "#99" \(parameter bib\)/],
    [
      'a split that is not there',
      `${QUERY}&split=Km+5`,
      /no column "Km 5" \(parameter split\).*#1 Stnr/,
    ],
    [
      'an unknown time format',
      'time_format=dashes',
      /time_format is "dashes": expected one of clock/,
    ],
    [
      'an unknown bib format',
      'bib_format=digits',
      /bib_format is "digits": expected one of exact, number, joined/,
    ],
    [
      'a status word without a status',
      'status_word=Abandon',
      /status_word is "Abandon".*Abandon:DNF/,
    ],
    [
      'a status word of two meanings',
      'status_word=x:DNF&status_word=X:DNS',
      /two meanings: DNF and DNS/,
    ],
    [
      'a header line that is no number',
      'header_line=x',
      /header_line is "x": expected the number of a line/,
    ],
    ['a header line past the end', 'header_line=900&bib=Stnr', /the file has fewer lines/],
    [
      'a condition on a column that is not there',
      `${QUERY}&where=Punkt:Ziel`,
      /where is "Punkt:Ziel".*#1 Stnr/,
    ],
    ['the same parameter twice', 'bib=Stnr&bib=Rang', /bib is sent more than once/],
    [
      'one column of two meanings',
      QUERY.replace('%233', 'Stnr'),
      /bib and chip_time are the same column, Stnr/,
    ],
    ['a NUL character', 'where=x%00:y', /NUL/],
  ])('%s', async (_what, query, detail) => {
    expect(await refusal(query)).toMatch(detail);
  });
});

test('reads bibs in the format of the file, and answers with those of the event', async () => {
  const race = await createRace({ bibs: ['7'] });
  const file = 'bib,time\nNo. 007,20:00\n7,21:00\n#8,22:00\n9,x\n';
  const out = await answered(await post(race, 'bib_format=number', file));
  expect(out).toMatchObject({ uploaded: 1, duplicates: 1, not_found: 1, errors: 1 });
  expect(out.failed.map(({ bib_number }) => bib_number)).toEqual(['8', '9']);
  expect(await storedResults(race.eventId)).toMatchObject({ 7: { chip: 1_260_000 } });
});

test.each([
  ['0012', '0013', 'number'],
  ['12-A', '12-B', 'joined'],
])('names the preview once beside unknown bibs such as %s', async (first, second, format) => {
  const race = await createRace({ bibs: ['12', '13', '12A', '12B'] });
  const file = `bib,time\n99,19:00\n${first},20:00\n${second},21:00\n`;
  const { failed } = await answered(await post(race, '', file));
  const hint = ' The preview of the file says whether the event writes the bib otherwise.';
  expect(failed.map(({ reason }) => reason.slice(reason.indexOf('.') + 1))).toEqual(['', hint, '']);
  const again = await answered(await post(race, `bib_format=${format}`, file));
  expect(again).toMatchObject({ uploaded: 2, failed: [{ bib_number: '99' }] });
});

test('judges the parameters after the key', async () => {
  const race = await createRace();
  const response = await post({ ...race, key: 'er_live_x' }, 'time_format=x');
  await expectError(response, 401, 'UNAUTHORIZED');
});

test('says the parameter that mends a refused file', async () => {
  const race = await createRace({ bibs: ['7'] });
  const file = "Dossard;Nom;Temps\n7;Eva Uno;1h28'03\n";
  const detail = await expectError(await post(race, '', file), 400, 'VALIDATION_ERROR');
  const parameters = /Send it with (\S+=.*)\. To see/.exec(detail)?.[1] ?? '';
  const query = new URLSearchParams(parameters.replaceAll(', ', '&')).toString();
  expect(query).not.toBe('');
  expect(await answered(await post(race, query, file))).toMatchObject({ uploaded: 1, errors: 0 });
});
