import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  configureEvent,
  createRace,
  createRegistrations,
  createStart,
} from '../../testing/factories.ts';
import { startApp, testConfig, withKey } from '../../testing/harness.ts';
import { uploadRows } from '../../testing/uploads.ts';
import { connect } from '../db/client.ts';
import { consoleLog } from '../log.ts';
import { BoardResult, BoardSnapshot } from './answer-schemas.ts';
import { createBoards } from './boards.ts';
import type { Span } from './course.ts';
import { quantilesOf } from './points.ts';
import { SPAN_MS } from './select-course.ts';

const clock = { ms: Date.now() };
const { request } = startApp(testConfig, {
  boards: createBoards({ db: connect(testConfig.DATABASE_URL), log: consoleLog, now }),
});

/** The clock leaps, so each request reads the documents again. */
function now(): number {
  clock.ms += 3_600_000;
  return clock.ms;
}

async function openRace() {
  const race = await createRace();
  await configureEvent(race.eventId, { board_enabled: true, board_names: 'initials' });
  await createRegistrations(
    race.eventId,
    ['1', '2', '3', '4', '5'].map((bib_number) => ({
      bib_number,
      distance: bib_number === '5' ? '10K' : '21K',
      gender: Number(bib_number) % 2 ? 'F' : 'M',
    })),
  );
  const send = async (method: string, path: string, body: object) => {
    const answer = await request(race.path + path, {
      method,
      headers: { ...withKey(race.key), 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
  };
  const data = async () => (await request(`/board/${race.eventId}/data`)).text();
  const half = async () => {
    const { races } = BoardSnapshot.parse(JSON.parse(await data()));
    return races.find(({ distance }) => distance === '21K');
  };
  return { ...race, send, data, half };
}

test('has equal data at any hour while nothing is stored', async () => {
  const race = await openRace();
  await createStart(race.eventId, new Date(clock.ms), {});
  await race.send('PUT', '/points', {
    version: 0,
    points: [
      { name: 'Km 5', order: 1 },
      { name: 'Bridge', order: 2, km: 12 },
    ],
  });
  await race.send('POST', '/passings', {
    passings: [
      { bib_number: '1', point: 'Km 5', time: '21:00' },
      { bib_number: '2', point: 'Km 5', time: '22:30' },
    ],
  });
  await uploadRows(race, [{ bib_number: '3', time: '01:20:00' }]);
  const first = await race.data();
  const hours = clock.ms;
  expect(await race.data()).toBe(first);
  expect(clock.ms).toBeGreaterThan(hours);
});

test('shows the told points from the start, and the times at a point once runners pass', async () => {
  const race = await openRace();
  await race.send('PUT', '/points', {
    version: 0,
    points: [
      { name: 'Bridge', order: 1, km: 12 },
      { name: 'km 15', order: 2, distance: '21K' },
      { name: 'Km 7', order: 3, distance: '10K' },
    ],
  });
  const points = async () =>
    (await race.half())?.points.map(({ point, km, passed, quantiles }) => [
      point,
      km,
      passed,
      ...quantiles.filter((_, at) => at % 10 === 0),
    ]);
  expect(await points()).toEqual([
    ['Bridge', 12, 0],
    ['km 15', 15, 0],
  ]);
  await race.send('POST', '/passings', {
    passings: ['50:00', '51:00', '53:00'].map((time, at) => ({
      bib_number: String(at + 1),
      point: 'Km 15',
      time: `00:${time}`,
    })),
  });
  await race.send('POST', '/passings', {
    passings: [{ bib_number: '5', point: 'Bridge', time: '40:00' }],
  });
  expect(await points()).toEqual([
    ['Bridge', 12, 0],
    ['Km 15', 15, 3, 3_000, 3_060, 3_180],
  ]);
});

test('shows and counts no runner who is DNS at a point: another runner may have the bib', async () => {
  const race = await openRace();
  await race.send('POST', '/passings', {
    passings: ['50:00', '50:30', '51:00'].map((time, at) => ({
      bib_number: String(at + 1),
      point: 'Km 15',
      time: `00:${time}`,
    })),
  });
  await race.send('POST', '/results', { results: [{ bib_number: '1', status: 'DNS' }] });
  const [point] = (await race.half())?.points ?? [];
  expect(point?.passed).toBe(2);
  expect(point?.quantiles[0]).toBe(3_030);
  expect(point?.first.map(({ bib_number: bib }) => bib)).toEqual(['2', '3']);
  expect(point?.latest.map(({ bib_number: bib }) => bib)).toEqual(['3', '2']);
  const placeOf = async (bib: string) => {
    const answer = await request(`/board/${race.eventId}/bibs/${bib}`);
    return BoardResult.parse(await answer.json()).splits.map(({ place }) => place);
  };
  expect(await Promise.all(['1', '2', '3'].map(placeOf))).toEqual([[null], [1], [2]]);
});

test('gives the place at every point with passings, of finishers too', async () => {
  const race = await openRace();
  const passings = [
    ['1', 'Km 5', '20:30'],
    ['2', 'Km 5', '20:10'],
    ['3', 'Km 5', '22:00'],
    ['5', 'Km 5', '19:00'],
    ['1', 'Km 10', '41:00'],
    ['2', 'Km 10', '42:00'],
  ] as const;
  await race.send('POST', '/passings', {
    passings: passings.map(([bib_number, point, time]) => ({ bib_number, point, time })),
  });
  await uploadRows(race, [
    { bib_number: '1', time: '01:25:00', splits: { 'Km 5': '20:00', Lap: '50:00' } },
  ]);
  const placesOf = async (bib: string) => {
    const answer = await request(`/board/${race.eventId}/bibs/${bib}`);
    const { splits, place_at_last_point } = BoardResult.parse(await answer.json());
    return [place_at_last_point, ...splits.map(({ name, place }) => `${name} ${place}`)];
  };
  expect(await placesOf('1')).toEqual([null, 'Km 5 2', 'Km 10 1', 'Lap null']);
  expect(await placesOf('2')).toEqual([2, 'Km 5 1', 'Km 10 2']);
  expect(await placesOf('3')).toEqual([3, 'Km 5 3']);
});

test('shows the splits of a runner in the told order, and a sent split and a passing of one point once', async () => {
  const race = await openRace();
  await race.send('PUT', '/points', {
    version: 0,
    points: [
      { name: 'Bridge', order: 1, km: 4 },
      { name: 'Tower', order: 2, km: 9 },
    ],
  });
  await race.send('POST', '/passings', {
    passings: [
      { bib_number: '1', point: 'Tower', time: '30:00' },
      { bib_number: '1', point: 'Bridge', time: '31:00' },
      { bib_number: '2', point: 'Bridge', time: '30:30' },
    ],
  });
  const card = async () => {
    const answer = await request(`/board/${race.eventId}/bibs/1`);
    return BoardResult.parse(await answer.json());
  };
  const splits = async () =>
    (await card()).splits.map(({ name, time, place }) => `${name} ${time} ${place}`);
  expect(await splits()).toEqual(['Bridge 00:31:00.000 2', 'Tower 00:30:00.000 1']);
  expect((await card()).place_at_last_point).toBe(1);
  const sent = { BRIDGE: '29:00', Lap: '10:00' };
  await uploadRows(race, [{ bib_number: '1', time: '01:25:00', splits: sent }]);
  expect(await splits()).toEqual([
    'Lap 00:10:00.000 null',
    'BRIDGE 00:29:00.000 2',
    'Tower 00:30:00.000 1',
  ]);
});

test('counts finish times and arrivals by gender', async () => {
  const race = await openRace();
  await uploadRows(race, [
    { bib_number: '1', time: '01:00:05' },
    { bib_number: '2', time: '01:00:31' },
    { bib_number: '3', time: '01:04:59' },
    { bib_number: '4', status: 'DNF' },
  ]);
  const half = await race.half();
  expect(half?.finish_times).toEqual({
    from: 3_600,
    step: 60,
    groups: [
      { gender: 'F', counts: [1, 0, 0, 0, 1] },
      { gender: 'M', counts: [1, 0, 0, 0, 0] },
    ],
  });
  expect(half?.arrivals_per_minute).toMatchObject({
    step: 60,
    groups: [
      { gender: 'F', counts: [2] },
      { gender: 'M', counts: [1] },
    ],
  });
});

/** Spans as the database counts them. */
function spansOf(times: readonly number[]): Span[] {
  const spans = Map.groupBy(times, (ms) => Math.floor(ms / SPAN_MS));
  return [...spans]
    .sort(([one], [other]) => one - other)
    .map(([number, all]) => [number, all.length, Math.min(...all), Math.max(...all)]);
}

test('takes quantiles from counts of minutes, less than a minute from the true quantiles', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 20_000_000 }), { minLength: 1, maxLength: 300 }),
      (times) => {
        const sorted = times.toSorted((one, other) => one - other);
        const quantiles = quantilesOf(spansOf(times));
        expect(quantiles).toHaveLength(21);
        expect([quantiles[0], quantiles[20]]).toEqual([sorted[0], sorted.at(-1)]);
        for (const [at, quantile] of quantiles.entries()) {
          const rank = (at / 20) * (sorted.length - 1);
          expect(quantile).toBeGreaterThan((sorted[Math.floor(rank)] ?? 0) - SPAN_MS);
          expect(quantile).toBeLessThan((sorted[Math.ceil(rank)] ?? 0) + SPAN_MS);
          expect(quantile).toBeGreaterThanOrEqual(quantiles[at - 1] ?? 0);
        }
      },
    ),
  );
  expect(quantilesOf([])).toEqual([]);
});
