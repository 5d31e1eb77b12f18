import { Readable } from 'node:stream';
import type { Build } from '../testing/runtime/bundle.ts';
import type { OwnStack } from '../testing/runtime/own-stack.ts';
import { startWorkerd } from '../testing/runtime/workerd.ts';
import { atOnce } from '../timing-files/read/turns.ts';
import { openJson } from '../worker/http/json-text.ts';
import type { Batch } from '../worker/results/upload/batch.ts';
import { beforeWriting } from '../worker/results/upload/before-writing.ts';
import { readCsvBatch } from '../worker/results/upload/csv-batch.ts';
import { readJsonBatch } from '../worker/results/upload/json-rows.ts';
import { storeBatch } from '../worker/results/upload/store.ts';
import { cpuMs } from './cpu.ts';
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
  bestInTurns,
  figureOf,
  formatMs,
  type Line,
  measureInTurns,
  type Operation,
  outsideMs,
  prepared,
  type Report,
  ratioLine,
} from './measure.ts';
import { createRace, type Race, startServers } from './race.ts';
import { sendingWith, transaction } from './statements.ts';

const UPLOAD_ROWS = 5_000;
const FILE_ROWS = 50_000;
const UPLOAD_TURNS = { warmUps: 2, samples: 21 };
const FILE_TURNS = { warmUps: 2, samples: 9 };
const PROCESSOR_TURNS = { warmUps: 2, samples: 9 };
/** V8 compiles the code of an isolate during its first uploads. */
const JSON_PROCESSOR_TURNS = { warmUps: 8, samples: 41 };
const CSV_MOST = 0.13;
/**
 * Beyond the time of the database: 25 to 30 ms of processor time, some 30 pauses of a millisecond each, in which other
 * requests go on, and the trip that checks the key.
 */
const JSON_MOST = 1.7;
const JSON_MOST_MS = 30;
const KEYS = 8;
/** The name of the floor. */
const DATABASE = 'database';

/** Measures an upload from the client's first byte to the answer's last byte, through workerd. */
export async function benchUploads(build: Build): Promise<Report> {
  const servers = await startServers();
  try {
    const api = await startApi(build, servers, FILE_ROWS);
    try {
      const lines = [
        await benchEndToEnd(api),
        await benchJsonProcessor(api),
        await benchFile(api),
        await benchFileProcessor(api),
      ];
      return { lines, notes: [METHOD] };
    } finally {
      await api.stop();
    }
  } finally {
    await servers.stop();
  }
}

const METHOD =
  'Uploads run through workerd and both gateways on a real PostgreSQL. Figures are medians, and those of workerd’s processor time are best runs. The floor of ' +
  `the ${UPLOAD_ROWS} rows of JSON is the database’s own time: the statement that ` +
  'the API sends for these rows, from `begin` to `commit` over one connection. Those of the rows of JSON are without the processor time of this ' +
  'process, in which the client and the gateways run.';

type Api = {
  servers: OwnStack;
  race: Race;
  keys: string[];
  sendJson(rows: readonly RaceRow[]): Promise<void>;
  sendCsv(body: Buffer): Promise<void>;
  clear(): Promise<unknown>;
  /** The processor time of workerd. */
  workerdMs(): number;
  stop(): Promise<void>;
};

async function startApi(build: Build, servers: OwnStack, registrations: number): Promise<Api> {
  const race = await createRace(servers.pool, registrations, KEYS);
  const { keys } = race;
  const workerd = await startWorkerd(build.folder, { bindings: servers.stack.workerEnv });
  const origin = workerd.origin;
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
    workerdMs: () => cpuMs(workerd.pid),
    stop: workerd.stop,
  };
}

const rowsFrom = (first: number, count: number): RaceRow[] =>
  Array.from({ length: count }, (_, index) => raceRow(first + index));

const textOf = (rows: number): Buffer =>
  Buffer.from(lines(raceHeader(), rows, (row) => raceLine(row), CSV_MAX));

const fileOf = (rows: number): Buffer => form(textOf(rows));

async function benchEndToEnd(api: Api): Promise<Line> {
  const rows = rowsFrom(1, UPLOAD_ROWS);
  const batch = atOnce(readJsonBatch(openJson(Buffer.from(JSON.stringify({ results: rows })))));
  const medians = await withDatabase(api, batch, (database) =>
    measureInTurns(
      [
        { ...database, clock: outsideMs },
        { name: 'whole', clock: outsideMs, run: () => api.sendJson(rows), undo: api.clear },
      ],
      UPLOAD_TURNS,
    ),
  );
  return ratioLine(`upload of ${UPLOAD_ROWS} rows as JSON, without gateways`, {
    ms: figureOf(medians, 'whole'),
    floorMs: figureOf(medians, DATABASE),
    most: JSON_MOST,
  });
}

/** @param measure is given the operation whose time is the database's own for this batch */
async function withDatabase<T>(
  { servers, race, keys, clear }: Api,
  batch: Batch,
  measure: (database: Operation) => Promise<T>,
): Promise<T> {
  const send = await sendingWith(keys[0] ?? '', 'results:write');
  const client = await servers.pool.connect();
  const anew = () => ({ ...batch, id: crypto.randomUUID() });
  try {
    return await measure({
      name: DATABASE,
      ...prepared(
        () => [...beforeWriting(), storeBatch(race.eventId, anew(), { source: 'json' })].map(send),
        (sent) => transaction(client, sent),
      ),
      undo: clear,
    });
  } finally {
    client.release();
  }
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
    ms: figureOf(medians, 'file'),
    floorMs: figureOf(medians, 'ten'),
    most: 0.9,
  });
}

/** workerd's processor time for a file beside PostgreSQL's processor time for the file's rows. */
async function benchFileProcessor(api: Api): Promise<Line> {
  const { servers, race, keys, clear, workerdMs } = api;
  const file = fileOf(FILE_ROWS);
  const batch = await readCsvBatch(Readable.from([textOf(FILE_ROWS)]));
  const send = await sendingWith(keys[0] ?? '', 'results:write');
  const client = await servers.pool.connect();
  try {
    const backend = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const backendPid = backend.rows[0]?.pid ?? 0;
    const anew = () => ({ ...batch, id: crypto.randomUUID() });
    const figures = await bestInTurns(
      [
        {
          name: DATABASE,
          ...prepared(
            () =>
              [...beforeWriting(), storeBatch(race.eventId, anew(), { source: 'csv' })].map(send),
            (sent) => transaction(client, sent),
          ),
          undo: clear,
          clock: () => cpuMs(backendPid),
        },
        { name: 'file', run: () => api.sendCsv(file), undo: clear, clock: workerdMs },
      ],
      PROCESSOR_TURNS,
    );
    return ratioLine(`CSV of ${FILE_ROWS} rows, workerd beside PostgreSQL, processor time`, {
      ms: figureOf(figures, 'file'),
      floorMs: figureOf(figures, DATABASE),
      most: CSV_MOST,
      clock: 'processor',
    });
  } finally {
    client.release();
  }
}

/** The processor time of workerd for the rows of JSON. */
async function benchJsonProcessor({ sendJson, clear, workerdMs }: Api): Promise<Line> {
  const rows = rowsFrom(1, UPLOAD_ROWS);
  const figures = await bestInTurns(
    [{ name: 'json', run: () => sendJson(rows), undo: clear, clock: workerdMs }],
    JSON_PROCESSOR_TURNS,
  );
  const ms = figureOf(figures, 'json');
  return {
    operation: `upload of ${UPLOAD_ROWS} rows as JSON, processor time of workerd`,
    measured: formatMs(ms),
    goal: `≤ ${JSON_MOST_MS} ms`,
    met: ms <= JSON_MOST_MS,
  };
}
