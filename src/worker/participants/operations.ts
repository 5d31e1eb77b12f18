import type { Operation } from '../http/documentation.ts';
import { Participant, ParticipantLookup } from './answer-schemas.ts';
import { afterNotFound } from './routes.ts';
import { LookupQuery, ParticipantQuery } from './schemas.ts';

export const participantOperations: readonly Operation[] = [
  {
    id: 'listEventParticipants',
    method: 'get',
    path: '/public/v1/events/{event_id}/participants',
    scope: 'participants:read',
    tag: 'Participants',
    summary: 'List participants',
    description: `
Lists the paid, non-cancelled registrations of an event in the order of registration. The answer has the
data that each person gave when registering, unmasked.

To read the whole list, send the last \`inscription_id\` of each page as \`after\`. A cancellation between
two pages shifts the numbered pages, and one person is skipped. \`after\` skips nobody.`.trim(),
    query: ParticipantQuery,
    answer: { status: 200, description: 'A page of participants.', listOf: Participant },
    errors: {
      400: {
        after:
          'after: expected the inscription_id of a registration of this event, a uuid, not "17".',
      },
      404: {
        after: afterNotFound().message,
      },
    },
  },
  {
    id: 'lookupEventParticipants',
    method: 'get',
    path: '/public/v1/events/{event_id}/participants/lookup',
    scope: 'participants:read',
    tag: 'Participants',
    summary: 'Look participants up',
    description: `
Finds registrations by bib, chip or document. Send at least one of the three. If you send several, a
registration must match all of them.

Each value must match exactly. The API trims spaces around a value and ignores a blank value. The answer
has paid and unpaid registrations, but no cancelled ones.`.trim(),
    query: LookupQuery,
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
];
