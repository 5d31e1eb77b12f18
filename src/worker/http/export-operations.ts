import { CopyQuery } from './copy.ts';
import { filterBesideCursor, foreignCursor, mangledCursor, restoredDatabase } from './cursor.ts';
import { type Cases, describeFields } from './documentation.ts';

describeFields(CopyQuery(), {
  changed_since: {
    description:
      'Empty, it starts a copy of the whole list. With the `Next-Cursor` of an answer, only the rows that are new or ' +
      'different since then come, and who left. No filter may stand beside it.',
    examples: [''],
  },
});

/** The paragraph about `changed_since` in the description of each export with a copy. */
export const COPIES = `
\`changed_since\` keeps a copy in step: start with an empty copy, and send the header \`Next-Cursor\` of each answer as
the next \`changed_since\`. The rows are the rows of the export, without positions. The row of a removed runner has only
\`inscription_id\` and \`removed\`: a column of the CSV file, and \`true\` in JSON, which then comes as one object per
line. Apply the rows. If the copy then has as many rows as the header \`Total\` says, the copy equals the list.
Otherwise read the list again from the start. A row may come again unchanged.`;

export const COPY_CASES: Cases = {
  cursor: mangledCursor().message,
  foreignCursor: foreignCursor().message,
  restored: restoredDatabase().message,
};

/** The cases of an export with filters. */
export const FILTERED_COPY_CASES: Cases = {
  ...COPY_CASES,
  filterBesideCursor: filterBesideCursor('distance').message,
};

/** The part of each export's description about forms and limits. */
export const EXPORT_FORMS = `
The header \`Accept\` chooses the form: \`text/csv\` (the default), \`application/x-ndjson\` with one object per
line, or \`application/json\`, a list with a single page. Every further value gets CSV. If a spreadsheet would run a
value as a formula, the CSV file has an apostrophe before the value. You can upload a file of results or passings again:
the API reads such a value without the apostrophe.

The API writes the answer while you read. If the answer breaks off, discard the rows and ask again. The exports of an
organization take turns: an export that waits for too long gets 503.`;
