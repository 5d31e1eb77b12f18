import * as z from 'zod';
import { PageQuery } from '../http/pagination.ts';

const KitStatus = z.enum(['PENDING', 'READY', 'DELIVERED']);

/** A paid registration as it was filled in (contract section 2). Personal data. */
export const Participant = z.object({
  inscription_id: z.guid(),
  given_names: z.string().nullable(),
  surnames: z.string().nullable(),
  document: z.string().nullable(),
  email: z.string().nullable(),
  mobile_phone: z.string().nullable(),
  bib_number: z.string().nullable(),
  distance: z.string().nullable(),
  category: z.string().nullable(),
  kit_status: KitStatus.nullable(),
});

export type Participant = z.infer<typeof Participant>;

/** A registration found by bib, chip or document (contract section 2); its document is masked. */
export const ParticipantLookup = z.object({
  inscription_id: z.guid(),
  bib_number: z.string().nullable(),
  chip: z.string().nullable(),
  full_name: z.string().nullable(),
  gender: z.string().nullable(),
  category: z.string().nullable(),
  distance: z.string().nullable(),
  kit_status: KitStatus.nullable(),
  document: z.string().nullable(),
});

export type ParticipantLookup = z.infer<typeof ParticipantLookup>;

/** An exact value to look for; blank counts as not sent. Postgres cannot hold a NUL in a text. */
const wanted = z
  .string({ error: 'expected one value' })
  .trim()
  .refine((text) => !text.includes('\0'), { error: 'expected a text without NUL characters' })
  .transform((text) => (text === '' ? undefined : text))
  .optional();

/** At least one of the three; all that are sent must match (contract section 4.4). */
export const LookupQuery = PageQuery.extend({
  bib: wanted,
  chip: wanted,
  document: wanted,
}).refine(({ bib, chip, document }) => bib ?? chip ?? document, {
  error: 'Send at least one of bib, chip and document',
});

export type LookupQuery = z.infer<typeof LookupQuery>;
