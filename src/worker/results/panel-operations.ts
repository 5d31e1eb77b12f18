import { globalRegistry } from 'zod';
import { worded } from '../../timing-files/judge/sentences.ts';
import { describedOneOf, describeFields, type ProseOf } from '../http/documentation.ts';
import { EXPORT_FORMS } from '../http/export-operations.ts';
import { runnerNotFound } from '../http/validation.ts';
import { OrganizationResultBatch } from './batches/answer-schemas.ts';
import type { batchPairs } from './batches/routes.ts';
import { inPanel, type PanelProseOf } from './pair-operations.ts';
import { NamedResult, OnCourse, ResultCorrection, Runners } from './panel-answer-schemas.ts';
import type { organizationResultRoutes } from './panel-routes.ts';
import { impossibleResult, resultChanged, unlikelyResult } from './panel-routes.ts';
import {
  NamedExportQuery,
  OnCourseQuery,
  ResultCorrectionIn,
  RUNNER_STATES,
  RunnerQuery,
  SEARCH_MAX,
} from './panel-schemas.ts';
import { BUSY, FILE_ERRORS, IDEMPOTENCY_ERRORS, LEFT_NAMED } from './upload/operations.ts';
import { OrganizationResultsFilePreview } from './upload/preview-answer-schemas.ts';
import type { filePairs } from './upload/routes.ts';

const BY_USER = ' The batch is recorded with the user and has no key.';

const time = (name: string, example: string) => ({
  description: `The ${name}, in the forms of an upload. Zero is no time. Null takes it away.`,
  examples: [example],
});

ResultCorrectionIn().register(globalRegistry, {
  id: 'ResultCorrectionIn',
  description:
    'What to store. A field that is not sent keeps its value, or is null in a first result.',
  override: { minProperties: 1 },
});

describeFields(ResultCorrectionIn(), {
  status: {
    description:
      'The outcome of the race. One other than `FINISHED` takes the chip time and the gun time away.',
    examples: ['FINISHED'],
  },
  chip_time: time('net time, from start line to finish', '01:28:03.512'),
  gun_time: time('gross time, from gun to finish', '01:28:40.000'),
  version: {
    description:
      'The `version` of the result that is corrected, as the list of runners has it, or the `batch_id` of the ' +
      'last version in its history. If another one is the present one, nothing is stored, and the answer is 409. ' +
      'Null if there was never a result.',
    examples: ['c0000000-0000-4000-8000-000000000001'],
  },
  confirmed: {
    description:
      'Whether a person has looked at the warnings of a 409. Then the result is stored as it is.',
    examples: [true],
  },
});

describeFields(NamedExportQuery(), {
  delimiter: {
    description:
      'What separates the cells of the CSV file: `comma` or `semicolon`. Excel splits at the sign of its country ' +
      'when somebody opens a file by double click.',
    pattern: '^ *(comma|semicolon) *$',
    examples: ['semicolon'],
  },
});

describeFields(RunnerQuery(), {
  search: {
    description:
      'A bib, or words of a name in any order, with or without accents. A text with a digit is a bib. Without it, ' +
      'all runners are listed.',
    maxLength: SEARCH_MAX,
    examples: ['ana ejemplo'],
  },
  status: {
    ...describedOneOf(RUNNER_STATES),
    description:
      'Only runners with this status: one of ' +
      `${RUNNER_STATES.map((state) => `\`${state}\``).join(', ')}, in any case. ` +
      '`NONE` are those who have paid and have no result, `INCOMPLETE` those who have paid and lack a bib, a ' +
      'gender, a category or a distance: both with and without a bib. Without it, all who have a bib.',
    examples: ['NONE'],
  },
  distance: { description: 'Only runners of this distance.', examples: ['21K'] },
  gender: { description: 'Only runners of this gender.', examples: ['F'] },
  category: { description: 'Only runners of this category.', examples: ['40-49'] },
});

describeFields(OnCourseQuery(), {
  last_point: {
    description:
      'Only runners who were seen at this point and not after the point. The name is as in ' +
      '`listOrganizationEventPassingPoints`.',
    examples: ['Km 10'],
  },
  distance: { description: 'Only runners of this distance.', examples: ['21K'] },
});

export const organizationResultProse: ProseOf<typeof organizationResultRoutes> &
  PanelProseOf<typeof filePairs> &
  PanelProseOf<typeof batchPairs> = {
  listOrganizationEventRunners: {
    tag: 'Panel results',
    summary: 'Find runners and their results',
    description: `
Finds runners of an event by bib or name, each with the stored result, the places, the times at points of the course and
whether the board hides the name. Results come first, in their order; runners without a result follow by bib. The
runners of a category come in the order of the places in categories. \`groups\` has the values for \`distance\`,
\`gender\` and \`category\`. It contains personal data.`.trim(),
    answer: {
      status: 200,
      description: 'A page of runners, and the groups of the event.',
      schema: Runners,
    },
    errors: {
      400: {
        search: 'search: expected a text without NUL characters, not "\\u0000".',
        status: `status: expected ${RUNNER_STATES.join(', ')}, not "GONE".`,
      },
    },
  },
  getOrganizationEventOnCourse: {
    tag: 'Panel results',
    summary: 'List who is on the course',
    description: `
Lists the runners with a passing and without a result that ends their race, each with the last point, and with the
expected times at the next point and at the finish. A \`DNS\` does not end the race of a runner whom a point saw, but
the runner has no place and no expected times: another runner may have the bib. The expected times follow the runner's
pace up to the last point: they need kilometres, from \`putOrganizationEventPoints\` or from the names of points and
distances. The earliest time at the last point comes first, so with \`last_point\` the list begins with the runners who
have been missing for the longest time. \`progress\` counts the whole race. It contains personal data.`.trim(),
    answer: { status: 200, description: 'A page of runners.', schema: OnCourse },
  },
  listOrganizationResultVersions: inPanel({
    tag: 'Panel history',
    summary: "List a result's versions in the panel",
  }),
  exportOrganizationEventResults: {
    tag: 'Panel results',
    summary: "Download an event's results",
    description: `
Answers what \`exportEventResults\` answers without a filter, with the names of the runners. The CSV file is for people:
its rows come distance by distance, in the order of their places. It begins with a byte order mark, so that Excel reads
its letters, has the places within the distance first, and each split is a column. With \`delimiter=semicolon\` its
cells are separated as a spreadsheet expects them where the decimal sign is a comma. It contains personal data.
${EXPORT_FORMS}`.trim(),
    answer: { status: 200, description: 'All results.', exportOf: NamedResult, hasState: true },
    errors: {
      400: { delimiter: 'delimiter: expected comma or semicolon, not "tab".' },
    },
  },
  uploadOrganizationEventResultsFile: inPanel({
    tag: 'Panel uploads',
    summary: 'Upload a results file in the panel',
    more: BY_USER,
    errors: { 400: { ...FILE_ERRORS, ...IDEMPOTENCY_ERRORS }, 503: BUSY },
  }),
  previewOrganizationEventResultsFile: inPanel({
    tag: 'Panel uploads',
    more: ` The preview writes nothing. ${LEFT_NAMED}`,
    answer: { schema: OrganizationResultsFilePreview },
  }),
  correctOrganizationEventResult: {
    tag: 'Panel results',
    summary: 'Correct or enter a result',
    description: `
Changes the status or a time of the result of one bib. What the body does not name stays, and so do the splits. A runner
without a result gets one, for example the time from the paper list: without \`status\` it is \`FINISHED\`, and
\`before\` of the answer is null. The correction is a batch of its own with the user and the reason:
\`revertOrganizationResultBatch\` with its \`batch_id\` takes it back. Name at least one of \`status\`,
\`chip_time\` and \`gun_time\`.

The judge of files looks at the result that would be stored: at the other time, the splits, the distance and the other
finishers. If it is unlikely, nothing is stored, and the answer is 409 with \`warnings\`. Send \`confirmed\` if it is
right.

Send \`version\` if a person corrects what they have read before. If somebody has changed the result meanwhile, nothing
is stored, and the answer is 409 without \`warnings\`: it says by whom and to what.`.trim(),
    answer: { status: 200, description: 'The corrected result.', schema: ResultCorrection },
    errors: {
      400: {
        time: 'chip_time: expected HH:MM:SS, HH:MM:SS.mmm or MM:SS above zero, or null, not "1h28".',
        finished: impossibleResult('FINISHED').message,
      },
      404: { bib_number: runnerNotFound().message },
      409: {
        unlikely: unlikelyResult([{ ...worded('over_24_hours:one', {}), rows: [] }]).message,
        changed: resultChanged({
          present: {
            version: 'c0000000-0000-4000-8000-000000000001',
            user_id: null,
            key_name: 'Timing crew',
          },
          before: { status: 'FINISHED', chip_time_ms: 5_283_512, gun_time_ms: null, splits: {} },
        }).message,
      },
    },
  },
  deleteOrganizationEventResult: inPanel({ tag: 'Panel results', more: BY_USER }),
  listOrganizationResultBatches: inPanel({
    tag: 'Panel history',
    summary: "List an event's uploads",
    description:
      'Lists the uploads, reverts and deletions of an event, the one that took effect last first. A correction ' +
      'by hand names its runners. It contains personal data.',
    answer: { listOf: OrganizationResultBatch },
  }),
  listOrganizationResultBatchChanges: inPanel({ tag: 'Panel history' }),
  revertOrganizationResultBatch: inPanel({
    tag: 'Panel history',
    more: ' The revert is recorded with the user and with the key of the batch.',
  }),
  swapOrganizationEventResults: inPanel({ tag: 'Panel results', more: BY_USER }),
};
