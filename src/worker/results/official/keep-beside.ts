import type { Context } from 'hono';
import type { AppEnv } from '../../http/context.ts';
import { keepResults } from './keep.ts';
import type { UnkeptResults } from './sql.ts';

/** Keeps the values computed for an answer about an event, beside the answer. */
export function keepBeside(
  c: Context<AppEnv>,
  eventId: string,
  { beside }: { beside: UnkeptResults },
): void {
  if (beside) c.executionCtx.waitUntil(keepResults(c.get('services'), eventId, beside));
}
