import type { Context } from 'hono';
import type { AppEnv } from '../http/context.ts';
import { type PageQuery, pageOf } from '../http/pagination.ts';
import { eventNotFound } from '../http/validation.ts';

type Page<Row> = { total: number; rows: Row[] };

/**
 * Answers a page of a list.
 * @param pages one page, or none if the event is not the caller's
 * @throws ApiError NOT_FOUND without a page
 */
export function answerPage<E extends AppEnv, P extends Page<unknown>, Item>(
  c: Context<E>,
  pages: readonly P[],
  query: PageQuery,
  toItems: (page: P) => Item[],
) {
  const [page] = pages;
  if (!page) throw eventNotFound();
  c.var.logFields.rows = page.rows.length;
  return c.json(pageOf(toItems(page), pages, query));
}
