import * as z from 'zod';
import { KIT_STATUSES, REGISTRATION_STATUSES } from '../db/sql.ts';
import { field, id, instantOrNull, textOrNull } from '../http/answer-schemas.ts';

/** The fields of both forms of a registration. */
const inscription_id = id('Id of the registration.', 'a0000000-0000-4000-8000-000000000017');
const bib_number = textOrNull('Bib number. Null until a bib is assigned.', '17');
const distance = textOrNull('Distance.', '21K');
const gender = textOrNull('Registered gender.', 'F');
const chip = textOrNull('Chip code.', 'CHIP0017');
const category = textOrNull('Category.', 'Open');
const kit_status = field(z.enum(KIT_STATUSES).nullable(), 'Status of the race kit.', 'READY');

const given_names = textOrNull('Given names.', 'Runa');
const surnames = textOrNull('Surnames.', 'Example');

/** An item of listEventParticipants. Personal data. */
export const Participant = z
  .object({
    inscription_id,
    given_names,
    surnames,
    document: textOrNull('Document number, unmasked.', 'X0001234'),
    email: textOrNull('Email address.', 'runa@example.com'),
    mobile_phone: textOrNull('Mobile phone number.', '+1 555 0100'),
    bib_number,
    distance,
    category,
    kit_status,
    gender,
    status: field(z.enum(REGISTRATION_STATUSES), 'Status of the registration.', 'PAID'),
    registered_at: instantOrNull(
      'Time of the registration. Null if it has no year from 1 to 9999.',
      '2027-03-01T09:15:00.000Z',
    ),
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
    inscription_id,
    bib_number,
    chip,
    full_name: textOrNull('Given names and surnames.', 'Runa Example'),
    gender,
    category,
    distance,
    kit_status,
    document: textOrNull(
      'Masked document number: only the last characters, at most 4, are visible.',
      '****1234',
    ),
  })
  .meta({
    id: 'ParticipantLookup',
    description: 'A non-cancelled registration, found by bib, chip or document.',
  });

export type ParticipantLookup = z.infer<typeof ParticipantLookup>;

/** An item of exportEventStartList: the fields of a runner that timing needs. */
export const StartListEntry = z
  .object({
    inscription_id,
    bib_number,
    chip,
    given_names,
    surnames,
    gender,
    distance,
    category,
    kit_status,
  })
  .meta({
    id: 'StartListEntry',
    description:
      'A registration that was not cancelled, paid or not, as a timing program imports it. Without document and ' +
      'contact.',
  });

export type StartListEntry = z.infer<typeof StartListEntry>;
