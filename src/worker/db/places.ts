import { type SQL, sql } from 'drizzle-orm';
import {
  RANKS,
  type RankingRule,
  type RankTime,
  rulesWhere,
} from '../../timing-files/read/ranking-rule.ts';

/** The groups in which a registration has places, besides the whole event. */
type Group = 'gender' | 'category' | 'distance';

type Position = {
  within: readonly Group[];
  /** Which times of the event's rule it counts by. Without one, by chip time under every rule. */
  by?: keyof (typeof RANKS)[RankingRule];
};

/** The positions of a runner. Those within the distance follow the event's rule. */
const POSITION_TABLE = {
  position_overall: { within: [] },
  position_gender: { within: ['gender'] },
  position_category: { within: ['category'] },
  position_distance: { within: ['distance'], by: 'overall' },
  position_distance_gender: { within: ['distance', 'gender'], by: 'overall' },
  position_distance_category: { within: ['distance', 'category'], by: 'category' },
} as const satisfies Record<string, Position>;

export type PositionName = keyof typeof POSITION_TABLE;

export const POSITIONS: Readonly<Record<PositionName, Position>> = POSITION_TABLE;

/** Those within the distance. */
export const RULED_POSITIONS = [
  'position_distance',
  'position_distance_gender',
  'position_distance_category',
] as const satisfies readonly PositionName[];

export const POSITION_NAMES = Object.keys(POSITIONS) as PositionName[];

/** The time that a position counts by under a rule. */
export function timeOfPosition(name: PositionName, rule: RankingRule): RankTime {
  const { by } = POSITIONS[name];
  return by === undefined ? 'chip' : RANKS[rule][by];
}

/** Runners without a distance are one group. Those without a gender or a category have no position by it. */
export const isNeeded = (group: Group): boolean => group !== 'distance';

const isAmong = (rule: SQL, rules: readonly RankingRule[]): SQL =>
  sql`${rule} in (${sql.raw(rules.map((name) => `'${name}'`).join(', '))})`;

/** The time of a result by which `gun` ranks; null without a position. `finish_time_ms` is the one of `chip`. */
export const GUN_RANK_MS = sql.raw(
  'case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end',
);

/** Whether a rule ranks by gun time. */
export const isByGun = (by: NonNullable<Position['by']>, rule: SQL): SQL =>
  isAmong(
    rule,
    rulesWhere((ranks) => ranks[by] === 'gun'),
  );

/** The time of a result by which positions count under a rule; null without a position. */
export const rankMs = (by: Position['by'], rule: SQL): SQL =>
  by === undefined
    ? sql`finish_time_ms`
    : sql`case when ${isByGun(by, rule)} then ${GUN_RANK_MS} else finish_time_ms end`;

/**
 * A position of each of the finishers that are selected, who have a gender, a category and a distance.
 * @param partition the columns within which everything counts
 */
export function placeOf(name: PositionName, rule: SQL, ...partition: string[]): SQL {
  const { within, by } = POSITIONS[name];
  const columns = [...partition, ...within];
  const group = columns.length > 0 ? sql.raw(`partition by ${columns.join(', ')} `) : sql``;
  const rank = sql`rank() over (${group}order by ${rankMs(by, rule)})`;
  const needed = within.filter(isNeeded);
  return needed.length > 0
    ? sql`case when ${sql.raw(needed.map((column) => `${column} is not null`).join(' and '))} then ${rank} end`
    : rank;
}
