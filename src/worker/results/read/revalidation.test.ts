import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../../testing/assertions.ts';
import {
  configureEvent,
  createEvent,
  createRace,
  createRegistrations,
  db,
} from '../../../testing/factories.ts';
import { startApp, withKey } from '../../../testing/harness.ts';
import { uploadRows } from '../../../testing/uploads.ts';
import { registrations, results } from '../../db/schema.ts';

const { request } = startApp();

async function racing() {
  const race = await createRace({ bibs: ['1', '2'] });
  await uploadRows(race, [
    { bib_number: '1', chip_time: '50:00', splits: { 'Km 5': '25:00' } },
    { bib_number: '2', chip_time: '51:00' },
  ]);
  const ask = (rest: string, headers: Record<string, string> = {}) =>
    request(`${race.path}/results${rest}`, { headers: { ...withKey(race.key), ...headers } });
  const tag = async (rest = '') => (await ask(rest)).headers.get('ETag') ?? '';
  return { ...race, ask, tag };
}

const ofBib = (eventId: string, bib: string) =>
  and(eq(registrations.event_id, eventId), eq(registrations.bib_number, bib));

describe.each(['', '?gender=F', '?bib=2', '?page=9', '/2'])('results%s', (rest) => {
  test('sends a strong ETag and Cache-Control private, no-cache', async () => {
    const { ask } = await racing();
    const { status, headers } = await ask(rest);
    expect(status).toBe(200);
    expect(headers.get('ETag')).toMatch(/^"[^"]+"$/);
    expect(headers.get('Cache-Control')).toBe('private, no-cache');
  });

  test('answer 304 while nothing changes', async () => {
    const { ask, tag } = await racing();
    const known = await tag(rest);
    for (const sent of [known, `W/${known}`, `"other", ${known}`, `"a,b",W/"c",${known}`, '*']) {
      const response = await ask(rest, { 'If-None-Match': sent });
      expect({ sent, status: response.status }).toEqual({ sent, status: 304 });
      expect(await response.text()).toBe('');
      expect(response.headers.get('ETag')).toBe(known);
      expect(response.headers.get('Cache-Control')).toBe('private, no-cache');
      expect(response.headers.get('RateLimit')).toMatch(/r=\d+/);
      expect(response.headers.get('RateLimit-Policy')).toContain('q=120');
      expect(response.headers.get('X-Request-Id')).toMatch(/./);
    }
  });

  test('sends all results for another ETag', async () => {
    const { ask, tag, path, key } = await racing();
    const known = await tag(rest);
    await uploadRows({ organizationId: '', eventId: '', path, key }, [
      { bib_number: '2', chip_time: '49:00' },
    ]);
    for (const sent of ['"other"', 'W/"0"', known.slice(1, -1), '']) {
      const response = await ask(rest, { 'If-None-Match': sent });
      expect(response.status).toBe(200);
      expect(response.headers.get('ETag')).toMatch(/^"[^"]+"$/);
      expect(await response.text()).not.toBe('');
    }
  });
});

test('answers 404 for a bib without a result, with any If-None-Match', async () => {
  const { ask, path, key, tag, eventId } = await racing();
  await expectError(await ask('/3', { 'If-None-Match': '*' }), 404, 'NOT_FOUND');
  const known = await tag('/1');
  await db.delete(registrations).where(ofBib(eventId, '1'));
  await expectError(await ask('/1', { 'If-None-Match': known }), 404, 'NOT_FOUND');
  const missing = path.replace(/[^/]+$/, crypto.randomUUID());
  for (const sent of ['*', known]) {
    const headers = { ...withKey(key), 'If-None-Match': sent };
    for (const rest of ['', '/1']) {
      await expectError(await request(`${missing}/results${rest}`, { headers }), 404, 'NOT_FOUND');
    }
  }
});

test('validates the request before it compares ETags', async () => {
  const { ask } = await racing();
  const response = await ask('?page=0', { 'If-None-Match': '*' });
  await expectError(response, 400, 'VALIDATION_ERROR');
  expect(response.headers.get('Cache-Control')).toBe('private, no-store');
});

type Racing = Awaited<ReturnType<typeof racing>>;

describe('the ETag', () => {
  test.each<[string, (race: Racing) => Promise<unknown>]>([
    [
      'a new result',
      async (race) => {
        await createRegistrations(race.eventId, [{ bib_number: '3' }]);
        await uploadRows(race, [{ bib_number: '3', status: 'DNS' }]);
      },
    ],
    ['a corrected time', (race) => uploadRows(race, [{ bib_number: '1', chip_time: '50:01' }])],
    [
      'a corrected split',
      (race) =>
        uploadRows(race, [{ bib_number: '1', chip_time: '50:00', splits: { 'Km 5': '25:01' } }]),
    ],
    ['a deleted result', ({ eventId }) => db.delete(results).where(eq(results.event_id, eventId))],
    [
      'a deleted registration',
      ({ eventId }) => db.delete(registrations).where(ofBib(eventId, '1')),
    ],
    [
      'a corrected category',
      ({ eventId }) =>
        db.update(registrations).set({ category: 'Senior' }).where(ofBib(eventId, '1')),
    ],
    [
      'a corrected bib',
      ({ eventId }) =>
        db.update(registrations).set({ bib_number: '17' }).where(ofBib(eventId, '1')),
    ],
  ])('changes with %s', async (_, change) => {
    const race = await racing();
    const before = await race.tag();
    await change(race);
    const after = await race.tag();
    expect(after).not.toBe(before);
    expect((await race.ask('', { 'If-None-Match': before })).status).toBe(200);
    expect((await race.ask('', { 'If-None-Match': after })).status).toBe(304);
  });

  test.each<[string, (race: Racing) => Promise<unknown>]>([
    [
      'an update that no result shows',
      ({ eventId }) =>
        db
          .update(registrations)
          .set({ kit_status: 'READY', document: 'D1' })
          .where(ofBib(eventId, '1')),
    ],
    [
      'an update to the same value',
      ({ eventId }) => db.update(registrations).set({ gender: null }).where(ofBib(eventId, '1')),
    ],
    [
      'a corrected name',
      ({ eventId }) =>
        db.update(registrations).set({ surnames: 'Ejemplo' }).where(ofBib(eventId, '1')),
    ],
    ['a switched board', ({ eventId }) => configureEvent(eventId, { board_enabled: true })],
    [
      'a registration without a result',
      ({ eventId }) => createRegistrations(eventId, [{ bib_number: '3' }]),
    ],
    [
      'another event',
      async (race) => {
        const eventId = await createEvent(race.organizationId);
        await createRegistrations(eventId, [{ bib_number: '1' }]);
        const path = `/public/v1/events/${eventId}`;
        await uploadRows({ ...race, eventId, path }, [{ bib_number: '1', status: 'DNS' }]);
      },
    ],
  ])('stays the same with %s', async (_, change) => {
    const race = await racing();
    const before = await race.tag();
    await change(race);
    expect(await race.tag()).toBe(before);
  });
});

test('answers an If-None-Match of thousands of ETags or of half an ETag', async () => {
  const { ask, tag } = await racing();
  const others = Array.from({ length: 13_000 }, (_, index) => `"${index}"`).join();
  expect((await ask('', { 'If-None-Match': others })).status).toBe(200);
  expect((await ask('', { 'If-None-Match': `${others},${await tag()}` })).status).toBe(304);
  expect((await ask('', { 'If-None-Match': '"'.repeat(60_000) })).status).toBe(200);
  expect((await ask('', { 'If-None-Match': `"${'W/'.repeat(30_000)}` })).status).toBe(200);
});
