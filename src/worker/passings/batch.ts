import type { RaceClock } from '../../timing-files/read/race-clock.ts';
import { formatRaceTime } from '../../timing-files/read/race-time.ts';
import { RowError } from '../../timing-files/read/reason-codes.ts';
import { orRowError, type SentRow } from '../../timing-files/read/result.ts';
import { noTimeOfDay } from '../../timing-files/read/since-gun.ts';
import { copied } from '../../timing-files/read/text.ts';
import { eachOf } from '../../timing-files/read/turns.ts';
import type { LargeText } from '../db/large-text.ts';
import { invalid } from '../errors.ts';
import type { JsonBody } from '../http/json-text.ts';
import type { ReadRows } from '../results/upload/batch.ts';
import { Column, textArray } from '../results/upload/column.ts';
import { createFailures } from '../results/upload/failures.ts';
import { jsonRows, parseItem, parseUpload } from '../results/upload/json-rows.ts';
import { createLastRows } from '../results/upload/last-rows.ts';
import { numberArray } from '../results/upload/number-array.ts';
import { type ClaimedPassing, judgePassing, type Passing } from './passing.ts';
import { PassingIn, PassingsUploadIn, POINTS_MAX } from './schemas.ts';

/** The values to store, each column as a Postgres array. */
export type PassingValues = {
  bibs: LargeText;
  /** For each row, the ordinal of its point in `points`, from 1 on. */
  pointsOf: LargeText;
  timesMs: LargeText;
  /** Each name once: a long name repeated in many rows would not fit into memory. */
  points: LargeText;
};

/** The checked rows of an upload of passings: the last valid row of each bib and point counts. */
export type PassingBatch = ReadRows<SentRow<ClaimedPassing>> & {
  loadable: { values: PassingValues };
  /** The points in the order of `values.points`. */
  pointNames: readonly string[];
};

export function createPassingBuilder() {
  const lastRows = createLastRows();
  const failures = createFailures(judgeSent);
  const bibs = new Column(textArray);
  const pointsOf = new Column<number>(numberArray);
  const timesMs = new Column<number>(numberArray);
  /** The points in their first spelling, each also without its case, with their ordinals. */
  const ordinals = new Map<string, number>();
  const points: string[] = [];
  let total = 0;

  function addPoint(point: string): number {
    const ordinal = points.push(point);
    if (ordinal > POINTS_MAX) throw tooManyPoints();
    ordinals.set(point, ordinal).set(point.toLowerCase(), ordinal);
    return ordinal;
  }

  function load(row: number, { bib, point, timeMs }: Passing): void {
    const ordinal = ordinals.get(point) ?? ordinals.get(point.toLowerCase()) ?? addPoint(point);
    // No bib has a NUL.
    lastRows.add(row, `${ordinal}\0${bib}`);
    bibs.add(copied(bib));
    pointsOf.add(ordinal);
    timesMs.add(timeMs);
  }

  return {
    /** @returns the passing of the row, or the reason against storing the row */
    add(sent: SentRow<ClaimedPassing>): Passing | RowError {
      total += 1;
      const judged = judgeSent(sent);
      if (judged instanceof RowError) failures.add(sent.row, judged);
      else load(sent.row, judged);
      return judged;
    },
    get duplicates() {
      return lastRows.duplicates;
    },
    repeated: lastRows.repeated,
    finish(sentAgain: PassingBatch['sentAgain']): PassingBatch {
      const { duplicates } = lastRows;
      const values = {
        bibs: bibs.takeArray(lastRows),
        pointsOf: pointsOf.takeArray(lastRows),
        timesMs: timesMs.takeArray(lastRows),
        points: textArray(points),
      };
      return {
        total,
        errors: failures.count,
        duplicates,
        loadable: { rows: lastRows.finish(), values },
        pointNames: points,
        sentAgain,
        failureOf: failures.of,
      };
    },
  };
}

/**
 * Reads the batch of a JSON body (uploadEventPassings) whose depth and number of values are checked, step by step.
 * @throws ApiError VALIDATION_ERROR if the body as a whole is not an upload of passings
 */
export function* readPassings(sent: JsonBody, clock?: RaceClock): Generator<void, PassingBatch> {
  const batch = createPassingBuilder();
  yield* eachOf(passingRows(sent, clock), (row) => void batch.add(row));
  return batch.finish(() => passingRows(sent, clock));
}

/** The passing of a row, or the reason against storing the row. */
const judgeSent = (sent: SentRow<ClaimedPassing>): Passing | RowError =>
  orRowError(() => judgePassing(sent.claim()));

/** @param clock reads the times of day; without it, times are durations */
export const passingRows = (sent: JsonBody, clock?: RaceClock) =>
  jsonRows(sent, parseUpload(sent, PassingsUploadIn).passings, (item) => {
    const claimed = claim(item);
    return clock ? { ...claimed, time: timeOfDay(claimed, clock) } : claimed;
  });

function timeOfDay({ bib, point, time }: ClaimedPassing, clock: RaceClock): string {
  if (bib.trim() === '' || time.trim() === '') return time;
  const timeMs = clock.timeMs(bib.trim(), time, point);
  if (timeMs === undefined) throw noTimeOfDay('time', time);
  return formatRaceTime(timeMs);
}

function claim(item: unknown): ClaimedPassing {
  const { bib_number, point, time } = parseItem(item, PassingIn, {
    bib_number: 'missing_bib',
    point: 'missing_point',
    time: 'missing_time',
  });
  return { bib: bib_number, point, time };
}

export const tooManyPoints = () =>
  invalid(
    'too_many_points',
    `The event would have more than ${POINTS_MAX} points. Send the name of a timing point as "point".`,
    { values: { most: POINTS_MAX } },
  );
