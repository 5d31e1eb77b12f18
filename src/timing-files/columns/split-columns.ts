import { Pattern } from '../read/pattern.ts';
import type { TimeFormat } from '../read/time-formats.ts';
import { plainName } from '../read/words.ts';
import { type Column, filledCells, hasTimes, timesIn } from './column.ts';
import { type ColumnClass, POINTS, RESULTS } from './column-classes.ts';
import { type Role, roleBeside, WHY_NO_SPLIT } from './finish-roles.ts';
import { isAbout, isPace, isTotalOf, type Relation, relate, type Times } from './relation.ts';

/** A column that is not read, or should not be. */
export type LeftOut = { column: Column; why: string };

const CUMULATIVE = new Pattern(/^\s*split\b/i);

/** The columns that are splits of a finish, and those with times that are none. @param used what has another meaning */
export function chooseSplits(
  columns: readonly Column[],
  used: readonly Column[],
  finish: Column | undefined,
  format: TimeFormat,
  gun?: Column,
): { splits: Column[]; leftOut: LeftOut[] } {
  const splits: Column[] = [];
  const leftOut: LeftOut[] = [];
  const hasCumulative = columns.some(({ name }) => CUMULATIVE.test(name));
  const [finishes, guns] = [finishesIn(finish, format), finishesIn(gun, format)];
  for (const [at, column] of columns.entries()) {
    if (used.includes(column) || column.name === '') continue;
    const others = columns.filter((one) => one !== column && one !== finish);
    const why = isBeforePoint(column, columns[at - 1], columns[at + 1], format)
      ? undefined
      : (whyNoSplit(column, format, hasCumulative) ??
        whyBeside(column, finishes, guns, format) ??
        whyChange(column, others, finishes, format));
    if (why === undefined) splits.push(column);
    else if (why !== '') leftOut.push({ column, why });
  }
  return { splits, leftOut };
}

/**
 * A split is a part of the finish time. Between these ratios, the largest part differs from the least one. A large
 * part differs less: a best time so far does not.
 */
const [ALIKE, UNLIKE, UNLIKE_SMALL] = [1.006, 1.25, 3];
const LARGE_PART = 0.5;
const ROWS_MIN = 3;
const ROWS_OF_PACE = 8;

/** Whether times are a large part of others, and not the same part in every row. */
const areLargePart = ({ rows, leastRatio, mostRatio }: Relation): boolean =>
  rows >= ROWS_MIN &&
  mostRatio <= 1 &&
  mostRatio > ALIKE * leastRatio &&
  mostRatio < UNLIKE * leastRatio;

/**
 * The columns whose part of the finish time is the same for all runners and, unless they are named like splits, those
 * whose part differs too much. None of them is unsure if all splits add up to the finish.
 */
export function unsureSplits(
  splits: readonly Column[],
  finish: Column | undefined,
  format: TimeFormat,
): Column[] {
  const finishes = finishesIn(finish, format);
  const sums = finishes.map((_, at) =>
    splits.reduce((sum, column) => sum + (timesIn(column, format)[at] ?? 0), 0),
  );
  const whole = relate(sums, finishes);
  if (whole.rows === 0 || isAbout(0, whole, 2_000)) return [];
  return splits.filter((column) => {
    const times = timesIn(column, format);
    if (POINTS.has(column.class)) return isPace(relate(finishes, times));
    const relation = relate(times, finishes);
    const { rows, leastRatio, mostRatio } = relation;
    if (rows < ROWS_MIN) return false;
    return mostRatio <= LARGE_PART
      ? mostRatio > UNLIKE_SMALL * leastRatio
      : !areLargePart(relation);
  });
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
  const isPart = areLargePart(relate(times, timesIn(behind, format)));
  return isPart && (!isBehindPoint || relate(times, timesIn(before, format)).leastMs > 0);
}

/** The columns that are named like a point of the course and have times. */
export const timesOfPoints = (columns: readonly Column[]): Column[] =>
  columns.filter((one) => POINTS.has(one.class) && hasTimes(one, 'apostrophes'));

const MAYBE_SPLITS: ReadonlySet<string> = new Set(['otherTime', 'unknown']);
const NAMED_AS: Partial<Record<ColumnClass, string>> = {
  noResult: 'a pace, a gap or a time of day',
  person: 'a person',
};
const noSplit = ({ class: ofName }: Column): string =>
  `its name is that of ${NAMED_AS[ofName] ?? (RESULTS.has(ofName) ? 'another time of the race' : 'a number')}`;

/** Why a column is no split. Undefined if it is a split, and blank if it has no times. */
function whyNoSplit(
  column: Column,
  format: TimeFormat,
  hasCumulative: boolean,
): string | undefined {
  const filled = filledCells(column);
  const times = timesIn(column, format);
  const read = column.cells.filter((_, at) => times[at] !== undefined);
  const isNamed = POINTS.has(column.class);
  if (isNamed && filled.length === 0) return undefined;
  if (read.length === 0) {
    const mayHaveTimes = filled.length === 0 || filled.some(isWritten);
    return column.class === 'noResult' && mayHaveTimes ? noSplit(column) : '';
  }
  if (column.class === 'lap' && hasCumulative)
    return 'the columns of splits say the same, added up';
  // In a relay, the column of a leg may be named after its runner.
  const isPerson = column.class === 'person' && read.every((cell) => cell.includes(':'));
  if (!isNamed && !isPerson && !MAYBE_SPLITS.has(column.class)) return noSplit(column);
  if (mayBeMeasures(column, format)) return 'its numbers may be counts or lengths';
  return read.length < filled.length * 0.6 ? 'many of its cells are no times' : undefined;
}

const isWritten = (cell: string): boolean => cell.includes(':') || cell.includes("'");

/** The roles that a column may have beside the chip time or the gun time. */
const REPEATING: readonly Role[] = ['result', 'gap', 'gapToNext'];

/** Why the times of a column are no splits of a finish. */
function whyBeside(
  column: Column,
  finishes: Times,
  guns: Times,
  format: TimeFormat,
): string | undefined {
  const times = timesIn(column, format);
  // Few runners may be alike at a point. "Km 5" and one of several "Lap" are points, but "Paso" may be a pace.
  const isTold = DIGIT.test(column.name) || column.ref !== column.name;
  const isPoint = POINTS.has(column.class) && (isTold || filledCells(column).length < ROWS_OF_PACE);
  const roles: readonly Role[] = ['later', 'wait', ...REPEATING];
  const role =
    roleBeside(times, finishes, isPoint ? roles : [...roles, 'pace']) ??
    roleBeside(times, guns, REPEATING);
  return role && WHY_NO_SPLIT[role];
}

/** Penalties and bonuses change another time into the finish, and runners without one have none. */
function whyChange(
  column: Column,
  others: readonly Column[],
  finishes: Times,
  format: TimeFormat,
): string | undefined {
  const changes = timesIn(column, format);
  if (!finishes.some((ms, at) => ms !== undefined && !changes[at])) return undefined;
  const isChange = others.some((one) => isTotalOf(finishes, timesIn(one, format), changes));
  return isChange ? 'it is the difference of two other times' : undefined;
}

/** Formats in which a count, an age or a year is a time as well. */
const OF_COUNTS = new Set<TimeFormat>(['seconds', 'digits', 'minutes', 'milliseconds']);

/** Whether the numbers of a column may be counts or lengths, and not times: neither its name nor its cells look like times. */
const mayBeMeasures = (column: Column, format: TimeFormat): boolean =>
  !filledCells(column).some((cell) => cell.includes(':')) &&
  (isLength(column) || (OF_COUNTS.has(format) && !POINTS.has(column.class)));

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

/** The times of the finish. It is zero in rows of runners who did not finish. */
const finishesIn = (finish: Column | undefined, format: TimeFormat): Times =>
  finish ? timesIn(finish, format).map((ms) => (ms === 0 ? undefined : ms)) : [];

/** The columns that have times or statuses. None of the given columns is read. */
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
