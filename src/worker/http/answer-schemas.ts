import * as z from 'zod';

/** The `meta` of a list. */
export const Meta = z
  .object({
    page: z
      .int()
      .min(1)
      .meta({ description: 'Number of this page, from 1.', examples: [1] }),
    page_size: z
      .int()
      .min(1)
      .meta({ description: 'Items per page.', examples: [20] }),
    total: z
      .int()
      .min(0)
      .meta({ description: 'Items in the whole list.', examples: [1] }),
    total_pages: z
      .int()
      .min(0)
      .meta({ description: 'Pages in the whole list.', examples: [1] }),
  })
  .meta({ id: 'Meta', description: 'Position of the page in its list.' });

export type Meta = z.infer<typeof Meta>;
