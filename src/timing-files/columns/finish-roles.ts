import { isAbout, isPace, isWait, leastOf, type Relation, relate, type Times } from './relation.ts';

const SECOND_MS = 1_000;
const HALF_HOUR_MS = 1_800_000;
/** The last split of two runners who were lapped may be their finish. */
const ROWS_MIN = 3;

/** The roles of a column whose times depend on the finish, and why none of them is a split. */
export const WHY_NO_SPLIT = {
  result: 'it is the result once more',
  gap: 'it is the gap to the winner',
  gapToNext: 'it is the gap to the runner in front',
  later: 'it is later than the finish',
  wait: 'it may be the finish, counted from another start',
  pace: 'it is a pace: the same part of every finish',
};

export type Role = keyof typeof WHY_NO_SPLIT;

/** The first of the roles that the times of a column have beside a finish. */
export function roleBeside(
  times: Times,
  finishes: Times,
  roles: readonly Role[],
): Role | undefined {
  const [column, finish] = [relate(times, finishes), relate(finishes, times)];
  const isAlike = (ms: number, relation: Relation) =>
    relation.rows >= ROWS_MIN && isAbout(ms, relation, SECOND_MS);
  const fits: Record<Role, () => boolean> = {
    result: () => isAlike(0, column),
    gap: () => isAlike(leastOf(finishes), finish),
    gapToNext: () => areGapsToNext(times, finishes),
    later: () => column.rows > 0 && areLater(times, finishes, column),
    wait: () => isWait(finish),
    pace: () => isPace(finish),
  };
  return roles.find((role) => fits[role]());
}

/** A split may be counted from the gun, and the finish from the start line. */
function areLater(times: Times, finishes: Times, { rows, leastMs }: Relation): boolean {
  if (leastMs > 0) return true;
  const late = times.filter((ms = 0, at) => ms > (finishes[at] ?? ms) + HALF_HOUR_MS);
  return late.length > rows / 10;
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
