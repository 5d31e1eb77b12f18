import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { events, registrations } from '../db/schema.ts';
import { expectError } from '../testing/assertions.ts';
import {
  createEvent,
  createKey,
  createOrganization,
  createRace,
  createRegistrations,
  db,
} from '../testing/factories.ts';
import { injectFault, withoutServices } from '../testing/faults.ts';
import { startApp, testConfig, withKey } from '../testing/harness.ts';
import { BoardResult, type BoardRunner, BoardSnapshot } from './schemas.ts';

const { request, logged } = startApp();

const PEOPLE = [
  {
    bib_number: '1',
    given_names: 'Ana María',
    surnames: 'Ejemplo Secreto',
    gender: 'F',
    category: '30-39',
    distance: '21K',
  },
  {
    bib_number: '2',
    given_names: 'Bruno',
    surnames: 'muestra oculta',
    gender: 'M',
    category: '30-39',
    distance: '21K',
  },
  {
    bib_number: '3',
    given_names: 'Ñandú',
    surnames: 'Ñíguez',
    gender: 'M',
    category: '40-49',
    distance: '10K',
  },
  {
    bib_number: '4',
    given_names: null,
    surnames: null,
    gender: null,
    category: null,
    distance: null,
  },
  {
    bib_number: '5',
    given_names: 'Elena',
    surnames: 'Nunca',
    gender: 'F',
    category: '40-49',
    distance: '10K',
  },
  {
    bib_number: '6',
    given_names: 'Sola',
    surnames: 'Sinresultado',
    gender: 'X',
    category: '60+',
    distance: '21K',
  },
];

const RESULTS = [
  {
    bib_number: '1',
    chip_time: '01:30:00.500',
    gun_time: '01:30:10',
    splits: { 'Km 10': '41:00', 'Km 5': '20:00', Last: '1:20:00' },
  },
  { bib_number: '2', chip_time: '01:20:00' },
  { bib_number: '3', gun_time: '01:25:00' },
  { bib_number: '4', chip_time: '01:25:00' },
  { bib_number: '5', status: 'DNF', splits: { 'Km 5': '25:00' } },
];

type Race = Awaited<ReturnType<typeof createRace>>;

/** A race with an open board, and results uploaded as they would be. */
async function openBoard(settings: Partial<typeof events.$inferInsert> = {}) {
  const race = await createRace();
  await createRegistrations(
    race.eventId,
    PEOPLE.map((person) => ({
      ...person,
      document: `DOC${person.bib_number}-77`,
      email: `mail${person.bib_number}@example.org`,
      mobile_phone: `+000 ${person.bib_number}`,
      chip: `CHIP-${person.bib_number}`,
    })),
  );
  await configure(race.eventId, { board_enabled: true, ...settings });
  await upload(race, RESULTS);
  return { ...race, board: `/board/${race.eventId}` };
}

const configure = (eventId: string, settings: Partial<typeof events.$inferInsert>) =>
  db.update(events).set(settings).where(eq(events.id, eventId));

async function upload({ key, path }: Pick<Race, 'key' | 'path'>, rows: unknown[]) {
  const response = await request(`${path}/results`, {
    method: 'POST',
    headers: { ...withKey(key), 'Content-Type': 'application/json' },
    body: JSON.stringify({ results: rows }),
  });
  expect(await response.json()).toMatchObject({ failed: [] });
}

async function snapshotOf(board: string): Promise<BoardSnapshot> {
  const response = await request(`${board}/data`);
  expect(response.status).toBe(200);
  return BoardSnapshot.strict().parse(await response.json());
}

const bibsOf = (runners: BoardSnapshot['arrivals']) => runners.map(({ bib_number }) => bib_number);

describe('a board', () => {
  let open: Awaited<ReturnType<typeof openBoard>>;

  beforeAll(async () => {
    open = await openBoard();
  });

  test('shows the event, how many arrived, and the first of each group', async () => {
    const snapshot = await snapshotOf(open.board);
    expect(snapshot.event).toMatchObject({ name: 'Harbour Half', city: 'Port Example' });
    expect(snapshot.counts).toEqual({ FINISHED: 4, DNF: 1, DNS: 0, DSQ: 0 });
    expect(bibsOf(snapshot.leaders).slice(0, 1)).toEqual(['2']);
    expect(snapshot.leaders.map(({ place }) => place)).toEqual([1, 2, 2, 4]);
    const groups = (of: BoardSnapshot['genders']) =>
      of.map(({ name, finished, leaders }) => [name, finished, bibsOf(leaders)]);
    expect(groups(snapshot.genders)).toEqual([
      ['F', 1, ['1']],
      ['M', 2, ['2', '3']],
    ]);
    expect(groups(snapshot.categories)).toEqual([
      ['30-39', 2, ['2', '1']],
      ['40-49', 1, ['3']],
    ]);
    expect(groups(snapshot.distances)).toEqual([
      ['10K', 1, ['3']],
      ['21K', 2, ['2', '1']],
    ]);
  });

  test('has the latest arrivals first, and what it says of each', async () => {
    const race = await openBoard();
    await upload(race, [{ bib_number: '6', chip_time: '02:00:00.250', gun_time: '02:00:01' }]);
    const { arrivals } = await snapshotOf(race.board);
    expect(bibsOf(arrivals)).toHaveLength(5);
    expect(arrivals[0]).toEqual({
      bib_number: '6',
      name: null,
      gender: 'X',
      category: '60+',
      distance: '21K',
      status: 'FINISHED',
      chip_time: '02:00:00.250',
      gun_time: '02:00:01.000',
      place: 5,
    });
    expect(bibsOf(arrivals.slice(1)).at(0)).toBe('1');
  });

  test('has everybody where the standings have them, however many arrived', async () => {
    const race = await createRace();
    await configure(race.eventId, { board_enabled: true });
    const few = (values: string[], at: number) => values[at % values.length] ?? null;
    const people = Array.from({ length: 400 }, (_, at) => ({
      bib_number: String(at + 1),
      gender: at % 7 ? few(['F', 'M', 'X'], at) : null,
      category: at % 50 ? few(['20', '30', '40', '50', '60'], Math.floor(at / 3)) : `rare ${at}`,
      distance: few(['10K', '21K'], Math.floor(at / 5)),
    }));
    await createRegistrations(race.eventId, people);
    const finished = people.map(({ bib_number }, at) => {
      const minute = 20 + ((at * 37) % 39);
      return { bib_number, chip_time: `01:${minute}:${10 + ((at * 11) % 23)}` };
    });
    await upload(race, finished);
    await upload(race, [{ bib_number: '7', status: 'DSQ' }, ...finished.slice(100, 110).reverse()]);

    const snapshot = await snapshotOf(`/board/${race.eventId}`);
    const { rows } = await db.execute<{ bib: string; places: Record<string, number> }>(sql`
      select bib_number as bib, json_build_object(
        'all', position_overall, 'gender', position_gender, 'category', position_category,
        'distance', rank() over (partition by distance order by finish_time_ms)) as places
      from standings join registrations using (bib_number, event_id)
      where event_id = ${race.eventId}`);
    const placesOf = new Map(rows.map(({ bib, places }) => [bib, places]));
    const expectPlaces = (runners: BoardRunner[], group: string) => {
      expect(runners.length).toBeGreaterThan(0);
      for (const { bib_number, place } of runners) {
        expect([bib_number, place]).toEqual([bib_number, placesOf.get(bib_number ?? '')?.[group]]);
      }
    };
    expectPlaces(snapshot.arrivals, 'all');
    expectPlaces(snapshot.leaders, 'all');
    const groups = [...snapshot.genders, ...snapshot.categories, ...snapshot.distances];
    expect(groups.map(({ name }) => name)).toEqual(
      ['F', 'M', 'X', '20', '30', '40', '50', '60']
        .concat(Array.from({ length: 8 }, (_, at) => `rare ${at * 50}`))
        .concat('10K', '21K'),
    );
    for (const { leaders } of snapshot.genders) expectPlaces(leaders, 'gender');
    for (const { leaders } of snapshot.categories) expectPlaces(leaders, 'category');
    for (const { leaders } of snapshot.distances) expectPlaces(leaders, 'distance');
    for (const { name, finished: count, leaders } of groups) {
      expect([name, leaders.length]).toEqual([name, Math.min(count, 5)]);
    }
    expect(snapshot.distances.reduce((sum, { finished: count }) => sum + count, 0)).toBe(399);
    for (const bib of ['1', '7', '105', '351']) {
      const found = BoardResult.parse(
        await (await request(`/board/${race.eventId}/bibs/${bib}`)).json(),
      );
      const places = placesOf.get(bib);
      expect([bib, found.position_overall, found.position_gender, found.position_category]).toEqual(
        [bib, places?.['all'] ?? null, places?.['gender'] ?? null, places?.['category'] ?? null],
      );
    }
  });

  test('finds one runner by bib, with splits in the order in which they were run', async () => {
    const response = await request(`${open.board}/bibs/1`);
    expect(BoardResult.strict().parse(await response.json())).toEqual({
      bib_number: '1',
      name: null,
      gender: 'F',
      category: '30-39',
      distance: '21K',
      status: 'FINISHED',
      chip_time: '01:30:00.500',
      gun_time: '01:30:10.000',
      position_overall: 4,
      position_gender: 1,
      position_category: 2,
      splits: [
        { name: 'Km 5', time: '00:20:00.000' },
        { name: 'Km 10', time: '00:41:00.000' },
        { name: 'Last', time: '01:20:00.000' },
      ],
    });
    const out = await request(`${open.board}/bibs/5`);
    expect(await out.json()).toMatchObject({
      status: 'DNF',
      position_overall: null,
      chip_time: null,
    });
  });

  test('with nothing in it is empty, not missing', async () => {
    const eventId = await createEvent(await createOrganization(), { board_enabled: true });
    expect(await snapshotOf(`/board/${eventId}`)).toMatchObject({
      counts: { FINISHED: 0, DNF: 0, DNS: 0, DSQ: 0 },
      arrivals: [],
      leaders: [],
      genders: [],
      categories: [],
      distances: [],
    });
  });

  test('does not part an event of one distance by it', async () => {
    const race = await openBoard();
    await db
      .update(registrations)
      .set({ distance: '21K' })
      .where(eq(registrations.event_id, race.eventId));
    expect((await snapshotOf(race.board)).distances).toEqual([]);
  });
});

describe('what a board says of a person', () => {
  const NEVER = [
    'DOC',
    '@',
    '+000',
    'CHIP-',
    'Secreto',
    'jemplo',
    'muestra',
    'oculta',
    'María',
    'ñíguez',
    'Sinresultado',
    'Nunca',
  ];

  async function everyAnswer(board: string): Promise<string> {
    const paths = ['', '/data', ...PEOPLE.map(({ bib_number }) => `/bibs/${bib_number}`)];
    const answers = await Promise.all(paths.map((path) => request(board + path)));
    return (await Promise.all(answers.map((answer) => answer.text()))).join('\n');
  }

  test('is no name, unless the event says so', async () => {
    const { board } = await openBoard();
    const said = await everyAnswer(board);
    for (const secret of [...NEVER, 'Ana', 'Bruno', 'Ñandú', 'Elena', 'Sola']) {
      expect(said).not.toContain(secret);
    }
  });

  test('is then a first name and the letter of the surname', async () => {
    const { board } = await openBoard({ board_shows_names: true });
    const said = await everyAnswer(board);
    for (const secret of [...NEVER, 'Sola']) expect(said).not.toContain(secret);
    const { leaders } = await snapshotOf(board);
    const names = Object.fromEntries(leaders.map(({ bib_number, name }) => [bib_number, name]));
    expect(names).toEqual({ 1: 'Ana E.', 2: 'Bruno M.', 3: 'Ñandú Ñ.', 4: null });
  });

  test('is nothing of who has no result', async () => {
    const { board } = await openBoard({ board_shows_names: true });
    await expectError(await request(`${board}/bibs/6`), 404, 'NOT_FOUND');
    expect(JSON.stringify(await snapshotOf(board))).not.toContain('60+');
  });
});

describe('a board that is not open', () => {
  const PARTS = ['', '/data', '/bibs/1'];

  async function answerTo(path: string, init?: RequestInit) {
    const response = await request(path, init);
    const headers = Object.fromEntries(response.headers);
    delete headers['x-request-id'];
    return { status: response.status, headers, body: await response.text() };
  }

  test('is answered like one that does not exist', async () => {
    const { eventId } = await openBoard({ board_enabled: false });
    const nothing = await answerTo(`/board/${crypto.randomUUID()}`);
    expect(nothing.status).toBe(404);
    expect(nothing.headers).toMatchObject({
      'cache-control': 'public, max-age=10, stale-if-error=86400',
    });
    for (const id of [eventId, crypto.randomUUID(), eventId.slice(1), '17', 'page', '%00', '%zz']) {
      for (const part of PARTS) {
        const told = await answerTo(`/board/${id}${part}`, { headers: { 'If-None-Match': '"1"' } });
        expect(told, id + part).toEqual(nothing);
      }
    }
    for (const path of ['/board', `/board/${eventId}/none`, `/board/${eventId}/bibs/`]) {
      expect((await answerTo(path)).body).toBe(nothing.body);
    }
  });

  test('opens and closes with the switch', async () => {
    const { board, eventId } = await openBoard({ board_enabled: false });
    expect((await request(`${board}/data`)).status).toBe(404);
    await configure(eventId, { board_enabled: true });
    const opened = await request(`${board}/data`);
    const version = opened.headers.get('ETag') ?? '';
    expect(opened.status).toBe(200);
    await configure(eventId, { board_enabled: false });
    for (const part of PARTS) {
      const closed = await request(board + part, { headers: { 'If-None-Match': version } });
      expect(closed.status).toBe(404);
    }
  });

  test('costs the database nothing where the id cannot be one', async () => {
    const away = startApp(withoutServices(testConfig, 'postgres'));
    const bad = ['17', 'x'.repeat(5_000), '00000000-0000-4000-8000-00000000000g'];
    for (const path of bad) {
      for (const part of PARTS)
        expect((await away.request(`/board/${path}${part}`)).status).toBe(404);
    }
    const event = crypto.randomUUID();
    for (const bib of ['%00', 'a%00', '1'.repeat(41)]) {
      expect((await away.request(`/board/${event}/bibs/${bib}`)).status).toBe(404);
    }
    expect((await away.request(`/board/${event}/data`)).status).toBe(503);
  });
});

describe('what changed', () => {
  test('is told by the version: 304 until then, and one trip either way', async () => {
    const race = await openBoard();
    const first = await request(`${race.board}/data`);
    const version = first.headers.get('ETag') ?? '';
    expect(version).toMatch(/^"[\d.]+"$/);
    expect(first.headers.get('Cache-Control')).toBe('public, max-age=2, stale-if-error=86400');
    for (const known of [version, `W/${version}`, `"1.2", ${version}`, '*']) {
      const same = await request(`${race.board}/data`, { headers: { 'If-None-Match': known } });
      expect([same.status, await same.text()]).toEqual([304, '']);
      expect(same.headers.get('ETag')).toBe(version);
      expect(same.headers.get('Cache-Control')).toBe(first.headers.get('Cache-Control'));
    }
    await upload(race, [{ bib_number: '6', chip_time: '02:00:00' }]);
    const next = await request(`${race.board}/data`, { headers: { 'If-None-Match': version } });
    expect(next.status).toBe(200);
    expect(next.headers.get('ETag')).not.toBe(version);
    const lines = logged.filter(({ route }) => route === '/board/:event_id/data').slice(-6);
    expect(lines.map(({ trips }) => trips)).toEqual(Array(6).fill(1));
  });

  test.each([
    [
      'a corrected category',
      (eventId: string) =>
        db
          .update(registrations)
          .set({ category: '70+' })
          .where(eq(registrations.event_id, eventId)),
    ],
    ['names switched on', (eventId: string) => configure(eventId, { board_shows_names: true })],
    ['another name of the event', (eventId: string) => configure(eventId, { name: 'Renamed' })],
  ])('is also %s', async (_, change) => {
    const { board, eventId } = await openBoard();
    const before = await request(`${board}/data`);
    await change(eventId);
    const known = { 'If-None-Match': before.headers.get('ETag') ?? '' };
    const after = await request(`${board}/data`, { headers: known });
    expect(after.status).toBe(200);
    expect(await after.text()).not.toBe(await before.text());
  });

  test('is told of one runner too', async () => {
    const race = await openBoard();
    const before = await request(`${race.board}/bibs/2`);
    const known = { 'If-None-Match': before.headers.get('ETag') ?? '' };
    expect((await request(`${race.board}/bibs/2`, { headers: known })).status).toBe(304);
    await upload(race, [{ bib_number: '1', chip_time: '01:00:00' }]);
    const after = await request(`${race.board}/bibs/2`, { headers: known });
    expect(await after.json()).toMatchObject({ position_overall: 2 });
  });

  test.each(['"x"', '"1", "2"', '7', '"1.7"', '"99999999999999999999"'])(
    'is everything to who knows no version (%s)',
    async (known) => {
      const { board } = await openBoard();
      const response = await request(`${board}/data`, { headers: { 'If-None-Match': known } });
      expect(response.status).toBe(200);
    },
  );
});

describe('the page', () => {
  test('is the same for every event, may load nothing foreign, and is found by no search engine', async () => {
    const [one, other] = await Promise.all([openBoard(), openBoard({ name: 'Other' })]);
    const page = await request(one.board);
    const html = await page.text();
    expect(html).toBe(await (await request(other.board)).text());
    expect(page.headers.get('Content-Type')).toContain('text/html');
    const policy = page.headers.get('Content-Security-Policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
    expect(policy).not.toContain('unsafe');
    expect(page.headers.get('X-Robots-Tag')).toBe('noindex');
    expect(html).not.toMatch(/https?:|<script(?![^>]* src=)|<style| on\w+=| style=/);
  });

  test('answers HEAD as GET, and no other method', async () => {
    const { board } = await openBoard();
    const head = await request(`${board}/data`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      await expectError(await request(`${board}/data`, { method }), 404, 'NOT_FOUND');
    }
  });
});

describe('a database that is away', () => {
  test('is told, and nothing of that may be kept', async () => {
    const { board } = await openBoard();
    const away = startApp(withoutServices(testConfig, 'postgres'));
    for (const part of ['', '/data', '/bibs/1']) {
      const response = await away.request(board + part);
      await expectError(response, 503, 'SERVICE_UNAVAILABLE');
      expect(response.headers.get('Cache-Control')).toBe('private, no-store');
    }
  });

  test('is not waited for longer than a cache should', async () => {
    const { board } = await openBoard();
    const slow = await injectFault(testConfig, 'postgres', { kind: 'delay', ms: 15_000 });
    const response = await startApp(slow).request(`${board}/data`);
    await expectError(response, 503, 'SERVICE_UNAVAILABLE');
  });
});

test('needs no key, and takes no notice of one', async () => {
  const { board, organizationId } = await openBoard();
  const headers = withKey(await createKey(organizationId, { revoked_at: new Date() }));
  expect((await request(`${board}/data`, { headers })).status).toBe(200);
});
