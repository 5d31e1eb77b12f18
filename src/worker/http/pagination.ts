import * as z from 'zod/mini';
import type { Limits } from '../db/statement.ts';
import type { Meta } from './answer-schemas.ts';

/** Longer numbers than this are not exact. */
const PAGE_MAX = 999_999_999_999_999;
const PAGE_SIZE_DEFAULT = 20;
const PAGE_SIZE_MAX = 100;

/** A whole number in a query. */
const wholeNumber = (accepted: string, min: number, max: number) => {
  const error = `expected ${accepted}`;
  return z.pipe(
    z.pipe(z.string({ error }).check(z.regex(/^\d{1,15}$/, { error })), z.transform(Number)),
    z.int({ error }).check(z.minimum(min, { error }), z.maximum(max, { error })),
  );
};

/** `page` and `page_size` of every list. */
export const PageQuery = z.object({
  page: z._default(wholeNumber('a whole number from 1 on', 1, PAGE_MAX), 1),
  page_size: z._default(
    wholeNumber(`a whole number from 1 to ${PAGE_SIZE_MAX}`, 1, PAGE_SIZE_MAX),
    PAGE_SIZE_DEFAULT,
  ),
});

export type PageQuery = z.infer<typeof PageQuery>;

export const limits = ({ page, page_size }: PageQuery): Limits => ({
  limit: page_size,
  offset: (page - 1) * page_size,
});

/**
 * The envelope of a list: `{data, meta}`.
 * @param counted the one row of a `count(*)` query
 */
export const pageOf = <T>(
  data: T[],
  counted: readonly { total: number }[],
  { page, page_size }: PageQuery,
): { data: T[]; meta: Meta } => {
  const total = counted[0]?.total ?? 0;
  return { data, meta: { page, page_size, total, total_pages: Math.ceil(total / page_size) } };
};
