import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { endGroupAtExit } from '../testing/runtime/at-exit.ts';
import type { Build } from '../testing/runtime/bundle.ts';
import { startWorkerd } from '../testing/runtime/workerd.ts';
import { cpuMs } from './cpu.ts';
import { raceRow } from './files.ts';
import type { Load, Measured, Sent } from './load-client.ts';
import { formatMs, markdownTable, type Report } from './measure.ts';
import { createRace, type Race, startServers } from './race.ts';

const ORGANIZATIONS = 50;
const READERS = 2_000;
const RUNNERS = 400;
const LIVE_ROWS = 20;
/** Each reader has a key, and each organization one more for its crew. */
const KEYS = READERS / ORGANIZATIONS + 1;
/** One of so many requests is a live batch: a crew sends every 3 s, and a reader asks every 12 s. */
const READS_PER_BATCH = 10;
const FIRST_PER_SECOND = 25;
const GROWTH = 1.4;
const STEP_SECONDS = 10;
const WHOLE_SECONDS = 60;
const P99_MOST_MS = 250;
/** Unanswered requests of a step end before the next. */
const REST_MS = 2_000;

/** Reports how many requests a second one isolate answers on this machine, and what was full first. */
export async function benchLoad(build: Build): Promise<Report> {
  const servers = await startServers();
  const workerd = await startWorkerd(build.folder, { bindings: servers.stack.workerEnv });
  const client = fork(join(import.meta.dirname, 'load-client.ts'), { detached: true });
  endGroupAtExit(client);
  try {
    const races: Race[] = [];
    for (let each = 0; each < ORGANIZATIONS; each++) {
      races.push(await createRace(servers.pool, RUNNERS, KEYS));
    }
    const requests = requestsOf(workerd.origin, races);
    const step = async (perSecond: number, seconds: number) => {
      const readClocks = async () => ({
        workerd: cpuMs(workerd.pid),
        gateways: cpuMs(process.pid),
        clients: cpuMs(client.pid ?? 0),
        backends: await backendsOf(servers.pool),
        busy: busyMs() / cpus().length,
      });
      const before = await readClocks();
      const startedAt = performance.now();
      client.send({ requests, perSecond, seconds } satisfies Load);
      const [measured]: Measured[] = await once(client, 'message');
      const elapsedMs = performance.now() - startedAt;
      const after = await readClocks();
      const backends = Array.from(
        after.backends,
        ([pid, ms]) => ms - (before.backends.get(pid) ?? 0),
      );
      const shareOf = (ms: number) => ms / elapsedMs;
      const shares = {
        workerd: shareOf(after.workerd - before.workerd),
        gateways: shareOf(after.gateways - before.gateways),
        clients: shareOf(after.clients - before.clients),
        PostgreSQL: shareOf(backends.reduce((sum, ms) => sum + ms, 0)),
      };
      const busy = shareOf(after.busy - before.busy);
      await sleep(REST_MS);
      if (!measured) throw new Error('The clients have gone.');
      const sorted = measured.latenciesMs.toSorted((a, b) => a - b);
      const p99Ms = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
      return { perSecond, seconds, p99Ms, failures: measured.failures, shares, busy };
    };
    type Step = Awaited<ReturnType<typeof step>>;
    const isHeld = ({ p99Ms, failures }: Step) => p99Ms <= P99_MOST_MS && failures.length === 0;

    const steps: Step[] = [];
    // A rate that is not held is tried again: the machine may have stood still for a moment.
    const tried = async (perSecond: number, seconds: number): Promise<Step> => {
      const first = await step(Math.round(perSecond), seconds);
      steps.push(first);
      if (isHeld(first)) return first;
      const second = await step(Math.round(perSecond), seconds);
      steps.push(second);
      return second;
    };
    let perSecond = FIRST_PER_SECOND;
    let full = await tried(perSecond, STEP_SECONDS);
    while (isHeld(full)) {
      perSecond *= GROWTH;
      full = await tried(perSecond, STEP_SECONDS);
    }
    // A rate that holds for some seconds may not hold for a minute.
    let held: Step | undefined;
    while (!held && perSecond > 1) {
      perSecond /= GROWTH;
      const whole = await tried(perSecond, WHOLE_SECONDS);
      if (isHeld(whole)) held = whole;
    }
    const [most] = Object.entries(full.shares).toSorted(([, a], [, b]) => b - a);
    return {
      lines: [
        {
          operation: `requests a second before the 99th of 100 waits ${P99_MOST_MS} ms`,
          measured: `${held?.perSecond ?? 0}`,
        },
      ],
      notes: [
        `An open loop for ${WHOLE_SECONDS} s: ${ORGANIZATIONS} live crews send batches of ${LIVE_ROWS} and ` +
          `${READERS} readers ask, each with a key, spread over ${ORGANIZATIONS} organizations; one request of ` +
          `${READS_PER_BATCH + 1} is a batch. One isolate, its gateways, the clients, PostgreSQL and Redis share ` +
          `the machine. At the first rate that was not held, ${percent(full.busy)} of its cores were busy, and of ` +
          `these processes ${most?.[0] ?? 'none'} used most: ${percent(most?.[1] ?? 0)} of a core.`,
        markdownTable(
          [
            'requests a second',
            'for',
            '99th percentile',
            'failed',
            ...Object.keys(full.shares).map((name) => `${name}, of a core`),
            'all cores',
          ],
          steps.map((each) => [
            String(each.perSecond),
            `${each.seconds} s`,
            formatMs(each.p99Ms),
            String(each.failures.length),
            ...[...Object.values(each.shares), each.busy].map(percent),
          ]),
        ),
      ],
    };
  } finally {
    client.kill();
    await workerd.stop();
    await servers.stop();
  }
}

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

/** The processor time of each process of PostgreSQL that serves this database. */
async function backendsOf(pool: pg.Pool): Promise<Map<number, number>> {
  const { rows } = await pool.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database()',
  );
  return new Map(rows.map(({ pid }) => [pid, cpuMs(pid)]));
}

/** The time that all cores together were not idle, in ms. */
const busyMs = (): number =>
  cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);

/** One round of all: the readers, and between them the crews. */
function requestsOf(origin: string, races: readonly Race[]): Sent[] {
  const crews = races.map(({ path, key }): Sent => {
    const results = Array.from({ length: LIVE_ROWS }, (_, index) => raceRow(index + 1));
    return { url: `${origin}${path}/results`, key, body: JSON.stringify({ results }) };
  });
  const looks = [
    '',
    '/results?page_size=20',
    '/participants?page_size=20',
    '/stats',
    '/participants/lookup?bib=17',
  ];
  const readers = Array.from({ length: READERS }, (_, reader): Sent => {
    const race = races[reader % races.length];
    const key = race?.keys[1 + Math.floor(reader / races.length)] ?? '';
    return { url: `${origin}${race?.path}${looks[reader % looks.length]}`, key };
  });
  return readers.flatMap((reader, index) => {
    const crew = crews[Math.floor(index / READS_PER_BATCH) % crews.length];
    return index % READS_PER_BATCH === 0 && crew ? [crew, reader] : [reader];
  });
}
