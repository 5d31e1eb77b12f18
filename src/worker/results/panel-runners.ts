import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { LargeText } from '../db/large-text.ts';
import { rankMs } from '../db/places.ts';
import { isoText } from '../db/sql.ts';
import { type Limits, PAGE_ROWS, pageOfRows, type Slots, statement } from '../db/statement.ts';
import { managedEventId } from '../events/panel-queries.ts';
import type { Runner } from './panel-answer-schemas.ts';
import { toResultContent } from './result.ts';
import { contentOf, OF_EVENT, orderOfResults, RULE_OF_EVENT, storedResult } from './sql.ts';
import { arrayOf, quoted } from './upload/column.ts';

const text = () => z.nullable(z.string());

const runnerRow = () =>
  z.strictObject({
    inscription_id: z.guid(),
    bib_number: z.string(),
    given_names: text(),
    surnames: text(),
    gender: text(),
    category: text(),
    distance: text(),
    name_is_hidden: z.boolean(),
    result: z.nullable(storedResult()),
    updated_at: text(),
  });

type RunnerRow = z.output<ReturnType<typeof runnerRow>>;

/** Which runners are wanted: with this bib, or with each of the patterns in the name. */
type Wanted = { bib?: string | undefined; patterns?: LargeText | undefined };

const PLAIN_NAME = sql`lower(regexp_replace(
  normalize(concat_ws(' ', given_names, surnames), NFD), '[\u0300-\u036f]', '', 'g'))`;

/**
 * What a search asks for. A text with a digit is a bib, with or without `#`; another one is words of a name, in any
 * order, with or without accents.
 */
export function wantedRunners(search: string | undefined): Wanted {
  if (search === undefined) return {};
  if (/\d/.test(search)) return { bib: search.replace(/^#\s*/, '') };
  const words = search.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().split(/\s+/);
  const patterns = words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
  return { patterns: arrayOf(patterns, quoted) };
}

/**
 * A page of the runners of an event who have a bib: results in their order, then those without a result. No row if the
 * organization has no such event.
 */
export const listRunners = statement(
  () => pageOfRows(runnerRow()),
  ({ eventId, limit, offset, ...wanted }: Slots<Wanted & Limits & { eventId: string }>) => sql`
    with event as materialized (${managedEventId(eventId)}),
    rule as materialized (select ${RULE_OF_EVENT} as rank_by),
    matched as materialized (
      select id as registration_id, bib_number, status,
        ${rankMs('overall', sql`(select rank_by from rule)`)} as rank_ms
      from (
        select id, bib_number from registrations
        where ${OF_EVENT} and bib_number is not null and ${matching(wanted)}
      ) runner
      left join ${resultsOf(wanted)}
    ),
    listed as materialized (
      select registration_id, bib_number, row_number() over (order by ${orderOfResults('rank_ms')}) as place
      from matched order by place limit ${limit} offset ${offset}
    ),
    -- Each runner of the page is looked up: the tables hold all events.
    page as (
      select registration_id as inscription_id, bib_number, runner.*,
        exists (
          select from board_hidden_names where registration_id = listed.registration_id
        ) as name_is_hidden,
        case when result.status is not null then ${contentOf('result')} end as result,
        ${isoText(sql`result.updated_at`)} as updated_at
      from listed
      cross join lateral (
        select given_names, surnames, gender, category, distance from registrations
        where id = listed.registration_id offset 0
      ) runner
      left join lateral (
        select status, chip_time_ms, gun_time_ms, splits, updated_at from results
        where registration_id = listed.registration_id offset 0
      ) result on true
      order by place
    )
    select (select count(*)::int from matched) as total, ${PAGE_ROWS} from event`,
);

/** The results of the runners: that of one bib, or those of the whole event. */
const resultsOf = ({ bib }: Slots<Wanted>): SQL =>
  bib
    ? sql`lateral (
        select finish_time_ms, gun_time_ms, status from results where registration_id = id offset 0
      ) result on true`
    : sql`(
        select registration_id, finish_time_ms, gun_time_ms, status from results where ${OF_EVENT}
      ) result on registration_id = id`;

function matching({ bib, patterns }: Slots<Wanted>): SQL {
  if (bib) return sql`bib_number = ${bib}`;
  return patterns ? sql`${PLAIN_NAME} like all (${patterns}::text[])` : sql`true`;
}

export const toRunner = ({ result, ...row }: RunnerRow): Runner => ({
  ...row,
  result: result && toResultContent(result),
});
