import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { DEFAULT_RULE } from '../../../timing-files/read/ranking-rule.ts';
import { CURSOR, isSince } from '../../db/since.ts';
import { digestOf, type Query } from '../../db/streamed-statement.ts';
import { TOUCHED } from '../batches/changed-results.ts';
import { CHANGED_MAX } from '../schemas.ts';
import {
  BY_BIB,
  BY_CHIP_STATUS_AND_BIB,
  COMPLETED_SPLITS,
  contentOf,
  OF_EVENT,
  RULE_OF_EVENT,
  storedResult,
} from '../sql.ts';

const inC = (...columns: string[]) =>
  sql.raw(columns.map((column) => `${column} collate "C"`).join(', '));

/**
 * The results of the event in the CTE `event`, with everything that an official version says, and nothing else. One
 * column more, and no version would be that of the results any longer. Their order follows from what they say.
 */
export const OFFICIAL_ROWS: Query = {
  rows: sql`
      select bib_number, gender, category, distance, status, chip_time_ms, gun_time_ms, finish_time_ms,
        ${COMPLETED_SPLITS.splits} as splits
      from (select * from results where ${OF_EVENT}) result
      join (
        select id as registration_id, bib_number, gender, category, distance
        from registrations where ${OF_EVENT}
      ) registration using (registration_id)
      left join ${COMPLETED_SPLITS.table} passing using (registration_id)`,
  order: sql`${BY_CHIP_STATUS_AND_BIB}, ${inC('distance', 'gender', 'category')}, chip_time_ms, gun_time_ms, splits`,
  long: 'splits',
};

const SINCE = sql`(select since from known)`;

const READ_TABLES = ['results', 'registrations', 'passings'] as const;

/** How many rows a table has of the event, and how many of these may be new. */
const counted = (table: (typeof READ_TABLES)[number], place: number): SQL => sql`
  select ${sql.raw(String(place))} as place, count(*)::int as rows,
    count(*) filter (where ${isSince(table, SINCE)}) as fresh
  from ${sql.identifier(table)} where ${OF_EVENT}`;

/**
 * A select of the digest of the results of the event in the CTE `event`; no row for an event without a version. The digest
 * is computed if any row that it is made of may have changed since it was kept, whoever changed it. Then `unkept` is
 * what `keepResults` keeps.
 */
export const PRESENT_RESULTS = sql`
  with known as materialized (
    select content, counts, since::text::bigint as since from known_results
    where ${OF_EVENT} and xmin = written_by::xid
  ),
  counted as materialized (
    select array_agg(rows order by place) as counts, sum(fresh) as fresh
    from (${sql.join(READ_TABLES.map(counted), sql` union all `)}) read
  ),
  kept as materialized (
    select content from known join counted using (counts) where fresh = 0
  ),
  computed as materialized (
    select ${digestOf(OFFICIAL_ROWS)} as content where not exists (select from kept)
  )
  select content, unkept, ${RULE_OF_EVENT} as rank_by from (
    select content, null::json as unkept from kept
    union all
    select content,
      case when content is not null
        then json_build_object('content', content, 'counts', counts, 'since', ${CURSOR}) end
    from computed cross join counted
  ) present
  where exists (select from official_results where ${OF_EVENT})`;

/** What `keepResults` keeps. */
export const unkeptResults = () =>
  z.nullable(z.strictObject({ content: z.string(), counts: z.array(z.int()), since: z.string() }));

export type UnkeptResults = z.output<ReturnType<typeof unkeptResults>>;

/** The state of a version, beside the CTE `present`, which selects PRESENT_RESULTS. */
export const STATE_OF_VERSION = sql`
  case when official_results.content = present.content
    and coalesce(official_results.rank_by, ${sql.raw(`'${DEFAULT_RULE}'`)}) = present.rank_by
    then 'official' else 'changed_since' end`;

export const changedResults = () =>
  z.nullable(
    z.strictObject({
      total: z.int(),
      first: z.array(
        z.strictObject({
          bib_number: z.nullable(z.string()),
          before: z.nullable(storedResult()),
          after: z.nullable(storedResult()),
        }),
      ),
    }),
  );

export type ChangedResults = z.output<ReturnType<typeof changedResults>>;

/** What a result says, in `results` and in `replaced_results`. */
const SAYS = sql.raw('status, chip_time_ms, gun_time_ms, splits');

/**
 * SQL for the results that batches changed since the last version, which `official_results` is: null unless the row is
 * that version and they did. It costs what those batches touched. Changes of other systems, passings and the rule are
 * not among them.
 */
export const CHANGED_RESULTS = sql`(
  with batch as materialized (
    select batch.id, batch.event_id, origin.id as upload_id, origin.deleted_registration,
      origin.swapped_registrations
    from result_batches batch
    join result_batches origin on origin.id = coalesce(batch.reverted_upload, batch.id)
    where batch.event_id = official_results.event_id
      and batch.received_at > official_results.made_at
      and official_results.version = (
        select max(version) from official_results as made where made.event_id = official_results.event_id
      )
  ),
  ${TOUCHED},
  changed as materialized (
    select bib_number, registration_id,
      case when (before).status is not null then ${contentOf('before')} end as before,
      case when (after).status is not null then ${contentOf('after')} end as after
    from touched
    left join lateral (
      select ${SAYS} from results where registration_id = touched.registration_id offset 0
    ) after on true
    -- What the first of the batches found, unless one of them had stored it.
    left join lateral (
      select ${SAYS} from (
        (
          select id as place, coalesce(restored_by, batch_id) as made_by, ${SAYS}
          from replaced_results
          where registration_id = touched.registration_id and replaced_by in (select id from batch)
          order by id limit 1
        )
        union all
        select null, coalesce(restored_by, batch_id), ${SAYS}
        from results where registration_id = touched.registration_id
        order by place limit 1
      ) found
      where made_by not in (select id from batch)
    ) before on true
    where before is distinct from after
  )
  select json_build_object('total', count(*)::int, 'first', coalesce((
    select json_agg(json_build_object('bib_number', bib_number, 'before', before, 'after', after)
      order by ${BY_BIB}, registration_id)
    from (
      select * from changed order by ${BY_BIB}, registration_id limit ${sql.raw(String(CHANGED_MAX))}
    ) listed
  ), '[]'))
  from changed having count(*) > 0
)`;

/**
 * The state of the results of the event in the CTE `event`, beside the CTE `present`. It is derived: whatever has changed a
 * result, a bib or a category, and by whom, the results are no longer those of the version.
 */
export const RESULTS_STATE = sql`coalesce((
  select ${STATE_OF_VERSION} from official_results cross join present
  where ${OF_EVENT} order by version desc limit 1
), 'provisional')`;
