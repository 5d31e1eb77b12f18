import type pg from 'pg';
import { findRunner, listPage, listRaces, plannedForAnEvent } from '../worker/board/queries.ts';
import { PAGE_SIZE as BOARD_PAGE_SIZE } from '../worker/board/schemas.ts';
import type { Statement } from '../worker/db/statement.ts';
import { listResults, plannedForManyRows } from '../worker/results/read/queries.ts';
import type { ResultQuery } from '../worker/results/read/schemas.ts';
import { formatMs, type Line, measureInTurns, medianOf, type Report } from './measure.ts';
import { createKey, createRace, type Race, startServers } from './race.ts';
import { type SentQuery, sendingWith, transaction } from './statements.ts';

const FINISHERS = 50_000;
const FEW_FINISHERS = 2_000;
/** Other events of as many finishers, in the same tables. */
const OTHER_EVENTS = 4;
/** Of this many registrations one did not finish. */
const ONE_UNFINISHED_IN = 25;
const PAGE_SIZE = 100;
const TURNS = { warmUps: 3, samples: 11 };

type Vacuumed = 'never vacuumed' | 'vacuumed';
type Read = { name: string; queries: SentQuery[]; goalMs: Record<Vacuumed, number> };

/** Measures how long Postgres needs to read results and the board, before and after the first vacuum. */
export async function benchStandings(): Promise<Report> {
  const servers = await startServers();
  try {
    const client = await servers.pool.connect();
    // As after a bulk import or in a live race: nothing is vacuumed, nothing analyzed.
    for (const table of ['persons', 'registrations', 'results']) {
      await client.query(`alter table ${table} set (autovacuum_enabled = off)`);
    }
    const few = await createFinishedRace(client, servers.pool, FEW_FINISHERS);
    const many = await createFinishedRace(client, servers.pool, FINISHERS);
    for (let event = 0; event < OTHER_EVENTS; event++) {
      await createFinishedRace(client, servers.pool, FINISHERS);
    }
    const lines: Line[] = [];
    for (const state of ['never vacuumed', 'vacuumed'] as const) {
      if (state === 'vacuumed') await client.query('vacuum analyze registrations, results');
      for (const [race, finishers] of [
        [many, FINISHERS],
        [few, FEW_FINISHERS],
      ] as const) {
        lines.push(...(await measure(client, await readsOf(client, race, finishers), state)));
      }
    }
    client.release();
    const all = (OTHER_EVENTS + 1) * FINISHERS + FEW_FINISHERS;
    return {
      lines,
      notes: [
        'Database time: from `begin` to `commit` over one connection, with the SQL that the API ' +
          `sends; ${all} finishers in the table, and one in ${ONE_UNFINISHED_IN} who did not finish. ` +
          `A page holds ${PAGE_SIZE}, with its total and all positions. Never vacuumed: straight after ` +
          `all of it was written, not analyzed either. Medians of ${TURNS.samples}, in turns.`,
      ],
    };
  } finally {
    await servers.stop();
  }
}

/** A race with this many finishers over 150 minutes, some at the same time, and some who did not finish. */
async function createFinishedRace(
  client: pg.PoolClient,
  pool: pg.Pool,
  finishers: number,
): Promise<Race> {
  const registrations = Math.ceil((finishers * ONE_UNFINISHED_IN) / (ONE_UNFINISHED_IN - 1));
  const race = await createRace(pool, { registrations, isVacuumed: false });
  await createKey(client, race);
  await client.query(
    `with batch as (
      insert into result_batches (event_id, api_key_id, source, total_processed, uploaded, updated,
        not_found, errors, duplicates)
      select events.id, api_keys.id, 'json', 0, 0, 0, 0, 0, 0
      from events join api_keys using (organization_id) where events.id = $1
      returning id
    )
    insert into results (registration_id, event_id, batch_id, status, chip_time_ms, splits)
    select registrations.id, event_id, batch.id,
      case when n % $2 <> 0 then 'FINISHED' else (array['DNF', 'DSQ', 'DNS'])[1 + n % 3] end,
      case when n % $2 <> 0 then 4000000 + n * 7919 % 9000000 / 500 * 500 end,
      '{"Km 5": 1500000, "Km 10": 3000000}'
    from registrations cross join lateral (select bib_number::bigint as n) bib, batch
    where event_id = $1`,
    [race.eventId, ONE_UNFINISHED_IN],
  );
  return race;
}

type Filter = Omit<ResultQuery, 'page' | 'page_size'>;

async function readsOf(client: pg.PoolClient, race: Race, finishers: number): Promise<Read[]> {
  const { eventId } = race;
  const send = await sendingWith(await createKey(client, race), 'events:read');
  const { rows } = await client.query<Record<'gender' | 'category' | 'distance' | 'bib', string>>(
    `select gender, category, distance, bib_number as bib from results
    join registrations on id = registration_id where results.event_id = $1
    order by finish_time_ms desc nulls last limit 1`,
    [eventId],
  );
  const [{ bib, ...groups } = { bib: '', gender: '', category: '', distance: '' }] = rows;
  const page = (number: number, filter: Filter = {}, page_size = PAGE_SIZE) =>
    [plannedForManyRows({}), listResults(eventId, { page: number, page_size, ...filter })].map(
      send,
    );
  const lastPage = async (filter: Filter) => {
    const wanted = Object.entries(filter).map(([column, value]) => `${column} = '${value}'`);
    const { rows: counted } = await client.query<{ pages: number }>(
      `select greatest(1, ceil(count(*) / $2::float))::int as pages
      from results join registrations on id = registration_id
      where ${['results.event_id = $1', ...wanted].join(' and ')}`,
      [eventId, PAGE_SIZE],
    );
    return page(counted[0]?.pages ?? 1, filter);
  };
  const most = finishers === FINISHERS ? { 'never vacuumed': 120, vacuumed: 50 } : SMALL_MS;
  const first = finishers === FINISHERS ? { 'never vacuumed': 60, vacuumed: 10 } : SMALL_MS;
  const board = finishers === FINISHERS ? { 'never vacuumed': 120, vacuumed: 120 } : SMALL_BOARD_MS;
  const reads: Read[] = [
    { name: 'first page', queries: page(1), goalMs: first },
    { name: 'last page of finishers', queries: page(finishers / PAGE_SIZE), goalMs: most },
    { name: 'last page', queries: await lastPage({}), goalMs: most },
    { name: 'the last bib', queries: page(1, { bib }, 1), goalMs: most },
    { name: 'first page of DNF', queries: page(1, { status: 'DNF' }), goalMs: most },
  ];
  for (const filter of [
    { gender: groups.gender },
    { category: groups.category },
    { distance: groups.distance },
    groups,
  ]) {
    const name = Object.keys(filter).length === 1 ? Object.keys(filter).join() : 'all three groups';
    reads.push(
      { name: `first page by ${name}`, queries: page(1, filter), goalMs: most },
      { name: `last page by ${name}`, queries: await lastPage(filter), goalMs: most },
    );
  }
  await client.query('update events set board_enabled = true where id = $1', [eventId]);
  const onBoard = (statement: Statement) => [plannedForAnEvent({}), statement].map(send);
  const list = listPage({
    eventId,
    distance: groups.distance,
    offset: finishers - BOARD_PAGE_SIZE,
  });
  return [
    ...reads,
    { name: 'snapshot of the board', queries: onBoard(listRaces({ eventId })), goalMs: board },
    { name: 'page of the board', queries: onBoard(list), goalMs: board },
    {
      name: 'runner on the board',
      queries: onBoard(findRunner({ eventId, bib })),
      goalMs: board,
    },
  ].map((read) => ({ ...read, name: `${read.name}, ${finishers} finishers` }));
}

const SMALL_MS = { 'never vacuumed': 6, vacuumed: 6 };
const SMALL_BOARD_MS = { 'never vacuumed': 20, vacuumed: 10 };

async function measure(
  client: pg.PoolClient,
  reads: readonly Read[],
  state: Vacuumed,
): Promise<Line[]> {
  const medians = await measureInTurns<string>(
    reads.map(({ name, queries }) => ({ name, run: () => transaction(client, queries) })),
    TURNS,
  );
  return reads.map(({ name, goalMs }) => {
    const ms = medianOf(medians, name);
    const goal = goalMs[state];
    return {
      operation: `${name}, ${state}`,
      measured: formatMs(ms),
      goal: `≤ ${goal} ms`,
      met: ms <= goal,
    };
  });
}
