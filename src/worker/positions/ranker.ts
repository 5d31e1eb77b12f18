import {
  eachPosition,
  NO_POSITIONS,
  POSITIONS,
  type PositionName,
  type Positions,
} from './positions.ts';

/** A finisher, or a runner at a point: each point has its own positions. */
export type Runner = {
  point?: string | undefined;
  gender: string | null;
  category: string | null;
  distance: string | null;
};

/** Counts the runners of a group in the order of their times. */
type Counter = { runners: number; timeMs: number; position: number };

/** The counters of a runner's groups. Null where the runner has no position. */
export type Counters = Record<PositionName, Counter | null>;

/** How many runners of a time and group were faster than a runner on a page. */
type FasterCount = [
  timeMs: number,
  gender: string | null,
  category: string | null,
  distance: string | null,
  runners: number,
  point?: string,
];

/**
 * The positions of rows: the number of faster runners in the row's group, plus 1.
 * @param faster in the order of their times
 */
export function positionsOf<Row extends Runner>(
  rows: readonly Row[],
  timeOf: (row: Row) => number | null,
  faster: readonly FasterCount[],
): (row: Row) => Positions {
  const place = createRanker();
  const waiting = faster[Symbol.iterator]();
  let next = waiting.next();
  const positions = new Map<Row, Positions>();
  const timed = rows.flatMap((row) => {
    const timeMs = timeOf(row);
    return timeMs === null ? [] : { row, timeMs };
  });
  for (const { row, timeMs } of timed.sort((a, b) => a.timeMs - b.timeMs)) {
    for (; !next.done && next.value[0] < timeMs; next = waiting.next()) {
      const [fasterMs, gender, category, distance, runners, point] = next.value;
      place({ point, gender, category, distance }, fasterMs, runners);
    }
    positions.set(row, place(row, timeMs, 0));
  }
  return (row) => positions.get(row) ?? NO_POSITIONS;
}

/**
 * Places runners in the order of their times. Equal times share a position (1, 2, 2, 4).
 * @returns answers the positions of a runner, and adds this many runners with equal time and groups
 */
export function createRanker() {
  const countersOf = createCounters();
  return (runner: Runner, timeMs: number | null, runners = 1): Positions => {
    if (timeMs === null) return NO_POSITIONS;
    const own = countersOf(runner);
    const placed = (counter: Counter | null) => counter && placeIn(counter, timeMs, runners);
    // A file has a hundred thousand rows: written names are looked up faster.
    return {
      position_overall: placed(own.position_overall),
      position_gender: placed(own.position_gender),
      position_category: placed(own.position_category),
      position_distance: placed(own.position_distance),
      position_distance_gender: placed(own.position_distance_gender),
      position_distance_category: placed(own.position_distance_category),
    };
  };
}

/** Finds the counters of a runner's groups. */
export function createCounters(): (runner: Runner) => Counters {
  const counters = new Map<string, Counter>();
  /** By point, gender, category and distance. A single key of four texts takes twice as long. */
  const known: ByValue<ByValue<ByValue<ByValue<Counters>>>> = new Map();

  function counterOf(runner: Runner, name: PositionName): Counter | null {
    const { within, needs } = POSITIONS[name];
    if (needs && runner[needs] === null) return null;
    const values = within.map((column) => runner[column]);
    const key = JSON.stringify([runner.point, name, ...values]);
    const counter = counters.get(key) ?? { runners: 0, timeMs: -Infinity, position: 1 };
    counters.set(key, counter);
    return counter;
  }

  return (runner) => {
    const { point, gender, category, distance } = runner;
    const alike = within(within(within(known, point), gender), category);
    let own = alike.get(distance);
    if (!own) {
      own = eachPosition((name) => counterOf(runner, name));
      alike.set(distance, own);
    }
    return own;
  };
}

type ByValue<T> = Map<string | null | undefined, T>;

/** The map of a value in a map of maps. */
function within<Key, Value>(
  maps: ByValue<Map<Key, Value>>,
  value: string | null | undefined,
): Map<Key, Value> {
  let map = maps.get(value);
  if (!map) {
    map = new Map();
    maps.set(value, map);
  }
  return map;
}

/** The position of a runner, who is not faster than the runners before, and counts this many runners. */
export function placeIn(counter: Counter, timeMs: number, runners = 1): number {
  if (counter.timeMs !== timeMs) {
    counter.position = counter.runners + 1;
    counter.timeMs = timeMs;
  }
  counter.runners += runners;
  return counter.position;
}
