import { buffer } from 'node:stream/consumers';
import { drizzle } from 'drizzle-orm/node-postgres';
import { strFromU8, unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { insertKey } from '../dev/stack/seed.ts';
import { setUpBrowser } from '../testing/runtime/browser-suite.ts';
import type { DevServer } from '../testing/runtime/dev-server.ts';
import type { BoardEntry, BoardResult } from '../worker/board/answer-schemas.ts';
import type { Result } from '../worker/results/read/answer-schemas.ts';

let served: DevServer;
const { newPage } = setUpBrowser((started) => {
  served = started;
});

type Entrant = {
  bib: string;
  distance: string;
  gender: string | null;
  category: string | null;
  chip: number;
  gun: number;
};

/**
 * Two distances, two genders and a runner without, two categories and a runner without, equal times, and orders that
 * differ by the clock.
 */
const ENTRANTS: readonly Entrant[] = [
  ['1', '10K', 'F', 'Open', 40, 45],
  ['2', '10K', 'M', 'Open', 38, 46],
  ['3', '10K', 'F', '40+', 41, 44],
  ['4', '10K', 'M', '40+', 39, 48],
  ['5', '10K', null, 'Open', 37, 47],
  ['6', '10K', null, 'Open', 42, 43],
  ['7', '10K', 'F', 'Open', 40, 49],
  ['8', '10K', 'M', null, 43, 50],
  ['9', '10K', 'F', 'Open', 44, 45],
  ['10', '21K', 'F', 'Open', 80, 81],
  ['11', '21K', 'M', 'Open', 79, 85],
  ['12', '21K', 'M', 'Open', 81, 84],
].map(([bib, distance, gender, category, chip, gun]) => ({
  bib: String(bib),
  distance: String(distance),
  gender: gender === null ? null : String(gender),
  category: category === null ? null : String(category),
  chip: Number(chip),
  gun: Number(gun),
}));

/** Overall, within the gender, and within the category of the gender. Null without a place. */
type Places = readonly [number, number | null, number | null];

/** By `gun_overall`: overall and by gender by gun time, and within the category by chip time. */
function placesOf(entrant: Entrant): Places {
  const placeIn = (isRival: (other: Entrant) => boolean, time: 'chip' | 'gun') =>
    1 + ENTRANTS.filter((other) => isRival(other) && other[time] < entrant[time]).length;
  const isOfRace = ({ distance }: Entrant) => distance === entrant.distance;
  const isOfGender = (other: Entrant) => isOfRace(other) && other.gender === entrant.gender;
  return [
    placeIn(isOfRace, 'gun'),
    entrant.gender && placeIn(isOfGender, 'gun'),
    entrant.category &&
      placeIn((other) => isOfGender(other) && other.category === entrant.category, 'chip'),
  ] as Places;
}

const EXPECTED = Object.fromEntries(ENTRANTS.map((one) => [one.bib, placesOf(one)]));

async function createMixedRace() {
  const session = await served.newOrganization();
  const eventId = crypto.randomUUID();
  const people = ENTRANTS.map((one) => ({ ...one, person_id: crypto.randomUUID() }));
  await served.pool.query(
    `insert into events (id, organization_id, name, event_date, city)
     values ($1, $2, 'Mixed Race', now() - interval '2 hours', 'Port Example')`,
    [eventId, session.organizationId],
  );
  await served.pool.query(
    `insert into event_settings (event_id, board_enabled, board_names, ranking_rule)
     values ($1, true, 'none', 'gun_overall')`,
    [eventId],
  );
  await served.pool.query(
    `with runner as materialized (
       select * from jsonb_to_recordset($2)
         as runner (bib text, distance text, gender text, category text, person_id uuid)
     ), person as (insert into persons (id) select person_id from runner returning id)
     insert into registrations
       (event_id, person_id, status, bib_number, given_names, distance, gender, category)
     select $1, id, 'PAID', bib, 'Runner ' || bib, distance, gender, category
     from runner join person on id = person_id`,
    [eventId, JSON.stringify(people)],
  );
  const key = await insertKey(drizzle(served.pool), session.organizationId);
  const results = ENTRANTS.map(({ bib, chip, gun }) => ({
    bib_number: bib,
    chip_time: clock(chip),
    gun_time: clock(gun),
  }));
  await json(`/public/v1/events/${eventId}/results`, key, {
    method: 'POST',
    body: JSON.stringify({ results }),
  });
  return { session, eventId, key };
}

/** @param minutes of a time */
const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}:00`;

async function json<T>(path: string, key = '', init: RequestInit = {}): Promise<T> {
  const headers = {
    ...(key && { 'X-API-Key': key }),
    ...(init.body && { 'Content-Type': 'application/json' }),
    Accept: 'application/json',
  };
  const answer = await fetch(`${served.origin}${path}`, { ...init, headers });
  expect(answer.status).toBe(200);
  return answer.json() as Promise<T>;
}

const ofResult = (one: Result): [string | null, Places] => [
  one.bib_number,
  [one.position_distance ?? 0, one.position_distance_gender, one.position_distance_category],
];

/** A place as a text: empty without a place. */
const numberIn = (text: string | undefined) => (text ? Number(text) : null);

/** The rows of a table with the places first, then the bib. */
const ofTable = ([, ...rows]: string[][]): Record<string, Places> =>
  Object.fromEntries(
    rows.map(([overall, gender, category, bib = '']) => [
      bib,
      [Number(overall), numberIn(gender), numberIn(category)],
    ]),
  );

/** The cells of our own workbook: the cells contain the texts. */
const cellsOf = (workbook: Uint8Array): string[][] =>
  [
    ...strFromU8(unzipSync(workbook)['xl/worksheets/sheet1.xml'] ?? new Uint8Array()).matchAll(
      /<row\b.*?<\/row>/gs,
    ),
  ].map(([row]) =>
    [...row.matchAll(/<c\b[^>]*?(?:\/>|>(.*?)<\/c>)/gs)].map(([, content = '']) =>
      content.replace(/<[^>]+>/g, ''),
    ),
  );

/** The bibs and places of a list on the board. */
async function listed(page: Page, address: string): Promise<[string, number][]> {
  await page.goto(address);
  await page.locator('#list-rows[aria-busy="false"] tbody tr').first().waitFor();
  const rows = await page
    .locator('#list-rows tbody tr')
    .evaluateAll((all) =>
      all.map((row) => ['.bib', '.place'].map((part) => row.querySelector(part)?.textContent)),
    );
  return rows.map(([bib, place]) => [bib ?? '', Number(place)]);
}

type Race = Awaited<ReturnType<typeof createMixedRace>>;

/** The list, its filter and the export. */
async function expectApi({ eventId, key }: Race) {
  const api = `/public/v1/events/${eventId}/results`;
  const { data } = await json<{ data: Result[] }>(`${api}?page_size=100`, key);
  expect(Object.fromEntries(data.map(ofResult))).toEqual(EXPECTED);
  const exported = await json<{ data: Result[] }>(`${api}/export`, key);
  expect(Object.fromEntries(exported.data.map(ofResult))).toEqual(EXPECTED);
  const ofCategory = await json<{ data: Result[] }>(`${api}?category=Open&distance=10K`, key);
  // The list of a category stands in the order of chip times, over all genders.
  const order = ofCategory.data.map(({ bib_number }) => bib_number);
  expect(order.join(' ')).toBe('5 2 1 7 6 9');
  expect(EXPECTED).toMatchObject(Object.fromEntries(ofCategory.data.map(ofResult)));
}

/** The runners on the board, for programs and on their cards. */
async function expectCards({ eventId }: Race, page: Page) {
  const board = `${served.origin}/board/${eventId}`;
  for (const { bib } of ENTRANTS) {
    const runner = await json<BoardResult>(`/board/v1/${eventId}/runners/${bib}`);
    const places = [runner.overall, runner.in_gender, runner.in_category];
    expect(places.map((one) => one?.place ?? null)).toEqual(EXPECTED[bib]);
    await page.goto(`${board}?bib=${bib}`);
    const told = page.locator('.places dd');
    await told.first().waitFor();
    const texts = await told.allInnerTexts();
    const expected = (EXPECTED[bib] ?? []).filter((place) => place !== null);
    expect(texts.map((text) => Number(/\d+/.exec(text)?.[0]))).toEqual(expected);
  }
}

/** Every filter of the board's list, with the field of the place. */
const FILTERS = ['10K', '21K'].flatMap((distance) =>
  [null, 'F', 'M'].flatMap((gender) =>
    [null, 'Open', '40+'].map((category) => ({
      filter: Object.entries({
        distance,
        ...(gender && { gender }),
        ...(category && { category }),
      }),
      at: category ? 2 : gender ? 1 : 0,
    })),
  ),
);

/** The board's list, for programs and on the page. */
async function expectLists({ eventId }: Race, page: Page) {
  for (const { filter, at } of FILTERS) {
    const expected = ENTRANTS.filter((one) =>
      filter.every(([name, value]) => one[name as 'gender'] === value),
    ).map(({ bib }) => [bib, EXPECTED[bib]?.[at]]);
    if (expected.length === 0) continue;
    const query = new URLSearchParams(Object.fromEntries(filter));
    const open = await json<{ data: BoardEntry[] }>(`/board/v1/${eventId}/results?${query}`);
    const places = open.data.map(({ bib_number, place }) => [bib_number, place]);
    expect(Object.fromEntries(places)).toEqual(Object.fromEntries(expected));
    expect(await listed(page, `${served.origin}/board/${eventId}?list&${query}`)).toEqual(places);
  }
}

/** The details of each runner in the panel. */
async function expectPanel(page: Page) {
  const runners = page.locator('#runner-list > li');
  await runners.nth(ENTRANTS.length - 1).waitFor();
  for (const { bib } of ENTRANTS) {
    const runner = runners.filter({
      has: page.locator('.bib', { hasText: new RegExp(`^${bib}$`) }),
    });
    await runner.getByRole('button').first().click();
    const figures = runner.locator('.runner-details dl').first();
    await figures.waitFor();
    const told = new Map(
      (await figures.locator('div').allInnerTexts()).map((text) => {
        const [name = '', value = ''] = text.split(/\n+/);
        return [name, value];
      }),
    );
    const names = ['Place', 'By gender', 'By category'];
    expect(names.map((name) => numberIn(told.get(name)))).toEqual(EXPECTED[bib]);
    await runner.getByRole('button').first().click();
  }
}

/** The files and the sheet of the panel. */
async function expectFiles(page: Page) {
  await page.locator('#downloads summary').click();
  const file = async (name: string) => {
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name }).click();
    return buffer(await (await saving).createReadStream());
  };
  const csv = (await file('CSV')).toString();
  expect(
    ofTable(
      csv
        .trim()
        .split('\r\n')
        .map((line) => line.split(',')),
    ),
  ).toEqual(EXPECTED);
  expect(ofTable(cellsOf(await file('Excel')))).toEqual(EXPECTED);

  await page.evaluate('window.print = () => {}');
  await page.getByRole('button', { name: /speaker/ }).click();
  await page.locator('body.prints-sheets').waitFor({ state: 'attached' });
  await page.emulateMedia({ media: 'print' });
  const sheet = await page.locator('#sheets section').evaluateAll((sections) =>
    sections.map((section) => ({
      name: section.querySelector('h2')?.textContent ?? '',
      rows: [...section.querySelectorAll('tr')].map((row) =>
        [...row.querySelectorAll('td')].slice(0, 2).map((cell) => cell.textContent),
      ),
    })),
  );
  const told: Record<string, [number, number | null, number | null]> = {};
  for (const { name, rows } of sheet) {
    const at = name === 'Overall' ? 0 : /Open|40\+/.test(name) ? 2 : 1;
    for (const [place, bib = ''] of rows) {
      const places: [number, number | null, number | null] = told[bib ?? ''] ?? [0, null, null];
      places[at] = Number(place);
      told[bib ?? ''] = places;
    }
  }
  expect(told).toEqual(EXPECTED);
}

test('shows equal places of a mixed race in every list, card, file and sheet', async () => {
  const race = await createMixedRace();
  await expectApi(race);
  const page = await newPage();
  await expectCards(race, page);
  await expectLists(race, page);
  await page.goto(served.linkOf(race.session).replace('#', `?race=${race.eventId}#`));
  await expectPanel(page);
  await expectFiles(page);
});
