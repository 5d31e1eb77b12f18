import * as z from 'zod/mini';
import { PageQuery } from '../http/pagination.ts';
import { wanted } from '../http/validation.ts';

/** Selects results of a board for programs. */
export const OpenListQuery = z.object({
  distance: wanted('Only this distance.', '21K'),
  gender: wanted('Only this gender.', 'F'),
  category: wanted('Only this category.', 'Open'),
  ...PageQuery.shape,
});

export type OpenListQuery = z.infer<typeof OpenListQuery>;
