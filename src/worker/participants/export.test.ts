import { eq, sql } from 'drizzle-orm';
import Papa from 'papaparse';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import {
  createRace,
  createRegistrations,
  db,
  type RegistrationSeed,
} from '../../testing/factories.ts';
import { request, withKey } from '../../testing/harness.ts';
import { registrations } from '../db/schema.ts';
import { Participant } from './answer-schemas.ts';

const HEADER = Object.keys(Participant.shape).join();

let race: Awaited<ReturnType<typeof createRace>>;
let ids: string[];

beforeAll(async () => {
  race = await createRace();
  const seeds: RegistrationSeed[] = [
    { given_names: 'Runa', mobile_phone: '+1 555 0100', distance: '21K', category: 'Open' },
    { surnames: 'Ñandú, "el"\nSegundo', kit_status: 'READY', distance: '21K', chip: '=C1' },
    { document: '-1', kit_status: 'DELIVERED', distance: '10K', gender: 'X', bib_number: '7' },
    { status: 'PENDING', distance: '21K' },
    { status: 'CANCELLED', distance: '21K' },
  ];
  ids = await createRegistrations(
    race.eventId,
    seeds.map((seed, second) => ({ ...seed, registered_at: new Date(second * 1_000) })),
  );
});

const get = (rest: string, headers: Record<string, string> = {}) =>
  request(`${race.path}/participants${rest}`, { headers: { ...withKey(race.key), ...headers } });

const list = async (rest = '') =>
  (await (await get(rest)).json<{ data: Record<string, string | null>[] }>()).data;

const lines = async (rest = '') => {
  const answer = await get(`/export${rest}`, { Accept: 'application/x-ndjson' });
  return (await answer.text())
    .split('\n')
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line));
};

describe('exportEventParticipants', () => {
  test.each([
    '',
    '?distance=21K',
    '?category=Open&distance=21K',
    '?kit_status=ready',
    '?kit_status=DELIVERED&distance=21K',
  ])('answers the rows of the list in its order: %s', async (rest) => {
    expect(await lines(rest)).toEqual(await list(rest));
  });

  test('writes CSV in which no cell is a formula', async () => {
    const text = await (await get('/export')).text();
    expect(text.slice(0, text.indexOf('\r\n'))).toBe(HEADER);
    const { data } = Papa.parse<Record<string, string>>(text.trimEnd(), { header: true });
    expect(data).toEqual(
      (await list()).map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [
            name,
            (value ?? '').replace(/^[=+-]/, "'$&"),
          ]),
        ),
      ),
    );
    expect(data.map(({ mobile_phone, chip }) => [mobile_phone, chip])).toEqual([
      ["'+1 555 0100", ''],
      ['', "'=C1"],
      ['', ''],
    ]);
  });

  test('answers 304 until a participant changes', async () => {
    const tag = (await get('/export')).headers.get('ETag') ?? '';
    const again = () => get('/export', { 'If-None-Match': tag });
    expect((await again()).status).toBe(304);
    await db
      .update(registrations)
      .set({ email: 'runa@example.com' })
      .where(eq(registrations.id, ids[0] ?? ''));
    expect((await again()).status).toBe(200);
  });

  test('writes a time that has no date as null', async () => {
    const otherRace = await createRace({ bibs: ['1'] });
    await db
      .update(registrations)
      .set({ registered_at: sql`'infinity'` })
      .where(eq(registrations.event_id, otherRace.eventId));
    for (const path of ['/participants', '/participants/export']) {
      const headers = { ...withKey(otherRace.key), Accept: 'application/json' };
      const { data } = await (await request(otherRace.path + path, { headers })).json<{
        data: { registered_at: unknown }[];
      }>();
      expect(data.map(({ registered_at }) => registered_at)).toEqual([null]);
    }
  });
});

describe('listEventParticipants', () => {
  test('has gender, status, time of registration and chip', async () => {
    const [, second, third] = await list();
    expect(second).toMatchObject({ chip: '=C1', status: 'PAID', gender: null });
    expect(third).toMatchObject({ gender: 'X', chip: null });
    expect(third?.['registered_at']).toBe('1970-01-01T00:00:02.000Z');
  });

  test('combines its filters, and counts what matches', async () => {
    const answer = await (await get('?distance=21K&kit_status=%20READY')).json();
    expect(answer).toMatchObject({ data: [{ inscription_id: ids[1] }], meta: { total: 1 } });
    await expectError(await get('?kit_status=LOST'), 400, 'VALIDATION_ERROR');
  });
});

describe('getEventParticipant', () => {
  test('answers a participant of the list', async () => {
    const [first] = await list();
    expect(await (await get(`/${ids[0]}`)).json()).toEqual(first);
  });

  test('answers 404 for an unpaid, cancelled, foreign or impossible registration', async () => {
    const foreign = await createRace();
    const [other] = await createRegistrations(foreign.eventId, [{}]);
    for (const id of [ids[3], ids[4], other, crypto.randomUUID(), '17']) {
      await expectError(await get(`/${id}`), 404, 'NOT_FOUND');
    }
  });
});
