import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { isoText } from '../db/sql.ts';
import { type Slots, statement } from '../db/statement.ts';
import { streamedStatement } from '../db/streamed-statement.ts';
import { managedEventId } from '../events/panel-queries.ts';
import type { ExportedFile } from '../http/export.ts';
import type { NamedResult } from './panel-answer-schemas.ts';
import type { NamedExportQuery } from './panel-schemas.ts';
import { createRanking } from './read/positions.ts';
import { listedResult } from './read/queries.ts';
import { toResult } from './result.ts';
import { COMPLETED_SPLITS, OF_EVENT, ORDER_OF_RESULTS } from './sql.ts';

type OfEvent = { eventId: string };

const namedRow = () =>
  z.extend(listedResult(), {
    given_names: z.nullable(z.string()),
    surnames: z.nullable(z.string()),
  });

type NamedRow = z.output<ReturnType<typeof namedRow>>;

const exportedEvent = () => z.strictObject({ name: z.string(), splits: z.array(z.string()) });

type ExportedEvent = z.output<ReturnType<typeof exportedEvent>>;

/** The name of an event and of its splits, in the order of the course; no row if the organization has no such event. */
export const findExportedEvent = statement(
  exportedEvent,
  ({ eventId }: Slots<OfEvent>) => sql`
    with event as materialized (${managedEventId(eventId)})
    select name, coalesce((
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

/** All results as of one moment, with the names of the runners; none if the organization has no such event. */
export const exportNamedResults = streamedStatement(
  namedRow,
  () => Object.keys(namedRow().shape),
  ({ eventId }: Slots<OfEvent>) => ({
    rows: sql`
      with event as materialized (${managedEventId(eventId)})
      select finish_time_ms, given_names, surnames, gender, category, distance, registration_id, bib_number, status,
        chip_time_ms, gun_time_ms, ${COMPLETED_SPLITS.splits} as splits,
        ${isoText(sql`updated_at`)} as updated_at
      from (select * from results where ${OF_EVENT}) result
      join (
        select id as registration_id, bib_number, given_names, surnames, gender, category, distance
        from registrations where ${OF_EVENT}
      ) registration using (registration_id)
      left join ${COMPLETED_SPLITS.table} passing using (registration_id)`,
    order: ORDER_OF_RESULTS,
  }),
);

/** The columns before and after the splits. Each distance is a race, so its positions come first. */
const BEFORE = [
  ...(['position_distance', 'position_distance_gender', 'position_distance_category'] as const),
  ...(['bib_number', 'given_names', 'surnames', 'gender', 'category', 'distance'] as const),
  ...(['status', 'chip_time', 'gun_time'] as const),
];
const AFTER = [
  ...(['position_overall', 'position_gender', 'position_category'] as const),
  ...(['inscription_id', 'updated_at', 'chip_time_ms', 'gun_time_ms'] as const),
];

/** The file for a federation or a speaker. As CSV, each split is a column. */
export function namedResultsFile(
  { splits }: ExportedEvent,
  { delimiter }: z.output<typeof NamedExportQuery>,
): ExportedFile<NamedRow> {
  const toItems = namedResults();
  return {
    fields: [...BEFORE, ...splits, ...AFTER],
    toItems,
    toCells: (rows) =>
      toItems(rows).map((item) => [
        ...BEFORE.map((field) => item[field]),
        ...splits.map((name) => (Object.hasOwn(item.splits, name) ? item.splits[name] : '') ?? ''),
        ...AFTER.map((field) => item[field]),
      ]),
    isForPeople: true,
    delimiter: delimiter === 'semicolon' ? ';' : ',',
    what: 'results',
  };
}

/** Makes the items of an export from its rows, which come in the order of their finish times. */
function namedResults(): (rows: readonly NamedRow[]) => NamedResult[] {
  const ranking = createRanking();
  return (rows) =>
    rows.map((row) => {
      const { finish_time_ms, chip_time_ms, gun_time_ms, given_names, surnames } = row;
      const groups = ranking.groupsOf(row);
      const positions = ranking.positionsOf(finish_time_ms, groups);
      if (finish_time_ms !== null) ranking.add(finish_time_ms, groups, 1);
      return { ...toResult(row, positions), chip_time_ms, gun_time_ms, given_names, surnames };
    });
}
