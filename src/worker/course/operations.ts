import { globalRegistry } from 'zod';
import { POINT_LENGTH_MAX } from '../../timing-files/read/parameters.ts';
import { START_NAME_MAX } from '../../timing-files/read/starts.ts';
import { describeFields } from '../http/documentation.ts';
import { NOT_BLANK } from '../http/validation.ts';
import { inPanel, type KeyProseOf, type PanelProseOf } from '../results/pair-operations.ts';
import { EventPoints, EventStarts, EventStartsStored, EventWarnings } from './answer-schemas.ts';
import { impossibleShift, notOneShift } from './endpoints.ts';
import type { coursePairs } from './routes.ts';
import { PointIn, PointsIn, StartIn, StartsIn, StartsQuery } from './schemas.ts';

describeFields(StartsQuery(), {
  shift: {
    pattern: '^ *(true|false) *$',
    description:
      '`true` moves one start, and with it the times since its gun, as one batch: gun times, passings, and ' +
      'splits of results without a chip time.',
    examples: ['false'],
  },
  dry_run: {
    description: '`true` previews `shift=true`, and writes nothing.',
    examples: ['false'],
  },
});

StartsIn().register(globalRegistry, {
  id: 'StartsIn',
  description: 'All starts of an event, in place of the starts of the version.',
});

const VERSION = { description: 'The version before the change.', examples: [0] };

describeFields(StartsIn(), {
  version: VERSION,
  starts: {
    description: 'The starts. Two starts of one kind may not claim one runner.',
    examples: [
      [
        {
          name: '10K',
          distance: '10K',
          bib_from: null,
          bib_to: null,
          starts_at: '2027-05-09T09:00:00+02:00',
        },
      ],
    ],
  },
});

StartIn().register(globalRegistry, { id: 'StartIn', description: 'A start.' });

describeFields(StartIn(), {
  name: {
    description: 'Name of the start.',
    pattern: NOT_BLANK,
    maxLength: START_NAME_MAX,
    examples: ['Wave B'],
  },
  distance: { description: 'The distance of the start. Null: all distances.', examples: ['10K'] },
  bib_from: { description: 'The first bib of the start. Null: all bibs.', examples: [500] },
  bib_to: { description: 'The last bib of the start. Null: all bibs.', examples: [999] },
  starts_at: {
    description: 'When its gun goes off, with the offset from UTC.',
    examples: ['2027-05-09T09:05:00+02:00'],
  },
});

PointIn().register(globalRegistry, { id: 'PointIn', description: 'A timing point.' });

describeFields(PointIn(), {
  name: {
    description: 'Name of the point, as in passings.',
    pattern: NOT_BLANK,
    maxLength: POINT_LENGTH_MAX,
    examples: ['Km 5'],
  },
  distance: {
    description: 'The distance whose course has the point. Null: all distances.',
    examples: ['10K'],
  },
  order: { description: 'The place of the point on the course, from 1.', examples: [1] },
  km: { description: 'Kilometres from the start. Null: as the name says.', examples: [5] },
});

PointsIn().register(globalRegistry, {
  id: 'PointsIn',
  description: 'All timing points of an event. They replace the points of the version.',
});

describeFields(PointsIn(), {
  version: VERSION,
  points: {
    description:
      'The points. Within a distance, each has a name and an order of its own. Where `km` is null and the name ' +
      'says the kilometres, the name counts.',
    examples: [[{ name: 'Km 5', distance: '10K', order: 1, km: 5 }]],
  },
});

const STARTS_ERRORS = {
  400: {
    shift: notOneShift().message,
    overlap: 'starts: the starts 1 and 2 claim the same runners, not a value of 117 characters.',
    start:
      'starts.0.starts_at: expected a date and time with its offset from UTC, such as ' +
      '2027-05-09T09:00:00+02:00, not "9:00".',
  },
  409: {
    impossible: impossibleShift(['17']).message,
    version:
      'The starts have version 0, and the request changes version 3. Read the starts again, make the change ' +
      'there, and send the version that was read.',
  },
};

const POINTS_ERRORS = {
  400: {
    twoPoints:
      'points: the points 1 and 2 have one name, not [{"name":"Km 5","order":1},{"name":"KM  5","order":2}].',
  },
  409: {
    version:
      'The points have version 0, and the request changes version 3. Read the points again, make the change ' +
      'there, and send the version that was read.',
  },
};

export const courseProse: KeyProseOf<typeof coursePairs> = {
  getEventStarts: {
    tag: 'Course',
    summary: 'Get the starts of an event',
    description: `
Tells when the gun of each distance and wave goes off. A runner belongs to the first of these that fits: a start with
the runner's distance and bib, a start with the bib, a start with the distance, the start of all runners. A bib with
letters is in no range.`.trim(),
    answer: { status: 200, description: 'The starts.', schema: EventStarts },
  },
  putEventStarts: {
    tag: 'Course',
    summary: 'Set the starts of an event',
    description: `
Replaces all starts. \`version\` is the version that was read before the change: if somebody else has changed the starts
since, the answer is 409 and nothing changes. The same request again changes nothing. The history of the event keeps who
changed the starts.

A gun that went off at another time than was told is corrected with \`shift=true\`: send the starts as you read them,
with another \`starts_at\` of one start. Gun times, passings and the splits of results without a chip time move with it,
as one batch with the source \`shift\`. Chip times and their splits stay. If a time would be zero or less, or a gun time
below its chip time, the answer is 409 with the bibs and nothing changes. \`revertResultBatch\` takes the batch back:
the start, the results and the passings, except those that somebody changed since. \`dry_run=true\` counts, and names
the podiums that would change.`.trim(),
    answer: { status: 200, description: 'The starts.', schema: EventStartsStored },
    errors: STARTS_ERRORS,
  },
  getEventPoints: {
    tag: 'Course',
    summary: 'Get the timing points of an event',
    description:
      'Tells the points of the course before the finish, their order and their distance from the start.',
    answer: { status: 200, description: 'The points.', schema: EventPoints },
  },
  putEventPoints: {
    tag: 'Course',
    summary: 'Set the timing points of an event',
    description: `
Replaces all points. \`version\` works as it does for the starts. An empty list lets the API derive the points from the
passings again.`.trim(),
    answer: { status: 200, description: 'The points.', schema: EventPoints },
    errors: POINTS_ERRORS,
  },
  getEventWarnings: {
    tag: 'Course',
    summary: 'Get what a person should check in the stored times',
    description: `
Tells the clocks that seem wrong, and the runners who are DNS although a point saw them. A clock is wrong if its times
of day were ahead of the server's clock, or if its times are off by the same time for all runners, against the same
runners at the other points. A hill or tired runners are no evidence: they cost slow runners more than fast runners. The
points need kilometres, from their names or from \`putEventPoints\`.`.trim(),
    answer: { status: 200, description: 'The warnings.', schema: EventWarnings },
  },
};

export const organizationCourseProse: PanelProseOf<typeof coursePairs> = {
  getOrganizationEventStarts: inPanel({ tag: 'Panel course' }),
  putOrganizationEventStarts: inPanel({ tag: 'Panel course' }),
  getOrganizationEventPoints: inPanel({ tag: 'Panel course' }),
  putOrganizationEventPoints: inPanel({ tag: 'Panel course' }),
  getOrganizationEventWarnings: inPanel({ tag: 'Panel course' }),
};
