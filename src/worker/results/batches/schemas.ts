import * as z from 'zod/mini';
import { PageQuery } from '../../http/pagination.ts';
import { EventPath, uuidOrNil } from '../../http/validation.ts';
import { ReasonQuery, trueOrFalse } from '../schemas.ts';

export const BatchPath = z.extend(EventPath, { batch_id: uuidOrNil });

/** Whether to say what would happen, and write nothing. */
export const dryRun = () => z._default(trueOrFalse(), 'false');

export const RevertQuery = z.extend(ReasonQuery, { dry_run: dryRun() });

export const BatchesQuery = z.extend(PageQuery, { by_hand: z.optional(trueOrFalse()) });

/** What a query asks of a revert. */
export const reversalOf = ({ dry_run, reason }: z.infer<typeof RevertQuery>) => ({
  isDryRun: dry_run === 'true',
  reason: reason ?? null,
});
