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

/** The board of an event: whether everybody may open the board, and which names the board shows. */
export const boardOf = {
  isEnabled: settingOf('board_enabled', 'false'),
  names: settingOf('board_names', "'none'"),
  hiddenDistances: settingOf('board_hidden_distances', "'{}'"),
};

/** The short address of an event's board, as people read the address: `kd7w-x9f2`. Null without one. */
export const boardCodeOf = (eventId: SQL): SQL =>
  codeText(settingOf('board_code', 'null')(eventId));

export const codeText = (code: SQL): SQL => sql`left(${code}, 4) || '-' || right(${code}, 4)`;

/** Which places of an event have a prize. */
export const prizesOf = settingOf('prizes', "'all'");
