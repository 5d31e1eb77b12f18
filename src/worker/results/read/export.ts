import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { formatRaceTime } from '../../../timing-files/read/race-time.ts';
import { RANKING_RULES } from '../../../timing-files/read/ranking-rule.ts';
import { splitsCell } from '../../../timing-files/write/splits-cell.ts';
import { fieldsOf, isoText } from '../../db/sql.ts';
import { type OfEvent, type Slots, statement } from '../../db/statement.ts';
import { streamedStatement } from '../../db/streamed-statement.ts';
import { ownEventId } from '../../events/queries.ts';
import type { ExportedFile } from '../../http/export.ts';
import { fieldsWithout } from '../../http/item-fields.ts';
import { rankedBy } from '../../positions/positions.ts';
import { isByGun, placeOf, rankMs } from '../../positions/sql.ts';
import { PRESENT_RESULTS, RESULTS_STATE, unkeptResults } from '../official/sql.ts';
import { EXPORTED_RESULT_FIELDS, toSplitTimes } from '../result.ts';
import {
  COMPLETED_SPLITS,
  listedResult,
  OF_EVENT,
  orderOfResults,
  RULE_OF_EVENT,
  registrationColumns,
} from '../sql.ts';
import { inGroups, OPTIONAL_GROUPS } from './matching.ts';
import { placedFile } from './placed-file.ts';
import type { ResultExportQuery } from './schemas.ts';

const position = () => z.nullable(z.int());

/**
 * The positions that may be by chip time in a file in the order of gun times. The positions are null under other rules.
 */
const byChip = () =>
  z.strictObject({
    position_overall: position(),
    position_gender: position(),
    position_category: position(),
    position_distance_category: position(),
  });

/** A matching result, or a finisher who only counts for positions. */
const exportedRow = () =>
  z.extend(listedResult(), {
    is_listed: z.boolean(),
    rank_by: z.enum(RANKING_RULES),
    rank_ms: z.nullable(z.int()),
    ...byChip().shape,
  });

type ExportedRow = z.output<ReturnType<typeof exportedRow>>;

const columnsByChip = () => sql.raw(fieldsOf(byChip()).join(', '));

/**
 * Only the order of gun times needs these counts: in the order of chip times, positions are counted during the reading.
 */
const placesByChip = () => sql`(
        select registration_id, ${sql.join(
          fieldsOf(byChip()).map(
            (name) => sql`${placeOf(name, sql`'chip'`)}::int as ${sql.identifier(name)}`,
          ),
          sql`, `,
        )}
        from (select registration_id, finish_time_ms, gun_time_ms from results where ${OF_EVENT}) result
        join (
          select id as registration_id, gender, category, distance from registrations where ${OF_EVENT}
        ) registration using (registration_id)
        where finish_time_ms is not null and ${isByGun('overall', sql`(select rank_by from rule)`)}
      )`;

/**
 * All matching results at a single moment; none if the event is not the caller's. All further finishers are included
 * with `is_listed` false, because positions count them.
 */
export const exportResults = streamedStatement(
  'exportResults',
  exportedRow,
  ({ eventId, status, bib, ...groups }: Slots<ResultExportQuery & OfEvent>) => ({
    rows: sql`
      with event as materialized (${ownEventId(eventId)}),
      rule as materialized (select ${RULE_OF_EVENT} as rank_by)
      select is_listed, finish_time_ms, registration_id, ${registrationColumns()}, status, chip_time_ms, gun_time_ms,
        rank_by, ${rankMs('overall', sql`rank_by`)} as rank_ms, ${columnsByChip()},
        case when is_listed then ${COMPLETED_SPLITS.splits} else '{}' end as splits,
        ${isoText(sql`updated_at`)} as updated_at
      from (select * from results where ${OF_EVENT}) result
      join (
        select id as registration_id, ${registrationColumns()}
        from registrations where ${OF_EVENT}
      ) registration using (registration_id)
      left join ${COMPLETED_SPLITS.table} passing using (registration_id)
      left join ${placesByChip()} by_chip using (registration_id)
      cross join rule
      cross join lateral (
        select coalesce(${inGroups(groups)} and ${status ? sql`status = ${status}` : sql`true`}
          and ${bib ? sql`bib_number = ${bib}` : sql`true`}, false) as is_listed
      ) match
      where is_listed or finish_time_ms is not null`,
    order: orderOfResults('rank_ms'),
    long: 'splits',
  }),
  { ...OPTIONAL_GROUPS, bib: true, status: true },
);

const exportedEvent = () =>
  z.strictObject({
    name: z.string(),
    state: z.string(),
    beside: unkeptResults(),
    rank_by: z.enum(RANKING_RULES),
  });

type ExportedEvent = z.output<ReturnType<typeof exportedEvent>>;

/** The name of an event and the state of its results; no row if the event is not the caller's. */
export const findEventOfExport = statement(
  'findEventOfExport',
  exportedEvent,
  ({ eventId }: Slots<OfEvent>) => sql`
    with event as materialized (${ownEventId(eventId)}), present as materialized (${PRESENT_RESULTS})
    select name, ${RESULTS_STATE} as state, (select beside from present) as beside,
      ${RULE_OF_EVENT} as rank_by
    from events join event using (id)`,
);

/** Programs that compare the CSV file with an official version take an unknown column for a split. */
const COLUMNS = {
  ...fieldsWithout(EXPORTED_RESULT_FIELDS, ['rank_by']),
  splits: (row: ExportedRow) => splitsCell(row.splits, formatRaceTime, toSplitTimes),
};

/** The file of an export, whose rows come in the order of the rule. */
export const resultsFile = ({ state, rank_by }: ExportedEvent): ExportedFile<ExportedRow> => ({
  ...placedFile({
    fields: EXPORTED_RESULT_FIELDS,
    columns: COLUMNS,
    timeOf: (row: ExportedRow) => row.rank_ms,
    ranked: (counted, row) =>
      row.rank_by === 'chip'
        ? { ...counted, rank_by: row.rank_by }
        : rankedBy(row.rank_by, { chip: row, gun: counted }),
  }),
  what: 'results',
  state,
  rankBy: rank_by,
});
