import { type SQL, sql } from 'drizzle-orm';
import { RESULT_COLUMNS } from '../columns.ts';

/**
 * CTEs that end with `version`: the numbered versions of some runners' results. Version 1 is the oldest stored version.
 * If a batch makes version n, the result before is version n - 1. A batch that removed a result made a version too: a
 * version with null content.
 * - `made_by`: the batch that stored, restored or removed the result.
 * - `batch_id`: the upload behind the content. A revert brings the content of an upload back.
 * - `versions`: the number of versions. The version with this number is the present version.
 * @param runners a CTE with `registration_id` and `bib_number`
 * @param latest how many of each runner's replaced results are read, from the latest back. By default all
 */
export function versionsOf(runners: 'listed' | 'locked' | 'runner', latest?: number): SQL {
  // `made_by` says which revert brought a version back.
  const content = RESULT_COLUMNS.filter((column) => column !== 'restored_by');
  const names = sql.raw(content.join(', '));
  return sql`
    -- The stored result and the replaced results. The stored result has no ordinal: the stored result comes last.
    content as materialized (
      select runner.registration_id, bib_number, result.*,
        lead(made_by) over (partition by runner.registration_id order by step) as next_made_by
      from ${sql.raw(runners)} runner cross join lateral (
        (
          select id as step, coalesce(restored_by, batch_id) as made_by, replaced_by, ${names}
          from replaced_results where registration_id = runner.registration_id
          ${latest === undefined ? sql`` : sql.raw(`order by id desc limit ${latest}`)}
        )
        union all
        select null, coalesce(restored_by, batch_id), null, ${names}
        from results where registration_id = runner.registration_id
      ) result
    ),
    version as materialized (
      select *, row_number() over (partition by registration_id order by step, is_gone) as number,
        count(*) over (partition by registration_id) as versions
      from (
        select registration_id, bib_number, step, false as is_gone, made_by, ${names} from content
        union all
        select registration_id, bib_number, step, true, replaced_by,
          ${sql.raw(content.map(() => 'null').join(', '))}
        from content
        where replaced_by is distinct from next_made_by
      ) made
    )`;
}

/**
 * SQL for the present version of a runner's result: the batch that stored, restored or removed the result. Null for a
 * result that never existed, or if the removing batch was pruned. A number would count from the oldest stored version.
 * @param runner a table with `registration_id`
 * @param result the stored result of `runner`, which may be null
 */
export const versionOf = (runner: 'corrected' | 'listed', result: SQL): SQL => sql`coalesce(
        ${result}.restored_by, ${result}.batch_id,
        (
          select replaced_by from replaced_results
          where registration_id = ${sql.raw(runner)}.registration_id order by id desc limit 1
        )
      )`;

/**
 * The CTE `change`: the effect of the CTE `batch` on each of these runners. `before` and `after` are versions, and
 * `present` is the latest version. A revert compares uploads, not versions: a result restored by another revert equals
 * the result that its upload stored.
 * - `is_current`: the present result is the result after the batch. A batch may leave no result.
 * - `is_undone`: the present result is the result before the batch.
 */
export const CHANGE = sql`
    change as materialized (${changeRows()})`;

export function changeRows(): SQL {
  return sql`
      select after.registration_id, after.bib_number, before, after, present,
        present.batch_id is not distinct from after.batch_id as is_current,
        present.batch_id is distinct from after.batch_id
          and present.batch_id is not distinct from before.batch_id as is_undone
      from version after
      join version present
        on present.registration_id = after.registration_id and present.number = present.versions
      left join version before
        on before.registration_id = after.registration_id and before.number = after.number - 1
      where after.made_by = (select id from batch)`;
}
