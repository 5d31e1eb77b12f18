import * as z from 'zod/mini';
import { RESULT_STATUSES } from '../../../timing-files/read/result-status.ts';
import { PageQuery } from '../../http/pagination.ts';
import { oneOf, wanted } from '../../http/validation.ts';
import { later } from '../../later.ts';

/** The filters combine with AND. */
export const ResultQuery = later(() =>
  z.extend(PageQuery(), {
    gender: wanted(),
    category: wanted(),
    distance: wanted(),
    status: oneOf(RESULT_STATUSES),
    bib: wanted(),
  }),
);

export type ResultQuery = z.infer<ReturnType<typeof ResultQuery>>;

/** The filters of the list. */
export const ResultExportQuery = later(() =>
  z.omit(ResultQuery(), { page: true, page_size: true }),
);

export type ResultExportQuery = z.infer<ReturnType<typeof ResultExportQuery>>;

/** The filters combine with AND. */
export const MissingResultQuery = later(() =>
  z.pick(ResultQuery(), {
    page: true,
    page_size: true,
    gender: true,
    category: true,
    distance: true,
  }),
);

export type MissingResultQuery = z.infer<ReturnType<typeof MissingResultQuery>>;
