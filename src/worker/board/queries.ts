import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { RESULT_STATUSES } from '../../timing-files/read/result-status.ts';
import { IS_ABOUT_FEW } from '../db/batch-runners.ts';
import { boardOf, ruleOf } from '../db/settings.ts';
import { epochMs, isoText } from '../db/sql.ts';
import { startsOf } from '../db/starts.ts';
import { type Slots, statement } from '../db/statement.ts';
import { versionsOf } from '../results/batches/versions.ts';
import {
  CHANGED_RESULTS,
  PRESENT_RESULTS,
  STATE_OF_VERSION,
  unkeptResults,
} from '../results/official/sql.ts';
import { DOCUMENT_MAX, RUNNERS_MAX } from './documents.ts';
import { BIB_MAX, FIRST_PASSERS, GROUP_TEXT_MAX, LATEST_PASSERS, POINTS_MAX } from './schemas.ts';

const EVENT_ID = sql`events.id`;

/** The keys to look up, as a Postgres array: `{key,key}`. */
type Keys = { keys: string };

/** The organizations of the open boards among some events. */
export const findOwners = statement(
  () => z.strictObject({ key: z.string(), value: z.string() }),
  ({ keys }: Slots<Keys>) => sql`
    select id::text as key, organization_id::text as value from events
    where id = any(${keys}::uuid[]) and ${boardOf.isEnabled(EVENT_ID)}`,
);

/** A text of a group. Foreign systems write texts of any length. */
const groupText = (column: SQL): SQL =>
  sql`coalesce(left(${column}, ${sql.raw(String(GROUP_TEXT_MAX))}), '')`;

/** The number of runners behind a document, and its text: null if the document is too large. */
const documentRow = () =>
  z.strictObject({
    runners: z.int(),
    document: z.nullable(z.string()),
    beside: unkeptResults(),
  });

type OfEvent = Slots<{ eventId: string }>;

/**
 * Selects a document of an event with an open board; no row without an open board.
 * @param condition a further condition on the event
 * @param runners and `document`: expressions over the CTE `grouped`
 * @param grouped selects through `id`, so that a closed board or a board that is too large costs nothing more
 * @param present selects, also through `id`, the part of `document` about official versions
 */
const selectDocument = (
  eventId: OfEvent['eventId'],
  {
    condition,
    grouped,
    runners,
    document,
    present = sql`select null::json as beside`,
  }: Record<'condition' | 'grouped' | 'runners' | 'document', SQL> & { present?: SQL },
) => sql`
  with event as materialized (
    select id, name, city, event_date, time_zone, ${boardOf.names(EVENT_ID)} as board_names,
      ${ruleOf(EVENT_ID)} as rank_by, ${startsOf(sql`events.id`)} as starts
    from events where id = ${eventId} and ${boardOf.isEnabled(EVENT_ID)} and ${condition}
  ),
  fitting as materialized (
    select id from event where (
      select count(*) from (
        select from registrations where event_id = event.id limit ${sql.raw(String(RUNNERS_MAX + 1))}
      ) as registration
    ) <= ${sql.raw(String(RUNNERS_MAX))}
  ),
  grouped as materialized (${grouped}),
  present as materialized (${present}),
  written as materialized (
    select coalesce(${runners}, 0)::int as runners, ${document}::text as document from event
  )
  select runners,
    case when exists (select from fitting) and octet_length(document) <= ${sql.raw(String(DOCUMENT_MAX))}
      then document end as document,
    (select beside from present) as beside
  from written`;

const LAST_OFFICIAL = sql`(
  select json_build_object(
    'version', version, 'made_at', ${isoText(sql`made_at`)}, 'state', ${STATE_OF_VERSION},
    'changes', ${CHANGED_RESULTS})
  from official_results cross join present where event_id = (select id from fitting)
  order by version desc limit 1
)`;

const ids = sql`string_agg(encode(uuid_send(registration.id), 'hex'), '') as ids`;

/** A RankingDocument. A cancelled registration without a result is left out. */
export const selectRanking = statement(documentRow, ({ eventId }: OfEvent) =>
  selectDocument(eventId, {
    condition: sql`true`,
    // A runner is a value in each column of the runner's group.
    grouped: sql`
      select ${groupText(sql`distance`)} as distance, ${groupText(sql`gender`)} as gender,
        ${groupText(sql`category`)} as category, result.status,
        result.status is not null or registration.status = 'PAID' as is_entered, ${ids},
        array_agg(case when length(bib_number) <= ${sql.raw(String(BIB_MAX))} then bib_number end) as bibs,
        array_agg(finish_time_ms) as finish_ms,
        array_agg(chip_time_ms) as chip_ms,
        array_agg(gun_time_ms) as gun_ms,
        array_agg(${epochMs(sql`first_finished_at`)}::bigint) as arrived_ms,
        max(${epochMs(sql`updated_at`)}::bigint) as changed_ms
      from registrations as registration
      left join (
        select * from results where event_id = (select id from fitting)
      ) as result on registration_id = registration.id
      where registration.event_id = (select id from fitting)
        and (result.status is not null or registration.status <> 'CANCELLED')
      group by 1, 2, 3, 4, 5`,
    runners: sql`(select sum(cardinality(bibs)) from grouped)`,
    present: sql`
      with event as (select id from fitting) select * from (${PRESENT_RESULTS}) results_of_event`,
    document: sql`json_build_object(
      'event', event, 'official', ${LAST_OFFICIAL},
      'groups', coalesce((select json_agg(grouped) from grouped), '[]'))`,
  }),
);

/**
 * Characters that look like nothing or like a blank: Unicode's White_Space, its control characters, its
 * Default_Ignorable_Code_Points without marks and the two joiners, which are parts of a word, and two blank symbols
 * (U+2800 and U+1D159). A test compares this list with Unicode.
 */
const INVISIBLE = String.raw`\u0001-\u0020\u007f-\u00a0\u00ad\u061c\u115f\u1160\u1680\u180e\u2000-\u200b\u200e\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff`;

/** A longer name is cut before a regular expression reads it. */
const NAME_MAX = 100;

/** The characters of a text up to the first invisible character. */
export const firstWord = (text: SQL): SQL =>
  sql`substring(left(${text}, ${sql.raw(String(NAME_MAX))}), ${sql.raw(`E'[^${INVISIBLE}]+'`)})`;

/** What leaves the database of a name: the first given name and the first letter of the surname, or the whole name. */
const PUBLIC_NAME = {
  initials: sql`nullif(concat_ws(' ',
  ${firstWord(sql`given_names`)}, upper(left(${firstWord(sql`surnames`)}, 1)) || '.'), '')`,
  full: sql`nullif(btrim(regexp_replace(concat_ws(' ',
    left(given_names, ${sql.raw(String(NAME_MAX))}), left(surnames, ${sql.raw(String(NAME_MAX))})),
    ${sql.raw(`E'[${INVISIBLE}]+'`)}, ' ', 'g')), '')`,
};

/** Whether the runner has passed a point and has no result. */
const IS_ON_COURSE = sql`
  exists (select from passings where registration_id = registration.id)
    and not exists (select from results where registration_id = registration.id)`;

const idsWhere = (condition: SQL) =>
  sql`coalesce(string_agg(encode(uuid_send(id), 'hex'), '') filter (where ${condition}), '')`;

/**
 * The public names of an event, each with the ids of its runners: first of the runners off the course, then of the
 * runners on the course. Hidden names are left out. No row if the text is too long.
 */
const namesOf = (kind: keyof typeof PUBLIC_NAME): SQL => sql`(
  select document from (
    select json_build_object('is_full', ${sql.raw(String(kind === 'full'))},
      'names', coalesce(json_object_agg(name, json_build_array(off_course, on_course)), '{}'))::text as document
    from (
      select name, ${idsWhere(sql`not is_on_course`)} as off_course, ${idsWhere(sql`is_on_course`)} as on_course
      from (
        select id, ${PUBLIC_NAME[kind]} as name, ${IS_ON_COURSE} as is_on_course
        from registrations as registration
        where event_id = (select id from fitting)
          and not exists (select from board_hidden_names where registration_id = registration.id)
      ) as runner
      where name is not null
      group by name
    ) as named
    offset 0
  ) as names
  where octet_length(document) <= ${sql.raw(String(DOCUMENT_MAX))}
)`;

const NO_NAMES = `{"is_full": false, "names": {}}`;

/** The public names of an event that shows names. Full names that are too long a text become initials. */
export const selectNames = statement(documentRow, ({ eventId }: OfEvent) =>
  selectDocument(eventId, {
    condition: sql`${boardOf.names(EVENT_ID)} <> 'none'`,
    grouped: sql`select count(*) as runners from registrations where event_id = (select id from fitting)`,
    runners: sql`(select runners from grouped)`,
    document: sql`coalesce(case when board_names = 'full' then ${namesOf('full')} end, ${namesOf('initials')},
      ${sql.raw(`'${NO_NAMES}'`)})`,
  }),
);

/** The passings of a race at a point are counted by spans of this time. */
export const SPAN_MS = 60_000;

/**
 * The first passings of `counted` in the order, as a JSON array. Only the spans of these passings are read: the runners
 * of a small race may be anywhere among many runners of other races.
 * @param earlier the column of `near` with the count of passings in earlier spans
 */
const passingsOf = (earlier: 'before' | 'after', count: number): SQL => {
  const direction = sql.raw(earlier === 'before' ? 'asc' : 'desc');
  const first = sql`order by time_ms ${direction}, registration_id ${direction} limit ${sql.raw(String(count))}`;
  return sql`array(
    select json_build_object('id', encode(uuid_send(registration_id), 'hex'), 'time_ms', time_ms)
    from near cross join lateral (
      select registration_id, time_ms from passings
      where event_id = (select id from fitting) and passings.point = near.point
        and time_ms between near.fastest_ms and near.slowest_ms
        and (
          select ${groupText(sql`distance`)} from registrations where id = registration_id
        ) = near.distance
      ${first}
    ) as passing
    where near.distance = counted.distance and near.point = counted.point
      and ${sql.raw(earlier)} < ${sql.raw(String(count))}
    ${first}
  )`;
};

/** The points of each race before the finish with the most passings. */
export const selectCourse = statement(documentRow, ({ eventId }: OfEvent) =>
  selectDocument(eventId, {
    condition: sql`true`,
    grouped: sql`
      with span as materialized (
        select distance, point, time_ms / ${sql.raw(String(SPAN_MS))} as number, count(*) as passed,
          min(time_ms) as fastest_ms, max(time_ms) as slowest_ms
        from passings join (
          -- With a view inside, the planner would take the join for small, and sort all passings.
          select id as registration_id, ${groupText(sql`distance`)} as distance
          from registrations where event_id = (select id from fitting) offset 0
        ) as registration using (registration_id)
        where event_id = (select id from fitting)
        group by 1, 2, 3
      ),
      counted as materialized (
        select distance, point, sum(passed)::bigint as passed, min(fastest_ms) as fastest_ms,
          array_agg(array[number, passed] order by number) as spans
        from span
        group by 1, 2 order by passed desc, fastest_ms limit ${sql.raw(String(POINTS_MAX))}
      ),
      -- The spans with the first and the last passings of their races.
      near as materialized (
        select * from (
          select distance, point, span.fastest_ms, slowest_ms,
            sum(span.passed) over (race order by number) - span.passed as before,
            sum(span.passed) over (race order by number desc) - span.passed as after
          from span join counted using (distance, point)
          window race as (partition by distance, point)
        ) as placed
        where before < ${sql.raw(String(FIRST_PASSERS))} or after < ${sql.raw(String(LATEST_PASSERS))}
      )
      select counted.*, ${passingsOf('before', FIRST_PASSERS)} as first,
        ${passingsOf('after', LATEST_PASSERS)} as latest, told.km, told.course_order
      from counted left join lateral (
        select km, course_order from event_points
        where event_id = (select id from fitting) and lower(name) = lower(counted.point)
          and (event_points.distance is null or event_points.distance = counted.distance)
        order by event_points.distance is null limit 1
      ) told on true`,
    // Reading a passing costs a fifth of reading a runner.
    runners: sql`(select sum(passed) / 5 from grouped)`,
    document: sql`coalesce((select json_agg(grouped order by course_order, fastest_ms) from grouped), '[]')`,
  }),
);

/** A longer name of a split is cut. */
const SPLIT_NAME_MAX = 100;

/** The number of a result's latest versions on the board. */
const VERSIONS_MAX = 10;

const runnerDetails = () =>
  z.strictObject({
    /** In order of time. */
    splits: z.array(
      z.strictObject({ name: z.string(), time_ms: z.number(), is_passing: z.boolean() }),
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
    /** The runners of the race who were at the runner's last point earlier, in the same span. Null with a result. */
    before_in_span: z.nullable(z.int()),
  });

export type RunnerDetails = z.output<ReturnType<typeof runnerDetails>>;

/**
 * The board's further data of runners: their splits, completed by their passings, and the versions of their results.
 * Each row is looked up by its key.
 */
export const findDetails = statement(
  () => z.strictObject({ key: z.string(), value: runnerDetails() }),
  ({ keys }: Slots<Keys>) => sql`
    with runner as materialized (
      select registration.id as registration_id, bib_number, event_id, distance
      from (
        select id, bib_number, event_id, distance from registrations where id = any(${keys}::uuid[]) offset 0
      ) as registration
      where ${boardOf.isEnabled(sql`registration.event_id`)}
    ),
    ${versionsOf('runner', { latest: VERSIONS_MAX })}
    select encode(uuid_send(runner.registration_id), 'hex') as key, json_build_object(
      'splits', (
        select coalesce(json_agg(json_build_object(
          'name', left(name, ${sql.raw(String(SPLIT_NAME_MAX))}), 'time_ms', time_ms, 'is_passing', is_passing
        ) order by time_ms, name), '[]')
        from (
          select key as name, value::bigint as time_ms, false as is_passing
          from jsonb_each(result.splits)
          union all
          select point, time_ms, true from passings
          where registration_id = runner.registration_id and result.splits -> point is null
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
      ),
      -- The course document holds the counts of earlier spans. So a place reads the passings of a minute.
      'before_in_span', (
        select count(*)
        from passings as earlier
        where earlier.event_id = runner.event_id and earlier.point = last.point
          and earlier.time_ms >= last.time_ms - last.time_ms % ${sql.raw(String(SPAN_MS))}
          and earlier.time_ms < last.time_ms
          and (
            select ${groupText(sql`distance`)} from registrations where id = earlier.registration_id
          ) = ${groupText(sql`runner.distance`)}
        having last.point is not null
      )
    ) as value
    from runner
    left join lateral (
      select registration_id as id, splits from results where registration_id = runner.registration_id offset 0
    ) as result on true
    left join lateral (
      select point, time_ms from passings
      where registration_id = runner.registration_id and result.id is null
      order by time_ms desc, point desc limit 1
    ) as last on true`,
);
