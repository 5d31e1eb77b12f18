import * as z from 'zod';

const PAGE_SIZE_DEFAULT = 20;
const PAGE_SIZE_MAX = 100;

const wholeNumber = (accepted: string, min: number, max: number) =>
  z
    .string({ error: `expected ${accepted}` })
    .regex(/^\d{1,15}$/, { error: `expected ${accepted}` })
    .transform(Number)
    .pipe(
      z
        .number()
        .min(min, { error: `expected ${accepted}` })
        .max(max, { error: `expected ${accepted}` }),
    );

/** `page` and `page_size` of every list (contract sections 4 and 8). */
export const PageQuery = z.object({
  page: wholeNumber('a whole number from 1 on', 1, Number.MAX_SAFE_INTEGER).default(1),
  page_size: wholeNumber(`a whole number from 1 to ${PAGE_SIZE_MAX}`, 1, PAGE_SIZE_MAX).default(
    PAGE_SIZE_DEFAULT,
  ),
});

export type PageQuery = z.infer<typeof PageQuery>;

export const limits = ({ page, page_size }: PageQuery) => ({
  limit: page_size,
  offset: (page - 1) * page_size,
});

/**
 * The envelope of a list: `{data, meta}` (contract section 1, rule 5).
 * @param counted the one row of a `count(*)` query
 */
export const pageOf = <T>(
  data: T[],
  counted: readonly { total: number }[],
  { page, page_size }: PageQuery,
) => {
  const total = counted[0]?.total ?? 0;
  return { data, meta: { page, page_size, total, total_pages: Math.ceil(total / page_size) } };
};
