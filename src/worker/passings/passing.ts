import { POINT_LENGTH_MAX } from '../../timing-files/read/parameters.ts';
import { publicName } from '../../timing-files/read/public-name.ts';
import { parseRaceTime, RACE_TIME_FORMS } from '../../timing-files/read/race-time.ts';
import { RowError } from '../../timing-files/read/reason-codes.ts';
import { judgeBib } from '../../timing-files/read/result.ts';
import { quoted } from '../../timing-files/read/text.ts';

/** The texts of a row of an upload. */
export type ClaimedPassing = { bib: string; point: string; time: string };

/** A runner's time at a timing point before the finish. The time counts from the start. */
export type Passing = { bib: string; point: string; timeMs: number };

/**
 * Checks a row and converts the row to a passing.
 * @throws RowError with the unreadable value
 */
export const judgePassing = ({ bib, point, time }: ClaimedPassing): Passing => ({
  bib: judgeBib(bib),
  point: judgePoint(point),
  timeMs: judgeTime(time),
});

function judgePoint(sent: string): string {
  const { fault, name } = publicName(sent, POINT_LENGTH_MAX);
  if (fault !== undefined) {
    throw new RowError(`The name of the point cannot be stored: ${fault}.`, 'invalid_point');
  }
  if (name === '') throw new RowError('The name of the point is missing.', 'missing_point');
  return name;
}

function judgeTime(sent: string): number {
  const timeMs = parseRaceTime(sent);
  if (timeMs) return timeMs;
  if (timeMs === 0) {
    throw new RowError('The time is zero: nobody is at a point at the start.', 'missing_time');
  }
  if (sent.trim() === '') throw new RowError('The time is missing.', 'missing_time');
  throw new RowError(
    `The time ${quoted(sent)} is not a time: expected ${RACE_TIME_FORMS}.`,
    'invalid_time',
  );
}
