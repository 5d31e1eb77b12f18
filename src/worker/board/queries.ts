import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { epochMs } from '../db/sql.ts';
import { type Slots, statement } from '../db/statement.ts';
import { LIST_ORDER } from './ranking.ts';

/** The keys to look up, as a Postgres array: `{key,key}`. */
type Keys = { keys: string };

/** The open boards by id or by the first eight digits of it, if no other open board has the same. */
export const findOpenBoards = statement(
  () => z.strictObject({ key: z.string(), value: z.string() }),
  ({ keys }: Slots<Keys>) => sql`
    select key, min(id::text) as value
    from unnest(${keys}::text[]) as key
    cross join lateral (
      select id from events
      where board_enabled
        and id between (key || substr('00000000-0000-0000-0000-000000000000', length(key) + 1))::uuid
          and (key || substr('ffffffff-ffff-ffff-ffff-ffffffffffff', length(key) + 1))::uuid
      limit 2
    ) event
    group by key having count(*) = 1`,
);

/** A digit: the place of the result's status in LIST_ORDER, or the next number without a result. */
const STATUS_DIGIT = sql.raw(
  `case result.status ${LIST_ORDER.map((status, digit) => `when '${status}' then '${digit}'`).join(' ')}
    else '${LIST_ORDER.length}' end`,
);

/**
 * A RankingDocument as text, and how many runners it holds; no row unless the board is open. A registration
 * that was cancelled and has no result is left out.
 */
export const selectRanking = statement(
  () => z.strictObject({ runners: z.int(), document: z.string() }),
  ({ eventId }: Slots<{ eventId: string }>) => sql`
    -- Everything is selected through this row, so a board that is not open costs nothing more.
    with event as materialized (
      select id, name, city, event_date, time_zone, board_shows_names as shows_names
      from events where id = ${eventId} and board_enabled
    ),
    -- A runner is one value in each column of the runner's group.
    grouped as materialized (
      select coalesce(distance, '') as distance, coalesce(gender, '') as gender,
        coalesce(category, '') as category,
        string_agg(encode(uuid_send(registration.id), 'hex'), '') as ids,
        array_agg(bib_number) as bibs,
        string_agg(${STATUS_DIGIT}, '') as statuses,
        array_agg(chip_time_ms) as chip_ms,
        array_agg(gun_time_ms) as gun_ms,
        array_agg(${epochMs(sql`first_finished_at`)}::bigint) as arrived_ms,
        max(${epochMs(sql`updated_at`)}::bigint) as changed_ms
      from registrations as registration
      left join (
        select * from results where event_id = (select id from event)
      ) as result on registration_id = registration.id
      where registration.event_id = (select id from event)
        and (result.status is not null or registration.status <> 'CANCELLED')
      group by 1, 2, 3
    )
    select coalesce((select sum(cardinality(bibs)) from grouped), 0)::int as runners,
      json_build_object(
        'event', event, 'groups', coalesce((select json_agg(grouped) from grouped), '[]')
      )::text as document
    from event`,
);

/**
 * Characters that look like nothing or like a blank: Unicode's White_Space, its control characters, its
 * Default_Ignorable_Code_Points without marks and the two joiners, which are parts of a word, and two
 * symbols that are blank (U+2800 and U+1D159). A test compares this list with Unicode.
 */
const INVISIBLE = String.raw`\u0001-\u0020\u007f-\u00a0\u00ad\u061c\u115f\u1160\u1680\u180e\u2000-\u200b\u200e\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff`;

/** A longer name is cut before a regular expression reads it. */
const NAME_MAX = 100;

/** The characters of a text up to the first invisible one. */
export const firstWord = (text: SQL): SQL =>
  sql`substring(left(${text}, ${sql.raw(String(NAME_MAX))}), ${sql.raw(`E'[^${INVISIBLE}]+'`)})`;

/** The first given name and the first letter of the surname, unless it is hidden: no more ever leaves the database. */
const publicName = sql`
  case when events.board_shows_names and not exists (
    select from board_hidden_names where registration_id = registrations.id
  ) then nullif(concat_ws(' ',
    ${firstWord(sql`registrations.given_names`)},
    upper(left(${firstWord(sql`registrations.surnames`)}, 1)) || '.'), '') end`;

/** The name and the splits of runners. Each row is looked up by its key. */
export const findDetails = statement(
  () =>
    z.strictObject({
      key: z.string(),
      value: z.strictObject({
        name: z.nullable(z.string()),
        splits: z.nullable(z.record(z.string(), z.number())),
      }),
    }),
  ({ keys }: Slots<Keys>) => sql`
    select encode(uuid_send(registrations.id), 'hex') as key,
      json_build_object('name', ${publicName}, 'splits', result.splits) as value
    from (
      select * from registrations where registrations.id = any(${keys}::uuid[]) offset 0
    ) as registrations
    join events on events.id = registrations.event_id and events.board_enabled
    left join lateral (
      select splits from results where registration_id = registrations.id offset 0
    ) as result on true`,
);
