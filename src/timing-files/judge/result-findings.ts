import type { Lines } from '../read/lines.ts';
import type { TimeFormat } from '../read/time-formats.ts';
import type { Measures } from './measures.ts';
import { aboutLines, type Finding, findingIf, REFUTED } from './warning.ts';

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
  const splits = measures.sameSplits();
  const isLate = leastMs >= 6 * HOUR_MS && mostMs < 24 * HOUR_MS && leastSplitMs >= 5 * HOUR_MS;
  return [
    ...about(overDay, false, 'over_24_hours'),
    ...about(zero, false, 'zero_time'),
    ...about(gunBelowChip, true, 'gun_below_chip'),
    ...findingIf(
      count >= 2 && times.wholeMinutes === count,
      // Results differ, even in minutes. Appointments and limits do not.
      count >= 12 && times.different.size < Math.min(count, 100) / 3 ? count : 0,
      'whole_minutes',
      {},
    ),
    ...findingIf(
      count >= 2 && leastMs < 10 * MINUTE_MS && mostMs < 24 * MINUTE_MS && format === 'clock',
      0,
      'short_times',
      {},
    ),
    ...findingIf(
      count >= 3 && times.isRestRising && times.restMostMs * 2 < times.firstMs,
      REFUTED,
      'gaps_unlikely',
      {},
    ),
    ...findingIf(
      count >= 2 && isLate && mostMs < leastMs * 1.35 && !areOfRace,
      format === 'clock' || format === 'am_pm' ? count : 0,
      'time_of_day:late',
      {},
    ),
    ...findingIf(
      count >= 2 && leastWaitMs > HOUR_MS && leastWaitMs !== Number.POSITIVE_INFINITY,
      count,
      'time_of_day:gun',
      {},
    ),
    ...about(splitAfterFinish, splitAfterFinish.count > count / 10, 'split_after_finish'),
    ...findingIf(splits.length > 0, 0, 'split_same_for_all', { splits: splits.slice(0, 10) }),
  ];
}

/** @param isAgainst whether the rows speak against the reading, or are only worth a look */
const about = (
  lines: Lines,
  isAgainst: boolean,
  code: 'over_24_hours' | 'zero_time' | 'gun_below_chip' | 'split_after_finish',
): Finding[] =>
  aboutLines(code, lines).map((one) => ({ ...one, against: isAgainst ? lines.count : 0 }));
