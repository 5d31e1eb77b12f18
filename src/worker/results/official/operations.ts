import type { Operation } from '../../http/documentation.ts';
import { busyWithExports } from '../../http/export.ts';
import { PageQuery } from '../../http/pagination.ts';
import { OfficialResults } from './answer-schemas.ts';
import { madeByAnother, noResults, tooManyVersions } from './routes.ts';

const PUBLIC = '/public/v1/events/{event_id}/results/official';
const PANEL = '/api/v1/organizations/{organization_id}/events/{event_id}/results/official';

const LIST = `
Lists the official versions of the results, the last one first. \`state\` is \`official\` while the results are those of
the version. Any later difference makes it \`changed_since\`: another time, a bib that was swapped, a category. It is
\`official\` again when the results are the same again.`.trim();

const VERSION = `
Answers a version as a file of JSON Lines. The first line holds the signature, the others are the document: a result
each, without names. The guide "Check official results" has the format, and programs that check it.`.trim();

const file = {
  type: 'application/x-ndjson',
  description: 'The signature on the first line, then a result on each line.',
  example: '{"signature":"eyJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl"}\n',
};

const busy = { 503: { exports: busyWithExports().message } };

export const officialResultOperations: readonly Operation[] = [
  {
    id: 'listOfficialResults',
    method: 'get',
    path: PUBLIC,
    scope: 'events:read',
    tag: 'Official results',
    summary: 'List official versions',
    description: `${LIST}\n\nA result of the bib \`official\` is found with \`listEventResults\`.`,
    query: PageQuery,
    answer: { status: 200, description: 'A page of versions.', listOf: OfficialResults },
  },
  {
    id: 'getOfficialResults',
    method: 'get',
    path: `${PUBLIC}/{version}`,
    scope: 'events:read',
    tag: 'Official results',
    summary: 'Download an official version',
    description: VERSION,
    answer: { status: 200, description: 'The signed document.', file },
    errors: busy,
  },
];

export const organizationOfficialOperations: readonly Operation[] = [
  {
    id: 'listOrganizationOfficialResults',
    method: 'get',
    path: PANEL,
    tag: 'Official results',
    summary: 'List official versions in the panel',
    description: LIST,
    query: PageQuery,
    answer: { status: 200, description: 'A page of versions.', listOf: OfficialResults },
  },
  {
    id: 'makeResultsOfficial',
    method: 'post',
    path: PANEL,
    tag: 'Official results',
    summary: 'Make results official',
    description: `
Signs all results as they are now, and keeps them as the next version. Results can still change: then the state of the
version is \`changed_since\`, and another version can be made. A version cannot be changed or deleted. An event has at
most 20.`.trim(),
    answer: { status: 201, description: 'The new version.', schema: OfficialResults },
    errors: {
      400: { noResults: noResults().message, tooManyVersions: tooManyVersions().message },
      503: { exports: busyWithExports().message, another: madeByAnother().message },
    },
  },
  {
    id: 'getOrganizationOfficialResults',
    method: 'get',
    path: `${PANEL}/{version}`,
    tag: 'Official results',
    summary: 'Download an official version in the panel',
    description: VERSION,
    answer: { status: 200, description: 'The signed document.', file },
    errors: busy,
  },
];
