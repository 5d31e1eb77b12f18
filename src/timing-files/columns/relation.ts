/** The differences between the times of two columns, over the rows with both times. */
export type Relation = {
  rows: number;
  /** Rows with two equal times. */
  same: number;
  /** The differences, the first column minus the second, in milliseconds. */
  leastMs: number;
  mostMs: number;
  /** The first column divided by the second column. */
  leastRatio: number;
  mostRatio: number;
};

/** A time for each row, in milliseconds. */
export type Times = readonly (number | undefined)[];

export function relate(times: Times, others: Times): Relation {
  let [rows, same] = [0, 0];
  let [leastMs, mostMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [leastRatio, mostRatio] = [leastMs, mostMs];
  // Many columns of a file may be compared, so this loop allocates nothing.
  for (let at = 0; at < times.length; at += 1) {
    const [ms, other] = [times[at], others[at]];
    if (ms === undefined || other === undefined) continue;
    rows += 1;
    if (ms === other) same += 1;
    leastMs = Math.min(leastMs, ms - other);
    mostMs = Math.max(mostMs, ms - other);
    leastRatio = Math.min(leastRatio, ms / other);
    mostRatio = Math.max(mostRatio, ms / other);
  }
  return { rows, same, leastMs, mostMs, leastRatio, mostRatio };
}

/** The least of the times; infinite without times. */
export const leastOf = (times: Times): number =>
  times.reduce<number>((least, ms) => Math.min(least, ms ?? least), Number.POSITIVE_INFINITY);

export const sameTimes = ({ leastMs, mostMs }: Relation): boolean => leastMs >= 0 && mostMs <= 0;

/** Whether the first column is never larger than the second column, and smaller in at least a row. */
export const isAlwaysBelow = ({ rows, leastMs, mostMs }: Relation): boolean =>
  rows > 0 && mostMs <= 0 && leastMs < 0;

/** The kilometres of a short race. The race's pace is this part of the finish time. */
export const KM_MIN = 2.9;

/** Whether the second column is a constant part of the first column's times, as a pace is. */
export const isPace = ({ rows, leastRatio, mostRatio }: Relation): boolean =>
  rows >= 3 && leastRatio > KM_MIN && mostRatio / leastRatio < 1.006;

const WAIT_MAX_MS = 1_800_000;

/**
 * Whether the first time is later by the wait at the start line, which does not grow with the time. The rest of the
 * race after a split takes slow runners longer than fast runners.
 */
export const isWait = ({ rows, same, leastMs, mostMs, leastRatio, mostRatio }: Relation): boolean =>
  rows >= 3 &&
  // A penalty is added in a few rows.
  same <= rows / 2 &&
  leastMs >= 0 &&
  mostMs < WAIT_MAX_MS &&
  mostRatio < 1.25 &&
  mostRatio - 1 > 2 * (leastRatio - 1);

/**
 * Whether a time is the sum of another time and changes in some rows, as a penalty or a bonus. Both times are about as
 * long.
 * @param changes the changes, if a column holds them
 */
export function isTotalOf(times: Times, parts: Times, changes?: Times): boolean {
  const { rows, same, leastMs, mostMs, leastRatio, mostRatio } = relate(times, parts);
  if (rows < 3 || same === rows || leastRatio < 0.5 || mostRatio > 2) return false;
  if (leastMs < 0 && mostMs > 0) return false;
  if (!changes) return same > rows / 2;
  return times.every((ms, at) => {
    const part = parts[at];
    if (ms === undefined || part === undefined) return true;
    return Math.abs(Math.abs(ms - part) - (changes[at] ?? 0)) < 1_000;
  });
}
