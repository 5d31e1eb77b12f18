import * as z from 'zod/mini';
import { PageQuery } from '../http/pagination.ts';
import { wanted } from '../http/validation.ts';
import { later } from '../later.ts';

/** Selects results of a board for programs. */
export const OpenListQuery = later(() =>
  z.object({
    distance: wanted(),
    gender: wanted(),
    category: wanted(),
    ...PageQuery().shape,
  }),
);

export type OpenListQuery = z.infer<ReturnType<typeof OpenListQuery>>;
