/** How the times of two columns differ, over the rows that have both. */
export type Relation = {
  rows: number;
  /** The differences of the first column to the second one, in milliseconds. */
  leastMs: number;
  mostMs: number;
  /** The first column divided by the second one. */
  leastRatio: number;
  mostRatio: number;
};

type Times = readonly (number | undefined)[];

export function relate(times: Times, others: Times): Relation {
  const [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const relation = { rows: 0, leastMs: least, mostMs: most, leastRatio: least, mostRatio: most };
  for (const [at, ms] of times.entries()) {
    const other = others[at];
    if (ms === undefined || other === undefined) continue;
    relation.rows += 1;
    relation.leastMs = Math.min(relation.leastMs, ms - other);
    relation.mostMs = Math.max(relation.mostMs, ms - other);
    relation.leastRatio = Math.min(relation.leastRatio, ms / other);
    relation.mostRatio = Math.max(relation.mostRatio, ms / other);
  }
  return relation;
}

/** The least of the times; infinite if there is none. */
export const leastOf = (times: Times): number =>
  times.reduce<number>((least, ms) => Math.min(least, ms ?? least), Number.POSITIVE_INFINITY);

export const sameTimes = ({ leastMs, mostMs }: Relation): boolean => leastMs >= 0 && mostMs <= 0;

/** Whether the first column is smaller than the second one, or the same, and not the same in every row. */
export const isAlwaysBelow = ({ rows, leastMs, mostMs }: Relation): boolean =>
  rows > 0 && mostMs <= 0 && leastMs < 0;

/** A race has as many kilometres. */
const KM_MIN = 2.9;

/** Whether the second column is the same part of every time of the first one, as a pace is. */
export const isPace = ({ rows, leastRatio, mostRatio }: Relation): boolean =>
  rows >= 3 && leastRatio > KM_MIN && mostRatio / leastRatio < 1.006;

const WAIT_MAX_MS = 1_800_000;

/**
 * Whether the first time is later by the wait at the start. Splits are earlier than the finish too, but the faster a
 * runner, the shorter the rest of the race.
 */
export const isWait = ({ rows, leastMs, mostMs, leastRatio, mostRatio }: Relation): boolean =>
  rows >= 3 &&
  leastMs >= 0 &&
  mostMs < WAIT_MAX_MS &&
  mostRatio < 1.25 &&
  mostRatio - 1 > 2 * (leastRatio - 1);
