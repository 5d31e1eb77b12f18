import * as z from 'zod/mini';
import {
  parseRaceTime,
  RACE_TIME_FORMS,
  RACE_TIME_PATTERN,
} from '../../timing-files/read/race-time.ts';
import { RESULT_STATUSES } from '../../timing-files/read/result-status.ts';
import { PageQuery } from '../http/pagination.ts';
import { oneOf, oneText, onlyFields, wanted } from '../http/validation.ts';
import { later } from '../later.ts';
import { ReasonQuery } from './schemas.ts';

export const SEARCH_MAX = 100;

/** The filter of the list of runners: a status, no result or incomplete data. */
export const RUNNER_STATES = [...RESULT_STATUSES, 'NONE', 'INCOMPLETE'] as const;

/** The query of listOrganizationEventRunners. A blank search counts as not sent. */
export const RunnerQuery = later(() =>
  z.extend(PageQuery(), {
    search: z.optional(
      z.pipe(
        oneText().check(
          z.maxLength(SEARCH_MAX, { error: `expected at most ${SEARCH_MAX} characters` }),
        ),
        z.transform((text) => (text === '' ? undefined : text)),
      ),
    ),
    status: oneOf(RUNNER_STATES),
    distance: wanted(),
    gender: wanted(),
    category: wanted(),
  }),
);

/** The query of getOrganizationEventOnCourse. */
export const OnCourseQuery = later(() =>
  z.extend(PageQuery(), { last_point: wanted(), distance: wanted() }),
);

const DELIMITERS = ['comma', 'semicolon'] as const;

/** The query of exportOrganizationEventResults. */
export const NamedExportQuery = later(() =>
  z.object({
    delimiter: z._default(
      z.pipe(oneText(), z.enum(DELIMITERS, { error: 'expected comma or semicolon' })),
      'comma',
    ),
  }),
);

const TIME_EXPECTED = { error: `expected ${RACE_TIME_FORMS} above zero, or null` };

const time = () =>
  z.optional(
    z.nullable(
      z
        .string(TIME_EXPECTED)
        .check(z.refine((text) => Boolean(parseRaceTime(text)), TIME_EXPECTED))
        .register(z.globalRegistry, { pattern: RACE_TIME_PATTERN }),
    ),
  );

const VERSION_EXPECTED =
  'expected the version of a runner in listOrganizationEventRunners: an id, or null';

const EXPECTED = 'Send an object with "status", "chip_time" or "gun_time"';

/** The body of correctOrganizationEventResult. */
export const ResultCorrectionIn = later(() =>
  onlyFields(
    {
      status: z.optional(
        z.enum(RESULT_STATUSES, { error: `expected ${RESULT_STATUSES.join(', ')}` }),
      ),
      chip_time: time(),
      gun_time: time(),
      reason: ReasonQuery().shape.reason,
      version: z.optional(z.nullable(z.guid({ error: VERSION_EXPECTED }))),
      confirmed: z.optional(z.boolean({ error: 'expected true or false' })),
    },
    EXPECTED,
  ).check(
    z.refine(
      ({ status, chip_time, gun_time }) =>
        [status, chip_time, gun_time].some((named) => named !== undefined),
      { error: EXPECTED },
    ),
  ),
);

export type ResultCorrectionIn = z.infer<ReturnType<typeof ResultCorrectionIn>>;
