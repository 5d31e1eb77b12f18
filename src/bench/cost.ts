import { Redis } from 'ioredis';
import { ifStarted } from '../dev/stack/script.ts';
import { exitOnSignals, temporaryFolder } from '../testing/runtime/at-exit.ts';
import { buildWorker } from '../testing/runtime/bundle.ts';
import { startWorkerd } from '../testing/runtime/workerd.ts';
import { cpuMs, databaseMs } from './cpu.ts';
import { CSV_MAX, FORM_TYPE, form, lines, raceHeader, raceLine, raceRow } from './files.ts';
import { markdownTable, median } from './measure.ts';
import { PRICES } from './prices.ts';
import { createRace, REDIS_URL, startServers } from './race.ts';

const RUNNERS = 100_000;
const ROUNDS = 200;
const WARM_UPS = 50;
/** Each serves 120 requests a minute. */
const KEYS = 8;
const UPLOAD_ROWS = 20;
const MILLION = 1_000_000;

/** The amounts that one operation takes. */
type Amounts = { cpuMs: number; commands: number; databaseMs: number; bytes: number };
type Name = 'read' | 'upload' | 'poll' | 'largest file' | 'its preview';

/** `npm run cost`: measures what operations take on PostgreSQL and Redis, and says what a million of each costs. */
async function main(): Promise<void> {
  exitOnSignals();
  const amounts = await measure();
  const [read, upload, poll] = [amounts.read, amounts.upload, amounts.poll];
  console.log(
    [
      '## Amounts',
      `Means of ${ROUNDS} requests one after the other: a read of 20 results, an upload of ${UPLOAD_ROWS} arrivals, a ` +
        'poll of a board that the cache answers, a file of 100 000 rows, and its preview.',
      markdownTable(
        ['operation', 'Worker, ms', 'Redis, commands', 'Postgres, ms', 'bytes out'],
        Object.entries(amounts).map(([name, { cpuMs, commands, databaseMs, bytes }]) => [
          name,
          cpuMs.toFixed(2),
          commands.toFixed(1),
          databaseMs.toFixed(2),
          bytes.toFixed(0),
        ]),
      ),
      '## A million of each',
      costTable({ read, upload, poll }),
      `On Upstash’s fixed plan Redis costs $${PRICES.upstash.fixedMonth} a month at any load. It is cheaper above ` +
        `${Math.round((PRICES.upstash.fixedMonth / PRICES.upstash.millionCommands / read.commands) * MILLION)} reads a month.`,
      '## Three races',
      racesTable(amounts),
      '## What breaks first',
      capacityTable(amounts),
      CAPACITY_NOTE,
      `Prices: ${Object.values(PRICES)
        .map(({ page, readOn }) => `${page} (${readOn})`)
        .join(', ')}.`,
    ].join('\n\n'),
  );
}

async function measure(): Promise<Record<Name, Amounts>> {
  const build = await buildWorker(temporaryFolder());
  const servers = await startServers();
  const redis = new Redis(REDIS_URL);
  const workerd = await startWorkerd(build.folder, { bindings: servers.stack.workerEnv });
  try {
    const race = await createRace(servers.pool, RUNNERS, KEYS);
    await servers.pool.query('update events set board_enabled = true');
    const origin = workerd.origin;
    let sent = 0;
    const ask = async (path: string, init: RequestInit = {}, type = 'application/json') => {
      const headers = { 'X-API-Key': race.keys[sent++ % KEYS] ?? '', 'Content-Type': type };
      const response = await fetch(origin + path, { ...init, headers });
      const { byteLength } = await response.arrayBuffer();
      if (!response.ok) throw new Error(`${path} answered ${response.status}`);
      return byteLength;
    };
    const upload = () => {
      const first = 1 + ((sent * UPLOAD_ROWS) % 40_000);
      const results = Array.from({ length: UPLOAD_ROWS }, (_, at) => raceRow(first + at));
      return ask(`${race.path}/results`, { method: 'POST', body: JSON.stringify({ results }) });
    };
    const file = form(lines(raceHeader(), RUNNERS, (row) => raceLine(row), CSV_MAX));

    const amountsOf = async (run: () => Promise<number>, rounds = ROUNDS, warmUps = WARM_UPS) => {
      for (let round = 0; round < warmUps; round++) await run();
      let bytes = 0;
      const commands: number[] = [];
      const before = cpuMs(workerd.pid);
      const database = await databaseMs(servers.pool, async () => {
        for (let round = 0; round < rounds; round++) {
          const earlier = await commandsOf(redis);
          bytes += await run();
          commands.push((await commandsOf(redis)) - earlier);
        }
      });
      return {
        cpuMs: (cpuMs(workerd.pid) - before) / rounds,
        // Others may use the server meanwhile.
        commands: median(commands),
        databaseMs: database / rounds,
        bytes: bytes / rounds,
      };
    };
    const uploaded = await amountsOf(upload);
    const read = await amountsOf(() => ask(`${race.path}/results?page_size=20`));
    const send = (path: string) => () =>
      ask(`${race.path}/results/file${path}`, { method: 'POST', body: file }, FORM_TYPE);
    const largest = await amountsOf(send(''), 3, 1);
    const previewed = await amountsOf(send('/preview'), 3, 1);
    // The entrypoint before the cache does little more than for an unknown address.
    const polled = await amountsOf(() => ask('/healthz'));
    return {
      read,
      upload: uploaded,
      poll: { ...polled, commands: 0, databaseMs: 0 },
      'largest file': largest,
      'its preview': previewed,
    };
  } finally {
    redis.disconnect();
    await workerd.stop();
    await servers.stop();
  }
}

/** Counts the commands that the server has run, those in scripts too. Its own statistics are left out. */
async function commandsOf(redis: Redis): Promise<number> {
  const statistics = await redis.info('commandstats');
  const calls = statistics.matchAll(/^cmdstat_(?!info|config|client)[\w|]+:calls=(\d+)/gm);
  return [...calls].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Dollars for a number of operations, by vendor. Neon’s compute is counted as if it were always this busy. */
function costOf({ cpuMs, commands, databaseMs, bytes }: Amounts, operations: number) {
  const { cloudflare, upstash, neon } = PRICES;
  const millions = operations / MILLION;
  return {
    cloudflare: millions * (cloudflare.millionRequests + cpuMs * cloudflare.millionCpuMs),
    upstash: millions * commands * upstash.millionCommands,
    neon: operations * ((databaseMs / 3.6e6) * neon.computeHour + (bytes / 1e9) * neon.gigabyteOut),
  };
}

const dollars = (amount: number): string => `$${amount.toFixed(2)}`;

function costTable(operations: Record<string, Amounts>): string {
  const rows = Object.entries(operations).map(([name, amounts]) => {
    const cost = costOf(amounts, MILLION);
    const all = cost.cloudflare + cost.upstash + cost.neon;
    const share = `${Math.round((cost.upstash / all) * 100)} %`;
    return [name, ...Object.values(cost).map(dollars), dollars(all), share];
  });
  return markdownTable(['a million', 'Cloudflare', 'Upstash', 'Neon', 'all', 'Redis'], rows);
}

/** Races: hours, crews that upload every 3 s, integrators that read every 10 s, spectators that poll every 10 s. */
const RACES = {
  'village run, 300 runners': { hours: 2, crews: 1, integrators: 0, spectators: 100 },
  'half marathon, 3 000 runners': { hours: 4, crews: 2, integrators: 2, spectators: 1_500 },
  'city marathon, 50 000 runners': { hours: 8, crews: 6, integrators: 10, spectators: 30_000 },
};

function racesTable({ read, upload, poll }: Record<Name, Amounts>): string {
  const rows = Object.entries(RACES).map(([name, { hours, crews, integrators, spectators }]) => {
    const seconds = hours * 3_600;
    const counts = [
      crews * (seconds / 3),
      integrators * (seconds / 10),
      spectators * (seconds / 10),
    ];
    const amounts = [upload, read, poll];
    const cost = amounts
      .flatMap((amount, at) => Object.values(costOf(amount, counts[at] ?? 0)))
      .reduce((sum, part) => sum + part, 0);
    return [name, ...counts.map((count) => count.toFixed(0)), dollars(cost)];
  });
  return markdownTable(['race', 'uploads', 'reads', 'polls', 'cost'], rows);
}

const CAPACITY_NOTE = `- 10 crews: nothing breaks. The smallest compute that does not sleep, and Upstash’s fixed plan.
- 1 000 crews: the compute is the first to be full. Raise its maximum, and put the crews of different organizations
  that do not share an event on databases of their own when it is at its largest.
- 10 000 crews: Redis is over the commands of its plan, and one Postgres over its largest compute. Crews send every
  6 s in place of 3, the limiter’s keys are spread over several databases of Upstash, and organizations over several
  databases of Neon: no statement reads two organizations.`;

/** Crews that each upload every 3 s and read every 10 s, all at the same time. */
function capacityTable({ read, upload }: Record<Name, Amounts>): string {
  const rows = [10, 1_000, 10_000].map((crews) => {
    const [uploads, reads] = [crews / 3, crews / 10];
    const cores = (uploads * upload.databaseMs + reads * read.databaseMs) / 1_000;
    const commands = uploads * upload.commands + reads * read.commands;
    return [
      String(crews),
      (uploads + reads).toFixed(0),
      cores.toFixed(2),
      commands.toFixed(0),
      `${Math.round((commands / PRICES.upstash.fixedCommandsPerSecond) * 100)} %`,
    ];
  });
  return markdownTable(
    [
      'crews',
      'requests a second',
      'Postgres, cores busy',
      'Redis, commands a second',
      'of the fixed plan',
    ],
    rows,
  );
}

ifStarted(import.meta.filename, main);
