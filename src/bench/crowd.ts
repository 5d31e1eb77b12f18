import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { Build } from '../testing/runtime/bundle.ts';
import { startWorkerd } from '../testing/runtime/workerd.ts';
import { PAGE_SIZE } from '../worker/board/schemas.ts';
import { cpuMs } from './cpu.ts';
import { type Line, markdownTable, type Report } from './measure.ts';
import { inspect } from './processor/profile.ts';
import { createKey, createRace, type Race, type Servers, startServers } from './race.ts';

const RUNNERS = 50_000;
const FOLLOWERS = [0, 500, RUNNERS];
const BOARDS = 3;
/** Those of createRace. */
const DISTANCES = ['10K', '21K'];
/** Every follower polls once a minute. Three readings of the event fit into a round. */
const POLL_MS = 60_000;
const ROUND_MS = 15_000;
const CONNECTIONS = 64;

const GROWTH_MAX = 1.1;
const CORE_SHARE_MAX = 0.05;
const MEMORY_MAX_MIB = 64;

const METHOD =
  'A board is watched by spectators who request `/data` every second, and by followers who request their ' +
  'runner once a minute, through workerd on a real PostgreSQL. Cloudflare’s caches are absent, so every ' +
  'request reaches the one isolate: in production most of them do not. Before the first round every page of ' +
  'the full lists was requested, and so the name and the splits of every runner. Database time is the processor time of the database’s backends (the kernel’s ' +
  `schedstat). Memory is V8’s heap with its garbage, and its buffers, with ${BOARDS} boards of ` +
  `${RUNNERS} finishers open and all their pages requested.`;

/** Measures what a board costs the database beside more and more followers, and the isolate’s memory. */
export async function benchCrowd(build: Build): Promise<Report> {
  const servers = await startServers();
  try {
    const races: Race[] = [];
    for (let board = 0; board < BOARDS; board++) races.push(await createFinishedRace(servers));
    const workerd = await startWorkerd(
      [{ name: 'api', folder: build.folder, bindings: servers.workerEnv }],
      { isInspected: true, v8Flags: [`--max-heap-size=${MEMORY_MAX_MIB}`] },
    );
    try {
      const boards = races.map(({ eventId }) => `${workerd.origins['api']}/board/${eventId}`);
      return await measure(servers, boards, Object.values(workerd.inspectors)[0] ?? '');
    } finally {
      await workerd.stop();
    }
  } finally {
    await servers.stop();
  }
}

async function measure(servers: Servers, boards: readonly string[], inspector: string) {
  const [board = ''] = boards;
  const firstMs = await databaseMs(servers, () => readAll(board));
  const rounds: { followers: number; ms: number; answers: number }[] = [];
  for (const followers of FOLLOWERS) {
    let answers = 0;
    const ms = await databaseMs(servers, async () => {
      answers = await watch(board, followers);
    });
    rounds.push({ followers, answers, ms: ms / (ROUND_MS / 1_000) });
  }
  for (const other of boards.slice(1)) await readAll(other);
  const memoryMib = await heapMib(inspector);
  const alone = rounds[0]?.ms ?? Number.NaN;
  const lines = rounds.flatMap(({ followers, ms }): Line[] => [
    {
      operation: `database time a second, ${followers} followers`,
      measured: `${ms.toFixed(1)} ms`,
      ratio: (ms / alone).toFixed(2),
      goal: `≤ ${GROWTH_MAX} ×, ≤ ${CORE_SHARE_MAX * 1_000} ms`,
      met: ms <= GROWTH_MAX * alone && ms <= CORE_SHARE_MAX * 1_000,
    },
  ]);
  const memory: Line = {
    operation: `memory of the isolate, ${BOARDS} boards`,
    measured: `${memoryMib.toFixed(1)} MiB`,
    goal: `< ${MEMORY_MAX_MIB} MiB`,
    met: memoryMib < MEMORY_MAX_MIB,
  };
  const table = markdownTable(
    ['followers', 'answers in a round'],
    rounds.map(({ followers, answers }) => [String(followers), String(answers)]),
  );
  const first = `The pages of ${RUNNERS} runners took ${firstMs.toFixed(0)} ms of the database.`;
  return { lines: [...lines, memory], notes: [METHOD, first, table] };
}

async function createFinishedRace({ pool }: Servers): Promise<Race> {
  const race = await createRace(pool, { registrations: RUNNERS });
  await createKey(pool, race);
  await pool.query(
    'update events set board_enabled = true, board_shows_names = true where id = $1',
    [race.eventId],
  );
  await pool.query(
    `with batch as (
      insert into result_batches (event_id, api_key_id, source, total_processed, uploaded, updated,
        not_found, errors, duplicates)
      select $1, id, 'csv', $2, $2, 0, 0, 0, 0 from api_keys where organization_id = $3 limit 1
      returning id
    )
    insert into results (registration_id, event_id, batch_id, status, chip_time_ms, gun_time_ms, splits)
    select registrations.id, event_id, batch.id, 'FINISHED', time_ms, time_ms + 60000,
      jsonb_build_object('Km 5', time_ms / 4, 'Km 10', time_ms / 2, 'Km 15', time_ms * 3 / 4)
    from registrations
    cross join lateral (select 3600000 + bib_number::int * 7919 % 14400 * 1000 as time_ms) as finish
    cross join batch
    where event_id = $1`,
    [race.eventId, RUNNERS, race.organizationId],
  );
  await pool.query('vacuum analyze results');
  return race;
}

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

/** @throws unless the answer is 200 */
const ask = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${url} answered ${response.statusCode}.`));
      });
    }).on('error', reject);
  });

/** Requests every page of the full lists, and so every runner. */
async function readAll(board: string): Promise<void> {
  const pages = Array.from({ length: RUNNERS / DISTANCES.length / PAGE_SIZE }, (_, at) => at + 1);
  for (const distance of DISTANCES) {
    for (const page of pages) await ask(`${board}/results?distance=${distance}&page=${page}`);
  }
}

/** Polls a board for a round. @returns how many answers came */
async function watch(board: string, followers: number): Promise<number> {
  const endsAt = performance.now() + ROUND_MS;
  let answers = 0;
  async function poll(everyMs: number, pathOf: () => string) {
    for (let next = performance.now(); performance.now() < endsAt; next += everyMs) {
      await sleep(Math.max(0, Math.min(next, endsAt) - performance.now()));
      await ask(board + pathOf());
      answers += 1;
    }
  }
  let bib = 0;
  const nextBib = () => `/bibs/${1 + (bib++ % Math.max(1, followers))}`;
  const polling = followers === 0 ? 0 : CONNECTIONS / 2;
  await Promise.all([
    poll(1_000, () => '/data'),
    ...Array.from({ length: polling }, () => poll((POLL_MS / followers) * polling, nextBib)),
  ]);
  return answers;
}

/** Processor time that the backends of the database use during `run`. */
export async function databaseMs({ pool }: Servers, run: () => Promise<void>): Promise<number> {
  const backends = async () => {
    const { rows } = await pool.query<{ pid: number }>(
      'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    return new Map(rows.map(({ pid }) => [pid, cpuMs(pid)]));
  };
  const before = await backends();
  await run();
  return [...(await backends())].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);
}

const Usage = z.object({
  usedSize: z.number(),
  embedderHeapUsedSize: z.number().default(0),
  backingStorageSize: z.number().default(0),
});

async function heapMib(inspector: string): Promise<number> {
  const usage = Usage.parse(await inspect(inspector, (send) => send('Runtime.getHeapUsage')));
  return (usage.usedSize + usage.embedderHeapUsedSize + usage.backingStorageSize) / 2 ** 20;
}
