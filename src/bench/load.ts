import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
const PROCESSES = ['workerd', 'gateways', 'clients'] as const;
/** Unanswered requests of a step end before the next. */
const REST_MS = 2_000;

/** Reports how many requests a second one isolate answers on this machine, and whose processor is full first. */
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
      const pids = { workerd: workerd.pid, gateways: process.pid, clients: client.pid ?? 0 };
      const before = PROCESSES.map((name) => cpuMs(pids[name]));
      const startedAt = performance.now();
      client.send({ requests, perSecond, seconds } satisfies Load);
      const [measured]: Measured[] = await once(client, 'message');
      const elapsedMs = performance.now() - startedAt;
      const shares = PROCESSES.map((name, index) => ({
        name,
        share: (cpuMs(pids[name]) - (before[index] ?? 0)) / elapsedMs,
      }));
      await sleep(REST_MS);
      if (!measured) throw new Error('The clients have gone.');
      const sorted = measured.latenciesMs.toSorted((a, b) => a - b);
      const p99Ms = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
      return { perSecond, seconds, p99Ms, failures: measured.failures, shares };
    };
    type Step = Awaited<ReturnType<typeof step>>;
    const isHeld = ({ p99Ms, failures }: Step) => p99Ms <= P99_MOST_MS && failures.length === 0;

    const steps: Step[] = [];
    let perSecond = FIRST_PER_SECOND;
    for (;;) {
      const next = await step(Math.round(perSecond), STEP_SECONDS);
      steps.push(next);
      if (!isHeld(next)) break;
      perSecond *= GROWTH;
    }
    // A rate that holds for some seconds may not hold for a minute.
    let held: Step | undefined;
    while (!held && perSecond > 1) {
      perSecond /= GROWTH;
      const whole = await step(Math.round(perSecond), WHOLE_SECONDS);
      steps.push(whole);
      if (isHeld(whole)) held = whole;
    }
    const fullest = steps
      .find((each) => !isHeld(each))
      ?.shares.toSorted((a, b) => b.share - a.share);
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
          `the machine. Of these processes ${fullest?.[0]?.name ?? 'none'} used most of a core at the first rate ` +
          'that was not held.',
        markdownTable(
          [
            'requests a second',
            'for',
            '99th percentile',
            'failed',
            ...PROCESSES.map((name) => `${name}, of a core`),
          ],
          steps.map((each) => [
            String(each.perSecond),
            `${each.seconds} s`,
            formatMs(each.p99Ms),
            String(each.failures.length),
            ...each.shares.map(({ share }) => `${(100 * share).toFixed(0)} %`),
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
