import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findEvent } from '../events/queries.ts';
import {
  countRegistrations,
  listRegistrations,
  paidRegistrations,
} from '../participants/queries.ts';
import { countBuckets, countPersons } from '../stats/queries.ts';
import { cpuMs } from './cpu.ts';
import { putLoad } from './load.ts';
import {
  formatMs,
  type Line,
  markdownTable,
  measureInTurns,
  median,
  medianOf,
  type Report,
  ratioLine,
} from './measure.ts';
import {
  createKeys,
  createRace,
  type Race,
  REDIS_URL,
  type Servers,
  startServers,
} from './race.ts';
import { askingWith, type Statement, toStatement, transaction } from './statements.ts';
import { type Build, buildWorker } from './worker.ts';
import { startWorkerd } from './workerd.ts';

const REGISTRATIONS = 50_000;
const PAGE_SIZE = 100;
const TURNS = { warmUps: 5, samples: 41 };
const CONNECTIONS = 32;
const THROUGHPUT_MS = 2_000;
const THROUGHPUT_ROUNDS = 3;
/** A key is good for 120 requests a minute: enough for the fastest machine. */
const KEYS = 600;
/** How far apart the first keys of two loads are. */
const KEYS_APART = 150;

/** What reads take, against the database's own time and against a route that does nothing. */
export async function benchReads(build: Build): Promise<Report> {
  const servers = await startServers();
  try {
    const race = await createRace(servers.pool, { registrations: REGISTRATIONS });
    const keys = await createKeys(servers.pool, race, KEYS);
    const lines = [await benchStats(servers, race, keys)];
    const notes: string[] = [];
    const empty = join(build.folder, 'empty');
    mkdirSync(empty);
    await buildWorker(empty, 'src/bench/empty/worker.ts');
    const workerd = await startWorkerd([
      { name: 'api', folder: build.folder, bindings: servers.workerEnv },
      { name: 'empty', folder: empty },
    ]);
    try {
      const { api = '', empty: nothing = '' } = workerd.origins;
      lines.push(...(await benchPages(servers, race, api, keys)));
      const event = `${api}${race.path}`;
      const throughput = await benchThroughput(servers, event, nothing, keys, workerd.pid);
      lines.push(...throughput.lines);
      notes.push(throughput.note);
    } finally {
      await workerd.stop();
    }
    return {
      lines,
      notes: [
        ...notes,
        `Reads: ${REGISTRATIONS} registrations; medians of ${TURNS.samples}, floor and figure in turns. ` +
          'The floor of a page is the API’s own SQL over one connection of `pg`, from `begin` to ' +
          '`commit`; that of the statistics a sequential scan of the same rows that reads the same ' +
          `columns. Requests a second over ${CONNECTIONS} connections, all in one process of workerd, ` +
          'with client, gateways, Postgres and Redis on the same machine.',
      ],
    };
  } finally {
    await servers.stop();
  }
}

async function benchStats({ pool }: Servers, race: Race, keys: readonly string[]): Promise<Line> {
  const { caller } = await askingWith(keys[0] ?? '', 'stats:read');
  const statistics = [countBuckets(caller, race.eventId), countPersons(caller, race.eventId)];
  const scan: Statement = {
    text: `select count(*), count(person_id), count(status), count(distance), count(category),
      count(kit_status), count(gender) from registrations where event_id = $1`,
    values: [race.eventId],
  };
  const client = await pool.connect();
  try {
    const asSequential = async () => {
      await client.query(
        'set enable_indexscan = off; set enable_bitmapscan = off; set enable_indexonlyscan = off; ' +
          'set max_parallel_workers_per_gather = 0',
      );
      await transaction(client, [scan]);
      await client.query(
        'reset enable_indexscan; reset enable_bitmapscan; reset enable_indexonlyscan; ' +
          'reset max_parallel_workers_per_gather',
      );
    };
    const medians = await measureInTurns(
      [
        { name: 'scan', run: asSequential },
        { name: 'stats', run: () => transaction(client, statistics.map(toStatement)) },
      ],
      TURNS,
    );
    return ratioLine(`statistics of ${REGISTRATIONS} registrations, database time`, {
      ms: medianOf(medians, 'stats'),
      floorMs: medianOf(medians, 'scan'),
      most: 1.5,
    });
  } finally {
    client.release();
  }
}

async function benchPages(
  { pool }: Servers,
  race: Race,
  origin: string,
  keys: readonly string[],
): Promise<Line[]> {
  const client = await pool.connect();
  try {
    const paid = await client.query<{ pages: number }>(
      `select ceil(count(*) / $2::float)::int as pages from registrations
      where event_id = $1 and status = 'PAID'`,
      [race.eventId, PAGE_SIZE],
    );
    const lines: Line[] = [];
    for (const [index, name] of ['first', 'last'].entries()) {
      const page = index === 0 ? 1 : (paid.rows[0]?.pages ?? 1);
      const key = keys[index] ?? '';
      const { caller, statements } = await askingWith(key, 'participants:read');
      const filter = paidRegistrations(caller, race.eventId);
      const sql = statements(
        findEvent(caller, race.eventId),
        countRegistrations(caller, filter),
        listRegistrations(caller, filter, { page, page_size: PAGE_SIZE }),
      );
      const url = `${origin}${race.path}/participants?page=${page}&page_size=${PAGE_SIZE}`;
      const medians = await measureInTurns(
        [
          { name: 'sql', run: () => transaction(client, sql) },
          {
            name: 'page',
            async run() {
              const response = await fetch(url, { headers: { 'X-API-Key': key } });
              const text = await response.text();
              if (!text.includes('inscription_id')) throw new Error(text.slice(0, 500));
            },
          },
        ],
        TURNS,
      );
      lines.push(
        ratioLine(`participants, ${name} page of ${PAGE_SIZE} of ${REGISTRATIONS}`, {
          ms: medianOf(medians, 'page'),
          floorMs: medianOf(medians, 'sql'),
          most: 2,
        }),
      );
    }
    return lines;
  } finally {
    client.release();
  }
}

async function benchThroughput(
  { pool }: Servers,
  event: string,
  nothing: string,
  keys: readonly string[],
  workerd: number,
): Promise<{ lines: Line[]; note: string }> {
  let turn = 0;
  /** The keys are taken in turns, so that none spends its quota. */
  const ask = (url: string) => {
    turn += 1;
    const first = (turn * KEYS_APART) % keys.length;
    return putLoad({
      url,
      keys: [...keys.slice(first), ...keys.slice(0, first)],
      connections: CONNECTIONS,
      forMs: THROUGHPUT_MS,
    });
  };
  /** Processor time so far, in ms, of everything that a request keeps busy. */
  const spent = async () => ({
    workerd: cpuMs(workerd),
    'both gateways': processCpuMs(),
    Postgres: await backendsCpuMs(pool),
    Redis: await redisCpuMs(),
  });
  const best = { event: 0, nothing: 0 };
  const nothingMs: number[] = [];
  const costs: (readonly [process: string, ms: number])[][] = [];
  // The best of some rounds: whatever else the machine does only ever slows one down.
  for (let round = 0; round < THROUGHPUT_ROUNDS; round++) {
    const atFirst = cpuMs(workerd);
    const empty = await ask(nothing);
    nothingMs.push((cpuMs(workerd) - atFirst) / empty.requests);
    best.nothing = Math.max(best.nothing, empty.perSecond);

    const before = new Map(Object.entries(await spent()));
    const load = await ask(event);
    const after = Object.entries(await spent());
    best.event = Math.max(best.event, load.perSecond);
    costs.push([
      ...after.map(([name, ms]) => [name, (ms - (before.get(name) ?? 0)) / load.requests] as const),
      ['client', load.clientCpuMs / load.requests],
    ]);
  }
  const rows = (costs[0] ?? []).map(([name], at) => {
    return [name, median(costs.map((cost) => cost[at]?.[1] ?? 0))] as const;
  });
  const [, workerdMs] = rows[0] ?? ['', 0];
  const allMs = rows.reduce((sum, [, ms]) => sum + ms, 0);
  const cores = availableParallelism();
  const line: Line = {
    operation: `getEvent over ${CONNECTIONS} connections, against an empty route`,
    floor: `${best.nothing.toFixed(0)} /s`,
    measured: `${best.event.toFixed(0)} /s`,
    ratio: (best.event / best.nothing).toFixed(2),
    goal: '≥ 0.25 ×',
    met: best.event >= 0.25 * best.nothing,
  };
  const ownLine: Line = {
    operation: 'processor time of workerd a getEvent, beside an empty route',
    floor: formatMs(median(nothingMs)),
    measured: formatMs(workerdMs),
    ratio: (workerdMs / median(nothingMs)).toFixed(1),
  };
  const table = markdownTable(
    ['processor time of a getEvent', 'ms', 'share'],
    [...rows, ['all', allMs] as const].map(([name, ms]) => [
      name,
      ms.toFixed(2),
      `${((100 * ms) / allMs).toFixed(0)} %`,
    ]),
  );
  const bound =
    `All of them share ${cores} cores, which can give at most ` +
    `${((1_000 * cores) / allMs).toFixed(0)} answers a second.`;
  return { lines: [line, ownLine], note: `${table}\n\n${bound}` };
}

/** The gateways run in this process, which does nothing else while a client asks. */
function processCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Of the server processes behind the gateway's connections, which stay open under load. */
async function backendsCpuMs(pool: Servers['pool']): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database()',
  );
  return rows.reduce((sum, { pid }) => sum + cpuMs(pid), 0);
}

async function redisCpuMs(): Promise<number> {
  const redis = new Redis(REDIS_URL);
  const told = await redis.info('cpu');
  redis.disconnect();
  const seconds = /^used_cpu_(?:sys|user):([\d.]+)/gm;
  return Array.from(told.matchAll(seconds), ([, spent]) => Number(spent) * 1_000).reduce(
    (sum, ms) => sum + ms,
    0,
  );
}
