import * as z from 'zod';
import { POINT_LENGTH_MAX } from '../../timing-files/read/parameters.ts';
import { describeFields, type ProseOf } from '../http/documentation.ts';
import { COPIES, EXPORT_FORMS, FILTERED_COPY_CASES } from '../http/export-operations.ts';
import { NOT_BLANK } from '../http/validation.ts';
import { DRY_RUN } from '../results/batches/operations.ts';
import { inPanel, type KeyProseOf, type PanelProseOf } from '../results/pair-operations.ts';
import { SenderQuery } from '../results/schemas.ts';
import {
  BUSY,
  FILE_ERRORS,
  IDEMPOTENCY_ERRORS,
  jsonUploadErrors,
  LEFT_NAMED,
  ResultsFileQuery,
} from '../results/upload/operations.ts';
import { ROWS_PER_JSON_UPLOAD } from '../results/upload/schemas.ts';
import {
  ExportedPassing,
  OrganizationPassingsFilePreview,
  Passing,
  PassingDeletion,
  PassingPoint,
  PassingsFilePreview,
  PassingsUploadOut,
  PassingUpload,
  PassingUploadReversal,
} from './answer-schemas.ts';
import { tooManyPoints } from './batch.ts';
import type { passingPairs, passingRoutes } from './routes.ts';
import {
  PassingDeletionQuery,
  PassingIn,
  PassingQuery,
  PassingsUploadIn,
  POINTS_MAX,
  UploadRevertQuery,
  UploadsQuery,
} from './schemas.ts';

PassingIn().register(z.globalRegistry, { id: 'PassingIn', description: 'A bib at a point.' });

describeFields(PassingIn(), {
  bib_number: {
    description: 'Bib number of a registration. An integer counts as its digits.',
    examples: ['17'],
  },
  point: {
    description:
      'Name of the timing point. Case and blanks make no difference: the event keeps the name of the first upload.',
    examples: ['Km 10'],
  },
  time: { description: 'Time since the start. Zero is no time.', examples: ['41:28'] },
});

PassingsUploadIn().register(z.globalRegistry, {
  id: 'PassingsUploadIn',
  description: 'Passings, one row per bib and point.',
});

describeFields(PassingsUploadIn(), {
  passings: {
    description:
      'The rows. `failed` lists each row that is not a valid PassingIn, and the remaining rows load.',
    override: {
      items: { $ref: '#/components/schemas/PassingIn' },
      'x-items-fail-alone': true,
    },
    examples: [[{ bib_number: '17', point: 'Km 10', time: '41:28' }]],
  },
});

describeFields(PassingQuery(), {
  point: { description: 'Name of a point.', examples: ['Km 10'] },
});

describeFields(PassingDeletionQuery(), {
  point: {
    description: 'The name of the point.',
    pattern: NOT_BLANK,
    maxLength: POINT_LENGTH_MAX,
    examples: ['Km 10'],
  },
  dry_run: { ...DRY_RUN, description: '`true` answers how many there are and deletes nothing.' },
});

describeFields(UploadsQuery(), {
  sender: { description: 'Only uploads of this sender.', examples: ['Finish laptop'] },
});

describeFields(UploadRevertQuery(), {
  dry_run: { ...DRY_RUN, description: '`true` answers what a revert would do and writes nothing.' },
});

/** The parameters for reading a file of a point. */
const PASSINGS_FILE_QUERY = z.object({
  point: z.string().meta({
    description:
      'The name of the timing point. If a column of the file has this name, it has the times.',
    pattern: NOT_BLANK,
    maxLength: POINT_LENGTH_MAX,
    examples: ['Km 10'],
  }),
  ...SenderQuery().shape,
  ...ResultsFileQuery.omit({
    status: true,
    split: true,
    status_word: true,
    started: true,
    fastest: true,
  }).shape,
});

const FILE_EXAMPLE = 'bib,time\n17,00:41:28\n18,00:43:05\n';

const DELETION_ERRORS = {
  point: 'point: expected the name of a point, not "".',
  dryRun: 'dry_run: expected true or false, not "yes".',
};

/** Errors of every operation with a file of passings. */
const PASSINGS_FILE_ERRORS = {
  ...FILE_ERRORS,
  column: 'The file has no column "Startnummer" (parameter bib). Its columns: #1 bib, #2 time.',
  point: DELETION_ERRORS.point,
};

const FILTERED = `
Every passing has positions in the whole event and positions within the distance, among the passings of its point. A
runner whose result is \`DNS\` has no position and counts for no position. A filter does not change positions. If you send
several filters, a passing must match all of them. Each value must match exactly. The API trims spaces around a value
and ignores a blank value.`;

export const passingProse: ProseOf<typeof passingRoutes> & KeyProseOf<typeof passingPairs> = {
  listEventPassings: {
    tag: 'Passings',
    summary: 'List passings',
    description: `Lists the passings in the order of their times. Send \`point\` to read a single point.\n${FILTERED}`,
    answer: { status: 200, description: 'A page of passings.', listOf: Passing },
  },
  exportEventPassings: {
    tag: 'Passings',
    summary: 'Export all passings',
    description: `
Answers all passings as of one moment, in the order and with the filters of the list. An export costs one request of
the limit, for any number of passings.
${COPIES}
${EXPORT_FORMS}

The columns are the fields of the list, plus \`time_ms\`. The texts about the upload, \`key_name\` and \`sender\`, stand
in \`listPassingUploads\` under the \`upload_id\`.`.trim(),
    answer: { status: 200, description: 'All passings.', exportOf: ExportedPassing },
    errors: {
      400: {
        ...FILTERED_COPY_CASES,
        nul: 'bib: expected a text without NUL characters, not "\\u0000".',
      },
    },
  },
  listEventPassingPoints: {
    tag: 'Passings',
    summary: 'List the points of the course',
    description:
      'Lists the points with the number of passed runners, in the order of the course: by the fastest time at each ' +
      'point.',
    answer: { status: 200, description: 'A page of points.', listOf: PassingPoint },
  },
  uploadEventPassings: {
    tag: 'Passings',
    summary: 'Upload passings',
    description: `
Loads up to ${ROWS_PER_JSON_UPLOAD} passings by bib and point: a runner on the course, before the finish. For a live
feed, send the passings of 2 to 5 seconds in one request.

A bib has one passing at each point, and the last upload wins. All further points keep their rows, so several points
send at once. A row that equals the stored passing is counted and not written. An event has at most ${POINTS_MAX}
points.

A bad row does not fail the request. The answer lists the row in \`failed\` with a reason, and the remaining rows load.
All good rows are stored in one transaction. Send an \`Idempotency-Key\` to make a retry safe. \`revertPassingUpload\`
takes an upload back, and \`deleteEventPassings\` a point.`.trim(),
    answer: { status: 200, description: 'The outcome of each row.', schema: PassingsUploadOut },
    errors: {
      400: { ...jsonUploadErrors('passings'), points: tooManyPoints().message },
      503: BUSY,
    },
  },
  uploadEventPassingsFile: {
    tag: 'Passing files',
    summary: 'Upload the passings of a point as a file',
    description: `
Loads the times of a point from a CSV file or a workbook (.xlsx), read as by \`uploadEventResultsFile\`: a column of
bibs and a column of times since the start. If a column has the name of the point, this column has the times, so you can
send a file of results with splits for each point. The API reads no status and no further column.

A row without a time means that the runner has not passed. \`failed\` lists the row as \`missing_time\`. The rules of
\`uploadEventPassings\` for rows, repeated uploads and points hold for a file too.`.trim(),
    query: () => PASSINGS_FILE_QUERY,
    fileExample: FILE_EXAMPLE,
    answer: { status: 200, description: 'The outcome of each row.', schema: PassingsUploadOut },
    errors: {
      400: { ...PASSINGS_FILE_ERRORS, ...IDEMPOTENCY_ERRORS, points: tooManyPoints().message },
      503: BUSY,
    },
  },
  previewEventPassingsFile: {
    tag: 'Passing files',
    summary: 'Preview a file of passings',
    description: `
Shows how an upload of this body with these parameters would read the file. The preview writes nothing. The suggestion
and the warnings follow \`previewEventResultsFile\`, without warnings about finishes.`.trim(),
    query: () => PASSINGS_FILE_QUERY,
    fileExample: FILE_EXAMPLE,
    answer: {
      status: 200,
      description: 'How the file would be read.',
      schema: PassingsFilePreview,
    },
    errors: { 400: PASSINGS_FILE_ERRORS, 503: BUSY },
  },
  deleteEventPassings: {
    tag: 'Passings',
    summary: 'Take a point back',
    description: `
Deletes all passings of a point: its clock was wrong, or a file was sent under a wrong name. The results and all further
points stay. \`revertPassingUpload\` with the \`upload_id\` brings the passings back. With \`dry_run=true\` the answer
only counts the passings.`.trim(),
    answer: { status: 200, description: 'What was deleted.', schema: PassingDeletion },
    errors: { 400: DELETION_ERRORS },
  },
  listPassingUploads: {
    tag: 'Passings',
    summary: 'List uploads of passings',
    description:
      'Lists the uploads of passings, their reverts and the deletions of points, with their counts. The upload ' +
      'that took effect last comes first.',
    answer: { status: 200, description: 'A page of uploads.', listOf: PassingUpload },
  },
  revertPassingUpload: {
    tag: 'Passings',
    summary: 'Take an upload of passings back',
    description: `
Undoes an upload of passings or the deletion of a point: each replaced passing returns to its old content, and each
created passing disappears. A passing that a later upload has replaced stays. A second call changes nothing. The revert
is a new upload, and you can revert the revert too. With \`dry_run=true\` the answer is a preview.`.trim(),
    answer: {
      status: 200,
      description: 'The effect of the revert.',
      schema: PassingUploadReversal,
    },
    errors: { 400: { dryRun: DELETION_ERRORS.dryRun } },
  },
};

export const organizationPassingProse: PanelProseOf<typeof passingPairs> = {
  uploadOrganizationEventPassingsFile: inPanel({
    tag: 'Panel passings',
    summary: 'Upload the passings of a point in the panel',
  }),
  previewOrganizationEventPassingsFile: inPanel({
    tag: 'Panel passings',
    more: ` The preview writes nothing. ${LEFT_NAMED}`,
    answer: { schema: OrganizationPassingsFilePreview },
  }),
  listOrganizationEventPassingPoints: inPanel({ tag: 'Panel passings' }),
  deleteOrganizationEventPassings: inPanel({ tag: 'Panel passings' }),
  listOrganizationPassingUploads: inPanel({ tag: 'Panel history' }),
  revertOrganizationPassingUpload: inPanel({ tag: 'Panel history' }),
};
