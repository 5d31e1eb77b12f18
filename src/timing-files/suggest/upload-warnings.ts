import type { Columns } from '../read/columns.ts';
import { Pattern } from '../read/pattern.ts';
import type { FileRow } from '../read/results-file.ts';
import { guessStatus } from '../read/status-words.ts';
import { quoted } from '../read/text.ts';
import { parseTime } from '../read/time-formats.ts';
import { classify } from './column-classes.ts';
import { fileWarnings, noRows, type RowsRead } from './file-warnings.ts';
import { STARTS } from './guess-times.ts';
import { createMeasures } from './measures.ts';
import type { Warning } from './warning.ts';

/** So many rows tell which columns are looked at in all others. */
const ROWS_LOOKED_AT = 10;
const COLUMNS_MAX = 100;
const WORDS_MAX = 20;

type Counts = Pick<RowsRead, 'total' | 'errors' | 'duplicates'>;

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
    /** The rows that load or fail. Their judge fills it in. */
    measures,

    add(row: FileRow): void {
      last = row;
      if (watched) {
        lookAt(watched, row);
        return;
      }
      first.push(row);
      if (first.length < ROWS_LOOKED_AT) return;
      watched = columnsOfNumbers(first);
      for (const one of first) lookAt(watched, one);
    },

    /** The warnings of a preview, without those that compare with the event. */
    warnings({ total, errors, duplicates }: Counts): Warning[] {
      if (!last) return [noRows()];
      const { columns, cells, row } = last;
      if (!watched) {
        watched = columnsOfNumbers(first);
        for (const one of first) lookAt(watched, one);
      }
      const format = columns.parameters?.timeFormat ?? 'clock';
      const isBibNamed = classify(columns.names[columns.bib[0] ?? -1] ?? '') === 'bib';
      const isShort = cells.length < columns.names.length;
      return [
        ...fileWarnings({ total, errors, duplicates, measures, format, isBibNamed }),
        ...timesOfDay(columns, first),
        ...splitsUnlikely(columns, first),
        ...watched.flatMap(statusesNotRead),
        ...timesNotRead(columns, first),
        ...(isShort ? [lastLineShort(row, cells.length, columns.names.length)] : []),
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

/** The columns without another meaning that hold numbers, blanks and status words alone. */
function columnsOfNumbers(rows: readonly FileRow[]): Watched[] {
  const [row] = rows;
  if (!row) return [];
  const { columns } = row;
  const read = new Set([
    ...columns.bib,
    ...columns.chipTime,
    ...columns.gunTime,
    ...columns.status,
  ]);
  return columns.names.slice(0, COLUMNS_MAX).flatMap((name, index) => {
    const isNumber = rows.every(({ cells }) => {
      const cell = (cells[index] ?? '').trim();
      return cell === '' || startsWithDigit(cell) || guessStatus(cell) !== undefined;
    });
    return isNumber && !read.has(index) ? [{ name, index, words: new Set<string>() }] : [];
  });
}

function lookAt(watched: readonly Watched[], { cells }: FileRow): void {
  for (const { index, words } of watched) {
    const cell = cells[index];
    if (cell === undefined || cell === '' || startsWithDigit(cell)) continue;
    if (words.size < WORDS_MAX) words.add(cell.trim());
  }
}

const notRead = (name: string, index: number, why: string): Warning => ({
  code: 'column_not_read',
  detail: `The column ${quoted(name || `#${index + 1}`)} is not read: ${why}.`,
  rows: [],
});

function statusesNotRead({ name, index, words }: Watched): Warning[] {
  const statuses = [...words].filter((word) => (guessStatus(word) ?? 'FINISHED') !== 'FINISHED');
  if (statuses.length === 0) return [];
  const shown = statuses.slice(0, 5).map(quoted).join(', ');
  return [
    notRead(name, index, `it has statuses, such as ${shown}. Name it with the parameter status`),
  ];
}

/** Columns with times that an upload cannot read in its format. */
function timesNotRead(columns: Columns, rows: readonly FileRow[]): Warning[] {
  const format = columns.parameters?.timeFormat ?? 'clock';
  const splits = new Set(columns.splitIndexes);
  const read = new Set([
    ...columns.bib,
    ...columns.chipTime,
    ...columns.gunTime,
    ...columns.status,
  ]);
  return columns.names.slice(0, COLUMNS_MAX).flatMap((name, index) => {
    if (read.has(index)) return [];
    const texts = rows.map(({ cells }) => (cells[index] ?? '').trim()).filter(looksLikeTime);
    const [text] = texts;
    if (text === undefined || (splits.has(index) && parseTime(format, text) !== undefined))
      return [];
    if (parseTime('apostrophes', text) === undefined) return [];
    return [notRead(name, index, `it has times, such as ${quoted(text)}`)];
  });
}

const looksLikeTime = (cell: string): boolean => startsWithDigit(cell) && TIME_SIGN.test(cell);
const TIME_SIGN = new Pattern(/[:'h]/);

/** Columns that the names of paces and gaps have, which an upload stores as splits. */
function splitsUnlikely(columns: Columns, rows: readonly FileRow[]): Warning[] {
  if (columns.parameters?.splits) return [];
  const format = columns.parameters?.timeFormat ?? 'clock';
  const names = columns.splitIndexes.slice(0, COLUMNS_MAX).flatMap((index) => {
    const name = columns.names[index] ?? '';
    const hasTime = rows.some(({ cells }) => parseTime(format, cells[index] ?? '') !== undefined);
    return hasTime && NO_SPLITS.has(classify(name)) ? [quoted(name)] : [];
  });
  if (names.length === 0) return [];
  const detail = `These columns are stored as splits, but their names say other: ${names.join(', ')}. Name the splits with the parameter split.`;
  return [{ code: 'splits_unlikely', detail, rows: [] }];
}

const NO_SPLITS = new Set(['noResult', 'place', 'person', 'number', 'netTime', 'gunTime', 'time']);

const HOUR_MS = 3_600_000;

/** A time that comes after the start, which is late in the day, is a time of day itself. */
function timesOfDay(columns: Columns, rows: readonly FileRow[]): Warning[] {
  const [finish = -1] = [...columns.chipTime, ...columns.gunTime];
  const start = columns.names.findIndex((name) => STARTS.test(name));
  if (finish < 0 || start < 0 || start === finish) return [];
  const pairs = rows.flatMap(({ cells }) => {
    const startMs = parseTime('clock', cells[start] ?? '');
    const finishMs = parseTime('clock', cells[finish] ?? '');
    return startMs === undefined || finishMs === undefined ? [] : [{ startMs, finishMs }];
  });
  const areOfDay = pairs.every(
    ({ startMs, finishMs }) => startMs >= 3 * HOUR_MS && finishMs >= startMs,
  );
  if (pairs.length === 0 || !areOfDay) return [];
  const detail = `The times of ${quoted(columns.names[finish] ?? '')} come after those of ${quoted(columns.names[start] ?? '')}: they are times of day, not times that a race took.`;
  return [{ code: 'time_of_day', detail, rows: [] }];
}

const lastLineShort = (row: number, width: number, expected: number): Warning => ({
  code: 'last_line_cut',
  detail: `The last line has ${width} cells, but the header has ${expected}: the file may be incomplete.`,
  rows: [row],
});
