import * as z from 'zod/mini';
import { EventPath, oneText, uuidOrNil } from '../../http/validation.ts';
import { ReasonQuery } from '../schemas.ts';

export const BatchPath = z.extend(EventPath, { batch_id: uuidOrNil });

/** How many of the rows that a revert leaves alone it lists. */
export const KEPT_ROWS_MAX = 1_000;

const DRY_RUN_EXPECTED = 'expected true or false';

/** Whether to say what would happen, and write nothing. */
export const dryRun = () =>
  z._default(z.pipe(oneText, z.enum(['true', 'false'], { error: DRY_RUN_EXPECTED })), 'false');

export const RevertQuery = z.extend(ReasonQuery, { dry_run: dryRun() });

/** What a query asks of a revert. */
export const reversalOf = ({ dry_run, reason }: z.infer<typeof RevertQuery>) => ({
  isDryRun: dry_run === 'true',
  reason: reason ?? null,
});
