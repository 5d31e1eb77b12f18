import { type SQL, sql } from 'drizzle-orm';
import type { resultBatches } from '../db/schema.ts';
import type { Slot } from '../db/statement.ts';
import { RESULT_COLUMNS, type ResultColumn } from './columns.ts';

/** Facts of a batch by the columns of `result_batches`. */
type BatchFacts = { [Column in keyof typeof resultBatches.$inferInsert]?: SQL };

/** Facts that `applyChange` knows without the caller. */
type KnownFact = 'id' | 'event_id' | 'api_key_id' | 'key_prefix' | 'uploaded' | 'removed';

/**
 * The result of each row of the CTE `changed` afterwards: the result in the column `of`, except for the columns in
 * `set`. The column `result` holds the stored result: a row without a stored result gets its first result. In `before`
 * and `after`, null means that no result remains. Without `after`, no result remains.
 */
export type After = {
  of: 'result' | 'before' | 'after';
  set: { [Column in ResultColumn]?: SQL };
};

/** A change of results, and the batch in which the change is recorded. */
type Change = {
  batchId: Slot;
  after?: After;
  /** The facts of the batch. `updated` is the number of rows that count as updated without a write. */
  facts: Omit<BatchFacts, KnownFact> & Required<Pick<BatchFacts, 'source' | 'total_processed'>>;
  /** Further CTEs of a single row, for facts. */
  from?: SQL;
  /** Whether the batch is recorded. */
  when: SQL;
  /**
   * The marks of a person who takes results away: for each removed result a mark against any result, or for each
   * changed result a mark against the values before.
   */
  withdraws?: 'removed' | 'values';
};

const EVENT_ID = sql`(select event_id from target)`;

const list = (parts: SQL[]): SQL => sql.join(parts, sql`, `);

const names = (columns: readonly string[], row = ''): SQL =>
  sql.raw(columns.map((column) => `${row}${column}`).join(', '));

/**
 * CTEs that change results by the CTEs `changed` and `target`, and record the change as a batch. `changed` has a row
 * for each changing registration: `registration_id`, and `result`, the stored result, locked; null without a stored
 * result. The statement keeps the replaced results, and updates, inserts and deletes.
 *
 * The batch draws its number after the locks. If a concurrent transaction inserts the first result of a registration,
 * or removes a result, the counts do not add up: the check of `result_batches` fails, and `transact` repeats the
 * transaction.
 */
export function applyChange({ batchId, after, facts, from, when, withdraws }: Change): SQL {
  const { updated: alsoUpdated = ZERO, ...others } = { ...NOT_LOADED, ...facts };
  const [mayRemain, mayGo] = [after !== undefined, after?.of !== 'result'];
  return sql`
    -- Copies of the results that the batch replaces or removes.
    kept as (
      insert into replaced_results (replaced_by, registration_id, ${names(RESULT_COLUMNS)})
      select ${batchId}::uuid, (result).registration_id, ${names(RESULT_COLUMNS, '(result).')} from changed
      where (result).registration_id is not null
    ),
    ${after ? writeRows(after) : sql``}
    ${mayGo ? removeRows(after) : sql``}
    ${withdraws ? MARKS[withdraws](batchId) : sql``}
    -- The batch with its counts. The counts come from "from", so that the number is drawn after the locks.
    recorded as (
      insert into result_batches (
        id, event_id, api_key_id, key_prefix, uploaded, updated, removed, ${names(Object.keys(others))}
      )
      select ${batchId}::uuid, target.event_id, api_key_id, key_prefix, inserted, updated + ${alsoUpdated}, removed,
        ${list(Object.values(others))}
      from target, ${countOf('inserted', mayRemain)}, ${countOf('updated', mayRemain)},
        ${countOf('removed', mayGo)}${from ? sql`, ${from}` : sql``}
      where ${when}
      returning id, uploaded, updated, unchanged
    )`;
}

const ZERO = sql`0`;
const NOT_LOADED = { not_found: ZERO, errors: ZERO, duplicates: ZERO };

/** The number of rows that a CTE has written, if the CTE exists. */
const countOf = (cte: 'inserted' | 'updated' | 'removed', isThere: boolean): SQL =>
  sql.raw(
    isThere ? `(select count(*)::int as ${cte} from ${cte}) ${cte}` : `(select 0 as ${cte}) ${cte}`,
  );

/** Whether a row of `changed` has a result afterwards. */
const remains = ({ of }: After): SQL =>
  of === 'result' ? sql`true` : sql`(changed.${sql.raw(of)}).batch_id is not null`;

/** CTEs that write the remaining results. */
function writeRows(after: After): SQL {
  const set: { [column: string]: SQL | undefined } = after.set;
  const values = RESULT_COLUMNS.map(
    (name) => set[name] ?? sql.raw(`(changed.${after.of}).${name}`),
  );
  return sql`
    updated as (
      update results stored set ${list(RESULT_COLUMNS.map((name, at) => sql`${sql.raw(name)} = ${values[at]}`))}
      from changed
      where stored.registration_id = changed.registration_id and stored.event_id = ${EVENT_ID}
        and (changed.result).registration_id is not null and ${remains(after)}
      returning 1
    ),
    -- First results. A result that a concurrent transaction inserts is left out.
    inserted as (
      insert into results (registration_id, event_id, ${names(RESULT_COLUMNS)})
      select registration_id, ${EVENT_ID}, ${list(values)}
      from changed
      where (changed.result).registration_id is null and ${remains(after)}
      order by registration_id
      on conflict (registration_id) do nothing
      returning 1
    ),`;
}

/** The CTE `removed`: deletes results of which none remains. */
const removeRows = (after: After | undefined): SQL => sql`
    removed as (
      delete from results stored using changed
      where stored.registration_id = changed.registration_id and stored.event_id = ${EVENT_ID}
        and ${after ? sql`not (${remains(after)})` : sql`true`}
      returning stored.registration_id
    ),`;

/** The CTE `marked`. */
const MARKS: Record<NonNullable<Change['withdraws']>, (batchId: Slot) => SQL> = {
  removed: (batchId) => sql`
    marked as (
      insert into withdrawn_results (registration_id, batch_id)
      select registration_id, ${batchId}::uuid from removed
    ),`,
  values: (batchId) => sql`
    marked as (
      insert into withdrawn_results (registration_id, batch_id, status, chip_time_ms, gun_time_ms)
      select registration_id, ${batchId}::uuid, (result).status, (result).chip_time_ms, (result).gun_time_ms
      from changed where (result).registration_id is not null
    ),`,
};
