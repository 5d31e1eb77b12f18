import type { Build } from '../testing/runtime/bundle.ts';
import { startWorkerd } from '../testing/runtime/workerd.ts';
import { upload } from './database.ts';
import {
  CSV_MAX,
  FORM_TYPE,
  form,
  lines,
  type RaceRow,
  raceHeader,
  raceLine,
  raceRow,
} from './files.ts';
import {
  formatMs,
  type Line,
  markdownTable,
  measureInTurns,
  median,
  medianOf,
  prepared,
  type Report,
  ratioLine,
} from './measure.ts';
import { createKeys, createRace, type Race, type Servers, startServers } from './race.ts';
import { sendingWith, transaction } from './statements.ts';

const UPLOAD_ROWS = 5_000;
const FILE_ROWS = 50_000;
const GROWTH_ROWS = [25_000, 50_000, 100_000];
const UPLOAD_TURNS = { warmUps: 2, samples: 9 };
const FILE_TURNS = { warmUps: 1, samples: 3 };
const FAR_MS = 20;
/** The loop is slow, so a part of it is measured and the rest is extrapolated. */
const LOOP_ROWS = 200;
const KEYS = 8;

/** Measures an upload from the client's first byte to the answer's last byte, through workerd. */
export async function benchUploads(build: Build): Promise<Report> {
  const near = await startServers();
  const lines: Line[] = [];
  const notes: string[] = [];
  try {
    const api = await startApi(build, near, FILE_ROWS * 2);
    try {
      lines.push(await benchEndToEnd(api), await benchFile(api));
      notes.push(await benchGrowth(api));
    } finally {
      await api.stop();
    }
  } finally {
    await near.stop();
  }
  lines.push(await benchLoop(build));
  notes.push(
    'Uploads run through workerd and both gateways on a real PostgreSQL. Figures are medians. The ' +
      `per-row loop sends one upsert for each row, one after the other, to a gateway ${FAR_MS} ms ` +
      `away. ${LOOP_ROWS} rows of it are measured, and their mean is multiplied by ${UPLOAD_ROWS}.`,
  );
  return { lines, notes };
}

type Api = {
  servers: Servers;
  race: Race;
  keys: string[];
  sendJson(rows: readonly RaceRow[]): Promise<void>;
  sendCsv(body: Buffer): Promise<void>;
  clear(): Promise<unknown>;
  stop(): Promise<void>;
};

async function startApi(build: Build, servers: Servers, registrations: number): Promise<Api> {
  const race = await createRace(servers.pool, { registrations });
  const keys = await createKeys(servers.pool, race, KEYS);
  const workerd = await startWorkerd([
    { name: 'api', folder: build.folder, bindings: servers.workerEnv },
  ]);
  const origin = workerd.origins['api'] ?? '';
  const path = `${origin}${race.path}/results`;
  let sent = 0;
  async function send(url: string, type: string, body: string | Buffer): Promise<void> {
    sent += 1;
    const key = keys[sent % keys.length] ?? '';
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': type },
      body,
    });
    const answer = await response.text();
    if (!/"not_found":0,"errors":0,"duplicates":0/.test(answer)) {
      throw new Error(`${response.status}: ${answer.slice(0, 500)}`);
    }
  }
  return {
    servers,
    race,
    keys,
    sendJson: (rows) => send(path, 'application/json', JSON.stringify({ results: rows })),
    sendCsv: (body) => send(`${path}/file`, FORM_TYPE, body),
    clear: () => servers.pool.query('truncate results'),
    stop: workerd.stop,
  };
}

const rowsFrom = (first: number, count: number): RaceRow[] =>
  Array.from({ length: count }, (_, index) => raceRow(first + index));

const fileOf = (rows: number): Buffer =>
  form(lines(raceHeader(), rows, (row) => raceLine(row), CSV_MAX));

async function benchEndToEnd({ servers, race, keys, sendJson, clear }: Api): Promise<Line> {
  const send = await sendingWith(keys[0] ?? '', 'results:write');
  const rows = rowsFrom(1, UPLOAD_ROWS);
  const client = await servers.pool.connect();
  const medians = await measureInTurns(
    [
      {
        name: 'database',
        ...prepared(
          () => upload(send, race, rows),
          (statements) => transaction(client, statements),
        ),
        undo: clear,
      },
      { name: 'whole', run: () => sendJson(rows), undo: clear },
    ],
    UPLOAD_TURNS,
  );
  client.release();
  return ratioLine(`upload of ${UPLOAD_ROWS} rows as JSON, end to end`, {
    ms: medianOf(medians, 'whole'),
    floorMs: medianOf(medians, 'database'),
    most: 1.6,
  });
}

async function benchFile({ sendJson, sendCsv, clear }: Api): Promise<Line> {
  const file = fileOf(FILE_ROWS);
  const batches = Array.from({ length: FILE_ROWS / UPLOAD_ROWS }, (_, index) =>
    rowsFrom(index * UPLOAD_ROWS + 1, UPLOAD_ROWS),
  );
  const medians = await measureInTurns(
    [
      {
        name: 'ten',
        async run() {
          for (const rows of batches) await sendJson(rows);
        },
        undo: clear,
      },
      { name: 'file', run: () => sendCsv(file), undo: clear },
    ],
    FILE_TURNS,
  );
  return ratioLine(`CSV of ${FILE_ROWS} rows against ${batches.length} JSON uploads of the same`, {
    ms: medianOf(medians, 'file'),
    floorMs: medianOf(medians, 'ten'),
    most: 0.8,
  });
}

/** A file that is twice as long should take twice the time, not more. */
async function benchGrowth({ sendCsv, clear }: Api): Promise<string> {
  const files = GROWTH_ROWS.map((rows) => ({ rows, file: fileOf(rows) }));
  const medians = await measureInTurns(
    files.map(({ rows, file }) => ({
      name: String(rows),
      run: () => sendCsv(file),
      undo: clear,
    })),
    FILE_TURNS,
  );
  return markdownTable(
    ['rows of CSV', 'end to end', 'a thousand rows'],
    GROWTH_ROWS.map((rows) => {
      const ms = medianOf(medians, String(rows));
      return [String(rows), formatMs(ms), formatMs(ms / (rows / 1_000))];
    }),
  );
}

/** Compares an upload with the obvious implementation: one upsert for each row, over HTTP. */
async function benchLoop(build: Build): Promise<Line> {
  const servers = await startServers(FAR_MS);
  try {
    const api = await startApi(build, servers, UPLOAD_ROWS);
    try {
      const rows = rowsFrom(1, UPLOAD_ROWS);
      await api.sendJson(rows.slice(0, 1));
      const batch = await servers.pool.query<{ id: string }>(
        'select id from result_batches limit 1',
      );
      const batchId = batch.rows[0]?.id ?? '';
      const took: number[] = [];
      for (let turn = 0; turn < UPLOAD_TURNS.samples; turn++) {
        await api.clear();
        const startedAt = performance.now();
        await api.sendJson(rows);
        took.push(performance.now() - startedAt);
      }
      await api.clear();
      const startedAt = performance.now();
      for (const row of rows.slice(0, LOOP_ROWS)) await upsert(servers, api.race, batchId, row);
      const loopMs = ((performance.now() - startedAt) / LOOP_ROWS) * UPLOAD_ROWS;
      const ms = median(took);
      return {
        operation: `upload of ${UPLOAD_ROWS} rows, database ${FAR_MS} ms away, against a per-row loop`,
        floor: formatMs(loopMs),
        measured: formatMs(ms),
        ratio: `${(loopMs / ms).toFixed(0)} × faster`,
        goal: '≥ 50 × faster',
        met: loopMs >= 50 * ms,
      };
    } finally {
      await api.stop();
    }
  } finally {
    await servers.stop();
  }
}

async function upsert(
  { stack }: Servers,
  race: Race,
  batchId: string,
  row: RaceRow,
): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${stack.neon.port}/sql`, {
    method: 'POST',
    headers: {
      'Neon-Connection-String': stack.neon.url,
      'Neon-Raw-Text-Output': 'true',
      'Neon-Array-Mode': 'true',
    },
    body: JSON.stringify({
      query: `insert into results (registration_id, event_id, batch_id, status, chip_time_ms, splits)
        select id, event_id, $3, 'FINISHED', $4, $5 from registrations
        where event_id = $1 and bib_number = $2
        on conflict (registration_id) do update set batch_id = excluded.batch_id,
          status = excluded.status, chip_time_ms = excluded.chip_time_ms, splits = excluded.splits`,
      params: [race.eventId, row.bib_number, batchId, '4000000', JSON.stringify(row.splits)],
    }),
  });
  const answer = await response.text();
  if (!/"rowCount":1/.test(answer)) throw new Error(answer.slice(0, 500));
}
