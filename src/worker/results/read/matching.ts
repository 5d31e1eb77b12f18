import { type SQL, sql } from 'drizzle-orm';
import { RANKED_STATUSES } from '../../../timing-files/read/result-status.ts';
import type { Slot, Slots } from '../../db/statement.ts';
import { OF_EVENT } from '../sql.ts';

/** The groups in which a registration has positions, besides the whole event. */
export const GROUPS = ['gender', 'category', 'distance'] as const;
type Group = (typeof GROUPS)[number];

/** The groups that are asked for. */
export type Groups = { [Name in Group]?: string | undefined };

/** The results that are asked for. */
export type ResultFilters = Groups & {
  bib?: string | undefined;
  /** A status, by whether its results have positions. */
  rankedStatus?: string | undefined;
  otherStatus?: string | undefined;
};

/** Whether a registration is in the groups that are asked for. */
export function inGroups(groups: Slots<Groups>): SQL {
  const asked = GROUPS.flatMap((group) =>
    groups[group] === undefined ? [] : sql`${sql.identifier(group)} = ${groups[group]}`,
  );
  return sql.join([sql`true`, ...asked], sql` and `);
}

/** Whether neither a bib nor a group is asked for. */
export const isOfWholeEvent = ({
  bib,
  ...groups
}: { bib?: unknown } & Partial<Record<Group, unknown>>): boolean =>
  bib === undefined && GROUPS.every((group) => groups[group] === undefined);

/** Results of the CTE `event` beside their registrations, merged from two indexes. */
export const merged = (ofResult: SQL): SQL => sql`
  (select registration_id, finish_time_ms from results where ${OF_EVENT} and ${ofResult}) result
  join (
    select id as registration_id, gender, category, distance from registrations where ${OF_EVENT}
  ) registration using (registration_id)`;

/** The same, each registration looked up by itself. */
export const lookedUp = (ofResult: SQL): SQL => sql`
  (select registration_id, finish_time_ms from results where ${OF_EVENT} and ${ofResult}) result
  cross join lateral (
    select gender, category, distance from registrations where id = registration_id offset 0
  ) registration`;

/** An index has the finish time and not the status, so the only ranked status is not compared. */
const ofRankedStatus = (status: Slot): SQL =>
  RANKED_STATUSES.length === 1
    ? sql`finish_time_ms is not null`
    : sql`finish_time_ms is not null and status = ${status}`;

/** The results that match, as the query of a CTE. */
export function matching(query: Slots<ResultFilters>): SQL {
  const { rankedStatus, otherStatus, bib } = query;
  const ofStatus = rankedStatus
    ? ofRankedStatus(rankedStatus)
    : otherStatus
      ? sql`finish_time_ms is null and status = ${otherStatus}`
      : sql`true`;
  if (isOfWholeEvent(query)) {
    return sql`not materialized (
      select registration_id, finish_time_ms from results where ${OF_EVENT} and ${ofStatus}
    )`;
  }
  if (bib === undefined) {
    return sql`materialized (
      select registration_id, finish_time_ms from ${merged(ofStatus)} where ${inGroups(query)}
    )`;
  }
  return sql`materialized (
    select registration_id, finish_time_ms
    from (
      select id from registrations
      where ${OF_EVENT} and bib_number = ${bib} and ${inGroups(query)} offset 0
    ) registration
    cross join lateral (
      select * from results where registration_id = id and ${ofStatus} offset 0
    ) result
  )`;
}
