import {
  LISTED_STATUSES,
  RESULT_STATUSES,
  STATUS_RULES,
} from '../../../timing-files/read/result-status.ts';
import { describedOneOf, describeFields, type ProseOf } from '../../http/documentation.ts';
import { COPIES, EXPORT_FORMS, FILTERED_COPY_CASES } from '../../http/export-operations.ts';
import { ExportedResult, MissingResult, Result } from './answer-schemas.ts';
import type { missingResultRoutes, resultReadRoutes } from './routes.ts';
import { ResultQuery } from './schemas.ts';

describeFields(ResultQuery(), {
  gender: { description: 'Exact gender.', examples: ['F'] },
  category: { description: 'Exact category.', examples: ['Open'] },
  distance: { description: 'Exact distance.', examples: ['21K'] },
  status: describedOneOf(RESULT_STATUSES),
  bib: { description: 'Exact bib number.', examples: ['17'] },
});

const UNRANKED = new Intl.ListFormat('en-GB').format(
  LISTED_STATUSES.filter((status) => !STATUS_RULES[status].hasPosition),
);

export const resultReadProse: ProseOf<typeof resultReadRoutes | typeof missingResultRoutes> = {
  listEventResults: {
    tag: 'Results',
    summary: 'List results',
    description: `
Lists finishers by position, then ${UNRANKED} by bib.

\`splits\` has the splits of the result. The passings of the runner add points that the result does not name.

Every finisher has positions in the whole event and positions within the distance. A filter does not
change positions. If you send several filters, a result must match all of them. Each value must match exactly.
The API trims spaces around a value and ignores a blank value.`.trim(),
    answer: { status: 200, description: 'A page of results.', listOf: Result },
    errors: { 400: { status: `status: expected ${RESULT_STATUSES.join(', ')}, not "GONE".` } },
  },
  exportEventResults: {
    tag: 'Results',
    summary: 'Export all results',
    description: `
Answers all results as of one moment, in the order and with the filters of the list. An export costs one
request of the limit, for any number of results.
${COPIES}
${EXPORT_FORMS}

The columns are the fields of the list, plus \`chip_time_ms\` and \`gun_time_ms\`. In a CSV file, \`splits\`
is one JSON object. A result of the bib \`export\` is found with \`listEventResults\`.`.trim(),
    answer: { status: 200, description: 'All results.', exportOf: ExportedResult, hasState: true },
    errors: {
      400: {
        status: `status: expected ${RESULT_STATUSES.join(', ')}, not "GONE".`,
        ...FILTERED_COPY_CASES,
      },
    },
  },
  getEventResult: {
    tag: 'Results',
    summary: "Read a runner's result",
    description: 'Returns the result of a bib with all positions.',
    answer: { status: 200, description: 'The result.', schema: Result },
  },
  listMissingResults: {
    tag: 'Results',
    summary: 'List runners without a result',
    description: `
Lists the paid registrations that have a bib and no result yet, by bib. A DNF is a result, although a DNF has no time.
If you send several filters, a registration must match all of them. Each value must match exactly.`.trim(),
    answer: { status: 200, description: 'A page of registrations.', listOf: MissingResult },
  },
};
