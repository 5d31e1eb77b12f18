import { parseRaceTime, RACE_TIME_FORMS } from '../../timing-files/read/race-time.ts';
import { RowError } from '../../timing-files/read/reason-codes.ts';
import { isStorable, judgeBib } from '../../timing-files/read/result.ts';
import { quoted } from '../../timing-files/read/text.ts';
import { isTooLong, POINT_LENGTH_MAX } from './schemas.ts';

/** The texts of one row of an upload. */
export type ClaimedPassing = { bib: string; point: string; time: string };

/** What a timing point before the finish saw. The time counts from the start. */
export type Passing = { bib: string; point: string; timeMs: number };

/**
 * Checks a row and converts it to a passing that can be stored.
 * @throws RowError with the value that cannot be read
 */
export const judgePassing = ({ bib, point, time }: ClaimedPassing): Passing => ({
  bib: judgeBib(bib),
  point: judgePoint(point),
  timeMs: judgeTime(time),
});

function judgePoint(sent: string): string {
  const point = sent.trim();
  if (point === '') throw new RowError('The name of the point is missing.', 'missing_point');
  if (isTooLong(point)) {
    throw new RowError(
      `The name of the point ${quoted(point)} is longer than ${POINT_LENGTH_MAX} characters.`,
      'invalid_point',
    );
  }
  if (isStorable(point)) return point;
  throw new RowError(
    `The name of the point ${quoted(point)} has characters that cannot be stored, such as NUL.`,
    'invalid_point',
  );
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
