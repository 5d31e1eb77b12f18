import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { isoText } from '../../db/sql.ts';
import { type Slots, statement } from '../../db/statement.ts';
import { streamedStatement } from '../../db/streamed-statement.ts';
import { ownEventId } from '../../events/queries.ts';
import type { ExportedFile } from '../../http/export.ts';
import { PRESENT_RESULTS, RESULTS_STATE, unkeptResults } from '../official/sql.ts';
import { EXPORTED_RESULT_FIELDS } from '../result.ts';
import { COMPLETED_SPLITS, OF_EVENT, ORDER_OF_RESULTS, registrationColumns } from '../sql.ts';
import { inGroups } from './matching.ts';
import { placedFile } from './placed-file.ts';
import { listedResult } from './queries.ts';
import type { ResultExportQuery } from './schemas.ts';

/** A result that matches, or a finisher who has positions only. */
const exportedRow = () => z.extend(listedResult(), { is_listed: z.boolean() });

type ExportedRow = z.output<ReturnType<typeof exportedRow>>;

/**
 * All results that match, as of one moment; none if the event is not the caller's. All other finishers are
 * there too, with `is_listed` false, because they have positions.
 */
export const exportResults = streamedStatement(
  exportedRow,
  ({ eventId, status, bib, ...groups }: Slots<ResultExportQuery & { eventId: string }>) => ({
    rows: sql`
      with event as materialized (${ownEventId(eventId)})
      select is_listed, finish_time_ms, registration_id, ${registrationColumns()}, status, chip_time_ms, gun_time_ms,
        case when is_listed then ${COMPLETED_SPLITS.splits} else '{}' end as splits,
        ${isoText(sql`updated_at`)} as updated_at
      from (select * from results where ${OF_EVENT}) result
      join (
        select id as registration_id, ${registrationColumns()}
        from registrations where ${OF_EVENT}
      ) registration using (registration_id)
      left join ${COMPLETED_SPLITS.table} passing using (registration_id)
      cross join lateral (
        select coalesce(${inGroups(groups)} and ${status ? sql`status = ${status}` : sql`true`}
          and ${bib ? sql`bib_number = ${bib}` : sql`true`}, false) as is_listed
      ) match
      where is_listed or finish_time_ms is not null`,
    order: ORDER_OF_RESULTS,
    long: 'splits',
  }),
);

const exportedEvent = () =>
  z.strictObject({ name: z.string(), state: z.string(), unkept: unkeptResults() });

/** The name of an event and the state of its results; no row if the event is not the caller's. */
export const findEventOfExport = statement(
  exportedEvent,
  ({ eventId }: Slots<{ eventId: string }>) => sql`
    with event as materialized (${ownEventId(eventId)}), present as materialized (${PRESENT_RESULTS})
    select name, ${RESULTS_STATE} as state, (select unkept from present) as unkept from events join event using (id)`,
);

/** The file of an export, whose rows come in the order of their finish times. */
export const resultsFile = ({
  state,
}: z.output<ReturnType<typeof exportedEvent>>): ExportedFile<ExportedRow> => ({
  ...placedFile(EXPORTED_RESULT_FIELDS, (row: ExportedRow) => row.finish_time_ms),
  what: 'results',
  state,
});
