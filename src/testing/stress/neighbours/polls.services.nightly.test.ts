import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type RaceDay, startRaceDay } from '../race-day.ts';
import { createLargeRace, type LargeRace } from './large-race.ts';
import {
  compareBeside,
  createNeighbour,
  type Load,
  type Neighbour,
  SLOW_ONCE,
} from './neighbours.ts';

/** The lists with a copy for programs. */
const LISTS = ['participants/export', 'results/export', 'passings/export', 'start-list'];
const POLL_EVERY_MS = 2_000;
const SLOWER_MAX = 1.3;

let day: RaceDay;
let live: LargeRace;
let quiet: Neighbour;

beforeAll(async () => {
  day = await startRaceDay(inject('servers'));
  live = await createLargeRace(day);
  quiet = await createNeighbour(day);
}, 600_000);
afterAll(() => day?.stop());

/** @returns the cursor of the next poll. @throws unless the answer is 200 */
async function poll(list: string, cursor: string): Promise<string> {
  const query = new URLSearchParams({ format: 'ndjson', changed_since: cursor });
  const response = await fetch(`${day.origin}${live.path}/${list}?${query}`, {
    headers: { 'X-API-Key': live.nextKey() },
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`A poll of ${list} got ${response.status}: ${text}`);
  return response.headers.get('Next-Cursor') ?? '';
}

/** Follows each list of the race, as a program with copies does. */
const follow: Load = async (signal) => {
  const followed = LISTS.map(async (list) => {
    let cursor = await poll(list, '');
    let polls = 0;
    while (!signal.aborted) {
      cursor = await poll(list, cursor);
      polls += 1;
      await sleep(POLL_EVERY_MS);
    }
    return polls;
  });
  for (const polls of await Promise.all(followed)) expect(polls).toBeGreaterThan(5);
};

let seconds = 0;
/** A batch of 20 arrivals of the followed race, each with a new time. */
async function uploadArrivals(): Promise<void> {
  seconds = (seconds + 1) % 60;
  const results = Array.from({ length: 20 }, (_, index) => ({
    bib_number: `${1 + index}`,
    chip_time: `1:10:${String(seconds).padStart(2, '0')}`,
  }));
  const response = await fetch(`${day.origin}${live.path}/results`, {
    method: 'POST',
    headers: { 'X-API-Key': live.nextKey(), 'Content-Type': 'application/json' },
    body: JSON.stringify({ results }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`A live batch got ${response.status}: ${text}`);
}

const SAMPLING = { samples: 60, everyMs: 250, settleMs: 4_000 };

test.each([
  ['the batches of the race that is followed', uploadArrivals],
  ['the batches of another organization', () => quiet.upload()],
  ['the reads of another organization', () => quiet.read()],
])(
  `does not slow down %s by polls of a race of 60 000 every ${POLL_EVERY_MS / 1_000} s`,
  SLOW_ONCE,
  async (what, request) => {
    const { aloneMs, besideMs, ratio } = await compareBeside(request, follow, SAMPLING);
    process.stdout.write(
      `${what}: ${aloneMs.toFixed(1)} ms alone, ${besideMs.toFixed(1)} ms beside polls, ${ratio.toFixed(2)} x\n`,
    );
    expect(ratio).toBeLessThanOrEqual(SLOWER_MAX);
  },
);
