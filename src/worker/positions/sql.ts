import { type SQL, sql } from 'drizzle-orm';
import { type RANKS, type RankingRule, rulesWhere } from '../../timing-files/read/ranking-rule.ts';
import { POSITIONS, type PositionName } from './positions.ts';

/** The part of a rule that a position follows. Undefined: the position is by chip time under every rule. */
type By = keyof (typeof RANKS)[RankingRule] | undefined;

const isAmong = (rule: SQL, rules: readonly RankingRule[]): SQL =>
  sql`${rule} in (${sql.raw(rules.map((name) => `'${name}'`).join(', '))})`;

/** The time of a result by which `gun` ranks; null without a position. `finish_time_ms` is the time for `chip`. */
export const GUN_RANK_MS = sql.raw(
  'case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end',
);

/** Whether a rule ranks by gun time. */
export const isByGun = (by: NonNullable<By>, rule: SQL): SQL =>
  isAmong(
    rule,
    rulesWhere((ranks) => ranks[by] === 'gun'),
  );

/** The time of a result by which positions count under a rule; null without a position. */
export const rankMs = (by: By, rule: SQL): SQL =>
  by === undefined
    ? sql`finish_time_ms`
    : sql`case when ${isByGun(by, rule)} then ${GUN_RANK_MS} else finish_time_ms end`;

/** A position of each selected finisher with a gender, a category and a distance. */
export const placeOf = (name: PositionName, rule: SQL, ...partition: string[]): SQL =>
  placeBy(name, rankMs(POSITIONS[name].by, rule), ...partition);

/** Columns with these positions of each selected result; null without a position. */
export const placesOf = (names: readonly PositionName[], rule: SQL): SQL =>
  sql.join(
    names.map(
      (name) =>
        sql`case when finish_time_ms is not null then (${placeOf(name, rule)})::int end as ${sql.identifier(name)}`,
    ),
    sql`, `,
  );

/**
 * A position of each selected runner by a time.
 * @param partition the columns within which everything counts
 */
export function placeBy(name: PositionName, timeMs: SQL, ...partition: string[]): SQL {
  const { within, needs } = POSITIONS[name];
  const columns = [...partition, ...within];
  const group = columns.length > 0 ? sql.raw(`partition by ${columns.join(', ')} `) : sql``;
  const rank = sql`rank() over (${group}order by ${timeMs})`;
  return needs ? sql`case when ${sql.raw(needs)} is not null then ${rank} end` : rank;
}
