import { sql } from 'drizzle-orm';
import { command, type OfEvent, type Slots, type Statement } from '../db/statement.ts';
import { bySender, type SenderKind } from './sender.ts';
import { beforeWriting } from './upload/before-writing.ts';

/**
 * Acts of an event that move passings or take passings away happen in turn: swaps, reverts, shifts of a
 * start, deletions of a point. A statement that waits for a row does not see that a swap moved the row to another
 * runner. Uploads do not wait for the lock.
 */
const lockActs = bySender(({ ownEvent, kind }) =>
  command(
    `lockActs.${kind}`,
    ({ eventId }: Slots<OfEvent>) => sql`
    with event as materialized (${ownEvent(eventId)})
    select pg_advisory_xact_lock(hashtextextended('acts ' || event.id, 0)) from event`,
  ),
);

/** The statements before an act: `rows` results, or any number. */
export const beforeActing = (eventId: string, by: SenderKind, rows?: number) =>
  [...beforeWriting(rows), lockActs[by]({ eventId })] as const satisfies Statement[];
