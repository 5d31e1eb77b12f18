import * as z from 'zod';

/** Far past any list; a number of more digits would not be exact. */
const PAGE_MAX = 999_999_999_999_999;
const PAGE_SIZE_DEFAULT = 20;
const PAGE_SIZE_MAX = 100;

const wholeNumber = (accepted: string, min: number, max: number) =>
  z
    .string({ error: `expected ${accepted}` })
    .regex(/^\d{1,15}$/, { error: `expected ${accepted}` })
    .transform(Number)
    .pipe(
      z
        .int({ error: `expected ${accepted}` })
        .min(min, { error: `expected ${accepted}` })
        .max(max, { error: `expected ${accepted}` }),
    );

/** `page` and `page_size` of every list (contract sections 4 and 8). */
export const PageQuery = z.object({
  page: wholeNumber('a whole number from 1 on', 1, PAGE_MAX)
    .default(1)
    .meta({ description: 'Which page. One past the end is empty.', examples: [1] }),
  page_size: wholeNumber(`a whole number from 1 to ${PAGE_SIZE_MAX}`, 1, PAGE_SIZE_MAX)
    .default(PAGE_SIZE_DEFAULT)
    .meta({ description: 'How many items a page holds.', examples: [20] }),
});

export type PageQuery = z.infer<typeof PageQuery>;

/** Where a page stands in its list (contract section 2). */
export const Meta = z
  .object({
    page: z
      .int()
      .min(1)
      .meta({ description: 'This page, the first being 1.', examples: [1] }),
    page_size: z
      .int()
      .min(1)
      .meta({ description: 'Items a page holds.', examples: [20] }),
    total: z
      .int()
      .min(0)
      .meta({ description: 'Items of the whole list.', examples: [1] }),
    total_pages: z
      .int()
      .min(0)
      .meta({ description: 'Pages of the whole list.', examples: [1] }),
  })
  .meta({ id: 'Meta', description: 'Where the page stands in its list.' });

export type Meta = z.infer<typeof Meta>;

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
): { data: T[]; meta: Meta } => {
  const total = counted[0]?.total ?? 0;
  return { data, meta: { page, page_size, total, total_pages: Math.ceil(total / page_size) } };
};
