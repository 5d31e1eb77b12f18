import * as z from 'zod/mini';
import { PageQuery } from '../../http/pagination.ts';
import {
  EventPath,
  NOT_BLANK,
  oneText,
  onlyFields,
  uuidOrNil,
  wanted,
} from '../../http/validation.ts';
import { later } from '../../later.ts';
import { ReasonQuery, reason, trueOrFalse } from '../schemas.ts';

export const BatchPath = later(() => z.extend(EventPath(), { batch_id: uuidOrNil() }));

/** Whether to show the effect, and write nothing. */
export const dryRun = () => z._default(trueOrFalse(), 'false');

export const RevertQuery = later(() => z.extend(ReasonQuery(), { dry_run: dryRun() }));

export const BatchesQuery = later(() =>
  z.extend(PageQuery(), { by_hand: z.optional(trueOrFalse()), sender: wanted() }),
);

const TWO_BIBS = { error: 'expected two bibs' };

const bib = () =>
  oneText()
    .check(z.minLength(1, { error: 'expected a bib' }))
    .register(z.globalRegistry, { pattern: NOT_BLANK });

/** The body of swapEventResults. */
export const ResultSwapIn = later(() =>
  onlyFields(
    {
      bib_numbers: z.array(bib(), TWO_BIBS).check(
        z.minLength(2, TWO_BIBS),
        z.maxLength(2, TWO_BIBS),
        z.refine((bibs) => new Set(bibs).size === bibs.length, {
          error: 'expected two different bibs',
          params: { case: 'same_bib' },
        }),
      ),
      reason: reason(),
      dry_run: z.optional(z.boolean({ error: 'expected true or false' })),
    },
    'Send an object with "bib_numbers", and "reason" if you like',
  ),
);
