import { afterEach, describe, expect, test, vi } from 'vitest';
import { createLookUp, type LookUp } from './look-up.ts';
import type { RankingDocument } from './ranking.ts';
import { createRankings, type LoadRanking } from './rankings.ts';

afterEach(() => void vi.useRealTimers());

const EVENT = 'event';

const documentOf = (runners: number, name = 'Harbour Half'): string =>
  JSON.stringify({
    event: {
      name,
      city: 'Port',
      event_date: '2026-05-01T08:00:00Z',
      time_zone: null,
      shows_names: true,
    },
    groups: [
      {
        distance: '10K',
        gender: 'F',
        category: 'Open',
        ids: '0'.repeat(32 * runners),
        bibs: Array.from({ length: runners }, (_, index) => String(index)),
        statuses: '0'.repeat(runners),
        chip_ms: Array(runners).fill(1),
        gun_ms: Array(runners).fill(null),
        arrived_ms: Array(runners).fill(1),
        changed_ms: 1,
      },
    ],
  } satisfies RankingDocument);

const everyBoard: LookUp<true> = async (ids) => new Map(ids.map((id) => [id, true]));

/** Rankings over a loader and a clock that a test sets. */
function start(load: LoadRanking, findOpen = everyBoard) {
  const clock = { ms: 0 };
  const rankings = createRankings({ load, findOpen, now: () => clock.ms });
  const left: Promise<unknown>[] = [];
  const waiting = {
    waitUntil: (work: Promise<unknown>) => void left.push(work),
    logFields: { trips: 0 },
  };
  const find = (eventId = EVENT) => rankings(eventId, waiting);
  return { find, clock, waiting };
}

/** Loads a document of so many runners, and counts how often. */
function counting(runners = 3) {
  const loads: string[] = [];
  const load: LoadRanking = async (eventId) => {
    loads.push(eventId);
    return { document: documentOf(runners), readAtMs: 0 };
  };
  return { loads, load };
}

describe('createRankings', () => {
  test('reads a ranking once for any number of requests, and again after 2 s', async () => {
    const { loads, load } = counting();
    const { find, clock, waiting } = start(async (eventId) => {
      await load(eventId);
      return { document: documentOf(3), readAtMs: clock.ms };
    });
    const all = await Promise.all(Array.from({ length: 50 }, () => find()));
    expect(new Set(all.map((found) => found?.ranking)).size).toBe(1);
    expect(all[0]?.freshSeconds).toBe(2);
    clock.ms = 1_999;
    expect((await find())?.freshSeconds).toBe(1);
    expect(loads).toHaveLength(1);
    expect(waiting.logFields.trips).toBe(1);
    clock.ms = 2_000;
    await Promise.all([find(), find()]);
    expect(loads).toHaveLength(2);
  });

  test('reads the ranking of 50 000 runners every 5 s', async () => {
    const { loads, load } = counting(50_000);
    const { find, clock } = start(load);
    expect((await find())?.freshSeconds).toBe(5);
    clock.ms = 4_999;
    await find();
    expect(loads).toHaveLength(1);
    clock.ms = 5_000;
    await find();
    expect(loads).toHaveLength(2);
  });

  test('lets a ranking expire when it expires in other isolates', async () => {
    const { find, clock } = start(async () => ({ document: documentOf(3), readAtMs: 500 }));
    clock.ms = 1_600;
    expect((await find())?.freshSeconds).toBe(1);
  });

  test('fails while the database does, and asks it again for the next request', async () => {
    let isAway = true;
    const { find } = start(async () => {
      if (isAway) throw new Error('away');
      return { document: documentOf(3), readAtMs: 0 };
    });
    await expect(find()).rejects.toThrow('away');
    isAway = false;
    expect((await find())?.ranking.rows.length).toBe(3);
  });

  test('asks anew if the request that was refreshing has ended', async () => {
    let attempts = 0;
    const { find, clock } = start(() => {
      attempts += 1;
      if (attempts === 2) return new Promise(() => {});
      return Promise.resolve({ document: documentOf(3), readAtMs: clock.ms });
    });
    await find();
    clock.ms = 30_000;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const refused = expect(find()).rejects.toMatchObject({ status: 503 });
    await vi.advanceTimersByTimeAsync(5_000);
    await refused;
    vi.useRealTimers();
    expect((await find())?.ranking.rows.length).toBe(3);
  });

  test('forgets the ranking of a board that closes', async () => {
    let isOpen = true;
    const { find, clock } = start(async () =>
      isOpen ? { document: documentOf(3), readAtMs: clock.ms } : undefined,
    );
    await find();
    isOpen = false;
    clock.ms = 2_000;
    expect(await find()).toBeUndefined();
  });

  test('loads no ranking without an open board, and asks for all events in two trips', async () => {
    const trips: number[] = [];
    const findOpen = createLookUp<true>(async (ids) => {
      trips.push(ids.length);
      await new Promise((resolve) => setTimeout(resolve, 10));
      return new Map();
    });
    const { loads, load } = counting();
    const { find } = start(load, findOpen);
    const found = await Promise.all(Array.from({ length: 1_000 }, (_, id) => find(`event ${id}`)));
    expect(new Set(found)).toEqual(new Set([undefined]));
    expect(loads).toEqual([]);
    expect(trips.length).toBeLessThanOrEqual(2);
    expect(trips.reduce((sum, keys) => sum + keys)).toBe(1_000);
  });

  test('forgets the rankings that were read first beyond 250 000 runners', async () => {
    const { loads, load } = counting(60_000);
    const { find } = start(load);
    for (const id of ['a', 'b', 'c', 'd', 'e']) await find(id);
    for (const id of ['b', 'c', 'd', 'e']) await find(id);
    expect(loads).toEqual(['a', 'b', 'c', 'd', 'e']);
    await find('a');
    expect(loads).toHaveLength(6);
  });

  test('refreshes two rankings at a time', async () => {
    let [running, most] = [0, 0];
    const { find } = start(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      return { document: documentOf(1), readAtMs: 0 };
    });
    await Promise.all(Array.from({ length: 10 }, (_, id) => find(`event ${id}`)));
    expect(most).toBe(2);
  });
});
