import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { type Build, buildWorker } from '../../testing/runtime/bundle.ts';
import { startOwnStack } from '../../testing/runtime/own-stack.ts';
import { startWorkerd, type Workerd } from '../../testing/runtime/workerd.ts';
import { cpuMs } from '../cpu.ts';
import { lines as csvLines, raceHeader, raceLine } from '../files.ts';
import {
  bestInTurns,
  figureOf,
  type Line,
  measureInTurns,
  type Operation,
  type Report,
  ratioLine,
} from '../measure.ts';
import { createRace } from '../race.ts';
import { type Replay, startReplay } from './replay.ts';

/** V8 optimizes a function after some hundred calls. */
const WARM_UP_REQUESTS = 600;
/** An isolate admits 120 requests a minute of each key, so the requests take turns with many keys. */
const KEYS = 120;
const RUNNERS = 300;
const BLOCK_REQUESTS = 20;
const BLOCKS = 61;
const CSV_ROWS = 50_000;
const CSV_TURNS = { warmUps: 4, samples: 15 };

/** Unchanged code took 1.26 to 1.83 times its floor within an hour on a busy host. */
const GET_EVENT_MOST = 1.75;
const PAGE_MOST = 2;
const REFUSAL_MOST = 2;
const PAPA_MOST = 4;

/** Measures workerd's processor time for a request. The databases answer from memory. */
export async function benchProcessor(build: Build): Promise<Report> {
  const own = await startOwnStack();
  const running: { stop(): Promise<void> }[] = [own];
  const keep = <Part extends { stop(): Promise<void> }>(part: Part): Part => {
    running.push(part);
    return part;
  };
  const start = async ({ folder }: Build, bindings: Record<string, string> = {}) =>
    keep(await startWorkerd(folder, { bindings }));
  try {
    const replay = keep(await startReplay(own.stack));
    const api = await start(build, replay.workerEnv);
    const { requests, getEvent } = await recordRequests(own.pool, replay, api);
    const empty = await start(await buildBeside(build, 'empty'));
    const bare = await start(await buildBeside(build, 'processor/bare'), {
      SUBREQUESTS: JSON.stringify(getEvent.subrequests),
      ANSWER: getEvent.text,
    });

    const one = await benchRequests({ api, empty, bare }, requests);
    for (const workerd of [empty, bare]) await workerd.stop();

    const csv = await start(await buildBeside(build, 'processor/csv'));
    const papa = await start(await buildBeside(build, 'processor/papa'));
    const file = await benchCsv({ csv, papa });
    return { lines: [...one, file], notes: [METHOD] };
  } finally {
    for (const part of running.reverse()) await part.stop();
  }
}

const METHOD =
  'Processor time of all threads of workerd (the kernel’s schedstat). Each Worker has its own process. ' +
  'A server in the bench’s process replaces both gateways and repeats their recorded answers. ' +
  `Figures of requests are the best of ${BLOCKS} blocks of ${BLOCK_REQUESTS} sequential ` +
  `requests, measured in turns after ${WARM_UP_REQUESTS} requests to warm up. The floor of getEvent is a ` +
  'Worker that sends the same two subrequests with `fetch`, each with a timer, parses their answers, hashes the key, ' +
  'listens to the client’s signal, logs a line, and answers a fixed text with the API’s headers. In ' +
  'a profile of getEvent, the Redis library’s request takes 7 %, the database driver’s 3 %, the ETag 3 %, and the ' +
  'router, the checks and the answer less than 3 % each. The floor of a ' +
  'malformed key is a Hono app with one empty route. The floor of the CSV is Papa ' +
  'Parse alone on the whole text, also in workerd; ' +
  `figures are medians of ${CSV_TURNS.samples} files.`;

async function buildBeside({ folder }: Build, worker: string): Promise<Build> {
  const own = join(folder, worker);
  mkdirSync(own, { recursive: true });
  return buildWorker(own, `src/bench/${worker}/worker.ts`);
}

/** A request and its expected answer. A different answer fails the bench. */
type Sent = {
  path: string;
  init: RequestInit;
  /** The keys in turns. Without keys the request has none. */
  keys?: readonly string[];
  status: number;
  holds: RegExp;
};

async function recordRequests(pool: pg.Pool, replay: Replay, api: Workerd) {
  const race = await createRace(pool, RUNNERS, KEYS);
  const { keys } = race;
  const event = race.path;
  const requests = {
    getEvent: { path: event, init: {}, keys, status: 200, holds: /"city":/ },
    page: {
      path: `${event}/participants?page_size=100`,
      init: {},
      keys,
      status: 200,
      holds: /"page_size":100,"total":2\d\d/,
    },
    malformedKey: {
      path: event,
      init: {},
      keys: keys.map((key) => key.slice(0, -1)),
      status: 401,
      holds: /malformed/,
    },
  } satisfies Record<string, Sent>;

  // At the first request Redis does not know the script.
  for (const sent of Object.values(requests)) {
    for (let left = 2 * KEYS; left > 0; left--) await replay.record(() => send(api, sent));
  }
  const { answer: text, subrequests } = await replay.record(() => send(api, requests.getEvent));
  if (subrequests.length !== 2) {
    throw new Error(`getEvent sends ${subrequests.length} subrequests, not two.`);
  }
  return { requests, getEvent: { text, subrequests } };
}

type Requests = Awaited<ReturnType<typeof recordRequests>>['requests'];

let sentRequests = 0;

/** @throws if the answer differs from the expected answer */
async function send(
  workerd: Workerd,
  { path, init, keys = [], status, holds }: Sent,
): Promise<string> {
  const headers = new Headers(init.headers);
  const key = keys[sentRequests++ % keys.length];
  if (key !== undefined) headers.set('X-API-Key', key);
  const response = await fetch(workerd.origin + path, { ...init, headers });
  const text = await response.text();
  if (response.status === status && holds.test(text)) return text;
  throw new Error(`Unexpected answer ${response.status} from ${path}: ${text.slice(0, 500)}`);
}

async function sendMany(workerd: Workerd, sent: Sent, count: number): Promise<void> {
  for (let left = count; left > 0; left--) await send(workerd, sent);
}

/** Measures workerd's processor time for a block of requests. */
const block = <Name extends string>(
  name: Name,
  workerd: Workerd,
  run: () => Promise<unknown>,
): Operation<Name> => ({ name, run, clock: () => cpuMs(workerd.pid) });

async function benchRequests(
  { api, empty, bare }: Record<'api' | 'empty' | 'bare', Workerd>,
  { getEvent, page, malformedKey }: Requests,
): Promise<Line[]> {
  const emptyRoute: Sent = { path: '/', init: {}, status: 200, holds: /{}/ };
  const measured = [
    ['bare', bare, getEvent],
    ['empty', empty, emptyRoute],
    ['getEvent', api, getEvent],
    ['page', api, page],
    ['malformedKey', api, malformedKey],
  ] as const;
  for (const [, workerd, sent] of measured) await sendMany(workerd, sent, WARM_UP_REQUESTS);
  const bests = await bestInTurns(
    measured.map(([name, workerd, sent]) =>
      block(name, workerd, () => sendMany(workerd, sent, BLOCK_REQUESTS)),
    ),
    { warmUps: 1, samples: BLOCKS },
  );
  const ms = (name: (typeof measured)[number][0]) => figureOf(bests, name) / BLOCK_REQUESTS;
  return [
    ratioLine('getEvent, beside what every read has to do', {
      ms: ms('getEvent'),
      floorMs: ms('bare'),
      most: GET_EVENT_MOST,
      clock: 'processor',
    }),
    ratioLine('participants, page of 100, beside getEvent', {
      ms: ms('page'),
      floorMs: ms('getEvent'),
      most: PAGE_MOST,
      clock: 'processor',
    }),
    ratioLine('a malformed key, beside an empty route', {
      ms: ms('malformedKey'),
      floorMs: ms('empty'),
      most: REFUSAL_MOST,
      clock: 'processor',
    }),
  ];
}

async function benchCsv({ csv, papa }: Record<'csv' | 'papa', Workerd>): Promise<Line> {
  const body = csvLines(raceHeader(), CSV_ROWS, (row) => raceLine(row)).trimEnd();
  const file: Sent = {
    path: '/',
    init: { method: 'POST', headers: { 'Content-Type': 'text/csv' }, body },
    status: 200,
    holds: new RegExp(`"rows":${CSV_ROWS}}`),
  };
  const medians = await measureInTurns(
    [block('papa', papa, () => send(papa, file)), block('csv', csv, () => send(csv, file))],
    CSV_TURNS,
  );
  return ratioLine(`CSV of ${CSV_ROWS} rows, read and validated, beside Papa Parse alone`, {
    ms: figureOf(medians, 'csv'),
    floorMs: figureOf(medians, 'papa'),
    most: PAPA_MOST,
    clock: 'processor',
  });
}
