import { and, eq, sql } from 'drizzle-orm';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import { createEvent, createRace, createRegistrations, db } from '../../testing/factories.ts';
import { request, startApp, testConfig, withKey } from '../../testing/harness.ts';
import { LARGE_NUMBERS } from '../../testing/requests.ts';
import { postJson, uploadRows } from '../../testing/uploads.ts';
import { registrations, results } from '../db/schema.ts';
import { writeCursor } from './cursor.ts';

type Item = { inscription_id: string; bib_number?: string; point?: string; removed?: boolean };

const LISTS = {
  participants: '/participants/export',
  results: '/results/export',
  passings: '/passings/export',
  'start-list': '/start-list',
} as const;

type List = keyof typeof LISTS;

type Following = Pick<Awaited<ReturnType<typeof createRace>>, 'path' | 'key'>;

const ask = (
  { path, key }: Following,
  list: List,
  query: string,
  headers: Record<string, string> = {},
  send = request,
) =>
  send(`${path}${LISTS[list]}?${query}`, {
    headers: { ...withKey(key), Accept: 'application/x-ndjson', ...headers },
  });

const linesOf = (text: string): Item[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

const bodyOf = async (response: Response) => new TextDecoder().decode(await response.arrayBuffer());

async function read(race: Following, list: List, cursor = '') {
  const response = await ask(race, list, `changed_since=${cursor}`);
  if (response.status !== 200) throw new Error(await response.text());
  return {
    cursor: response.headers.get('Next-Cursor') ?? '',
    total: Number(response.headers.get('Total')),
    etag: response.headers.get('ETag') ?? '',
    items: linesOf(await bodyOf(response)),
  };
}

const keyOf = ({ inscription_id, point }: Item) => JSON.stringify([inscription_id, point]);

/** A copy that follows a list. */
function createCopy(race: Following, list: List) {
  const copy = new Map<string, Item>();
  let cursor = '';
  return {
    async poll() {
      const { items, total, cursor: next } = await read(race, list, cursor);
      for (const item of items) {
        if (item.removed) copy.delete(keyOf(item));
        else copy.set(keyOf(item), item);
      }
      cursor = next;
      return { items, isComplete: copy.size === total };
    },
    items: () => [...copy.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
  };
}

const whole = async (race: Following, list: List) =>
  (await read(race, list)).items.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));

const ofBib = (eventId: string, bib: string) =>
  and(eq(registrations.event_id, eventId), eq(registrations.bib_number, bib));

async function createFollowed() {
  const race = await createRace({ bibs: ['1', '2', '3'] });
  await db
    .update(registrations)
    .set({ status: 'PAID', distance: '21K' })
    .where(eq(registrations.event_id, race.eventId));
  await uploadRows(race, [
    { bib_number: '1', chip_time: '40:00', splits: { 'Km 5': '20:00' } },
    { bib_number: '2', status: 'DNF' },
  ]);
  const passings = [{ bib_number: '1', point: 'Km 8', time: '31:00' }];
  await postJson(race, JSON.stringify({ passings }), { to: '/passings' });
  return race;
}

describe('a copy of participants', () => {
  test('starts with all of them, and then gets who is new, different or gone', async () => {
    const race = await createFollowed();
    const copy = createCopy(race, 'participants');
    expect(await copy.poll()).toMatchObject({ isComplete: true, items: [{}, {}, {}] });
    const quiet = await copy.poll();
    expect(quiet.isComplete).toBe(true);

    await createRegistrations(race.eventId, [{ bib_number: '9', status: 'PAID' }]);
    await db.update(registrations).set({ status: 'CANCELLED' }).where(ofBib(race.eventId, '2'));
    await db.update(registrations).set({ chip: 'C3' }).where(ofBib(race.eventId, '3'));
    const { items, isComplete } = await copy.poll();
    expect(isComplete).toBe(true);
    // While a transaction of another test runs, an unchanged row comes again.
    expect(items.filter(({ bib_number }) => bib_number !== '1')).toHaveLength(3);
    expect(items.filter(({ removed }) => removed).map((item) => Object.keys(item))).toEqual([
      ['inscription_id', 'removed'],
    ]);
    expect(copy.items()).toEqual(await whole(race, 'participants'));
  });

  test('has the form of the export', async () => {
    const race = await createFollowed();
    const exported = await request(`${race.path}/participants/export`, {
      headers: { ...withKey(race.key), Accept: 'application/x-ndjson' },
    });
    expect((await read(race, 'participants')).items).toEqual(linesOf(await bodyOf(exported)));
  });

  test('knows by the total that a row was deleted outright', async () => {
    const race = await createFollowed();
    const copy = createCopy(race, 'participants');
    await copy.poll();
    await db.delete(registrations).where(ofBib(race.eventId, '3'));
    expect((await copy.poll()).isComplete).toBe(false);
  });
});

describe('a copy of results', () => {
  test('has their own splits and no positions', async () => {
    const race = await createFollowed();
    const { items, total } = await read(race, 'results');
    expect(total).toBe(2);
    expect(items[0]).toMatchObject({ bib_number: '1', splits: { 'Km 5': '00:20:00.000' } });
    expect(Object.keys(items[0] ?? {}).filter((name) => name.startsWith('position'))).toEqual([]);
  });

  test('gets corrections, other bibs, and what a deletion or a revert took away', async () => {
    const race = await createFollowed();
    const copy = createCopy(race, 'results');
    await copy.poll();
    const [, late] = [
      await uploadRows(race, [{ bib_number: '1', chip_time: '41:00' }]),
      await uploadRows(race, [{ bib_number: '3', chip_time: '44:00' }]),
    ];
    await db.update(registrations).set({ bib_number: '22' }).where(ofBib(race.eventId, '2'));
    expect(await copy.poll()).toMatchObject({ isComplete: true });
    expect(copy.items()).toEqual(await whole(race, 'results'));

    const deleted = await request(`${race.path}/results/22`, {
      method: 'DELETE',
      headers: withKey(race.key),
    });
    expect(deleted.status).toBe(200);
    await postJson(race, '', { to: `/result-batches/${late.batch_id}/revert` });
    const { items, isComplete } = await copy.poll();
    expect(isComplete).toBe(true);
    expect(items.filter(({ removed }) => removed)).toHaveLength(2);
    expect(copy.items()).toEqual(await whole(race, 'results'));
    expect(copy.items()).toHaveLength(1);
  });
});

test('sends every runner without a cancellation to a copy of the start list, without contacts', async () => {
  const race = await createRace();
  const [id = ''] = await createRegistrations(race.eventId, [
    { bib_number: '1', chip: 'C1', given_names: 'Runa', document: 'X1', email: 'runa@example.com' },
    { bib_number: '2', status: 'PAID' },
    { bib_number: '3', status: 'CANCELLED' },
  ]);
  const copy = createCopy(race, 'start-list');
  expect(await copy.poll()).toMatchObject({ isComplete: true, items: [{}, {}] });
  expect(copy.items().find(({ inscription_id }) => inscription_id === id)).toEqual({
    inscription_id: id,
    bib_number: '1',
    chip: 'C1',
    given_names: 'Runa',
    surnames: null,
    gender: null,
    distance: null,
    category: null,
    kit_status: null,
  });
  await db.update(registrations).set({ status: 'CANCELLED' }).where(ofBib(race.eventId, '2'));
  await db.update(registrations).set({ bib_number: '412' }).where(ofBib(race.eventId, '1'));
  await createRegistrations(race.eventId, [{ bib_number: '4' }]);
  expect(await copy.poll()).toMatchObject({ isComplete: true });
  expect(copy.items()).toEqual(await whole(race, 'start-list'));
  const csv = await request(`${race.path}/start-list`, { headers: withKey(race.key) });
  expect(await csv.text()).toMatch(
    /^inscription_id,bib_number,chip,.*kit_status\r\n.*,412,C1,Runa/,
  );
  expect(csv.headers.get('Next-Cursor')).toBeNull();
});

test('sends new passings to a copy, whose total reveals a deleted point', async () => {
  const race = await createFollowed();
  const copy = createCopy(race, 'passings');
  await copy.poll();
  const passings = [{ bib_number: '2', point: 'Km 8', time: '32:00' }];
  await postJson(race, JSON.stringify({ passings }), { to: '/passings' });
  expect(await copy.poll()).toMatchObject({ isComplete: true });
  expect(copy.items()).toEqual(await whole(race, 'passings'));
  await request(`${race.path}/passings?point=Km%208`, {
    method: 'DELETE',
    headers: withKey(race.key),
  });
  expect(await copy.poll()).toMatchObject({ isComplete: false });
});

describe('an answer to changed_since', () => {
  test('is CSV with a column for who left', async () => {
    const race = await createFollowed();
    const { cursor } = await read(race, 'participants');
    await db.update(registrations).set({ status: 'PENDING' }).where(ofBib(race.eventId, '2'));
    const response = await ask(race, 'participants', `changed_since=${cursor}`, { Accept: '' });
    const { data } = Papa.parse<Record<string, string>>(await response.text(), { header: true });
    const gone = data.find(({ removed }) => removed === 'true');
    expect(gone).toMatchObject({ given_names: '', bib_number: '', removed: 'true' });
    expect(Object.keys(gone ?? {}).at(-1)).toBe('removed');
  });

  test('is lines of JSON for whoever asks for JSON', async () => {
    const response = await ask(await createFollowed(), 'results', 'changed_since=', {
      Accept: 'application/json',
    });
    expect(response.headers.get('Content-Type')).toBe('application/x-ndjson; charset=utf-8');
    expect(linesOf(await bodyOf(response))).toHaveLength(2);
  });

  test('says the cursor and the total without a row too, and to HEAD', async () => {
    const { path, key } = await createRace();
    for (const method of ['GET', 'HEAD']) {
      const response = await request(`${path}/results/export?changed_since=`, {
        method,
        headers: withKey(key),
      });
      expect(response.headers.get('Total')).toBe('0');
      expect(response.headers.get('Next-Cursor')).toMatch(/^[\w-]+$/);
      await response.arrayBuffer();
    }
  });

  test('is 304 with both headers while it is the same', async () => {
    const race = await createFollowed();
    const { cursor, etag } = await read(race, 'results');
    const same = () => ask(race, 'results', `changed_since=${cursor}`, { 'If-None-Match': etag });
    const first = await same();
    const again = await ask(race, 'results', `changed_since=${cursor}`, {
      'If-None-Match': first.headers.get('ETag') ?? '',
    });
    expect([200, 304]).toContain(again.status);
    expect(again.headers.get('Total')).toBe('2');
    expect(again.headers.get('Next-Cursor')).toMatch(/^[\w-]+$/);
  });

  test.each<[string, (cursor: string) => string, RegExp]>([
    ['a cursor that was cut', (cursor) => cursor.slice(0, -2), /expected nothing or the Next-Cur/],
    ['a cursor with another sign', (cursor) => `A${cursor.slice(1)}`, /expected nothing or/],
    ['a text', () => 'yesterday', /expected nothing or/],
    ['a long text', () => 'x'.repeat(3_000), /expected nothing or/],
    ['a filter beside it', (cursor) => `${cursor}&distance=21K`, /without distance/],
  ])('is 400 to %s', async (_, change, told) => {
    const race = await createFollowed();
    const { cursor } = await read(race, 'participants');
    const response = await ask(race, 'participants', `changed_since=${change(cursor)}`);
    expect(await expectError(response, 400, 'VALIDATION_ERROR')).toMatch(told);
  });

  test('is 400 to a cursor of another list, event or generation', async () => {
    const race = await createFollowed();
    const { cursor } = await read(race, 'participants');
    const query = `changed_since=${cursor}`;
    const otherId = await createEvent(race.organizationId);
    const otherRace = { ...race, path: `/public/v1/events/${otherId}` };
    const restored = startApp({ ...testConfig, COPIES_GENERATION: '2' });
    for (const response of [
      await ask(race, 'results', query),
      await ask(otherRace, 'participants', query),
    ]) {
      expect(await expectError(response, 400, 'VALIDATION_ERROR')).toMatch(/another list or event/);
    }
    const response = await ask(race, 'participants', query, {}, restored.request);
    expect(await expectError(response, 400, 'VALIDATION_ERROR')).toMatch(/before it was restored/);
  });

  test('is 400 to a cursor with a number that PostgreSQL cannot hold or has not counted to', async () => {
    const race = await createRace({ bibs: ['1'] });
    for (const list of Object.keys(LISTS) as List[]) {
      for (const cursor of ['99999999999999999999', ...LARGE_NUMBERS]) {
        const moment = { identity: 'this', cursor, total: 0 };
        const crafted = writeCursor({ list, eventId: race.eventId }, moment, '');
        const response = await ask(race, list, `changed_since=${crafted}`);
        await expectError(response, 400, 'VALIDATION_ERROR');
      }
    }
  });

  test('is 404 for an event of another organization, whatever the cursor', async () => {
    const [race, { key }] = [await createFollowed(), await createRace()];
    const { cursor } = await read(race, 'participants');
    for (const text of ['', cursor]) {
      const response = await ask({ ...race, key }, 'participants', `changed_since=${text}`);
      await expectError(response, 404, 'NOT_FOUND');
    }
  });
});

test('repeats rows that an open transaction may have written before the cursor of a copy', async () => {
  const race = await createFollowed();
  const { cursor } = await read(race, 'results');
  await db
    .update(results)
    .set({ splits: sql`splits || '{"Km 6": 1300000}'` })
    .where(eq(results.event_id, race.eventId));
  const { items } = await read(race, 'results', cursor);
  expect(items).toHaveLength(2);
  expect((await read(race, 'results', cursor)).items).toEqual(items);
});
