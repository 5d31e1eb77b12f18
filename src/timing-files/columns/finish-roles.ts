import { isPace, isWait, leastOf, type Relation, relate, type Times } from './relation.ts';

/** The times of a column beside the times of the finish. */
type Pair = {
  times: Times;
  finishes: Times;
  /** The column beside the finish, and the finish beside the column. */
  column: Relation;
  finish: Relation;
};

const SECOND_MS = 1_000;
/** The last split of two lapped runners may be their finish. */
const ROWS_MIN = 3;

const areAbout = (ms: number, { rows, leastMs, mostMs }: Relation): boolean =>
  rows >= ROWS_MIN && leastMs > ms - SECOND_MS && mostMs < ms + SECOND_MS;

/** The roles of a column whose times depend on the finish. No column with a role is a split. */
const ROLES = {
  result: {
    why: 'it is the result once more',
    fits: ({ column }) => areAbout(0, column),
  },
  gap: {
    why: 'it is the gap to the winner',
    fits: ({ finishes, finish }) => areAbout(leastOf(finishes), finish),
  },
  gapToNext: {
    why: 'it is the gap to the runner in front',
    fits: ({ times, finishes }) => areGapsToNext(times, finishes),
  },
  later: {
    why: 'it is later than the finish',
    fits: ({ column }) => column.rows > 0 && column.leastMs > 0,
  },
  wait: {
    why: 'it may be the finish, counted from another start',
    fits: ({ finish }) => isWait(finish),
  },
  pace: {
    why: 'it is a pace: the same part of every finish',
    fits: ({ finish }) => isPace(finish),
  },
} satisfies Record<string, { why: string; fits(pair: Pair): boolean }>;

export type Role = keyof typeof ROLES;

export const whyNoSplitAs = (role: Role): string => ROLES[role].why;

/** The first role that fits the times of a column beside a finish. */
export function roleBeside(
  times: Times,
  finishes: Times,
  roles: readonly Role[],
): Role | undefined {
  const pair = {
    times,
    finishes,
    column: relate(times, finishes),
    finish: relate(finishes, times),
  };
  return roles.find((role) => ROLES[role].fits(pair));
}

/** Runners with a later row may stand between two rows, so some gaps may differ. */
function areGapsToNext(times: Times, finishes: Times): boolean {
  const apartMs = times.flatMap((ms, at) => {
    const finishMs = finishes[at];
    const gapMs = finishMs === undefined ? undefined : finishMs - (finishes[at - 1] ?? finishMs);
    return ms === undefined || gapMs === undefined ? [] : [Math.abs(ms - gapMs)];
  });
  const alike = apartMs.filter((ms) => ms < SECOND_MS);
  return alike.length >= ROWS_MIN && alike.length >= apartMs.length * 0.9;
}
