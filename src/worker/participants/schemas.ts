import * as z from 'zod/mini';
import { KIT_STATUSES } from '../db/sql.ts';
import { PageQuery } from '../http/pagination.ts';
import { EventPath, oneOf, uuidOrNil, wanted } from '../http/validation.ts';
import { later } from '../later.ts';

/** The filters combine with AND. */
export const ParticipantExportQuery = later(() =>
  z.object({
    distance: wanted(),
    category: wanted(),
    kit_status: oneOf(KIT_STATUSES),
  }),
);

export type ParticipantExportQuery = z.infer<ReturnType<typeof ParticipantExportQuery>>;

export const ParticipantQuery = later(() =>
  z.extend(PageQuery(), {
    ...ParticipantExportQuery().shape,
    after: z.optional(
      z.guid({ error: 'expected the inscription_id of a registration of this event, a uuid' }),
    ),
  }),
);

export type ParticipantQuery = z.infer<ReturnType<typeof ParticipantQuery>>;

/** At least one of bib, chip and document is required. The parameters combine with AND. */
export const LookupQuery = later(() =>
  z
    .extend(PageQuery(), {
      bib: wanted(),
      chip: wanted(),
      document: wanted(),
    })
    .check(
      z.refine(({ bib, chip, document }) => bib ?? chip ?? document, {
        error: 'Send at least one of bib, chip and document',
      }),
    ),
);

export type LookupQuery = z.infer<ReturnType<typeof LookupQuery>>;

export const ParticipantPath = later(() => z.extend(EventPath(), { inscription_id: uuidOrNil() }));
