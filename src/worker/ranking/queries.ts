import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { RANKING_RULES, type RankingRule } from '../../timing-files/read/ranking-rule.ts';
import { memberUserId } from '../auth/panel/queries.ts';
import { ruleOf } from '../db/settings.ts';
import { EVENT_CHANGE_KINDS, isoText, naturalOrder } from '../db/sql.ts';
import {
  command,
  listStatement,
  type OfEvent,
  type RowSchema,
  type Slot,
  type Slots,
  statement,
} from '../db/statement.ts';
import { managedEventId } from '../events/panel-queries.ts';
import { POSITIONS, RULED_POSITIONS } from '../positions/positions.ts';
import { placeOf } from '../positions/sql.ts';
import { OF_EVENT } from '../results/sql.ts';
import type { EventChange, EventRanking } from './answer-schemas.ts';
import type { EventRankingIn } from './schemas.ts';

const eventRanking = () =>
  z.strictObject({
    rank_by: z.enum(RANKING_RULES),
    finishers_without_chip_time: z.int(),
    finishers_without_gun_time: z.int(),
    runners: z.int(),
    podiums: z.array(
      z.strictObject({
        distance: z.nullable(z.string()),
        gender: z.nullable(z.string()),
        category: z.nullable(z.string()),
        runners: z.array(
          z.strictObject({
            bib_number: z.nullable(z.string()),
            given_names: z.nullable(z.string()),
            surnames: z.nullable(z.string()),
            before: z.int(),
            after: z.int(),
          }),
        ),
      }),
    ),
  });

eventRanking satisfies RowSchema<EventRanking>;

const named = (name: string, when: 'before' | 'after') => sql.identifier(`${name}_${when}`);

const isMoved = (name: string) => sql`${named(name, 'before')} <> ${named(name, 'after')}`;

/** Equal times share a place, so more runners than three may be among the first three. */
const PODIUM_RUNNERS_MAX = 6;

/** Groups in which a place of the first three changes, with the first of these runners. */
const podiumsOf = (name: (typeof RULED_POSITIONS)[number]) => {
  const { within } = POSITIONS[name];
  const [before, after] = [named(name, 'before'), named(name, 'after')];
  const columns = (['distance', 'gender', 'category'] as const).map((column) =>
    within.includes(column) ? sql.identifier(column) : sql`null::text as ${sql.identifier(column)}`,
  );
  return sql`
      select ${sql.join(columns, sql`, `)}, to_json((array_agg(
        json_build_object('bib_number', bib_number, 'given_names', given_names, 'surnames', surnames,
          'before', ${before}, 'after', ${after})
        order by ${after}, ${before}, registration_id
      ))[1:${sql.raw(`${PODIUM_RUNNERS_MAX}`)}]) as runners
      from placed cross join lateral (
        select bib_number, given_names, surnames from registrations where id = registration_id offset 0
      ) runner
      where ${isMoved(name)} and 3 >= least(${before}, ${after})
      group by ${sql.join(
        within.map((column) => sql.identifier(column)),
        sql`, `,
      )}`;
};

/** The effect of the rule: the CTE `placed`, and expressions over the CTE. Without a new rule, nothing changes. */
function changesBy(rule: Slot | undefined) {
  if (!rule) return { placed: sql`select`, runners: sql`0`, podiums: sql`'[]'::json` };
  const places = RULED_POSITIONS.flatMap((name) => [
    sql`${placeOf(name, sql`event.rank_by`)} as ${named(name, 'before')}`,
    sql`${placeOf(name, sql`${rule}::text`)} as ${named(name, 'after')}`,
  ]);
  return {
    placed: sql`
      select registration_id, gender, category, distance, ${sql.join(places, sql`, `)}
      from event
      join (select * from results where ${OF_EVENT}) results on true
      join (
        select id as registration_id, gender, category, distance from registrations where ${OF_EVENT}
      ) registrations using (registration_id)
      where finish_time_ms is not null`,
    runners: sql`(
      select count(*)::int from placed where ${sql.join(RULED_POSITIONS.map(isMoved), sql` or `)}
    )`,
    podiums: sql`coalesce((
      select json_agg(podium order by ${naturalOrder(sql`distance`)} nulls first, distance,
        gender nulls first, category nulls first)
      from (${sql.join(RULED_POSITIONS.map(podiumsOf), sql` union all `)}) podium
    ), '[]')`,
  };
}

/** How an event ranks, and the effect of another rule; no row if the organization has no such event. */
export const findRanking = statement(
  'findRanking',
  eventRanking,
  ({ eventId, rule }: Slots<OfEvent & { rule?: RankingRule | undefined }>) => {
    const { placed, runners, podiums } = changesBy(rule);
    return sql`
    with event as materialized (
      select id, ${ruleOf(sql`events.id`)} as rank_by from events where id = ${managedEventId(eventId)}
    ),
    placed as materialized (${placed})
    select rank_by, counted.*, ${runners} as runners, ${podiums} as podiums
    from event cross join lateral (
      select count(*) filter (where chip_time_ms is null)::int as finishers_without_chip_time,
        count(*) filter (where gun_time_ms is null)::int as finishers_without_gun_time
      from results where ${OF_EVENT} and finish_time_ms is not null
    ) counted`;
  },
  { rule: true },
);

/** Sets the rule and the prizes of an event, and records the user and the reason. A current value changes nothing. */
export const updateRanking = command(
  'updateRanking',
  ({ eventId, rule, prizes, reason }: Slots<OfEvent & EventRankingIn>) => sql`
    with before as materialized (
      select event_id, ranking_rule, prizes from event_settings
      where event_id = ${managedEventId(eventId)} for no key update
    ),
    changed as (
      update event_settings setting set
        -- A column set to itself keeps its value.
        ranking_rule = ${rule ?? sql`setting.ranking_rule`},
        prizes = ${prizes ?? sql`setting.prizes`}
      from before where setting.event_id = before.event_id
      returning before.*, setting.ranking_rule as rule, setting.prizes as prizes_now
    )
    insert into event_changes (event_id, kind, before, after, user_id, reason)
    select event_id, kind, was, is_now, ${memberUserId}::text, ${reason ? sql`${reason}::text` : sql`null`}
    from changed cross join lateral (
      values ('ranking_rule', ranking_rule, rule), ('prizes', prizes, prizes_now)
    ) setting (kind, was, is_now)
    where was <> is_now`,
  { rule: true, prizes: true, reason: true },
);

const eventChange = () =>
  z.strictObject({
    kind: z.enum(EVENT_CHANGE_KINDS),
    before: z.nullable(z.string()),
    after: z.nullable(z.string()),
    user_id: z.nullable(z.string()),
    key_prefix: z.nullable(z.string()),
    reason: z.nullable(z.string()),
    changed_at: z.string(),
  });

eventChange satisfies RowSchema<EventChange>;

/** The users' changes of an event, the latest first; no row if the organization has no such event. */
export const listEventChanges = listStatement(
  'listEventChanges',
  eventChange,
  ({ eventId }: Slots<OfEvent>) => ({
    of: sql`select 1 from events where id = ${managedEventId(eventId)}`,
    columns: sql`kind, before, after, user_id, key_prefix, reason, ${isoText(sql`changed_at`)} as changed_at`,
    table: 'event_changes',
    where: sql`event_id = ${managedEventId(eventId)}`,
    order: sql`event_changes.id desc`,
  }),
);
