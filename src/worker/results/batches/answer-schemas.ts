import * as z from 'zod';
import { BATCH_SOURCES } from '../../db/sql.ts';
import { EventStart } from '../../events/answer-schemas.ts';
import { batchRunners, isSwap } from '../../events/panel-answer-schemas.ts';
import {
  count,
  field,
  id,
  idOrNull,
  instant,
  instantOrNull,
  text,
  textOrNull,
} from '../../http/answer-schemas.ts';
import { bibOrNull, inscriptionId, resultStatus, splitTimes } from '../read/answer-schemas.ts';
import { KEPT_ROWS_MAX, NOT_FOUND_BIBS_MAX } from '../schemas.ts';
import { leftCount, senderOrNull, uploadCounts } from '../upload/answer-schemas.ts';

const BATCH = 'b0000000-0000-4000-8000-000000000001';
const REVERT = 'b0000000-0000-4000-8000-000000000002';

/** An upload of results, a revert or a deletion. */
export const ResultBatch = z
  .object({
    id: id('Id of the batch.', BATCH),
    source: field(
      z.enum(BATCH_SOURCES),
      'How the batch came: an upload as JSON or CSV, a revert of a batch, a deletion of a result, or the shift ' +
        'of a start.',
      'csv',
    ),
    received_at: instant(
      'Time of the request. The list stands in the order in which batches took effect.',
      '2027-05-09T14:01:22.480Z',
    ),
    key_name: text(
      'Name of the key that sent the batch, or whose batch a user took back. Empty if a user sent the batch in ' +
        'the panel, and for a key of an organization that had the event before.',
      'Timing',
    ),
    key_prefix: text(
      'First 12 characters of the key at the time of the batch. Empty without a `key_name`.',
      'er_live_a1B2',
    ),
    user_id: textOrNull('The user who made the batch in the panel. Null for a key.', null),
    sender: senderOrNull,
    file_name: textOrNull('Name of the file. Null if the client sent no name.', 'finish.csv'),
    reason: textOrNull(
      'The reason, in the words of the sender. Null without a reason.',
      'Bib swapped',
    ),
    by_hand: field(
      z.boolean(),
      'Whether a person decided the batch: a revert, a deletion, a correction in the panel, or an upload with ' +
        '`by_hand`.',
      false,
    ),
    ...uploadCounts('result'),
    left: leftCount,
    not_found_bibs: field(
      z.array(z.string()),
      `The first ${NOT_FOUND_BIBS_MAX} bibs of the rows counted in \`not_found\`.`,
      ['18'],
    ),
    removed: count(
      'Results taken away: by a deletion, or by a revert of the batch that had created the results.',
      0,
    ),
    start_shift: field(
      z.strictObject({ before: EventStart, after: EventStart }).nullable(),
      'The start that a shift moved, before and after the shift. Null for all further batches.',
      null,
    ),
    reverts: idOrNull('The batch that this batch reverts. Null if this batch is no revert.', null),
    reverted_at: instantOrNull(
      'When the batch was reverted. Null without a revert, or if the revert was reverted.',
      null,
    ),
    reverted_by: idOrNull('The batch that reverted this batch.', null),
  })
  .meta({
    id: 'ResultBatch',
    description:
      'An upload, a revert or a deletion. `uploaded`, `updated`, `removed`, `not_found`, `errors`, ' +
      '`duplicates` and `left` add up to `total_processed`.',
  });

export type ResultBatch = z.infer<typeof ResultBatch>;

/** A batch for the panel. */
export const OrganizationResultBatch = ResultBatch.extend({
  runners: batchRunners,
  is_swap: isSwap,
}).meta({
  id: 'OrganizationResultBatch',
  description: 'An upload, a revert or a deletion, as the panel shows it.',
});

export type OrganizationResultBatch = z.infer<typeof OrganizationResultBatch>;

export const ResultContent = z
  .object({
    status: resultStatus,
    chip_time: textOrNull('Net time as `HH:MM:SS.mmm`.', '01:28:03.512'),
    gun_time: textOrNull('Gross time as `HH:MM:SS.mmm`.', null),
    splits: splitTimes,
  })
  .meta({ id: 'ResultContent', description: 'The content of a result.' });

/** The change of a bib's result by a batch. */
export const ResultChange = z
  .object({
    inscription_id: inscriptionId,
    bib_number: bibOrNull,
    before: field(
      ResultContent.nullable(),
      'The result before the batch. Null without a result.',
      null,
    ),
    after: field(
      ResultContent.nullable(),
      'The result that the batch stored. Null if a revert took the result away.',
      {
        status: 'FINISHED',
        chip_time: '01:28:03.512',
        gun_time: null,
        splits: { 'Km 10': '00:41:50.000' },
      },
    ),
    replaced_by: idOrNull(
      'The batch that the result comes from now. Null if the result still comes from this batch.',
      null,
    ),
  })
  .meta({ id: 'ResultChange', description: 'The change of a bib’s result by a batch.' });

export type ResultChange = z.infer<typeof ResultChange>;

export const ResultVersion = z
  .object({
    version: field(z.int().min(1), 'Number of the version: 1 is the oldest that is kept.', 1),
    result: field(
      ResultContent.nullable(),
      'The content of the result. Null if this batch took the result away.',
      {
        status: 'FINISHED',
        chip_time: '01:28:03.512',
        gun_time: null,
        splits: { 'Km 10': '00:41:50.000' },
      },
    ),
    made_at: instantOrNull(
      'Time of the request that made the version.',
      '2027-05-09T14:01:22.480Z',
    ),
    batch_id: id('The batch that made the version.', BATCH),
    source: field(
      z.enum(BATCH_SOURCES).nullable(),
      'How the batch came. Null, with all following fields, if the batch is no longer kept.',
      'csv',
    ),
    reverts: idOrNull(
      'The batch that this version takes back. Null if the version is no revert.',
      null,
    ),
    replaced_by: idOrNull('The batch that made the next version. Null for the present one.', null),
    key_name: textOrNull('Name of the key that sent the batch.', 'Timing'),
    user_id: textOrNull('The user who made the version in the panel. Null for a key.', null),
    sender: senderOrNull,
    file_name: textOrNull('Name of the file.', 'finish.csv'),
    reason: textOrNull('The reason, in the words of the sender.', null),
  })
  .meta({ id: 'ResultVersion', description: 'A version of a result, and its origin.' });

export type ResultVersion = z.infer<typeof ResultVersion>;

/** The answer of deleteEventResult. */
export const ResultDeletion = z
  .object({
    batch_id: id('The batch of the deletion. Revert this batch to bring the result back.', REVERT),
    inscription_id: inscriptionId,
    bib_number: text('Bib number.', '17'),
    before: ResultContent,
  })
  .meta({ id: 'ResultDeletion', description: 'A deleted result.' });

export type ResultDeletion = z.infer<typeof ResultDeletion>;

/** The answer of swapEventResults. */
export const ResultSwap = z
  .object({
    batch_id: idOrNull(
      'The batch of the swap. Revert this batch to swap back. Null for a dry run.',
      REVERT,
    ),
    results: field(
      z.array(
        z.object({
          inscription_id: inscriptionId,
          bib_number: text('Bib number.', '17'),
          before: field(ResultContent.nullable(), 'The result before. Null without one.', null),
          after: field(
            ResultContent.nullable(),
            'The result now: the result of the second runner. Null if the second runner had no result.',
            null,
          ),
        }),
      ),
      'The two runners, in the order of `bib_numbers`.',
      [],
    ),
    passings: count('Swapped passings of both runners together.', 0),
  })
  .meta({ id: 'ResultSwap', description: 'Two runners with exchanged results.' });

export type ResultSwap = z.infer<typeof ResultSwap>;

const KeptRow = z.object({
  inscription_id: inscriptionId,
  bib_number: textOrNull('Bib number.', '18'),
  batch_id: idOrNull(
    'The batch that the result comes from. Null if the result was deleted in the database.',
    'b0000000-0000-4000-8000-000000000003',
  ),
});

/** The answer of revertResultBatch. */
export const ResultBatchReversal = z
  .object({
    batch_id: idOrNull(
      'The batch of the revert. Null for a dry run, and if nothing was to revert.',
      REVERT,
    ),
    reverts: id('The batch that was reverted.', BATCH),
    dry_run: field(z.boolean(), 'Whether nothing was written.', false),
    restored: count('Results that returned to their content before the batch.', 2),
    removed: count('Results taken away, because the batch had created these results.', 1),
    reinstated: count('Results brought back that the reverted revert had taken away.', 0),
    already_reverted: count('Results that an earlier revert of this batch took back.', 0),
    kept: count('Results left alone, because a later batch had replaced these results.', 1),
    kept_rows: z.array(KeptRow).meta({
      description:
        `The first ${KEPT_ROWS_MAX} results counted in \`kept\`, by bib. ` +
        '`listResultBatchChanges` lists all.',
    }),
  })
  .meta({ id: 'ResultBatchReversal', description: 'The effect of a revert.' });

export type ResultBatchReversal = z.infer<typeof ResultBatchReversal>;
