import { drizzle } from 'drizzle-orm/node-postgres';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { insertKey } from '../../dev/stack/seed.ts';
import { inWholeSeconds } from '../../timing-files/write/whole-seconds.ts';
import {
  type BoardRace,
  BoardResult,
  type BoardRunner,
  BoardSnapshot,
} from '../../worker/board/answer-schemas.ts';
import { LONG, setUpBrowser } from './browser-suite.ts';
import type { DevServer } from './dev-server.ts';

/** Makes something once for the tests that only read it. */
export function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
/** For `vi.waitFor`: `expect.poll` needs the current test, which concurrent tests do not set. */
export const WAITING = { ...LONG, interval: 100 };
export const WALL = { viewport: { width: 1920, height: 1080 } };

export let served: DevServer;
export const { newPage, atEnd } = setUpBrowser((started) => {
  served = started;
});

export type Person = Partial<
  Record<'bib_number' | 'given_names' | 'surnames' | 'gender' | 'category' | 'distance', string>
>;

export type Race = { eventId: string; board: string; apiKey: string };

/** Makes an event with an enabled board. Each event has its own organization, so that no key reaches its limit. */
export async function newRace(
  people: Person[],
  { board_names = 'none', ...columns }: Record<string, unknown> = {},
): Promise<Race> {
  const eventId = crypto.randomUUID();
  const { organizationId } = await served.newOrganization();
  const event = {
    id: eventId,
    organization_id: organizationId,
    name: 'Carrera de Prueba',
    event_date: new Date(Date.now() - 3_600_000).toISOString(),
    city: 'Villa Ejemplo',
    time_zone: 'UTC',
    ...columns,
  };
  await insert('events', [event]);
  await insert('event_settings', [{ event_id: eventId, board_enabled: true, board_names }]);
  const rows = people.map((person) => ({
    status: 'PAID',
    ...person,
    event_id: eventId,
    person_id: crypto.randomUUID(),
  }));
  await insert(
    'persons',
    rows.map(({ person_id }) => ({ id: person_id })),
  );
  await insert('registrations', rows);
  const apiKey = await insertKey(drizzle(served.pool), organizationId);
  return { eventId, board: `${served.origin}/board/${eventId}`, apiKey };
}

async function insert(table: string, rows: Record<string, unknown>[]): Promise<void> {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (columns.length === 0) return;
  await served.pool.query(
    `insert into ${table} (${columns}) select ${columns}
    from json_populate_recordset(null::${table}, $1::json)`,
    [JSON.stringify(rows)],
  );
}

export const configure = ({ eventId }: Race, column: string, value: unknown) =>
  served.pool.query(
    column.startsWith('board_')
      ? `update event_settings set ${column} = $2 where event_id = $1`
      : `update events set ${column} = $2 where id = $1`,
    [eventId, value],
  );

/** Sends rows with the key of a timing crew. The server of a busy machine answers 503 and asks for another try. */
async function send({ eventId, apiKey }: Race, path: string, rows: object): Promise<void> {
  const answer = await vi.waitFor(async () => {
    const sent = await fetch(`${served.origin}/public/v1/events/${eventId}/${path}`, {
      method: 'POST',
      headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify(rows),
    });
    expect(sent.status).not.toBe(503);
    return sent;
  }, WAITING);
  expect(await answer.json()).toMatchObject({ failed: [] });
}

export const upload = (race: Race, results: unknown[]) => send(race, 'results', { results });

const versionOf = async ({ board }: Race) => (await fetch(`${board}/data`)).headers.get('ETag');

/** Uploads a change and waits until the board serves the change: the ranking may be some seconds old. */
export async function uploadAndServe(race: Race, results: unknown[]): Promise<void> {
  const known = await versionOf(race);
  await upload(race, results);
  await vi.waitFor(async () => expect(await versionOf(race)).not.toBe(known), WAITING);
}

/** `waitForFunction` would not wait for the promise. */
export const untilKept = (page: Page, pathname: string) =>
  vi.waitFor(
    async () => expect(await page.evaluate(`caches.match('${pathname}').then(Boolean)`)).toBe(true),
    WAITING,
  );

/** The names of the caches with pages. */
export async function keptPages(page: Page): Promise<string[]> {
  const names: string[] = await page.evaluate('caches.keys()');
  return names.filter((name) => name.startsWith('board '));
}

export const dataOf = async ({ board }: Race) =>
  BoardSnapshot.parse(await (await fetch(`${board}/data`)).json());

export async function raceOf(race: Race, distance: string): Promise<BoardRace> {
  const found = (await dataOf(race)).races.find((one) => one.distance === distance);
  if (!found) throw new Error(`no race of ${distance}`);
  return found;
}

export const resultOf = async ({ board }: Race, bib: string) =>
  BoardResult.parse(await (await fetch(`${board}/bibs/${encodeURIComponent(bib)}`)).json());

export async function openBoard({ board }: Race, query = '', options: BrowserContextOptions = {}) {
  const page = await newPage(options);
  await page.goto(board + query);
  await page.locator('#board').waitFor();
  return page;
}

export const tabsOf = (page: Page): Promise<string[]> =>
  page.locator('#races .tab').evaluateAll((tabs) => tabs.map((tab) => tab.textContent ?? ''));

export const tab = (page: Page, distance: string) =>
  page.locator('#races').getByRole('link', { name: new RegExp(`^${distance}\\b`) });

/** Opens the wall, whose rows a reader with a keyboard does not need. */
export async function openWall(
  { board }: Race,
  query: string,
  options: BrowserContextOptions = WALL,
) {
  const page = await newPage(options);
  await page.goto(board + query);
  await page.locator('#wall-lines li').first().waitFor();
  return page;
}

/** The rows of the wall that are partly off the screen, or under a message. */
export const outside = (page: Page) =>
  page.evaluate(`(() => {
    const notice = document.querySelector('#notice').getBoundingClientRect();
    return [...document.querySelectorAll('#wall-lines li')].flatMap((row) => {
      const { top, bottom, left, right } = row.getBoundingClientRect();
      const covered = notice.height > 0 && notice.bottom > top && notice.top < bottom;
      const cut = top < 0 || left < 0 || bottom > innerHeight || right > innerWidth;
      return cut || covered ? [row.textContent] : [];
    });
  })()`);

/** Makes the page send a request at once, as after a lost connection, and waits for the answer. */
export async function refresh(page: Page): Promise<number> {
  const answered = page.waitForResponse((response) => response.url().endsWith('/data'));
  await page.evaluate('dispatchEvent(new Event("online"))');
  return (await answered).status();
}

export const PEOPLE = Array.from({ length: 60 }, (_, index) => ({
  bib_number: String(index + 1),
  given_names: ['Ana', 'Bruno', 'Carla'][index % 3] ?? '',
  surnames: ['Ejemplo', 'Muestra'][index % 2] ?? '',
  gender: ['F', 'M'][index % 2] ?? '',
  category: ['18-29', '30-39', '40-49'][index % 3] ?? '',
  distance: ['10K', '21K'][index % 2] ?? '',
}));

export const clock = (seconds: number) =>
  [seconds / 3_600, (seconds / 60) % 60, seconds % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':');

export const arrival = (bib: number, seconds = 4_000 + bib * 7) => ({
  bib_number: String(bib),
  chip_time: `${clock(seconds)}.25`,
  gun_time: clock(seconds + 5),
  splits: { 'Km 5': clock(seconds / 4) },
});

/** A time in the page's form. */
export const said = (time: string | null) =>
  time === null ? '' : inWholeSeconds(time).replace(/^00:|^0(?=\d:)/, '');

/** The parts of a row: the place, the bib, the runner and the time. */
const PARTS = [['.place'], ['.bib'], ['.name', '.details'], ['.clock', '.pace']];

/** The texts of a table, by row and part. */
export const rowsOf = (page: Page, table: string): Promise<string[][]> =>
  page.locator(`${table} tbody tr`).evaluateAll(
    (rows, parts) =>
      rows.map((row) =>
        parts.map((selectors) =>
          selectors
            .map((selector) => row.querySelector(selector)?.textContent)
            .filter(Boolean)
            .join(' '),
        ),
      ),
    PARTS,
  );

const NAMED: Record<string, string> = { F: 'Women', M: 'Men' };
/** A joiner behind the hyphen keeps `30-39` on a line. */
export const groupName = ({ gender, category }: Pick<BoardRunner, 'gender' | 'category'>) =>
  [gender && (NAMED[gender] ?? gender), category?.replace('-', '-\u2060')]
    .filter(Boolean)
    .join(' ');

const KM: Record<string, number> = { '10K': 10, '21K': 21.0975 };

const paceText = (time: string, distance: string) => {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  const pace = Math.floor((hours * 3_600 + minutes * 60 + seconds) / (KM[distance] ?? Number.NaN));
  return `${Math.floor(pace / 60)}:${String(pace % 60).padStart(2, '0')} /km`;
};

export const expectedRow = (runner: BoardRunner, distance: string) => [
  String(runner.place),
  runner.bib_number,
  [runner.name, groupName(runner)].filter(Boolean).join(' '),
  `${said(runner.time)} ${paceText(runner.time, distance)}`,
];

/** The script of a board's page. The page contains its styles. */
export const filesOf = (html: string): string[] =>
  [...html.matchAll(/src="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);

export const pass = (race: Race, point: string, times: Record<string, string>) =>
  send(race, 'passings', {
    passings: Object.entries(times).map(([bib_number, time]) => ({ bib_number, point, time })),
  });

/** Sends a start for all runners, an hour ago. */
export const tellStart = ({ eventId }: { eventId: string }) =>
  served.pool.query(
    `insert into event_starts (event_id, ordinal, name, starts_at, utc_offset_minutes)
    values ($1, 1, 'Gun', now() - interval '1 hour', 0)`,
    [eventId],
  );
