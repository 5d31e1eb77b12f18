import { reasonOf } from '../local/listen.ts';
import {
  CSV_MAX,
  FORM_TYPE,
  form,
  JSON_MAX,
  lines,
  raceHeader,
  raceLine,
  raceRow,
} from './files.ts';
import { type HeapUsage, type Inspector, inspect } from './inspector.ts';
import { formatMs, type Line, markdownTable, type Report } from './measure.ts';
import type { Servers } from './race.ts';
import { createKey, createRace, type Race, startServers } from './race.ts';
import { anonymousMib, type Peak, watchResident } from './resident.ts';
import type { Build } from './worker.ts';
import { startWorkerd } from './workerd.ts';

const CSV_GOAL_MIB = 96;
const JSON_GOAL_MIB = 64;
const MIB = 1_024 * 1_024;
const REGISTRATIONS = 100_000;
const ROWS_MAX = 100_000;
const SAMPLE_EVERY_MS = 5;

/**
 * V8 lets garbage lie while memory is plenty, as on this machine and not on the platform. Under this
 * limit it has to collect; an upload that needed more of it would end the process.
 */
const HEAP_LIMIT_MIB = 40;

type Upload = { name: string; kind: 'csv' | 'json'; body: () => Buffer };

type Reading = {
  bytes: number;
  seconds: number;
  rows: number;
  answerBytes: number;
  idleHeapMib: number;
  sampledMib: number;
  samples: number;
  peakMib: number;
};

/** Without a reading, the upload did not get through. */
type Measured = { upload: Upload; reading: Reading | undefined };

const csv = (name: string, file: () => Uint8Array | string): Upload => ({
  name,
  kind: 'csv',
  body: () => form(file()),
});

const json = (name: string, rows: () => unknown[]): Upload => ({
  name,
  kind: 'json',
  body: () => Buffer.from(JSON.stringify({ results: rows() })),
});

const wideNames = Array.from({ length: 197 }, (_, index) => `Split ${index}`.padEnd(100, '-'));
const wideHeader = ['Dorsal', 'Tiempo chip', 'Tiempo pistola', ...wideNames].join(',');
const filled = (length: number) => (row: number) => `${row} `.padEnd(length, 'x');
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const times = (count: number, time: string) => Array.from({ length: count }, () => time).join(',');
const halfOfTimes = (row: number) =>
  Array.from({ length: 197 }, (_, index) =>
    (row * (index + 1)) % 1_301 < 650 ? '9:59' : '',
  ).join();
const jsonRows = (row: (index: number) => unknown) =>
  Array.from({ length: 5_000 }, (_, index) => row(index + 1));

const UPLOADS: readonly Upload[] = [
  csv('100 000 rows, 3 splits', () => lines(raceHeader(), ROWS_MAX, (row) => raceLine(row))),
  csv('100 000 rows, 9 splits, 16 MiB', () =>
    lines(`${raceHeader(9)},note`, ROWS_MAX, (row) => `${raceLine(row, 9)},${'n'.repeat(12)}`),
  ),
  csv('100 000 tiny rows', () => lines('bib,time', ROWS_MAX, (row) => `${row},9:59`)),
  csv('100 000 tiny rows that fail', () => lines('bib,time', ROWS_MAX, () => '1,x')),
  csv('every row fails, 16 MiB', () =>
    lines('bib,time,note', ROWS_MAX, (row) => `${row},late,${filled(150)(row)}`),
  ),
  csv('every row fails in quotes, 16 MiB', () =>
    lines('bib,time,note', ROWS_MAX, (row) => `${row},"late ""er""","${filled(130)(row)}"`),
  ),
  csv('every bib unknown and of 32 characters, 16 MiB', () =>
    lines('bib,time,note', ROWS_MAX, (row) => `${filled(32)(row)},1:00:00,${filled(110)(row)}`),
  ),
  csv('every row fails, two-byte text, 16 MiB', () =>
    lines('bib,time,note', ROWS_MAX, (row) => `${row},late €,${filled(147)(row)}`),
  ),
  csv('every bib unknown, of 32 €, 16 MiB', () =>
    lines('bib,time,note', ROWS_MAX, (row) =>
      [String(row).padEnd(32, '€'), '1:00:00', filled(65)(row)].join(','),
    ),
  ),
  csv('latin-1 by the last byte, 9 splits, 16 MiB', () =>
    latin1(`${lines(raceHeader(9), ROWS_MAX, (row) => raceLine(row, 9)).trimEnd()},ñ`),
  ),
  csv('latin-1 by the last byte, every row fails, 16 MiB', () =>
    latin1(
      `${lines('bib,time,note', ROWS_MAX, (row) => `${row},late,${filled(150)(row)}`).trimEnd()}ñ`,
    ),
  ),
  csv('200 columns × 100 characters, a split in every cell, 16 MiB', () =>
    lines(wideHeader, ROWS_MAX, (row) => `${row},1:00:00,1:00:01,${times(197, '00:12:34')}`),
  ),
  csv('200 columns × 100 characters, every row fails, 16 MiB', () =>
    lines(wideHeader, ROWS_MAX, (row) => `${row},late,1:00:01,${times(197, '00:12:34')}`),
  ),
  csv('200 columns × 100 characters, all cells empty, 16 MiB', () =>
    lines(wideHeader, ROWS_MAX, (row) => `${row},1:00:00${','.repeat(198)}`),
  ),
  csv('200 columns × 100 characters, each row with another half of the splits', () =>
    lines(wideHeader, 1_300, (row) => `${row},1:00:00,1:00:01,${halfOfTimes(row)}`),
  ),
  json('5 000 rows, 60 splits, 8 MiB', () => jsonRows((row) => raceRow(row, 59))),
  json('5 000 rows that fail, 8 MiB', () =>
    jsonRows((row) => ({ ...raceRow(row, 58), chip_time: 'late' })),
  ),
  json('5 000 unknown bibs, two-byte text, 8 MiB', () =>
    jsonRows((row) => ({ ...raceRow(row, 58), bib_number: `€ ${row}` })),
  ),
  json('5 000 rows, each with another 75 of 200 names, 8 MiB', () =>
    jsonRows((row) => ({
      bib_number: String(row),
      time: '9:59',
      splits: Object.fromEntries(
        Array.from({ length: 75 }, (_, index) => [
          `${(row * 7 + index * ((row % 2) + 1)) % 200}`.padEnd(10, '-'),
          '9:59',
        ]),
      ),
    })),
  ),
];

/**
 * What the Worker's isolate takes at its peak while an upload runs, each in a process of its own.
 *
 * The figure is an upper bound: the most that was resident while the upload ran and is no file's (the
 * kernel's RssAnon, looked at every millisecond from a thread of its own), less what was resident just
 * before, plus the heap and the free room in it by then. It holds all that the isolate causes: V8's
 * heap with the garbage in it, array buffers, bodies on their way in and out, compiled code, and what
 * the allocator keeps.
 */
export async function benchMemory(build: Build): Promise<Report> {
  const servers = await startServers();
  try {
    const race = await createRace(servers.pool, { registrations: REGISTRATIONS });
    const readings: Measured[] = [];
    for (const upload of UPLOADS) {
      const reading = await measureUpload(build, servers, race, upload).catch((error: unknown) => {
        // Told in its line: the others are measured all the same.
        console.error(`${upload.name}: ${reasonOf(error)}`);
        return undefined;
      });
      readings.push({ upload, reading });
    }
    return { lines: readings.map(lineOf), notes: [METHOD, readingsTable(readings)] };
  } finally {
    await servers.stop();
  }
}

const METHOD =
  'Memory: each upload in a fresh process of workerd, after two small ones. The peak is the most ' +
  'that was resident and no file’s (RssAnon, sampled every millisecond by a thread of its own), less ' +
  'what was resident before, plus V8’s whole heap then: an upper bound, which holds garbage, buffers, ' +
  'compiled code and the allocator’s slack. It can miss what comes and goes within a millisecond. ' +
  `V8’s heap is limited to ${HEAP_LIMIT_MIB} MiB, so that garbage is collected as on a full machine; ` +
  'what does not fit ends the process, and the line fails. “Sampled” is what V8 itself tells over ' +
  `the debugging protocol (heap in use and array buffers) every ${SAMPLE_EVERY_MS} ms, whenever ` +
  'JavaScript lets go: a lower bound.';

const lineOf = ({ upload, reading }: Measured): Line => {
  const goalMib = upload.kind === 'csv' ? CSV_GOAL_MIB : JSON_GOAL_MIB;
  return {
    operation: `memory: ${upload.kind.toUpperCase()}, ${upload.name}`,
    measured: reading ? `${reading.peakMib.toFixed(0)} MiB` : 'failed',
    goal: `< ${goalMib} MiB`,
    met: reading !== undefined && reading.peakMib < goalMib,
  };
};

const readingsTable = (readings: readonly Measured[]): string =>
  markdownTable(
    ['upload', 'MiB', 'rows', 'answer, MiB', 'idle heap', 'sampled', 'peak', 'time'],
    readings.flatMap(({ upload, reading }) =>
      reading
        ? [
            [
              `${upload.kind.toUpperCase()}, ${upload.name}`,
              (reading.bytes / MIB).toFixed(1),
              String(reading.rows),
              (reading.answerBytes / MIB).toFixed(1),
              reading.idleHeapMib.toFixed(1),
              `${reading.sampledMib.toFixed(1)} (${reading.samples})`,
              reading.peakMib.toFixed(1),
              formatMs(reading.seconds * 1_000),
            ],
          ]
        : [],
    ),
  );

async function measureUpload(
  build: Build,
  { pool, workerEnv }: Servers,
  race: Race,
  upload: Upload,
): Promise<Reading> {
  const key = await createKey(pool, race);
  await pool.query('truncate results, result_batches');
  const body = upload.body();
  if (upload.kind === 'json' && body.length > JSON_MAX)
    throw new Error(`${upload.name} is too big`);
  if (upload.kind === 'csv' && body.length > CSV_MAX + 1_024) throw new Error(upload.name);
  const workerd = await startWorkerd([{ name: 'api', folder: build.folder, bindings: workerEnv }], {
    v8Flags: [`--max-heap-size=${HEAP_LIMIT_MIB}`],
  });
  const inspector = await inspect(workerd.inspector);
  let endWatch: (() => Promise<Peak>) | undefined;
  try {
    const path = `${workerd.origins['api']}${race.path}/results`;
    // Code is loaded by now, and pages of the program itself are resident.
    await send(`${path}/file`, key, form(`${raceHeader()},note\n${raceLine(1)}\n2,late\n`), 'csv');
    await send(path, key, Buffer.from(JSON.stringify({ results: [raceRow(1), {}] })), 'json');

    // With what is free in it: an upload may take that without a page more becoming resident.
    const { totalSize, ...idle } = await inspector.heapUsage();
    const idleHeapMib = heapMib({ ...idle, usedSize: totalSize });
    const residentMib = anonymousMib(workerd.pid);
    endWatch = await watchResident(workerd.pid);
    const sampling = sample(inspector);
    const startedAt = performance.now();
    const target = upload.kind === 'csv' ? `${path}/file` : path;
    const answer = await send(target, key, body, upload.kind);
    const seconds = (performance.now() - startedAt) / 1_000;
    const { peakMib: sampledMib, samples } = await sampling.stop();
    const watched = await endWatch();
    const peakMib = watched.peakMib - residentMib + idleHeapMib;
    return { bytes: body.length, seconds, idleHeapMib, sampledMib, samples, peakMib, ...answer };
  } finally {
    await endWatch?.();
    inspector.close();
    await workerd.stop();
  }
}

/** The answer is read to its end as it comes, and must account for every row. */
async function send(url: string, key: string, body: Buffer, kind: Upload['kind']) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': kind === 'csv' ? FORM_TYPE : 'application/json' },
    body,
  });
  const answer = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${answer.slice(0, 500)}`);
  const out: { total_processed: number; failed: unknown[]; not_found: number; errors: number } =
    JSON.parse(answer);
  if (out.failed.length !== out.not_found + out.errors)
    throw new Error('`failed` is not complete.');
  return { rows: out.total_processed, answerBytes: Buffer.byteLength(answer) };
}

function sample(inspector: Inspector) {
  let running = true;
  let peakMib = 0;
  let samples = 0;
  const ended = (async () => {
    while (running) {
      peakMib = Math.max(peakMib, heapMib(await inspector.heapUsage()));
      samples += 1;
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_EVERY_MS));
    }
  })();
  return {
    async stop() {
      running = false;
      await ended;
      return { peakMib, samples };
    },
  };
}

const heapMib = ({ usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 }: Usage): number =>
  (usedSize + embedderHeapUsedSize + backingStorageSize) / MIB;

type Usage = Omit<HeapUsage, 'totalSize'>;
