import * as z from 'zod';
import { RANKING_RULES } from '../../timing-files/read/ranking-rule.ts';
import { RESULT_STATUSES, type ResultStatus } from '../../timing-files/read/result-status.ts';
import { starts, timeZone } from '../events/answer-schemas.ts';
import { boardCode, boardNames } from '../events/panel-answer-schemas.ts';
import {
  count,
  field,
  id,
  instant,
  instantOrNull,
  text,
  textOrNull,
} from '../http/answer-schemas.ts';

const distanceOrNull = textOrNull('Distance of the race. Null for runners without one.', '21K');
const status = field(z.enum(RESULT_STATUSES), 'Outcome of the race.', 'FINISHED');
const statusOrNull = field(
  z.enum(RESULT_STATUSES).nullable(),
  'Outcome of the race. Null until the result arrives.',
  'FINISHED',
);
const rank_by = field(
  z.enum(RANKING_RULES),
  'The rule that places follow. `chip`: by chip time. `gun`: by gun time. `gun_overall`: by gun time, and within the ' +
    'category by chip time.',
  'chip',
);
const changed_at = instantOrNull(
  'Time at which a result was last written. Null without results.',
  '2027-05-09T14:01:22.480Z',
);

const timeOrNull = (description: string, example: string | null) =>
  textOrNull(`${description}, as \`HH:MM:SS.mmm\`.`, example);

/** The public data of a runner: no document and no contact. */
const Runner = z.object({
  bib_number: textOrNull('Bib number.', '17'),
  name: textOrNull(
    'The first given name and the first letter of the surname, or the full name if the event shows full names. ' +
      'Null if the event shows no names, if this name is hidden, and, unless the event shows full names, until the ' +
      'runner has been seen in the race.',
    'Runa E.',
  ),
  gender: textOrNull('Registered gender. Null until the runner has been seen in the race.', 'F'),
  category: textOrNull(
    'Registered category. Null until the runner has been seen in the race.',
    'Open',
  ),
});

export type Runner = z.infer<typeof Runner>;

/** A finisher in a list. */
export const BoardRunner = Runner.extend({
  time: text('The time that the place is by, as `HH:MM:SS.mmm`.', '01:28:03.512'),
  place: field(
    z.int().min(1),
    'Place among the finishers of the race and of the group that the list is about. Equal times share a place.',
    9,
  ),
}).meta({ id: 'BoardRunner', description: 'A finisher in a list of the board.' });

export type BoardRunner = z.infer<typeof BoardRunner>;

const BoardArrival = BoardRunner.extend({
  arrived_at: instant(
    'Time at which the runner first had a finish. A correction does not move it.',
    '2027-05-09T14:01:22.480Z',
  ),
}).meta({ id: 'BoardArrival', description: 'A finisher in the order of arrival.' });

export const BoardGroup = z
  .object({
    gender: textOrNull('Gender of the group.', 'F'),
    category: textOrNull('Category of the group. Null for the whole gender.', null),
    finished: count('How many have finished.', 214),
    leaders: z.array(BoardRunner).meta({ description: 'The first finishers by place.' }),
  })
  .meta({
    id: 'BoardGroup',
    description: 'A gender of a race, or a category of a gender, with its leaders.',
  });

export type BoardGroup = z.infer<typeof BoardGroup>;

const BoardPassing = Runner.extend({
  time: text('Time since the start, as `HH:MM:SS.mmm`.', '00:41:28.000'),
}).meta({ id: 'BoardPassing', description: 'A runner at a point of the course.' });

export type BoardPassing = z.infer<typeof BoardPassing>;

const point = {
  point: text('Name of the point.', 'Km 10'),
  order: field(z.int().min(1), 'Place of the point on the course of the race, from 1.', 2),
  km: field(
    z.number().nullable(),
    'Kilometres from the start. Null if neither the organizer nor the name states the kilometres.',
    10,
  ),
  passed: count(
    'Number of runners of the race who have passed. 0 for a point that the organization told and nobody has passed.',
    214,
  ),
  first: z.array(BoardPassing).meta({ description: 'The fastest at the point.' }),
  latest: z
    .array(BoardPassing)
    .meta({ description: 'The slowest runners who have passed, the latest runner first.' }),
};

const PointOfRace = z.object({
  ...point,
  /**
   * The times since the gun at which 0 %, 5 % to 100 % of the passers had passed, in seconds. Empty before the first
   * passing.
   */
  quantiles: z.array(z.int()),
});

/** A point before the finish, in the board's own data. */
export type BoardPoint = z.infer<typeof PointOfRace>;

/** An item of listBoardPoints. */
export const OpenPoint = z
  .object({ distance: distanceOrNull, ...point })
  .meta({ id: 'BoardPoint', description: 'A timing point of a race before the finish.' });

export type OpenPoint = z.infer<typeof OpenPoint>;

const race = {
  entered: count('Runners who may arrive: runners with a payment or a result, except DNS.', 300),
  counts: field(
    z.object({
      FINISHED: count('Finishers.', 214),
      DNF: count('Runners who did not finish.', 3),
      DNS: count('Runners who did not start.', 12),
      DSQ: count('Disqualified runners.', 1),
    } satisfies Record<ResultStatus, z.ZodType<number>>),
    'Results by status. A status without results is 0.',
    { FINISHED: 214, DNF: 3, DNS: 12, DSQ: 1 },
  ),
  arrivals: z.array(BoardArrival).meta({ description: 'The last arrivals, the latest one first.' }),
  leaders: z.array(BoardRunner).meta({ description: 'The first finishers by place.' }),
  genders: z.array(BoardGroup).meta({ description: 'The genders of the race.' }),
  categories: z.array(BoardGroup).meta({ description: 'The categories of each gender.' }),
};

/** How many runners of each gender have a value in each column. */
const Histogram = z
  .object({
    /** The lower bound of the first column, and the width of each column: in seconds. */
    from: z.int(),
    step: z.int(),
    groups: z.array(z.object({ gender: z.string().nullable(), counts: z.array(z.int()) })),
  })
  .nullable();

/** The race of a distance, in the board's own data. */
export const BoardRace = z.object({
  /** Empty for registrations without a distance. */
  distance: z.string(),
  ...race,
  /** In the order of the course: the told points, and the points with passings. */
  points: z.array(PointOfRace),
  /** The times behind the places. Null without a finisher. */
  finish_times: Histogram,
  /** By the epoch, in the last hour with arrivals. Null without a finisher. */
  arrivals_per_minute: Histogram,
});

export type BoardRace = z.infer<typeof BoardRace>;

const startOrNull = (description: string) =>
  field(z.iso.datetime({ offset: true }).nullable(), description, '2027-05-09T09:05:00.000+02:00');

const shownEvent = {
  name: text('Name of the event.', 'Harbour Half'),
  city: text('City of the event.', 'Port Example'),
  event_date: instant('Start of the event.', '2027-05-09T12:30:00.000Z'),
  time_zone: timeZone,
  board_names: boardNames,
  board_code: boardCode,
  rank_by,
  starts,
  changed_at,
};

const outcome = z
  .object({
    status,
    chip_time: timeOrNull('Net time', '01:28:03.512'),
    gun_time: timeOrNull('Gross time', null),
  })
  .nullable();

const official = field(
  z
    .object({
      version: field(z.int().min(1), 'Number of the version.', 1),
      made_at: instant('The moment whose results these are.', '2027-05-09T18:30:00.000Z'),
      state: field(
        z.enum(['official', 'changed_since']),
        '`official` while the results are those of the version.',
        'official',
      ),
      changes: field(
        z
          .object({
            total: count('How many results changed.', 1),
            first: z
              .array(
                z.object({
                  bib_number: textOrNull('Bib number.', '17'),
                  before: field(
                    outcome,
                    'The result of the version. Null if there was none.',
                    null,
                  ),
                  after: field(outcome, 'The result now. Null if it was removed.', null),
                }),
              )
              .meta({ description: 'The first changed results, by bib.' }),
          })
          .nullable(),
        'The results that differ from the version. Null without such a result: a group, a split or the rule may ' +
          'differ.',
        null,
      ),
    })
    .nullable(),
  'The last official version of the results. Null while they are provisional.',
  { version: 1, made_at: '2027-05-09T18:30:00.000Z', state: 'official', changes: null },
);

/** All data of the board, read in a single transaction. */
export const BoardSnapshot = z.object({
  event: z.object({ ...shownEvent, has_numeric_bibs: z.boolean() }),
  official,
  /** In the order of their distances. */
  races: z.array(BoardRace),
});

export type BoardSnapshot = z.infer<typeof BoardSnapshot>;

/** The answer of getBoard. */
export const Board = z
  .object({
    event_id: id('Id of the event.', 'e0000000-0000-4000-8000-000000000001'),
    ...shownEvent,
    official,
    races: z
      .array(
        z
          .object({ distance: distanceOrNull, ...race })
          .meta({ id: 'BoardRace', description: 'The race of one distance.' }),
      )
      .meta({
        description:
          'The races, in the order of their distances, that of the runners without a distance last.',
      }),
  })
  .meta({ id: 'Board', description: 'What the live board of an event shows.' });

export type Board = z.infer<typeof Board>;

const standingIn = (group: string, example: { place: number; of: number }) =>
  field(
    z
      .object({
        place: field(z.int().min(1), 'The place. Equal times share one.', example.place),
        of: count('How many have finished.', example.of),
      })
      .nullable(),
    `Place among the finishers of ${group}, and how many they are. Null without a place.`,
    example,
  );

/** The answer to a search by bib. */
export const BoardResult = Runner.extend({
  distance: distanceOrNull,
  status: statusOrNull,
  rank_by,
  chip_time: timeOrNull('Net time, from start line to finish', '01:28:03.512'),
  gun_time: timeOrNull('Gross time, from gun to finish', '01:28:40.000'),
  gap: timeOrNull('Time behind the fastest of the race', '00:16:03.100'),
  overall: standingIn('the race', { place: 9, of: 214 }),
  in_gender: standingIn('the same gender of the race', { place: 2, of: 80 }),
  in_category: standingIn('the same category and gender of the race', { place: 1, of: 20 }),
  starts_at: startOrNull('When the gun of the runner’s start goes off. Null if nobody told it.'),
  start_delay: timeOrNull(
    'Time from the gun to the start line; null if nobody knows it. If it is known, all splits are since the ' +
      'runner’s own start. If not, those of passings are since the gun',
    '00:00:36.488',
  ),
  splits: field(
    z.array(
      z.object({
        name: text('Name of the point.', 'Km 10'),
        time: text('Time since the start, as `HH:MM:SS.mmm`.', '00:41:28.000'),
        passed_at: instantOrNull(
          'When the runner was there. Null if nobody told the start, or if a split is since a start line that ' +
            'nobody timed.',
          '2027-05-09T13:12:04.120Z',
        ),
        place: field(
          z.int().min(1).nullable(),
          'Place among the runners of the race at the point, by the time since the gun. Null for a split without a ' +
            'passing, and for a runner who did not start.',
          12,
        ),
      }),
    ),
    'The splits in the order of the points that the organization told, else in order of time.',
    [{ name: 'Km 10', time: '00:41:28.000', passed_at: '2027-05-09T13:12:04.120Z', place: 12 }],
  ),
  place_at_last_point: field(
    z.int().min(1).nullable(),
    'Place among the runners of the race at the last of the splits, by the time since the gun. Null with a result, ' +
      'and before the first point.',
    null,
  ),
  history: field(
    z.array(
      z.object({
        what: field(
          z.enum(['sent', 'corrected', 'removed', 'reverted']),
          'What happened. `reverted`: somebody took an upload back.',
          'sent',
        ),
        at: instantOrNull(
          'When. Null for a removal whose upload was deleted.',
          '2027-05-09T14:01:22.480Z',
        ),
        reason: textOrNull('The reason, as the author wrote the text.', null),
      }),
    ),
    'The changes of the result, the first one first. They name no person and no key.',
    [{ what: 'sent', at: '2027-05-09T14:01:22.480Z', reason: null }],
  ),
  changed_at,
}).meta({
  id: 'BoardResult',
  description:
    'A runner on the board. Until the runner has been seen in the race, only the bib and the distance are public.',
});

export type BoardResult = z.infer<typeof BoardResult>;

/**
 * The runners that a search by bib or name finds: first the runner of the bib, then, in the order of the ranking,
 * runners with a similar name and a result or a passing.
 */
export const BoardFound = z.object({
  runners: z.array(
    Runner.extend({
      distance: z.string().nullable(),
      status: z.enum(RESULT_STATUSES).nullable(),
      time: z.string().nullable(),
    }),
  ),
  total: z.int(),
  /**
   * The board shows no runner with this name. The runners are the nearest: with the given name, or with a difference of
   * a letter.
   */
  are_nearest: z.boolean(),
});

export type BoardFound = z.infer<typeof BoardFound>;

const row = {
  ...Runner.shape,
  status,
  time: timeOrNull('The time that the place is by', '01:28:03.512'),
  place: field(
    z.int().min(1).nullable(),
    'Place in the race of the distance; in a list of a gender, within the gender; in a list of a category, ' +
      'within the category and gender. Equal times share a place. Null unless finished.',
    9,
  ),
};

/** A page of all results of a race: finishers by time, then further results by status and bib. */
export const BoardList = z.object({
  /** Results of the race by gender and category, without the filter. */
  groups: z.array(
    z.object({ gender: z.string().nullable(), category: z.string().nullable(), results: z.int() }),
  ),
  rows: z.array(z.object(row)),
  total: z.int(),
  page: z.int(),
  pages: z.int(),
});

export type BoardList = z.infer<typeof BoardList>;

/** An item of listBoardResults. */
export const BoardEntry = z
  .object({ ...row, distance: distanceOrNull })
  .meta({ id: 'BoardEntry', description: 'A result in the board’s list.' });

export type BoardEntry = z.infer<typeof BoardEntry>;
