import type { Parameters } from '../read/parameters.ts';
import { Pattern } from '../read/pattern.ts';
import type { FileRow } from '../read/results-file.ts';
import { quoted } from '../read/text.ts';
import type { TimeFormat } from '../read/time-formats.ts';
import { classify } from './column-classes.ts';
import type { Lines, Measures } from './measures.ts';
import { type Warning, type WarningCode, warningIf } from './warning.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Facts about the rows of an upload or a preview. */
export type RowsRead = {
  measures: Measures;
  /** Rows that a later row of the same bib replaces. */
  duplicates: number;
  last: FileRow | undefined;
  parameters: Parameters;
  /** Whether the file ends without a newline. */
  isCut?: boolean;
};

/** Warnings about unlikely results of a file, without a comparison with the event. */
export function fileWarnings(read: RowsRead): Warning[] {
  const { measures, duplicates, last, parameters, isCut } = read;
  if (!last) return [noRows(parameters)];
  const { total, errors, reasons, firstReason, unknownStatuses, firstBibs } = measures;
  const [most] = [...reasons.values()].sort((one, other) => other.count - one.count);
  const failing = errors === total ? `All ${total} rows fail` : `${errors} of ${total} rows fail`;
  const words = [...unknownStatuses].map((word) => quoted(word)).join(', ');
  const { names, bib } = last.columns;
  // The cells of a column with a clear name are bibs, also if they look like places.
  const isBibNamed = classify(names[bib[0] ?? -1] ?? '') === 'bib';
  const looks = isBibNamed ? undefined : bibsLookLike(firstBibs);
  return [
    ...warningIf(
      most !== undefined && errors >= total * 0.9,
      'rows_fail_alike',
      `${failing}. The first: ${firstReason}`,
      most?.rows,
    ),
    ...warningIf(
      unknownStatuses.size > 0,
      'unknown_status_words',
      `Rows with these statuses fail: ${words}. Say what each means, as in status_word=Abandon:DNF.`,
      reasons.get('invalid_status')?.rows,
    ),
    ...resultWarnings(measures, parameters.timeFormat),
    ...warningIf(
      duplicates > total * 0.05,
      'repeated_bibs',
      `${duplicates} of ${total} rows repeat a bib. The last row of each bib counts. If a runner has several ` +
        'rows, choose those of the finish, as in where=Point:Finish.',
    ),
    ...warningIf(
      looks !== undefined,
      'bibs_unlikely',
      `The bibs look like ${looks}: check the column.`,
    ),
    ...lastLineCut(last, isCut),
  ];
}

/** A file that ends without a newline, or in a row without all its cells, may still be on its way. */
function lastLineCut({ row, cells, columns: { names } }: FileRow, isCut = false): Warning[] {
  const isShort = cells.length < names.length;
  const what = isShort
    ? `${cells.length} cells, but the header has ${names.length}`
    : 'no line end';
  const detail = `The last line has ${what}: the file may be incomplete.`;
  return warningIf(isCut || isShort, 'last_line_cut', detail, [row]);
}

/** Warnings about times, which can come from a file or from JSON. */
export function resultWarnings(measures: Measures, format: TimeFormat = 'clock'): Warning[] {
  const { times, overDay, zero, gunBelowChip, splitAfterFinish, leastSplitMs } = measures;
  const { count, leastMs, mostMs } = times;
  const same = measures.sameSplits().map((name) => `"${name}"`);
  const isLate = leastMs >= 6 * HOUR_MS && mostMs < 24 * HOUR_MS && leastSplitMs >= 5 * HOUR_MS;
  return [
    ...about(overDay, 'over_24_hours', 'a time longer than 24 hours.'),
    ...about(zero, 'zero_time', 'the time 0, which would lead the race.'),
    ...about(gunBelowChip, 'gun_below_chip', 'a gun time below the chip time.'),
    ...warningIf(
      count >= 2 && times.wholeMinutes === count,
      'whole_minutes',
      'Every time is a whole number of minutes. Check whether its parts are hours and minutes.',
    ),
    ...warningIf(
      count >= 2 && leastMs < 10 * MINUTE_MS && mostMs < 24 * MINUTE_MS && format === 'clock',
      'short_times',
      'The times are a few minutes. Check whether their parts are minutes and seconds.',
    ),
    ...warningIf(
      count >= 3 && times.isRestRising && times.restMostMs * 2 < times.firstMs,
      'gaps_unlikely',
      'The first time is much longer than the others, which rise. Check whether they are gaps to the winner.',
    ),
    ...warningIf(
      count >= 2 && isLate && mostMs < leastMs * 1.35,
      'time_of_day',
      'All times are between 6 and 24 hours and close together. Check whether they are times of day.',
    ),
    ...about(splitAfterFinish, 'split_after_finish', 'a split later than the finish.'),
    ...warningIf(
      same.length > 0,
      'split_same_for_all',
      `These splits are the same for everybody: ${same.slice(0, 10).join(', ')}.`,
    ),
  ];
}

const about = ({ count, rows }: Lines, code: WarningCode, what: string): Warning[] =>
  warningIf(count > 0, code, `${count === 1 ? '1 row has' : `${count} rows have`} ${what}`, rows);

/** An export before the first finisher is normal. A condition that no row meets may be a mistake. */
function noRows({ where }: Parameters): Warning {
  const what = where.length === 0 ? 'a header and no row below it' : 'no row that meets';
  const conditions = where.map((one) => ` where=${quoted(one)}`).join(' and');
  const detail = `The file has ${what}${conditions}, so it has no results yet.`;
  return { code: 'no_rows', detail, rows: [] };
}

const YEAR = new Pattern(/^(19|20)\d\d$/);
const AGE = new Pattern(/^\d\d?$/);

function bibsLookLike(bibs: readonly string[]): string | undefined {
  if (bibs.length < 5) return undefined;
  if (bibs.every((bib, at) => bib === String(at + 1))) return 'places: they count 1, 2, 3, …';
  if (bibs.every((bib) => YEAR.test(bib))) return 'years';
  const isRepeating = new Set(bibs).size < bibs.length * 0.8;
  if (isRepeating && bibs.every((bib) => AGE.test(bib))) return 'ages';
  return undefined;
}
