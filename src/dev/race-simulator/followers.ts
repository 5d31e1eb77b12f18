import {
  boardIntervalMs,
  isAsleep,
  mayConcern,
  runnerIntervalMs,
  waitMs,
} from '../../site/board/public/board/interval.ts';
import { ARRIVALS } from '../../worker/board/schemas.ts';
import type { RacePlan } from './plan.ts';
import { randomOf } from './random.ts';

const MINUTE_MS = 60_000;
/** A cache answers for so long, in an event of up to 20 000 runners. */
const FRESH_MS = 2_000;
/** A follower's page asks for the runner after this time, also if nothing has changed. */
const FOLLOW_MS = MINUTE_MS;

/** When the page of a follower asks again. */
type Page = {
  waitMs(isHidden: boolean, random: number): number;
  isAsleep(hiddenMs: number): boolean;
  runnerIntervalMs(isConcerned: boolean): number;
};

/** The page of the board during a race. */
export const BOARD_PAGE: Page = {
  waitMs: (isHidden, random) => waitMs(boardIntervalMs('live'), { failures: 0, isHidden, random }),
  isAsleep,
  runnerIntervalMs,
};

/** A page that asks every 5 s for the board and for the runner, and every 30 s while nobody looks. */
export const PLAIN_PAGE: Page = {
  waitMs: (isHidden, random) => (isHidden ? 30_000 : 5_000) * (0.8 + 0.4 * random),
  isAsleep: () => false,
  runnerIntervalMs: () => 5_000,
};

/** A follower looks for some minutes, and then not for some minutes. */
type Habit = { looksMs: number; restsMs: number };

export const ALWAYS_LOOKING: Habit = { looksMs: Number.POSITIVE_INFINITY, restsMs: 0 };
export const NOW_AND_THEN: Habit = { looksMs: 2 * MINUTE_MS, restsMs: 8 * MINUTE_MS };

type Arrival = { atMs: number; bib_number: string };

/**
 * Plays the followers of a race, each with one runner and an open page from the first gun to the last report.
 * @returns their requests, and how late a looking follower learned of an arrival at most
 */
export function playFollowers(
  plan: Pick<RacePlan, 'reports' | 'endsAtMs'>,
  page: Page,
  { looksMs, restsMs }: Habit,
  followers = 50,
): { requests: number; latestMs: number } {
  const random = randomOf(1);
  const arrivals = arrivalsIn(plan);
  let [requests, latestMs] = [0, 0];

  function follow(bib: string, phaseMs: number) {
    const cycleMs = looksMs + restsMs;
    const inCycle = (ms: number) => (restsMs === 0 ? 0 : (ms + phaseMs) % cycleMs);
    const hiddenMs = (ms: number) => Math.max(0, inCycle(ms) - looksMs);
    const comesBackMs = (ms: number) => (hiddenMs(ms) > 0 ? ms + cycleMs - inCycle(ms) : Infinity);
    const looksSinceMs = (ms: number) => (restsMs === 0 ? 0 : ms - inCycle(ms));

    let known = 0;
    let askedMs = 0;
    let dueMs = FOLLOW_MS;
    let isAwaited = true;
    const tell = (nowMs: number, told: readonly Arrival[]) => {
      if (hiddenMs(nowMs) > 0) return;
      for (const { atMs } of told)
        if (looksSinceMs(nowMs) <= atMs) latestMs = Math.max(latestMs, nowMs - atMs);
    };

    function askForRunner(atMs: number) {
      requests += 1;
      [askedMs, dueMs] = [atMs, atMs + FOLLOW_MS];
      const own = arrivals.find(({ bib_number }) => bib_number === bib);
      if (!isAwaited || !own || own.atMs > atMs) return;
      isAwaited = own.atMs > atMs - FRESH_MS * random();
      // The board has the arrival, and the cache answers with a runner from before.
      if (isAwaited) dueMs = atMs + page.runnerIntervalMs(true);
      else tell(atMs, [own]);
    }

    for (let nowMs = 0; nowMs < plan.endsAtMs; ) {
      if (dueMs <= nowMs && !page.isAsleep(hiddenMs(dueMs))) askForRunner(dueMs);
      requests += 1;
      const readMs = nowMs - FRESH_MS * random();
      const now = arrivals.findLastIndex(({ atMs }) => atMs <= readMs) + 1;
      if (now > known) {
        tell(nowMs, arrivals.slice(known, now));
        const [before, after] = [lastOf(arrivals, known), lastOf(arrivals, now)];
        const isConcerned = mayConcern(bib, isAwaited, before, after);
        dueMs = Math.min(dueMs, Math.max(nowMs, askedMs + page.runnerIntervalMs(isConcerned)));
        known = now;
      }
      const nextMs = nowMs + page.waitMs(hiddenMs(nowMs) > 0, random());
      nowMs = page.isAsleep(hiddenMs(nextMs))
        ? comesBackMs(nextMs)
        : Math.min(nextMs, comesBackMs(nowMs));
    }
  }

  for (let follower = 0; follower < followers; follower++) {
    const { bib_number } = arrivals[Math.floor(random() * arrivals.length)] ?? { bib_number: '' };
    follow(bib_number, restsMs === 0 ? 0 : random() * (looksMs + restsMs));
  }
  return { requests, latestMs };
}

/** The first finish of each runner, in order. */
function arrivalsIn({ reports }: Pick<RacePlan, 'reports'>): Arrival[] {
  const first = new Map<string, Arrival>();
  for (const { atMs, row } of reports) {
    const { bib_number } = row;
    if (row.status === 'FINISHED' && !first.has(bib_number))
      first.set(bib_number, { atMs, bib_number });
  }
  return [...first.values()];
}

/** The arrivals on the board, after so many. */
const lastOf = (arrivals: readonly Arrival[], count: number) => [
  { arrivals: arrivals.slice(Math.max(0, count - ARRIVALS), count) },
];

/** The lines about followers in the report of `npm run race`. */
export function followersOf(plan: Pick<RacePlan, 'reports' | 'endsAtMs'>): string[] {
  const habits = { 'who always look': ALWAYS_LOOKING, 'who look now and then': NOW_AND_THEN };
  return Object.entries(habits).map(([who, habit]) => {
    const { requests, latestMs } = playFollowers(plan, BOARD_PAGE, habit);
    const share = requests / playFollowers(plan, PLAIN_PAGE, habit).requests;
    return (
      `50 followers ${who} would send ${requests} requests, ${Math.round(100 * share)} % of one every 5 s, ` +
      `and learn of an arrival after ${(latestMs / 1_000).toFixed(1)} s at most.`
    );
  });
}
