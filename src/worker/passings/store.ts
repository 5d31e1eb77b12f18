import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type Slots, type Statement, statement } from '../db/statement.ts';
import { isOfAbsent } from '../db/statuses.ts';
import { ASKING, type Asking, isLeaving } from '../results/leave.ts';
import { bySender, type SenderKind } from '../results/sender.ts';
import type { NamedContent } from '../results/upload/idempotency.ts';
import { targetOfStarts } from '../results/upload/race.ts';
import { LOADABLE, missingOf } from '../results/upload/store.ts';
import type { PassingBatch, PassingValues } from './batch.ts';
import { applyPassings } from './change.ts';
import { differing, leavingOf, leftPassings, leftRow, type PassingLeaving } from './leave.ts';
import { POINTS_MAX } from './schemas.ts';
import { inputOf, isOldGun, sentPoints } from './sql.ts';

/** The facts in the record of an upload of passings, beside its counts. */
export type PassingFacts = {
  source: 'json' | 'csv';
  fileName?: string | null;
  sender?: string | null;
  /** The version of the starts from which times of day were counted. */
  startsVersion?: number | undefined;
  /** Somebody told the starts of the event: only then a row may equal a time before a shift. */
  hasStarts?: true | undefined;
} & NamedContent;

/** The outcome of an upload's loadable rows. */
const storedRow = () =>
  z.strictObject({
    /** The first upload, if this upload repeats the first. */
    upload_id: z.guid(),
    uploaded: z.int(),
    updated: z.int(),
    /** Rows among `updated` with equal stored values. */
    unchanged: z.int(),
    /** Ordinals in `loadable`, from 1 on, whose bib has no registration. */
    missing: z.array(z.int()),
    /** Ordinals in `loadable` of runners who are DNS. */
    dns_with_passing: z.array(z.int()),
    /** Ordinals in `loadable` that equal the time before a shift. */
    old_gun: z.array(z.int()),
    /** Rows that the upload left for a person to decide. */
    left_rows: z.array(leftRow()),
    /** False if the idempotency key belongs to an upload with different content. Then nothing is written. */
    is_same_content: z.boolean(),
    /** True if the answer comes from an earlier upload with the same idempotency key. Then nothing is written. */
    is_replayed: z.boolean(),
    /** True if the event would have more than POINTS_MAX points. Then nothing is written. */
    is_crowded: z.boolean(),
  });

type StoredPassings = z.output<ReturnType<typeof storedRow>>;

/**
 * Stores passings in a single statement. Answers a row, or none if the event is not the caller's. If the event has an
 * upload of passings with the same idempotency key, nothing is written, and the first upload's answer comes back.
 *
 * Registrations, and then passings, are locked in the order of their ids, as by an upload of results. Equal stored
 * passings are not written.
 */
export const storePassings = (
  eventId: string,
  { total, errors, duplicates, loadable, pointNames }: PassingBatch,
  facts: PassingFacts,
  by: SenderKind,
  asking: Asking = {},
): Statement<StoredPassings[]> =>
  insertPassings[by]({
    fileName: null,
    sender: null,
    idempotencyKey: null,
    contentHash: null,
    ...facts,
    ...leavingOf(asking, pointNames),
    ...loadable.values,
    eventId,
    uploadId: crypto.randomUUID(),
    loadable: loadable.rows.length,
    total,
    errors,
    duplicates,
  });

type Values = PassingValues &
  PassingLeaving &
  Pick<PassingBatch, 'total' | 'errors' | 'duplicates'> &
  Pick<PassingFacts, 'source' | 'startsVersion'> & {
    eventId: string;
    uploadId: string;
    loadable: number;
    fileName: string | null;
    sender: string | null;
    idempotencyKey: string | null;
    contentHash: string | null;
  };

const EVENT_ID = sql`(select event_id from target)`;

/** The ordinals of rows of the CTE `changed`. @param among joins `changed` as `row` */
const ordinalsOf = (among: SQL, isSought: SQL): SQL =>
  sql`array(select ordinal::int from changed row ${among} where ${isSought} order by ordinal)`;

const DNS_WITH_PASSING = ordinalsOf(
  sql`join results on results.registration_id = row.registration_id and results.event_id = row.event_id`,
  isOfAbsent(sql`results.status`),
);

const OLD_GUN = ordinalsOf(
  sql`cross join lateral (
        select row.registration_id, row.point, row.stored_ms as time_ms, row.stored_upload_id as upload_id
      ) stored`,
  isOldGun(sql`stored`, sql`row`),
);

const insertPassings = bySender((sender) =>
  statement(
    `insertPassings.${sender.kind}`,
    storedRow,
    (batch: Slots<Values>) => {
      const idempotencyKey = sql`${batch.idempotencyKey}::uuid`;
      const contentHash = sql`${batch.contentHash}::text`;
      const leaves = isLeaving(batch);
      const candidate = leaves ? sql`candidate` : sql`changed`;
      return sql`
    with target as materialized (${targetOfStarts(sender.target(batch.eventId), batch.startsVersion)}),
    -- The first upload, if this upload is a repetition.
    earlier as materialized (
      select * from passing_uploads where event_id = ${EVENT_ID} and idempotency_key = ${idempotencyKey}
    ),
    ${sentPoints(EVENT_ID, batch.points)},
    -- The rows of the upload, unless the upload is a repetition.
    input as materialized (
      select row.* from ${inputOf(batch, sql`sent_points`)}
      where not exists (select from earlier)
    ),
    ${LOADABLE},
    -- The event's points are counted only if some points are new.
    room as materialized (
      select case when number > 0
        then number + (select count(*) from known_points) > ${sql.raw(String(POINTS_MAX))}
        else false end as is_crowded
      from (
        select count(*) as number from sent_points
        where is_new and point in (select point from loadable)
      ) new_points
    ),
    -- Rows that differ from the stored passings, with the stored passings. Equal passings are locked too.
    ${differing(
      candidate,
      sql`
        select loadable.*, ${batch.uploadId}::uuid as upload_id from loadable
        where not (select is_crowded from room) order by registration_id, point offset 0`,
      sql`for update`,
    )},
    ${
      leaves
        ? sql`${leftPassings(batch, sender)},
    changed as materialized (select * from sorted where left_reason is null),`
        : sql``
    }
    ${missingOf(batch.loadable)},
    ${applyPassings({
      uploadId: batch.uploadId,
      facts: {
        user_id: sql`${sender.userId}::text`,
        sender: sql`${batch.sender}::text`,
        source: sql`${batch.source}::text`,
        file_name: sql`${batch.fileName}::text`,
        idempotency_key: idempotencyKey,
        content_hash: contentHash,
        ...(leaves && { left_rows: sql`left_rows::jsonb`, left_count: sql`left_count` }),
        not_found_ordinals: sql`ordinals`,
        total_processed: sql`${batch.total}::int`,
        updated: sql`same`,
        unchanged: sql`same`,
        not_found: sql`cardinality(ordinals)`,
        errors: sql`${batch.errors}::int`,
        duplicates: sql`${batch.duplicates}::int`,
      },
      from: sql`missing,
        (select ((select count(*) from loadable) - (select count(*) from ${candidate}))::int as same) same
        ${leaves ? sql`, left_out` : sql``}`,
      when: sql`not (select is_crowded from room) and not exists (select from earlier)`,
    })}
    select recorded.id as upload_id, uploaded, updated, unchanged, ordinals as missing,
      ${DNS_WITH_PASSING} as dns_with_passing, ${batch.hasStarts ? OLD_GUN : sql`'{}'::int[]`} as old_gun,
      ${leaves ? sql`left_rows` : sql`'[]'::json`} as left_rows, true as is_same_content,
      false as is_replayed, false as is_crowded
    from recorded, missing ${leaves ? sql`, left_out` : sql``}
    union all
    select ${batch.uploadId}::uuid, 0, 0, 0, ordinals, '{}', '{}', '[]', true, false, true
    from target, missing, room where is_crowded and not exists (select from earlier)
    union all
    select id, uploaded, updated, unchanged, not_found_ordinals, '{}', '{}', coalesce(left_rows, '[]')::json,
      content_hash = ${contentHash}, true, false
    from earlier`;
    },
    { ...ASKING, pointKms: true, startsVersion: true },
  ),
);
