import * as z from 'zod';
import { oneText } from '../../http/validation.ts';

const DRY_RUN_EXPECTED = 'expected true or false';

export const RevertQuery = z.object({
  dry_run: oneText
    .pipe(z.enum(['true', 'false'], { error: DRY_RUN_EXPECTED }))
    .default('false')
    .meta({
      description: '`true` answers what a revert would do and writes nothing.',
      pattern: '^\\s*(true|false)\\s*$',
      examples: ['true'],
    }),
});
