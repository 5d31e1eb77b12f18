import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { RESULT_STATUSES } from '../../../timing-files/read/result-status.ts';
import { CURSOR, isSince } from '../../db/since.ts';
import { digestOf, type Query } from '../../db/streamed-statement.ts';
import { BY_CHIP_STATUS_AND_BIB, COMPLETED_SPLITS, OF_EVENT, RULE_OF_EVENT } from '../sql.ts';

const inC = (...columns: string[]) =>
  sql.raw(columns.map((column) => `${column} collate "C"`).join(', '));

/**
 * The results of the event in the CTE `event`, with exactly the columns of an official version. A further column would
 * end the equality of every stored version with its results. The order follows from the content.
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
const counted = (table: (typeof READ_TABLES)[number], ordinal: number): SQL => sql`
  select ${sql.raw(String(ordinal))} as ordinal, count(*)::int as rows,
    count(*) filter (where ${isSince(table, SINCE)}) as fresh
  from ${sql.identifier(table)} where ${OF_EVENT}`;

/** Whether a row of `official_results` is the last version of its event. */
const IS_LAST = sql`version = (
    select max(version) from official_results made where made.event_id = official_results.event_id
  )`;

/**
 * A select of the digest of the results of the event in the CTE `event`; no row for an event without a version. The
 * digest is computed if any row behind the kept digest may have changed since, whoever changed the row.
 * - `changes`: the differences between these results and a version, if a comparison of the two documents is kept.
 * - `beside`: the values for `keepBeside`.
 */
export const PRESENT_RESULTS = sql`
  with known as materialized (
    select content, counts, since::text::bigint as since, changes from known_results
    where ${OF_EVENT} and xmin = written_by::xid
  ),
  counted as materialized (
    select array_agg(rows order by ordinal) as counts, sum(fresh) as fresh
    from (${sql.join(READ_TABLES.map(counted), sql` union all `)}) read
  ),
  kept as materialized (
    select content from known join counted using (counts) where fresh = 0
  ),
  computed as materialized (
    select ${digestOf(OFFICIAL_ROWS)} as content where not exists (select from kept)
  ),
  found as materialized (
    select content, null::json as unkept from kept
    union all
    select content,
      case when content is not null
        then json_build_object('content', content, 'counts', counts, 'since', ${CURSOR}) end
    from computed cross join counted
  ),
  compared as materialized (
    select content, unkept, (select changes from known where known.content = found.content) as changes
    from found
  )
  select content, ${RULE_OF_EVENT} as rank_by, changes,
    json_build_object('unkept', unkept, 'uncompared', (
      select json_build_object('version', version, 'digest', digest, 'rows', rows, 'organization_id', (
        select organization_id from events where id = official_results.event_id
      ))
      from official_results
      where ${OF_EVENT} and ${IS_LAST} and content <> compared.content
        and digest is distinct from compared.changes ->> 'digest'
    )) as beside
  from compared
  where exists (select from official_results where ${OF_EVENT})`;

/** The values for `keepBeside`: the digest of the results, and the differences from the last version. */
export const unkeptResults = () =>
  z.nullable(
    z.strictObject({
      unkept: z.nullable(
        z.strictObject({ content: z.string(), counts: z.array(z.int()), since: z.string() }),
      ),
      uncompared: z.nullable(
        z.strictObject({
          version: z.int(),
          digest: z.string(),
          rows: z.int(),
          organization_id: z.guid(),
        }),
      ),
    }),
  );

export type UnkeptResults = z.output<ReturnType<typeof unkeptResults>>;

/** The state of a version, beside the CTE `present`, which selects PRESENT_RESULTS. */
export const STATE_OF_VERSION = sql`
  case when official_results.content = present.content
    and official_results.rank_by = present.rank_by
    then 'official' else 'changed_since' end`;

/** A result in the form of a document. */
export const saidResult = () =>
  z.strictObject({
    status: z.enum(RESULT_STATUSES),
    chip_time: z.nullable(z.string()),
    gun_time: z.nullable(z.string()),
    splits: z.record(z.string(), z.string()),
  });

export const changedResults = () =>
  z.nullable(
    z.strictObject({
      total: z.int(),
      first: z.array(
        z.strictObject({
          bib_number: z.nullable(z.string()),
          before: z.nullable(saidResult()),
          after: z.nullable(saidResult()),
        }),
      ),
    }),
  );

export type ChangedResults = z.output<ReturnType<typeof changedResults>>;

/**
 * The differences between the present results and a version, beside the CTE `present`: null unless the version is the
 * last, the results differ and a comparison is kept. A new rule alone changes no result.
 */
export const CHANGED_RESULTS = sql`
  case when not (${IS_LAST}) or ${STATE_OF_VERSION} = 'official' then null
    when official_results.content = present.content then '{"total": 0, "first": []}'::json
    when digest = present.changes ->> 'digest' then (present.changes - 'digest')::json end`;

/**
 * The state of the results of the event in the CTE `event`, beside the CTE `present`. The state is derived: after any
 * change of a result, a bib or a category, by anybody, the results differ from the version.
 */
export const RESULTS_STATE = sql`coalesce((
  select ${STATE_OF_VERSION} from official_results cross join present
  where ${OF_EVENT} order by version desc limit 1
), 'provisional')`;
