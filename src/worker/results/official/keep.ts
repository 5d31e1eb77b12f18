import { sql } from 'drizzle-orm';
import { type Database, transact } from '../../db/client.ts';
import { LIMIT_LOCK_WAIT } from '../../db/locks.ts';
import { command, following, type Slots } from '../../db/statement.ts';
import { everybodyOf, type Gate } from '../../gate/gate.ts';
import type { Log } from '../../log.ts';
import { COMPARED_BYTES, compareWithVersion } from './comparison.ts';
import type { UnkeptResults } from './sql.ts';

type Unkept = NonNullable<UnkeptResults>;
type Kept = NonNullable<Unkept['unkept']> & { eventId: string };
type Uncompared = NonNullable<Unkept['uncompared']>;

const limitLockWait = command('limitLockWait', () => sql`select ${LIMIT_LOCK_WAIT}`);

/**
 * The event may be gone. The values of an older statement are as good: an older statement knows fewer transactions. A
 * comparison is valid for the compared results alone.
 */
const keep = command(
  'keepResults',
  ({ eventId, content, counts, since }: Slots<Kept>) => sql`
    insert into known_results as known (event_id, content, counts, since, written_by)
    select id, ${content}::text, ${counts}::int[], ${since}::xid8, pg_current_xact_id()
    from events where id = ${eventId}
    on conflict (event_id) do update set content = excluded.content, counts = excluded.counts,
      since = excluded.since, written_by = excluded.written_by,
      changes = case when known.content = excluded.content then known.changes end`,
);

/** Keeps a comparison, if the kept digest equals the digest of the compared results. */
const keepChanges = command(
  'keepChanges',
  ({
    eventId,
    content,
    changes,
  }: Slots<{ eventId: string; content: string; changes: string }>) => sql`
    update known_results set changes = ${changes}::jsonb, written_by = pg_current_xact_id()
    where event_id = ${eventId} and content = ${content}::text and xmin = written_by::xid`,
);

type Services = { db: Database; log: Log; gate: Gate };

/**
 * Keeps the values computed for an answer about an event, and compares the results with the last version, unless
 * already compared. No request waits for this work: after a failure, the next request repeats the work.
 */
export async function keepResults(
  services: Services,
  eventId: string,
  found: UnkeptResults,
): Promise<void> {
  const { db, log } = services;
  try {
    if (found?.unkept)
      await transact(db, [following([limitLockWait({})], keep({ eventId, ...found.unkept }))]);
    if (found?.uncompared) await compare(services, eventId, found.uncompared);
  } catch (error) {
    log.error('What was found of the results was not kept', error);
  }
}

/** An organization has a comparison at a time in an isolate. */
async function compare(
  { db, gate }: Services,
  eventId: string,
  { version, digest, rows, organization_id }: Uncompared,
): Promise<void> {
  const sender = everybodyOf(organization_id);
  const turn = gate.files.take(sender);
  const holder = {};
  try {
    if (!turn || !gate.large.hold(holder, sender, rows * COMPARED_BYTES)) return;
    const compared = await compareWithVersion(db, { eventId, version });
    if (!compared) return;
    const changes = JSON.stringify({ digest, ...compared.changes });
    const { content } = compared;
    await transact(db, [
      following([limitLockWait({})], keepChanges({ eventId, content, changes })),
    ]);
  } finally {
    gate.large.release(holder);
    turn?.end();
  }
}
