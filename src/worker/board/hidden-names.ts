import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { memberUserId } from '../auth/panel/queries.ts';
import { listStatement, type OfEvent, type Slots, statement } from '../db/statement.ts';
import { managedEventId } from '../events/panel-queries.ts';

type OfBib = OfEvent & { bib: string };

const hiddenName = () =>
  z.strictObject({
    inscription_id: z.guid(),
    bib_number: z.nullable(z.string()),
    given_names: z.nullable(z.string()),
    surnames: z.nullable(z.string()),
  });

/** The runners whose names an event's board never shows, by bib; no row if the organization has no such event. */
export const listHiddenNames = listStatement(
  'listHiddenNames',
  hiddenName,
  ({ eventId }: Slots<OfEvent>) => ({
    of: sql`select 1 from events where id = ${managedEventId(eventId)}`,
    columns: sql`id as inscription_id, bib_number, given_names, surnames`,
    table: 'registrations',
    where: sql`event_id = ${managedEventId(eventId)}
      and id in (select registration_id from board_hidden_names)`,
    order: sql`char_length(bib_number), bib_number collate "C", id`,
  }),
);

const runner = () => z.strictObject({ id: z.guid() });

const RUNNER = ({ eventId, bib }: Slots<OfBib>) => sql`
    runner as materialized (
      select id, event_id, bib_number from registrations
      where event_id = ${managedEventId(eventId)} and bib_number = ${bib} for key share
    )`;

/** Records the user of the change. Hiding a hidden name changes nothing. */
const recorded = (
  changed: 'hidden' | 'shown',
  { before, after }: Record<'before' | 'after', SQL>,
) =>
  sql`
    recorded as (
      insert into event_changes (event_id, kind, before, after, user_id)
      select event_id, 'hidden_name', ${before}, ${after}, ${memberUserId}::text
      from runner where id in (select registration_id from ${sql.raw(changed)})
    )`;

/** Hides the name of a runner. Answers the runner, or no row if the event has no such bib. */
export const hideName = statement(
  'hideName',
  runner,
  (slots: Slots<OfBib>) => sql`
    with ${RUNNER(slots)},
    hidden as (
      insert into board_hidden_names (registration_id) select id from runner
      on conflict do nothing
      returning registration_id
    ),
    ${recorded('hidden', { before: sql`null`, after: sql`bib_number` })}
    select id from runner`,
);

/** Shows the name of a runner again. Answers as `hideName`. */
export const showName = statement(
  'showName',
  runner,
  (slots: Slots<OfBib>) => sql`
    with ${RUNNER(slots)},
    shown as (
      delete from board_hidden_names where registration_id in (select id from runner)
      returning registration_id
    ),
    ${recorded('shown', { before: sql`bib_number`, after: sql`null` })}
    select id from runner`,
);
