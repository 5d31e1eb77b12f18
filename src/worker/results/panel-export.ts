import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { RANKING_RULES } from '../../timing-files/read/ranking-rule.ts';
import { isoText, naturalOrder } from '../db/sql.ts';
import { type OfEvent, type RowSchema, type Slots, statement } from '../db/statement.ts';
import { streamedStatement } from '../db/streamed-statement.ts';
import { managedEventId } from '../events/panel-queries.ts';
import type { ExportedFile } from '../http/export.ts';
import { fieldNames, type ItemFields, itemsWith } from '../http/item-fields.ts';
import { POSITION_NAMES, type Ranked, ruledPositions } from '../positions/positions.ts';
import { placesOf, rankMs } from '../positions/sql.ts';
import { PRESENT_RESULTS, RESULTS_STATE, unkeptResults } from './official/sql.ts';
import type { NamedResult } from './panel-answer-schemas.ts';
import type { NamedExportQuery } from './panel-schemas.ts';
import { EXPORTED_RESULT_FIELDS } from './result.ts';
import {
  COMPLETED_SPLITS,
  listedResult,
  OF_EVENT,
  orderOfResults,
  RULE_OF_EVENT,
  registrationColumns,
} from './sql.ts';

const position = () => z.nullable(z.int());

const namedRow = () =>
  z.extend(listedResult(), {
    given_names: z.nullable(z.string()),
    surnames: z.nullable(z.string()),
    position_overall: position(),
    position_gender: position(),
    position_category: position(),
    ...ruledPositions().shape,
    rank_by: z.enum(RANKING_RULES),
    rank_ms: position(),
  });

namedRow satisfies RowSchema<Ranked>;

type NamedRow = z.output<ReturnType<typeof namedRow>>;

const exportedEvent = () =>
  z.strictObject({
    name: z.string(),
    state: z.string(),
    beside: unkeptResults(),
    rank_by: z.enum(RANKING_RULES),
    splits: z.array(z.string()),
  });

type ExportedEvent = z.output<ReturnType<typeof exportedEvent>>;

/**
 * The name of an event, the state of its results, and its splits in the order of the course; no row if the organization
 * has no such event.
 */
export const findExportedEvent = statement(
  'findExportedEvent',
  exportedEvent,
  ({ eventId }: Slots<OfEvent>) => sql`
    with event as materialized (${managedEventId(eventId)}), present as materialized (${PRESENT_RESULTS})
    select name, ${RESULTS_STATE} as state, (select beside from present) as beside,
      ${RULE_OF_EVENT} as rank_by, coalesce((
      select json_agg(split order by at_ms, split) from (
        select split, avg(time_ms) as at_ms from (
          select key as split, value::bigint as time_ms from results, jsonb_each_text(splits)
          where ${OF_EVENT}
          union all
          select point, time_ms from passings where ${OF_EVENT}
        ) time
        group by split
      ) splits
    ), '[]') as splits
    from events join event using (id)`,
);

/**
 * A distance is a part of the file, so the rows do not come in the order of their times, and positions cannot be
 * counted during the reading.
 */
const PLACES = placesOf(POSITION_NAMES, sql`rank_by`);

/** The distances in the order of the board. Each is compared once, because the comparison takes longer than a row. */
const DISTANCES = sql`(
        select name, row_number() over (order by ${naturalOrder(sql`name`)}, name) as distance_place
        from (select distinct coalesce(distance, '') as name from registrations where ${OF_EVENT}) known
      )`;

/**
 * All results at a single moment, distance by distance, with the names of the runners; none if the organization has no
 * such event.
 */
export const exportNamedResults = streamedStatement(
  'exportNamedResults',
  namedRow,
  ({ eventId }: Slots<OfEvent>) => ({
    rows: sql`
      with event as materialized (${managedEventId(eventId)})
      select finish_time_ms, given_names, surnames, registration_id, ${registrationColumns()}, status,
        chip_time_ms, gun_time_ms, ${COMPLETED_SPLITS.splits} as splits,
        ${isoText(sql`updated_at`)} as updated_at, rank_by,
        ${rankMs('overall', sql`rank_by`)} as rank_ms, distance_place, ${PLACES}
      from (select *, ${RULE_OF_EVENT} as rank_by from results where ${OF_EVENT}) result
      join (
        select id as registration_id, given_names, surnames, ${registrationColumns()}
        from registrations where ${OF_EVENT}
      ) registration using (registration_id)
      join ${DISTANCES} distances on distances.name = coalesce(distance, '')
      left join ${COMPLETED_SPLITS.table} passing using (registration_id)`,
    order: sql`distance_place, ${orderOfResults('rank_ms')}`,
    long: 'splits',
  }),
);

const NAMED_RESULT_FIELDS: ItemFields<NamedResult, [NamedRow, Ranked]> = {
  ...EXPORTED_RESULT_FIELDS,
  given_names: (row) => row.given_names,
  surnames: (row) => row.surnames,
};

const toItem = itemsWith(NAMED_RESULT_FIELDS);

/** The columns before and after the splits. Each distance is a race, so its positions come first. */
const BEFORE: readonly (keyof NamedResult)[] = [
  ...(['position_distance', 'position_distance_gender', 'position_distance_category'] as const),
  ...(['bib_number', 'given_names', 'surnames', 'gender', 'category', 'distance'] as const),
  ...(['status', 'chip_time', 'gun_time'] as const),
];
const AFTER = ['position_overall', 'position_gender', 'position_category'] as const;
const OTHERS = fieldNames(NAMED_RESULT_FIELDS).filter(
  (field) => !['splits', 'rank_by'].includes(field) && ![...BEFORE, ...AFTER].includes(field),
);

/** The file for a federation or a speaker. As CSV, each split is a column. */
export function namedResultsFile(
  { splits, state, rank_by }: ExportedEvent,
  { delimiter }: z.output<ReturnType<typeof NamedExportQuery>>,
): ExportedFile<NamedRow> {
  const toItems = (rows: readonly NamedRow[]) => rows.map((row) => toItem(row, row));
  return {
    fields: [...BEFORE, ...splits, ...AFTER, ...OTHERS],
    toItems,
    toCells: (rows) =>
      toItems(rows).map((item) => [
        ...BEFORE.map((field) => item[field]),
        ...splits.map((name) => (Object.hasOwn(item.splits, name) ? item.splits[name] : '') ?? ''),
        ...[...AFTER, ...OTHERS].map((field) => item[field]),
      ]),
    isForPeople: true,
    delimiter: delimiter === 'semicolon' ? ';' : ',',
    what: 'results',
    state,
    rankBy: rank_by,
  };
}
