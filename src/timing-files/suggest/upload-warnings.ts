import type { Columns } from '../read/columns.ts';
import { MEANINGS, type Parameters } from '../read/parameters.ts';
import type { RowError } from '../read/reason-codes.ts';
import type { Result } from '../read/result.ts';
import type { FileRow } from '../read/results-file.ts';
import { guessStatus } from '../read/status-words.ts';
import { quoted } from '../read/text.ts';
import type { TimeFormat } from '../read/time-formats.ts';
import { type Column, columnsOf, timesIn } from './column.ts';
import { fileWarnings } from './file-warnings.ts';
import { guessSplits, type LeftOut, unread } from './guess-splits.ts';
import { isTimeOfDayIn } from './guess-times.ts';
import { createMeasures } from './measures.ts';
import type { Warning } from './warning.ts';

/** The number of rows that decide which columns are watched in all other rows. */
const ROWS_LOOKED_AT = 6;
const COLUMNS_MAX = 100;
const WORDS_MAX = 20;

type Watched = { name: string; index: number; words: Set<string> };

/**
 * Looks at the columns of an upload that are not read as a bib, a time or a status. It costs a live file little:
 * few columns are looked at beyond the first rows, and most cells only at their first character.
 */
export function createColumnWatch() {
  const measures = createMeasures();
  const first: FileRow[] = [];
  let watched: Watched[] | undefined;
  let last: FileRow | undefined;

  return {
    /** @param judged the result of the row, or why it cannot be stored */
    add(row: FileRow, judged: Result | RowError): void {
      measures.add(row.row, judged);
      last = row;
      if (watched) lookAt(watched, row);
      else if (first.push(row) === ROWS_LOOKED_AT) watched = startWatching(first);
    },

    /**
     * The warnings of a preview, without those that compare with the event.
     * @param duplicates rows that a later row of the same bib replaces
     */
    warnings(duplicates: number, parameters: Parameters): Warning[] {
      watched ??= startWatching(first);
      return [
        ...fileWarnings({ measures, duplicates, last, parameters }),
        ...(last ? columnWarnings(last.columns, first, parameters.timeFormat) : []),
        ...watched.flatMap(statusesNotRead),
      ];
    },
  };
}

const ZERO = '0'.charCodeAt(0);
const NINE = '9'.charCodeAt(0);

const startsWithDigit = (cell: string): boolean => {
  const code = cell.charCodeAt(0);
  return code >= ZERO && code <= NINE;
};

/** The columns without another meaning that have only numbers, blanks and status words. */
function startWatching(rows: readonly FileRow[]): Watched[] {
  const [row] = rows;
  if (!row) return [];
  const { columns } = row;
  const read = new Set(MEANINGS.flatMap((meaning) => columns[meaning]));
  const watched = columns.names.slice(0, COLUMNS_MAX).flatMap((name, index): Watched[] => {
    const areNumbers = rows.every(({ cells }) => {
      const cell = (cells[index] ?? '').trim();
      const isNumber = startsWithDigit(cell) && !cell.includes(':');
      return cell === '' || isNumber || guessStatus(cell) !== undefined;
    });
    return areNumbers && !read.has(index) ? [{ name, index, words: new Set() }] : [];
  });
  for (const one of rows) lookAt(watched, one);
  return watched;
}

function lookAt(watched: readonly Watched[], { cells }: FileRow): void {
  for (const { index, words } of watched) {
    const cell = cells[index];
    if (cell === undefined || cell === '' || startsWithDigit(cell)) continue;
    if (words.size < WORDS_MAX) words.add(cell.trim());
  }
}

export const notRead = ({
  column: { name, index },
  why,
}: {
  column: Pick<Column, 'name' | 'index'>;
  why: string;
}): Warning => ({
  code: 'column_not_read',
  detail: `The column ${quoted(name || `#${index + 1}`)} is not read: ${why}.`,
  rows: [],
});

function statusesNotRead({ name, index, words }: Watched): Warning[] {
  const statuses = [...words].filter((word) => (guessStatus(word) ?? 'FINISHED') !== 'FINISHED');
  if (statuses.length === 0) return [];
  const shown = statuses.slice(0, 5).map(quoted).join(', ');
  const why = `it has statuses, such as ${shown}. Name it with the parameter status`;
  return [notRead({ column: { name, index }, why })];
}

/** Warns of splits without a time, of times that are not read, and of times of day. */
function columnWarnings(columns: Columns, rows: readonly FileRow[], format: TimeFormat): Warning[] {
  const all = columnsOf({ header: columns.names.slice(0, COLUMNS_MAX), rows });
  const used = MEANINGS.flatMap((meaning) => columns[meaning]).flatMap((index) => all[index] ?? []);
  const [finish] = [...columns.chipTime, ...columns.gunTime].flatMap((index) => all[index] ?? []);
  const guess = guessSplits(all, used, finish, format);
  const stored = columns.splitIndexes.flatMap((index) => all[index] ?? []);
  const others = all.filter((column) => !used.includes(column) && !stored.includes(column));
  const unlikely = columns.parameters?.splits
    ? []
    : guess.leftOut.filter(({ column }) => stored.includes(column) && hasTimes(column, format));
  const unstored = stored.filter((column) => !hasTimes(column, format));
  const unnamed = [...others, ...unstored].filter((column) => hasTimes(column, 'apostrophes'));
  return [
    ...(finish && isTimeOfDayIn(finish, all) ? [timeOfDay(finish)] : []),
    ...(unlikely.length > 0 ? [splitsUnlikely(unlikely)] : []),
    ...unread(unnamed, guess).map(notRead),
  ];
}

const hasTimes = (column: Column, format: TimeFormat): boolean =>
  timesIn(column, format).some((ms) => ms !== undefined);

const timeOfDay = ({ name }: Column): Warning => ({
  code: 'time_of_day',
  detail: `The times of ${quoted(name)} are times of day, not times that a race took, as another column shows.`,
  rows: [],
});

/** Warns of columns that an upload stores as splits, though they probably have no splits. */
export function splitsUnlikely(columns: readonly LeftOut[]): Warning {
  const names = columns.map(({ column, why }) => `${quoted(column.name)} (${why})`).join(', ');
  const detail = `Without the parameter split, these columns are stored as splits: ${names}.`;
  return { code: 'splits_unlikely', detail, rows: [] };
}
