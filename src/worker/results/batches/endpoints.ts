import type { Context } from 'hono';
import { notCompiled, plannedForEvent } from '../../db/planned.ts';
import { following } from '../../db/statement.ts';
import { ApiError, notFound } from '../../errors.ts';
import { changing } from '../../events/changing.ts';
import type { AppEnv } from '../../http/context.ts';
import { endpoint } from '../../http/endpoint.ts';
import { answerPage, limits, PageQuery, rowsOf } from '../../http/pagination.ts';
import { BibPath, EventPath, eventNotFound, noRunnerWith } from '../../http/validation.ts';
import { beforeActing } from '../acts.ts';
import { resultNotFound } from '../read/routes.ts';
import { toResultContent } from '../result.ts';
import { ReasonQuery } from '../schemas.ts';
import { findEventOf, type SenderKind } from '../sender.ts';
import { beforeWriting, writing } from '../upload/before-writing.ts';
import type { ResultChange, ResultDeletion, ResultSwap } from './answer-schemas.ts';
import { deleteResult } from './deletion.ts';
import { listVersions, toVersion } from './history.ts';
import { lockForSwap } from './lock-for-swap.ts';
import { type ChangeRow, listBatches, listChanges } from './queries.ts';
import { revertBatch } from './revert.ts';
import { revertShift } from './revert-shift.ts';
import { BatchesQuery, BatchPath, ResultSwapIn, RevertQuery } from './schemas.ts';
import { swapResults } from './swap.ts';

/** The uploads of an event. */
export const listingBatches = (by: SenderKind) =>
  endpoint({
    weight: 'light',
    param: EventPath,
    query: BatchesQuery,
    statements: ({ param: { event_id: eventId }, query }) => [
      following(
        [notCompiled()],
        listBatches[by]({
          eventId,
          byHand: query.by_hand && query.by_hand === 'true',
          sender: query.sender,
          ...limits(query),
        }),
      ),
    ],
    answer: ([pages], { c, query }) => answerPage(c, pages, query, rowsOf),
  });

/** The changes of an upload. */
export const listingChanges = (by: SenderKind) =>
  endpoint({
    weight: 'heavy',
    param: BatchPath,
    query: PageQuery,
    statements: ({ param: { event_id: eventId, batch_id: batchId }, query }) => [
      following([plannedForEvent()], findEventOf[by]({ eventId })),
      listChanges[by]({ eventId, batchId, ...limits(query) }),
    ],
    answer([events, pages], { c, query }) {
      if (events.length > 0 && pages.length === 0) throw batchNotFound();
      return answerPage(c, pages, query, ({ rows }) => rows.map(toChange));
    },
  });

/** Reverts an upload, or shows the effect of a revert. */
export const revertingBatch = (by: SenderKind) =>
  changing({
    weight: 'heavy',
    param: BatchPath,
    query: RevertQuery,
    statements: ({ param: { event_id: eventId } }) => [findEventOf[by]({ eventId })],
    async write(_, { c, run, param: { event_id: eventId, batch_id: batchId }, query }) {
      const of = { eventId, batchId };
      const revertId = query.dry_run === 'true' ? undefined : crypto.randomUUID();
      const [[reversal]] = await run(
        writing(
          beforeActing(eventId, by),
          revertBatch[by]({ ...of, revertId, reason: query.reason ?? null }),
        ),
        ...(revertId === undefined ? [] : [revertShift[by]({ ...of, revertId })]),
      );
      if (!reversal) throw batchNotFound();
      const { is_refused: isRefused, ...answer } = reversal;
      if (isRefused) throw changedSinceSwap();
      return written(c, answer, reversal.restored + reversal.removed + reversal.reinstated);
    },
  });

/** Swaps the results of two runners, or shows the effect of a swap. */
export const swappingResults = (by: SenderKind) =>
  changing({
    weight: 'light',
    param: EventPath,
    body: ResultSwapIn,
    statements: ({ param: { event_id: eventId } }) => [findEventOf[by]({ eventId })],
    async write(_, { c, run, param: { event_id: eventId }, body }) {
      const [bib = '', otherBib = ''] = body.bib_numbers;
      const swap = swapResults[by]({
        eventId,
        bib,
        otherBib,
        batchId: crypto.randomUUID(),
        reason: body.reason ?? null,
        isDry: body.dry_run === true,
      });
      const lock = lockForSwap[by]({ eventId, bib, otherBib });
      const [[swapped]] = await run(writing([...beforeActing(eventId, by, 2), lock], swap));
      if (!swapped) throw eventNotFound();
      const unknown = body.bib_numbers.find((wanted) => !swapped.bibs.includes(wanted));
      if (unknown !== undefined) throw noRunnerWith(unknown);
      if (swapped.results.length === 0) throw nothingToSwap();
      const answer: ResultSwap = {
        batch_id: swapped.batch_id,
        results: swapped.results.map(({ before, after, ...runner }) => ({
          ...runner,
          before: before && toResultContent(before),
          after: after && toResultContent(after),
        })),
        passings: swapped.passings,
      };
      return written(c, answer, 2);
    },
  });

export const nothingToSwap = () =>
  new ApiError('NOT_FOUND', 'Neither of these runners has a result.', {
    refusal: 'nothing_to_swap',
  });

export const changedSinceSwap = () =>
  new ApiError(
    'VALIDATION_ERROR',
    'A result or a passing of the two runners has changed since they were swapped. Nothing was taken back. ' +
      'Correct the results one by one, or take the later batch back first.',
    { status: 409, refusal: 'changed_since_swap', count: 1 },
  );

/** The versions of a runner's result. */
export const listingVersions = (by: SenderKind) =>
  endpoint({
    weight: 'heavy',
    param: BibPath,
    query: PageQuery,
    statements: ({ param: { event_id: eventId, bib_number: bib }, query }) => [
      listVersions[by]({ eventId, bib, ...limits(query) }),
    ],
    answer([pages], { c, query }) {
      if (pages[0]?.total === 0) throw resultNotFound();
      return answerPage(c, pages, query, ({ rows }) => rows.map(toVersion));
    },
  });

/** Deletes a runner's result. */
export const deletingResult = (by: SenderKind) =>
  changing({
    weight: 'light',
    param: BibPath,
    query: ReasonQuery,
    statements: ({ param: { event_id: eventId } }) => [findEventOf[by]({ eventId })],
    async write(_, { c, run, param: { event_id: eventId, bib_number: bib }, query }) {
      const deletion = { eventId, bib, batchId: crypto.randomUUID(), reason: query.reason ?? null };
      const [[deleted]] = await run(writing(beforeWriting(1), deleteResult[by](deletion)));
      if (!deleted) throw resultNotFound();
      const answer: ResultDeletion = { ...deleted, before: toResultContent(deleted.before) };
      return written(c, answer, 1);
    },
  });

/** The outcome of a write with a batch. Without a batch, nothing was written. */
export const written = <Answer extends { batch_id: string | null }>(
  c: Context<AppEnv>,
  answer: Answer,
  rows: number,
) => ({
  answer: c.json(answer),
  logged: { ...(answer.batch_id !== null && { batch_id: answer.batch_id }), rows },
  isChanged: answer.batch_id !== null,
});

const toChange = ({ before, after, ...row }: ChangeRow): ResultChange => ({
  ...row,
  before: before && toResultContent(before),
  after: after && toResultContent(after),
});

export const batchNotFound = () => notFound('This batch');
