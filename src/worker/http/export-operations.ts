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
\`changed_since\` keeps a copy in step: start with an empty one, and send the header \`Next-Cursor\` of each answer as the
next \`changed_since\`. The rows are those of the export, without positions. A row of somebody who left has only
\`inscription_id\` and \`removed\`: a column of the CSV file, and \`true\` in JSON, which then comes as one object per line.
A copy that applies them and has as many rows as the header \`Total\` says equals the list. Otherwise read it again from
the start. A row may come again although it has not changed.`;

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
line, or \`application/json\`, a list with a single page. Any other value gets CSV. A value of a CSV file that a
spreadsheet would run as a formula has an apostrophe before it. A file of results or passings can be uploaded again:
it is read without that apostrophe.

The answer is written while you read it. If it breaks off, discard it and ask again. The exports of an organization take
turns: one that has to wait for too long gets 503.`;
