import { type SQL, sql } from 'drizzle-orm';
import { POINT_JSON, START_JSON } from '../db/starts.ts';

/** The tables and columns behind a list of the course. */
export type List = {
  table: SQL;
  /** The column of `event_settings` with the version of the list. */
  version: SQL;
  kind: 'starts' | 'points';
  /** An item as JSON, in SQL over the item's columns. */
  item: SQL;
  /** The stored columns of an item, with their types. The sent JSON has the columns too. */
  columns: Readonly<Record<string, string>>;
};

export const STARTS: List = {
  table: sql`event_starts`,
  version: sql`starts_version`,
  kind: 'starts',
  item: START_JSON,
  columns: {
    name: 'text',
    distance: 'text',
    bib_from: 'bigint',
    bib_to: 'bigint',
    starts_at: 'timestamptz',
    utc_offset_minutes: 'int',
  },
};

export const POINTS: List = {
  table: sql`event_points`,
  version: sql`points_version`,
  kind: 'points',
  item: POINT_JSON,
  columns: { name: 'text', distance: 'text', course_order: 'int', km: 'float8' },
};

/** The items of a list as a JSON array. @param from a table or a CTE with the columns of the list, and `ordinal` */
export const listed = ({ item }: List, from: SQL): SQL =>
  sql`coalesce((select json_agg(${item} order by ordinal) from ${from}), '[]')`;
