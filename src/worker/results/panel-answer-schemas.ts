import type * as z from 'zod';
import { field, textOrNull } from '../http/answer-schemas.ts';
import { ResultDeletion } from './batches/answer-schemas.ts';
import { ExportedResult } from './read/answer-schemas.ts';

const names = {
  given_names: textOrNull('Given names, as registered.', 'Ana'),
  surnames: textOrNull('Surnames, as registered.', 'Ejemplo'),
};

/** An item of exportOrganizationEventResults. */
export const NamedResult = ExportedResult.extend(names).meta({
  id: 'NamedResult',
  description: 'A result with its positions and the name of the runner.',
});

export type NamedResult = z.infer<typeof NamedResult>;

/** The answer of correctOrganizationEventResult. */
export const ResultCorrection = ResultDeletion.extend({
  batch_id: field(
    ResultDeletion.shape.batch_id.nullable(),
    'The new batch that the correction is. Revert it to take the correction back. Null if nothing changed.',
    'b0000000-0000-4000-8000-000000000002',
  ),
  after: ResultDeletion.shape.before,
}).meta({ id: 'ResultCorrection', description: 'A corrected result.' });

export type ResultCorrection = z.infer<typeof ResultCorrection>;
