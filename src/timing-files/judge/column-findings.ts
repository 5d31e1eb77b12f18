import { type Column, hasNumbers, hasTimes, timesIn, unreadResults } from '../columns/column.ts';
import { POINTS } from '../columns/column-classes.ts';
import { relate, sameTimes } from '../columns/relation.ts';
import { chooseSplits, type LeftOut, timesOfPoints, unread } from '../columns/split-columns.ts';
import { isNamedLike } from '../read/columns.ts';
import { isPointOpen, MEANINGS, type Parameters } from '../read/parameters.ts';
import type { FileRow } from '../read/results-file.ts';
import { quoted } from '../read/text.ts';
import type { TimeFormat } from '../read/time-formats.ts';
import { worded } from './sentences.ts';
import { whyNoRaceTime } from './times-of-day.ts';
import { asNote, type Finding, findingIf, REFUTED, type Warning } from './warning.ts';

/** The file has times of further points, so the read time may be the time of the finish. */
export function otherPoints(
  { columns: read }: FileRow,
  columns: readonly Column[],
  parameters: Parameters,
): Finding[] {
  const [time] = [...read.chipTime, ...read.gunTime];
  const name = read.names[time ?? -1] ?? '';
  const { point = '' } = parameters;
  const others = timesOfPoints(columns).filter(({ index }) => index !== time);
  const isUnclear = isPointOpen(parameters) && !isNamedLike(point, name) && others.length > 0;
  return findingIf(isUnclear, 0, 'time_column_unclear:point', {
    point,
    column: name,
    columns: others.slice(0, 5).map((one) => one.name),
  });
}

/** Findings about the column of the result, about unlikely splits, and about skipped columns. */
export function columnFindings(
  { columns: read }: FileRow,
  columns: readonly Column[],
  format: TimeFormat,
  untimed: number,
): Finding[] {
  const at = (indexes: readonly number[]) => indexes.flatMap((index) => columns[index] ?? []);
  const used = MEANINGS.flatMap((meaning) => at(read[meaning]));
  const [finish] = [...at(read.chipTime), ...at(read.gunTime)];
  const { leftOut } = chooseSplits(columns, used, finish, format);
  const stored = at(read.splitIndexes);
  const known = [...used, ...stored, ...at(read.ignored)];
  const others = columns.filter((column) => !known.includes(column));
  const unlikely = read.parameters?.splits
    ? []
    : leftOut.filter(({ column }) => stored.includes(column) && hasTimes(column, format));
  const unstored = stored.filter((column) => !hasTimes(column, format));
  const ofNumbers = unstored.filter((one) => finish && POINTS.has(one.class) && hasNumbers(one));
  const unnamed = [...others, ...unstored].filter((column) => hasTimes(column, 'apostrophes'));
  /** The column that may be the result, if no result is read. */
  const missed: LeftOut[] = [
    ...unreadResults(columns).map(({ column, cell }) => ({
      column,
      why: `${quoted(cell)} is no time that can be read`,
    })),
    ...timesOfPoints(columns).map((column) => ({
      column,
      why: 'no column is read as the time of the race',
    })),
  ].slice(0, finish ? 0 : 1);
  const wrong = [finish, ...at(read.gunTime)]
    .flatMap((column) => (column && whyNoRaceTime(column, columns, format)) ?? [])
    .slice(0, 1);
  return [
    ...wrong.map((one) => ({ ...one, rows: [], against: REFUTED })),
    ...missed.map((one) => ({ ...notRead(one), against: untimed })),
    ...(unlikely.length > 0 ? [asNote(splitsUnlikely(unlikely))] : []),
    ...[
      ...ofNumbers.map((column) => ({
        column,
        why: `its numbers are no times of the format ${format}`,
      })),
      ...unread(unnamed, leftOut),
      ...secondTimes(at(read.chipTime), format),
    ].map((one) => asNote(notRead(one))),
  ];
}

/**
 * The columns whose times differ from the first column with their meaning. An upload reads these columns only where the
 * first column is blank.
 */
function secondTimes(columns: readonly Column[], format: TimeFormat): LeftOut[] {
  const [first, ...others] = columns.filter((column) => hasTimes(column, format));
  if (!first) return [];
  const isOther = (column: Column) =>
    !sameTimes(relate(timesIn(column, format), timesIn(first, format)));
  const why = `its name means the same as ${quoted(first.name)}, which comes first`;
  return others.filter(isOther).map((column) => ({ column, why }));
}

/** Warns of columns that an upload stores as splits, although they probably hold no splits. */
export function splitsUnlikely(columns: readonly LeftOut[]): Warning {
  const why = columns.map(({ column, why: of }) => `${quoted(column.name)} (${of})`).join(', ');
  const names = { columns: columns.map(({ column }) => column.name) };
  return { ...worded('splits_unlikely', { why }, names), rows: [] };
}

export const notRead = ({
  column: { name, index },
  why,
}: {
  column: Pick<Column, 'name' | 'index'>;
  why: string;
}): Warning => ({
  ...worded('column_not_read', { column: name || `#${index + 1}`, why }),
  rows: [],
});
