import { isPlace } from '../read/claim.ts';
import { millisecondsBeside } from '../read/columns.ts';
import { PATTERN_TEXT_MAX, Pattern } from '../read/pattern.ts';
import type { ResultStatus } from '../read/result-status.ts';
import { isNoValue } from '../read/status-words.ts';
import { parseTime, type TimeFormat } from '../read/time-formats.ts';
import { flagOf, meaningOfCell } from './cell-meaning.ts';
import { type ColumnClass, classify, RESULTS } from './column-classes.ts';

/** A column of a file with the cells of the sampled rows. */
export type Column = {
  index: number;
  name: string;
  /** The column's name in a parameter: the header or, if the header is blank or repeated, `#number`. */
  ref: string;
  /** The meaning of the column's name. */
  class: ColumnClass;
  /** A cell for each sampled row, trimmed. */
  cells: readonly string[];
  /** Facts computed from the cells once, because several rules look at the column. */
  known: {
    filled?: readonly string[];
    statuses?: readonly (ResultStatus | undefined)[];
    formats?: readonly TimeFormat[];
    times: Partial<Record<TimeFormat, readonly (number | undefined)[]>>;
  };
};

type Table = {
  header: readonly string[];
  rows: readonly { cells: readonly string[] }[];
};

/** Stands for a cell that is too long for a bib, a time or a status. */
export const LONG_CELL = '…';

export function columnsOf({ header, rows }: Table): Column[] {
  const counts = new Map<string, number>();
  for (const name of header) counts.set(name, (counts.get(name) ?? 0) + 1);
  const isUnique = (name: string) =>
    name !== '' && counts.get(name) === 1 && !COLUMN_NUMBER.test(name);
  const latest = Math.max(...header.map(yearIn));
  // These columns repair the times beside them.
  const milliseconds = new Set(millisecondsBeside(header).values());
  return header.map((name, index) => {
    const isRead = !milliseconds.has(index);
    const cells = rows.map((row) => (isRead ? sampled(row.cells[index] ?? '') : ''));
    return {
      index,
      name,
      ref: isUnique(name) ? name : `#${index + 1}`,
      class: isRead ? classOf(name, cells, latest) : 'person',
      cells,
      known: { times: {} },
    };
  });
}

/** A column whose cells do not count. */
export const emptied = (column: Column, ofName: ColumnClass): Column => ({
  ...column,
  class: ofName,
  cells: column.cells.map(() => ''),
  known: { times: {} },
});

/** The meaning of a name. "Overall" and "General" are places, unless their cells are times. */
function classOf(name: string, cells: readonly string[], latest: number): ColumnClass {
  if (isOfOlderYear(name, latest)) return 'noResult';
  const ofName = classify(name);
  if (ofName !== 'place') return ofName;
  const isTime = (cell: string) =>
    cell.includes(':') && parseTime('apostrophes', cell) !== undefined;
  return cells.some(isTime) && !cells.some(isPlace) ? 'time' : ofName;
}

const YEAR = new Pattern(/\b(?:19|20)\d\d\b/);
/** The year in a name; 0 without a year. */
const yearIn = (name: string): number => Number(YEAR.groups(name)[0] ?? 0);

/** Whether a column is of an older year than the latest, as "Net time 2024" beside "Bib 2025". */
const isOfOlderYear = (name: string, latest: number): boolean =>
  yearIn(name) > 0 &&
  yearIn(name) < latest &&
  (RESULTS.has(classify(name)) || ['bib', 'otherTime'].includes(classify(name)));

const COLUMN_NUMBER = new Pattern(/^#\d+$/);

function sampled(cell: string): string {
  const text = cell.trim();
  return text.length > PATTERN_TEXT_MAX ? LONG_CELL : text;
}

/** A cell of signs without a meaning, as in `--:--`. */
export const HYPHENS = new Pattern(/^[-–—:.]*$/);

/** The cells that are not empty. A cell such as `--:--` or `N/A` counts as empty. */
export function filledCells({ cells, known }: Column): readonly string[] {
  known.filled ??= cells.filter((cell) => !HYPHENS.test(cell) && !isNoValue(cell));
  return known.filled;
}

export function statusesIn({ cells, known, name }: Column): readonly (ResultStatus | undefined)[] {
  const flag = flagOf(name);
  known.statuses ??= cells.map((cell) => meaningOfCell(cell, flag));
  return known.statuses;
}

/** The time of each cell in a format, in milliseconds. */
export function timesIn(
  { cells, known: { times } }: Column,
  format: TimeFormat,
): readonly (number | undefined)[] {
  times[format] ??= cells.map((cell) => parseTime(format, cell));
  return times[format];
}

export const hasTimes = (column: Column, format: TimeFormat): boolean =>
  timesIn(column, format).some((ms) => ms !== undefined);

export const isNamedResult = (column: Column): boolean => RESULTS.has(column.class);

/** In each column with a result's name, the first cell that is no time and no status. */
export const unreadResults = (columns: readonly Column[]): { column: Column; cell: string }[] =>
  columns.filter(isNamedResult).flatMap((column) => {
    const [times, statuses] = [timesIn(column, 'apostrophes'), statusesIn(column)];
    const cell = column.cells.find(
      (text, at) => !HYPHENS.test(text) && times[at] === undefined && statuses[at] === undefined,
    );
    return cell === undefined ? [] : [{ column, cell }];
  });

const DIGITS = new Pattern(/^\d+$/);

export const isNumber = (cell: string): boolean => DIGITS.test(cell);

export const hasNumbers = (column: Column): boolean => {
  const cells = filledCells(column);
  return cells.length > 0 && cells.every(isNumber);
};

/**
 * Whether the cells count 1, 2, 3, … or 0, 1, 2, …, like places and row numbers. Statuses may stand between the
 * numbers.
 */
export function isCount(column: Column): boolean {
  const flag = flagOf(column.name);
  const start = filledCells(column)[0] === '0' ? 0 : 1;
  let count = 0;
  for (const cell of filledCells(column)) {
    if (Number.parseInt(cell, 10) === count + start) count += 1;
    else if (meaningOfCell(cell, flag) === undefined) return false;
  }
  return count > 1;
}

export const distinct = (values: readonly string[]): string[] => [...new Set(values)];

/** The width of each table, if the names of the columns repeat because tables stand side by side; otherwise 0. */
export function tableWidth(columns: readonly Column[], { name }: Column): number {
  const [first, second] = columns.filter((one) => one.name === name && name !== '');
  const width = first && second ? second.index - first.index : 0;
  const isRepeated = columns.every((one) => one.name === (columns[one.index + width] ?? one).name);
  return width > 1 && isRepeated ? width : 0;
}
