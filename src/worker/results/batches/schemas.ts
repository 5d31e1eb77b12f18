import * as z from 'zod/mini';
import { oneText } from '../../http/validation.ts';

/** How many of the rows that a revert leaves alone it lists. */
export const KEPT_ROWS_MAX = 1_000;

const DRY_RUN_EXPECTED = 'expected true or false';

export const RevertQuery = z.object({
  dry_run: z._default(
    z.pipe(oneText, z.enum(['true', 'false'], { error: DRY_RUN_EXPECTED })),
    'false',
  ),
});
