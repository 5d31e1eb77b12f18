import { requireScope } from '../auth/api-key/require-scope.ts';
import { plannedForEvent } from '../db/planned.ts';
import { findEvent } from '../events/queries.ts';
import type { AppEnv } from '../http/context.ts';
import { exporting, sharedExport } from '../http/export.ts';
import { Hono } from '../http/hono.ts';
import { answerPage, limits, PageQuery } from '../http/pagination.ts';
import { polled } from '../http/revalidation.ts';
import { EventPath, eventNotFound } from '../http/validation.ts';
import { failuresAmong, streamCounts } from '../results/upload/answer.ts';
import type { NamedContent } from '../results/upload/idempotency.ts';
import { IdempotencyHeader, otherContent } from '../results/upload/idempotency.ts';
import {
  type AnswerRead,
  type BodyFormat,
  eventGone,
  jsonFormat,
  receive,
} from '../results/upload/receive.ts';
import { beforeWriting } from '../results/upload/store.ts';
import { writeRows } from '../results/upload/write.ts';
import type { PassingDeletion, PassingsUploadOut } from './answer-schemas.ts';
import { passingsFile, passingsOf, toPoint } from './answers.ts';
import { judgeSent, type PassingBatch, readPassings, tooManyPoints } from './batch.ts';
import { countPassings, deletePassings } from './deletion.ts';
import { exportPassings, listPassings, listPoints } from './queries.ts';
import { PassingDeletionQuery, PassingExportQuery, PassingQuery } from './schemas.ts';
import { type StoredPassings, storePassings } from './store.ts';

/** What timing points before the finish saw. */
export const passingRoutes = new Hono<AppEnv>()

  .post(
    '/',
    requireScope('results:write', {
      param: EventPath,
      header: IdempotencyHeader,
      body: 'streamed',
      statements: ({ param }) => [findEvent({ eventId: param.event_id })],
      answer: ([[event]], asked) =>
        receive(asked, event, passingsFormat(asked.header['idempotency-key']), store),
    }),
  )

  .get(
    '/',
    polled,
    requireScope('events:read', {
      param: EventPath,
      query: PassingQuery,
      statements: ({ param, query }) => [plannedForEvent(), listPassings(param.event_id, query)],
      answer: ([, pages], { c, query }) => answerPage(c, pages, query, passingsOf),
    }),
  )

  .get(
    '/export',
    polled,
    sharedExport,
    requireScope(
      'events:read',
      exporting({
        query: PassingExportQuery,
        event: findEvent,
        rows: exportPassings,
        file: passingsFile,
      }),
    ),
  )

  .get(
    '/points',
    polled,
    requireScope('events:read', {
      param: EventPath,
      query: PageQuery,
      statements: ({ param: { event_id: eventId }, query }) => [
        plannedForEvent(),
        listPoints({ eventId, ...limits(query) }),
      ],
      answer: ([, pages], { c, query }) =>
        answerPage(c, pages, query, ({ rows }) => rows.map(toPoint)),
    }),
  )

  .delete(
    '/',
    requireScope('results:write', {
      param: EventPath,
      query: PassingDeletionQuery,
      statements: ({ param: { event_id: eventId }, query: { point } }) => [
        countPassings({ eventId, point }),
      ],
      async answer([[counted]], { c, run, param: { event_id: eventId }, query }) {
        if (!counted) throw eventNotFound();
        const { point } = query;
        const answer: PassingDeletion = {
          point,
          dry_run: query.dry_run === 'true',
          removed: counted.total,
        };
        if (!answer.dry_run) {
          const [, , [deleted]] = await run(...beforeWriting(), deletePassings({ eventId, point }));
          if (!deleted) throw await eventGone(run);
          answer.removed = deleted.total;
          c.executionCtx.waitUntil(c.var.services.purgeBoard(eventId));
        }
        c.var.logFields.rows = answer.removed;
        return c.json(answer);
      },
    }),
  );

type PassingsUpload = { batch: PassingBatch; content: NamedContent };

/** @param key the `Idempotency-Key` of the request */
const passingsFormat = (key: string | undefined): BodyFormat<PassingsUpload> =>
  jsonFormat(key, (text, content) => ({ batch: readPassings(text), content }));

const store: AnswerRead<PassingsUpload> = async ({ batch, content }, { c, run, param }, body) => {
  const { event_id: eventId } = param;
  const statement = storePassings(eventId, batch, content);
  const stored = await writeRows(run, eventId, batch.loadable, statement);
  if (!stored) throw await eventGone(run);
  if (!stored.is_same_content) throw otherContent();
  if (stored.is_crowded) throw tooManyPoints();
  c.var.logFields.rows = batch.total;
  const failures = failuresAmong(batch, stored.missing, judgeSent);
  return c.body(streamCounts(countsOf(batch, stored), failures, body.release), 200, {
    'Content-Type': 'application/json',
  });
};

const countsOf = (
  batch: PassingBatch,
  stored: StoredPassings,
): Omit<PassingsUploadOut, 'failed'> => ({
  total_processed: batch.total,
  uploaded: stored.uploaded,
  updated: stored.updated,
  unchanged: stored.unchanged,
  not_found: stored.missing.length,
  errors: batch.errors,
  duplicates: batch.duplicates,
});
