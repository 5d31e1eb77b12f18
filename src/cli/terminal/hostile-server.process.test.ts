import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import { PanelClient, RaceResultsClient } from '../../client/index.ts';
import { LOOPBACK, listen } from '../../dev/stack/listen.ts';
import { startApi } from '../../testing/runtime/api.ts';
import { startInProcess } from '../../testing/runtime/command.ts';
import { EXIT } from '../exit-codes.ts';

vi.setConfig({ testTimeout: 240_000 });

/** An answer of the real API. */
type Recorded = { status: number; headers: Record<string, string>; body: string };
/** Answers a request in place of the recorded answer. */
type Attack = (to: ServerResponse, recorded: Recorded) => unknown;

const FORCE = '--yes --force not_event_day,unknown_bibs,rows_fail_alike';
/** Each command that reads an answer. `watch` runs until it has asked often enough. */
const COMMANDS = [
  'setup --yes --start 10K=2026-05-03T09:00:00 --zone Europe/Madrid',
  'check results.csv --yes',
  `send results.csv ${FORCE}`,
  `send km5.csv --point Km5 ${FORCE}`,
  'status',
  'missing',
  'log',
  'verify results.csv',
  'verify official.jsonl',
  'export all.csv',
  'start-list start.csv',
  'set 3 --status DNF --yes',
  'remove 2 --yes',
  'undo BATCH --any --yes',
  'watch results.csv --start-list start.csv',
];
const WATCH_ASKS = 25;

let key = '';
let eventId = '';
let official = '';
let batch = '';
/** The answers to each command, by method and path, in their order. */
const recordings = new Map<string, Map<string, Recorded[]>>();
/** Answers the requests of the command. */
let answer: (path: string, to: ServerResponse, url: string, request: Request) => unknown;
const asked: string[] = [];
const elsewhere: string[] = [];
const servers: { close(): unknown; closeAllConnections(): unknown }[] = [];
let origin = '';
let elsewhereOrigin = '';

const pathOf = (method = '', url = '') => `${method} ${new URL(url, 'http://x').pathname}`;
const [realSetTimeout, realSetInterval] = [setTimeout, setInterval];
const clearRealInterval = clearInterval;

async function serve(
  take: (path: string, to: ServerResponse, url: string, request: Request) => unknown,
) {
  const server = createServer(async (request, to) => {
    to.on('error', () => {});
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const { method = '', url = '' } = request;
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const sent = new Request(`http://x${url}`, {
      method,
      headers: headers as Record<string, string>,
      ...(method !== 'GET' && { body: Buffer.concat(pieces) }),
    });
    await take(pathOf(method, url), to, url, sent);
  });
  servers.push(server);
  return `http://${LOOPBACK}:${await listen(server)}`;
}

beforeAll(async () => {
  const api = await startApi(inject('workerEnv'));
  try {
    const race = await api.createRace(16, { given_names: 'Ada', distance: '10K' });
    ({ apiKey: key, eventId } = race);
    const client = new RaceResultsClient({ baseUrl: api.origin, apiKey: await race.createKey() });
    const panel = new PanelClient({ baseUrl: api.origin, sessionToken: race.sessionToken });
    const uploaded = await client.uploadEventResults(eventId, {
      results: [{ bib_number: '5', chip_time: '41:50', splits: { 'Km 5': '20:00' } }],
    });
    batch = uploaded.batch_id;
    await client.uploadEventPassings(eventId, {
      passings: [{ bib_number: '6', point: 'Km 5', time: '21:00' }],
    });
    await panel.makeResultsOfficial(race.organizationId, eventId);
    official = await client.getOfficialResults(eventId, 1);
    elsewhereOrigin = await serve((path, to, _url, request) => {
      elsewhere.push(`${path} ${JSON.stringify([...request.headers])}`);
      to.end('{}');
    });
    origin = await serve((path, to, url, request) => {
      asked.push(path);
      return answer(path, to, url, request);
    });
    for (const command of COMMANDS) {
      const recorded = new Map<string, Recorded[]>();
      recordings.set(command, recorded);
      answer = async (path, to, url, request) => {
        const real = await fetch(api.origin + url, {
          method: request.method,
          headers: request.headers,
          ...(request.method !== 'GET' && { body: await request.arrayBuffer() }),
        });
        const body = await real.text();
        const {
          'content-encoding': _,
          'content-length': __,
          'transfer-encoding': ___,
          ...headers
        } = Object.fromEntries(real.headers);
        const one = { status: real.status, headers, body };
        recorded.set(path, [...(recorded.get(path) ?? []), one]);
        to.writeHead(one.status, one.headers).end(one.body);
      };
      const { exitCode } = await run(command);
      expect([command, exitCode]).toEqual([command, expect.toBeOneOf([0, 1, 4])]);
    }
  } finally {
    await api.stop();
  }
}, 120_000);
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** Runs a command in a fresh folder. */
async function run(command: string, isJson = false) {
  const above = mkdtempSync(join(tmpdir(), 'hostile-'));
  const folder = join(above, 'race');
  mkdirSync(folder);
  const write = (name: string, lines: string[]) =>
    writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
  write('results.csv', ['bib,time', '1,1:28:03', '2,1:29:10']);
  write('km5.csv', ['bib,time', '1,0:28:03', '2,0:29:10']);
  writeFileSync(join(folder, 'official.jsonl'), official);
  const args = command.replace('BATCH', batch).split(' ');
  asked.length = 0;
  elsewhere.length = 0;
  const running = startInProcess(isJson ? [...args, '--json'] : args, {
    cwd: folder,
    env: {
      RACE_RESULTS_API: origin,
      RACE_RESULTS_KEY: key,
      RACE_RESULTS_EVENT: eventId,
      XDG_CONFIG_HOME: join(above, 'home'),
      LANG: 'en',
    },
  });
  const isWatch = command.startsWith('watch');
  let isOver = false;
  const watching = async () => {
    const end = Date.now() + 2_000;
    while (!isOver && asked.length < WATCH_ASKS && Date.now() < end)
      await new Promise((resolve) => realSetTimeout(resolve, 5));
    running.interrupt();
  };
  const [ended] = await Promise.all([
    running.ended.finally(() => {
      isOver = true;
    }),
    ...(isWatch ? [watching()] : []),
  ]);
  const files = new Map(
    readdirSync(above, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [path.slice(above.length + 1), readFileSync(path, 'utf8')] as const;
      }),
  );
  // A refused request may still write the user's settings.
  rmSync(above, { recursive: true, force: true, maxRetries: 5 });
  return { exitCode: ended.exitCode, printed: ended.stdout + ended.stderr, files };
}

/** Lets the time of the command run forty times faster. */
function hurry() {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  });
  const ticking = realSetInterval(() => vi.advanceTimersByTime(200), 5);
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 40));
  onTestFinished(() => {
    clearRealInterval(ticking);
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
}

const OWN_FILES =
  /^(home\/race-results\/user\.json(\.[\w-]+\.tmp)?|race\/(results\.csv|km5\.csv|official\.jsonl|race\.json|all\.csv|start\.csv|verified-[\dT]+\.(txt|json)|\.race-results\/(state\.log|rejected.*\.csv)))$/;
const CODES = Object.values(EXIT).filter((code) => code !== EXIT.bug);
/** What a person must never read: a stack, and sentences of the runtime. */
const RUNTIME =
  /\n +at |\b(Type|Range|Syntax|Reference|Zod)Error\b|Cannot read|is not (a function|iterable|valid JSON)|fetch failed|Invalid time|Unexpected (token|end)|\bundefined\b|\bNaN\b|\[object /;
const CONTROL = /(?![\n\t])[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

/** The mistakes of a command under attack. */
function faultsOf({ exitCode, printed, files }: Awaited<ReturnType<typeof run>>): string[] {
  const faults: string[] = [];
  if (!CODES.some((code) => code === exitCode)) faults.push(`exit ${exitCode}`);
  const runtime = RUNTIME.exec(printed);
  if (runtime)
    faults.push(`runtime: ${printed.slice(Math.max(0, runtime.index - 200), runtime.index + 300)}`);
  if (CONTROL.test(printed)) faults.push('control character');
  if (printed.length > 100_000) faults.push(`${printed.length} characters`);
  if (printed.includes(key)) faults.push('prints the key');
  for (const [path, text] of files) {
    if (!OWN_FILES.test(path)) faults.push(`writes ${path}`);
    if (text.includes(key)) faults.push(`${path} has the key`);
    if (path.endsWith('.txt') && CONTROL.test(text)) faults.push(`${path} has a control character`);
  }
  if (elsewhere.length > 0) faults.push(`asks elsewhere: ${elsewhere}`);
  return faults;
}

/** Plays the recording of a command, with the attack in place of a path's answers. */
async function attacked(command: string, target: string, attack: Attack, isJson = false) {
  const left = new Map([...(recordings.get(command) ?? [])].map(([path, all]) => [path, [...all]]));
  answer = (path, to) => {
    const all = left.get(path) ?? [];
    const recorded = (all.length > 1 ? all.shift() : all[0]) ?? {
      status: 404,
      headers: {},
      body: '',
    };
    if (path === target) attack(to, recorded);
    else to.writeHead(recorded.status, recorded.headers).end(recorded.body);
  };
  return run(command, isJson);
}

/** Each path with the first command that asks for the path, or with each command. */
function targets(isEach = false): [command: string, path: string][] {
  const known = new Set<string>();
  return COMMANDS.flatMap((command) =>
    [...(recordings.get(command)?.keys() ?? [])]
      .filter((path) => isEach || !known.has(path))
      .map((path): [string, string] => {
        known.add(path);
        return [command, path];
      }),
  );
}

const json =
  (body: unknown, more = {}): Attack =>
  (to, { status, headers }) =>
    to
      .writeHead(status, { ...headers, ...more })
      .end(typeof body === 'string' ? body : JSON.stringify(body));

const EVIL = '\u001b[31mX\u001b]0;T\u0007\r\u202e\u0000<img src=x onerror=alert(1)>';

/** Replaces values of an answer, or of each line of an answer. */
const changed =
  (change: (name: string, value: unknown) => unknown): Attack =>
  (to, { status, headers, body }) => {
    const isLines = headers['content-type']?.includes('ndjson') === true;
    const texts = isLines ? body.split('\n').filter(Boolean) : [body];
    const bodies = texts.map((text) => {
      try {
        return JSON.stringify(JSON.parse(text, change));
      } catch {
        return text;
      }
    });
    to.writeHead(status, headers).end(bodies.join('\n'));
  };

const PROSE =
  /name|city|detail|reason|sender|point|distance|category|why|gender|message|source|code|status/;
const texts = (text: string) =>
  changed((name, value) => (typeof value === 'string' && PROSE.test(name) ? text : value));
const numbers = (number: unknown) =>
  changed((_, value) => (typeof value === 'number' ? number : value));
const error =
  (status: number, more: object = {}, headers = {}): Attack =>
  (to) =>
    to
      .writeHead(status, { 'Content-Type': 'application/json', 'X-Request-Id': 'x', ...headers })
      .end(JSON.stringify({ code: 'X', detail: `${EVIL}${key}`, ...more }));
const LONG = 'x'.repeat(1 << 20);
const repeated =
  (piece: string, everyMs: number): Attack =>
  (to) => {
    const writing = realSetInterval(() => to.socket?.write(piece), everyMs);
    to.on('close', () => clearRealInterval(writing));
  };
const headed =
  (attack: Attack, head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'): Attack =>
  (to, recorded) => {
    to.socket?.write(head);
    attack(to, recorded);
  };

const ATTACKS: Record<string, Attack> = {
  'an empty object': json('{}'),
  'no value': json('null'),
  'an empty list': json('[]'),
  'a web page': json('<html><body>Sign in</body></html>'),
  nothing: json(''),
  'a deep list': json('['.repeat(100_000) + ']'.repeat(100_000)),
  'a deep object': json(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
  'a list without a total': json('{"data":[],"meta":{"total_pages":1}}'),
  'a list of empty objects': json('{"data":[{}],"meta":{"total":1,"total_pages":1}}'),
  prototypes: json('{"__proto__":{"data":[],"left":[]},"constructor":1,"toString":null}'),
  'signs for the terminal': texts(EVIL),
  'signs for the terminal in each text': changed((_, value) =>
    typeof value === 'string' ? EVIL : value,
  ),
  'texts of 1 MiB': texts(LONG),
  'texts with the key': changed((name, value) =>
    typeof value === 'string' && PROSE.test(name) ? key : value,
  ),
  'negative numbers': numbers(-1),
  'huge numbers': numbers(1e308),
  'broken numbers': numbers(1.5),
  'texts for numbers': numbers('7'),
  'numbers for texts': changed((_, value) => (typeof value === 'string' ? 7 : value)),
  'null for texts': changed((_, value) => (typeof value === 'string' ? null : value)),
  'objects for lists': changed((_, value) => (Array.isArray(value) ? {} : value)),
  'lists of null': changed((_, value) => (Array.isArray(value) ? [null] : value)),
  ...Object.fromEntries([400, 401, 403, 404, 409, 503].map((status) => [status, error(status)])),
  'a refused key with a detail of 1 MiB': error(403, { detail: LONG }),
  'a missing event with a detail of 1 MiB': error(404, { detail: LONG }),
  'wrong warnings': error(409, { warnings: [null, 7, {}], values: 7, refusal: {} }),
  'a wait of 1e9 seconds': error(503, {}, { 'Retry-After': '1000000000' }),
  'a wait of -5 seconds': error(503, {}, { 'Retry-After': '-5' }),
  'a wait until 2090': error(429, {}, { 'Retry-After': 'Fri, 01 Dec 2090 16:00:00 GMT' }),
  'a redirection': (to) => to.writeHead(302, { Location: elsewhereOrigin }).end(),
  'a redirection of the body': (to) => to.writeHead(307, { Location: elsewhereOrigin }).end(),
  'a name of a file': (to, { status, headers, body }) => {
    const file = { 'Content-Disposition': 'attachment; filename="../../evil.csv"' };
    to.writeHead(status, { ...headers, ...file }).end(body);
  },
  'a body that breaks off': (to, { status, headers, body }) => {
    to.writeHead(status, { ...headers, 'Content-Length': body.length + 9 }).write(body);
    realSetTimeout(() => to.destroy(), 5);
  },
  'a header that breaks off': (to) => to.socket?.end('HTTP/1.1 200 OK\r\nContent-'),
  'an answer without HTTP': (to) => to.socket?.end('\u001b[31mhello\r\n'),
  'a header of 1 MiB': (to) => to.socket?.end(`HTTP/1.1 200 OK\r\nX: ${LONG}\r\n\r\n`),
};

test.for(Object.keys(ATTACKS))('ends with a clear sentence after %s', async (name) => {
  const isEach = ['an empty object', 'signs for the terminal'].includes(name);
  expect(await faultsUnder(name, targets(isEach))).toEqual([]);
});

const few = (): [command: string, path: string][] =>
  targets().filter(([command]) => /^(status|export)/.test(command));

const SLOW: Record<string, Attack> = {
  'a body in drops': headed(repeated(' ', 20), 'HTTP/1.1 200 OK\r\n\r\n'),
  'a header in drops': headed(repeated('X: y\r\n', 20)),
  'an endless header': headed(repeated('X: y\r\n'.repeat(1_000), 1)),
};
test.for(Object.keys(SLOW))('ends in time after %s', async (name) => {
  expect(await faultsUnder(name, few())).toEqual([]);
});

async function faultsUnder(name: string, all: [command: string, path: string][]) {
  const attack = ATTACKS[name] ?? SLOW[name] ?? (() => {});
  hurry();
  const found: string[] = [];
  for (const [command, path] of all) {
    const faults = faultsOf(await attacked(command, path, attack));
    if (faults.length > 0) found.push(`${command} | ${path}: ${faults.join('; ')}`);
  }
  return found;
}

test('prints no sign for the terminal with --json', async () => {
  hurry();
  for (const [command, path] of targets()) {
    const ended = await attacked(command, path, texts(EVIL), true);
    expect([command, path, ...faultsOf(ended)]).toEqual([command, path]);
  }
});

test('reads a part of an answer of 1 GB, and of a list without an end', async () => {
  hurry();
  const piece = Buffer.alloc(1 << 20, ' ');
  let sentMib = 0;
  const flood: Attack = (to) => {
    to.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 1_000_000_000 });
    const write = () => {
      while (!to.destroyed) {
        sentMib += 1;
        if (!to.write(piece)) return;
      }
    };
    to.on('drain', write);
    write();
  };
  const path = `GET /public/v1/events/${eventId}/missing-results`;
  expect(faultsOf(await attacked('status', path, flood))).toEqual([]);
  expect(sentMib).toBeGreaterThan(60);
  expect(sentMib).toBeLessThan(3 * 80);
  const data = Array(50_000).fill({
    bib_number: '1',
    distance: null,
    category: null,
    gender: null,
  });
  const endless = json({ data, meta: { total: 1e15, total_pages: 1e15 } });
  const ended = await attacked('missing', path, endless);
  expect([ended.exitCode, faultsOf(ended)]).toEqual([6, []]);
});

const UPLOADS: Record<string, object> = {
  'one row less': { total_processed: 1 },
  'no stored row': { uploaded: 0 },
  'more stored rows': { uploaded: 9 },
  'a negative count': { uploaded: 5, updated: -3 },
  'no list of left rows': { left: undefined },
  'a failed row with another bib': {
    uploaded: 1,
    errors: 1,
    failed: [{ row: 2, bib_number: '99', reason: 'No.', reason_code: 'unknown_bib' }],
  },
};
test.for(Object.keys(UPLOADS))('keeps the rows of an upload with %s in the queue', async (name) => {
  hurry();
  const path = `POST /public/v1/events/${eventId}/results/file`;
  const attack = changed((field, value) =>
    field === '' ? { ...(value as object), ...UPLOADS[name] } : value,
  );
  const command = COMMANDS.find((one) => one.startsWith('send results.csv')) ?? '';
  const ended = await attacked(command, path, attack);
  const state = ended.files.get('race/.race-results/state.log');
  expect([ended.exitCode, state?.includes('acknowledged'), state?.includes('"request"')]).toEqual([
    EXIT.offline,
    false,
    true,
  ]);
});
