import type pg from 'pg';
import { NONE_KNOWN } from '../http/etag.ts';
import { listResults } from '../standings/queries.ts';
import { finish, upload } from './database.ts';
import { raceRow } from './files.ts';
import {
  formatMs,
  type Line,
  linesTable,
  measureInTurns,
  medianOf,
  type Operation,
  prepared,
  type Report,
} from './measure.ts';
import { createKey, createRace, type Race, startServers } from './race.ts';
import { askingWith, type Statement, transaction } from './statements.ts';

const FINISHERS = [50_000, 200_000];
/** Of this many registrations one did not finish. */
const ONE_UNFINISHED_IN = 25;
const PAGE_SIZE = 100;
const READ_TURNS = { warmUps: 3, samples: 9 };
const UPLOAD_TURNS = { warmUps: 1, samples: 9 };
const LIVE_TURNS = { warmUps: 5, samples: 31 };

/** The most that each read may take of the database with 50 000 finishers. */
const GOALS_MS = { bib: 10, first: 5, last: 30, unfinished: 30, unchanged: 1 };
const GROWTH_MOST = 2;

type Read = keyof typeof GOALS_MS;

const NAMES: Record<Read, string> = {
  bib: 'the last bib',
  first: `first page of ${PAGE_SIZE}`,
  last: `last page of finishers`,
  unfinished: `last page of all, DNS`,
  unchanged: 'a page that has not changed (304)',
};

/** What reading results costs Postgres, beside ranking the whole event; and what keeping that costs. */
export async function benchStandings(): Promise<Report> {
  const servers = await startServers();
  try {
    const client = await servers.pool.connect();
    const lines: Line[] = [];
    const lastPages: number[] = [];
    for (const finishers of FINISHERS) {
      const race = await createFinishedRace(servers.pool, finishers);
      const medians = await readInTurns(client, race, finishers);
      lastPages.push(medianOf(medians, 'last'));
      lines.push(...readLines(medians, finishers));
    }
    lines.push(growthLine(lastPages));
    const writes = [
      ...(await benchWrites(client, servers.pool, 0, 5_000, UPLOAD_TURNS)),
      ...(await benchWrites(client, servers.pool, 50_000, 20, LIVE_TURNS)),
    ];
    client.release();
    return {
      lines,
      notes: [
        'Database time: from `begin` to `commit` over one connection, with the SQL that the API ' +
          'sends. Beside each read stands the same page or bib by the view `standings`, which ranks ' +
          'the whole event, and beside the 304 the bare look-up of the version. Medians of ' +
          `${READ_TURNS.samples}, in turns.`,
        'The floor of a write is the same one without the triggers that count:\n\n' +
          linesTable(writes),
      ],
    };
  } finally {
    await servers.stop();
  }
}

/** A race with this many finishers over 150 minutes, and some who did not finish. */
async function createFinishedRace(pool: pg.Pool, finishers: number): Promise<Race> {
  const registrations = Math.ceil((finishers * ONE_UNFINISHED_IN) / (ONE_UNFINISHED_IN - 1));
  const race = await createRace(pool, { registrations });
  await createKey(pool, race);
  await pool.query(
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
      case when n % $2 <> 0 then 4000000 + n * 7919 % 9000000 end,
      '{"Km 5": 1500000, "Km 10": 3000000}'
    from registrations cross join lateral (select bib_number::bigint as n) bib, batch
    where event_id = $1`,
    [race.eventId, ONE_UNFINISHED_IN],
  );
  await pool.query('vacuum analyze results, result_cells, event_versions');
  return race;
}

type Measured = Read | `${Exclude<Read, 'unchanged'>} by the view` | 'unchanged by its version';

async function readInTurns(client: pg.PoolClient, race: Race, finishers: number) {
  const { eventId } = race;
  const { caller, statements } = await askingWith(await createKey(client, race), 'events:read');
  const { rows } = await client.query<{ version: string; total: number; last_bib: string }>(
    `select version, (select count(*)::int from results where event_id = $1) as total,
      (select bib_number from standings where event_id = $1
        order by position_overall desc limit 1) as last_bib
    from event_versions where event_id = $1`,
    [eventId],
  );
  const [{ version, total, last_bib } = { version: '', total: 0, last_bib: '' }] = rows;
  const pages = { first: 1, last: Math.floor(finishers / PAGE_SIZE), unfinished: 1 };
  pages.unfinished = Math.ceil(total / PAGE_SIZE);

  // Without the key's own look-up, which every request has.
  const sentFor = (query: Parameters<typeof statements>[0]) => statements(query).slice(1);
  const page = (number: number, known = NONE_KNOWN) =>
    sentFor(listResults(caller, eventId, { page: number, page_size: PAGE_SIZE }, known));
  const asked: Record<Measured, Statement[]> = {
    bib: sentFor(
      listResults(caller, eventId, { bib: last_bib, page: 1, page_size: 1 }, NONE_KNOWN),
    ),
    'bib by the view': sentFor(toQuery(byTheView('bib_number = $2', ''), [eventId, last_bib])),
    first: page(pages.first),
    'first by the view': sentFor(pageByTheView(eventId, pages.first)),
    last: page(pages.last),
    'last by the view': sentFor(pageByTheView(eventId, pages.last)),
    unfinished: page(pages.unfinished),
    'unfinished by the view': sentFor(pageByTheView(eventId, pages.unfinished)),
    unchanged: page(pages.first, { any: false, versions: [Number(version)] }),
    'unchanged by its version': [
      { text: 'select version from event_versions where event_id = $1', values: [eventId] },
    ],
  };
  const operations = Object.entries(asked).map(([name, sent]) => ({
    name,
    run: () => transaction(client, sent),
  }));
  return measureInTurns<string>(operations, READ_TURNS);
}

/** The same columns, each position ranked over the whole event. */
const byTheView = (wanted: string, slice: string) => `
  select registration.bib_number, result.status, chip_time_ms, gun_time_ms, splits, gender, category,
    distance, position_overall, position_gender, position_category, updated_at, count(*) over ()
  from results result
  join registrations registration on registration.id = result.registration_id
  left join (select * from standings where event_id = $1) standing using (registration_id)
  where result.event_id = $1 and registration.${wanted}
  order by result_bucket(result.status, null) nulls first, position_overall,
    char_length(registration.bib_number), registration.bib_number collate "C"
  ${slice}`;

const pageByTheView = (eventId: string, page: number) =>
  toQuery(byTheView('event_id = $1', 'limit $2 offset $3'), [
    eventId,
    PAGE_SIZE,
    (page - 1) * PAGE_SIZE,
  ]);

const toQuery = (sql: string, params: unknown[]) => ({ toSQL: () => ({ sql, params }) });

function readLines(medians: ReadonlyMap<string, number>, finishers: number): Line[] {
  const reads: Read[] = ['bib', 'first', 'last', 'unfinished', 'unchanged'];
  return reads.map((read) => {
    const ms = medianOf(medians, read);
    const floor = read === 'unchanged' ? 'by its version' : 'by the view';
    const floorMs = medianOf(medians, `${read} ${floor}`);
    return {
      operation: `${NAMES[read]}, ${finishers} finishers, database time`,
      measured: formatMs(ms),
      floor: formatMs(floorMs),
      ratio: (ms / floorMs).toFixed(2),
      ...(finishers === FINISHERS[0] && {
        goal: `≤ ${GOALS_MS[read]} ms`,
        met: ms <= GOALS_MS[read],
      }),
    };
  });
}

function growthLine(lastPages: readonly number[]): Line {
  const [fewMs = Number.NaN, manyMs = Number.NaN] = lastPages;
  return {
    operation: `last page of finishers, ${FINISHERS[1]} against ${FINISHERS[0]}`,
    floor: formatMs(fewMs),
    measured: formatMs(manyMs),
    ratio: (manyMs / fewMs).toFixed(2),
    goal: `≤ ${GROWTH_MOST} ×`,
    met: manyMs <= GROWTH_MOST * fewMs,
  };
}

const TRIGGERS = ['count_new_results', 'count_changed_results'];

/** New rows, and the same rows again with other times, with the triggers and without. */
async function benchWrites(
  client: pg.PoolClient,
  pool: pg.Pool,
  finishers: number,
  rowCount: number,
  turns: typeof UPLOAD_TURNS,
): Promise<Line[]> {
  const race = await createRace(pool, { registrations: finishers + rowCount });
  const asking = await askingWith(await createKey(client, race), 'results:write');
  if (finishers > 0) await finish(client, race, asking, finishers);
  const rows = Array.from({ length: rowCount }, (_, index) => raceRow(finishers + index + 1));
  const corrected = rows.map((row) => ({ ...row, chip_time: row.gun_time }));
  const ids = rows.map(({ bib_number }) => bib_number);

  const setTriggers = (state: 'enable' | 'disable', names: readonly string[]) =>
    client.query(names.map((name) => `alter table results ${state} trigger ${name}`).join('; '));
  const clear = async () => {
    await setTriggers('disable', ['count_deleted_results']);
    await client.query(
      `delete from results using registrations
      where registration_id = id and results.event_id = $1 and bib_number = any ($2)`,
      [race.eventId, ids],
    );
    await setTriggers('enable', ['count_deleted_results', ...TRIGGERS]);
    await client.query('select recount_results(array[$1::uuid])', [race.eventId]);
    await client.query('vacuum results, result_cells, event_versions');
  };
  const write = (sent: typeof rows) =>
    prepared(
      () => upload(asking, race, sent),
      (statements) => transaction(client, statements),
    );
  const operations: Operation[] = [true, false].flatMap((counted) => {
    const kind = counted ? 'counted' : 'bare';
    const before = () => setTriggers(counted ? 'enable' : 'disable', TRIGGERS);
    return [
      { name: `prepare ${kind}`, run: before },
      { name: `new ${kind}`, ...write(rows) },
      { name: `corrected ${kind}`, ...write(corrected), undo: clear },
    ];
  });
  const medians = await measureInTurns(operations, turns);
  return ['new', 'corrected'].map((kind) => {
    const ms = medianOf(medians, `${kind} counted`);
    const bareMs = medianOf(medians, `${kind} bare`);
    return {
      operation: `upload of ${rowCount} ${kind} rows beside ${finishers}`,
      floor: formatMs(bareMs),
      measured: formatMs(ms),
      ratio: (ms / bareMs).toFixed(2),
    };
  });
}
