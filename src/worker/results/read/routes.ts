import { zValidator } from '@hono/zod-validator';
import { type CallerEnv, requireScope } from '../../auth/api-key/require-scope.ts';
import { ApiError } from '../../errors.ts';
import { findEvent } from '../../events/queries.ts';
import { answerExport, ownerOfKey } from '../../http/export.ts';
import { Hono } from '../../http/hono.ts';
import { pageOf } from '../../http/pagination.ts';
import { polled } from '../../http/revalidation.ts';
import { eventNotFound, eventPath, query } from '../../http/validation.ts';
import { plannedForManyRows } from '../sql.ts';
import { exportedResults, exportResults, RESULT_FIELDS } from './export.ts';
import { listMissing } from './missing.ts';
import { withPositions } from './positions.ts';
import { findResult, listResults } from './queries.ts';
import { toResult } from './result.ts';
import { MissingResultQuery, ResultExportQuery, ResultPath, ResultQuery } from './schemas.ts';

export const resultReadRoutes = new Hono<CallerEnv>()

  .get('/', polled, requireScope('events:read'), query(ResultQuery), eventPath, async (c) => {
    const { caller, logFields } = c.var;
    const { event_id } = c.req.valid('param');
    const filters = c.req.valid('query');
    const [, pages] = await caller.run(plannedForManyRows({}), listResults(event_id, filters));
    const [page] = pages;
    if (!page) throw eventNotFound();
    const data = withPositions(page.rows, page.faster_than_page).map(toResult);
    logFields.rows = data.length;
    return c.json(pageOf(data, pages, filters));
  })

  .get('/export', polled, requireScope('events:read'), query(ResultExportQuery), eventPath, (c) => {
    const { event_id: eventId } = c.req.valid('param');
    const { keyHash, run } = c.var.caller;
    return answerExport(c, {
      owner: ownerOfKey(c, keyHash),
      run,
      event: findEvent({ eventId }),
      rows: exportResults({ eventId, ...c.req.valid('query') }),
      fields: RESULT_FIELDS,
      toItems: exportedResults(),
      what: 'results',
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
      const [, [page]] = await caller.run(plannedForManyRows({}), findResult(event_id, bib_number));
      if (!page) throw eventNotFound();
      const [found] = withPositions(page.rows, page.faster_than_page);
      if (!found) throw resultNotFound();
      logFields.rows = 1;
      return c.json(toResult(found));
    },
  );

export const missingResultRoutes = new Hono<CallerEnv>().get(
  '/',
  requireScope('events:read'),
  query(MissingResultQuery),
  eventPath,
  async (c) => {
    const { caller, logFields } = c.var;
    const filters = c.req.valid('query');
    const [, pages] = await caller.run(
      plannedForManyRows({}),
      listMissing(c.req.valid('param').event_id, filters),
    );
    const [page] = pages;
    if (!page) throw eventNotFound();
    logFields.rows = page.rows.length;
    return c.json(pageOf(page.rows, pages, filters));
  },
);

export const resultNotFound = () =>
  new ApiError('NOT_FOUND', 'This event has no result for this bib.');
