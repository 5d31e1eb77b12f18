import * as z from 'zod';
import { KIT_STATUSES, REGISTRATION_STATUSES } from '../db/sql.ts';

const inscriptionId = z.guid().meta({
  description: 'Id of the registration.',
  examples: ['a0000000-0000-4000-8000-000000000017'],
});
const bibNumber = z
  .string()
  .nullable()
  .meta({ description: 'Bib number. Null until a bib is assigned.', examples: ['17'] });
const distance = z
  .string()
  .nullable()
  .meta({ description: 'Distance.', examples: ['21K'] });
const gender = z
  .string()
  .nullable()
  .meta({ description: 'Registered gender.', examples: ['F'] });
const chip = z
  .string()
  .nullable()
  .meta({ description: 'Chip code.', examples: ['CHIP0017'] });
const category = z
  .string()
  .nullable()
  .meta({ description: 'Category.', examples: ['Open'] });
const kitStatus = z
  .enum(KIT_STATUSES)
  .nullable()
  .meta({ description: 'Status of the race kit.', examples: ['READY'] });

/** An item of listEventParticipants. Personal data. */
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
    gender,
    status: z
      .enum(REGISTRATION_STATUSES)
      .meta({ description: 'Status of the registration.', examples: ['PAID'] }),
    registered_at: z.iso
      .datetime()
      .nullable()
      .meta({
        description: 'Time of the registration. Null if it has no year from 1 to 9999.',
        examples: ['2027-03-01T09:15:00.000Z'],
      }),
    chip,
  })
  .meta({
    id: 'Participant',
    description:
      'A paid, non-cancelled registration with the data given when registering. A value that was ' +
      'not given is null. Personal data.',
  });

export type Participant = z.infer<typeof Participant>;

/** An item of lookupEventParticipants. Its document is masked. */
export const ParticipantLookup = z
  .object({
    inscription_id: inscriptionId,
    bib_number: bibNumber,
    chip,
    full_name: z
      .string()
      .nullable()
      .meta({ description: 'Given names and surnames.', examples: ['Runa Example'] }),
    gender,
    category,
    distance,
    kit_status: kitStatus,
    document: z
      .string()
      .nullable()
      .meta({
        description: 'Masked document number: only the last characters, at most 4, are visible.',
        examples: ['****1234'],
      }),
  })
  .meta({
    id: 'ParticipantLookup',
    description: 'A non-cancelled registration, found by bib, chip or document.',
  });

export type ParticipantLookup = z.infer<typeof ParticipantLookup>;
