import { isSplitsObject } from '../read/claim.ts';
import { Pattern } from '../read/pattern.ts';
import type { TimeFormat } from '../read/time-formats.ts';
import { plainName } from '../read/words.ts';
import { type Column, distinct, filledCells, hasTimes, isNumber, timesIn } from './column.ts';
import { type ColumnClass, POINTS, RESULTS } from './column-classes.ts';
import { likeliestFormat } from './column-times.ts';
import { type Role, roleBeside, whyNoSplitAs } from './finish-roles.ts';
import { isPace, isTotalOf, KM_MIN, type Relation, relate, type Times } from './relation.ts';

/** The split columns, and the columns with times that are no splits. */
type SplitsGuess = { splits: Column[]; leftOut: LeftOut[] };

/** A skipped column, or a column to skip. */
export type LeftOut = { column: Column; why: string };

const CUMULATIVE = new Pattern(/^\s*split\b/i);

/**
 * @param used columns with another meaning
 * @param finish the column of the result, for comparison
 */
export function chooseSplits(
  columns: readonly Column[],
  used: readonly Column[],
  finish: Column | undefined,
  format: TimeFormat,
  gun?: Column,
): SplitsGuess {
  const splits: Column[] = [];
  const leftOut: LeftOut[] = [];
  const hasCumulative = columns.some(({ name }) => CUMULATIVE.test(name));
  const legs = legsAmong(columns, used, finish, format);
  const changes = changesAmong(columns, finish, format);
  for (const [at, column] of columns.entries()) {
    if (used.includes(column) || column.name === '') continue;
    const isPoint =
      legs.includes(column) || isBeforePoint(column, columns[at - 1], columns[at + 1], format);
    const why = isPoint
      ? undefined
      : (whyNoSplit(column, finish, format, hasCumulative) ??
        whyBeside(column, finish, gun, format) ??
        whyChange(column, columns, changes, finish, format));
    if (why === undefined) splits.push(column);
    else if (why !== '') leftOut.push({ column, why });
  }
  return { splits, leftOut };
}

/**
 * A split is a part of the finish time. Between these ratios, the largest part differs from the least part. A large
 * part differs less: a best time so far does not.
 */
const [ALIKE, UNLIKE, UNLIKE_SMALL] = [1.006, 1.25, 3];
const LARGE_PART = 0.5;
const ROWS_MIN = 3;
const ROWS_OF_PACE = 8;

/** Whether times are a large part of the finish times, and the part varies between rows. */
const areLargePart = ({ leastRatio, mostRatio }: Relation): boolean =>
  mostRatio <= 1 && mostRatio > ALIKE * leastRatio && mostRatio < UNLIKE * leastRatio;

/** Whether times are those of a point before the finish, and no paces. */
export const isPart = (relation: Relation): boolean =>
  relation.rows >= ROWS_MIN && areLargePart(relation) && relation.leastRatio * KM_MIN > 1;

/**
 * The columns with a constant part of the finish time and, without a split's name, the columns with too variable a
 * part. If all splits add up to the finish, no column is unsure.
 */
export function unsureSplits(
  splits: readonly Column[],
  finish: Column | undefined,
  format: TimeFormat,
): Column[] {
  const finishes = finishesIn(finish, format);
  if (addUp(splits, finishes, format)) return [];
  return splits.filter((column) => {
    if (POINTS.has(column.class)) return isPace(relate(finishes, timesIn(column, format)));
    const relation = relate(timesIn(column, format), finishes);
    const { rows, leastRatio, mostRatio } = relation;
    const isUnlike =
      mostRatio > UNLIKE_SMALL * leastRatio ||
      mostRatio <= ALIKE * leastRatio ||
      distinct(column.cells).length === 1;
    const isUnsure = mostRatio <= LARGE_PART ? isUnlike : !areLargePart(relation);
    return rows > 1 && isUnsure;
  });
}

/** The columns without a result's name that add up to the finish, as the sections of a relay do. */
function legsAmong(
  columns: readonly Column[],
  used: readonly Column[],
  finish: Column | undefined,
  format: TimeFormat,
): readonly Column[] {
  const finishes = finishesIn(finish, format);
  const legs = columns.filter(
    (one) => one.class === 'noResult' && !used.includes(one) && hasTimes(one, format),
  );
  return legs.length > 1 && addUp(legs, finishes, format) ? legs : [];
}

/** Whether the times of the columns add up to the finish in each row with a finish. */
function addUp(
  legs: readonly Column[],
  finishes: readonly (number | undefined)[],
  format: TimeFormat,
): boolean {
  const times = legs.map((column) => timesIn(column, format));
  const sums = finishes.map((_, at) => times.reduce((sum, ms) => sum + (ms[at] ?? 0), 0));
  const { rows, leastMs, mostMs } = relate(sums, finishes);
  return rows > 0 && leastMs > -2_000 && mostMs < 2_000;
}

/** Whether a column of any name has the times of the point before the next column, as "Media" before "30K". */
function isBeforePoint(
  column: Column,
  before: Column | undefined,
  behind: Column | undefined,
  format: TimeFormat,
): boolean {
  if (!behind) return false;
  const isBehindPoint = before !== undefined && POINTS.has(before.class);
  if (!POINTS.has(behind.class) && !(isBehindPoint && RESULTS.has(behind.class))) return false;
  const times = timesIn(column, format);
  const relation = relate(times, timesIn(behind, format));
  return isPart(relation) && (!isBehindPoint || relate(times, timesIn(before, format)).leastMs > 0);
}

/** The columns with times and a name for a point of the course. */
export const timesOfPoints = (columns: readonly Column[]): Column[] =>
  columns.filter((one) => POINTS.has(one.class) && hasTimes(one, 'apostrophes'));

const MAYBE_SPLITS: ReadonlySet<string> = new Set(['otherTime', 'unknown']);
const NAMED_AS: Partial<Record<ColumnClass, string>> = {
  noResult: 'a pace, a gap or a time of day',
  person: 'a person',
};
const noSplit = ({ class: ofName }: Column): string =>
  `its name is that of ${NAMED_AS[ofName] ?? (RESULTS.has(ofName) ? 'another time of the race' : 'a number')}`;

/** The reason why a column is no split. Undefined for a split, and blank for a column without times. */
function whyNoSplit(
  column: Column,
  finish: Column | undefined,
  format: TimeFormat,
  hasCumulative: boolean,
): string | undefined {
  const filled = filledCells(column);
  const times = timesIn(column, format);
  const read = column.cells.filter((_, at) => times[at] !== undefined);
  const isNamed = POINTS.has(column.class);
  if (filled.some(isSplitsObject)) return column.name === 'splits' ? undefined : '';
  if (filled.length === 0)
    return isNamed ? undefined : column.class === 'noResult' ? noSplit(column) : '';
  if (read.length === 0) {
    const hasOtherTimes = filled.some((cell) => cell.includes(':') || cell.includes("'"));
    return column.class === 'noResult' && hasOtherTimes ? noSplit(column) : '';
  }
  if (column.class === 'lap' && hasCumulative)
    return 'the columns of splits say the same, added up';
  // In a relay, the column of a leg may be named after its runner.
  const isPerson = column.class === 'person' && read.every((cell) => cell.includes(':'));
  if (!isNamed && !isPerson && !MAYBE_SPLITS.has(column.class)) return noSplit(column);
  if (mayBeMeasures(column, finish)) return 'its numbers may be counts or lengths';
  return read.length < filled.length * 0.6 ? 'many of its cells are no times' : undefined;
}

/** Why the times of a column are no splits of a finish. */
function whyBeside(
  column: Column,
  finish: Column | undefined,
  gun: Column | undefined,
  format: TimeFormat,
): string | undefined {
  const times = timesIn(column, format);
  // Few runners may have similar parts at a point. "Km 5" and a numbered "Lap" are points, but "Paso" may be a pace.
  const isTold = DIGIT.test(column.name) || column.ref !== column.name;
  const isPoint = POINTS.has(column.class) && (isTold || filledCells(column).length < ROWS_OF_PACE);
  const roles: readonly Role[] = ['later', 'wait', ...REPEATING];
  const role =
    roleBeside(times, finishesIn(finish, format), isPoint ? roles : [...roles, 'pace']) ??
    roleBeside(times, finishesIn(gun, format), REPEATING);
  return role && whyNoSplitAs(role);
}

/** Each column is compared with so many changes. */
const CHANGES_MAX = 20;

/** The columns with possible penalties or bonuses: some finishers have none. */
function changesAmong(
  columns: readonly Column[],
  finish: Column | undefined,
  format: TimeFormat,
): readonly Column[] {
  const finishes = finishesIn(finish, format);
  const isChange = (times: Times) =>
    times.some(Boolean) && finishes.some((ms, at) => ms !== undefined && !times[at]);
  return columns.filter((one) => one !== finish && isChange(changeIn(one))).slice(0, CHANGES_MAX);
}

/** The times of a penalty, which may be numbers of seconds. */
const changeIn = (column: Column): Times => timesIn(column, likeliestFormat(column) ?? 'seconds');

/** Why a column is no split beside a finish into which penalties or bonuses change another time. */
function whyChange(
  column: Column,
  columns: readonly Column[],
  changes: readonly Column[],
  finish: Column | undefined,
  format: TimeFormat,
): string | undefined {
  const finishes = finishesIn(finish, format);
  const isTotal = (part: Column, change: Column) =>
    part !== change &&
    part !== finish &&
    isTotalOf(finishes, timesIn(part, format), changeIn(change));
  if (changes.includes(column) && columns.some((part) => isTotal(part, column))) {
    return 'it is the difference of two other times';
  }
  return changes.some((change) => isTotal(column, change))
    ? 'another column changes it into the finish'
    : undefined;
}

/** The possible roles of a column beside the chip time or the gun time. */
const REPEATING: readonly Role[] = ['result', 'gap', 'gapToNext'];

/**
 * Whether the numbers of a column may be counts or lengths, and not times: neither the name nor the cells look like
 * times.
 */
function mayBeMeasures(column: Column, finish: Column | undefined): boolean {
  const filled = filledCells(column);
  if (filled.some((cell) => cell.includes(':'))) return false;
  if (isLength(column)) return true;
  const areWhole = filled.every(isNumber);
  return !POINTS.has(column.class) || (areWhole && !finish?.cells.some(isNumber));
}

const LENGTHS = new Set(
  'km kms k mi mile miles meter meters metros metres kilometer kilometers kilometre kilometros distance distancia strecke'.split(
    ' ',
  ),
);

/** Whether a column is named like a length, and not like a point of the course. */
const isLength = ({ name }: Column): boolean => {
  const words = plainName(name).split(' ');
  return words.some((word) => LENGTHS.has(word)) && !words.some((word) => DIGIT.test(word));
};

const DIGIT = new Pattern(/\d/);

/** The times of the finish. The finish is zero in rows of runners who did not finish. */
const finishesIn = (finish: Column | undefined, format: TimeFormat): (number | undefined)[] =>
  finish ? timesIn(finish, format).map((ms) => (ms === 0 ? undefined : ms)) : [];

/** The columns with times or statuses. None of the given columns is read. */
export function unread(columns: readonly Column[], leftOut: readonly LeftOut[]): LeftOut[] {
  const reasons = new Map(leftOut.map(({ column, why }) => [column, why]));
  return columns.flatMap((column) => {
    const why =
      reasons.get(column) ?? (hasClockTimes(column) ? 'its name is not that of a time' : undefined);
    return why === undefined ? [] : [{ column, why }];
  });
}

const hasClockTimes = (column: Column): boolean => {
  const filled = filledCells(column);
  const times = timesIn(column, 'apostrophes').filter((ms) => ms !== undefined);
  return times.length > 0 && times.length >= filled.length * 0.6;
};
