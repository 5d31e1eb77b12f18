import { drizzle } from 'drizzle-orm/node-postgres';
import { setUpEvent } from '../dev/stack/seed.ts';
import { RANKING_RULES, type RankingRule } from '../timing-files/read/ranking-rule.ts';
import { plannedForGroups } from '../worker/db/planned.ts';
import { listResults } from '../worker/results/read/queries.ts';
import { figureOf, type Line, measureInTurns, type Report, ratioLine } from './measure.ts';
import { createRace, finishRace, type Race, startServers } from './race.ts';
import { type SentQuery, sendingWith, transaction } from './statements.ts';

const FINISHERS = 50_000;
const PAGE_SIZE = 100;
const MIDDLE = FINISHERS / PAGE_SIZE / 2;
const TURNS = { warmUps: 5, samples: 41 };

/**
 * The most that a page may cost under each rule, as a multiple of the floor. The earlier API's page, without rules,
 * costs 1.07 times the floor.
 */
const MOST: Readonly<Record<RankingRule, number>> = { chip: 1.15, gun: 1.4, gun_overall: 1.4 };

/** A page by chip time alone: the rows, their number, and the number of faster runners in each group. */
const BY_CHIP_ALONE = `
  with bounds as materialized (
    select min(finish_time_ms) as first_ms, max(finish_time_ms) as last_ms from (
      select finish_time_ms from results where event_id = $1 order by finish_time_ms limit $2 offset $3
    ) slice
  ),
  faster as materialized (
    select case when finish_time_ms < (select first_ms from bounds) then -1 else finish_time_ms end as time_ms,
      gender, category, distance, count(*)::int as finishers
    from (
      select registration_id, finish_time_ms from results
      where event_id = $1 and finish_time_ms < (select last_ms from bounds)
    ) result
    join (select id as registration_id, gender, category, distance from registrations where event_id = $1)
      registration using (registration_id)
    group by 1, 2, 3, 4
  ),
  page as (
    select result.*, registration.* from results result
    cross join lateral (
      select bib_number, gender, category, distance from registrations
      where id = result.registration_id offset 0
    ) registration
    where event_id = $1 and finish_time_ms between (select first_ms from bounds) and (select last_ms from bounds)
    order by finish_time_ms, length(bib_number), bib_number limit $2
  )
  select (select count(*)::int from results where event_id = $1), (select json_agg(page) from page),
    (select json_agg(faster) from faster)`;

/** Compares a page of results under each rule with a page without a rule. */
export async function benchRanking(): Promise<Report> {
  const servers = await startServers();
  const { pool } = servers;
  try {
    const race = await createRace(pool, FINISHERS);
    await finishRace(pool, race);
    return {
      lines: await linesOf(servers, race),
      notes: [
        `Ranking: page ${MIDDLE} of the results of ${FINISHERS} finishers, in database time. The floor is a page by chip ` +
          `time alone. Medians of ${TURNS.samples} runs, floor and figures in turns. All gun times are a ` +
          'minute longer than the chip times.',
      ],
    };
  } finally {
    await servers.stop();
  }
}

async function linesOf(
  { pool }: Awaited<ReturnType<typeof startServers>>,
  { eventId, key }: Race,
): Promise<Line[]> {
  const client = await pool.connect();
  const set = (rule: RankingRule) => setUpEvent(drizzle(pool), eventId, { ranking_rule: rule });
  try {
    const send = await sendingWith(key, 'events:read');
    const planned = send(plannedForGroups());
    const page = send(listResults(eventId, { page: MIDDLE, page_size: PAGE_SIZE }));
    const alone: SentQuery = {
      text: BY_CHIP_ALONE,
      values: [eventId, PAGE_SIZE, (MIDDLE - 1) * PAGE_SIZE],
    };
    await set('chip');
    const medians = await measureInTurns(
      [
        { name: 'alone', run: () => transaction(client, [planned, alone]) },
        ...RANKING_RULES.map((rule, at) => ({
          name: rule,
          run: () => transaction(client, [planned, page]),
          undo: () => set(RANKING_RULES[at + 1] ?? 'chip'),
        })),
      ],
      TURNS,
    );
    const floorMs = figureOf(medians, 'alone');
    return RANKING_RULES.map((rule) =>
      ratioLine(`page of results of ${FINISHERS} by ${rule}`, {
        ms: figureOf(medians, rule),
        floorMs,
        most: MOST[rule],
      }),
    );
  } finally {
    client.release();
  }
}
