import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { insertKey } from '../../dev/stack/seed.ts';
import { openDatabase } from '../../testing/database.ts';
import { type Build, buildWorker } from '../../testing/runtime/bundle.ts';
import { startWorkerd, type Workerd, type WorkerdOptions } from '../../testing/runtime/workerd.ts';
import { generateApiKey, hashApiKey } from '../../worker/auth/api-key/api-key.ts';
import { REQUESTS_PER_WINDOW } from '../../worker/rate-limit/rate-limiter.ts';
import { cpuMs } from '../cpu.ts';
import { lines as csvLines, raceHeader, raceLine } from '../files.ts';
import {
  type Line,
  measureInTurns,
  medianOf,
  type Operation,
  type Report,
  ratioLine,
} from '../measure.ts';
import { startWorld, type World } from '../world.ts';
import { packagesTable, profileDuring } from './profile.ts';
import { type Replay, type Subrequest, startReplay } from './replay.ts';

/** V8 optimizes a function after some hundred calls. */
const WARM_UP_REQUESTS = 600;
const BLOCK_REQUESTS = 60;
const BLOCKS = 11;
const AT_ONCE = 16;
const SATURATED_BLOCK_REQUESTS = 320;
const PROFILED_REQUESTS = 1_500;
const CSV_ROWS = 50_000;
const CSV_TURNS = { warmUps: 4, samples: 9 };

const GET_EVENT_MOST = 1.63;
const PAGE_MOST = 2;
const REFUSAL_MOST_MS = 0.2;
const HANDWRITTEN_LEAST = 0.6;
const PAPA_MOST = 4;

/** Measures the processor time that workerd spends on a request. The databases answer from memory. */
export async function benchProcessor(build: Build): Promise<Report> {
  const world = await startWorld(build, 0);
  const running: { stop(): Promise<void> }[] = [world];
  const keep = <Part extends { stop(): Promise<void> }>(part: Part): Part => {
    running.push(part);
    return part;
  };
  const start = async (
    name: string,
    { folder }: Build,
    bindings: Record<string, string> = {},
    options: WorkerdOptions = {},
  ) => keep(await startWorkerd([{ name, folder, bindings }], options));
  try {
    const replay = keep(await startReplay(world.stack));
    const bindings = { ...replay.workerEnv, PANEL_JWT_SECRET: generateApiKey() };
    const api = await start('api', build, bindings);
    const { requests, getEvent } = await recordRequests(world, replay, api);
    const empty = await start('empty', await buildBeside(build, 'empty'));
    const bare = await start('bare', await buildBeside(build, 'processor/bare'), {
      SUBREQUESTS: JSON.stringify(getEvent.subrequests),
      ANSWER: getEvent.text,
    });
    const handwritten = await start(
      'handwritten',
      await buildBeside(build, 'processor/handwritten'),
      getEvent.templates,
    );

    const one = await benchRequests({ api, empty, bare }, requests);
    const saturated = await benchSaturated({ api, handwritten }, requests.getEvent);
    await compareAnswers(world, replay, api, handwritten);
    for (const workerd of [empty, bare, handwritten]) await workerd.stop();

    const csv = await start('csv', await buildBeside(build, 'processor/csv'));
    const papa = await start('papa', await buildBeside(build, 'processor/papa'));
    const file = await benchCsv({ csv, papa });
    const inspected = await start('inspected', build, bindings, { isInspected: true });
    return {
      lines: [...one, saturated, file],
      notes: [METHOD, await profileNote(inspected, build, requests.getEvent), PROFILE_METHOD],
    };
  } finally {
    for (const part of running.reverse()) await part.stop();
  }
}

const METHOD =
  'Processor time of all threads of workerd (the kernel’s schedstat). Each Worker runs in a process of ' +
  'its own. A server in the bench’s process answers in place of both gateways: it repeats what they ' +
  `answered once. Figures of requests are medians of ${BLOCKS} blocks of ${BLOCK_REQUESTS} sequential ` +
  `requests, measured in turns after ${WARM_UP_REQUESTS} requests to warm up. The floor of getEvent is a ` +
  'Worker that sends the same two subrequests with `fetch` and answers a fixed text. The floor of a ' +
  'malformed key is a Hono app with one empty route. A refused body costs the two subrequests too, ' +
  'because it is not parsed before the key is checked; so its floor is getEvent, and what it adds is the ' +
  'reading of a body. The hand-written handler has no library; the bench fails if one of its answers ' +
  'differs from the API’s. The floor of the CSV is Papa Parse alone, in workerd too, on the whole text; ' +
  `figures are medians of ${CSV_TURNS.samples} files.`;

const PROFILE_METHOD =
  'The shares are of the samples that V8’s profiler takes while JavaScript runs. Functions of the runtime ' +
  'are `fetch`, `URL`, `console.log` and the like. An inspected Worker logs at a higher cost than a ' +
  'deployed one.';

async function buildBeside({ folder }: Build, worker: string): Promise<Build> {
  const own = join(folder, worker);
  mkdirSync(own, { recursive: true });
  return buildWorker(own, `src/bench/${worker}/worker.ts`);
}

/** A request, and what its answer must be for its processor time to count. */
type Sent = { path: string; init: RequestInit; status: number; holds: RegExp };

async function recordRequests(world: World, replay: Replay, api: Workerd) {
  const [key, eventId] = [await world.createKey(), world.demo.eventId];
  const event = `/public/v1/events/${eventId}`;
  const init = { headers: { 'X-API-Key': key } };
  const upload = (type: string, body: string) => ({
    path: `${event}/results`,
    init: { method: 'POST', headers: { ...init.headers, 'Content-Type': type }, body },
    status: 400,
  });
  const requests = {
    getEvent: { path: event, init, status: 200, holds: /"city":/ },
    page: {
      path: `${event}/participants?page_size=100`,
      init,
      status: 200,
      holds: /"page_size":100,"total":2\d\d/,
    },
    malformedKey: {
      path: event,
      init: { headers: { 'X-API-Key': key.slice(0, -1) } },
      status: 401,
      holds: /malformed/,
    },
    otherType: { ...upload('text/plain', '{"results":[]}'), holds: /Content-Type/ },
    brokenBody: { ...upload('application/json', '{"results":['), holds: /VALIDATION_ERROR/ },
  } satisfies Record<string, Sent>;

  // The first time, Redis does not know the script.
  for (const sent of Object.values(requests)) {
    for (const _ of ['first', 'second']) await replay.record(() => send(api, sent));
  }
  const { answer: text, subrequests } = await replay.record(() => send(api, requests.getEvent));
  const keyHash = await hashApiKey(key);
  const isToNeon = ({ url }: Subrequest) => url.endsWith('/sql');
  const [neon, upstash] = [isToNeon, (sent: Subrequest) => !isToNeon(sent)].map((isWanted) =>
    JSON.stringify(subrequests.find(isWanted))
      .replaceAll(keyHash, '{key_hash}')
      .replaceAll(eventId, '{event_id}'),
  );
  if (subrequests.length !== 2 || !neon || !upstash) {
    throw new Error(`getEvent sends ${subrequests.length} subrequests, where two are expected.`);
  }
  return { requests, getEvent: { text, subrequests, templates: { NEON: neon, UPSTASH: upstash } } };
}

type Requests = Awaited<ReturnType<typeof recordRequests>>['requests'];

const originOf = ({ origins }: Workerd): string => Object.values(origins)[0] ?? '';

/** @throws when the answer is another than expected */
async function send(workerd: Workerd, { path, init, status, holds }: Sent): Promise<string> {
  const response = await fetch(originOf(workerd) + path, init);
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
  { getEvent, page, malformedKey, otherType, brokenBody }: Requests,
): Promise<Line[]> {
  const emptyRoute: Sent = { path: '/', init: {}, status: 200, holds: /{}/ };
  const measured = [
    ['bare', bare, getEvent],
    ['empty', empty, emptyRoute],
    ['getEvent', api, getEvent],
    ['page', api, page],
    ['malformedKey', api, malformedKey],
    ['otherType', api, otherType],
    ['brokenBody', api, brokenBody],
  ] as const;
  for (const [, workerd, sent] of measured) await sendMany(workerd, sent, WARM_UP_REQUESTS);
  const medians = await measureInTurns(
    measured.map(([name, workerd, sent]) =>
      block(name, workerd, () => sendMany(workerd, sent, BLOCK_REQUESTS)),
    ),
    { warmUps: 1, samples: BLOCKS },
  );
  const ms = (name: (typeof measured)[number][0]) => medianOf(medians, name) / BLOCK_REQUESTS;
  return [
    ratioLine('getEvent, above two bare subrequests', {
      ms: ms('getEvent'),
      floorMs: ms('bare'),
      most: GET_EVENT_MOST,
    }),
    ratioLine('participants, page of 100, above getEvent', {
      ms: ms('page'),
      floorMs: ms('getEvent'),
      most: PAGE_MOST,
    }),
    refusalLine('a malformed key, above an empty route', ms('malformedKey'), ms('empty')),
    refusalLine('a body of another type, above getEvent', ms('otherType'), ms('getEvent')),
    refusalLine('a body that is no JSON, above getEvent', ms('brokenBody'), ms('getEvent')),
  ];
}

const refusalLine = (operation: string, ms: number, floorMs: number): Line => ({
  ...ratioLine(operation, { ms, floorMs }),
  goal: `≤ floor + ${REFUSAL_MOST_MS} ms`,
  met: ms <= floorMs + REFUSAL_MOST_MS,
});

/** Requests for each second of processor time while there are always some to answer. */
async function benchSaturated(
  { api, handwritten }: Record<'api' | 'handwritten', Workerd>,
  getEvent: Sent,
): Promise<Line> {
  const saturate = async (workerd: Workerd, count: number) => {
    const each = Math.ceil(count / AT_ONCE);
    await Promise.all(Array.from({ length: AT_ONCE }, () => sendMany(workerd, getEvent, each)));
  };
  for (const workerd of [api, handwritten]) await saturate(workerd, WARM_UP_REQUESTS);
  const medians = await measureInTurns(
    [
      block('api', api, () => saturate(api, SATURATED_BLOCK_REQUESTS)),
      block('handwritten', handwritten, () => saturate(handwritten, SATURATED_BLOCK_REQUESTS)),
    ],
    { warmUps: 1, samples: BLOCKS },
  );
  const perSecond = (name: 'api' | 'handwritten') =>
    (1_000 * SATURATED_BLOCK_REQUESTS) / medianOf(medians, name);
  const ratio = perSecond('api') / perSecond('handwritten');
  return {
    operation: `getEvent, ${AT_ONCE} at once, against a hand-written handler`,
    floor: `${perSecond('handwritten').toFixed(0)} /s`,
    measured: `${perSecond('api').toFixed(0)} /s`,
    ratio: ratio.toFixed(2),
    goal: `≥ ${HANDWRITTEN_LEAST} ×`,
    met: ratio >= HANDWRITTEN_LEAST,
  };
}

/** @throws when the hand-written handler answers anything else than the API */
async function compareAnswers(
  world: World,
  replay: Replay,
  api: Workerd,
  handwritten: Workerd,
): Promise<void> {
  const { organizationId, eventId } = world.demo;
  const db = openDatabase(world.stack.workerEnv.DATABASE_URL);
  const key = await world.createKey();
  const spent = await world.createKey();
  const narrow = await insertKey(db, organizationId, { scopes: ['stats:read'] });
  for (let sent = 0; sent < REQUESTS_PER_WINDOW; sent++) {
    await fetch(`${world.origin}/public/v1/events`, { headers: { 'X-API-Key': spent } });
  }
  const foreign = 'Bearer token-of-another-service';
  const cases: [string, Record<string, string>][] = [
    [eventId, { 'X-API-Key': key }],
    [eventId, { Authorization: `Bearer ${key}` }],
    [eventId, { Authorization: foreign, 'X-API-Key': ` ${key} ` }],
    [eventId, { Authorization: `Bearer ${key}`, 'X-API-Key': 'another' }],
    [eventId, {}],
    [eventId, { Authorization: foreign }],
    [eventId, { 'X-API-Key': `${key.slice(0, -1)}-` }],
    [eventId, { 'X-API-Key': key.replace(/.$/, (last) => (last === '0' ? '1' : '0')) }],
    [eventId, { 'X-API-Key': generateApiKey() }],
    [eventId, { 'X-API-Key': spent }],
    [eventId, { 'X-API-Key': narrow }],
    [crypto.randomUUID(), { 'X-API-Key': key }],
    [crypto.randomUUID(), { 'X-API-Key': narrow }],
    ['no-uuid', { 'X-API-Key': key }],
  ];
  for (const [id, headers] of cases) {
    const ask = async (workerd: Workerd) => {
      const url = `${originOf(workerd)}/public/v1/events/${id}`;
      const response = await fetch(url, { headers: { ...headers, 'X-Request-Id': 'compared' } });
      return {
        status: response.status,
        headers: [...response.headers],
        text: await response.text(),
      };
    };
    const { answer: expected } = await replay.record(() => ask(api));
    const actual = await ask(handwritten);
    if (!isDeepStrictEqual(actual, expected)) {
      throw new Error(
        `The hand-written handler answers ${JSON.stringify(actual)} where the API answers ` +
          JSON.stringify(expected),
      );
    }
  }
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
  return ratioLine(
    `CSV of ${CSV_ROWS} rows read, judged and made ready, against Papa Parse alone`,
    {
      ms: medianOf(medians, 'csv'),
      floorMs: medianOf(medians, 'papa'),
      most: PAPA_MOST,
    },
  );
}

async function profileNote(inspected: Workerd, { folder }: Build, getEvent: Sent): Promise<string> {
  await sendMany(inspected, getEvent, WARM_UP_REQUESTS);
  const profile = await profileDuring(Object.values(inspected.inspectors)[0] ?? '', () =>
    sendMany(inspected, getEvent, PROFILED_REQUESTS),
  );
  return packagesTable(profile, folder);
}
