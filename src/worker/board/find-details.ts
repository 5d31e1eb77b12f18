import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { RESULT_STATUSES } from '../../timing-files/read/result-status.ts';
import { IS_ABOUT_FEW } from '../db/batch-runners.ts';
import { boardOf } from '../db/settings.ts';
import { epochMs } from '../db/sql.ts';
import { type Slots, statement } from '../db/statement.ts';
import { isOfAbsent } from '../db/statuses.ts';
import { versionsOf } from '../results/batches/versions.ts';
import { groupText, type Keys } from './queries.ts';
import { SPAN_MS } from './select-course.ts';

/** A longer name of a split is cut. */
const SPLIT_NAME_MAX = 100;

/** The number of a result's latest versions on the board. */
const VERSIONS_MAX = 10;

const runnerDetails = () =>
  z.strictObject({
    /** In order of time. */
    splits: z.array(
      z.strictObject({
        name: z.string(),
        time_ms: z.number(),
        is_passing: z.boolean(),
        /** The time since the gun at a point with passings. */
        passing_ms: z.nullable(z.number()),
        /** The runners of the race who passed the point earlier, in the same span. Null without a passing. */
        before_in_span: z.nullable(z.int()),
      }),
    ),
    /** The latest versions of the result in their order. The status of a removal is null, and so is a missing time. */
    versions: z.array(
      z.strictObject({
        number: z.int(),
        made_ms: z.nullable(z.number()),
        is_revert: z.boolean(),
        reason: z.nullable(z.string()),
        status: z.nullable(z.enum(RESULT_STATUSES)),
        chip_time_ms: z.nullable(z.number()),
        gun_time_ms: z.nullable(z.number()),
      }),
    ),
  });

export type RunnerDetails = z.output<ReturnType<typeof runnerDetails>>;

/**
 * The board's further data of runners: their splits, completed by their passings, and the versions of their results.
 * Each row is looked up by its key.
 */
export const findDetails = statement(
  'findDetails',
  () => z.strictObject({ key: z.string(), value: runnerDetails() }),
  ({ keys }: Slots<Keys>) => sql`
    with runner as materialized (
      select registration.id as registration_id, bib_number, event_id, distance
      from (
        select id, bib_number, event_id, distance from registrations where id = any(${keys}::uuid[]) offset 0
      ) as registration
      where ${boardOf.isEnabled(sql`registration.event_id`)}
    ),
    ${versionsOf('runner', VERSIONS_MAX)}
    select encode(uuid_send(runner.registration_id), 'hex') as key, json_build_object(
      'splits', (
        select coalesce(json_agg(json_build_object(
          'name', left(name, ${sql.raw(String(SPLIT_NAME_MAX))}), 'time_ms', time_ms, 'is_passing', is_passing,
          'passing_ms', passing_ms,
          -- The course document holds the counts of earlier spans. So a place reads the passings of a minute.
          'before_in_span', case when passing_ms is not null then (
            select count(*)
            from passings as earlier
            where earlier.event_id = runner.event_id and earlier.point = split.name
              and earlier.time_ms >= passing_ms - passing_ms % ${sql.raw(String(SPAN_MS))}
              and earlier.time_ms < passing_ms
              and not exists (
                select from results
                where registration_id = earlier.registration_id and ${isOfAbsent(sql`status`)}
              )
              and (
                select ${groupText(sql`distance`)} from registrations where id = earlier.registration_id
              ) = ${groupText(sql`runner.distance`)}
          ) end
        ) order by time_ms, name), '[]')
        from (
          select coalesce(sent.name, point) as name, coalesce(sent.time_ms, passing.time_ms) as time_ms,
            sent.name is null as is_passing, passing.time_ms as passing_ms
          from (
            select key as name, value::bigint as time_ms from jsonb_each(result.splits)
          ) as sent
          full join (
            select point, time_ms from passings where registration_id = runner.registration_id
          ) as passing on point = sent.name
        ) as split
      ),
      'versions', (
        select coalesce(json_agg(json_build_object(
          'number', number, 'made_ms', ${epochMs(sql`made_at`)}::bigint, 'is_revert', is_revert,
          'reason', reason, 'status', status, 'chip_time_ms', chip_time_ms, 'gun_time_ms', gun_time_ms
        ) order by number), '[]')
        from (
          select number, coalesce(result_batches.received_at, version.updated_at) as made_at,
            coalesce(result_batches.source = 'revert', false) as is_revert,
            case when ${IS_ABOUT_FEW} then reason end as reason, version.status, chip_time_ms, gun_time_ms
          from version
          left join result_batches on result_batches.id = made_by and result_batches.event_id = runner.event_id
          where registration_id = runner.registration_id
          order by number desc limit ${sql.raw(String(VERSIONS_MAX))}
        ) as told
      )
    ) as value
    from runner
    left join lateral (
      select splits from results where registration_id = runner.registration_id offset 0
    ) as result on true`,
);
