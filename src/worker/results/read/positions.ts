import type { ListedResult } from './queries.ts';

/** The positions of a result, and the columns within whose values each one counts. */
const POSITIONS = {
  position_overall: [],
  position_gender: ['gender'],
  position_category: ['category'],
  position_distance: ['distance'],
  position_distance_gender: ['distance', 'gender'],
  position_distance_category: ['distance', 'category'],
} as const;

type PositionName = keyof typeof POSITIONS;
type Runner = Pick<ListedResult, 'gender' | 'category' | 'distance'>;

/** Null where the runner did not finish, or has not what the position is counted by. */
export type Positions = Record<PositionName, number | null>;

export const POSITION_NAMES: readonly string[] = Object.keys(POSITIONS);

const eachPosition = <T>(of: (name: PositionName) => T): Record<PositionName, T> => ({
  position_overall: of('position_overall'),
  position_gender: of('position_gender'),
  position_category: of('position_category'),
  position_distance: of('position_distance'),
  position_distance_gender: of('position_distance_gender'),
  position_distance_category: of('position_distance_category'),
});

const NO_POSITIONS: Positions = eachPosition(() => null);

type Counter = { finishers: number };
type Counters = Record<PositionName, Counter | null>;

/** Counts finishers, fastest first, in every group that has positions. */
export function createRanking() {
  const counters = new Map<string, Counter>();
  /** The counters of runners with the same gender, category and distance. */
  const known = new Map<string, Counters>();
  /** Finishers in the order of their times. Those before `next` are counted. */
  const waiting: { timeMs: number; counters: Counters; finishers: number }[] = [];
  let next = 0;

  function counterOf(runner: Runner, name: PositionName): Counter | null {
    const values = POSITIONS[name].map((column) => runner[column]);
    if (values.includes(null)) return null;
    const key = JSON.stringify([name, ...values]);
    const counter = counters.get(key) ?? { finishers: 0 };
    counters.set(key, counter);
    return counter;
  }

  /** The groups in which a runner has positions. */
  function groupsOf(runner: Runner): Counters {
    const key = JSON.stringify([runner.gender, runner.category, runner.distance]);
    const found = known.get(key) ?? eachPosition((name) => counterOf(runner, name));
    known.set(key, found);
    return found;
  }

  function countFasterThan(timeMs: number): void {
    for (let faster = waiting[next]; faster && faster.timeMs < timeMs; faster = waiting[next]) {
      for (const counter of Object.values(faster.counters)) {
        if (counter !== null) counter.finishers += faster.finishers;
      }
      next += 1;
    }
    if (next === waiting.length) {
      waiting.length = 0;
      next = 0;
    }
  }

  return {
    groupsOf,

    /** Adds finishers with one time. Call it in the order of the times. */
    add(timeMs: number, counters: Counters, finishers: number): void {
      waiting.push({ timeMs, counters, finishers });
    },

    /**
     * The positions of a runner, behind all faster ones that were added. Call it in the order of the times.
     * @param timeMs null unless the runner finished
     */
    positionsOf(timeMs: number | null, counters: Counters): Positions {
      if (timeMs === null) return NO_POSITIONS;
      countFasterThan(timeMs);
      return eachPosition((name) => {
        const counter = counters[name];
        return counter && counter.finishers + 1;
      });
    },
  };
}
