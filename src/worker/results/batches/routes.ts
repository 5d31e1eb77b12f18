import type { Context } from 'hono';
import * as z from 'zod/mini';
import { requireScope } from '../../auth/api-key/require-scope.ts';
import { plannedForEvent } from '../../db/planned.ts';
import { notFound } from '../../errors.ts';
import { findEvent, ownEventId } from '../../events/queries.ts';
import type { AppEnv } from '../../http/context.ts';
import { Hono } from '../../http/hono.ts';
import { answerPage, limits, PageQuery, rowsOf } from '../../http/pagination.ts';
import { EventPath, eventNotFound, uuidOrNil } from '../../http/validation.ts';
import { resultNotFound } from '../read/routes.ts';
import { ResultPath } from '../read/schemas.ts';
import { toResultContent } from '../result.ts';
import { ReasonQuery } from '../schemas.ts';
import { beforeWriting } from '../upload/store.ts';
import type { ResultBatchReversal, ResultChange, ResultDeletion } from './answer-schemas.ts';
import { type DeletedRow, deleteResult } from './deletion.ts';
import { listVersionsOf, toVersion } from './history.ts';
import { type ChangeRow, listBatchesOf, listChangesOf } from './queries.ts';
import { revertBatch } from './revert.ts';
import { RevertQuery, reversalOf } from './schemas.ts';

export const BatchPath = z.extend(EventPath, { batch_id: uuidOrNil });
const listBatches = listBatchesOf(ownEventId);
const listChanges = listChangesOf(ownEventId);
const listVersions = listVersionsOf(ownEventId);

export const resultBatchRoutes = new Hono<AppEnv>()

  .get(
    '/',
    requireScope('events:read', {
      param: EventPath,
      query: PageQuery,
      statements: ({ param: { event_id: eventId }, query }) => [
        listBatches({ eventId, ...limits(query) }),
      ],
      answer: ([pages], { c, query }) => answerPage(c, pages, query, rowsOf),
    }),
  )

  .get(
    '/:batch_id/changes',
    requireScope('events:read', {
      param: BatchPath,
      query: PageQuery,
      statements: ({ param: { event_id: eventId, batch_id: batchId }, query }) => [
        plannedForEvent(),
        findEvent({ eventId }),
        listChanges({ eventId, batchId, ...limits(query) }),
      ],
      answer([, events, pages], { c, query }) {
        if (events.length > 0 && pages.length === 0) throw batchNotFound();
        return answerPage(c, pages, query, ({ rows }) => rows.map(toChange));
      },
    }),
  )

  .post(
    '/:batch_id/revert',
    requireScope('results:write', {
      param: BatchPath,
      query: RevertQuery,
      statements: ({ param }) => [findEvent({ eventId: param.event_id })],
      async answer([[event]], { c, run, param: { batch_id: batchId }, query }) {
        if (!event) throw eventNotFound();
        const [, , [reversal]] = await run(
          ...beforeWriting(),
          revertBatch({ eventId: event.id, batchId, ...reversalOf(query) }),
        );
        return answerReversal(c, event.id, reversal);
      },
    }),
  );

/** `GET …/results/{bib_number}/history`. */
export const resultHistoryRoutes = new Hono<AppEnv>().get(
  '/:bib_number/history',
  requireScope('events:read', {
    param: ResultPath,
    query: PageQuery,
    statements: ({ param: { event_id: eventId, bib_number: bib }, query }) => [
      listVersions({ eventId, bib, ...limits(query) }),
    ],
    answer([pages], { c, query }) {
      if (pages[0]?.total === 0) throw resultNotFound();
      return answerPage(c, pages, query, ({ rows }) => rows.map(toVersion));
    },
  }),
);

/** `DELETE …/results/{bib_number}`. */
export const resultDeletionRoutes = new Hono<AppEnv>().delete(
  '/:bib_number',
  requireScope('results:write', {
    param: ResultPath,
    query: ReasonQuery,
    statements: ({ param }) => [findEvent({ eventId: param.event_id })],
    async answer([[event]], { c, run, param: { bib_number: bib }, query: { reason = null } }) {
      if (!event) throw eventNotFound();
      const batchId = crypto.randomUUID();
      const [, , [deleted]] = await run(
        ...beforeWriting(1),
        deleteResult({ eventId: event.id, bib, batchId, reason }),
      );
      return answerDeletion(c, event.id, deleted);
    },
  }),
);

/** @throws ApiError NOT_FOUND if there was no such result */
export function answerDeletion(
  c: Context<AppEnv>,
  eventId: string,
  deleted: DeletedRow | undefined,
) {
  if (!deleted) throw resultNotFound();
  const { logFields, services } = c.var;
  Object.assign(logFields, { batch_id: deleted.batch_id, rows: 1 });
  c.executionCtx.waitUntil(services.purgeBoard(eventId));
  const answer: ResultDeletion = { ...deleted, before: toResultContent(deleted.before) };
  return c.json(answer);
}

/** @throws ApiError NOT_FOUND if there was no such batch */
export function answerReversal(
  c: Context<AppEnv>,
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

export const toChange = ({ before, after, ...row }: ChangeRow): ResultChange => ({
  ...row,
  before: before && toResultContent(before),
  after: after && toResultContent(after),
});

export const batchNotFound = () => notFound('This batch');
