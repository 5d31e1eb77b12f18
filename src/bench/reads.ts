import { mkdirSync, readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { findEvent } from '../events/queries.ts';
import {
  countRegistrations,
  listRegistrations,
  paidRegistrations,
} from '../participants/queries.ts';
import { countBuckets, countPersons } from '../stats/queries.ts';
import {
  formatMs,
  type Line,
  measureInTurns,
  medianOf,
  type Report,
  ratioLine,
} from './measure.ts';
import { createKeys, createRace, type Race, type Servers, startServers } from './race.ts';
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
      const throughput = await benchThroughput(`${api}${race.path}`, nothing, keys, workerd.pid);
      lines.push(throughput.line);
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
  event: string,
  nothing: string,
  keys: readonly string[],
  pid: number,
): Promise<{ line: Line; note: string }> {
  let sent = 0;
  const nextKey = () => {
    sent += 1;
    return keys[sent % keys.length] ?? '';
  };
  const rates = { event: 0, nothing: 0 };
  let spentMs = 0;
  // The best of some rounds: whatever else the machine does only ever slows one down.
  for (let round = 0; round < THROUGHPUT_ROUNDS; round++) {
    rates.nothing = Math.max(rates.nothing, await requestsPerSecond(nothing, nextKey));
    const spentBefore = cpuMs(pid);
    const requestsBefore = sent;
    rates.event = Math.max(rates.event, await requestsPerSecond(event, nextKey));
    spentMs = (cpuMs(pid) - spentBefore) / (sent - requestsBefore);
  }
  const note =
    `Of each getEvent, workerd itself computes ${formatMs(spentMs)} (its processor time by the ` +
    `requests answered); ${formatMs(1_000 / rates.event)} pass between two answers.`;
  const line: Line = {
    operation: `getEvent over ${CONNECTIONS} connections, against an empty route`,
    floor: `${rates.nothing.toFixed(0)} /s`,
    measured: `${rates.event.toFixed(0)} /s`,
    ratio: (rates.event / rates.nothing).toFixed(2),
    goal: '≥ 0.25 ×',
    met: rates.event >= 0.25 * rates.nothing,
  };
  return { line, note };
}

/** Processor time that a process has used; the kernel counts in hundredths of a second. */
function cpuMs(pid: number): number {
  const [user = 0, system = 0] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (user + system) * 10;
}

async function requestsPerSecond(url: string, nextKey: () => string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const endsAt = performance.now() + THROUGHPUT_MS;
  let answered = 0;
  const send = () =>
    new Promise<void>((resolve, reject) => {
      get(url, { agent, headers: { 'X-API-Key': nextKey() } }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`));
        response.resume().on('end', resolve);
      }).on('error', reject);
    });
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < endsAt) {
        await send();
        answered += 1;
      }
    }),
  );
  agent.destroy();
  return answered / ((performance.now() - startedAt) / 1_000);
}
