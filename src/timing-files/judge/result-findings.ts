import type { Lines } from '../read/lines.ts';
import type { TimeFormat } from '../read/time-formats.ts';
import type { Measures } from './measures.ts';
import { type Finding, findingIf, REFUTED, type WarningCode } from './warning.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Unlikely times, which can come from a file or from JSON.
 * @param areOfRace whether the distances of the runners show that the times are times of a race
 */
export function resultFindings(
  measures: Measures,
  format: TimeFormat = 'clock',
  areOfRace = false,
): Finding[] {
  const { times, overDay, zero, gunBelowChip, splitAfterFinish, leastSplitMs, leastWaitMs } =
    measures;
  const { count, leastMs, mostMs } = times;
  const same = measures.sameSplits().map((name) => `"${name}"`);
  const isLate = leastMs >= 6 * HOUR_MS && mostMs < 24 * HOUR_MS && leastSplitMs >= 5 * HOUR_MS;
  return [
    ...about(overDay, false, 'over_24_hours', 'a time longer than 24 hours.'),
    ...about(zero, false, 'zero_time', 'a time of zero, which is left out.'),
    ...about(gunBelowChip, true, 'gun_below_chip', 'a gun time below the chip time.'),
    ...findingIf(
      count >= 2 && times.wholeMinutes === count,
      // Results differ, even in minutes. Appointments and limits do not.
      count >= 12 && times.different.size < Math.min(count, 100) / 3 ? count : 0,
      'whole_minutes',
      'Every time is a whole number of minutes. Check whether its parts are hours and minutes.',
    ),
    ...findingIf(
      count >= 2 && leastMs < 10 * MINUTE_MS && mostMs < 24 * MINUTE_MS && format === 'clock',
      0,
      'short_times',
      'The times are a few minutes. Check whether their parts are minutes and seconds.',
    ),
    ...findingIf(
      count >= 3 && times.isRestRising && times.restMostMs * 2 < times.firstMs,
      REFUTED,
      'gaps_unlikely',
      'The first time is much longer than the others, which rise. Check whether they are gaps to the winner.',
    ),
    ...findingIf(
      count >= 2 && isLate && mostMs < leastMs * 1.35 && !areOfRace,
      format === 'clock' || format === 'am_pm' ? count : 0,
      'time_of_day',
      'All times are between 6 and 24 hours and close together. Check whether they are times of day.',
    ),
    ...findingIf(
      count >= 2 && leastWaitMs > HOUR_MS && leastWaitMs !== Number.POSITIVE_INFINITY,
      count,
      'time_of_day',
      'Every gun time is more than an hour later than the chip time. Check whether they are times of day.',
    ),
    ...about(
      splitAfterFinish,
      splitAfterFinish.count > count / 10,
      'split_after_finish',
      'a split later than the finish.',
    ),
    ...findingIf(
      same.length > 0,
      0,
      'split_same_for_all',
      `These splits are the same for everybody: ${same.slice(0, 10).join(', ')}.`,
    ),
  ];
}

/** @param isAgainst whether the rows speak against the reading, or are only worth a look */
const about = (
  { count, rows }: Lines,
  isAgainst: boolean,
  code: WarningCode,
  what: string,
): Finding[] =>
  findingIf(
    count > 0,
    isAgainst ? count : 0,
    code,
    `${count === 1 ? '1 row has' : `${count} rows have`} ${what}`,
    rows,
  );
