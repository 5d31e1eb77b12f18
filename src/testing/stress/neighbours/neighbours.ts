import { setTimeout as sleep } from 'node:timers/promises';
import type { RealServers } from '../../runtime/own-stack.ts';
import { createRace, type RaceDay, startRaceDay } from '../race-day.ts';

const RUNNERS = 200;
const ROWS = 20;
/** More keys than the rate limit needs for the requests of a measurement. */
const KEYS = 20;

/** An organization with a race and keys with every scope. */
export type Neighbour = {
  organizationId: string;
  eventId: string;
  /** The path of the event: `/public/v1/events/{event_id}`. */
  path: string;
  /** Returns the next of the organization's keys, so that no key uses up its rate limit. */
  key(): string;
  /** Reads the first page of results. @throws unless the answer is 200 */
  read(): Promise<void>;
  /** Uploads the results of 20 runners. @throws unless the answer is 200 and every row is stored */
  upload(): Promise<void>;
};

/** Two organizations on an isolate of the deployed Worker, over PostgreSQL and Redis. */
export type Neighbours = {
  day: RaceDay;
  /** Sends the load of a test. */
  busy: Neighbour;
  /** Works as usual, and must not notice. */
  quiet: Neighbour;
  stop(): Promise<void>;
};

/** @param servers `inject('servers')` */
export async function startNeighbours(
  servers: RealServers | undefined,
  options: Parameters<typeof startRaceDay>[1] = {},
): Promise<Neighbours> {
  const day = await startRaceDay(servers, options);
  try {
    const [busy, quiet] = [await createNeighbour(day), await createNeighbour(day)];
    return { day, busy, quiet, stop: day.stop };
  } catch (error) {
    await day.stop();
    throw error;
  }
}

export async function createNeighbour(day: RaceDay, runners = RUNNERS): Promise<Neighbour> {
  const { keys, ...race } = await createRace(day, { runners, keyCount: KEYS });
  let uses = 0;
  const key = () => keys[uses++ % keys.length] ?? '';
  const results = Array.from({ length: ROWS }, (_, index) => ({
    bib_number: `${index + 1}`,
    chip_time: `00:40:${10 + index}`,
  }));
  const ask = async (init: RequestInit = {}): Promise<string> => {
    const response = await fetch(`${day.origin}${race.path}/results`, {
      ...init,
      headers: { 'X-API-Key': key(), 'Content-Type': 'application/json' },
    });
    const body = await response.text();
    if (response.status !== 200) throw new Error(`${response.status}: ${body}`);
    return body;
  };
  return {
    ...race,
    key,
    async read() {
      await ask();
    },
    async upload() {
      const body = await ask({ method: 'POST', body: JSON.stringify({ results }) });
      const { uploaded, updated }: { uploaded: number; updated: number } = JSON.parse(body);
      if (uploaded + updated !== ROWS) throw new Error(`Not every row is stored: ${body}`);
    },
  };
}

/** Loads the API until the signal aborts, or once. */
export type Load = (signal: AbortSignal) => Promise<unknown>;

/** How long a request takes alone and beside a load. */
type Comparison = {
  /** Medians. */
  aloneMs: number;
  besideMs: number;
  /** `besideMs / aloneMs`. */
  ratio: number;
  slowestBesideMs: number;
};

type Sampling = {
  samples?: number;
  everyMs?: number;
  /** How long the load runs before the first measured request. */
  settleMs?: number;
};

const WARM_UP = 5;

/** Another process can spoil a measurement. A slow API fails all three. */
export const SLOW_ONCE = { retry: 2 };

/**
 * Measures a request alone, then beside a load, in a single run on a single machine. The end of the load ends the
 * measurement.
 * @throws if the request or the load fails
 */
export async function compareBeside(
  request: () => Promise<void>,
  load: Load,
  { samples = 30, everyMs = 50, settleMs = everyMs }: Sampling = {},
): Promise<Comparison> {
  for (let sent = 0; sent < WARM_UP; sent++) await request();
  const alone = await timesOf(request, samples, everyMs);

  const end = new AbortController();
  let hasEnded = false;
  const loading = load(end.signal).finally(() => {
    hasEnded = true;
  });
  // The code below awaits the load.
  loading.catch(() => {});
  let beside: number[];
  try {
    await sleep(settleMs);
    beside = await timesOf(request, samples, everyMs, () => hasEnded);
  } finally {
    end.abort();
    await loading;
  }
  const [aloneMs, besideMs] = [median(alone), median(beside)];
  return { aloneMs, besideMs, ratio: besideMs / aloneMs, slowestBesideMs: Math.max(...beside) };
}

async function timesOf(
  request: () => Promise<void>,
  samples: number,
  everyMs: number,
  isOver: () => boolean = () => false,
): Promise<number[]> {
  const times: number[] = [];
  do {
    const startedAt = performance.now();
    await request();
    times.push(performance.now() - startedAt);
    await sleep(everyMs);
  } while (times.length < samples && !isOver());
  return times;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
