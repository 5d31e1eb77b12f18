import type { Context } from 'hono';
import * as z from 'zod/mini';
import type { Limits, Page } from '../db/statement.ts';
import { later } from '../later.ts';
import type { Meta } from './answer-schemas.ts';
import type { AppEnv } from './context.ts';
import { eventNotFound } from './validation.ts';

/** Longer numbers than this are not exact. */
const PAGE_MAX = 999_999_999_999_999;
const PAGE_SIZE_DEFAULT = 20;
const PAGE_SIZE_MAX = 100;

/** A whole number from 1 on in a query. A blank number counts as not sent. */
const wholeNumber = (max: number, fallback: number) => {
  const error = `expected a whole number from 1 to ${max}`;
  const text = z.string({ error }).check(z.trim(), z.regex(/^\d{0,15}$/, { error }));
  const number = z.int({ error }).check(z.minimum(1, { error }), z.maximum(max, { error }));
  const sent = z.transform((digits: string) => (digits === '' ? fallback : Number(digits)));
  return z._default(z.pipe(z.pipe(text, sent), number), fallback);
};

/** `page` and `page_size` of every list. */
export const PageQuery = later(() =>
  z.object({
    page: wholeNumber(PAGE_MAX, 1),
    page_size: wholeNumber(PAGE_SIZE_MAX, PAGE_SIZE_DEFAULT),
  }),
);

export type PageQuery = z.infer<ReturnType<typeof PageQuery>>;

export const limits = ({ page, page_size }: PageQuery): Limits => ({
  limit: page_size,
  offset: (page - 1) * page_size,
});

/** The envelope of a list. */
export type List<Item> = { data: Item[]; meta: Meta };

/** Answers a page of a list, as `pageOf` makes it. */
export const answerPage = <E extends AppEnv, P extends Page<unknown>, Item>(
  c: Context<E>,
  pages: readonly P[],
  query: PageQuery,
  toItems: (page: P) => Item[],
  notFound = eventNotFound,
) => c.json(pageOf(c, pages, query, toItems, notFound));

/**
 * Makes a page of a list. The header `Link` (RFC 8288) names the next page, if any.
 * @param pages a single page, or none if the event is not the caller's
 * @param toItems makes the items of the rows
 * @throws ApiError NOT_FOUND without a page
 */
export function pageOf<E extends AppEnv, P extends Page<unknown>, Item>(
  c: Context<E>,
  [rowOfPage]: readonly P[],
  { page, page_size }: PageQuery,
  toItems: (page: P) => Item[],
  notFound = eventNotFound,
): List<Item> {
  if (!rowOfPage) throw notFound();
  const { total, rows } = rowOfPage;
  c.get('logFields').rows = rows.length;
  const meta = { page, page_size, total, total_pages: Math.ceil(total / page_size) };
  if (page < meta.total_pages)
    c.header('Link', `<${pageAddress(c.req.url, page + 1)}>; rel="next"`);
  return { data: toItems(rowOfPage), meta };
}

function pageAddress(address: string, page: number): string {
  const url = new URL(address);
  url.searchParams.set('page', String(page));
  return url.href;
}

export const rowsOf = <Row>({ rows }: Page<Row>): Row[] => rows;
