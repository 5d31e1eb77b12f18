import { type SQL, sql } from 'drizzle-orm';
import {
  RANKED_STATUSES,
  type ResultStatus,
  statusesWhere,
} from '../../timing-files/read/result-status.ts';

const isAmong = (status: SQL, statuses: readonly ResultStatus[]): SQL =>
  sql`${status} in (${sql.raw(statuses.map((name) => `'${name}'`).join())})`;

/** Whether a status has a time and positions. */
export const isRanked = (status: SQL): SQL => isAmong(status, RANKED_STATUSES);

/** Whether a status says that the runner was not in the race. */
export const isOfAbsent = (status: SQL): SQL =>
  isAmong(
    status,
    statusesWhere(({ hasStarted }) => !hasStarted),
  );

/** The CTE `absent`: the runners of an event who did not start, whatever points saw their bibs. */
export const absentOf = (eventId: SQL): SQL => sql`
    absent as materialized (
      select registration_id from results
      where event_id = ${eventId} and finish_time_ms is null and ${isOfAbsent(sql`status`)}
    )`;
