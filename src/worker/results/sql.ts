import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { RESULT_STATUSES } from '../../timing-files/read/result-status.ts';
import type { Slot } from '../db/statement.ts';

/** Limits a table to the event in the CTE `event`. */
export const OF_EVENT = sql`event_id = (select id from event)`;

/** The order of bibs: 9 comes before 10, and 10 before 10A. */
export const BY_BIB = sql`char_length(bib_number), bib_number collate "C"`;

/** The order of results: finishers by time, then the others by status and bib. */
export const ORDER_OF_RESULTS = sql`finish_time_ms,
  array_position('{FINISHED,DNF,DSQ,DNS}', status), ${BY_BIB}, registration_id`;

/** The content of a result; times in ms. */
export const storedResult = () =>
  z.strictObject({
    status: z.enum(RESULT_STATUSES),
    chip_time_ms: z.nullable(z.int()),
    gun_time_ms: z.nullable(z.int()),
    splits: z.record(z.string(), z.int()),
  });

export type StoredResult = z.output<ReturnType<typeof storedResult>>;

/** The parts of a result that `replaced_results` keeps. */
const KEPT = [
  ...['registration_id', 'batch_id', 'restored_by', 'status', 'chip_time_ms', 'gun_time_ms'],
  ...['splits', 'first_finished_at', 'updated_at'],
];

const columnsOf = (row: string): SQL => sql.raw(KEPT.map((column) => `${row}${column}`).join(', '));

/** The CTE `kept`: copies of the results in the column `result` of a CTE, which the batch replaces or takes away. */
export const keptFrom = (
  cte: 'changed' | 'replaced' | 'deletable',
  batchId: SQL | Slot,
): SQL => sql`
    kept as (
      insert into replaced_results (replaced_by, ${columnsOf('')})
      select ${batchId}::uuid, ${columnsOf('(result).')} from ${sql.raw(cte)}
      where (result).registration_id is not null
    )`;

/** The CTE `target`: the event and the key of a write. Both are locked, so that nobody deletes them meanwhile. */
export const targetOf = (eventId: SQL, keyId: SQL): SQL => sql`
    target as materialized (
      select event.id as event_id, api_key.id as api_key_id
      from (${eventId} for key share) event, (${keyId} for key share) api_key
    )`;

/** A StoredResult of a column that holds a result, as JSON. */
export const contentOf = (row: 'result' | 'before' | 'after'): SQL => {
  const name = sql.identifier(row);
  return sql`json_build_object('status', (${name}).status, 'chip_time_ms', (${name}).chip_time_ms,
    'gun_time_ms', (${name}).gun_time_ms, 'splits', (${name}).splits)`;
};
