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
