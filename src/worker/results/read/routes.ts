import { requireScope } from '../../auth/api-key/require-scope.ts';
import { plannedForEvent, plannedForGroups } from '../../db/planned.ts';
import { following } from '../../db/statement.ts';
import { ApiError } from '../../errors.ts';
import type { AppEnv } from '../../http/context.ts';
import { copying, orCopy } from '../../http/copy.ts';
import { exporting } from '../../http/export.ts';
import { Hono } from '../../http/hono.ts';
import { answerPage, limits, rowsOf } from '../../http/pagination.ts';
import { BibPath, EventPath, eventNotFound } from '../../http/validation.ts';
import { rankedBy } from '../../positions/positions.ts';
import { positionsOf } from '../../positions/ranker.ts';
import { keepBeside } from '../official/keep-beside.ts';
import { toResult } from '../result.ts';
import type { Result } from './answer-schemas.ts';
import { resultCopy } from './copy.ts';
import { exportResults, findEventOfExport, resultsFile } from './export.ts';
import { listMissing } from './missing.ts';
import { findResult, listResults, type ResultsPage } from './queries.ts';
import { MissingResultQuery, ResultExportQuery, ResultQuery } from './schemas.ts';

export const resultReadRoutes = new Hono<AppEnv>()

  .get(
    '/',
    requireScope('listEventResults', 'events:read', {
      weight: ({ query }) => (query.bib === undefined ? 'heavy' : 'light'),
      param: EventPath,
      query: ResultQuery,
      statements: ({ param, query }) => [
        following([plannedForGroups()], listResults(param.event_id, query)),
      ],
      answer: ([pages], { c, query }) => answerPage(c, pages, query, resultsOf),
    }),
  )

  .get(
    '/export',
    orCopy(
      requireScope(
        'exportEventResults',
        'events:read',
        exporting({
          query: ResultExportQuery,
          event: findEventOfExport,
          rows: exportResults,
          file: resultsFile,
          found: keepBeside,
        }),
      ),
      requireScope('exportEventResults', 'events:read', copying(resultCopy)),
    ),
  )

  .get(
    '/:bib_number',
    requireScope('getEventResult', 'events:read', {
      weight: 'heavy',
      param: BibPath,
      statements: ({ param }) => [
        following([plannedForGroups()], findResult(param.event_id, param.bib_number)),
      ],
      answer: ([[page]], { c }) => {
        if (!page) throw eventNotFound();
        const [result] = resultsOf(page);
        if (!result) throw resultNotFound();
        c.get('logFields').rows = 1;
        return c.json(result);
      },
    }),
  );

export const missingResultRoutes = new Hono<AppEnv>().get(
  '/',
  requireScope('listMissingResults', 'events:read', {
    weight: 'heavy',
    param: EventPath,
    query: MissingResultQuery,
    statements: ({ param: { event_id: eventId }, query }) => [
      following([plannedForEvent()], listMissing({ eventId, ...query, ...limits(query) })),
    ],
    answer: ([pages], { c, query }) => answerPage(c, pages, query, rowsOf),
  }),
);

/** The results of a page with their positions. */
function resultsOf({ rows, rank_by, faster_by_chip, faster_by_gun }: ResultsPage): Result[] {
  const chip = positionsOf(rows, ({ finish_time_ms }) => finish_time_ms, faster_by_chip);
  const gun = positionsOf(rows, ({ gun_rank_ms }) => gun_rank_ms, faster_by_gun);
  return rows.map((row) => toResult(row, rankedBy(rank_by, { chip: chip(row), gun: gun(row) })));
}

export const resultNotFound = () =>
  new ApiError('NOT_FOUND', 'This event has no result for this bib.');
