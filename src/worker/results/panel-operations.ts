import type { Operation } from '../http/documentation.ts';
import { busyWithExports } from '../http/export.ts';
import { EXPORT_FORMS } from '../http/export-operations.ts';
import { PageQuery } from '../http/pagination.ts';
import { ResultBatch, ResultBatchReversal } from './batches/answer-schemas.ts';
import { RevertQuery } from './batches/schemas.ts';
import { ExportedResult } from './read/answer-schemas.ts';

export const organizationResultOperations: readonly Operation[] = [
  {
    id: 'exportOrganizationEventResults',
    method: 'get',
    path: '/api/v1/organizations/{organization_id}/events/{event_id}/results/export',
    tag: 'Organization',
    summary: "Download an event's results",
    description: `Answers what \`exportEventResults\` answers without a filter.\n${EXPORT_FORMS}`,
    revalidated: true,
    answer: { status: 200, description: 'All results.', exportOf: ExportedResult },
    errors: { 503: { exports: busyWithExports().message } },
  },
  {
    id: 'listOrganizationResultBatches',
    method: 'get',
    path: '/api/v1/organizations/{organization_id}/events/{event_id}/result-batches',
    tag: 'Organization',
    summary: "List an event's uploads",
    description: 'Lists the uploads, reverts and deletions of an event, newest first.',
    query: PageQuery,
    answer: { status: 200, description: 'A page of batches.', listOf: ResultBatch },
  },
  {
    id: 'revertOrganizationResultBatch',
    method: 'post',
    path: '/api/v1/organizations/{organization_id}/events/{event_id}/result-batches/{batch_id}/revert',
    tag: 'Organization',
    summary: 'Take an upload back in the panel',
    description:
      'Does what `revertResultBatch` does. The revert is recorded with the user and with the key of the batch.',
    query: RevertQuery,
    answer: { status: 200, description: 'What the revert did.', schema: ResultBatchReversal },
    errors: { 400: { dryRun: 'dry_run: expected true or false, not "yes".' } },
  },
];
