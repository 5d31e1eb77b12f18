import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type RaceDay, startRaceDay } from '../race-day.ts';
import { type Statuses, startLanes } from './lanes.ts';
import {
  createLargeRace,
  type LargeRace,
  type WeighedOperation,
  weighedOperations,
} from './large-race.ts';
import { createNeighbour, type Neighbour } from './neighbours.ts';

const LANES = 24;
const SAMPLES = 40;
const EVERY_MS = 50;
/**
 * Another organization waits at most so many times as long as beside plain event reads. Light work takes no turns: a
 * light request may cost five times as much as an event read, and delay as much.
 */
const SLOWER_MAX = { heavy: 1.3, light: 5, 'by input': 5 };
/** A shorter delay is not noticed, whatever the ratio. */
const NOT_FELT_MS = 5;

let day: RaceDay;
let busy: LargeRace;
let quiet: Neighbour;
let lanes: ReturnType<typeof startLanes>;

beforeAll(async () => {
  day = await startRaceDay(inject('servers'));
  busy = await createLargeRace(day);
  quiet = await createNeighbour(day);
  lanes = startLanes();
}, 600_000);
afterAll(async () => {
  await lanes?.stop();
  await day?.stop();
});

/** The requests of another organization meanwhile. A refusal fails the test. */
const asked = () =>
  ({
    'an event read': async () => {
      const headers = { 'X-API-Key': quiet.key() };
      const response = await fetch(day.origin + quiet.path, { headers });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`An event read got ${response.status}.`);
    },
    'a live batch of 20': quiet.upload,
  }) as const;

type Times = Record<string, { medianMs: number; slowMs: number }>;

/** How long another organization waits beside lanes of this operation. */
async function timesBeside(operation: WeighedOperation): Promise<[Times, Statuses]> {
  lanes.start({
    lanes: LANES,
    forms: await Promise.all(busy.formsOf(operation).map(busy.onWire)),
    callers: busy.callersOf(operation),
  });
  try {
    await sleep(500);
    const times = await Promise.all(
      Object.entries(asked()).map(async ([what, ask]) => [what, await timesOf(ask)] as const),
    );
    return [Object.fromEntries(times), await lanes.end()];
  } catch (error) {
    await lanes.end();
    throw error;
  }
}

async function timesOf(ask: () => Promise<void>) {
  const taken: number[] = [];
  while (taken.length < SAMPLES) {
    const startedAt = performance.now();
    await ask();
    taken.push(performance.now() - startedAt);
    await sleep(EVERY_MS);
  }
  taken.sort((a, b) => a - b);
  const at = (share: number) => taken[Math.floor(share * (taken.length - 1))] ?? Number.NaN;
  return { medianMs: at(0.5), slowMs: at(0.95) };
}

const control = weighedOperations.find(({ operationId }) => operationId === 'getEvent');

test.each(weighedOperations.map((operation) => [operation.operationId, operation] as const))(
  'serves another organization beside 24 lanes of %s as beside event reads',
  // Another process can spoil a measurement. A slow API fails all three.
  { retry: 2 },
  async (id, operation) => {
    if (!control) throw new Error('The document has no getEvent.');
    const [before] = await timesBeside(control);
    const [beside, statuses] = await timesBeside(operation);
    const felt: string[] = [];
    const lines = [`${id} (${operation.weight}): ${JSON.stringify(statuses)}`];
    for (const [what, { medianMs, slowMs }] of Object.entries(beside)) {
      const known = before[what];
      if (!known) continue;
      for (const [name, ms, controlMs] of [
        ['median', medianMs, known.medianMs],
        ['95th', slowMs, known.slowMs],
      ] as const) {
        const line = `${id}: ${what}, ${name} ${ms.toFixed(1)} ms, ${(ms / controlMs).toFixed(2)} x control`;
        lines.push(line);
        if (ms > SLOWER_MAX[operation.weight] * controlMs && ms - controlMs > NOT_FELT_MS)
          felt.push(line);
      }
    }
    process.stdout.write(`${lines.join('\n')}\n`);
    expect(felt).toEqual([]);
  },
);
