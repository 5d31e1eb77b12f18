import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { DEFAULT_RULE } from '../../../timing-files/read/ranking-rule.ts';
import { isSince, momentOf } from '../../db/since.ts';
import { isoText } from '../../db/sql.ts';
import type { Slots } from '../../db/statement.ts';
import { streamedStatement } from '../../db/streamed-statement.ts';
import { findEvent, ownEventId } from '../../events/queries.ts';
import { fieldNames, fieldsWithout, itemsWith } from '../../http/item-fields.ts';
import { NO_POSITIONS, POSITION_FIELDS, type Ranked } from '../../positions/positions.ts';
import { EXPORTED_RESULT_FIELDS } from '../result.ts';
import { listedResult, OF_EVENT, orderOfResults, registrationColumns } from '../sql.ts';
import { ResultExportQuery } from './schemas.ts';

type Since = { eventId: string; since?: string };

const copiedRow = () =>
  z.extend(listedResult(), { inscription_id: z.guid(), is_removed: z.boolean() });

type CopiedRow = z.output<ReturnType<typeof copiedRow>>;

/**
 * Registrations whose result a deletion or a revert removed. Few polls find a removal, and only these polls read every
 * registration.
 */
const removedSince = (since: SQL): SQL => sql`
      union all
      select null, registrations.id, registrations.id, null, null, null, null, 'DNS', null, null, '{}', '', true
      from registrations
      cross join lateral (
        select from replaced_results
        where registration_id = registrations.id and ${isSince('replaced_results', since)}
        limit 1 offset 0
      ) replaced
      where ${OF_EVENT} and not exists (select from results where registration_id = registrations.id)
        and exists (
          select from result_batches
          where ${OF_EVENT} and removed > 0 and ${isSince('result_batches', since)}
        )`;

/** The results of an event, for a copy: with their own splits, because passings have their own list. */
const copyResults = streamedStatement(
  'copyResults',
  copiedRow,
  ({ eventId, since: slot }: Slots<Since>) => {
    const since = slot && sql`${slot}::bigint`;
    return {
      rows: sql`
      with event as materialized (${ownEventId(eventId)})
      select finish_time_ms, registration_id, registration_id as inscription_id, ${registrationColumns()},
        status, chip_time_ms, gun_time_ms, splits, ${isoText(sql`updated_at`)} as updated_at,
        false as is_removed
      from (
        select *, ${since ? isSince('results', since) : sql`true`} as is_new_result
        from results where ${OF_EVENT}
      ) result
      join (
        select id as registration_id, ${registrationColumns()},
          ${since ? isSince('registrations', since) : sql`true`} as is_new_runner
        from registrations where ${OF_EVENT}
      ) registration using (registration_id)
      where is_new_result or is_new_runner
      ${since ? removedSince(since) : sql``}`,
      order: orderOfResults('finish_time_ms'),
      long: 'splits' as const,
      moment: sql`
      with event as materialized (${ownEventId(eventId)})
      select ${momentOf(sql`(select count(*) from results where ${OF_EVENT})`)} from event`,
    };
  },
  { since: true },
);

/** A copy has no positions, because a position changes with the results of other runners. */
const FIELDS = fieldsWithout(EXPORTED_RESULT_FIELDS, [...fieldNames(POSITION_FIELDS), 'rank_by']);
const UNRANKED: Ranked = { ...NO_POSITIONS, rank_by: DEFAULT_RULE };

const toItem = itemsWith(FIELDS);

export const resultCopy = {
  list: 'results' as const,
  filters: ResultExportQuery,
  event: findEvent,
  rows: copyResults,
  fields: () => fieldNames(FIELDS),
  toItem: (row: CopiedRow) => toItem(row, UNRANKED),
  what: 'results',
};
