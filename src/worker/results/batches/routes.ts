import { zValidator } from '@hono/zod-validator';
import type { Context } from 'hono';
import * as z from 'zod/mini';
import { type CallerEnv, requireScope } from '../../auth/api-key/require-scope.ts';
import { plannedForEvent } from '../../db/planned.ts';
import { notFound } from '../../errors.ts';
import { findEvent, ownEventId } from '../../events/queries.ts';
import type { AppEnv } from '../../http/context.ts';
import { Hono } from '../../http/hono.ts';
import { onlyKnown } from '../../http/known-inputs.ts';
import { answerPage, limits, PageQuery, rowsOf } from '../../http/pagination.ts';
import { EventPath, eventNotFound, eventPath, query, uuidOrNil } from '../../http/validation.ts';
import { resultNotFound } from '../read/routes.ts';
import { ResultPath } from '../read/schemas.ts';
import { toResultContent } from '../result.ts';
import { beforeWriting } from '../upload/store.ts';
import type { ResultBatchReversal, ResultChange, ResultDeletion } from './answer-schemas.ts';
import { deleteResult } from './deletion.ts';
import { type ChangeRow, listBatchesOf, listChanges } from './queries.ts';
import { revertBatch } from './revert.ts';
import { RevertQuery } from './schemas.ts';

export const batchPath = zValidator('param', z.extend(EventPath, { batch_id: uuidOrNil }));
const listBatches = listBatchesOf(ownEventId);

export const resultBatchRoutes = new Hono<CallerEnv>()

  .get('/', requireScope('events:read'), query(PageQuery), eventPath, async (c) => {
    const page = c.req.valid('query');
    const { event_id: eventId } = c.req.valid('param');
    const [pages] = await c.var.caller.run(listBatches({ eventId, ...limits(page) }));
    return answerPage(c, pages, page, rowsOf);
  })

  .get(
    '/:batch_id/changes',
    requireScope('events:read'),
    query(PageQuery),
    batchPath,
    async (c) => {
      const { event_id: eventId, batch_id: batchId } = c.req.valid('param');
      const page = c.req.valid('query');
      const [, events, pages] = await c.var.caller.run(
        plannedForEvent(),
        findEvent({ eventId }),
        listChanges({ eventId, batchId, ...limits(page) }),
      );
      if (events.length > 0 && pages.length === 0) throw batchNotFound();
      return answerPage(c, pages, page, ({ rows }) => rows.map(toChange));
    },
  )

  .post(
    '/:batch_id/revert',
    requireScope('results:write'),
    onlyKnown({ query: RevertQuery }),
    query(RevertQuery),
    batchPath,
    async (c) => {
      const { caller } = c.var;
      const { event_id: eventId, batch_id: batchId } = c.req.valid('param');
      const isDryRun = c.req.valid('query').dry_run === 'true';
      // The verdict on the key comes first: a refused request must not write.
      const [events] = await caller.run(findEvent({ eventId }));
      if (events.length === 0) throw eventNotFound();
      const [, , [reversal]] = await caller.run(
        ...beforeWriting(),
        revertBatch({ eventId, batchId }, isDryRun),
      );
      return answerReversal(c, eventId, reversal);
    },
  );

/** `DELETE …/results/{bib_number}`. */
export const resultDeletionRoutes = new Hono<CallerEnv>().delete(
  '/:bib_number',
  requireScope('results:write'),
  onlyKnown({}),
  zValidator('param', ResultPath),
  async (c) => {
    const { caller, logFields } = c.var;
    const { event_id: eventId, bib_number: bib } = c.req.valid('param');
    // The verdict on the key comes first: a refused request must not write.
    const [events] = await caller.run(findEvent({ eventId }));
    if (events.length === 0) throw eventNotFound();
    const batchId = crypto.randomUUID();
    const [, , [deleted]] = await caller.run(
      ...beforeWriting(1),
      deleteResult({ eventId, bib, batchId }),
    );
    if (!deleted) throw resultNotFound();
    logFields.rows = 1;
    const answer: ResultDeletion = {
      batch_id: batchId,
      ...deleted,
      before: toResultContent(deleted.before),
    };
    return c.json(answer);
  },
);

/** @throws ApiError NOT_FOUND if there was no such batch */
export function answerReversal<E extends AppEnv>(
  c: Context<E>,
  eventId: string,
  reversal: ResultBatchReversal | undefined,
) {
  if (!reversal) throw batchNotFound();
  const { logFields, services } = c.var;
  if (reversal.batch_id !== null) {
    logFields.batch_id = reversal.batch_id;
    c.executionCtx.waitUntil(services.purgeBoard(eventId));
  }
  logFields.rows = reversal.restored + reversal.removed + reversal.reinstated;
  return c.json(reversal);
}

const toChange = ({ before, after, ...row }: ChangeRow): ResultChange => ({
  ...row,
  before: before && toResultContent(before),
  after: after && toResultContent(after),
});

export const batchNotFound = () => notFound('This batch');
