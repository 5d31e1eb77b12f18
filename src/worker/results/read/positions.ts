import type { FinisherCount, ListedResult } from './queries.ts';

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

export const NO_POSITIONS: Positions = eachPosition(() => null);

type Runner = Pick<ListedResult, 'gender' | 'category' | 'distance'>;

/**
 * Adds the positions of each row.
 * @param rows in the order of their `time_place`
 * @param fasterThanPage in the same order
 */
export function withPositions(
  rows: readonly ListedResult[],
  fasterThanPage: readonly FinisherCount[],
): (ListedResult & Positions)[] {
  const ranking = createRanking();

  let next = 0;
  const addFasterThan = (timePlace: number) => {
    for (
      let counted = fasterThanPage[next];
      counted && counted[0] < timePlace;
      counted = fasterThanPage[++next]
    ) {
      const [, gender, category, distance, finishers] = counted;
      ranking.add({ gender, category, distance }, finishers);
    }
  };

  return rows.map((row) => {
    if (row.time_place === null) return { ...row, ...NO_POSITIONS };
    addFasterThan(row.time_place);
    return { ...row, ...ranking.positionsOf(row) };
  });
}

type Counter = { finishers: number };

/** Counts finishers, fastest first, in every group that has positions. */
export function createRanking() {
  const counters = new Map<string, Counter>();
  /** The counters of runners with the same gender, category and distance. */
  const known = new Map<string, Record<PositionName, Counter | null>>();

  function counterOf(runner: Runner, name: PositionName): Counter | null {
    const values = POSITIONS[name].map((column) => runner[column]);
    if (values.includes(null)) return null;
    const key = JSON.stringify([name, ...values]);
    const counter = counters.get(key) ?? { finishers: 0 };
    counters.set(key, counter);
    return counter;
  }

  function countersOf(runner: Runner): Record<PositionName, Counter | null> {
    const key = JSON.stringify([runner.gender, runner.category, runner.distance]);
    let found = known.get(key);
    if (!found) {
      found = eachPosition((name) => counterOf(runner, name));
      known.set(key, found);
    }
    return found;
  }

  const place = (counter: Counter | null) => (counter === null ? null : counter.finishers + 1);

  return {
    /** Adds finishers that are faster than everybody who is still to come. */
    add(runner: Runner, finishers: number): void {
      for (const counter of Object.values(countersOf(runner))) {
        if (counter !== null) counter.finishers += finishers;
      }
    },

    positionsOf(runner: Runner): Positions {
      const counters = countersOf(runner);
      return eachPosition((name) => place(counters[name]));
    },
  };
}
