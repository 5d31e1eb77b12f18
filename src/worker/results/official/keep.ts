import { sql } from 'drizzle-orm';
import { type Database, transact } from '../../db/client.ts';
import { LIMIT_LOCK_WAIT } from '../../db/locks.ts';
import { command, type Slots } from '../../db/statement.ts';
import type { Log } from '../../log.ts';
import type { UnkeptResults } from './sql.ts';

type Kept = NonNullable<UnkeptResults> & { eventId: string };

const limitLockWait = command(() => sql`select ${LIMIT_LOCK_WAIT}`);

/** The event may be gone. What an older statement found is as good: it knows fewer transactions. */
const keep = command(
  ({ eventId, content, counts, since }: Slots<Kept>) => sql`
    insert into known_results (event_id, content, counts, since, written_by)
    select id, ${content}::text, ${counts}::int[], ${since}::xid8, pg_current_xact_id()
    from events where id = ${eventId}
    on conflict (event_id) do update set content = excluded.content, counts = excluded.counts,
      since = excluded.since, written_by = excluded.written_by`,
);

/**
 * Keeps the digest that a look at an event has computed. Nobody waits for it: where it fails, the next look computes the
 * digest again.
 */
export async function keepResults(
  { db, log }: { db: Database; log: Log },
  eventId: string,
  unkept: UnkeptResults,
): Promise<void> {
  if (!unkept) return;
  await transact(db, [limitLockWait({}), keep({ eventId, ...unkept })]).catch((error: unknown) =>
    log.error('The digest of results was not kept', error),
  );
}
