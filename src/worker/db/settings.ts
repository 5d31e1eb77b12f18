import { type SQL, sql } from 'drizzle-orm';
import { DEFAULT_RULE } from '../../timing-files/read/ranking-rule.ts';
import type { eventSettings } from './schema.ts';

/**
 * A setting of an event, as a scalar subquery. An event without a row has the default of `schema.ts`.
 * @param eventId SQL for the id, with the name of the id's table
 */
const settingOf =
  (column: keyof typeof eventSettings.$inferSelect, otherwise: string) =>
  (eventId: SQL): SQL =>
    sql`coalesce((
      select ${sql.identifier(column)} from event_settings where event_settings.event_id = ${eventId}
    ), ${sql.raw(otherwise)})`;

/** The rule by which an event ranks. */
export const ruleOf = settingOf('ranking_rule', `'${DEFAULT_RULE}'`);

/** The board of an event: whether everybody may open the board, and how much of the names the board shows. */
export const boardOf = {
  isEnabled: settingOf('board_enabled', 'false'),
  names: settingOf('board_names', "'none'"),
};
