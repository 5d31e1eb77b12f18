import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { endGroupAtExit } from '../../testing/runtime/at-exit.ts';
import type { Build } from '../../testing/runtime/bundle.ts';
import type { OwnStack } from '../../testing/runtime/own-stack.ts';
import { startWorkerd } from '../../testing/runtime/workerd.ts';
import { cpuMs } from '../cpu.ts';
import { raceRow } from '../files.ts';
import { figureOf, type Line, measureInTurns, median, type Report, ratioLine } from '../measure.ts';
import { createRace, type Race, REDIS_URL, startServers } from '../race.ts';

const ROOT = join(import.meta.dirname, '../../..');
const FASTIFY = 'fastify@5.12.8';
const PACKAGES = ['drizzle-orm', 'ioredis', 'pg', 'zod'];

const RUNNERS = 5_000;
/** A key has 120 requests a minute. */
const KEYS = 120;
const WARM_UP_REQUESTS = 600;
const BLOCK_REQUESTS = 60;
const BLOCKS = 11;
const UPLOADS = { warmUps: 3, samples: 9 };
/** Without a goal: workerd sends two requests of HTTP where the ordinary server writes to two open sockets. */
const READ_GUARD = 1.3;
const UPLOAD_MOST = 0.5;

/** Compares the API with a server of Fastify, pg, drizzle and ioredis that has the same contract. */
export async function benchOrdinary(build: Build): Promise<Report> {
  const servers = await startServers();
  try {
    const race = await createRace(servers.pool, RUNNERS, KEYS);
    const workerd = await startWorkerd(build.folder, { bindings: servers.stack.workerEnv });
    const ordinary = await startOrdinary(build, servers);
    try {
      const pair: Pair = { api: workerd, ordinary, servers, race };
      const reads = await benchReads(pair);
      return { lines: [...reads, await benchUpload(pair)], notes: [METHOD] };
    } finally {
      await ordinary.stop();
      await workerd.stop();
    }
  } finally {
    await servers.stop();
  }
}

const METHOD =
  'An ordinary server: Fastify, pg with its pool, drizzle, ioredis and zod on Node, as an engineer writes it in an ' +
  'afternoon. It checks the key, counts requests in a sliding window, logs a line and answers with an ETag, and an upload ' +
  'looks the bibs up, stores the rows in chunks and counts the positions anew, in one transaction. Both servers use the ' +
  'same PostgreSQL and Redis. Reads are compared in processor time of the two processes: that of the gateways, which ' +
  `production does not have, is in neither. Figures are medians of ${BLOCKS} blocks of ${BLOCK_REQUESTS} requests after ` +
  `${WARM_UP_REQUESTS}. An upload takes from its first byte to the last of the answer, less the processor time of the ` +
  `gateways. Figures are medians of ${UPLOADS.samples} uploads. The floor is the ordinary server.`;

type Server = { pid: number; origin: string; stop(): Promise<void> };
type Pair = { api: Server; ordinary: Server; servers: OwnStack; race: Race };

/** Installs the packages in a folder of their own, and starts the server there. */
async function startOrdinary({ folder }: Build, { stack }: OwnStack): Promise<Server> {
  const own = join(folder, 'ordinary');
  mkdirSync(own);
  writeFileSync(join(own, 'package.json'), '{"private": true, "type": "module"}');
  copyFileSync(join(import.meta.dirname, 'server.ts'), join(own, 'server.ts'));
  const flags = ['install', '--no-save', '--no-audit', '--ignore-scripts', FASTIFY];
  await promisify(execFile)('npm', [...flags, ...PACKAGES.map(named)], { cwd: own });
  const child = fork(join(own, 'server.ts'), {
    cwd: own,
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production', DATABASE_URL: stack.postgresUrl, REDIS_URL },
  });
  endGroupAtExit(child);
  const [ready]: { origin: string }[] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('The ordinary server ended.'))),
  ]);
  return {
    pid: child.pid ?? 0,
    origin: ready?.origin ?? '',
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

/** A package in the version that this project has. */
function named(name: string): string {
  const manifest = join(ROOT, 'node_modules', name, 'package.json');
  const { version }: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'));
  return `${name}@${version}`;
}

/** Compares processor time. @throws if the two answer otherwise */
async function benchReads({ api, ordinary, race }: Pair): Promise<Line[]> {
  const paths = {
    getEvent: race.path,
    'participants, page of 100': `${race.path}/participants?page_size=100`,
  };
  let sent = 0;
  const ask = async ({ origin }: Server, path: string): Promise<unknown> => {
    sent += 1;
    const headers = { 'X-API-Key': race.keys[sent % KEYS] ?? '' };
    const response = await fetch(origin + path, { headers });
    const answer: unknown = await response.json();
    if (response.status !== 200) throw new Error(`${response.status}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const lines: Line[] = [];
  for (const [name, path] of Object.entries(paths)) {
    if (!isDeepStrictEqual(await ask(api, path), await ask(ordinary, path))) {
      throw new Error(`The two servers answer ${path} otherwise.`);
    }
    const many = async (server: Server, count: number) => {
      for (let left = count; left > 0; left--) await ask(server, path);
    };
    for (const server of [api, ordinary]) await many(server, WARM_UP_REQUESTS);
    const block = <Name extends string>(of: Name, server: Server) => ({
      name: of,
      run: () => many(server, BLOCK_REQUESTS),
      clock: () => cpuMs(server.pid),
    });
    const medians = await measureInTurns([block('api', api), block('ordinary', ordinary)], {
      warmUps: 1,
      samples: BLOCKS,
    });
    lines.push(
      ratioLine(`${name}, processor time beside the ordinary server`, {
        ms: figureOf(medians, 'api') / BLOCK_REQUESTS,
        floorMs: figureOf(medians, 'ordinary') / BLOCK_REQUESTS,
        guard: READ_GUARD,
        clock: 'processor',
      }),
    );
  }
  return lines;
}

/** Compares the time of an upload. The client and the gateways run in this process, and the client costs both the same. */
async function benchUpload({ api, ordinary, servers, race }: Pair): Promise<Line> {
  const results = Array.from({ length: RUNNERS }, (_, index) => raceRow(index + 1));
  const body = JSON.stringify({ results });
  const own: Record<'api' | 'ordinary', number[]> = { api: [], ordinary: [] };
  const send = async (name: keyof typeof own, { origin }: Server) => {
    const before = cpuMs(process.pid);
    const response = await fetch(`${origin}${race.path}/results`, {
      method: 'POST',
      headers: { 'X-API-Key': race.key, 'Content-Type': 'application/json' },
      body,
    });
    const answer = await response.text();
    if (!/"not_found":0,"errors":0,"duplicates":0/.test(answer)) throw new Error(answer);
    own[name].push(cpuMs(process.pid) - before);
  };
  // The ordinary table keeps its statistics, as one in use has them: without them its positions are counted in nested loops.
  await send('ordinary', ordinary);
  await servers.pool.query('analyze ordinary_results');
  const undo = () => servers.pool.query('delete from ordinary_results; truncate results');
  await undo();
  const medians = await measureInTurns(
    [
      { name: 'api', run: () => send('api', api), undo },
      { name: 'ordinary', run: () => send('ordinary', ordinary), undo },
    ],
    UPLOADS,
  );
  const gatewaysMs = median(own.api) - median(own.ordinary);
  return ratioLine(`upload of ${RUNNERS} rows of JSON beside the ordinary server`, {
    ms: figureOf(medians, 'api') - gatewaysMs,
    floorMs: figureOf(medians, 'ordinary'),
    most: UPLOAD_MOST,
  });
}
