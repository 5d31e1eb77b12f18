import { exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import { configureEvent, createRace, createRegistrations } from '../../testing/factories.ts';
import { startApp, withKey } from '../../testing/harness.ts';
import { panelOf } from '../../testing/members.ts';
import { uploadRows } from '../../testing/uploads.ts';
import type { Board, BoardEntry, BoardResult, BoardSnapshot, OpenPoint } from './answer-schemas.ts';

const { request } = startApp();

type Page<Item> = { data: Item[]; meta: { total: number; total_pages: number } };

const PEOPLE = [
  { bib_number: '1', given_names: 'Ada Luz', surnames: 'Ejemplo', gender: 'F', distance: '21K' },
  { bib_number: '2', given_names: 'Bruno', surnames: 'Muestra', gender: 'M', distance: '21K' },
  { bib_number: '3', given_names: 'Ciro', surnames: 'Prueba', gender: 'M', distance: '10K' },
  { bib_number: '4', given_names: 'Dora', surnames: 'Nadie', gender: 'F', distance: '10K' },
];

async function openRace() {
  const race = await createRace();
  await createRegistrations(
    race.eventId,
    PEOPLE.map((person) => ({ ...person, email: 'a@example.org', document: 'SECRET-7' })),
  );
  await configureEvent(race.eventId, { board_enabled: true, board_names: 'initials' });
  await uploadRows(race, [
    { bib_number: '1', time: '01:30:00' },
    { bib_number: '2', time: '01:20:00' },
    { bib_number: '3', time: '00:40:00' },
  ]);
  await request(`${race.path}/passings`, {
    method: 'POST',
    headers: { ...withKey(race.key), 'Content-Type': 'application/json' },
    body: '{"passings":[{"bib_number":"2","point":"Km 10","time":"41:28"}]}',
  });
  return { ...race, open: `/board/v1/${race.eventId}`, board: `/board/${race.eventId}` };
}

let race: Awaited<ReturnType<typeof openRace>>;

beforeAll(async () => {
  race = await openRace();
});

async function read<T>(path: string): Promise<T> {
  const response = await request(path);
  expect(response.status).toBe(200);
  return response.json<T>();
}

describe('the live board for programs', () => {
  test('says what the board shows of the event and its races', async () => {
    const open = await read<Board>(race.open);
    const { event, official, races } = await read<BoardSnapshot>(`${race.board}/data`);
    const { event_id, official: state, races: shown, ...about } = open;
    expect(event).toMatchObject(about);
    expect({ event_id, official: state, races: shown }).toEqual({
      event_id: race.eventId,
      official,
      races: races.map(({ points, finish_times, arrivals_per_minute, ...rest }) => rest),
    });
    expect(open.races.map(({ distance, counts }) => [distance, counts.FINISHED])).toEqual([
      ['10K', 1],
      ['21K', 2],
    ]);
  });

  test('lists results by page, with places within the distance and the group of the filter', async () => {
    const placesOf = async (query: string) => {
      const { data, meta } = await read<Page<BoardEntry>>(`${race.open}/results?${query}`);
      return [meta.total, ...data.map(({ bib_number, place }) => `${bib_number}:${place}`)];
    };
    expect(await placesOf('')).toEqual([3, '3:1', '2:1', '1:2']);
    expect(await placesOf('distance=21K')).toEqual([2, '2:1', '1:2']);
    expect(await placesOf('distance=21K&gender=F')).toEqual([1, '1:1']);
    expect(await placesOf('page_size=1&page=2')).toEqual([3, '2:1']);
    expect(await placesOf('page=9')).toEqual([3]);
    const first = await request(`${race.open}/results?page_size=2`);
    expect(first.headers.get('Link')).toMatch(/\/results\?page_size=2&page=2>; rel="next"$/);
    await expectError(await request(`${race.open}/results?page=0`), 400, 'VALIDATION_ERROR');
  });

  test('returns a runner as the board does', async () => {
    const runner = await read<BoardResult>(`${race.open}/runners/002`);
    expect(runner).toEqual(await read<BoardResult>(`${race.board}/bibs/2`));
    expect(runner).toMatchObject({
      bib_number: '2',
      name: 'Bruno M.',
      overall: { place: 1, of: 2 },
    });
  });

  test('lists the points of the races', async () => {
    const { data, meta } = await read<Page<OpenPoint>>(`${race.open}/points`);
    expect(meta.total).toBe(1);
    const shown = { name: 'Bruno M.', time: '00:41:28.000' };
    const counted = { passed: 1, order: 1, km: 10 };
    expect(data).toMatchObject([{ distance: '21K', point: 'Km 10', ...counted, first: [shown] }]);
    expect((await read<Page<OpenPoint>>(`${race.open}/points?page=2`)).data).toEqual([]);
  });

  test('lists points in the order and at the kilometres that the organization told, led by nobody who did not start', async () => {
    const told = await openRace();
    const send = (method: string, path: string, body: object) =>
      request(told.path + path, {
        method,
        headers: { ...withKey(told.key), 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    await send('POST', '/passings', {
      passings: [
        { bib_number: '2', point: 'Bridge', time: '50:00' },
        { bib_number: '1', point: 'Km 10', time: '40:00' },
      ],
    });
    await send('PUT', '/points', {
      version: 0,
      points: [
        { name: 'bridge', distance: '21K', order: 1, km: 8.5 },
        { name: 'Km 10', order: 2 },
      ],
    });
    await uploadRows(told, [{ bib_number: '1', status: 'DNS' }]);
    const { data } = await read<Page<OpenPoint>>(`${told.open}/points`);
    const half = data.filter(({ distance }) => distance === '21K');
    expect(half.map(({ point, order, km, first }) => [point, order, km, first.length])).toEqual([
      ['Bridge', 1, 8.5, 1],
      ['Km 10', 2, 10, 1],
    ]);
    // Nobody of the other race has passed the point of all races.
    expect(data.filter(({ distance }) => distance !== '21K')).toMatchObject([
      { point: 'Km 10', passed: 0, first: [], latest: [] },
    ]);
  });

  test('says no more of anybody than the board', async () => {
    const pages = ['', '/results', '/points', '/runners/1', '/runners/4'];
    const texts = await Promise.all(
      pages.map(async (page) => (await request(race.open + page)).text()),
    );
    expect(texts.join()).toContain('Ada E.');
    expect(texts.join()).not.toMatch(/Ejemplo|Muestra|Dora|example\.org|SECRET|Luz/);
  });

  test('hides a name that is hidden on the board', async () => {
    const hiding = await openRace();
    await (await panelOf(hiding)).ask('/hidden-names/2', { method: 'PUT' });
    for (const page of ['', '/results', '/points', '/runners/2']) {
      const text = await (await request(hiding.open + page)).text();
      expect(text).toMatch(/"bib_number":"2"/);
      expect(text).not.toContain('Bruno');
    }
  });

  test('answers 404 while the board is off', async () => {
    const { eventId } = await createRace({ bibs: ['17'] });
    for (const page of ['', '/results', '/points', '/runners/17']) {
      await expectError(await request(`/board/v1/${eventId}${page}`), 404, 'NOT_FOUND');
    }
    await expectError(await request(`${race.open}/runners/99`), 404, 'NOT_FOUND');
  });

  test('lets pages of every site read its answers and its errors, and asks nobody for credentials', async () => {
    const origin = { Origin: 'https://club.example' };
    for (const path of [
      race.open,
      `/board/v1/${crypto.randomUUID()}`,
      `${race.open}/results?page=0`,
    ]) {
      const { headers } = await request(path, { headers: origin });
      expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(headers.get('Access-Control-Allow-Credentials')).toBeNull();
    }
    const preflight = await request(race.open, {
      method: 'OPTIONS',
      headers: {
        ...origin,
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'if-none-match',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('Access-Control-Allow-Headers')).toBe('If-None-Match');
    for (const path of [race.path, `${race.board}/data`]) {
      const { headers } = await request(path, { headers: origin });
      expect(headers.get('Access-Control-Allow-Origin')).toBeNull();
    }
  });

  test('answers 304 to who has the answer, to pages of other sites too', async () => {
    const etag = (await request(race.open)).headers.get('ETag') ?? '';
    const same = await request(race.open, { headers: { 'If-None-Match': etag } });
    expect(same.status).toBe(304);
    expect(same.headers.get('Access-Control-Allow-Origin')).toBe('*');
  });

  test('passes the cache before the entrypoint Board, as one address for one answer', {
    timeout: 120_000,
  }, async () => {
    const url = `https://race.example/board/v1/${race.eventId.toUpperCase()}/results?x=1&page=01`;
    const first = await exports.default.fetch(new Request(url));
    expect(first.headers.get('Cache-Tag')).toBe(race.eventId);
    expect(first.headers.get('Cache-Control')).toMatch(/^public, max-age=\d+, stale-while/);
    const etag = first.headers.get('ETag') ?? '';
    const again = await exports.default.fetch(
      new Request(url, { headers: { 'If-None-Match': etag } }),
    );
    expect([again.status, again.headers.get('Access-Control-Allow-Origin')]).toEqual([304, '*']);
    const page = await exports.default.fetch(
      new Request(`https://race.example/board/v1/${crypto.randomUUID()}`, {
        headers: { Accept: 'text/html' },
      }),
    );
    expect(page.headers.get('Content-Type')).toContain('json');
  });
});
