import { zValidator } from '@hono/zod-validator';
import { type CallerEnv, requireScope } from '../../auth/api-key/require-scope.ts';
import { plannedForEvent } from '../../db/planned.ts';
import { ApiError } from '../../errors.ts';
import { findEvent } from '../../events/queries.ts';
import { answerExport, ownerOfKey } from '../../http/export.ts';
import { Hono } from '../../http/hono.ts';
import { answerPage, limits, rowsOf } from '../../http/pagination.ts';
import { polled } from '../../http/revalidation.ts';
import { eventNotFound, eventPath, query } from '../../http/validation.ts';
import { toResult } from '../result.ts';
import type { Result } from './answer-schemas.ts';
import { exportResults, resultsFile } from './export.ts';
import { listMissing } from './missing.ts';
import { createRanking } from './positions.ts';
import { findResult, listResults, type ResultsPage } from './queries.ts';
import { MissingResultQuery, ResultExportQuery, ResultPath, ResultQuery } from './schemas.ts';

export const resultReadRoutes = new Hono<CallerEnv>()

  .get('/', polled, requireScope('events:read'), query(ResultQuery), eventPath, async (c) => {
    const { event_id } = c.req.valid('param');
    const filters = c.req.valid('query');
    const [, pages] = await c.var.caller.run(plannedForEvent(), listResults(event_id, filters));
    return answerPage(c, pages, filters, resultsOf);
  })

  .get('/export', polled, requireScope('events:read'), query(ResultExportQuery), eventPath, (c) => {
    const { event_id: eventId } = c.req.valid('param');
    const { keyHash, run } = c.var.caller;
    return answerExport(c, {
      owner: ownerOfKey(c, keyHash),
      run,
      event: findEvent({ eventId }),
      rows: exportResults({ eventId, ...c.req.valid('query') }),
      ...resultsFile(),
    });
  })

  .get(
    '/:bib_number',
    polled,
    requireScope('events:read'),
    zValidator('param', ResultPath),
    async (c) => {
      const { caller, logFields } = c.var;
      const { event_id, bib_number } = c.req.valid('param');
      const [, [page]] = await caller.run(plannedForEvent(), findResult(event_id, bib_number));
      if (!page) throw eventNotFound();
      const [found] = resultsOf(page);
      if (!found) throw resultNotFound();
      logFields.rows = 1;
      return c.json(found);
    },
  );

export const missingResultRoutes = new Hono<CallerEnv>().get(
  '/',
  requireScope('events:read'),
  query(MissingResultQuery),
  eventPath,
  async (c) => {
    const { event_id: eventId } = c.req.valid('param');
    const filters = c.req.valid('query');
    const [, pages] = await c.var.caller.run(
      plannedForEvent(),
      listMissing({ eventId, ...filters, ...limits(filters) }),
    );
    return answerPage(c, pages, filters, rowsOf);
  },
);

/** The results of a page with their positions. */
function resultsOf({ rows, faster_than_page }: ResultsPage): Result[] {
  const ranking = createRanking();
  for (const [timeMs, gender, category, distance, finishers] of faster_than_page) {
    ranking.add(timeMs, ranking.groupsOf({ gender, category, distance }), finishers);
  }
  return rows.map((row) =>
    toResult(row, ranking.positionsOf(row.finish_time_ms, ranking.groupsOf(row))),
  );
}

export const resultNotFound = () =>
  new ApiError('NOT_FOUND', 'This event has no result for this bib.');
