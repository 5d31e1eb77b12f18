import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { pointRow, startRow } from '../db/starts.ts';
import { type OfEvent, type Slots, statement } from '../db/statement.ts';
import { bySender } from '../results/sender.ts';
import { type List, listed, POINTS, STARTS } from './lists.ts';

/** A changed list: `items` is the sent JSON, an object for each item, with the columns of the list. */
type Change = OfEvent & { version: number; items: string };

/**
 * Replaces a list, if `version` is the current version and the list differs, and records the sender. Answers the new
 * version and list, and whether the list equals the sent list.
 */
const replace = <Row>(name: string, list: List, row: () => z.ZodMiniType<Row>) => {
  const names = Object.keys(list.columns);
  const columns = sql.raw(names.join(', '));
  const excluded = sql.raw(names.map((name) => `excluded.${name}`).join(', '));
  const typed = sql.raw(
    Object.entries(list.columns)
      .map((column) => column.join(' '))
      .join(', '),
  );
  return bySender(({ target, userId, kind }) =>
    statement(
      `${name}.${kind}`,
      () => z.strictObject({ version: z.int(), told: z.array(row()), is_as_sent: z.boolean() }),
      ({ eventId, version, items }: Slots<Change>) => sql`
      with target as materialized (${target(eventId)}),
      settings as materialized (
        select event_id, ${list.version} as version from event_settings
        where event_id = (select event_id from target)
      ),
      sent as materialized (
        select ordinal, ${columns}
        from rows from (jsonb_to_recordset(${items}::jsonb) as (${typed}))
          with ordinality as item (${columns}, ordinal)
      ),
      compared as materialized (
        select version, ${listed(list, sql`${list.table} where event_id = settings.event_id`)} as before,
          ${listed(list, sql`sent`)} as after
        from settings
      ),
      changed as (
        update event_settings set ${list.version} = ${list.version} + 1
        from compared
        where event_id = (select event_id from target) and ${list.version} = ${version}::int
          and before::text <> after::text
        returning event_id, ${list.version} as version
      ),
      removed as (
        delete from ${list.table} using changed
        where ${list.table}.event_id = changed.event_id and ordinal > (select count(*) from sent)
      ),
      written as (
        insert into ${list.table} (event_id, ordinal, ${columns})
        select event_id, ordinal, ${columns} from sent cross join changed
        on conflict (event_id, ordinal) do update
        set (${columns}) = (${excluded})
      ),
      recorded as (
        insert into event_changes (event_id, kind, before, after, user_id, api_key_id, key_prefix)
        select event_id, ${sql.raw(`'${list.kind}'`)}, before::text, after::text, ${userId}, api_key_id, key_prefix
        from compared cross join changed join target using (event_id)
      )
      select coalesce((select changed.version from changed), compared.version) as version,
        case when exists (select from changed) then after else before end as told,
        exists (select from changed) or before::text = after::text as is_as_sent
      from compared`,
    ),
  );
};

export const replaceStarts = replace('replaceStarts', STARTS, startRow);

export const replacePoints = replace('replacePoints', POINTS, pointRow);
