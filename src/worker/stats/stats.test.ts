import { describe, expect, test } from 'vitest';
import {
  createEvent,
  createRace,
  createRegistrations,
  type RegistrationSeed,
} from '../../testing/factories.ts';
import { startApp, withKey } from '../../testing/harness.ts';
import type { EventStats } from './answer-schemas.ts';

const { request } = startApp();

async function statsOf({ key, path }: { key: string; path: string }): Promise<EventStats> {
  const response = await request(`${path}/stats`, { headers: withKey(key) });
  expect(response.status).toBe(200);
  return response.json<EventStats>();
}

async function createRaceOf(seeds: RegistrationSeed[]) {
  const race = await createRace();
  await createRegistrations(race.eventId, seeds);
  return race;
}

describe('getEventStats', () => {
  test('counts registrations of every state in every breakdown', async () => {
    const twice = crypto.randomUUID();
    const race = await createRaceOf([
      { status: 'PAID', distance: '10K', category: 'M30', gender: 'M', kit_status: 'READY' },
      { status: 'PAID', distance: '21K', category: 'F40', gender: 'F', kit_status: 'DELIVERED' },
      { status: 'PENDING', distance: '10K', category: 'F40', gender: 'F', kit_status: 'PENDING' },
      { status: 'CANCELLED', distance: '42K', category: 'M30', gender: 'X', kit_status: 'READY' },
      { status: 'CANCELLED', distance: '10K', person_id: twice },
      { status: 'PAID', category: 'M30', person_id: twice },
    ]);
    expect(await statsOf(race)).toEqual({
      event_id: race.eventId,
      total_inscriptions: 6,
      paid_inscriptions: 3,
      total_participants: 5,
      by_status: { PAID: 3, PENDING: 1, CANCELLED: 2 },
      by_distance: [
        { distance: '10K', count: 3 },
        { distance: '21K', count: 1 },
        { distance: '42K', count: 1 },
      ],
      by_category: [
        { category: 'F40', count: 2 },
        { category: 'M30', count: 3 },
      ],
      by_kit_status: { PENDING: 1, READY: 2, DELIVERED: 1 },
      by_gender: { F: 2, M: 1, X: 1 },
    });
  });

  test('answers zeros for an event without registrations', async () => {
    const race = await createRace();
    expect(await statsOf(race)).toEqual({
      event_id: race.eventId,
      total_inscriptions: 0,
      paid_inscriptions: 0,
      total_participants: 0,
      by_status: {},
      by_distance: [],
      by_category: [],
      by_kit_status: {},
      by_gender: {},
    });
  });

  test('counts a missing value in the totals and in no bucket', async () => {
    expect(await statsOf(await createRaceOf([{}, {}, { distance: '5K' }]))).toMatchObject({
      total_inscriptions: 3,
      paid_inscriptions: 3,
      total_participants: 3,
      by_status: { PAID: 3 },
      by_distance: [{ distance: '5K', count: 1 }],
      by_category: [],
      by_kit_status: {},
      by_gender: {},
    });
  });

  test('counts no pending or cancelled registration as paid', async () => {
    const race = await createRaceOf([{ status: 'PENDING' }, { status: 'CANCELLED' }]);
    expect(await statsOf(race)).toMatchObject({
      total_inscriptions: 2,
      paid_inscriptions: 0,
      by_status: { PENDING: 1, CANCELLED: 1 },
    });
  });

  test('counts a person with several registrations once', async () => {
    const [ana, ben] = [crypto.randomUUID(), crypto.randomUUID()];
    const race = await createRaceOf([
      { person_id: ana },
      { person_id: ana, status: 'CANCELLED' },
      { person_id: ana, status: 'PENDING' },
      { person_id: ben, status: 'CANCELLED' },
    ]);
    expect(await statsOf(race)).toMatchObject({ total_inscriptions: 4, total_participants: 2 });
  });

  test('sorts buckets by name, independent of the locale', async () => {
    const names = ['5K', '10K', 'b', 'B', 'a', 'Ñ', 'N', 'z', '_', 'Z 2', 'Z1'];
    const { by_distance, by_category } = await statsOf(
      await createRaceOf(names.map((name) => ({ distance: name, category: name }))),
    );
    expect(by_distance?.map(({ distance }) => distance)).toEqual(names.toSorted());
    expect(by_category?.map(({ category }) => category)).toEqual(names.toSorted());
  });

  test('keeps names that JavaScript objects reserve', async () => {
    const race = await createRaceOf([{ gender: '__proto__' }, { gender: 'constructor' }]);
    expect(Object.entries((await statsOf(race)).by_gender)).toEqual(
      expect.arrayContaining([
        ['__proto__', 1],
        ['constructor', 1],
      ]),
    );
  });

  test('counts one event only, even if a person runs two', async () => {
    const person_id = crypto.randomUUID();
    const race = await createRaceOf([{ person_id, distance: '5K' }]);
    const stranger = await createRace();
    for (const eventId of [await createEvent(race.organizationId), stranger.eventId]) {
      await createRegistrations(eventId, [{ person_id, distance: '5K' }, { distance: '10K' }]);
    }
    expect(await statsOf(race)).toMatchObject({
      total_inscriptions: 1,
      total_participants: 1,
      by_distance: [{ distance: '5K', count: 1 }],
    });
  });
});
