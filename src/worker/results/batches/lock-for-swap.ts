import { sql } from 'drizzle-orm';
import { type Slots, statement, total } from '../../db/statement.ts';
import { bySender } from '../sender.ts';
import type { Swap } from './swap.ts';

type OfBibs = Pick<Swap, 'eventId' | 'bib' | 'otherBib'>;

/**
 * Locks the results and passings of two runners, so that the next statement sees the outcome of a concurrent swap.
 * Within a single statement, the passings would be read in the state before the wait.
 */
export const lockForSwap = bySender(({ ownEvent, kind }) =>
  statement(
    `lockForSwap.${kind}`,
    total,
    ({ eventId, bib, otherBib }: Slots<OfBibs>) => sql`
    with runner as materialized (
      select id from registrations
      where event_id = ${ownEvent(eventId)} and bib_number in (${bib}, ${otherBib})
    ),
    locked_results as materialized (
      select registration_id from results where registration_id in (select id from runner)
      order by registration_id for update
    ),
    locked_passings as materialized (
      select registration_id from passings where registration_id in (select id from runner)
        and (select count(*) from locked_results) >= 0
      order by registration_id, point for update
    )
    select (select count(*) from locked_results)::int + (select count(*) from locked_passings)::int as total`,
  ),
);
