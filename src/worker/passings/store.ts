import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { command, type Slots, type Statement, statement } from '../db/statement.ts';
import { bySender, type SenderKind } from '../results/sender.ts';
import type { NamedContent } from '../results/upload/idempotency.ts';
import { LOADABLE, missingOf, WRITE_BUDGET_MS } from '../results/upload/store.ts';
import type { PassingBatch, PassingValues } from './batch.ts';
import { POINTS_MAX } from './schemas.ts';
import { equalPoint, inputOf, sentPoints } from './sql.ts';

/** What an upload of passings is recorded with, beside its counts. */
export type PassingFacts = { source: 'json' | 'csv'; fileName?: string | null } & NamedContent;

/** The outcome of an upload's loadable rows. */
const storedRow = () =>
  z.strictObject({
    uploaded: z.int(),
    updated: z.int(),
    /** Rows among `updated` that were stored already. */
    unchanged: z.int(),
    /** Places in `loadable`, from 1 on, whose bib has no registration. */
    missing: z.array(z.int()),
    /** False if the idempotency key belongs to an upload with other content. Then nothing is written. */
    is_same_content: z.boolean(),
    /** True if the answer is that of an earlier upload with the same idempotency key. Then nothing is written. */
    is_replayed: z.boolean(),
    /** True if the event would have more than POINTS_MAX points. Then nothing is written. */
    is_crowded: z.boolean(),
  });

export type StoredPassings = z.output<ReturnType<typeof storedRow>>;

/**
 * Stores passings in one statement. Answers one row, or none if the event is not the caller's. If the event has an
 * upload of passings with the same idempotency key, nothing is written, and the answer is that of the first upload.
 *
 * Registrations, and then passings, are locked in the order of their ids, as by an upload of results. A passing that
 * is stored already is not written.
 */
export const storePassings = (
  eventId: string,
  { total, errors, duplicates, loadable }: PassingBatch,
  facts: PassingFacts,
  by: SenderKind,
): Statement<StoredPassings[]> => ({
  ...insertPassings[by]({
    fileName: null,
    idempotencyKey: null,
    contentHash: null,
    ...facts,
    ...loadable.values,
    eventId,
    uploadId: crypto.randomUUID(),
    loadable: loadable.rows.length,
    total,
    errors,
    duplicates,
  }),
  budgetMs: WRITE_BUDGET_MS,
});

type PointsOfEvent = Pick<PassingValues, 'points'> & { eventId: string };

/**
 * Precedes `storePassings`: uploads that bring new points to an event write one after the other, so that each counts
 * those of the others. It is a statement of its own, because a statement does not see what others wrote while it waited.
 */
export const lockNewPoints = (
  eventId: string,
  { loadable }: PassingBatch,
  by: SenderKind,
): Statement => lockPoints[by]({ eventId, points: loadable.values.points });

const lockPoints = bySender(({ ownEvent }) =>
  command(
    ({ eventId, points }: Slots<PointsOfEvent>) => sql`
    with event as materialized (${ownEvent(eventId)})
    select pg_advisory_xact_lock(hashtextextended('points ' || event.id, 0)) from event
    where exists (
      select from unnest(${points}::text[]) as sent (point)
      where ${equalPoint(sql`(select id from event)`, sql`sent.point`)} is null
    )`,
  ),
);

type Values = PassingValues &
  Pick<PassingBatch, 'total' | 'errors' | 'duplicates'> &
  Pick<PassingFacts, 'source'> & {
    eventId: string;
    uploadId: string;
    loadable: number;
    fileName: string | null;
    idempotencyKey: string | null;
    contentHash: string | null;
  };

const EVENT_ID = sql`(select event_id from target)`;

const insertPassings = bySender(({ target, userId }) =>
  statement(storedRow, (batch: Slots<Values>) => {
    const idempotencyKey = sql`${batch.idempotencyKey}::uuid`;
    const contentHash = sql`${batch.contentHash}::text`;
    return sql`
    with target as materialized (${target(batch.eventId)}),
    -- The upload that this one repeats.
    earlier as materialized (
      select * from passing_uploads where event_id = ${EVENT_ID} and idempotency_key = ${idempotencyKey}
    ),
    ${sentPoints(EVENT_ID, batch.points)},
    -- The rows of the upload, unless it repeats one.
    input as materialized (
      select row.* from ${inputOf(batch, sql`sent_points`)}
      where not exists (select from earlier)
    ),
    ${LOADABLE},
    -- The event's points are counted only if there are new ones.
    room as materialized (
      select case when number > 0
        then number + (select count(*) from known_points) > ${sql.raw(String(POINTS_MAX))}
        else false end as is_crowded
      from (
        select count(*) as number from sent_points
        where is_new and point in (select point from loadable)
      ) new_points
    ),
    -- A row that no transaction has changed is one that this statement inserted.
    written as (
      insert into passings (registration_id, event_id, point, time_ms, upload_id)
      select registration_id, event_id, point, time_ms, ${batch.uploadId}::uuid from loadable
      where not (select is_crowded from room)
      order by registration_id, point
      on conflict (registration_id, event_id, point) do update
        set time_ms = excluded.time_ms, upload_id = excluded.upload_id, received_at = now()
        where passings.time_ms <> excluded.time_ms
      returning xmax = 0 as is_new
    ),
    ${missingOf(batch.loadable)},
    outcome as materialized (
      select uploaded, (select count(*)::int from loadable) - uploaded as updated,
        (select count(*)::int from loadable) - written as unchanged
      from (
        select count(*) filter (where is_new)::int as uploaded, count(*)::int as written from written
      ) counted
    ),
    -- The upload with its counts, unless it repeats one. It draws its number after the locks.
    recorded as (
      insert into passing_uploads (
        id, event_id, api_key_id, key_prefix, user_id, source, file_name, idempotency_key, content_hash, not_found_places,
        total_processed, uploaded, updated, unchanged, not_found, errors, duplicates
      )
      select ${batch.uploadId}::uuid, event_id, api_key_id, key_prefix, ${userId}::text, ${batch.source}::text,
        ${batch.fileName}::text, ${idempotencyKey}, ${contentHash}, places,
        ${batch.total}::int, uploaded, updated, unchanged, cardinality(places), ${batch.errors}::int,
        ${batch.duplicates}::int
      from target, outcome, missing, room
      where not is_crowded and not exists (select from earlier)
    )
    select outcome.*, places as missing, true as is_same_content, false as is_replayed,
      is_crowded
    from target, outcome, missing, room where not exists (select from earlier)
    union all
    select uploaded, updated, unchanged, not_found_places, content_hash = ${contentHash}, true, false
    from earlier`;
  }),
);
