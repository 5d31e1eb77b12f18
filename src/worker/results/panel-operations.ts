import { globalRegistry } from 'zod';
import { describeFields, type Operation } from '../http/documentation.ts';
import { busyWithExports } from '../http/export.ts';
import { EXPORT_FORMS } from '../http/export-operations.ts';
import { PANEL_BODY_MAX } from '../http/json-body.ts';
import { PageQuery } from '../http/pagination.ts';
import { runnerNotFound } from '../http/validation.ts';
import {
  ResultBatch,
  ResultBatchReversal,
  ResultChange,
  ResultDeletion,
  ResultVersion,
} from './batches/answer-schemas.ts';
import { RevertQuery } from './batches/schemas.ts';
import { NamedResult, ResultCorrection, Runner } from './panel-answer-schemas.ts';
import { impossibleResult } from './panel-routes.ts';
import { NamedExportQuery, ResultCorrectionIn, RunnerQuery } from './panel-schemas.ts';
import { ReasonQuery } from './schemas.ts';
import { ResultsUploadOut } from './upload/answer-schemas.ts';
import {
  BUSY,
  FILE_BODY,
  FILE_ERRORS,
  IDEMPOTENCY_ERRORS,
  ResultsFileQuery,
  UPLOADED_FILE_QUERY,
} from './upload/operations.ts';
import { ResultsFilePreview } from './upload/preview-answer-schemas.ts';

const RESULTS = '/api/v1/organizations/{organization_id}/events/{event_id}/results';

const time = (name: string, example: string) => ({
  description: `The ${name}, in the forms of an upload. Zero is no time. Null takes it away.`,
  examples: [example],
});

describeFields(ResultCorrectionIn, {
  status: {
    description:
      'The outcome of the race. One other than `FINISHED` takes the chip time and the gun time away.',
    examples: ['FINISHED'],
  },
  chip_time: time('net time, from start line to finish', '01:28:03.512'),
  gun_time: time('gross time, from gun to finish', '01:28:40.000'),
});

describeFields(NamedExportQuery, {
  delimiter: {
    description:
      'What separates the cells of the CSV file: `comma` or `semicolon`. Excel splits at the sign of its country when ' +
      'somebody opens a file by double click.',
    pattern: '^\\s*(comma|semicolon)\\s*$',
    examples: ['semicolon'],
  },
});

describeFields(RunnerQuery, {
  search: {
    description:
      'A bib, or words of a name in any order, with or without accents. A text with a digit is a bib. Without it, ' +
      'all runners are listed.',
    pattern: '^[^\\u0000]*$',
    maxLength: 100,
    examples: ['ana ejemplo'],
  },
});

export const organizationResultOperations: readonly Operation[] = [
  {
    id: 'listOrganizationEventRunners',
    method: 'get',
    path: '/api/v1/organizations/{organization_id}/events/{event_id}/runners',
    tag: 'Panel results',
    summary: 'Find runners and their results',
    description: `
Finds runners of an event by bib or name, each with the stored result and whether the board hides the name. Results come
first, in their order; runners without a result follow by bib. It contains personal data.`.trim(),
    query: RunnerQuery,
    answer: { status: 200, description: 'A page of runners.', listOf: Runner },
    errors: { 400: { search: 'search: expected a text without NUL characters, not "\\u0000".' } },
  },
  {
    id: 'listOrganizationResultVersions',
    method: 'get',
    path: `${RESULTS}/{bib_number}/history`,
    tag: 'Panel history',
    summary: "List a result's versions in the panel",
    description: 'Answers what `listEventResultVersions` answers.',
    query: PageQuery,
    answer: { status: 200, description: 'A page of versions.', listOf: ResultVersion },
  },
  {
    id: 'exportOrganizationEventResults',
    method: 'get',
    path: '/api/v1/organizations/{organization_id}/events/{event_id}/results/export',
    tag: 'Panel results',
    summary: "Download an event's results",
    description: `
Answers what \`exportEventResults\` answers without a filter, with the names of the runners. The CSV file is for
people: its rows come distance by distance, in the order of their places. It begins with a byte order mark, so that
Excel reads its letters, has the places within the distance first, and each split is a column. With \`delimiter=semicolon\` its cells are separated as a spreadsheet expects them where
the decimal sign is a comma. It contains personal data.
${EXPORT_FORMS}`.trim(),
    query: NamedExportQuery,
    revalidated: true,
    answer: { status: 200, description: 'All results.', exportOf: NamedResult, hasState: true },
    errors: {
      400: { delimiter: 'delimiter: expected comma or semicolon, not "tab".' },
      503: { exports: busyWithExports().message },
    },
  },
  {
    id: 'uploadOrganizationEventResultsFile',
    method: 'post',
    path: `${RESULTS}/file`,
    tag: 'Panel uploads',
    summary: 'Upload a results file in the panel',
    description:
      'Does what `uploadEventResultsFile` does. The batch is recorded with the user and has no key.',
    query: UPLOADED_FILE_QUERY,
    body: FILE_BODY,
    idempotent: true,
    answer: { status: 200, description: 'The outcome of each row.', schema: ResultsUploadOut },
    errors: { 400: { ...FILE_ERRORS, ...IDEMPOTENCY_ERRORS }, 503: BUSY },
  },
  {
    id: 'previewOrganizationEventResultsFile',
    method: 'post',
    path: `${RESULTS}/file/preview`,
    tag: 'Panel uploads',
    summary: 'Preview a results file in the panel',
    description: 'Does what `previewEventResultsFile` does. It writes nothing.',
    query: ResultsFileQuery,
    body: FILE_BODY,
    answer: { status: 200, description: 'How the file would be read.', schema: ResultsFilePreview },
    errors: { 400: FILE_ERRORS, 503: BUSY },
  },
  {
    id: 'correctOrganizationEventResult',
    method: 'patch',
    path: `${RESULTS}/{bib_number}`,
    tag: 'Panel results',
    summary: 'Correct or enter a result',
    description: `
Changes the status or a time of the result of one bib. What the body does not name stays, and so do the splits. A runner
without a result gets one, for example the time from the paper list: without \`status\` it is \`FINISHED\`, and
\`before\` of the answer is null. The correction is a batch of its own with the user and the reason:
\`revertOrganizationResultBatch\` with its \`batch_id\` takes it back. Name at least one of \`status\`,
\`chip_time\` and \`gun_time\`.`.trim(),
    body: {
      json: ResultCorrectionIn.register(globalRegistry, {
        id: 'ResultCorrectionIn',
        description:
          'What to store. A field that is not sent keeps its value, or is null in a first result.',
        override: { minProperties: 1 },
      }),
      maxBytes: PANEL_BODY_MAX,
    },
    answer: { status: 200, description: 'The corrected result.', schema: ResultCorrection },
    errors: {
      400: {
        time: 'chip_time: expected HH:MM:SS, HH:MM:SS.mmm or MM:SS above zero, or null, not "1h28".',
        finished: impossibleResult('FINISHED').message,
      },
      404: { bib_number: runnerNotFound().message },
    },
  },
  {
    id: 'deleteOrganizationEventResult',
    method: 'delete',
    path: `${RESULTS}/{bib_number}`,
    tag: 'Panel results',
    summary: 'Delete a result in the panel',
    description:
      'Does what `deleteEventResult` does. The batch is recorded with the user and has no key.',
    query: ReasonQuery,
    answer: { status: 200, description: 'The deleted result.', schema: ResultDeletion },
  },
  {
    id: 'listOrganizationResultBatches',
    method: 'get',
    path: '/api/v1/organizations/{organization_id}/events/{event_id}/result-batches',
    tag: 'Panel history',
    summary: "List an event's uploads",
    description:
      'Lists the uploads, reverts and deletions of an event, the one that took effect last first.',
    query: PageQuery,
    answer: { status: 200, description: 'A page of batches.', listOf: ResultBatch },
  },
  {
    id: 'listOrganizationResultBatchChanges',
    method: 'get',
    path: '/api/v1/organizations/{organization_id}/events/{event_id}/result-batches/{batch_id}/changes',
    tag: 'Panel history',
    summary: 'List what an upload changed in the panel',
    description: 'Answers what `listResultBatchChanges` answers.',
    query: PageQuery,
    answer: { status: 200, description: 'A page of changes.', listOf: ResultChange },
  },
  {
    id: 'revertOrganizationResultBatch',
    method: 'post',
    path: '/api/v1/organizations/{organization_id}/events/{event_id}/result-batches/{batch_id}/revert',
    tag: 'Panel history',
    summary: 'Take an upload back in the panel',
    description:
      'Does what `revertResultBatch` does. The revert is recorded with the user and with the key of the batch.',
    query: RevertQuery,
    answer: { status: 200, description: 'What the revert did.', schema: ResultBatchReversal },
    errors: { 400: { dryRun: 'dry_run: expected true or false, not "yes".' } },
  },
];
