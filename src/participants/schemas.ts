import * as z from 'zod';
import { PageQuery } from '../http/pagination.ts';
import { wanted } from '../http/validation.ts';

const inscriptionId = z.guid().meta({
  description: 'Id of the registration.',
  examples: ['a0000000-0000-4000-8000-000000000017'],
});
const bibNumber = z
  .string()
  .nullable()
  .meta({ description: 'Null until a bib is assigned.', examples: ['17'] });
const distance = z
  .string()
  .nullable()
  .meta({ description: 'Distance of the race.', examples: ['21K'] });
const category = z
  .string()
  .nullable()
  .meta({ description: 'Category of the race.', examples: ['Open'] });
const kitStatus = z
  .enum(['PENDING', 'READY', 'DELIVERED'])
  .nullable()
  .meta({ description: 'Where the race kit is.', examples: ['READY'] });

/** A paid registration as it was filled in (contract section 2). Personal data. */
export const Participant = z
  .object({
    inscription_id: inscriptionId,
    given_names: z
      .string()
      .nullable()
      .meta({ description: 'Given names.', examples: ['Runa'] }),
    surnames: z
      .string()
      .nullable()
      .meta({ description: 'Surnames.', examples: ['Example'] }),
    document: z
      .string()
      .nullable()
      .meta({ description: 'Document number, unmasked.', examples: ['X0001234'] }),
    email: z
      .string()
      .nullable()
      .meta({ description: 'Email address.', examples: ['runa@example.com'] }),
    mobile_phone: z
      .string()
      .nullable()
      .meta({ description: 'Mobile phone number.', examples: ['+1 555 0100'] }),
    bib_number: bibNumber,
    distance,
    category,
    kit_status: kitStatus,
  })
  .meta({
    id: 'Participant',
    description:
      'A paid registration, as it was filled in when registering: what was left out then is ' +
      'null. Personal data.',
  });

export type Participant = z.infer<typeof Participant>;

/** A registration found by bib, chip or document (contract section 2); its document is masked. */
export const ParticipantLookup = z
  .object({
    inscription_id: inscriptionId,
    bib_number: bibNumber,
    chip: z
      .string()
      .nullable()
      .meta({ description: 'Code of the timing chip.', examples: ['CHIP0017'] }),
    full_name: z
      .string()
      .nullable()
      .meta({ description: 'Given names and surnames.', examples: ['Runa Example'] }),
    gender: z
      .string()
      .nullable()
      .meta({ description: 'Gender, as registered.', examples: ['F'] }),
    category,
    distance,
    kit_status: kitStatus,
    document: z
      .string()
      .nullable()
      .meta({
        description: 'All but its last characters, at most 4 of them, are asterisks.',
        examples: ['****1234'],
      }),
  })
  .meta({
    id: 'ParticipantLookup',
    description: 'A registration that is not cancelled, found by bib, chip or document.',
  });

export type ParticipantLookup = z.infer<typeof ParticipantLookup>;

/** At least one of the three; all that are sent must match (contract section 4.4). */
export const LookupQuery = PageQuery.extend({
  bib: wanted('The whole bib number.', '17'),
  chip: wanted('The whole chip code.', 'CHIP0017'),
  document: wanted('The whole document number.', 'X0001234'),
}).refine(({ bib, chip, document }) => bib ?? chip ?? document, {
  error: 'Send at least one of bib, chip and document',
});

export type LookupQuery = z.infer<typeof LookupQuery>;
