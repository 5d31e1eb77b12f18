import * as z from 'zod/mini';
import {
  RANKING_RULES,
  RANKS,
  type RankingRule,
  type RankTime,
} from '../../timing-files/read/ranking-rule.ts';

/** The columns whose values make groups of runners, besides the whole event. */
export type Group = 'gender' | 'category' | 'distance';

type Position = {
  /** Runners count among the runners with equal values. "No value" is a value of its own. */
  within: readonly Group[];
  /** A runner without a value here has no position. */
  needs?: Group;
  /** The times of the event's rule behind the position. Without `by`, the position is by chip time under every rule. */
  by?: keyof (typeof RANKS)[RankingRule];
};

/**
 * The positions of a runner. Positions within the distance follow the event's rule, and a category counts within its
 * gender. `position_category` is the contract's: over all genders.
 */
const POSITION_TABLE = {
  position_overall: { within: [] },
  position_gender: { within: ['gender'], needs: 'gender' },
  position_category: { within: ['category'], needs: 'category' },
  position_distance: { within: ['distance'], by: 'overall' },
  position_distance_gender: { within: ['distance', 'gender'], needs: 'gender', by: 'overall' },
  position_distance_category: {
    within: ['distance', 'gender', 'category'],
    needs: 'category',
    by: 'category',
  },
} as const satisfies Record<string, Position>;

export type PositionName = keyof typeof POSITION_TABLE;

export const POSITIONS: Readonly<Record<PositionName, Position>> = POSITION_TABLE;

/** The positions within the distance. */
export const RULED_POSITIONS = [
  'position_distance',
  'position_distance_gender',
  'position_distance_category',
] as const satisfies readonly PositionName[];

/** The positions within the distance, in a row. */
export const ruledPositions = () =>
  z.strictObject({
    position_distance: z.nullable(z.int()),
    position_distance_gender: z.nullable(z.int()),
    position_distance_category: z.nullable(z.int()),
  });

export const POSITION_NAMES = Object.keys(POSITIONS) as PositionName[];

/** Null for a runner without a time, or without a value that the position needs. */
export type Positions = Record<PositionName, number | null>;

/** Positions, and the rule behind the positions within the distance. */
export type Ranked = Positions & { rank_by: RankingRule };

export const eachPosition = <T>(of: (name: PositionName) => T): Record<PositionName, T> => ({
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

/** The time behind a position under a rule. */
function timeOfPosition(name: PositionName, rule: RankingRule): RankTime {
  const { by } = POSITIONS[name];
  return by === undefined ? 'chip' : RANKS[rule][by];
}

/** The time behind each position, for each rule. */
const TIMES = Object.fromEntries(
  RANKING_RULES.map((rule) => [rule, eachPosition((name) => timeOfPosition(name, rule))]),
) as Record<RankingRule, Record<PositionName, RankTime>>;

/**
 * The positions under a rule.
 * @param by the positions by each time. The rule decides which time's position counts
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
