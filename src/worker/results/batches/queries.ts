import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { BATCH_RUNNERS, batchRunners, IS_BY_HAND, IS_SWAP } from '../../db/batch-runners.ts';
import { BATCH_SOURCES, isoText, latestFirst } from '../../db/sql.ts';
import { startRow } from '../../db/starts.ts';
import {
  type Limits,
  type OfEvent,
  PAGE_ROWS,
  pageOfRows,
  type RowSchema,
  type Slots,
  statement,
} from '../../db/statement.ts';
import { bySender, KEY, MEMBER, type Sender, type SenderKind } from '../sender.ts';
import { BY_BIB, contentOrNull, storedResult } from '../sql.ts';
import type { OrganizationResultBatch, ResultBatch } from './answer-schemas.ts';
import { batchOf, TOUCHED } from './changed-results.ts';
import { CHANGE, versionsOf } from './versions.ts';

export type OfBatch = OfEvent & { batchId: string };

const idOrNull = () => z.nullable(z.guid());

/** The columns that an upload of results and an upload of passings share. */
export const uploadRow = () =>
  z.strictObject({
    id: z.guid(),
    source: z.enum(BATCH_SOURCES),
    received_at: z.string(),
    key_name: z.string(),
    key_prefix: z.string(),
    user_id: z.nullable(z.string()),
    sender: z.nullable(z.string()),
    file_name: z.nullable(z.string()),
    total_processed: z.int(),
    uploaded: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    removed: z.int(),
    not_found: z.int(),
    errors: z.int(),
    duplicates: z.int(),
    left: z.int(),
    reverts: idOrNull(),
    reverted_at: z.nullable(z.string()),
    reverted_by: idOrNull(),
  });

const batchRow = () =>
  z.extend(uploadRow(), {
    reason: z.nullable(z.string()),
    by_hand: z.boolean(),
    not_found_bibs: z.array(z.string()),
    start_shift: z.nullable(z.strictObject({ before: startRow(), after: startRow() })),
  });

batchRow satisfies RowSchema<ResultBatch>;

const namedBatchRow = () => z.extend(batchRow(), { runners: batchRunners(), is_swap: z.boolean() });

namedBatchRow satisfies RowSchema<OrganizationResultBatch>;

/**
 * Joins `batch` with its key as `api_key`, if the key belongs to the present owner of the event: an event may have
 * moved between organizations.
 */
export const WITH_OWN_KEY = sql`left join api_keys api_key on api_key.id = batch.api_key_id
        and api_key.organization_id = (select organization_id from events where id = batch.event_id)`;

type BatchFilters = { byHand?: boolean | undefined; sender?: string | undefined };

/**
 * A page of the batches of an event, the last to take effect first; no row if the event is not the caller's. A revert
 * may be reverted, and so on. The latest batch of such a chain decides which batches of the chain are in force.
 */
const listingBatches = <Row>(
  name: string,
  row: RowSchema<Row>,
  { ownEvent }: Sender,
  /** More columns of `batch`, and their values. */
  more: { columns: SQL; values: SQL } = { columns: sql``, values: sql`` },
) =>
  statement(
    name,
    () => pageOfRows(row()),
    ({ eventId, byHand, sender, limit, offset }: Slots<OfEvent & Limits & BatchFilters>) => {
      const listed = sql`result_batches where event_id = (select id from event)
        and ${byHand ? sql`${IS_BY_HAND} = ${byHand}` : sql`true`}
        and ${sender ? sql`sender = ${sender}` : sql`true`}`;
      return sql`
    with event as materialized (${ownEvent(eventId)}),
    page as (
      select batch.id, source, ${more.columns} ${isoText(sql`batch.received_at`)} as received_at,
        coalesce(api_key.name, '') as key_name,
        case when api_key.id is null then '' else coalesce(batch.key_prefix, api_key.key_prefix) end
          as key_prefix,
        user_id, sender, file_name,
        reason, by_hand, total_processed, uploaded, updated,
        unchanged, removed, not_found, coalesce(not_found_bibs, '{}') as not_found_bibs, errors,
        duplicates, left_count as left, start_shift, reverts,
        ${isoText(sql`revert.received_at`)} as reverted_at, revert.id as reverted_by
      from (
        select *, ${IS_BY_HAND} as by_hand ${more.values} from ${listed}
        order by ${latestFirst('result_batches')} limit ${limit} offset ${offset}
      ) batch
      ${WITH_OWN_KEY}
      left join lateral (
        select id, received_at, upload_stands from result_batches
        where reverted_upload = coalesce(batch.reverted_upload, batch.id)
        order by ${latestFirst('result_batches')} limit 1
      ) revert on revert.upload_stands <> batch.upload_stands
      order by ${latestFirst('batch')}
    )
    select (select count(*)::int from ${listed}) as total,
      ${PAGE_ROWS}
    from event`;
    },
    { byHand: true, sender: true },
  );

export const listBatches = {
  key: listingBatches('listBatches', batchRow, KEY),
  member: listingBatches('listNamedBatches', namedBatchRow, MEMBER, {
    columns: sql`runners, is_swap,`,
    values: sql`, ${BATCH_RUNNERS} as runners, ${IS_SWAP} as is_swap`,
  }),
} satisfies Record<SenderKind, unknown>;

const changeRow = () =>
  z.strictObject({
    inscription_id: z.guid(),
    bib_number: z.nullable(z.string()),
    before: z.nullable(storedResult()),
    after: z.nullable(storedResult()),
    /** The batch behind the present result; null if this batch is behind the result. */
    replaced_by: z.nullable(z.guid()),
  });

export type ChangeRow = z.output<ReturnType<typeof changeRow>>;

/** A page of a batch's changes, by bib; no row if the batch is not the caller's. */
export const listChanges = bySender(({ ownEvent, kind }) =>
  statement(
    `listChanges.${kind}`,
    () => pageOfRows(changeRow()),
    ({ eventId, batchId, limit, offset }: Slots<OfBatch & Limits>) => sql`
    with ${batchOf(batchId, ownEvent(eventId))},
    ${TOUCHED},
    listed as (
      select * from touched order by ${BY_BIB}, registration_id limit ${limit} offset ${offset}
    ),
    ${versionsOf('listed')},
    ${CHANGE},
    page as (
      select registration_id as inscription_id, bib_number, ${contentOrNull('before')} as before, ${contentOrNull('after')} as after,
        case when not is_current then (present).made_by end as replaced_by
      from change
      order by ${BY_BIB}, registration_id
    )
    select (select count(*)::int from touched) as total,
      ${PAGE_ROWS}
    from batch`,
  ),
);
