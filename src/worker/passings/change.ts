import { type SQL, sql } from 'drizzle-orm';
import type { passingUploads } from '../db/schema.ts';
import type { Slot } from '../db/statement.ts';

/** Facts of an upload by the columns of `passing_uploads`. */
type UploadFacts = { [Column in keyof typeof passingUploads.$inferInsert]?: SQL };

/** Facts that `applyPassings` knows without the caller. */
type KnownFact = 'id' | 'event_id' | 'api_key_id' | 'key_prefix' | 'uploaded' | 'removed';

/** A change of passings, and the upload in which the change is recorded. */
type Change = {
  uploadId: Slot;
  /** The facts of the upload. `updated` is the number of rows that count as updated without a write. */
  facts: Omit<UploadFacts, KnownFact> & Required<Pick<UploadFacts, 'source' | 'total_processed'>>;
  /** Further CTEs of a single row, for facts. */
  from?: SQL;
  /** Whether the upload is recorded. */
  when: SQL;
  /** The marks of a person who takes passings away: against any passing, or against the time before. */
  withdraws?: 'any' | 'times';
};

const EVENT_ID = sql`(select event_id from target)`;
const ZERO = sql`0`;
const NOT_LOADED = { not_found: ZERO, errors: ZERO, duplicates: ZERO };

/** Whether a row of `changed` is about a row of `passings` named `stored`. */
const IS_STORED = sql`stored.registration_id = changed.registration_id and stored.event_id = ${EVENT_ID}
        and stored.point = changed.point`;

/** The columns of a stored passing, under the names in `changed`. */
export const STORED_PASSING = sql`time_ms as stored_ms, upload_id as stored_upload_id, received_at as stored_at`;

/**
 * CTEs that change passings by the CTEs `changed` and `target`, and record the change. `changed` has a row for each
 * changing passing: `registration_id` and `point`; `time_ms` and `upload_id` of the passing afterwards, or null if none
 * remains; and `STORED_PASSING`, the stored passing, locked, or null.
 *
 * The upload draws its number after the locks. If a concurrent transaction inserts or deletes such a passing, the
 * counts do not add up: the check of `passing_uploads` fails, and `transact` repeats the transaction.
 */
export function applyPassings({ uploadId, facts, from, when, withdraws }: Change): SQL {
  const { updated: alsoUpdated = ZERO, ...others } = { ...NOT_LOADED, ...facts };
  return sql`
    -- Copies of the passings that the upload replaces or removes.
    kept as (
      insert into replaced_passings (registration_id, point, time_ms, upload_id, replaced_by, received_at)
      select registration_id, point, stored_ms, stored_upload_id, ${uploadId}::uuid, stored_at from changed
      where stored_ms is not null
    ),
    ${withdraws ? markWithdrawn(uploadId, withdraws) : sql``}
    updated as (
      update passings stored set time_ms = changed.time_ms, upload_id = changed.upload_id, received_at = now()
      from changed
      where ${IS_STORED} and stored_ms is not null and changed.time_ms is not null
      returning 1
    ),
    -- First passings. A passing that a concurrent transaction inserts is left out.
    inserted as (
      insert into passings (registration_id, event_id, point, time_ms, upload_id)
      select registration_id, ${EVENT_ID}, point, time_ms, upload_id from changed
      where stored_ms is null and time_ms is not null
      order by registration_id, point
      on conflict (registration_id, event_id, point) do nothing
      returning 1
    ),
    removed as (
      delete from passings stored using changed where ${IS_STORED} and changed.time_ms is null
      returning 1
    ),
    -- The upload with its counts. The counts come from "from", so that the number is drawn after the locks.
    recorded as (
      insert into passing_uploads (
        id, event_id, api_key_id, key_prefix, uploaded, updated, removed, ${sql.raw(Object.keys(others).join(', '))}
      )
      select ${uploadId}::uuid, target.event_id, api_key_id, key_prefix, inserted, updated + ${alsoUpdated}, removed,
        ${sql.join(Object.values(others), sql`, `)}
      from target, (select count(*)::int as inserted from inserted) inserted,
        (select count(*)::int as updated from updated) updated,
        (select count(*)::int as removed from removed) removed${from ? sql`, ${from}` : sql``}
      where ${when}
      returning id, uploaded, updated, unchanged, removed
    )`;
}

/** The CTE `marked`. */
const markWithdrawn = (uploadId: Slot, what: NonNullable<Change['withdraws']>): SQL => sql`
    marked as (
      insert into withdrawn_passings (registration_id, point, upload_id, time_ms, left_upload_id)
      select registration_id, point, ${uploadId}::uuid, ${what === 'any' ? sql`null` : sql`stored_ms`}, upload_id
      from changed
      where stored_ms is not null
    ),`;
