import {
  RANKING_RULES,
  type RankingRule,
  type RankTime,
} from '../../../timing-files/read/ranking-rule.ts';
import { isNeeded, POSITIONS, type PositionName, timeOfPosition } from '../../db/places.ts';

/** A finisher, or one that has passed a point: positions count at each point by itself. */
export type Runner = {
  point?: string | undefined;
  gender: string | null;
  category: string | null;
  distance: string | null;
};

/** Null where the runner has no time, or has not what the position is counted by. */
export type Positions = Record<PositionName, number | null>;

/** Positions, and the rule that those within the distance follow. */
export type Ranked = Positions & { rank_by: RankingRule };

const eachPosition = <T>(of: (name: PositionName) => T): Record<PositionName, T> => ({
  position_overall: of('position_overall'),
  position_gender: of('position_gender'),
  position_category: of('position_category'),
  position_distance: of('position_distance'),
  position_distance_gender: of('position_distance_gender'),
  position_distance_category: of('position_distance_category'),
});

export const NO_POSITIONS: Positions = eachPosition(() => null);

/** The fields of an item that shows its positions. */
export const POSITION_FIELDS = eachPosition(
  (name) =>
    (_: unknown, positions: Positions): number | null =>
      positions[name],
);

/** The time that each position counts by, for each rule. */
const TIMES = Object.fromEntries(
  RANKING_RULES.map((rule) => [rule, eachPosition((name) => timeOfPosition(name, rule))]),
) as Record<RankingRule, Record<PositionName, RankTime>>;

/**
 * The positions under a rule.
 * @param by the positions by each time. Each has those that the rule takes from it
 */
export function rankedBy(rule: RankingRule, by: Record<RankTime, Partial<Positions>>): Ranked {
  const times = TIMES[rule];
  const at = (name: PositionName) => by[times[name]][name] ?? null;
  return {
    position_overall: at('position_overall'),
    position_gender: at('position_gender'),
    position_category: at('position_category'),
    position_distance: at('position_distance'),
    position_distance_gender: at('position_distance_gender'),
    position_distance_category: at('position_distance_category'),
    rank_by: rule,
  };
}

/** How many runners of one time and group were faster than somebody on a page. */
type FasterCount = [
  timeMs: number,
  gender: string | null,
  category: string | null,
  distance: string | null,
  runners: number,
  point?: string,
];

/**
 * The positions of rows: one more than the runners of a row's group that were faster.
 * @param faster in the order of their times
 */
export function positionsOf<Row extends Runner>(
  rows: readonly Row[],
  timeOf: (row: Row) => number | null,
  faster: readonly FasterCount[],
): (row: Row) => Positions {
  const place = createRanking();
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

/** Runners that are placed together. */
type Group = { runners: number; timeMs: number; position: number };

/**
 * Places runners in the order of their times. Equal times share a position (1, 2, 2, 4).
 * @returns tells the positions of a runner, and adds this many runners with the same time and groups
 */
export function createRanking() {
  const groups = new Map<string, Group>();
  /** The groups of runners by point, gender, category and distance. One key of four texts takes twice as long. */
  const known: ByValue<ByValue<ByValue<ByValue<Record<PositionName, Group | null>>>>> = new Map();

  function groupOf(runner: Runner, name: PositionName): Group | null {
    const { within } = POSITIONS[name];
    if (within.some((column) => isNeeded(column) && runner[column] === null)) return null;
    const values = within.map((column) => runner[column]);
    const key = JSON.stringify([runner.point, name, ...values]);
    const group = groups.get(key) ?? { runners: 0, timeMs: -Infinity, position: 1 };
    groups.set(key, group);
    return group;
  }

  function groupsOf(runner: Runner): Record<PositionName, Group | null> {
    const { point, gender, category, distance } = runner;
    const alike = within(within(within(known, point), gender), category);
    let groups = alike.get(distance);
    if (!groups) {
      groups = eachPosition((name) => groupOf(runner, name));
      alike.set(distance, groups);
    }
    return groups;
  }

  return (runner: Runner, timeMs: number | null, runners = 1): Positions => {
    if (timeMs === null) return NO_POSITIONS;
    const own = groupsOf(runner);
    const placed = (group: Group | null) => group && placeIn(group, timeMs, runners);
    // A file has a hundred thousand rows: a name is looked up faster where it is written.
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

function placeIn(group: Group, timeMs: number, runners: number): number {
  if (group.timeMs !== timeMs) {
    group.position = group.runners + 1;
    group.timeMs = timeMs;
  }
  group.runners += runners;
  return group.position;
}
