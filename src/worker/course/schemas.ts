import * as z from 'zod/mini';
import { POINT_LENGTH_MAX } from '../../timing-files/read/parameters.ts';
import { foldedPoint } from '../../timing-files/read/point.ts';
import {
  BIB_NUMBER_MAX,
  overlappingStarts,
  START_NAME_MAX,
  STARTS_MAX,
} from '../../timing-files/read/starts.ts';
import { nameOf, onlyFields } from '../http/validation.ts';
import { later } from '../later.ts';
import { POINTS_MAX } from '../passings/schemas.ts';
import { dryRun } from '../results/batches/schemas.ts';
import { trueOrFalse } from '../results/schemas.ts';

/** Room for the longest name of a distance. */
const DISTANCE_MAX = 200;
/** A course of more kilometres is none: the longest race has 5 000. */
const KM_MAX = 9_999;
/** Room for programs that write many digits of a fraction. */
const INSTANT_MAX = 40;

const VERSION = { error: 'expected the version that was read: a whole number from 0 on' };

const version = () => z.int(VERSION).check(z.minimum(0, VERSION));

const named = (lengthMax: number, error: string) =>
  z.pipe(nameOf(lengthMax), z.string().check(z.minLength(1, { error })));

const distance = () =>
  z._default(z.nullable(named(DISTANCE_MAX, 'expected a distance or null')), null);

const BIB = { error: `expected null or a whole number from 0 to ${BIB_NUMBER_MAX}` };

const bib = () =>
  z._default(z.nullable(z.int(BIB).check(z.minimum(0, BIB), z.maximum(BIB_NUMBER_MAX, BIB))), null);

const STARTS_AT = {
  error: 'expected a date and time with its offset from UTC, such as 2027-05-09T09:00:00+02:00',
};

/** RFC 3339. The length check comes first, so no long text meets a regular expression. */
const startsAt = () =>
  z
    .string(STARTS_AT)
    .check(
      z.maxLength(INSTANT_MAX, { ...STARTS_AT, abort: true }),
      z.iso.datetime({ ...STARTS_AT, offset: true, abort: true }),
    );

/** A start in the body of putEventStarts. */
export const StartIn = later(() =>
  onlyFields(
    {
      name: named(START_NAME_MAX, 'expected the name of the start'),
      distance: distance(),
      bib_from: bib(),
      bib_to: bib(),
      starts_at: startsAt(),
    },
    'expected an object with name, distance, bib_from, bib_to and starts_at',
  ).check(
    z.refine(({ bib_from, bib_to }) => (bib_from === null) === (bib_to === null), {
      error: 'bib_from and bib_to stand together: send both or neither',
    }),
    z.refine(({ bib_from, bib_to }) => (bib_from ?? 0) <= (bib_to ?? Number.POSITIVE_INFINITY), {
      error: 'bib_from is greater than bib_to',
      params: { case: 'bibs_turned' },
    }),
  ),
);

const STARTS = { error: `expected an array of at most ${STARTS_MAX} starts` };

/** The body of putEventStarts. */
export const StartsIn = later(() =>
  onlyFields(
    {
      version: version(),
      starts: z.array(StartIn(), STARTS).check(
        z.maxLength(STARTS_MAX, { ...STARTS, abort: true }),
        z.superRefine((starts, context) => {
          const [first, second] = overlappingStarts(starts) ?? [];
          if (first === undefined || second === undefined) return;
          context.addIssue({
            code: 'custom',
            message: `the starts ${first + 1} and ${second + 1} claim the same runners`,
            input: starts,
            params: { case: 'starts_overlap', first: first + 1, second: second + 1 },
          });
        }),
      ),
    },
    'Send an object with "version" and "starts"',
  ),
);

const DRY_RUN_OF_SHIFT = { error: 'dry_run needs shift=true' };

/** The query of putEventStarts. */
export const StartsQuery = later(() =>
  z
    .object({ shift: z._default(trueOrFalse(), 'false'), dry_run: dryRun() })
    .check(
      z.refine(({ shift, dry_run }) => shift === 'true' || dry_run === 'false', DRY_RUN_OF_SHIFT),
    ),
);

export type StartsIn = z.infer<ReturnType<typeof StartsIn>>;

const ORDER = { error: `expected the order of the point on the course: 1 to ${POINTS_MAX}` };
const KM = {
  error: `expected null or the kilometres from the start: more than 0, at most ${KM_MAX}`,
};

/** A point in the body of putEventPoints. */
export const PointIn = later(() =>
  onlyFields(
    {
      name: named(POINT_LENGTH_MAX, 'expected the name of the point'),
      distance: distance(),
      order: z.int(ORDER).check(z.minimum(1, ORDER), z.maximum(POINTS_MAX, ORDER)),
      km: z._default(z.nullable(z.number(KM).check(z.positive(KM), z.maximum(KM_MAX, KM))), null),
    },
    'expected an object with name, distance, order and km',
  ),
);

const POINTS = { error: `expected an array of at most ${POINTS_MAX} points` };

/** The indexes of the first two items with equal keys. */
function repeated<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): [number, number] | undefined {
  const known = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const first = known.get(keyOf(item));
    if (first !== undefined) return [first, index];
    known.set(keyOf(item), index);
  }
  return undefined;
}

/** The body of putEventPoints. */
export const PointsIn = later(() =>
  onlyFields(
    {
      version: version(),
      points: z.array(PointIn(), POINTS).check(
        z.maxLength(POINTS_MAX, { ...POINTS, abort: true }),
        z.superRefine((points, context) => {
          const refuse = (indexes: [number, number] | undefined, what: string) => {
            if (!indexes) return;
            const [first, second] = indexes;
            context.addIssue({
              code: 'custom',
              message: `the points ${first + 1} and ${second + 1} have one ${what}`,
              input: points,
              params: { case: `points_${what}`, first: first + 1, second: second + 1 },
            });
          };
          refuse(
            repeated(points, (point) => `${foldedPoint(point.name)}\n${point.distance}`),
            'name',
          );
          refuse(
            repeated(points, ({ order, distance }) => `${order}\n${distance}`),
            'order',
          );
        }),
      ),
    },
    'Send an object with "version" and "points"',
  ),
);

export type PointsIn = z.infer<ReturnType<typeof PointsIn>>;
