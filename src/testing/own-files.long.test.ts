import { beforeAll, describe, expect, test } from 'vitest';
import { splitRow } from '../timing-files/read/csv-reader.ts';
import { BYTE_ORDER_MARK, csvLine, unguarded } from '../timing-files/write/csv.ts';
import { CODES } from '../timing-files/write/languages.ts';
import { RESULT_COLUMNS, rejectedTable } from '../timing-files/write/own-files.ts';
import { type PeopleCell, tableForPeople } from '../timing-files/write/results-for-people.ts';
import { workbookFile } from '../timing-files/write/workbook.ts';
import { ResultsUploadOut } from '../worker/results/upload/answer-schemas.ts';
import { createRace, createRegistrations } from './factories.ts';
import { startApp, withKey } from './harness.ts';
import { panelOf } from './members.ts';
import { type Race, storedBatches, storedResults, uploadRows } from './uploads.ts';

const { request } = startApp();

/** Bibs and names of splits and points that spreadsheets would run, and texts that look like our guard. */
const BIBS = [
  '17',
  '007',
  '=1+1',
  '-12',
  '+5',
  '@x',
  '＝1',
  "'0012",
  "'=1",
  '="0012"',
  'A,=1+1,',
  'B;-1',
];
const SPLIT_NAMES = ['=Km 5', 'Km 10', "'-Half", 'a,b;"c'];
const splitsOf = (runner: number) =>
  Object.fromEntries(
    SPLIT_NAMES.map((name, at) => [name, `00:${at + 2}${runner % 10}:${runner + 10}.25`]),
  );
const POINTS = ['Km 5', '=Bridge', "'+Hill"];

let race: Race;
let panel: { path: string; headers: Record<string, string> };

beforeAll(async () => {
  race = await createRace();
  await createRegistrations(
    race.eventId,
    BIBS.map((bib_number, at) => ({
      bib_number,
      given_names: '=HYPERLINK("x")',
      distance: at % 2 === 0 ? '21K' : '10K',
      gender: 'F',
      category: '-40',
    })),
  );
  const { uploaded } = await uploadRows(
    race,
    BIBS.map((bib_number, at) =>
      at === 0
        ? { bib_number, status: 'DNF', splits: { 'Km 10': '00:40:00' } }
        : {
            bib_number,
            chip_time: `01:0${at % 10}:00.500`,
            gun_time: `01:1${at % 10}:00`,
            splits: splitsOf(at),
          },
    ),
  );
  expect(uploaded).toBe(BIBS.length);
  panel = await panelOf(race);
});

const withOwnKey = () => withKey(race.key);

const download = async (path: string, headers: Record<string, string>): Promise<Uint8Array> => {
  const response = await request(path, { headers });
  expect(response.status).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
};

/** Sends a file with the preview's suggestion. */
async function sendBack(file: Uint8Array, to: string, query = '') {
  const init = {
    method: 'POST',
    headers: { ...withOwnKey(), 'Content-Type': 'text/csv' },
    body: file,
  };
  const previewed = await request(`${race.path}/${to}/preview?${query}`, init);
  const preview = await previewed.json<{ suggestion: { query: string } | null }>();
  expect([previewed.status, preview.suggestion]).toEqual([200, expect.anything()]);
  const sent = await request(`${race.path}/${to}?${preview.suggestion?.query}`, init);
  return { status: sent.status, answer: await sent.json<Record<string, unknown>>() };
}

const EXPORTS: [name: string, () => Promise<Uint8Array>][] = [
  ['the results of the API', () => download(`${race.path}/results/export`, withOwnKey())],
  ...['comma', 'semicolon'].map((delimiter): (typeof EXPORTS)[number] => [
    `the results of the panel, with ${delimiter}s`,
    () => download(`${panel.path}/results/export?delimiter=${delimiter}`, panel.headers),
  ]),
];

/** The results for people in the panel's form, from the answer of the export. */
const FOR_PEOPLE = CODES.flatMap((language): typeof EXPORTS => {
  const load = async () => {
    const accept = { ...panel.headers, Accept: 'application/x-ndjson' };
    const lines = new TextDecoder().decode(await download(`${panel.path}/results/export`, accept));
    const results = lines.trimEnd().split('\n');
    return tableForPeople(
      results.map((line) => JSON.parse(line)),
      language,
    );
  };
  const textOf = (cell: PeopleCell) => (typeof cell === 'object' ? cell.time : String(cell));
  return [
    ...[',', ';'].map((delimiter): (typeof EXPORTS)[number] => [
      `the results for people in ${language}, with ${delimiter}`,
      async () => {
        const rows = await load();
        const csv = rows.map((cells) => csvLine(cells.map(textOf), delimiter)).join('');
        return new TextEncoder().encode(BYTE_ORDER_MARK + csv);
      },
    ]),
    [
      `the workbook for people in ${language}`,
      async () => workbookFile(await load(), 'Results & more'),
    ],
  ];
});

describe('what we write, we read', () => {
  test.each([...EXPORTS, ...FOR_PEOPLE])(
    '%s change nothing when they are sent back',
    async (_name, load) => {
      const before = await storedResults(race.eventId);
      const { status, answer } = await sendBack(await load(), 'results/file');
      expect({ status, ...answer }).toMatchObject({
        status: 200,
        total_processed: BIBS.length,
        updated: BIBS.length,
        failed: [],
        warnings: [],
      });
      expect(await storedResults(race.eventId)).toEqual(before);
    },
  );

  test.each(EXPORTS)('%s have no column that is taken for a split', async (_name, load) => {
    const [header = ''] = new TextDecoder().decode(await load()).split('\r\n');
    const ours: ReadonlySet<string> = new Set(RESULT_COLUMNS);
    const names = splitRow(header, header.includes(';position') ? ';' : ',').map(unguarded);
    expect(names.filter((name) => !ours.has(name) && !SPLIT_NAMES.includes(name))).toEqual([]);
  });

  test.each(FOR_PEOPLE)(
    '%s change nothing in a plain upload, and have no ids',
    async (_name, load) => {
      const body = await load();
      const before = await storedResults(race.eventId);
      const init = {
        method: 'POST',
        headers: { ...withOwnKey(), 'Content-Type': 'text/csv' },
        body,
      };
      const answer = await request(`${race.path}/results/file`, init);
      expect([answer.status, await answer.json()]).toEqual([
        200,
        expect.objectContaining({ updated: BIBS.length, failed: [] }),
      ]);
      expect(await storedResults(race.eventId)).toEqual(before);
      expect(new TextDecoder().decode(body)).not.toMatch(/[\da-f]{8}-[\da-f]{4}/);
    },
  );

  test('keeps the splits in a plain upload of the results of the API', async () => {
    const file = await download(`${race.path}/results/export`, withOwnKey());
    const init = {
      method: 'POST',
      headers: { ...withOwnKey(), 'Content-Type': 'text/csv' },
      body: file,
    };
    const before = await storedResults(race.eventId);
    expect((await request(`${race.path}/results/file`, init)).status).toBe(200);
    expect(await storedResults(race.eventId)).toEqual(before);
  });

  test('changes nothing when the passings of the API are sent back, point by point', async () => {
    for (const point of POINTS) {
      const passings = BIBS.map((bib_number, at) => ({
        bib_number,
        point,
        time: `00:2${at % 10}:00`,
      }));
      const response = await request(`${race.path}/passings`, {
        method: 'POST',
        headers: { ...withOwnKey(), 'Content-Type': 'application/json' },
        body: JSON.stringify({ passings }),
      });
      expect(response.status).toBe(200);
    }
    const load = () => download(`${race.path}/passings/export`, withOwnKey());
    const file = await load();
    for (const point of POINTS) {
      const query = new URLSearchParams({ point }).toString();
      const { status, answer } = await sendBack(file, 'passings/file', query);
      expect({ status, ...answer }).toMatchObject({
        status: 200,
        updated: BIBS.length,
        failed: [],
      });
    }
    expect(await load()).toEqual(file);
  });

  test('refuses an export that would be misread', async () => {
    const passings = await download(`${race.path}/passings/export`, withOwnKey());
    const results = await download(`${race.path}/results/export`, withOwnKey());
    for (const [to, body, said] of [
      ['results/file', passings, 'an export of passings'],
      ['passings/file?point=Km%205', results, 'an export of results without a column "Km 5"'],
    ] as const) {
      const init = {
        method: 'POST',
        headers: { ...withOwnKey(), 'Content-Type': 'text/csv' },
        body,
      };
      const response = await request(`${race.path}/${to}`, init);
      const { detail } = await response.json<{ detail: string }>();
      expect([response.status, detail]).toEqual([400, expect.stringContaining(said)]);
    }
  });

  test('leaves an unchanged row with its first upload', async () => {
    const [first, ...others] = await storedBatches(race.eventId);
    expect(first?.uploaded).toBe(BIBS.length);
    for (const batch of others) expect(batch.uploaded).toBe(0);
  });
});

describe('rejected rows', () => {
  const HEADER = ['bib', 'time', '=Km 5'];
  const ROWS = [
    ['-404', '1:00:00', '0:20:00'],
    ["'=404", '1:00:01', '0:20:01'],
    ['17', 'gone', '=1+1'],
  ];

  test('are read as they were sent', async () => {
    const before = await storedResults(race.eventId);
    const csv = [HEADER, ...ROWS].map((cells) => `${cells.join(',')}\n`).join('');
    const init = { method: 'POST', headers: { ...withOwnKey(), 'Content-Type': 'text/csv' } };
    const upload = async (body: string) => {
      const response = await request(`${race.path}/results/file`, { ...init, body });
      return ResultsUploadOut.parse(await response.json()).failed;
    };
    const failed = await upload(csv);
    expect(failed.map(({ bib_number }) => bib_number)).toEqual(['-404', "'=404", '17']);
    const table = rejectedTable(failed, ({ reason }) => reason);
    const again = await upload(table.map((cells) => csvLine(cells, ';')).join(''));
    expect(again.map(({ item, ...row }) => row)).toEqual(failed.map(({ item, ...row }) => row));
    expect(again.map(({ item }) => Object.values(item ?? {}).slice(0, 3))).toEqual(ROWS);
    expect(await storedResults(race.eventId)).toEqual(before);
  });
});
