import * as z from 'zod/mini';
import { KIT_STATUSES } from '../db/sql.ts';
import { PageQuery } from '../http/pagination.ts';
import { EventPath, oneOf, uuidOrNil, wanted } from '../http/validation.ts';

/** The filters combine with AND. */
export const ParticipantExportQuery = z.object({
  distance: wanted('Exact distance.', '21K'),
  category: wanted('Exact category.', 'Open'),
  kit_status: oneOf(KIT_STATUSES),
});

export type ParticipantExportQuery = z.infer<typeof ParticipantExportQuery>;

export const ParticipantQuery = z.extend(PageQuery, {
  ...ParticipantExportQuery.shape,
  after: z.optional(
    z.guid({ error: 'expected the inscription_id of a registration of this event, a uuid' }),
  ),
});

export type ParticipantQuery = z.infer<typeof ParticipantQuery>;

/** At least one of bib, chip and document is required. They combine with AND. */
export const LookupQuery = z
  .extend(PageQuery, {
    bib: wanted('Exact bib number.', '17'),
    chip: wanted('Exact chip code.', 'CHIP0017'),
    document: wanted('Complete document number.', 'X0001234'),
  })
  .check(
    z.refine(({ bib, chip, document }) => bib ?? chip ?? document, {
      error: 'Send at least one of bib, chip and document',
    }),
  );

export type LookupQuery = z.infer<typeof LookupQuery>;

export const ParticipantPath = z.extend(EventPath, { inscription_id: uuidOrNil });
