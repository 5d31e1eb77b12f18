import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { fetchDocumented } from '../documented.ts';
import { createRace, type RaceDay, startRaceDay } from './race-day.ts';

let day: RaceDay;

beforeAll(async () => {
  day = await startRaceDay(inject('servers'));
});
afterAll(() => day?.stop());

const LIMIT = 120;
const WINDOW_MS = 60_000;
const CLIENTS = 32;

type TimedAnswer = {
  status: number;
  retryAfter: number;
  left: number;
  sentAt: number;
  answeredAt: number;
};

async function ask(path: string, key: string): Promise<TimedAnswer> {
  const sentAt = Date.now();
  const response = await fetchDocumented(`${day.origin}${path}`, {
    headers: { 'X-API-Key': key },
  });
  await response.arrayBuffer();
  const { status, headers } = response;
  return {
    status,
    retryAfter: Number(headers.get('Retry-After')),
    left: Number(/r=(\d+)/.exec(headers.get('RateLimit') ?? '')?.[1]),
    sentAt,
    answeredAt: Date.now(),
  };
}

test('serves 120 of 400 requests of one key, and each answer says how many are left', async () => {
  const race = await createRace(day);
  const { key } = race;
  // All clients at once would wait for this machine, and after a second no request is refused.
  const asked: TimedAnswer[] = [];
  const clients = Array.from({ length: 40 }, async () => {
    for (let sent = 0; sent < 10; sent++) asked.push(await ask(race.path, key));
  });
  await Promise.all(clients);
  const served = asked.filter(({ status }) => status === 200);
  expect(served.map(({ left }) => left).sort((a, b) => b - a)).toEqual(
    Array.from({ length: LIMIT }, (_, index) => LIMIT - 1 - index),
  );
  expect(asked.filter(({ status }) => status === 429)).toHaveLength(400 - LIMIT);
});

test('serves a flooded key 120 times in any minute, not less, and other keys always', async () => {
  const race = await createRace(day, { keyCount: 2 });
  const [flooded = '', quiet = ''] = race.keys;
  // Spread over some seconds, so that the window slides when the minute is over.
  const end = Date.now() + WINDOW_MS + 12_000;
  const asked: TimedAnswer[] = [];
  const flood = Array.from({ length: CLIENTS }, async (_, client) => {
    await sleep(client * 250);
    while (Date.now() < end) {
      asked.push(await ask(race.path, flooded));
      await sleep(asked.length < LIMIT ? 500 : 1_000);
    }
  });
  const others: TimedAnswer[] = [];
  while (Date.now() < end) {
    others.push(await ask(race.path, quiet));
    await sleep(1_000);
  }
  await Promise.all(flood);

  expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200, 429]));
  const served = asked.filter(({ status }) => status === 200);
  expect(served.length).toBeGreaterThan(LIMIT);
  served.sort((a, b) => a.answeredAt - b.answeredAt);
  for (const [index, { answeredAt }] of served.slice(LIMIT).entries()) {
    // Each request was judged between sending and answer, so that 121 requests span more than a window.
    const firstSentAt = Math.min(...served.slice(index, index + LIMIT).map(({ sentAt }) => sentAt));
    expect(answeredAt - firstSentAt).toBeGreaterThan(WINDOW_MS);
  }
  const refused = asked.filter(({ status }) => status === 429);
  expect(refused.filter(({ retryAfter }) => !(retryAfter >= 1))).toEqual([]);
});
