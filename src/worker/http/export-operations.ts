import { EXPORTS_PER_ORGANIZATION } from './body.ts';

/** The part of each export's description about forms and limits. */
export const EXPORT_FORMS = `
The header \`Accept\` chooses the form: \`text/csv\` (the default), \`application/x-ndjson\` with one object per
line, or \`application/json\`, a list with a single page. Any other value gets CSV. A value of a CSV file that a
spreadsheet would run as a formula has an apostrophe before it. A file of results or passings can be uploaded again:
it is read without that apostrophe.

The answer is written while you read it. If it breaks off, discard it and ask again. An organization may have
${EXPORTS_PER_ORGANIZATION} exports at a time; more get 503.`;
