import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { events, eventVersions, registrations, resultCells, results } from '../db/schema.ts';
import { expectError } from '../testing/assertions.ts';
import { createEvent, createRace, createRegistrations, db } from '../testing/factories.ts';
import { startApp, withKey } from '../testing/harness.ts';
import { uploadRows } from '../testing/uploads.ts';

const { request } = startApp();

async function racing() {
  const race = await createRace({ bibs: ['1', '2'] });
  await uploadRows(race, [
    { bib_number: '1', chip_time: '50:00', splits: { 'Km 5': '25:00' } },
    { bib_number: '2', chip_time: '51:00' },
  ]);
  const ask = (rest: string, headers: Record<string, string> = {}) =>
    request(`${race.path}/results${rest}`, { headers: { ...withKey(race.key), ...headers } });
  const tag = async () => (await ask('')).headers.get('ETag') ?? '';
  return { ...race, ask, tag };
}

const ofBib = (eventId: string, bib: string) =>
  and(eq(registrations.event_id, eventId), eq(registrations.bib_number, bib));

describe.each(['', '?gender=F', '?bib=2', '?page=9', '/2'])('results%s', (rest) => {
  test('are sent with a strong tag that a client may keep and has to ask about', async () => {
    const { ask } = await racing();
    const { status, headers } = await ask(rest);
    expect(status).toBe(200);
    expect(headers.get('ETag')).toMatch(/^"[^"]+"$/);
    expect(headers.get('Cache-Control')).toBe('private, no-cache');
  });

  test('are not sent again while nothing has changed', async () => {
    const { ask, tag } = await racing();
    const known = await tag();
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

  test('are sent whole where the tag is of something else', async () => {
    const { ask, tag, path, key } = await racing();
    const known = await tag();
    await uploadRows({ organizationId: '', eventId: '', path, key }, [
      { bib_number: '2', chip_time: '49:00' },
    ]);
    for (const sent of [known, '"other"', 'W/"0"', known.slice(1, -1), '']) {
      const response = await ask(rest, { 'If-None-Match': sent });
      expect(response.status).toBe(200);
      expect(response.headers.get('ETag')).not.toBe(known);
      expect(await response.text()).not.toBe('');
    }
  });
});

test('a bib without a result is 404, whatever the client knows', async () => {
  const { ask, path, key, tag } = await racing();
  await expectError(await ask('/3', { 'If-None-Match': '*' }), 404, 'NOT_FOUND');
  const known = await tag();
  const missing = path.replace(/[^/]+$/, crypto.randomUUID());
  for (const sent of ['*', known]) {
    const headers = { ...withKey(key), 'If-None-Match': sent };
    for (const rest of ['', '/1']) {
      await expectError(await request(`${missing}/results${rest}`, { headers }), 404, 'NOT_FOUND');
    }
  }
});

test('a wrong request is told so before what is known', async () => {
  const { ask } = await racing();
  const response = await ask('?page=0', { 'If-None-Match': '*' });
  await expectError(response, 400, 'VALIDATION_ERROR');
  expect(response.headers.get('Cache-Control')).toBe('private, no-store');
});

type Racing = Awaited<ReturnType<typeof racing>>;

describe('the tag', () => {
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
      'a category',
      ({ eventId }) =>
        db.update(registrations).set({ category: 'Senior' }).where(ofBib(eventId, '1')),
    ],
    [
      'a bib',
      ({ eventId }) =>
        db.update(registrations).set({ bib_number: '17' }).where(ofBib(eventId, '1')),
    ],
    [
      'a name',
      ({ eventId }) =>
        db.update(registrations).set({ surnames: 'Ejemplo' }).where(ofBib(eventId, '1')),
    ],
    [
      'the event',
      ({ eventId }) => db.update(events).set({ board_enabled: true }).where(eq(events.id, eventId)),
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
      'what no result shows',
      ({ eventId }) =>
        db
          .update(registrations)
          .set({ kit_status: 'READY', document: 'D1' })
          .where(ofBib(eventId, '1')),
    ],
    [
      'a value that was there',
      ({ eventId }) => db.update(registrations).set({ gender: null }).where(ofBib(eventId, '1')),
    ],
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
  ])('stays with %s', async (_, change) => {
    const race = await racing();
    const before = await race.tag();
    await change(race);
    expect(await race.tag()).toBe(before);
  });

  test('is never one that the event had, even of a version that is behind the clock', async () => {
    const race = await racing();
    const { eventId } = race;
    const [row] = await db.select().from(eventVersions).where(eq(eventVersions.event_id, eventId));
    const version = row?.version ?? 0;
    // As after a restore to an earlier state.
    await db.update(eventVersions).set({ version: 1 }).where(eq(eventVersions.event_id, eventId));
    await uploadRows(race, [{ bib_number: '1', chip_time: '50:02' }]);
    const [later] = await db
      .select()
      .from(eventVersions)
      .where(eq(eventVersions.event_id, eventId));
    expect(later?.version).toBeGreaterThan(version);
    // As with a clock that was set back.
    const ahead = version * 2;
    await db
      .update(eventVersions)
      .set({ version: ahead })
      .where(eq(eventVersions.event_id, eventId));
    await uploadRows(race, [{ bib_number: '1', chip_time: '50:03' }]);
    expect(
      await db.select().from(eventVersions).where(eq(eventVersions.event_id, eventId)),
    ).toMatchObject([{ version: ahead + 1 }]);
  });
});

test('a deleted event leaves neither version nor cells', async () => {
  const organizer = await createRace();
  const eventId = await createEvent(organizer.organizationId);
  const ids = await createRegistrations(eventId, [{ bib_number: '1' }, { bib_number: '2' }]);
  const race = { ...organizer, eventId, path: `/public/v1/events/${eventId}` };
  await uploadRows(race, [
    { bib_number: '1', chip_time: '50:00' },
    { bib_number: '2', status: 'DNS' },
  ]);
  // Leaves a cell with nobody in it.
  await db.delete(results).where(eq(results.registration_id, ids[1] ?? ''));
  const cells = () => db.select().from(resultCells).where(eq(resultCells.event_id, eventId));
  expect(await cells()).toHaveLength(2);
  await db.delete(events).where(eq(events.id, eventId));
  expect(await cells()).toEqual([]);
  expect(await db.select().from(eventVersions).where(eq(eventVersions.event_id, eventId))).toEqual(
    [],
  );
});
