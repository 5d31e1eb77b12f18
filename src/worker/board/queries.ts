import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { boardCodeOf, boardOf, ruleOf } from '../db/settings.ts';
import { epochMs, isoText } from '../db/sql.ts';
import { startsOf } from '../db/starts.ts';
import { type OfEvent, type Slots, statement } from '../db/statement.ts';
import {
  CHANGED_RESULTS,
  PRESENT_RESULTS,
  STATE_OF_VERSION,
  unkeptResults,
} from '../results/official/sql.ts';
import { DOCUMENT_MAX, RUNNERS_MAX } from './documents.ts';
import { BIB_MAX, GROUP_TEXT_MAX } from './schemas.ts';

const EVENT_ID = sql`events.id`;

/** The keys to look up, as a Postgres array: `{key,key}`. */
export type Keys = { keys: string };

/** The organizations of the open boards among some events. */
export const findOwners = statement(
  'findOwners',
  () => z.strictObject({ key: z.string(), value: z.string() }),
  ({ keys }: Slots<Keys>) => sql`
    select id::text as key, organization_id::text as value from events
    where id = any(${keys}::uuid[]) and ${boardOf.isEnabled(EVENT_ID)}`,
);

/** The events with an open board among some short addresses. */
export const findCodes = statement(
  'findCodes',
  () => z.strictObject({ key: z.string(), value: z.string() }),
  ({ keys }: Slots<Keys>) => sql`
    select board_code as key, event_id::text as value from event_settings
    where board_code = any(${keys}::text[]) and board_enabled`,
);

/** A text of a group. Foreign systems write texts of any length. */
export const groupText = (column: SQL): SQL =>
  sql`coalesce(left(${column}, ${sql.raw(String(GROUP_TEXT_MAX))}), '')`;

/** The number of runners behind a document, and its text: null if the document is too large. */
export const documentRow = () =>
  z.strictObject({
    runners: z.int(),
    document: z.nullable(z.string()),
    beside: unkeptResults(),
  });

/**
 * Selects a document of an event with an open board; no row without an open board.
 * @param condition a further condition on the event
 * @param runners and `document`: expressions over the CTE `grouped`
 * @param grouped selects through `id`, so that a closed board or a board that is too large costs nothing more
 * @param present selects, also through `id`, the part of `document` about official versions
 */
export const selectDocument = (
  eventId: Slots<OfEvent>['eventId'],
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
      ${boardCodeOf(EVENT_ID)} as board_code,
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
export const selectRanking = statement(
  'selectRanking',
  documentRow,
  ({ eventId }: Slots<OfEvent>) =>
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
          and ${groupText(sql`distance`)} <> all(${boardOf.hiddenDistances(sql`(select id from fitting)`)})
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
export const selectNames = statement('selectNames', documentRow, ({ eventId }: Slots<OfEvent>) =>
  selectDocument(eventId, {
    condition: sql`${boardOf.names(EVENT_ID)} <> 'none'`,
    grouped: sql`select count(*) as runners from registrations where event_id = (select id from fitting)`,
    runners: sql`(select runners from grouped)`,
    document: sql`coalesce(case when board_names = 'full' then ${namesOf('full')} end, ${namesOf('initials')},
      ${sql.raw(`'${NO_NAMES}'`)})`,
  }),
);
