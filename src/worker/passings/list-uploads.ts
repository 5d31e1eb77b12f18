import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { isoText } from '../db/sql.ts';
import {
  type Limits,
  type OfEvent,
  PAGE_ROWS,
  pageOfRows,
  type RowSchema,
  type Slots,
  statement,
} from '../db/statement.ts';
import { uploadRow, WITH_OWN_KEY } from '../results/batches/queries.ts';
import { bySender } from '../results/sender.ts';
import type { PassingUpload } from './answer-schemas.ts';

const passingUploadRow = () => z.extend(uploadRow(), { deleted_point: z.nullable(z.string()) });

passingUploadRow satisfies RowSchema<PassingUpload>;

/**
 * A page of the uploads of passings, the last to take effect first; no row if the event is not the caller's. A revert
 * may be reverted: an upload is reverted if the chain of its latest reverts has an odd length.
 */
export const listUploads = bySender(({ ownEvent, kind }) =>
  statement(
    `listPassingUploads.${kind}`,
    () => pageOfRows(passingUploadRow()),
    ({
      eventId,
      sender,
      limit,
      offset,
    }: Slots<OfEvent & Limits & { sender?: string | undefined }>) => {
      const listed = sql`passing_uploads
        where event_id = (select id from event) and ${sender ? sql`sender = ${sender}` : sql`true`}`;
      return sql`
    with recursive event as materialized (${ownEvent(eventId)}),
    revert as materialized (
      select id, reverts, received_at, effect_order from passing_uploads
      where event_id = (select id from event) and source = 'revert'
    ),
    listed as materialized (
      select * from ${listed} order by effect_order desc limit ${limit} offset ${offset}
    ),
    -- The latest revert of each upload, the latest revert of this revert, and so on.
    chain as (
      select id as upload_id, id, 0 as length from listed
      union all
      select chain.upload_id, latest.id, length + 1 from chain cross join lateral (
        select id from revert where reverts = chain.id order by effect_order desc limit 1
      ) latest
    ),
    taken_back as (
      select upload_id, (array_agg(id order by length))[2] as revert_id from chain
      group by upload_id having max(length) % 2 = 1
    ),
    page as (
      select batch.id, source, ${isoText(sql`batch.received_at`)} as received_at,
        coalesce(api_key.name, '') as key_name,
        case when api_key.id is null then '' else coalesce(batch.key_prefix, api_key.key_prefix) end as key_prefix,
        user_id, sender, file_name, deleted_point, total_processed, uploaded, updated, unchanged, removed, not_found,
        errors, duplicates, left_count as left, batch.reverts,
        ${isoText(sql`revert.received_at`)} as reverted_at, revert.id as reverted_by
      from listed batch
      ${WITH_OWN_KEY}
      left join taken_back on taken_back.upload_id = batch.id
      left join revert on revert.id = revert_id
      order by batch.effect_order desc
    )
    select (select count(*)::int from ${listed}) as total, ${PAGE_ROWS} from event`;
    },
    { sender: true },
  ),
);
