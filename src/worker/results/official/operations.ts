import type { ProseOf } from '../../http/documentation.ts';
import { describeFields } from '../../http/documentation.ts';
import { inPanel, type KeyProseOf, type PanelProseOf } from '../pair-operations.ts';
import { OfficialResults } from './answer-schemas.ts';
import type { officialPairs, organizationOfficialRoutes } from './routes.ts';
import { madeByAnother, noResults, tooManyVersions, VersionQuery } from './routes.ts';

const LIST = `
Lists the official versions of the results, the last version first. \`state\` is \`official\` while the results equal
the version, and \`changed_since\` after any difference: a new time, a swapped bib, a category. When the results equal
the version again, \`state\` is \`official\` again.`.trim();

const VERSION = `
Answers a version as a file of JSON Lines. The first line holds the signature. The remaining lines are the document: a
result each, without names. The guide "Official results" has the format, and programs that check a version.`.trim();

describeFields(VersionQuery(), {
  digest: {
    description:
      'The `digest` of the version, from the list. A version with a different digest is not found. An address ' +
      'with the digest has the same answer for ever.',
    examples: ['f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2'],
  },
});

export const officialResultProse: KeyProseOf<typeof officialPairs> = {
  listOfficialResults: {
    tag: 'Official results',
    summary: 'List official versions',
    description: `${LIST}\n\nA result of the bib \`official\` is found with \`listEventResults\`.`,
    answer: { status: 200, description: 'A page of versions.', listOf: OfficialResults },
  },
  getOfficialResults: {
    tag: 'Official results',
    summary: 'Download an official version',
    description: VERSION,
    answer: {
      status: 200,
      description: 'The signed document.',
      file: {
        type: 'application/x-ndjson',
        description: 'The signature on the first line, then a result on each line.',
        example: '{"signature":"eyJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl"}\n',
      },
      isImmutable: true,
    },
  },
};

export const organizationOfficialProse: ProseOf<typeof organizationOfficialRoutes> &
  PanelProseOf<typeof officialPairs> = {
  listOrganizationOfficialResults: inPanel({ tag: 'Official results', description: LIST }),
  makeResultsOfficial: {
    tag: 'Official results',
    summary: 'Make results official',
    description: `
Signs all present results, and keeps the signed results as the next version. Results can still change: then the state of
the version is \`changed_since\`, and you can make a new version. Nobody can change or delete a version. An event has at
most 20.`.trim(),
    answer: { status: 201, description: 'The new version.', schema: OfficialResults },
    errors: {
      400: { noResults: noResults().message, tooManyVersions: tooManyVersions().message },
      503: { another: madeByAnother().message },
    },
  },
  getOrganizationOfficialResults: inPanel({
    tag: 'Official results',
    description: VERSION,
    // A key may keep its copy forever, a page may not.
    answer: { isImmutable: false },
  }),
};
