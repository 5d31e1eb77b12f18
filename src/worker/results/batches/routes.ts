import { pair } from '../pair.ts';
import {
  deletingResult,
  listingBatches,
  listingChanges,
  listingVersions,
  revertingBatch,
  swappingResults,
} from './endpoints.ts';

/** The batches of an event, the history of a result, its deletion, and the swap of two results. */
export const batchPairs = [
  pair({
    method: 'get',
    path: '/result-batches',
    scope: 'events:read',
    ids: { key: 'listResultBatches', member: 'listOrganizationResultBatches' },
    endpoint: listingBatches,
  }),
  pair({
    method: 'get',
    path: '/result-batches/:batch_id/changes',
    scope: 'events:read',
    ids: { key: 'listResultBatchChanges', member: 'listOrganizationResultBatchChanges' },
    endpoint: listingChanges,
  }),
  pair({
    method: 'post',
    path: '/result-batches/:batch_id/revert',
    scope: 'results:write',
    ids: { key: 'revertResultBatch', member: 'revertOrganizationResultBatch' },
    endpoint: revertingBatch,
  }),
  pair({
    method: 'get',
    path: '/results/:bib_number/history',
    scope: 'events:read',
    ids: { key: 'listEventResultVersions', member: 'listOrganizationResultVersions' },
    endpoint: listingVersions,
  }),
  pair({
    method: 'post',
    path: '/results/swap',
    scope: 'results:write',
    ids: { key: 'swapEventResults', member: 'swapOrganizationEventResults' },
    endpoint: swappingResults,
  }),
  pair({
    method: 'delete',
    path: '/results/:bib_number',
    scope: 'results:write',
    ids: { key: 'deleteEventResult', member: 'deleteOrganizationEventResult' },
    endpoint: deletingResult,
  }),
];
