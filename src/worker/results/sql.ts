import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { LISTED_STATUSES, RESULT_STATUSES } from '../../timing-files/read/result-status.ts';
import type { registrations } from '../db/schema.ts';
import { ruleOf } from '../db/settings.ts';
import { columnsOf, fieldsOf } from '../db/sql.ts';
import { absentOf } from '../db/statuses.ts';

/** Limits a table to the event in the CTE `event`. */
export const OF_EVENT = sql`event_id = (select id from event)`;

/** The order of bibs: 9 comes before 10, and 10 before 10A. */
export const BY_BIB = sql`char_length(bib_number), bib_number collate "C"`;

/** The order of results with equal times: finishers first, then results by status, then all by bib. */
const BY_STATUS_AND_BIB = sql`array_position('{${sql.raw(LISTED_STATUSES.join())}}', status), ${BY_BIB}`;

/** The order of results by chip time, then by status and bib. */
export const BY_CHIP_STATUS_AND_BIB = sql`finish_time_ms, ${BY_STATUS_AND_BIB}`;

/** The order of results by a time, and of runners without a bib too. */
export const orderOfResults = (rankMs: 'finish_time_ms' | 'rank_ms'): SQL =>
  sql`${sql.raw(rankMs)}, ${BY_STATUS_AND_BIB}, registration_id`;

export const RULE_OF_EVENT = ruleOf(sql`(select id from event)`);

/** The CTE `absent` for the CTE `event`. */
export const ABSENT = absentOf(sql`(select id from event)`);

const textOrNull = () => z.nullable(z.string());

/** The columns of a registration for its results and passings. */
export const ofRegistration = () =>
  z.strictObject({
    bib_number: textOrNull(),
    gender: textOrNull(),
    category: textOrNull(),
    distance: textOrNull(),
  });

export const registrationColumns = (): SQL =>
  columnsOf<typeof registrations>(...fieldsOf(ofRegistration()));

/** The content of a result; times in ms. */
export const storedResult = () =>
  z.strictObject({
    status: z.enum(RESULT_STATUSES),
    chip_time_ms: z.nullable(z.int()),
    gun_time_ms: z.nullable(z.int()),
    splits: z.record(z.string(), z.int()),
  });

export type StoredResult = z.output<ReturnType<typeof storedResult>>;

/** A result beside its registration. */
export const listedResult = () =>
  z.strictObject({
    registration_id: z.guid(),
    ...ofRegistration().shape,
    ...storedResult().shape,
    updated_at: z.string(),
    finish_time_ms: z.nullable(z.int()),
  });

export type ListedResult = z.output<ReturnType<typeof listedResult>>;

/** The points of a runner as splits: name → milliseconds; null without passings. */
const POINTS_AS_SPLITS = sql`jsonb_object_agg(point, time_ms)`;

/** A result's own splits, completed by these. */
const completedBy = (points: SQL, splits = sql`splits`): SQL =>
  sql`coalesce(${points}, '{}') || ${splits}`;

/** The splits of a result, completed by the passings of its registration. The result's own splits win. */
export const completedSplits = (registrationId: SQL, splits?: SQL): SQL =>
  completedBy(
    sql`(select ${POINTS_AS_SPLITS} from passings where registration_id = ${registrationId})`,
    splits,
  );

/** The splits of all results of the event, and the table of splits for a join by `registration_id`. */
export const COMPLETED_SPLITS = {
  splits: completedBy(sql`of_points`),
  table: sql`(
    select registration_id, ${POINTS_AS_SPLITS} as of_points from passings
    where ${OF_EVENT} group by registration_id
  )`,
};

/** A column, or a table, with a result. */
type ResultRow = 'result' | 'before' | 'after' | 'version' | 'judged' | 'sent';

/** A StoredResult as JSON; null without a result. */
export const contentOrNull = (row: ResultRow): SQL =>
  sql`case when (${sql.identifier(row)}).status is not null then ${contentOf(row)} end`;

/** A StoredResult as JSON. */
export const contentOf = (row: ResultRow): SQL => {
  const name = sql.identifier(row);
  return sql`json_build_object('status', (${name}).status, 'chip_time_ms', (${name}).chip_time_ms,
    'gun_time_ms', (${name}).gun_time_ms, 'splits', (${name}).splits)`;
};
