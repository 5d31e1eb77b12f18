import * as z from 'zod';

/** A field of an answer, with an example. */
export const field = <S extends z.ZodType>(
  schema: S,
  description: string,
  example: z.input<S>,
): S => schema.meta({ description, examples: [example] });

export const text = (description: string, example: string) =>
  field(z.string(), description, example);

export const textOrNull = (description: string, example: string | null) =>
  field(z.string().nullable(), description, example);

export const count = (description: string, example: number) =>
  field(z.int().min(0), description, example);

export const id = (description: string, example: string) => field(z.guid(), description, example);

export const idOrNull = (description: string, example: string | null) =>
  field(z.guid().nullable(), description, example);

export const instant = (description: string, example: string) =>
  field(z.iso.datetime(), description, example);

export const instantOrNull = (description: string, example: string | null) =>
  field(z.iso.datetime().nullable(), description, example);

/** The `meta` of a list. */
export const Meta = z
  .object({
    page: field(z.int().min(1), 'Number of this page, from 1.', 1),
    page_size: field(z.int().min(1), 'Items per page.', 20),
    total: count('Items in the whole list.', 1),
    total_pages: count('Pages in the whole list.', 1),
  })
  .meta({ id: 'Meta', description: 'Position of the page in its list.' });

export type Meta = z.infer<typeof Meta>;
