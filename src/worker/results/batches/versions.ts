import { type SQL, sql } from 'drizzle-orm';
import { RESULT_COLUMNS, type ResultColumns } from '../columns.ts';

/**
 * CTEs that end with `version`: the numbered versions of the results of some runners. Version 1 is the oldest one
 * that is kept. What a batch replaced is version n - 1 of what it made. A batch that took a result away made a
 * version too: one whose content is null.
 * - `made_by`: the batch that stored the result, brought it back or took it away.
 * - `batch_id`: the upload that the content comes from. A revert brings the content of an upload back.
 * - `versions`: how many there are. The version of this number is the present one.
 * @param runners a CTE with `registration_id` and `bib_number`
 * @param latest how many of the replaced results of each runner are read, from the latest back. By default all
 */
export function versionsOf(
  runners: 'listed' | 'locked' | 'runner',
  { columns = RESULT_COLUMNS, latest }: { columns?: ResultColumns; latest?: number } = {},
): SQL {
  // `made_by` says which revert brought a version back.
  const content = columns.filter((column) => column !== 'restored_by');
  const names = sql.raw(content.join(', '));
  return sql`
    -- What is stored, and what was. The stored result has no place: it comes last.
    content as materialized (
      select runner.registration_id, bib_number, result.*,
        lead(made_by) over (partition by runner.registration_id order by place) as next_made_by
      from ${sql.raw(runners)} runner cross join lateral (
        (
          select id as place, coalesce(restored_by, batch_id) as made_by, replaced_by, ${names}
          from replaced_results where registration_id = runner.registration_id
          ${latest === undefined ? sql`` : sql.raw(`order by id desc limit ${latest}`)}
        )
        union all
        select null, coalesce(restored_by, batch_id), null, ${names}
        from results where registration_id = runner.registration_id
      ) result
    ),
    version as materialized (
      select *, row_number() over (partition by registration_id order by place, is_gone) as number,
        count(*) over (partition by registration_id) as versions
      from (
        select registration_id, bib_number, place, false as is_gone, made_by, ${names} from content
        union all
        select registration_id, bib_number, place, true, replaced_by, ${sql.raw(content.map(() => 'null').join(', '))} from content
        where replaced_by is distinct from next_made_by
      ) made
    )`;
}

/**
 * SQL that names the present version of a runner's result: the batch that stored the result, brought it back or took it
 * away. Null if there was never one, or if the batch that took it away was pruned. A number would count from the oldest
 * version that is kept.
 * @param runner a table with `registration_id`
 * @param result its stored result, which may be null
 */
export const versionOf = (runner: 'corrected' | 'listed', result: SQL): SQL => sql`coalesce(
        ${result}.restored_by, ${result}.batch_id,
        (
          select replaced_by from replaced_results
          where registration_id = ${sql.raw(runner)}.registration_id order by id desc limit 1
        )
      )`;

/**
 * The CTE `change`: what the CTE `batch` did to each of these runners. `before` and `after` are versions, and
 * `present` is the latest one. A revert compares uploads, not versions: a result that another revert brought back
 * equals the one that its upload stored.
 * - `is_current`: the present result is what the batch left. It may have left none.
 * - `is_undone`: the present result is what there was before the batch.
 */
export const CHANGE = sql`
    change as materialized (${changeRows()})`;

/** Rows of the CTE `change`. */
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
