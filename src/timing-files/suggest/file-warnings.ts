import type { Parameters } from '../read/parameters.ts';
import { Pattern } from '../read/pattern.ts';
import { quoted } from '../read/text.ts';
import type { TimeFormat } from '../read/time-formats.ts';
import type { Lines, Measures } from './measures.ts';
import type { Warning, WarningCode } from './warning.ts';

const HOUR_MS = 3_600_000;

/** Facts about the rows of an upload or a preview. */
export type RowsRead = {
  total: number;
  errors: number;
  duplicates: number;
  measures: Measures;
  format: TimeFormat;
  /** Whether the bib column has a clear name. Then its cells are bibs, also if they look like places. */
  isBibNamed: boolean;
};

/** Warnings about results of a file that are unlikely in themselves. */
export const fileWarnings = (read: RowsRead): Warning[] => [
  ...failureWarnings(read),
  ...resultWarnings(read.measures, read.format),
  ...bibWarnings(read),
];

/** Warnings about times, which can come from a file or from JSON. */
export const resultWarnings = (measures: Measures, format: TimeFormat = 'clock'): Warning[] => [
  ...timeWarnings(measures, format),
  ...splitWarnings(measures),
];

/** An export before the first finisher is normal. A condition that no row meets may be a mistake. */
export const noRows = ({ where }: Parameters): Warning => {
  const what = where.length === 0 ? 'a header and no row below it' : 'no row that meets';
  const conditions = where.map((one) => ` where=${quoted(one)}`).join(' and');
  return warning('no_rows', `The file has ${what}${conditions}, so it has no results yet.`);
};

const warning = (code: WarningCode, detail: string, rows: number[] = []): Warning => ({
  code,
  detail,
  rows,
});

const about = (code: WarningCode, { count, rows }: Lines, detail: (rows: string) => string) =>
  count === 0 ? [] : [warning(code, detail(count === 1 ? '1 row' : `${count} rows`), rows)];

function failureWarnings({ total, errors, measures }: RowsRead): Warning[] {
  const { reasons, firstReason, unknownStatuses } = measures;
  const found: Warning[] = [];
  const [most] = [...reasons.values()].sort((one, other) => other.count - one.count);
  if (most && errors >= total * 0.9) {
    const which = errors === total ? `All ${total} rows fail` : `${errors} of ${total} rows fail`;
    found.push(warning('rows_fail_alike', `${which}. The first: ${firstReason}`, most.rows));
  }
  if (unknownStatuses.size > 0) {
    const words = [...unknownStatuses].map((word) => quoted(word)).join(', ');
    found.push(
      warning(
        'unknown_status_words',
        `Rows with these statuses fail: ${words}. Say what each means, as in status_word=Abandon:DNF.`,
        reasons.get('invalid_status')?.rows ?? [],
      ),
    );
  }
  return found;
}

function timeWarnings(measures: Measures, format: TimeFormat): Warning[] {
  const { times, overDay, zero, gunBelowChip } = measures;
  const found = [
    ...about('over_24_hours', overDay, (rows) => `${rows} took longer than 24 hours.`),
    ...about('zero_time', zero, (rows) => `${rows} have the time 0 and would lead the race.`),
    ...about(
      'gun_below_chip',
      gunBelowChip,
      (rows) => `${rows} have a gun time below the chip time.`,
    ),
  ];
  if (times.count >= 2 && times.wholeMinutes === times.count) {
    found.push(
      warning(
        'whole_minutes',
        'Every time is a whole number of minutes. Check whether its parts are hours and minutes.',
      ),
    );
  }
  if (times.count >= 2 && times.mostMs < 600_000 && format === 'clock') {
    found.push(
      warning(
        'short_times',
        'Every time is under 10 minutes. Check whether its parts are minutes and seconds.',
      ),
    );
  }
  if (times.count >= 3 && times.isRestRising && times.restMostMs * 2 < times.firstMs) {
    found.push(
      warning(
        'gaps_unlikely',
        'The first time is much longer than the others, which rise. Check whether they are gaps to the winner.',
      ),
    );
  }
  if (looksLikeTimeOfDay(measures)) {
    found.push(
      warning(
        'time_of_day',
        'All times are between 6 and 24 hours and close together. Check whether they are times of day.',
      ),
    );
  }
  return found;
}

function looksLikeTimeOfDay({ times, leastSplitMs }: Measures): boolean {
  const { count, leastMs, mostMs } = times;
  const isLate = leastMs >= 6 * HOUR_MS && mostMs < 24 * HOUR_MS;
  return count >= 2 && isLate && mostMs < leastMs * 1.35 && leastSplitMs >= 5 * HOUR_MS;
}

function splitWarnings({ splits, splitAfterFinish }: Measures): Warning[] {
  const same = [...splits].filter(([, { isSame, count }]) => isSame && count >= 3);
  return [
    ...about(
      'split_after_finish',
      splitAfterFinish,
      (rows) => `${rows} have a split later than the finish.`,
    ),
    ...about('split_same_for_all', { count: same.length, rows: [] }, () => {
      const names = same.slice(0, 10).map(([name]) => `"${name}"`);
      return `These splits are the same for everybody: ${names.join(', ')}.`;
    }),
  ];
}

function bibWarnings({ total, duplicates, measures, isBibNamed }: RowsRead): Warning[] {
  const found: Warning[] = [];
  if (duplicates > total * 0.05) {
    found.push(
      warning(
        'repeated_bibs',
        `${duplicates} of ${total} rows repeat a bib. The last row of each bib counts. If a runner has several ` +
          'rows, choose those of the finish, as in where=Point:Finish.',
      ),
    );
  }
  const looks = isBibNamed ? undefined : bibsLookLike(measures.firstBibs);
  if (looks) found.push(warning('bibs_unlikely', `The bibs look like ${looks}: check the column.`));
  return found;
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
