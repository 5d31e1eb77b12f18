import * as z from 'zod';
import { RANKING_RULES } from '../../../timing-files/read/ranking-rule.ts';
import { count, field, instant, text } from '../../http/answer-schemas.ts';
import { ResultContent } from '../batches/answer-schemas.ts';
import { bibOrNull } from '../read/answer-schemas.ts';
import { CHANGED_MAX } from '../schemas.ts';

const resultThen = field(
  ResultContent.nullable(),
  'The result when the version was made. Null if there was none.',
  null,
);

const resultNow = field(ResultContent.nullable(), 'The result now. Null if it was removed.', null);

/** An official version of an event's results. */
export const OfficialResults = z
  .object({
    version: field(z.int().min(1), 'Number of the version, from 1.', 1),
    state: field(
      z.enum(['official', 'changed_since']),
      '`official` while the results are those of the version; `changed_since` from the first difference on.',
      'official',
    ),
    made_at: instant('The moment whose results these are.', '2027-05-09T18:30:00.000Z'),
    user_id: text('The user who made the version in the panel.', 'user-17'),
    rows: count('Results in the document.', 1),
    digest: field(
      z.string().regex(/^[0-9a-f]{64}$/),
      'SHA-256 of the document, in hexadecimal digits.',
      'f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2',
    ),
    signature: text(
      'A JWS in the compact form, signed with EdDSA. Its payload states the digest, the rows, the version, the ' +
        'moment, the rule of ranking, the event and the organization.',
      'eyJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl',
    ),
    rank_by: field(
      z.enum(RANKING_RULES),
      'The rule by which the document ranks, as its signature says.',
      'chip',
    ),
    changes: field(
      z
        .object({
          total: count('Number of changed results.', 1),
          first: z
            .array(z.object({ bib_number: bibOrNull, before: resultThen, after: resultNow }))
            .meta({ description: `The first ${CHANGED_MAX} changed results, by bib.` }),
        })
        .nullable(),
      'How the results differ from the document of the last version. `total` is 0 if all times, statuses and ' +
        'splits are equal, and a category, a place or the rule differs. Null while the version is official, for an ' +
        'earlier version, and for some seconds after a change, until the two documents have been compared.',
      null,
    ),
  })
  .meta({
    id: 'OfficialResults',
    description:
      'An official version of the results. Everybody with the public keys can check a version.',
  });

export type OfficialResults = z.infer<typeof OfficialResults>;
