import * as z from 'zod/mini';
import { PASSING_PARAMETERS } from '../../timing-files/read/parameters.ts';
import { PageQuery } from '../http/pagination.ts';
import { oneText, wanted } from '../http/validation.ts';
import { dryRun } from '../results/batches/schemas.ts';
import { ResultQuery } from '../results/read/schemas.ts';
import { bibNumber, fileParameters, rows } from '../results/upload/schemas.ts';

export const POINT_LENGTH_MAX = 100;
/** The most points of an event, and of an upload. A race of 24 hours has 600 laps. */
export const POINTS_MAX = 1_000;

/** Counts characters as Postgres does. None takes more than two places of a text. */
export const isTooLong = (point: string): boolean =>
  point.length > 2 * POINT_LENGTH_MAX || [...point].length > POINT_LENGTH_MAX;

const text = () => z.string({ error: 'expected a string' });

/** One row of uploadEventPassings. */
export const PassingIn = z.object(
  {
    bib_number: bibNumber(),
    point: text(),
    time: text(),
  },
  { error: 'expected an object' },
);

/** The body of uploadEventPassings. */
export const PassingsUploadIn = z.object(
  { passings: rows() },
  { error: 'expected an object with the array "passings"' },
);

/** The filters combine with AND. */
export const PassingQuery = z.extend(PageQuery, {
  point: wanted('Exact name of a point.', 'Km 10'),
  ...z.pick(ResultQuery, { bib: true, distance: true, gender: true, category: true }).shape,
});

export type PassingQuery = z.infer<typeof PassingQuery>;

/** The filters of the list. */
export const PassingExportQuery = z.omit(PassingQuery, { page: true, page_size: true });

export type PassingExportQuery = z.infer<typeof PassingExportQuery>;

const POINT_EXPECTED = { error: 'expected the name of a point' };

const pointName = () =>
  z.pipe(
    z.string(POINT_EXPECTED),
    oneText.check(
      z.minLength(1, POINT_EXPECTED),
      z.refine((name) => !isTooLong(name), {
        error: `expected at most ${POINT_LENGTH_MAX} characters`,
      }),
    ),
  );

export const PassingDeletionQuery = z.object({ point: pointName(), dry_run: dryRun() });

/** The query of a file with the times of one point. `parseParameters` reads the other values. */
export const PassingFileQuery = z.object({
  point: pointName(),
  ...fileParameters(PASSING_PARAMETERS),
});
