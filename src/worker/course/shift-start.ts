import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { PODIUMS_MAX } from '../../timing-files/read/starts.ts';
import { ruleOf } from '../db/settings.ts';
import { START_JSON, startOf } from '../db/starts.ts';
import { type Slots, statement } from '../db/statement.ts';
import { type Group, POSITIONS, RULED_POSITIONS } from '../positions/positions.ts';
import { placeOf } from '../positions/sql.ts';
import { applyChange } from '../results/change.ts';
import { bySender } from '../results/sender.ts';
import { BY_BIB } from '../results/sql.ts';

/** A start that moves to another time. */
type Shift = {
  eventId: string;
  /** The version of the starts that the change was made from. */
  version: number;
  /** The start in the list, from 1, and its new time. */
  ordinal: number;
  startsAt: string;
  offsetMinutes: number | null;
  /** How much later it is. */
  laterMs: number;
  batchId: string;
  /** Nothing is written, and the changed podiums are named. */
  isDry?: true;
};

/** How many bibs an error names. */
const BIBS_MAX = 20;

const podium = () =>
  z.strictObject({
    distance: z.nullable(z.string()),
    gender: z.nullable(z.string()),
    category: z.nullable(z.string()),
    before: z.array(z.nullable(z.string())),
    after: z.array(z.nullable(z.string())),
  });

const shiftRow = () =>
  z.strictObject({
    /** The version before the shift. Another version than the version of the change: nothing is written. */
    version: z.int(),
    runners: z.int(),
    results: z.int(),
    passings: z.int(),
    /** The first bibs whose times would be impossible. Then nothing is written. */
    impossible: z.array(z.string()),
    podiums: z.array(podium()),
    official_version: z.nullable(z.int()),
  });

const EVENT_ID = sql`(select event_id from target)`;

/** The splits of a result, later by `-laterMs`. */
const movedSplits = (laterMs: SQL): SQL => sql`(
          select coalesce(jsonb_object_agg(key, (value #>> '{}')::bigint - ${laterMs}), '{}')
          from jsonb_each((result).splits)
        )`;

/** Whether the statement writes: the change is of the present version, and each time stays possible. */
const IS_POSSIBLE = sql`(select is_possible from verdict)`;

/**
 * Moves a start and the times since its gun, in one statement and as one batch. Gun times, passings, and the splits of
 * results without a chip time move. Chip times and the splits of results with a chip time stay. Answers one row, or no
 * row if the event is not the caller's.
 *
 * `lockSettings` precedes it, so that no upload of times of day counts from the old start meanwhile. Locks of rows are
 * those of an upload, in the same order.
 */
export const shiftStart = bySender((sender) =>
  statement(
    `shiftStart.${sender.kind}`,
    shiftRow,
    (shift: Slots<Shift>) => {
      const laterMs = sql`${shift.laterMs}::bigint`;
      const batchId = sql`${shift.batchId}::uuid`;
      const runnerStart = startOf(
        { eventId: EVENT_ID, bib: sql`bib_number`, distance: sql`registrations.distance` },
        sql`ordinal`,
      );
      return sql`
    with target as materialized (${sender.target(shift.eventId)}),
    settings as materialized (
      select coalesce((select starts_version from event_settings where event_id = target.event_id), 0) as version
      from target
    ),
    runner as materialized (
      select id as registration_id, bib_number, distance, gender, category from registrations
      where event_id = ${EVENT_ID} and (${runnerStart}) = ${shift.ordinal}::int
      order by id for key share
    ),
    -- Results with a time since the gun, locked, with their times afterwards.
    moved as materialized (
      select runner.registration_id, bib_number, result, (result).gun_time_ms - ${laterMs} as gun_time_ms,
        case when (result).chip_time_ms is null then ${movedSplits(laterMs)} else (result).splits end as splits
      from (select * from runner order by registration_id offset 0) runner
      cross join lateral (
        select * from results where registration_id = runner.registration_id and event_id = ${EVENT_ID} for update
      ) result
      where (result).gun_time_ms is not null or ((result).chip_time_ms is null and (result).splits <> '{}')
    ),
    moved_passing as materialized (
      select registration_id, bib_number, stored.*
      from (select * from runner order by registration_id offset 0) runner
      cross join lateral (
        select point, time_ms, upload_id, received_at from passings
        where registration_id = runner.registration_id and event_id = ${EVENT_ID}
        order by point for update
      ) stored
    ),
    impossible as materialized (
      select distinct bib_number from (
        select bib_number from moved
        where gun_time_ms <= 0 or (${laterMs} > 0 and gun_time_ms < (result).chip_time_ms)
          or ((result).chip_time_ms is null and exists (
            select from jsonb_each(splits) where (value #>> '{}')::bigint <= 0
          ))
        union all
        select bib_number from moved_passing where time_ms <= ${laterMs}
      ) wrong
    ),
    verdict as materialized (
      select version = ${shift.version}::int and not exists (select from impossible)
        and ${shift.isDry ? sql`not ${shift.isDry}::boolean` : sql`true`} as is_possible
      from settings
    ),
    changed as materialized (select * from moved where ${IS_POSSIBLE}),
    start as materialized (
      select *, ${START_JSON} as before from event_starts
      where event_id = ${EVENT_ID} and ordinal = ${shift.ordinal}::int
    ),
    moved_start as materialized (
      select ${START_JSON} as after from (
        select name, distance, bib_from, bib_to, ${shift.startsAt}::timestamptz as starts_at,
          ${shift.offsetMinutes}::int as utc_offset_minutes
        from start
      ) start
    ),
    ${applyChange({
      batchId: shift.batchId,
      after: {
        of: 'result',
        set: {
          batch_id: batchId,
          restored_by: sql`null`,
          gun_time_ms: sql`changed.gun_time_ms`,
          splits: sql`changed.splits`,
          updated_at: sql`now()`,
        },
      },
      facts: {
        user_id: sql`${sender.userId}::text`,
        source: sql`'shift'`,
        start_shift: sql`json_build_object('before', before, 'after', after)`,
        total_processed: sql`(select count(*) from changed)`,
      },
      from: sql`start, moved_start`,
      when: IS_POSSIBLE,
      withdraws: 'values',
    })},
    kept_passings as (
      insert into replaced_passings (registration_id, point, time_ms, upload_id, replaced_by, received_at)
      select registration_id, point, time_ms, upload_id, ${batchId}, received_at from moved_passing where ${IS_POSSIBLE}
    ),
    marked_passings as (
      insert into withdrawn_passings (registration_id, point, upload_id, time_ms, left_upload_id)
      select registration_id, point, ${batchId}, time_ms, ${batchId} from moved_passing where ${IS_POSSIBLE}
    ),
    passed as (
      update passings stored set time_ms = stored.time_ms - ${laterMs}, upload_id = ${batchId}
      from moved_passing moved
      where stored.registration_id = moved.registration_id and stored.event_id = ${EVENT_ID}
        and stored.point = moved.point and ${IS_POSSIBLE}
      returning 1
    ),
    -- The passings are taken back by the same id.
    recorded_passings as (
      insert into passing_uploads (id, event_id, api_key_id, key_prefix, user_id, source, total_processed, uploaded,
        updated, not_found, errors, duplicates)
      select ${batchId}, event_id, api_key_id, key_prefix, ${sender.userId}::text, 'shift', count, 0, count, 0, 0, 0
      from target, (select count(*)::int as count from passed) passed where count > 0
    ),
    ${moveStart(shift, sender.userId)}${shift.isDry ? PODIUMS : sql``}
    select settings.version, (select count(*)::int from runner) as runners,
      (select count(*)::int from moved) as results,
      (select count(*)::int from moved_passing) as passings,
      coalesce((
        select json_agg(bib_number) from (
          select bib_number from impossible order by ${BY_BIB} limit ${sql.raw(String(BIBS_MAX))}
        ) named
      ), '[]') as impossible,
      ${shift.isDry ? CHANGED_PODIUMS : sql`'[]'::json`} as podiums,
      (
        select max(official_results.version) from official_results
        where event_id = ${EVENT_ID} and exists (select from moved)
      ) as official_version
    from settings`;
    },
    { isDry: true },
  ),
);

/** CTEs that store the new time of the start, and who told it. */
const moveStart = (shift: Slots<Shift>, userId: SQL): SQL => sql`
    told as materialized (
      select coalesce(json_agg(
        case when ordinal = ${shift.ordinal}::int then (select after from moved_start) else ${START_JSON} end
        order by ordinal), '[]') as after, coalesce(json_agg(${START_JSON} order by ordinal), '[]') as before
      from event_starts where event_id = ${EVENT_ID}
    ),
    started as (
      update event_starts set starts_at = ${shift.startsAt}::timestamptz,
        utc_offset_minutes = ${shift.offsetMinutes}::int
      where event_id = ${EVENT_ID} and ordinal = ${shift.ordinal}::int and ${IS_POSSIBLE}
    ),
    versioned as (
      update event_settings set starts_version = starts_version + 1 where event_id = ${EVENT_ID} and ${IS_POSSIBLE}
    ),
    noted as (
      insert into event_changes (event_id, kind, before, after, user_id, api_key_id, key_prefix)
      select event_id, 'starts', before::text, after::text, ${userId}::text, api_key_id, key_prefix
      from target, told where ${IS_POSSIBLE}
    )`;

const RULE = sql`(select rule from ranked_by)`;

/** The places of the CTE `finisher` by some times. */
const placedBy = (at: 'before' | 'after', finishMs: SQL, gunMs: SQL): SQL => sql`
      select ${sql.raw(`'${at}'`)} as at, bib_number, distance, gender, category,
        ${sql.join(
          RULED_POSITIONS.map((name) => sql`${placeOf(name, RULE)} as ${sql.identifier(name)}`),
          sql`, `,
        )}
      from (
        select bib_number, distance, gender, category, ${finishMs} as finish_time_ms, ${gunMs} as gun_time_ms
        from finisher
      ) timed`;

/** The CTE `podium`: the first three of each distance, gender and category, before and after a shift. */
const PODIUMS = sql`,
    ranked_by as materialized (select ${ruleOf(EVENT_ID)} as rule),
    finisher as materialized (
      select registrations.bib_number, distance, gender, category, stored.chip_time_ms, stored.finish_time_ms,
        stored.gun_time_ms, coalesce(moved.gun_time_ms, stored.gun_time_ms) as moved_gun_ms
      from results stored join registrations on registrations.id = stored.registration_id
      left join moved on moved.registration_id = stored.registration_id
      where stored.event_id = ${EVENT_ID} and stored.finish_time_ms is not null
    ),
    placed as materialized (
      ${placedBy('before', sql`finish_time_ms`, sql`gun_time_ms`)}
      union all
      ${placedBy('after', sql`coalesce(chip_time_ms, moved_gun_ms)`, sql`moved_gun_ms`)}
    ),
    podium as materialized (
      ${sql.join(
        RULED_POSITIONS.map((name) => {
          const { within } = POSITIONS[name];
          const isWithin = (column: Group) =>
            within.includes(column) ? sql.raw(column) : sql`null::text`;
          const first = (at: 'before' | 'after') => sql`coalesce(
            json_agg(bib_number order by ${sql.identifier(name)}, bib_number)
            filter (where at = ${sql.raw(`'${at}'`)}), '[]')`;
          return sql`
      select distance, ${isWithin('gender')} as gender, ${isWithin('category')} as category,
        ${first('before')} as before, ${first('after')} as after
      from placed where ${sql.identifier(name)} <= 3 group by ${sql.raw(within.join(', '))}`;
        }),
        sql` union all `,
      )}
    )`;

const CHANGED_PODIUMS = sql`coalesce((
        select json_agg(changed) from (
          select * from podium where before::text <> after::text
          order by distance, gender nulls first, category nulls first limit ${sql.raw(String(PODIUMS_MAX))}
        ) changed
      ), '[]')`;
