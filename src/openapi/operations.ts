import * as z from 'zod';
import type { ZodOpenApiContentObject } from 'zod-openapi';
import { ApiKeyRecord, apiKeyIn, CreatedApiKey, RotatedApiKey } from '../api-keys/schemas.ts';
import { RESULT_STATUSES } from '../db/schema.ts';
import { Event } from '../events/schemas.ts';
import { Meta, PageQuery } from '../http/pagination.ts';
import { LookupQuery, Participant, ParticipantLookup } from '../participants/schemas.ts';
import { COLUMN_NAMES } from '../results/csv-columns.ts';
import {
  CSV_BODY_MAX,
  JSON_BODY_MAX,
  ResultsUploadIn,
  ResultsUploadOut,
  ROWS_PER_CSV_UPLOAD,
  ROWS_PER_JSON_UPLOAD,
} from '../results/schemas.ts';
import type { Scope } from '../scopes.ts';
import { Result, ResultQuery } from '../standings/schemas.ts';
import { EventStats } from '../stats/schemas.ts';
import type { Cases } from './errors.ts';
import { exampleOf } from './examples.ts';

export type Operation = {
  id: string;
  method: 'get' | 'post' | 'delete';
  path: `/${string}`;
  /** What a key must hold. Without one, the operation asks for a session of the panel. */
  scope?: Scope;
  tag: keyof typeof TAGS;
  summary: string;
  description: string;
  query?: z.ZodObject<Record<string, z.ZodType>>;
  /** Required, where there is one. */
  body?: ZodOpenApiContentObject;
  /** The client may keep the answer, and asks each time whether it still holds. */
  revalidated?: true;
  answer: { status: 200 | 201 | 204; description: string; schema?: z.ZodType };
  /** What may not be there, what may be wrong with the request, and how large its body may be. */
  missing?: Cases;
  invalid?: Cases;
  tooLarge?: Cases;
};

export const TAGS = {
  Events: 'The events of your organization.',
  Participants: 'Who is registered. Personal data.',
  Statistics: 'Figures of an event.',
  Results: 'What a race brought: upload it, as JSON or CSV, and read it with its positions.',
  'API keys': 'Keys of the organization, managed from its panel.',
};

/** The ids that stand in paths; what is no uuid names nothing, and is answered with 404. */
export const PATH_PARAMETERS = {
  event_id: z.guid().meta({
    description: 'An event of your organization.',
    examples: ['e0000000-0000-4000-8000-000000000001'],
  }),
  bib_number: z.string().meta({
    description: 'The bib of a runner. One without a result is answered with 404.',
    examples: ['17'],
  }),
  organization_id: z.guid().meta({
    description: 'An organization that you are a member of.',
    examples: ['f0000000-0000-4000-8000-000000000001'],
  }),
  key_id: z.guid().meta({
    description: 'A key of the organization.',
    examples: ['c0000000-0000-4000-8000-000000000001'],
  }),
};

const listOf = (item: z.ZodType, id: string) =>
  z
    .object({ data: z.array(item).meta({ description: 'The items of the page.' }), meta: Meta })
    .meta({ id, description: 'A page of a list.' });

const jsonBody = (schema: z.ZodType): ZodOpenApiContentObject => ({
  'application/json': { schema, example: exampleOf(schema, 'input') },
});

const EVENT_MISSING: Cases = { event: 'This event does not exist.' };
const RESULT_MISSING: Cases = { ...EVENT_MISSING, result: 'A result of this bib does not exist.' };
const ORGANIZATION_MISSING: Cases = { organization: 'This organization does not exist.' };
const KEY_MISSING: Cases = { ...ORGANIZATION_MISSING, key: 'This API key does not exist.' };

const BAD_PAGE: Cases = {
  page: 'page: expected a whole number from 1 on, not "0".',
  pageSize: 'page_size: expected a whole number from 1 to 100, not "101".',
};

const mib = (bytes: number): string => `${bytes / 1_024 / 1_024} MiB`;
const tooLarge = (bytes: number): Cases => ({
  body: `The body is larger than ${mib(bytes)}; send it in parts.`,
});

const ROWS_FAIL_ALONE = `
A row that cannot be loaded is not an error of the request: it comes back in \`failed\` with its
reason, and the others load. Each bib has one result, and the last one sent counts: sending the same
rows again is safe. All rows that load are written together, or none is.`;

const POLLING = `
Whoever asks again sends the \`ETag\` of the last answer in \`If-None-Match\`, and is told 304 until
something of the event changes.`;

const columns = ({ bib, chipTime, gunTime, status } = COLUMN_NAMES): string => {
  const row = (meaning: string, names: readonly string[]) =>
    `| ${meaning} | ${names.map((name) => `\`${name}\``).join(', ')} |`;
  return [
    '| column | header |',
    '|---|---|',
    row('bib', bib),
    row('chip time', chipTime),
    row('gun time', gunTime),
    row('status', status),
    '| split | any other; it is the name of the split |',
  ].join('\n');
};

const CSV_EXAMPLE = 'bib,time,status,Km 10\n17,01:28:03.512,,41:50\n18,01:31:00,,\n19,,DNF,44:10\n';

/** The contract's table of operations (section 4), and all that is to be said of each. */
export const OPERATIONS: readonly Operation[] = [
  {
    id: 'listEvents',
    method: 'get',
    path: '/public/v1/events',
    scope: 'events:read',
    tag: 'Events',
    summary: 'List events',
    description: 'The events of your organization, the latest first.',
    query: PageQuery,
    answer: {
      status: 200,
      description: 'A page of events.',
      schema: listOf(Event, 'EventList'),
    },
    invalid: BAD_PAGE,
  },
  {
    id: 'getEvent',
    method: 'get',
    path: '/public/v1/events/{event_id}',
    scope: 'events:read',
    tag: 'Events',
    summary: 'Read an event',
    description: 'One event.',
    answer: { status: 200, description: 'The event.', schema: Event },
    missing: EVENT_MISSING,
  },
  {
    id: 'listEventParticipants',
    method: 'get',
    path: '/public/v1/events/{event_id}/participants',
    scope: 'participants:read',
    tag: 'Participants',
    summary: 'List participants',
    description:
      'The registrations that are paid and not cancelled, in the order in which they were made. ' +
      'The data are those given when registering, unmasked.',
    query: PageQuery,
    answer: {
      status: 200,
      description: 'A page of participants.',
      schema: listOf(Participant, 'ParticipantList'),
    },
    missing: EVENT_MISSING,
    invalid: BAD_PAGE,
  },
  {
    id: 'lookupEventParticipants',
    method: 'get',
    path: '/public/v1/events/{event_id}/participants/lookup',
    scope: 'participants:read',
    tag: 'Participants',
    summary: 'Look participants up',
    description:
      'The registrations, paid or not but not cancelled, that have this bib, chip or document. ' +
      'At least one of the three must be sent; of several, all must match. Each is compared ' +
      'whole, without the blanks around it, and one that is blank counts as not sent.',
    query: LookupQuery,
    answer: {
      status: 200,
      description: 'A page of registrations, their documents masked.',
      schema: listOf(ParticipantLookup, 'ParticipantLookupList'),
    },
    missing: EVENT_MISSING,
    invalid: { nothing: 'Send at least one of bib, chip and document.', ...BAD_PAGE },
  },
  {
    id: 'getEventStats',
    method: 'get',
    path: '/public/v1/events/{event_id}/stats',
    scope: 'stats:read',
    tag: 'Statistics',
    summary: "Read an event's figures",
    description: 'Registrations and persons, in total and by what they have in common.',
    answer: { status: 200, description: 'The figures.', schema: EventStats },
    missing: EVENT_MISSING,
  },
  {
    id: 'listEventResults',
    method: 'get',
    path: '/public/v1/events/{event_id}/results',
    scope: 'events:read',
    tag: 'Results',
    summary: 'List results',
    description: `
Finishers by position, then DNF, DSQ and DNS, each by bib. Positions are those in the whole event,
whatever is filtered. Of several filters all must match; each is compared whole, and one that is
blank counts as not sent.
${POLLING}`.trim(),
    query: ResultQuery,
    revalidated: true,
    answer: {
      status: 200,
      description: 'A page of results.',
      schema: listOf(Result, 'ResultList'),
    },
    missing: EVENT_MISSING,
    invalid: {
      status: `status: expected ${RESULT_STATUSES.join(', ')}, not "GONE".`,
      ...BAD_PAGE,
    },
  },
  {
    id: 'getEventResult',
    method: 'get',
    path: '/public/v1/events/{event_id}/results/{bib_number}',
    scope: 'events:read',
    tag: 'Results',
    summary: "Read a runner's result",
    description: `The result of one bib, with all its positions.\n${POLLING}`,
    revalidated: true,
    answer: { status: 200, description: 'The result.', schema: Result },
    missing: RESULT_MISSING,
  },
  {
    id: 'uploadEventResults',
    method: 'post',
    path: '/public/v1/events/{event_id}/results',
    scope: 'results:write',
    tag: 'Results',
    summary: 'Upload results as JSON',
    description: `
Loads up to ${ROWS_PER_JSON_UPLOAD} results by bib, in at most ${mib(JSON_BODY_MAX)}. For a live feed,
send the arrivals of every 2 to 5 seconds together.
${ROWS_FAIL_ALONE}`.trim(),
    body: jsonBody(ResultsUploadIn),
    answer: { status: 200, description: 'What became of each row.', schema: ResultsUploadOut },
    missing: EVENT_MISSING,
    invalid: {
      contentType: 'The Content-Type is "text/plain"; application/json is expected.',
      shape: 'The body is no upload: results: expected an array.',
      rows: `The body is no upload: results: expected at most ${ROWS_PER_JSON_UPLOAD} rows.`,
    },
    tooLarge: tooLarge(JSON_BODY_MAX),
  },
  {
    id: 'uploadEventResultsFile',
    method: 'post',
    path: '/public/v1/events/{event_id}/results/file',
    scope: 'results:write',
    tag: 'Results',
    summary: 'Upload results as CSV',
    description: `
Loads the results of a CSV file, a row for each bib: up to ${ROWS_PER_CSV_UPLOAD} rows, in at most
${mib(CSV_BODY_MAX)}.
${ROWS_FAIL_ALONE}

The file is in UTF-8, with or without a byte order mark, or in latin-1. Cells are separated by comma,
semicolon, tab or bar, and quoted where need be; lines end with LF, CRLF or CR; blank lines are passed
over. The first line names the columns, in any order, whatever the case, the accents, the blanks and
the hyphens:

${columns()}

There must be a bib column, and one for a time or the status. A time is \`H:MM:SS\` or \`MM:SS\`, its
hours of up to three digits and its minutes of one or two, with or without a fraction of up to three
digits after \`.\` or \`,\`. The status is \`FINISHED\` where it is empty. Of two columns of one
meaning, the first that holds a time counts. A cell of a split that is no time is ignored.`.trim(),
    body: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: {
            file: {
              type: 'string',
              format: 'binary',
              contentMediaType: 'text/csv',
              description: 'The CSV file.',
            },
          },
          required: ['file'],
        },
        encoding: { file: { contentType: 'text/csv' } },
        example: { file: CSV_EXAMPLE },
      },
    },
    answer: { status: 200, description: 'What became of each row.', schema: ResultsUploadOut },
    missing: EVENT_MISSING,
    invalid: {
      contentType: 'The Content-Type is "text/csv"; multipart/form-data is expected.',
      field: 'The form has 0 fields "file"; one is expected.',
      header: `The header has no bib column (${COLUMN_NAMES.bib.join(', ')}). Found: name, time.`,
      rows: `The file has more than ${ROWS_PER_CSV_UPLOAD} rows; upload it in parts.`,
    },
    tooLarge: tooLarge(CSV_BODY_MAX),
  },
  {
    id: 'listApiKeys',
    method: 'get',
    path: '/api/v1/organizations/{organization_id}/api-keys',
    tag: 'API keys',
    summary: 'List API keys',
    description: 'The keys of the organization, revoked ones too, the latest first.',
    query: PageQuery,
    answer: {
      status: 200,
      description: 'A page of keys.',
      schema: listOf(ApiKeyRecord, 'ApiKeyList'),
    },
    missing: ORGANIZATION_MISSING,
    invalid: BAD_PAGE,
  },
  {
    id: 'createApiKey',
    method: 'post',
    path: '/api/v1/organizations/{organization_id}/api-keys',
    tag: 'API keys',
    summary: 'Create an API key',
    description: 'Makes a key. The answer holds it, this once.',
    body: jsonBody(
      apiKeyIn(new Date(0)).meta({ id: 'ApiKeyIn', description: 'A key to be made.' }),
    ),
    answer: { status: 201, description: 'The key, made.', schema: CreatedApiKey },
    missing: ORGANIZATION_MISSING,
    invalid: {
      scopes:
        'scopes: expected one or more of events:read, participants:read, inscriptions:read, ' +
        'stats:read, payments:read, results:write, each once, not [].',
      json: 'The body is not JSON: Unexpected end of JSON input',
    },
    tooLarge: { body: 'The body is larger than 64 KiB.' },
  },
  {
    id: 'rotateApiKey',
    method: 'post',
    path: '/api/v1/organizations/{organization_id}/api-keys/{key_id}/rotate',
    tag: 'API keys',
    summary: 'Rotate an API key',
    description:
      'Gives the key a new secret, which the answer holds, this once. The one before stops ' +
      'working at once.',
    answer: { status: 200, description: 'The key with its new secret.', schema: RotatedApiKey },
    missing: KEY_MISSING,
    invalid: { revoked: 'A revoked API key cannot be rotated. Create another.' },
  },
  {
    id: 'revokeApiKey',
    method: 'delete',
    path: '/api/v1/organizations/{organization_id}/api-keys/{key_id}',
    tag: 'API keys',
    summary: 'Revoke an API key',
    description: 'The key stops working at once, for good. To revoke it again changes nothing.',
    answer: { status: 204, description: 'The key is revoked.' },
    missing: KEY_MISSING,
  },
];
