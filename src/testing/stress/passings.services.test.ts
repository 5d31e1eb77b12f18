import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { RaceResultsClient } from '../../client/index.ts';
import { formatRaceTime } from '../../timing-files/read/race-time.ts';
import { startTearingProxy } from '../runtime/tearing-proxy.ts';
import { createRace, type RaceDay, startRaceDay } from './race-day.ts';

let day: RaceDay;

beforeAll(async () => {
  day = await startRaceDay(inject('servers'));
});
afterAll(() => day?.stop());

const RUNNERS = 500;
const POINTS = ['Km 5', 'Km 10', 'Km 15'];
/** Rows that a program sends at once: the arrivals of a few seconds. */
const ROWS = 50;
const TEAR_EVERY_MS = 1_000;

const bibs = Array.from({ length: RUNNERS }, (_, index) => `${index + 1}`);

/** The time of a runner after so many parts of the course, of which the finish is the fourth. */
const timeOf = (bib: string, part: number): string =>
  formatRaceTime(part * (1_200_000 + ((Number(bib) * 7_919) % 900_000)));

/** Sends the runners of one point or of the finish, some at a time, until all are sent. */
async function sendAll(send: (bibs: readonly string[]) => Promise<{ failed: unknown[] }>) {
  for (let from = 0; from < RUNNERS; from += ROWS) {
    const { failed } = await send(bibs.slice(from, from + ROWS));
    expect(failed).toEqual([]);
  }
}

test('stores every passing of three points and a finish that send at once over a connection that is cut', async () => {
  const race = await createRace(day, { runners: RUNNERS, keyCount: POINTS.length + 2 });
  const proxy = await startTearingProxy(
    day.origin,
    Array.from({ length: 40 }, (_, index) =>
      index % 3 === 0
        ? 'at-once'
        : index % 3 === 1
          ? { afterSentBytes: 900 }
          : { afterAnswerBytes: 90 },
    ),
  );
  const tearing = setInterval(proxy.tear, TEAR_EVERY_MS);
  onTestFinished(async () => {
    clearInterval(tearing);
    await proxy.stop();
  });
  const { eventId } = race;
  const crewOf = (at: number) =>
    new RaceResultsClient({
      baseUrl: proxy.origin,
      apiKey: race.keys[at] ?? '',
      maxAttempts: 50,
    });
  await Promise.all([
    ...POINTS.map((point, at) =>
      sendAll((some) =>
        crewOf(at).uploadEventPassings(eventId, {
          passings: some.map((bib_number) => ({
            bib_number,
            point,
            time: timeOf(bib_number, at + 1),
          })),
        }),
      ),
    ),
    sendAll((some) =>
      crewOf(POINTS.length).uploadEventResults(eventId, {
        results: some.map((bib_number) => ({ bib_number, chip_time: timeOf(bib_number, 4) })),
      }),
    ),
  ]);
  // The network did tear requests.
  expect(proxy.connections()).toBeGreaterThan(POINTS.length + 1);

  const reader = new RaceResultsClient({
    baseUrl: day.origin,
    apiKey: race.keys.at(-1) ?? '',
  });
  const held: Record<string, string> = {};
  for await (const { bib_number, point, time } of reader.exportEventPassings(eventId)) {
    held[`${bib_number} ${point}`] = time;
  }
  const sent = POINTS.flatMap((point, at) =>
    bibs.map((bib) => [`${bib} ${point}`, timeOf(bib, at + 1)] as const),
  );
  expect(held).toEqual(Object.fromEntries(sent));
  const { data } = await reader.listEventPassingPoints(eventId);
  expect(data.map(({ point, total }) => [point, total])).toEqual(
    POINTS.map((point) => [point, RUNNERS]),
  );
  const results: Record<string, Record<string, string>> = {};
  for await (const { bib_number, splits } of reader.exportEventResults(eventId)) {
    results[bib_number ?? ''] = splits;
  }
  const splitsOf = (bib: string) =>
    Object.fromEntries(POINTS.map((point, at) => [point, timeOf(bib, at + 1)]));
  expect(results).toEqual(Object.fromEntries(bibs.map((bib) => [bib, splitsOf(bib)])));
});

test('answers 200 to uploads of the same rows in any order, beside deletions of their point', async () => {
  const race = await createRace(day, { runners: 100, keyCount: 8 });
  const send = (key: number, method: string, query = '', body?: object) =>
    fetch(`${day.origin}${race.path}/passings${query}`, {
      method,
      headers: {
        'X-API-Key': race.keys[key] ?? '',
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }).then(async (response) => ({ status: response.status, text: await response.text() }));
  const own = bibs.slice(0, 100);
  const rows = (key: number, round: number) =>
    (key % 2 === 0 ? own : own.toReversed()).map((bib_number) => ({
      bib_number,
      point: 'Km 5',
      time: formatRaceTime(1_200_000 + key * 1_000 + round),
    }));
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all([
      ...race.keys.map((_, key) => send(key, 'POST', '', { passings: rows(key, round) })),
      send(0, 'DELETE', '?point=Km%205'),
    ]);
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  }
  await send(0, 'POST', '', { passings: rows(0, 9) });
  const { rows: stored } = await day.pool.query<{ time_ms: string }>(
    'select distinct time_ms from passings where event_id = $1',
    [race.eventId],
  );
  expect(stored).toEqual([{ time_ms: String(1_200_009) }]);
});
