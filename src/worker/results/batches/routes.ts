import { requireScope } from '../../auth/api-key/require-scope.ts';
import type { AppEnv } from '../../http/context.ts';
import { Hono } from '../../http/hono.ts';
import {
  deletingResult,
  listingBatches,
  listingChanges,
  listingVersions,
  revertingBatch,
  swappingResults,
} from './endpoints.ts';

export const resultBatchRoutes = new Hono<AppEnv>()
  .get('/', requireScope('listResultBatches', 'events:read', listingBatches('key')))
  .get(
    '/:batch_id/changes',
    requireScope('listResultBatchChanges', 'events:read', listingChanges('key')),
  )
  .post(
    '/:batch_id/revert',
    requireScope('revertResultBatch', 'results:write', revertingBatch('key')),
  );

/** The history of a result, its deletion, and two that are swapped. */
export const changedResultRoutes = new Hono<AppEnv>()
  .post('/swap', requireScope('swapEventResults', 'results:write', swappingResults('key')))
  .get(
    '/:bib_number/history',
    requireScope('listEventResultVersions', 'events:read', listingVersions('key')),
  )
  .delete(
    '/:bib_number',
    requireScope('deleteEventResult', 'results:write', deletingResult('key')),
  );
