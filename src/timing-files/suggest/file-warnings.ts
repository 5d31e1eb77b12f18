import { Pattern } from '../read/pattern.ts';
import { quoted } from '../read/text.ts';
import type { TimeFormat } from '../read/time-formats.ts';
import type { Lines, Tally } from './tally.ts';
import type { Warning, WarningCode } from './warning.ts';

const HOUR_MS = 3_600_000;

/** Warnings about results that are unlikely in themselves. */
export function fileWarnings(tally: Tally, format: TimeFormat): Warning[] {
  return [
    ...failureWarnings(tally),
    ...timeWarnings(tally, format),
    ...splitWarnings(tally),
    ...bibWarnings(tally),
  ];
}

const warning = (code: WarningCode, detail: string, rows: number[] = []): Warning => ({
  code,
  detail,
  rows,
});

const about = (code: WarningCode, { count, rows }: Lines, detail: (rows: string) => string) =>
  count === 0 ? [] : [warning(code, detail(count === 1 ? '1 row' : `${count} rows`), rows)];

function failureWarnings({ total, errors, reasons, failed, unknownStatuses }: Tally): Warning[] {
  const found: Warning[] = [];
  const [most] = [...reasons.values()].sort((one, other) => other.count - one.count);
  const [first] = failed;
  if (most && first && errors >= total * 0.9) {
    const which = errors === total ? `All ${total} rows fail` : `${errors} of ${total} rows fail`;
    found.push(warning('rows_fail_alike', `${which}. The first: ${first.reason}`, most.rows));
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

function timeWarnings(tally: Tally, format: TimeFormat): Warning[] {
  const { times, overDay, zero, gunBelowChip } = tally;
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
  if (looksLikeTimeOfDay(tally)) {
    found.push(
      warning(
        'time_of_day',
        'All times are between 6 and 24 hours and close together. Check whether they are times of day.',
      ),
    );
  }
  return found;
}

function looksLikeTimeOfDay({ times, leastSplitMs }: Tally): boolean {
  const { count, leastMs, mostMs } = times;
  const isLate = leastMs >= 6 * HOUR_MS && mostMs < 24 * HOUR_MS;
  return count >= 2 && isLate && mostMs < leastMs * 1.35 && leastSplitMs >= 5 * HOUR_MS;
}

function splitWarnings({ splits, splitAfterFinish }: Tally): Warning[] {
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

function bibWarnings({ total, duplicates, firstBibs }: Tally): Warning[] {
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
  const looks = bibsLookLike(firstBibs);
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
