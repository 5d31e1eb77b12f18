import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import { createEvent, createKey, createOrganization, createRace } from '../../testing/factories.ts';
import { startApp, testConfig, withKey } from '../../testing/harness.ts';
import type { Event } from './answer-schemas.ts';

type Page = {
  data: Event[];
  meta: { page: number; page_size: number; total: number; total_pages: number };
};

const { request } = startApp();

const list = async (key: string, query = '') => {
  const response = await request(`/public/v1/events${query}`, { headers: withKey(key) });
  expect(response.status).toBe(200);
  return response.json<Page>();
};

/** An organization with events on consecutive days, in the order of the list. */
async function createSeason(events: number) {
  const organizationId = await createOrganization();
  const key = await createKey(organizationId);
  const ids: string[] = [];
  for (let day = events; day > 0; day--) {
    ids.push(await createEvent(organizationId, { event_date: new Date(Date.UTC(2031, 0, day)) }));
  }
  return { organizationId, key, ids };
}

test('links each page of a list to the next one', async () => {
  const { key, ids } = await createSeason(5);
  const seen: string[] = [];
  let path: string | undefined = '/public/v1/events?page_size=2';
  while (path) {
    const response: Response = await request(path, { headers: withKey(key) });
    seen.push(...(await response.json<Page>()).data.map(({ id }) => id));
    const [, next] = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('Link') ?? '') ?? [];
    path = next && new URL(next).pathname + new URL(next).search;
  }
  expect(seen).toEqual(ids);
});

describe('an event', () => {
  test('shows the fields of an event and no other', async () => {
    const organizationId = await createOrganization();
    const key = await createKey(organizationId);
    const id = await createEvent(organizationId, {
      name: 'Río Ñandú 10 k — ñ & "quotes"',
      city: 'San Ejemplo',
      event_date: new Date('2031-05-04T09:30:00.250+02:00'),
    });
    const event = {
      id,
      name: 'Río Ñandú 10 k — ñ & "quotes"',
      event_date: '2031-05-04T07:30:00.250Z',
      status: 'open',
      city: 'San Ejemplo',
    };
    const alone = await request(`/public/v1/events/${id}`, { headers: withKey(key) });
    expect(alone.status).toBe(200);
    expect(await alone.json()).toEqual(event);
    expect((await list(key)).data).toEqual([event]);
  });

  test('finds an event by its id in capitals', async () => {
    const { key, eventId } = await createRace();
    const path = `/public/v1/events/${eventId.toUpperCase()}`;
    const response = await request(path, { headers: withKey(key) });
    expect(await response.json()).toMatchObject({ id: eventId });
  });
});

describe('the status of an event', () => {
  const now = new Date('2031-06-01T12:00:00.000Z');
  const before = new Date(now.getTime() - 1);
  const after = new Date(now.getTime() + 1);
  const far = new Date('2031-12-31T00:00:00Z');
  const { request: requestNow } = startApp(testConfig, { now: () => now });

  test.each<[Event['status'], string, Parameters<typeof createEvent>[1]]>([
    ['open', 'without bounds', { event_date: far }],
    ['open', 'at the instant it happens', { event_date: now }],
    ['past', 'once its date has passed', { event_date: before }],
    [
      'open',
      'from the instant registration opens',
      { event_date: far, registration_opens_at: now },
    ],
    ['scheduled', 'before registration opens', { event_date: far, registration_opens_at: after }],
    [
      'open',
      'at the instant registration closes',
      { event_date: far, registration_closes_at: now },
    ],
    ['closed', 'after registration closes', { event_date: far, registration_closes_at: before }],
    [
      'open',
      'between opening and closing',
      { event_date: far, registration_opens_at: before, registration_closes_at: after },
    ],
    [
      'past',
      'before anything about registration',
      { event_date: before, registration_opens_at: after },
    ],
    ['past', 'even with registration open', { event_date: before, registration_closes_at: after }],
    [
      'past',
      'once its date has passed, registration being closed as well',
      { event_date: before, registration_closes_at: before },
    ],
    ['inactive', 'before all else, while to come', { is_active: false, event_date: far }],
    ['inactive', 'before all else, once past', { is_active: false, event_date: before }],
    [
      'inactive',
      'before all else, before registration opens',
      { is_active: false, event_date: far, registration_opens_at: after },
    ],
  ])('is %s %s', async (status, _when, columns) => {
    const organizationId = await createOrganization();
    const headers = withKey(await createKey(organizationId));
    const id = await createEvent(organizationId, columns);
    const alone = await requestNow(`/public/v1/events/${id}`, { headers });
    expect((await alone.json<Event>()).status).toBe(status);
    const listed = await requestNow('/public/v1/events', { headers });
    expect((await listed.json<Page>()).data.map((event) => event.status)).toEqual([status]);
  });
});

describe('listEvents', () => {
  test('sorts by date, latest first, then by id', async () => {
    const organizationId = await createOrganization();
    const key = await createKey(organizationId);
    const day = new Date('2031-03-01T08:00:00Z');
    const tied = Array.from({ length: 5 }, () => crypto.randomUUID());
    for (const id of tied) await createEvent(organizationId, { id, event_date: day });
    const early = await createEvent(organizationId, {
      event_date: new Date('2020-01-01T00:00:00Z'),
    });
    const late = await createEvent(organizationId, {
      event_date: new Date('2032-01-01T00:00:00Z'),
    });
    const { data } = await list(key);
    expect(data.map(({ id }) => id)).toEqual([late, ...tied.sort(), early]);
  });

  test('includes inactive and past events', async () => {
    const organizationId = await createOrganization();
    const key = await createKey(organizationId);
    await createEvent(organizationId, { is_active: false });
    await createEvent(organizationId, { event_date: new Date('2020-01-01T00:00:00Z') });
    expect((await list(key)).data.map(({ status }) => status)).toEqual(['inactive', 'past']);
  });

  test('answers an empty list for an organization without events', async () => {
    const key = await createKey(await createOrganization());
    expect(await list(key)).toEqual({
      data: [],
      meta: { page: 1, page_size: 20, total: 0, total_pages: 0 },
    });
  });

  test('never shows events of another organization', async () => {
    const mine = await createRace();
    const other = await createRace();
    const queries = ['', `?organization_id=${other.organizationId}`, `?event_id=${other.eventId}`];
    for (const query of queries) {
      const { data, meta } = await list(mine.key, query);
      expect(data.map(({ id }) => id)).toEqual([mine.eventId]);
      expect(meta.total).toBe(1);
    }
  });

  test('answers 20 events by default', async () => {
    const { key, ids } = await createSeason(21);
    const first = await list(key);
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 20));
    expect(first.meta).toEqual({ page: 1, page_size: 20, total: 21, total_pages: 2 });
    const second = await list(key, '?page=2');
    expect(second.data.map(({ id }) => id)).toEqual(ids.slice(20));
    expect(second.meta).toEqual({ page: 2, page_size: 20, total: 21, total_pages: 2 });
  });

  test('shows each event on exactly one page, also events of the same date', async () => {
    const organizationId = await createOrganization();
    const key = await createKey(organizationId);
    const event_date = new Date('2031-03-01T08:00:00Z');
    const ids = Array.from({ length: 7 }, () => crypto.randomUUID());
    for (const id of ids) await createEvent(organizationId, { id, event_date });
    const seen: string[] = [];
    for (const page of [1, 2, 3, 4]) {
      const { data, meta } = await list(key, `?page=${page}&page_size=2`);
      expect(meta).toEqual({ page, page_size: 2, total: 7, total_pages: 4 });
      seen.push(...data.map(({ id }) => id));
    }
    expect(seen).toEqual(ids.sort());
  });

  test.each([
    ['?page_size=1', 1, { page: 1, page_size: 1, total: 3, total_pages: 3 }],
    ['?page_size=3', 3, { page: 1, page_size: 3, total: 3, total_pages: 1 }],
    ['?page_size=100', 3, { page: 1, page_size: 100, total: 3, total_pages: 1 }],
    ['?page=2&page_size=2', 1, { page: 2, page_size: 2, total: 3, total_pages: 2 }],
    ['?page=&page_size=%20', 3, { page: 1, page_size: 20, total: 3, total_pages: 1 }],
    ['?page=2', 0, { page: 2, page_size: 20, total: 3, total_pages: 1 }],
    [
      '?page=999999999999999&page_size=100',
      0,
      { page: 999_999_999_999_999, page_size: 100, total: 3, total_pages: 1 },
    ],
  ])('accepts %s, also past the end', async (query, rows, meta) => {
    const { key } = await createSeason(3);
    const answer = await list(key, query);
    expect(answer.data).toHaveLength(rows);
    expect(answer.meta).toEqual(meta);
  });

  test.each([
    ['page', '0'],
    ['page', '-1'],
    ['page', '1.5'],
    ['page', '1e2'],
    ['page', '0x1'],
    ['page', 'one'],
    ['page', '%D9%A1'],
    ['page', '1'.repeat(16)],
    ['page', '1%00'],
    ['page_size', '0'],
    ['page_size', '101'],
    ['page_size', '-20'],
    ['page_size', '20.0'],
    ['page_size', 'NaN'],
  ])('refuses %s=%s and names the parameter', async (name, value) => {
    const { key } = await createRace();
    const path = `/public/v1/events?${name}=${value}`;
    const response = await request(path, { headers: withKey(key) });
    const detail = await expectError(response, 400, 'VALIDATION_ERROR');
    expect(detail).toMatch(new RegExp(`^${name}: expected a whole number from 1`));
  });

  test('refuses a repeated parameter and names each invalid one', async () => {
    const { key } = await createRace();
    const ask = async (query: string) =>
      expectError(
        await request(`/public/v1/events?${query}`, { headers: withKey(key) }),
        400,
        'VALIDATION_ERROR',
      );
    expect(await ask('page=1&page=2')).toMatch(/^page: /);
    expect(await ask('page=1&page=1')).toMatch(/^page: /);
    expect(await ask('page=0&page_size=101')).toMatch(/^page: .* page_size: /);
  });
});
