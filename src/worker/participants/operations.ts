import { KIT_STATUSES } from '../db/sql.ts';
import { type Cases, describedOneOf, describeFields, type ProseOf } from '../http/documentation.ts';
import {
  COPIES,
  COPY_CASES,
  EXPORT_FORMS,
  FILTERED_COPY_CASES,
} from '../http/export-operations.ts';
import { Participant, ParticipantLookup, StartListEntry } from './answer-schemas.ts';
import type { participantRoutes, startListRoutes } from './routes.ts';
import { afterNotFound } from './routes.ts';
import { LookupQuery, ParticipantQuery } from './schemas.ts';

describeFields(LookupQuery(), {
  bib: { description: 'Exact bib number.', examples: ['17'] },
  chip: { description: 'Exact chip code.', examples: ['CHIP0017'] },
  document: { description: 'Complete document number.', examples: ['X0001234'] },
});

describeFields(ParticipantQuery(), {
  distance: { description: 'Exact distance.', examples: ['21K'] },
  category: { description: 'Exact category.', examples: ['Open'] },
  kit_status: describedOneOf(KIT_STATUSES),
  after: {
    description:
      'An `inscription_id`. The list starts after this registration, and `page` and `meta` count ' +
      'from there. The registration may be cancelled. If it was deleted, the answer is 404.',
    examples: ['a0000000-0000-4000-8000-000000000017'],
  },
});

const KIT_STATUS: Cases = {
  kitStatus: 'kit_status: expected PENDING, READY, DELIVERED, not "LOST".',
};

export const participantProse: ProseOf<typeof participantRoutes> = {
  listEventParticipants: {
    tag: 'Participants',
    summary: 'List participants',
    description: `
Lists the paid, non-cancelled registrations of an event in the order of registration. The answer has the
unmasked data of each registration.

To read the whole list, send the last \`inscription_id\` of each page as \`after\`. A cancellation between
two pages shifts the numbered pages, and one person is skipped. \`after\` skips nobody. An export answers
all at once. If you send several filters, a participant must match all of them.`.trim(),
    answer: { status: 200, description: 'A page of participants.', listOf: Participant },
    errors: {
      400: {
        after:
          'after: expected the inscription_id of a registration of this event, a uuid, not "17".',
        ...KIT_STATUS,
      },
      404: {
        after: afterNotFound().message,
      },
    },
  },
  exportEventParticipants: {
    tag: 'Participants',
    summary: 'Export all participants',
    description: `
Answers all participants as of one moment, in the order and with the fields of the list. An export
costs one request of the limit, for any number of participants.
${COPIES}
${EXPORT_FORMS}`.trim(),
    answer: { status: 200, description: 'All participants.', exportOf: Participant },
    errors: { 400: { ...KIT_STATUS, ...FILTERED_COPY_CASES } },
  },
  getEventParticipant: {
    tag: 'Participants',
    summary: 'Read a participant',
    description: `
Returns a paid, non-cancelled registration by the \`inscription_id\` from a result or a list.`.trim(),
    answer: { status: 200, description: 'The participant.', schema: Participant },
  },
  lookupEventParticipants: {
    tag: 'Participants',
    summary: 'Look participants up',
    description: `
Finds registrations by bib, chip or document. Send at least one of the three. If you send several, a
registration must match all of them.

Each value must match exactly. The API trims spaces around a value and ignores a blank value. The answer
has paid and unpaid registrations, but no cancelled ones.`.trim(),
    answer: {
      status: 200,
      description: 'A page of registrations with masked documents.',
      listOf: ParticipantLookup,
    },
    errors: {
      400: {
        nothing: 'Send at least one of bib, chip and document.',
        nul: 'bib: expected a text without NUL characters, not "\\u0000".',
      },
    },
  },
};

export const startListProse: ProseOf<typeof startListRoutes> = {
  exportEventStartList: {
    tag: 'Participants',
    summary: 'Read the start list',
    description: `
Answers everybody who may start as of one moment, in the order of registration: every registration that was not
cancelled, in any state of payment. The list has the fields for a timing program, without document, email and phone.
${COPIES} ${EXPORT_FORMS}`.trim(),
    answer: { status: 200, description: 'The start list.', exportOf: StartListEntry },
    errors: { 400: COPY_CASES },
  },
};
