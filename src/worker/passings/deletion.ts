import { sql } from 'drizzle-orm';
import { type Slots, statement, total } from '../db/statement.ts';
import { bySender, type SenderKind } from '../results/sender.ts';
import { WRITE_BUDGET_MS } from '../results/upload/store.ts';
import { knownPoint } from './sql.ts';

type OfPoint = { eventId: string; point: string };

/** How many passings a point has; no row if the event is not the caller's. */
export const countPassings = bySender(({ ownEvent }) =>
  statement(
    total,
    ({ eventId, point }: Slots<OfPoint>) => sql`
    with event as materialized (${ownEvent(eventId)})
    select (
      select count(*)::int from passings
      where event_id = event.id and point = ${knownPoint(sql`event.id`, point)}
    ) as total
    from event`,
  ),
);

/** Deletes the passings of a point. Answers how many, or no row if the event is not the caller's. */
export const deletePassings = (values: OfPoint, by: SenderKind) => ({
  ...takeBack[by](values),
  budgetMs: WRITE_BUDGET_MS,
});

const EVENT_ID = sql`(select event_id from target)`;

const takeBack = bySender(({ target }) =>
  statement(
    total,
    ({ eventId, point }: Slots<OfPoint>) => sql`
    with target as materialized (${target(eventId)}),
    -- Locked in the order in which uploads lock them.
    of_point as materialized (
      select registration_id, point from passings
      where event_id = ${EVENT_ID} and point = ${knownPoint(EVENT_ID, point)}
      order by registration_id for update
    ),
    deleted as (
      delete from passings using of_point
      where passings.registration_id = of_point.registration_id
        and passings.point = of_point.point
      returning 1
    )
    select (select count(*)::int from deleted) as total from target`,
  ),
);
