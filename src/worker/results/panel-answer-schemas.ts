import * as z from 'zod';
import { REGISTRATION_STATUSES } from '../db/sql.ts';
import { field, instantOrNull, textOrNull } from '../http/answer-schemas.ts';
import { ResultContent, ResultDeletion } from './batches/answer-schemas.ts';
import {
  ExportedResult,
  inscriptionId,
  positions,
  runnerGroups,
  splitTimes,
} from './read/answer-schemas.ts';

export const names = {
  given_names: textOrNull('Given names, as registered.', 'Ana'),
  surnames: textOrNull('Surnames, as registered.', 'Ejemplo'),
};

/** An item of exportOrganizationEventResults. */
export const NamedResult = ExportedResult.extend(names).meta({
  id: 'NamedResult',
  description: 'A result with its positions and the name of the runner.',
});

export type NamedResult = z.infer<typeof NamedResult>;

const { position_distance, position_distance_gender, position_distance_category } =
  positions('among the finishers');

/** An item of listOrganizationEventRunners. */
export const Runner = z
  .object({
    inscription_id: inscriptionId,
    bib_number: textOrNull(
      'Bib number. Null only in a list of the runners who lack a result or data.',
      '17',
    ),
    inscription_status: field(
      z.enum(REGISTRATION_STATUSES),
      'Status of the registration. Who may start is `PAID`.',
      'PAID',
    ),
    ...names,
    ...runnerGroups,
    name_is_hidden: field(z.boolean(), 'Whether the live board never shows the name.', false),
    result: field(ResultContent.nullable(), 'The stored result. Null without a result.', null),
    version: field(
      z.guid().nullable(),
      'The present version of the result: the batch that stored the result, brought the result back or took the result away. Null if the runner never had a result.',
      'c0000000-0000-4000-8000-000000000001',
    ),
    splits: splitTimes.meta({
      description:
        'Split times by split name, `HH:MM:SS.mmm`: the splits of the result, completed by the passings. A runner on the course has splits before the result.',
    }),
    position_distance,
    position_distance_gender,
    position_distance_category,
    updated_at: instantOrNull('Time at which the result was last stored.', null),
  })
  .meta({ id: 'Runner', description: 'A runner of the event with the stored result.' });

export type Runner = z.infer<typeof Runner>;

/** The answer of correctOrganizationEventResult. */
export const ResultCorrection = ResultDeletion.extend({
  batch_id: field(
    ResultDeletion.shape.batch_id.nullable(),
    'The new batch that the correction is. Revert it to take the correction back. Null if nothing changed.',
    'b0000000-0000-4000-8000-000000000002',
  ),
  before: field(
    ResultContent.nullable(),
    'The result before the correction. Null if there was none.',
    null,
  ),
  after: ResultContent,
}).meta({
  id: 'ResultCorrection',
  description: 'A corrected result, or the first one of a runner.',
});

export type ResultCorrection = z.infer<typeof ResultCorrection>;
