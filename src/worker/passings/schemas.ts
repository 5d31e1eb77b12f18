import * as z from 'zod/mini';
import { PASSING_PARAMETERS, POINT_LENGTH_MAX } from '../../timing-files/read/parameters.ts';
import { PageQuery } from '../http/pagination.ts';
import { EventPath, nameOf, undefinedIfBlank, uuidOrNil, wanted } from '../http/validation.ts';
import { later } from '../later.ts';
import { dryRun } from '../results/batches/schemas.ts';
import { ResultQuery } from '../results/read/schemas.ts';
import { SenderQuery, TimesQuery } from '../results/schemas.ts';
import { bibNumber, fileParameters, rows } from '../results/upload/schemas.ts';

/** The most points of an event, and of an upload. A race of 24 hours has 600 laps. */
export const POINTS_MAX = 1_000;

const text = () => z.string({ error: 'expected a string' });

/** A row of uploadEventPassings. */
export const PassingIn = later(() =>
  z.object(
    {
      bib_number: bibNumber(),
      point: text(),
      time: text(),
    },
    { error: 'expected an object' },
  ),
);

/** The query of uploadEventPassings. */
export const PassingsUploadQuery = later(() => z.extend(SenderQuery(), TimesQuery().shape));

/** The body of uploadEventPassings. */
export const PassingsUploadIn = later(() =>
  z.object({ passings: rows() }, { error: 'expected an object with the array "passings"' }),
);

/** No point has a longer name. */
const ANY_LENGTH = Number.POSITIVE_INFINITY;

/** The filters combine with AND. */
export const PassingQuery = later(() =>
  z.extend(PageQuery(), {
    point: z.optional(z.pipe(nameOf(ANY_LENGTH), z.transform(undefinedIfBlank))),
    ...z.pick(ResultQuery(), { bib: true, distance: true, gender: true, category: true }).shape,
  }),
);

export type PassingQuery = z.infer<ReturnType<typeof PassingQuery>>;

/** The filters of the list. */
export const PassingExportQuery = later(() =>
  z.omit(PassingQuery(), { page: true, page_size: true }),
);

export type PassingExportQuery = z.infer<ReturnType<typeof PassingExportQuery>>;

const POINT_EXPECTED = { error: 'expected the name of a point' };

const pointName = () =>
  z.pipe(
    z.string(POINT_EXPECTED),
    z.pipe(nameOf(POINT_LENGTH_MAX), z.string().check(z.minLength(1, POINT_EXPECTED))),
  );

export const UploadsQuery = later(() => z.extend(PageQuery(), { sender: wanted() }));

export const UploadPath = later(() => z.extend(EventPath(), { upload_id: uuidOrNil() }));

export const UploadRevertQuery = later(() => z.object({ dry_run: dryRun() }));

export const PassingDeletionQuery = later(() =>
  z.object({ point: pointName(), dry_run: dryRun() }),
);

/** The query of a file with the times of a point. `parseParameters` reads the further values. */
export const PassingFileQuery = later(() =>
  z.object({
    point: pointName(),
    ...SenderQuery().shape,
    ...fileParameters(PASSING_PARAMETERS),
  }),
);
