import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/** The most groups in a page of runners. A longer choice helps nobody. */
export const GROUPS_MAX = 500;

export const REGISTRATION_STATUSES = ['PENDING', 'PAID', 'CANCELLED'] as const;
export const KIT_STATUSES = ['PENDING', 'READY', 'DELIVERED'] as const;
export const API_KEY_EVENT_KINDS = ['created', 'renamed', 'rotated', 'revoked'] as const;
/** Limits: official versions of an event, and bytes of a version's compressed document. */
export const OFFICIAL_MAX = 20;
/** The highest version number. After a restore, numbers go on above the numbers before. */
export const VERSION_MAX = 9_999;
export const OFFICIAL_BYTES_MAX = 12 * 2 ** 20;
/** Limits in characters: the name of a key, a reason, and the name of a sender. */
export const KEY_NAME_MAX = 100;
export const REASON_MAX = 200;
export const SENDER_MAX = 60;
/** Characters of the short address of a board. */
export const BOARD_CODE_LENGTH = 8;
/** The kinds of a user's changes to an event. */
export const EVENT_CHANGE_KINDS = [
  'ranking_rule',
  'board_enabled',
  'board_names',
  'board_code',
  'hidden_name',
  'hidden_distance',
  'prizes',
  'official_version',
  'starts',
  'points',
] as const;
/** How much of the runners' names a board shows: nothing, the given name and the initial of the surname, or all. */
export const BOARD_NAMES = ['none', 'initials', 'full'] as const;
export type BoardNames = (typeof BOARD_NAMES)[number];
/** Which places have a prize. */
export const PRIZES = ['all', 'overall_leaves_category'] as const;
export const BATCH_SOURCES = ['json', 'csv', 'revert', 'delete', 'shift'] as const;

/** The order of batches: the batch that took effect last comes first. */
export const latestFirst = (batch: 'batch' | 'result_batches'): SQL =>
  sql.raw(`${batch}.effect_order desc`);

type TableOf<Columns> = { $inferSelect: Columns };

/** Columns of a table. An unknown column is a compile error. */
export const columnsOf = <T extends TableOf<object>>(
  ...names: (keyof T['$inferSelect'] & string)[]
): SQL => sql.raw(names.join(', '));

/** The names of the fields of a row, in their order. */
export const fieldsOf = <Shape extends object>(row: { shape: Shape }): (keyof Shape & string)[] =>
  Object.keys(row.shape) as (keyof Shape & string)[];

/** Everything that `String.prototype.trim` removes, as an SQL literal. */
const BLANKS = sql.raw(
  String.raw`E'\t\n\u000b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'`,
);

/** Trims a text in SQL exactly as `trim` does in JavaScript. */
export const trimmed = (value: SQLWrapper): SQL => sql`btrim(${value}, ${BLANKS})`;

/**
 * A text with `5K` before `10K`, as `compareNames` orders names: each number has 20 digits. The plain text breaks a
 * tie.
 */
export const naturalOrder = (value: SQL): SQL => sql`regexp_replace(
  regexp_replace(${value}, '([0-9]+)', '00000000000000000000\\1', 'g'), '0*([0-9]{20})', '\\1', 'g')`;

/** An instant as milliseconds since 1970, as `Date` counts them. */
export const epochMs = (instant: SQL): SQL => sql`(extract(epoch from ${instant}) * 1000)::float8`;

/**
 * An instant for the API: in ISO 8601, in UTC. Null if ISO 8601 has no four digits for the year: foreign systems may
 * write such a time, or infinity.
 */
export function isoText(instant: SQL): SQL {
  const utc = sql`(${instant} at time zone 'UTC')`;
  return sql`case when extract(year from ${utc}) between 1 and 9999
    then to_char(${utc}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end`;
}

/** Columns of instants, for the API. The columns become texts, so an order by time names the table. */
export const instants = (...columns: string[]): SQL =>
  sql.join(
    columns.map((name) => sql`${isoText(sql.raw(name))} as ${sql.raw(name)}`),
    sql`, `,
  );
