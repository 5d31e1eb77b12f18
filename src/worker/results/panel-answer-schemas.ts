import * as z from 'zod';
import { GROUPS_MAX, REGISTRATION_STATUSES } from '../db/sql.ts';
import { count, field, instantOrNull, Meta, text, textOrNull } from '../http/answer-schemas.ts';
import { ResultContent, ResultDeletion } from './batches/answer-schemas.ts';
import {
  bibOrNull,
  ExportedResult,
  inscriptionId,
  positions,
  runnerGroups,
  splitTimes,
} from './read/answer-schemas.ts';

export const names = {
  given_names: textOrNull('Given names, as registered.', 'Ana'),
  surnames: textOrNull('Surnames, as registered.', 'Ejemplo'),
};

/** An item of exportOrganizationEventResults. */
export const NamedResult = ExportedResult.extend(names).meta({
  id: 'NamedResult',
  description: 'A result with its positions and the name of the runner.',
});

export type NamedResult = z.infer<typeof NamedResult>;

const { position_distance, position_distance_gender, position_distance_category } =
  positions('among the finishers');

/** An item of listOrganizationEventRunners. */
export const Runner = z
  .object({
    inscription_id: inscriptionId,
    bib_number: textOrNull(
      'Bib number. Null only in a list of the runners who lack a result or data.',
      '17',
    ),
    inscription_status: field(
      z.enum(REGISTRATION_STATUSES),
      'Status of the registration. Who may start is `PAID`.',
      'PAID',
    ),
    ...names,
    ...runnerGroups,
    name_is_hidden: field(z.boolean(), 'Whether the live board never shows the name.', false),
    result: field(ResultContent.nullable(), 'The stored result. Null without a result.', null),
    version: field(
      z.guid().nullable(),
      'The present version of the result: the batch that stored the result, brought the result back or took the ' +
        'result away. Null if the runner never had a result.',
      'c0000000-0000-4000-8000-000000000001',
    ),
    splits: splitTimes.meta({
      description:
        'Split times by split name, `HH:MM:SS.mmm`: the splits of the result, completed by the passings. A ' +
        'runner on the course has splits before the result.',
    }),
    position_distance,
    position_distance_gender,
    position_distance_category,
    updated_at: instantOrNull('Time at which the result was last stored.', null),
  })
  .meta({ id: 'Runner', description: 'A runner of the event with the stored result.' });

export type Runner = z.infer<typeof Runner>;

const RunnerGroup = z
  .object({
    distance: text('Registered distance.', '21K'),
    gender: text('Registered gender.', 'F'),
    category: textOrNull('Registered category. Null: all categories of the gender.', '40-49'),
  })
  .meta({
    id: 'RunnerGroup',
    description: 'A gender of a distance, or a category of this gender.',
  });

/** The answer of listOrganizationEventRunners. */
export const Runners = z
  .object({
    data: z.array(Runner).meta({ description: 'The runners.' }),
    meta: Meta,
    groups: z.array(RunnerGroup).meta({
      description:
        'The groups of those who have paid, without the filters. Each gender comes before its categories. ' +
        `At most ${GROUPS_MAX} groups: the genders of all distances first.`,
    }),
  })
  .meta({ id: 'Runners', description: 'A page of runners.' });

export type Runners = z.infer<typeof Runners>;

/** An item of getOrganizationEventOnCourse. */
const OnCourseRunner = z
  .object({
    inscription_id: inscriptionId,
    bib_number: bibOrNull,
    ...names,
    ...runnerGroups,
    point: text('The last point that saw the runner.', 'Km 10'),
    time: text('The time there since the gun, as `HH:MM:SS.mmm`.', '00:41:50.000'),
    passed_at: instantOrNull(
      'When the runner was there. Null if nobody told the start.',
      '2027-05-09T09:41:50.000Z',
    ),
    seconds_since: field(
      z.int().nullable(),
      'Seconds since then, by the clock of the server. Null if nobody told the start.',
      75,
    ),
    category_place_at_point: field(
      z.int().min(1).nullable(),
      'The place at the point among all who passed it, of the same distance, gender and category. Null without a ' +
        'category.',
      2,
    ),
    next_point: textOrNull('The next point of the course. Null: the finish.', 'Km 15'),
    next_time: textOrNull(
      'The expected time there since the gun, by the pace up to the last point. Null for unknown kilometres.',
      '01:02:45.000',
    ),
    next_at: instantOrNull('When the runner is expected there.', '2027-05-09T10:02:45.000Z'),
    finish_time: textOrNull('The expected time at the finish since the gun.', '01:28:15.000'),
    finish_at: instantOrNull(
      'When the runner is expected at the finish.',
      '2027-05-09T10:28:15.000Z',
    ),
  })
  .meta({ id: 'OnCourseRunner', description: 'A runner who is on the course.' });

export type OnCourseRunner = z.infer<typeof OnCourseRunner>;

const PassedPoint = z
  .object({
    point: text('Name of the point.', 'Km 10'),
    passed: count('Runners who passed the point.', 3),
  })
  .meta({ id: 'PassedPoint', description: 'How many runners passed a point.' });

const RaceProgress = z
  .object({
    started: count('Runners with a passing, or with a result other than `DNS`.', 3),
    points: z
      .array(PassedPoint)
      .meta({ description: 'The points with passings, in the order of their fastest times.' }),
    finished: count('Runners with a finish time.', 1),
    on_course: count('Runners on the course, without the filters.', 2),
  })
  .meta({ id: 'RaceProgress', description: 'How far a whole race is.' });

/** The answer of getOrganizationEventOnCourse. */
export const OnCourse = z
  .object({
    data: z.array(OnCourseRunner).meta({
      description: 'The runners on the course, the earliest time at the last point first.',
    }),
    meta: Meta,
    progress: RaceProgress,
  })
  .meta({ id: 'OnCourse', description: 'A page of the runners on the course.' });

export type OnCourse = z.infer<typeof OnCourse>;

/** The answer of correctOrganizationEventResult. */
export const ResultCorrection = ResultDeletion.extend({
  batch_id: field(
    ResultDeletion.shape.batch_id.nullable(),
    'The new batch that the correction is. Revert it to take the correction back. Null if nothing changed.',
    'b0000000-0000-4000-8000-000000000002',
  ),
  before: field(
    ResultContent.nullable(),
    'The result before the correction. Null if there was none.',
    null,
  ),
  after: ResultContent,
}).meta({
  id: 'ResultCorrection',
  description: 'A corrected result, or the first one of a runner.',
});

export type ResultCorrection = z.infer<typeof ResultCorrection>;
