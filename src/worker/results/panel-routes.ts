import { parseRaceTime } from '../../timing-files/read/race-time.ts';
import { type ResultStatus, STATUS_RULES } from '../../timing-files/read/result-status.ts';
import { requireManager } from '../auth/panel/require-manager.ts';
import { plannedForEvent } from '../db/planned.ts';
import { invalid } from '../errors.ts';
import { findManagedEvent, managedEventId } from '../events/panel-queries.ts';
import type { AppEnv } from '../http/context.ts';
import { exporting, sharedExport } from '../http/export.ts';
import { Hono } from '../http/hono.ts';
import { answerPage, limits, PageQuery, rowsOf } from '../http/pagination.ts';
import { polled } from '../http/revalidation.ts';
import { EventPath, eventNotFound, runnerNotFound } from '../http/validation.ts';
import { correctResult } from './batches/correction.ts';
import { deleteResult } from './batches/deletion.ts';
import { listVersionsOf, toVersion } from './batches/history.ts';
import { listBatchesOf, listChangesOf } from './batches/queries.ts';
import { revertBatchAsMember } from './batches/revert.ts';
import {
  answerDeletion,
  answerReversal,
  BatchPath,
  batchNotFound,
  toChange,
} from './batches/routes.ts';
import { RevertQuery, reversalOf } from './batches/schemas.ts';
import type { ResultCorrection } from './panel-answer-schemas.ts';
import { exportNamedResults, findExportedEvent, namedResultsFile } from './panel-export.ts';
import { listRunners, toRunner, wantedRunners } from './panel-runners.ts';
import { NamedExportQuery, ResultCorrectionIn, RunnerQuery } from './panel-schemas.ts';
import { resultNotFound } from './read/routes.ts';
import { ResultPath } from './read/schemas.ts';
import { toResultContent } from './result.ts';
import { ReasonQuery } from './schemas.ts';
import { previewingFile, uploadingFile } from './upload/routes.ts';
import { beforeWriting } from './upload/store.ts';

const listBatches = listBatchesOf(managedEventId);
const listChanges = listChangesOf(managedEventId);
const listVersions = listVersionsOf(managedEventId);

/** The results of an event and their uploads, from the organization's panel. */
export const organizationResultRoutes = new Hono<AppEnv>()

  .get(
    '/results/export',
    polled,
    sharedExport,
    requireManager(
      exporting({
        query: NamedExportQuery,
        event: findExportedEvent,
        rows: exportNamedResults,
        file: namedResultsFile,
      }),
    ),
  )

  .get(
    '/runners',
    requireManager({
      param: EventPath,
      query: RunnerQuery,
      statements: ({ param: { event_id: eventId }, query }) => [
        plannedForEvent(),
        listRunners({ eventId, ...wantedRunners(query.search), ...limits(query) }),
      ],
      answer: ([, pages], { c, query }) =>
        answerPage(c, pages, query, ({ rows }) => rows.map(toRunner)),
    }),
  )

  .get(
    '/results/:bib_number/history',
    requireManager({
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
  )

  .post('/results/file', requireManager(uploadingFile('member')))

  .post('/results/file/preview', requireManager(previewingFile('member')))

  .patch(
    '/results/:bib_number',
    requireManager({
      param: ResultPath,
      body: ResultCorrectionIn,
      statements: ({ param: { event_id: eventId, bib_number: bib }, body }) => [
        findManagedEvent({ eventId }),
        ...beforeWriting(1),
        correctResult({
          eventId,
          bib,
          batchId: crypto.randomUUID(),
          reason: body.reason ?? null,
          status: body.status,
          chipTimeMs: timeMs(body.chip_time),
          gunTimeMs: timeMs(body.gun_time),
        }),
      ],
      answer([[event], , , [corrected]], { c, param }) {
        if (!event) throw eventNotFound();
        if (!corrected) throw runnerNotFound();
        const { is_possible, before, after, ...facts } = corrected;
        if (!is_possible) throw impossibleResult(after.status);
        const { logFields, services } = c.var;
        if (facts.batch_id !== null) {
          Object.assign(logFields, { batch_id: facts.batch_id, rows: 1 });
          c.executionCtx.waitUntil(services.purgeBoard(param.event_id));
        }
        const answer: ResultCorrection = {
          ...facts,
          before: before && toResultContent(before),
          after: toResultContent(after),
        };
        return c.json(answer);
      },
    }),
  )

  .delete(
    '/results/:bib_number',
    requireManager({
      param: ResultPath,
      query: ReasonQuery,
      statements: ({ param: { event_id: eventId, bib_number: bib }, query: { reason = null } }) => [
        findManagedEvent({ eventId }),
        ...beforeWriting(1),
        deleteResult({ eventId, bib, batchId: crypto.randomUUID(), reason }, 'member'),
      ],
      answer([[event], , , [deleted]], { c, param }) {
        if (!event) throw eventNotFound();
        return answerDeletion(c, param.event_id, deleted);
      },
    }),
  )

  .get(
    '/result-batches',
    requireManager({
      param: EventPath,
      query: PageQuery,
      statements: ({ param: { event_id: eventId }, query }) => [
        listBatches({ eventId, ...limits(query) }),
      ],
      answer: ([pages], { c, query }) => answerPage(c, pages, query, rowsOf),
    }),
  )

  .get(
    '/result-batches/:batch_id/changes',
    requireManager({
      param: BatchPath,
      query: PageQuery,
      statements: ({ param: { event_id: eventId, batch_id: batchId }, query }) => [
        plannedForEvent(),
        findManagedEvent({ eventId }),
        listChanges({ eventId, batchId, ...limits(query) }),
      ],
      answer([, events, pages], { c, query }) {
        if (events.length > 0 && pages.length === 0) throw batchNotFound();
        return answerPage(c, pages, query, ({ rows }) => rows.map(toChange));
      },
    }),
  )

  .post(
    '/result-batches/:batch_id/revert',
    requireManager({
      param: BatchPath,
      query: RevertQuery,
      statements: ({ param: { event_id: eventId, batch_id: batchId }, query }) => [
        findManagedEvent({ eventId }),
        ...beforeWriting(),
        revertBatchAsMember({ eventId, batchId, ...reversalOf(query) }),
      ],
      answer([[event], , , [reversal]], { c, param }) {
        if (!event) throw eventNotFound();
        return answerReversal(c, param.event_id, reversal);
      },
    }),
  );

const timeMs = (time: string | null | undefined): number | null | undefined =>
  typeof time === 'string' ? parseRaceTime(time) : time;

/** The error for a status that does not go with the times. */
export const impossibleResult = (status: ResultStatus) =>
  invalid(
    'invalid_input',
    STATUS_RULES[status].hasPosition
      ? `A result that is ${status} needs a chip time or a gun time. Send one with the status.`
      : `The result is ${status}, so it has no times. Send "status": "FINISHED" with the time.`,
  );
