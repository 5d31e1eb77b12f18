import { type SQL, sql } from 'drizzle-orm';
import { RANKED_STATUSES } from '../../../timing-files/read/result-status.ts';
import type { Limits, Slot, Slots } from '../../db/statement.ts';
import { GUN_RANK_MS } from '../../positions/sql.ts';
import { OF_EVENT } from '../sql.ts';

/** The groups in which a registration has positions, besides the whole event. */
export const GROUPS = ['gender', 'category', 'distance'] as const;
type Group = (typeof GROUPS)[number];

/** The wanted groups. */
export type Groups = { [Name in Group]?: string | undefined };

/** The values of `Groups`, which a statement may lack. */
export const OPTIONAL_GROUPS = { gender: true, category: true, distance: true } as const;

/** The wanted results. */
export type ResultFilters = Groups & {
  bib?: string | undefined;
  /** A status with positions, or a status without. */
  rankedStatus?: string | undefined;
  otherStatus?: string | undefined;
};

/** Whether a registration is in the wanted groups. */
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

/** Stands for all times faster than a page. */
export const FASTER = sql`-1`;

/** Up to this number, each registration is looked up alone. For more, all of the event are merged. */
const LOOKED_UP_MAX = 500;

/** Whether a page ends within the first rows of the whole event. */
export const isTopPage = (
  filters: Parameters<typeof isOfWholeEvent>[0],
  { limit, offset }: Limits,
): true | undefined =>
  isOfWholeEvent(filters) && offset + limit <= LOOKED_UP_MAX ? true : undefined;

/** Joins the groups of the registrations of the CTE `event`, merged from two indexes. */
const WITH_MERGED = sql`
  join (
    select id as registration_id, gender, category, distance from registrations where ${OF_EVENT}
  ) registration using (registration_id)`;

/** Registrations looked up one by one. */
const WITH_LOOKED_UP = sql`
  cross join lateral (
    select gender, category, distance from registrations where id = registration_id offset 0
  ) registration`;

/** @param isTop whether the page is among the first, with few registrations before the page */
export const withGroups = (isTop?: unknown): SQL => (isTop ? WITH_LOOKED_UP : WITH_MERGED);

/** The times of a result by which rules rank. */
const RANK_TIMES = sql.raw('finish_time_ms, gun_rank_ms');
const TIMES = sql`finish_time_ms, ${GUN_RANK_MS} as gun_rank_ms`;

/** The results of the CTE `event`. */
export const resultsWhere = (ofResult: SQL): SQL => sql`
  (select registration_id, ${TIMES} from results where ${OF_EVENT} and ${ofResult}) result`;

/** An index has the finish time and not the status, so the only ranked status is not compared. */
const ofRankedStatus = (status: Slot): SQL =>
  RANKED_STATUSES.length === 1
    ? sql`finish_time_ms is not null`
    : sql`finish_time_ms is not null and status = ${status}`;

/** The matching results, as the query of a CTE. */
export function matching(query: Slots<ResultFilters>): SQL {
  const { rankedStatus, otherStatus, bib } = query;
  const ofStatus = rankedStatus
    ? ofRankedStatus(rankedStatus)
    : otherStatus
      ? sql`finish_time_ms is null and status = ${otherStatus}`
      : sql`true`;
  if (isOfWholeEvent(query)) {
    return sql`not materialized (
      select registration_id, ${TIMES} from results where ${OF_EVENT} and ${ofStatus}
    )`;
  }
  if (bib === undefined) {
    return sql`materialized (
      select registration_id, ${RANK_TIMES} from ${resultsWhere(ofStatus)} ${withGroups()}
      where ${inGroups(query)}
    )`;
  }
  return sql`materialized (
    select registration_id, ${TIMES}
    from (
      select id from registrations
      where ${OF_EVENT} and bib_number = ${bib} and ${inGroups(query)} offset 0
    ) registration
    cross join lateral (
      select * from results where registration_id = id and ${ofStatus} offset 0
    ) result
  )`;
}
