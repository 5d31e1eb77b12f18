import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Build, buildWorker } from '../../testing/runtime/bundle.ts';
import { startWorkerd } from '../../testing/runtime/workerd.ts';
import { raceRow } from '../files.ts';
import {
  formatMs,
  markdownTable,
  measureInTurns,
  medianOf,
  type Report,
  type Turns,
} from '../measure.ts';
import { createKey, createRace, type Servers, startServers } from '../race.ts';

const DELAYS_MS = [1, 20, 100];
const REGISTRATIONS = 5_000;
const READ_TURNS = { warmUps: 15, samples: 15 };
/** A row costs the conventional handler two trips, so that few rows already take long. */
const UPLOADS = [
  { rows: 20, turns: { warmUps: 1, samples: 3 } },
  { rows: 200, turns: { warmUps: 0, samples: 3 } },
];

/** Compares the API with the same operations built one trip after the other, at three distances. */
export async function benchConventional({ folder }: Build): Promise<Report> {
  const own = join(folder, 'conventional');
  mkdirSync(own);
  await buildWorker(own, 'src/bench/conventional/worker.ts');
  const columns: Map<string, string>[] = [];
  for (const delayMs of DELAYS_MS) columns.push(await measureAt(delayMs, folder, own));
  const operations = Array.from(columns[0]?.keys() ?? []);
  return {
    lines: [],
    notes: [
      markdownTable(
        ['API / conventional', ...DELAYS_MS.map((delayMs) => `${delayMs} ms away`)],
        operations.map((name) => [name, ...columns.map((column) => column.get(name) ?? '')]),
      ),
      'The conventional handler uses the same schema and drivers, and Upstash’s sliding window as its ' +
        'documentation shows it. It asks for the key, the limit, the event, the count and the page one ' +
        'after the other; the API asks at once. Its upload looks for the registration of each row and then ' +
        'stores the result, without a transaction. Cells are medians through workerd and both gateways on a ' +
        `real PostgreSQL and Redis with ${REGISTRATIONS} registrations: ${READ_TURNS.samples} of reads, ` +
        `${UPLOADS.map(({ rows, turns }) => `${turns.samples} of ${rows} rows`).join(' and ')}. ` +
        'Nothing is extrapolated. The bench fails if the two answer otherwise.',
    ],
  };
}

type Operation = { name: string; turns: Turns; send: (origin: string) => Promise<string> };

/** @returns a cell for each operation */
async function measureAt(
  delayMs: number,
  folder: string,
  conventional: string,
): Promise<Map<string, string>> {
  const servers = await startServers(delayMs);
  try {
    const operations = await operationsOn(servers);
    const workerd = await startWorkerd([
      { name: 'api', folder, bindings: servers.workerEnv },
      { name: 'conventional', folder: conventional, bindings: servers.workerEnv },
    ]);
    try {
      const cells = new Map<string, string>();
      for (const operation of operations) {
        cells.set(operation.name, await compare(servers, workerd.origins, operation));
      }
      return cells;
    } finally {
      await workerd.stop();
    }
  } finally {
    await servers.stop();
  }
}

async function operationsOn({ pool }: Servers): Promise<Operation[]> {
  const race = await createRace(pool, { registrations: REGISTRATIONS });
  const headers = { 'X-API-Key': await createKey(pool, race) };
  const read = (name: string, path: string): Operation => ({
    name,
    turns: READ_TURNS,
    send: (origin) => textOf(fetch(origin + race.path + path, { headers })),
  });
  const upload = (rows: number, turns: Turns): Operation => {
    const body = JSON.stringify({
      results: Array.from({ length: rows }, (_, index) => raceRow(index + 1)),
    });
    return {
      name: `upload of ${rows} rows of JSON`,
      turns,
      async send(origin) {
        const answer = await textOf(
          fetch(`${origin}${race.path}/results`, {
            method: 'POST',
            headers: { ...headers, 'Content-Type': 'application/json' },
            body,
          }),
        );
        const { total_processed, uploaded, updated, not_found, errors, duplicates } =
          JSON.parse(answer);
        return [total_processed, uploaded, updated, not_found, errors, duplicates].join();
      },
    };
  };
  return [
    read('getEvent', ''),
    read('participants, page of 100', '/participants?page_size=100'),
    ...UPLOADS.map(({ rows, turns }) => upload(rows, turns)),
  ];
}

async function textOf(sent: Promise<Response>): Promise<string> {
  const response = await sent;
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text.slice(0, 500)}`);
  return text;
}

/** @throws when the two Workers answer differently */
async function compare(
  { pool }: Servers,
  origins: Record<string, string>,
  { turns, send }: Operation,
): Promise<string> {
  const answers = new Set<string>();
  const undo = () => pool.query('truncate results');
  const medians = await measureInTurns(
    ['api', 'conventional'].map((name) => ({
      name,
      run: async () => answers.add(await send(origins[name] ?? '')),
      undo,
    })),
    turns,
  );
  if (answers.size !== 1) throw new Error(`The answers differ: ${[...answers].join('\n')}`);
  const [api, conventional] = [medianOf(medians, 'api'), medianOf(medians, 'conventional')];
  return `${formatMs(api)} / ${formatMs(conventional)} = ${(conventional / api).toFixed(1)} ×`;
}
