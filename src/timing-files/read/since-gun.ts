import type { Parameters } from './parameters.ts';
import { formatRaceTime, parseRaceTime } from './race-time.ts';
import { RowError } from './reason-codes.ts';
import type { ClaimedResult } from './result.ts';
import { parseStatus, STATUS_RULES } from './result-status.ts';
import { quoted } from './text.ts';

/** Which times of a row are times of day. */
export type OfDay = { chipTime: boolean; gunTime: boolean; split(at: number): boolean };

export const ALL_OF_DAY: OfDay = { chipTime: true, gunTime: true, split: () => true };

/**
 * A row with times since the gun for its times of day. A time of day at the finish is a gun time. A split is counted as
 * the finish is: from the start line, if the row says when its runner crossed the line.
 * @throws RowError
 */
export function sinceGun(
  claimed: ClaimedResult,
  ofDay: OfDay,
  { clock, point }: Pick<Parameters, 'clock' | 'point'>,
): ClaimedResult {
  const bib = claimed.bib.trim();
  if (bib === '') return claimed;
  const countedMs = (cell: string, where: string | undefined): number | undefined => {
    if (!clock) throw new RowError('No start was told for the event.', 'no_start');
    return clock.timeMs(bib, cell, where);
  };
  // A row with an unknown status fails because of it.
  const status = claimed.status.trim() === '' ? 'FINISHED' : parseStatus(claimed.status);
  const keepsTimes = status !== undefined && STATUS_RULES[status].keepsTimes;
  const timeOf = (name: string, cell: string, isOfDay: boolean): string => {
    if (!isOfDay || cell.trim() === '') return cell;
    if (!keepsTimes) return '';
    const timeMs = countedMs(cell, point);
    if (timeMs === undefined) throw noTimeOfDay(name, cell);
    return formatRaceTime(timeMs);
  };
  const chip = timeOf('chip time', claimed.chipTime, ofDay.chipTime);
  const gun = timeOf('gun time', claimed.gunTime, ofDay.gunTime);
  const [chipTime, gunTime] = ofDay.chipTime ? ['', gun.trim() || chip] : [chip, gun];
  const [chipMs, gunMs] = [parseRaceTime(chipTime), parseRaceTime(gunTime)];
  const lineMs = chipMs && gunMs && ofDay.gunTime ? Math.max(0, gunMs - chipMs) : 0;
  return {
    ...claimed,
    chipTime,
    gunTime,
    splitTimes: claimed.splitTimes.map((time, at) => {
      if (!ofDay.split(at) || typeof time !== 'string') return time;
      const timeMs = countedMs(time, claimed.splitNames[at]);
      // The line itself is no split.
      return timeMs === undefined || timeMs <= lineMs ? '' : formatRaceTime(timeMs - lineMs);
    }),
  };
}

/** @param name the name of the time */
export const noTimeOfDay = (name: string, cell: string): RowError =>
  new RowError(
    `The ${name} ${quoted(cell)} is not a time of day, as in 10:31:10, 10:31:10 PM or 2027-05-09T10:31:10+02:00.`,
    'invalid_time',
    cell.trim(),
  );
