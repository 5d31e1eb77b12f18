import { cors } from 'hono/cors';
import type { AppEnv } from '../http/context.ts';
import { forEverybody } from '../http/endpoint.ts';
import { Hono } from '../http/hono.ts';
import { answerPage, limits, PageQuery, rowsOf } from '../http/pagination.ts';
import { withETag } from '../http/revalidation.ts';
import type { Board, OpenPoint } from './answer-schemas.ts';
import { entriesOf } from './list.ts';
import { OpenListQuery } from './open-schemas.ts';
import { findRunnerOfPath, findShown } from './shown.ts';
import { findSnapshot } from './snapshot.ts';

/** Pages of every site may read a board's answers: neither a key nor a cookie decides about the content. */
export const forOtherSites = cors({
  origin: '*',
  allowMethods: ['GET', 'HEAD'],
  allowHeaders: ['If-None-Match'],
  exposeHeaders: ['ETag', 'Link', 'Retry-After', 'X-Request-Id'],
  maxAge: 86_400,
});

/** The live board's data, for programs. */
export const openBoardRoutes = new Hono<AppEnv>()
  .get(
    '/:event_id',
    withETag,
    forEverybody('getBoard', undefined, async (c) => {
      const { event, official, races } = findSnapshot(await findShown(c));
      const answer: Board = {
        event_id: c.req.param('event_id') ?? '',
        name: event.name,
        city: event.city,
        event_date: event.event_date,
        time_zone: event.time_zone,
        board_names: event.board_names,
        board_code: event.board_code,
        rank_by: event.rank_by,
        starts: event.starts,
        changed_at: event.changed_at,
        official,
        races: races.map(({ points, finish_times, arrivals_per_minute, distance, ...race }) => ({
          distance: distance || null,
          ...race,
        })),
      };
      return c.json(answer);
    }),
  )
  .get(
    '/:event_id/results',
    withETag,
    forEverybody('listBoardResults', OpenListQuery, async (c, query) => {
      const page = entriesOf(await findShown(c), query, () => limits(query));
      return answerPage(c, [page], query, rowsOf);
    }),
  )
  .get(
    '/:event_id/points',
    withETag,
    forEverybody('listBoardPoints', PageQuery, async (c, query) => {
      const { races } = findSnapshot(await findShown(c));
      const points: OpenPoint[] = races.flatMap(({ distance, points: ofRace }) =>
        ofRace.map(({ quantiles: _, ...point }) => ({ distance: distance || null, ...point })),
      );
      const { limit, offset } = limits(query);
      const page = { total: points.length, rows: points.slice(offset, offset + limit) };
      return answerPage(c, [page], query, rowsOf);
    }),
  )
  .get(
    '/:event_id/runners/:bib_number',
    withETag,
    forEverybody('getBoardRunner', undefined, async (c) => c.json(await findRunnerOfPath(c))),
  );
