import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '../dev/stack/stack.ts';
import type { Build } from '../testing/runtime/bundle.ts';
import { startOwnStack } from '../testing/runtime/own-stack.ts';
import { startWorkerd } from '../testing/runtime/workerd.ts';
import { lines as csvLines, FORM_TYPE, form, raceHeader, raceLine, raceRow } from './files.ts';
import { formatMs, type Line, measureInTurns, type Report, ROOM } from './measure.ts';
import { createRace } from './race.ts';

/** The distance of both databases. The distance is large enough to show a trip too many. */
const DELAY_MS = 100;
const TURNS = { warmUps: 3, samples: 15 };

type Goal = { text: string; ms: number; isMet: (medianMs: number, trips: number) => boolean };

/** A goal in trips of this run. The milliseconds are for orientation. */
const inTrips = (most: number): Goal => ({
  text: `< ${most} trips`,
  ms: most * DELAY_MS,
  isMet: (_, trips) => trips < most,
});
const inMs = (most: number): Goal => ({
  text: 'no trip',
  ms: most,
  isMet: (medianMs) => medianMs < most,
});

/** The fraction above a whole number of trips is time for the work. */
const READ = inTrips(1.6);
const UPLOAD = inTrips(2.6);
const REFUSAL = inMs(10);

const NEON_FLOOR = 'one bare request to Neon';
const LIVE_BATCH_ROWS = 20;
const RUNNERS = 300;
const KEYS = 8;
/** The number of concurrent requests that use up a key's rate limit. */
const SPENT_AT_ONCE = 20;
/** Longer than the measurement of a key over its limit. The window must not end before. */
const WINDOW_LEFT_SECONDS = 5;

/** The deployed Worker, the path of a race, and a key for each operation. */
type Api = { origin: string; path: string; key(): string };

type Sample = {
  name: string;
  send: () => Promise<Response>;
  /** The expected answer. A different answer fails the bench. */
  status: number;
  holds: RegExp;
};
type Operation = Sample & { goal: Goal };

/** Measures each operation in round trips to a distant database. */
export async function benchTrips(build: Build): Promise<Report> {
  const own = await startOwnStack(undefined, {
    postgresDelayMs: DELAY_MS,
    redisDelayMs: DELAY_MS,
  });
  const { stack, pool } = own;
  const worker = await startWorkerd(build.folder, { bindings: stack.workerEnv });
  try {
    const { path, keys } = await createRace(pool, RUNNERS, KEYS);
    const api: Api = { origin: worker.origin, path, key: () => keys.pop() ?? '' };
    // First, because the key is over its limit for less than a minute.
    const overLimit = await keyOverLimit(api);
    const refused = await measure([overLimit]);
    const operations = [...reads(api), ...uploads(api), malformedKey(api)];
    const medians = new Map([...refused, ...(await measure([bareRequest(stack), ...operations]))]);
    return {
      lines: [...operations, overLimit].map((operation) => lineOf(operation, medians)),
      notes: [
        `Medians of ${TURNS.samples} sequential requests over a kept connection, after ` +
          `${TURNS.warmUps} to warm up. Both gateways add ${DELAY_MS} ms to every answer. ` +
          'A trip is the duration of the bare request to Neon in the same run. The ratio counts trips.',
      ],
    };
  } finally {
    await worker.stop();
    await own.stop();
  }
}

/** A trip to the database without the Worker. */
const bareRequest = ({ neon }: Stack): Sample => ({
  name: NEON_FLOOR,
  send: () =>
    fetch(`${neon.origin}/sql`, {
      method: 'POST',
      headers: { 'Neon-Connection-String': neon.url },
      body: JSON.stringify({ query: 'select 1', params: [] }),
    }),
  status: 200,
  holds: /"rows":\[\["1"\]\]/,
});

function reads({ origin, path: event, key }: Api): Operation[] {
  const paths = [
    { name: 'listEvents', path: '/public/v1/events', holds: /"total":1\b/ },
    { name: 'getEvent', path: event, holds: /"city":/ },
    { name: 'listEventParticipants', path: `${event}/participants`, holds: /"inscription_id":/ },
    {
      name: 'lookupEventParticipants',
      path: `${event}/participants/lookup?bib=17`,
      holds: /"bib_number":"17"/,
    },
    { name: 'getEventStats', path: `${event}/stats`, holds: /"DELIVERED"/ },
  ];
  return paths.map(({ name, path, holds }) => {
    const headers = { 'X-API-Key': key() };
    return { name, goal: READ, send: () => fetch(origin + path, { headers }), status: 200, holds };
  });
}

function uploads({ origin, path, key }: Api): Operation[] {
  const rows = Array.from({ length: LIVE_BATCH_ROWS }, (_, index) => raceRow(index + 1));
  const file = form(csvLines(raceHeader(), RUNNERS, (row) => raceLine(row)));
  const upload = (name: string, to: string, type: string, body: string | Buffer): Operation => {
    const headers = { 'X-API-Key': key(), 'Content-Type': type };
    const send = () => fetch(`${origin}${path}${to}`, { method: 'POST', headers, body });
    return { name, goal: UPLOAD, send, status: 200, holds: /"not_found":0,"errors":0/ };
  };
  const json = JSON.stringify({ results: rows });
  return [
    upload(`uploadResults, ${rows.length} rows of JSON`, '/results', 'application/json', json),
    upload(`uploadResultsFile, ${RUNNERS} rows of CSV`, '/results/file', FORM_TYPE, file),
  ];
}

const malformedKey = ({ origin }: Api): Operation => ({
  name: 'a malformed key',
  goal: REFUSAL,
  send: () =>
    fetch(`${origin}/public/v1/events`, { headers: { 'X-API-Key': `er_live_${'0'.repeat(38)}` } }),
  status: 401,
  holds: /malformed/,
});

/** A request of a key over its limit. The isolate remembers the refusal. */
async function keyOverLimit({ origin, key }: Api): Promise<Operation> {
  const headers = { 'X-API-Key': key() };
  const send = () => fetch(`${origin}/public/v1/events`, { headers });
  const operation: Operation = {
    name: 'a key known to be over its limit',
    goal: REFUSAL,
    send,
    status: 429,
    holds: /RATE_LIMITED/,
  };
  for (;;) {
    const answers = await Promise.all(Array.from({ length: SPENT_AT_ONCE }, send));
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    const failed = answers.findIndex(({ status }) => status !== 200 && status !== 429);
    if (failed >= 0) throw new Error(`Unexpected answer before the limit: ${bodies[failed]}`);
    const refusal = answers.find(({ status }) => status === 429);
    const leftSeconds = Number(refusal?.headers.get('Retry-After') ?? 0);
    if (leftSeconds > WINDOW_LEFT_SECONDS) return operation;
    // No request is refused yet, or the window ends too soon.
    await sleep(leftSeconds * 1_000);
  }
}

const measure = (operations: readonly Sample[]): Promise<Map<string, number>> =>
  measureInTurns(
    operations.map(({ name, send, status, holds }) => ({
      name,
      async run() {
        const answer = await send();
        const body = await answer.text();
        if (answer.status !== status || !holds.test(body)) {
          throw new Error(`${name}: unexpected answer ${answer.status} ${body.slice(0, 500)}`);
        }
      },
    })),
    TURNS,
  );

function lineOf({ name, goal }: Operation, medians: ReadonlyMap<string, number>): Line {
  const floorMs = medians.get(NEON_FLOOR) ?? Number.NaN;
  const medianMs = medians.get(name) ?? Number.NaN;
  const trips = medianMs / floorMs;
  return {
    operation: name,
    floor: formatMs(floorMs),
    measured: formatMs(medianMs),
    ratio: trips.toFixed(2),
    goal: goal.text,
    goalMs: `< ${goal.ms} ms`,
    met: goal.isMet(medianMs, trips),
    isBroken: !goal.isMet(medianMs / ROOM, trips / ROOM),
  };
}
