import { mkdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { reasonOf } from '../dev/stack/listen.ts';
import { type Build, buildWorker } from '../testing/runtime/bundle.ts';
import { anonymousMib, type Peak, watchResident } from '../testing/runtime/resident.ts';
import { startWorkerd } from '../testing/runtime/workerd.ts';
import { generateApiKey } from '../worker/auth/api-key/api-key.ts';
import { cpuMs } from './cpu.ts';
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
import { formatMs, type Line, markdownTable, type Report } from './measure.ts';
import type { Servers } from './race.ts';
import { createKey, createRace, type Race, startServers } from './race.ts';

const CSV_GOAL_MIB = 96;
const JSON_GOAL_MIB = 64;
const MIB = 1_024 * 1_024;
const REGISTRATIONS = 100_000;
const ROWS_MAX = 100_000;
const STALLED_MS = 1_000;

/**
 * V8 lets garbage lie while memory is plenty, as on this machine and not on the platform. Under this
 * limit it has to collect; an upload that needed more of it would end the process.
 */
const HEAP_LIMIT_MIB = 40;
/** A body that is made to fill the heap may take as much of it as it is allowed to take in all. */
const HOSTILE_HEAP_LIMIT_MIB = 64;

/** The platform's limit for an isolate, less what workerd itself and compiled code may take. */
const AT_ONCE_GOAL_MIB = 112;
const REFUSED_CPU_GOAL_MS = 20;

type Upload = {
  name: string;
  kind: 'csv' | 'json';
  body: () => Buffer;
  /** How many are sent at the same moment; those that do not fit are answered 503. */
  atOnce?: number;
  /** The status of each answer that is not 503. The default is 200. */
  status?: number;
  /** Sent with a key that nobody has. */
  unknownKey?: true;
  heapLimitMib?: number;
  contentEncoding?: string;
  /** Posted to the preview of the file, which answers the first rows alone. */
  isPreview?: true;
  /** Others that send the first half of the body before it, and stay open. */
  stalled?: { count: number; unknownKey: boolean };
};

type Reading = {
  bytes: number;
  seconds: number;
  cpuMs: number;
  statuses: string;
  rows: number;
  answerBytes: number;
  peakMib: number;
};

/** Without a reading, the upload did not get through. */
type Measured = { upload: Upload; reading: Reading | undefined };

const csv = (name: string, file: () => Uint8Array | string): Upload => ({
  name,
  kind: 'csv',
  body: () => form(file()),
});

const preview = (name: string, file: () => Uint8Array | string): Upload => ({
  ...csv(`preview, ${name}`, file),
  isPreview: true,
});

const json = (name: string, rows: () => unknown[]): Upload => ({
  name,
  kind: 'json',
  body: () => Buffer.from(JSON.stringify({ results: rows() })),
});

/** A body that costs much to parse, and is refused. */
const hostile = (name: string, text: () => string, more: Partial<Upload> = {}): Upload => ({
  name,
  kind: 'json',
  body: () => Buffer.from(text()),
  status: 400,
  heapLimitMib: HOSTILE_HEAP_LIMIT_MIB,
  ...more,
});

type Write = (index: number) => string;

const members = (length: number, write: Write): string =>
  Array.from({ length }, (_, index) => write(index)).join();
const arrayOf = (length: number, write: Write): string => `[${members(length, write)}]`;
const list = (length: number, write: Write): string => `{"results":${arrayOf(length, write)}}`;

/** Values of which each costs much, as many as are accepted or as fit into a body. */
const COSTLY: readonly [string, () => string, number?][] = [
  ['245 000 empty objects', () => list(49, () => arrayOf(5_000, () => '{}')), 200],
  [
    '160 000 objects, each with a name of its own',
    () => list(32, (row) => arrayOf(5_000, (at) => `{"k${5_000 * row + at}":[]}`)),
    200,
  ],
  ['490 000 numbers', () => list(49, () => arrayOf(9_999, (at) => `${at}.5`)), 200],
  ['490 000 texts', () => list(49, () => arrayOf(9_999, (at) => `"t${at}"`)), 200],
  [
    '499 000 members of one object',
    () => `{"results":{${members(499_000, (at) => `"k${at}":1`)}}}`,
  ],
  [
    '490 000 members of 49 objects, each with a name of its own',
    () => list(49, (row) => `{${members(9_999, (at) => `"k${10_000 * row + at}":1`)}}`),
    200,
  ],
  ['8 MiB of two-byte text', () => `{"results":["€${'x'.repeat(JSON_MAX - 20)}"]}`, 200],
];

const OPEN_BRACKETS = `{"results":[${'['.repeat(4_000_000)}`;
const FLAT_BRACKETS = () => list(2_700_000, () => '[]');

const HOSTILE: readonly Upload[] = [
  hostile('four million open brackets', () => OPEN_BRACKETS),
  hostile('2 700 000 empty arrays', FLAT_BRACKETS),
  ...COSTLY.map(([name, text, status = 400]) => hostile(name, text, { status })),
  ...[2, 4, 16].map((atOnce) =>
    hostile(
      `four million open brackets with an unknown key, ${atOnce} at once`,
      () => OPEN_BRACKETS,
      {
        status: 401,
        unknownKey: true,
        atOnce,
      },
    ),
  ),
  hostile('four million open brackets with an unknown key', () => OPEN_BRACKETS, {
    status: 401,
    unknownKey: true,
  }),
  hostile('8 MiB of gzip', () => 'x'.repeat(JSON_MAX), { contentEncoding: 'gzip' }),
  hostile('2 700 000 empty arrays with an unknown key', FLAT_BRACKETS, {
    status: 401,
    unknownKey: true,
  }),
];

const twoAndFour = (upload: Upload): Upload[] =>
  [2, 4].map((atOnce) => ({ ...upload, name: `${upload.name}, ${atOnce} at once`, atOnce }));

const wideNames = Array.from({ length: 197 }, (_, index) => `Split ${index}`.padEnd(100, '-'));
const wideHeader = ['Dorsal', 'Tiempo chip', 'Tiempo pistola', ...wideNames].join(',');
const filled = (length: number) => (row: number) => `${row} `.padEnd(length, 'x');
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const laps = Array.from({ length: 1_000 }, (_, index) => `Lap ${index + 1}`);
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
  csv('1 000 split names, 9 MiB', () =>
    lines(
      `bib,time,${laps.join()}`,
      ROWS_MAX,
      (row) => `${row},23:59:59,${times(1_000, '5:00')}`,
      9 * MIB,
    ),
  ),
  preview('100 000 rows, 9 splits, 16 MiB', () =>
    lines(`${raceHeader(9)},note`, ROWS_MAX, (row) => `${raceLine(row, 9)},${'n'.repeat(12)}`),
  ),
  preview('read otherwise than it is sent, 16 MiB', () =>
    lines('bib,time,pace,note', ROWS_MAX, (row) => `${row},1:00:00,4:10,${filled(140)(row)}`),
  ),
  preview('every row fails, 16 MiB', () =>
    lines('bib,time,note', ROWS_MAX, (row) => `${row},late,${filled(150)(row)}`),
  ),
  preview('every bib unknown, of 32 €, 16 MiB', () =>
    lines('bib,time,note', ROWS_MAX, (row) =>
      [String(row).padEnd(32, '€'), '1:00:00', filled(65)(row)].join(','),
    ),
  ),
  preview('1 000 split names, 9 MiB', () =>
    lines(
      `bib,time,${laps.join()}`,
      ROWS_MAX,
      (row) => `${row},23:59:59,${times(1_000, '5:00')}`,
      9 * MIB,
    ),
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

const AT_ONCE: readonly Upload[] = [
  {
    ...json('5 000 rows, 36 splits, 5 MiB, beside 40 of unknown keys that stall', () =>
      jsonRows((row) => raceRow(row, 36)),
    ),
    stalled: { count: 40, unknownKey: true },
  },
  {
    ...json('5 000 rows, 3 splits, beside 8 that stall', () => jsonRows((row) => raceRow(row))),
    stalled: { count: 8, unknownKey: false },
  },
  ...twoAndFour(
    csv('100 000 rows, 9 splits, 16 MiB', () =>
      lines(`${raceHeader(9)},note`, ROWS_MAX, (row) => `${raceLine(row, 9)},${'n'.repeat(12)}`),
    ),
  ),
  ...twoAndFour(
    csv('every row fails, 10 MiB', () =>
      lines(
        'bib,time,note',
        ROWS_MAX,
        (row) => `${row},late,${filled(150)(row)}`,
        10 * MIB - 1_024,
      ),
    ),
  ),
  ...twoAndFour(
    csv('every bib unknown, of 32 €, 6 MiB', () =>
      lines(
        'bib,time,note',
        ROWS_MAX,
        (row) => [String(row).padEnd(32, '€'), '1:00:00', filled(65)(row)].join(','),
        6 * MIB - 1_024,
      ),
    ),
  ),
  ...twoAndFour(json('5 000 rows, 60 splits, 8 MiB', () => jsonRows((row) => raceRow(row, 59)))),
  ...twoAndFour(
    json('5 000 rows that fail, two-byte text, 8 MiB', () =>
      jsonRows((row) => ({ bib_number: `€ ${row}`, time: 'late', note: filled(1_500)(row) })),
    ),
  ),
  ...twoAndFour(json('5 000 rows, 36 splits, 5 MiB', () => jsonRows((row) => raceRow(row, 36)))),
];

/**
 * Measures the peak memory of the Worker's isolate during an upload, each upload in a process of its own.
 *
 * The figure is the most memory that the process had resident and that no file backs (the kernel's
 * RssAnon, read every millisecond by a separate thread), less that of a process that runs an empty
 * Worker. It contains everything that the API adds: V8's heap with its garbage, array buffers, bodies in
 * transit, compiled code and the slack of the allocator.
 */
export async function benchMemory(build: Build): Promise<Report> {
  const servers = await startServers();
  try {
    const race = await createRace(servers.pool, { registrations: REGISTRATIONS });
    const emptyMib = await measureEmptyWorker(build);
    const readings: Measured[] = [];
    for (const upload of [...UPLOADS, ...HOSTILE, ...AT_ONCE]) {
      const reading = await measureUpload(build, servers, race, upload, emptyMib).catch(
        (error: unknown) => {
          // Its line in the report says that it failed. The other uploads are still measured.
          console.error(`${upload.name}: ${reasonOf(error)}`);
          return undefined;
        },
      );
      readings.push({ upload, reading });
    }
    return {
      lines: [...readings.map(lineOf), ...cpuLines(readings)],
      notes: [METHOD, readingsTable(readings)],
    };
  } finally {
    await servers.stop();
  }
}

const METHOD =
  'Memory: each upload runs in a fresh process of workerd, after two small uploads. The peak is the ' +
  'most memory that was resident and not backed by a file (RssAnon, read every millisecond by a ' +
  'separate thread), less that of a process with an empty Worker. It contains garbage, buffers, ' +
  'compiled code and the slack of the allocator. It can miss a peak shorter than a millisecond. V8’s ' +
  `heap is limited to ${HEAP_LIMIT_MIB} MiB, so that V8 collects garbage as it does on a full machine. ` +
  'An upload that needs more ends the process, and its line fails.';

function lineOf({ upload, reading }: Measured): Line {
  const goalMib = goalOf(upload);
  return {
    operation: `memory: ${upload.kind.toUpperCase()}, ${upload.name}`,
    measured: reading ? `${reading.peakMib.toFixed(0)} MiB` : 'failed',
    goal: `< ${goalMib} MiB`,
    met: reading !== undefined && reading.peakMib < goalMib,
  };
}

function goalOf({ kind, stalled, atOnce = 1 }: Upload): number {
  if (stalled || atOnce > 1) return AT_ONCE_GOAL_MIB;
  return kind === 'csv' ? CSV_GOAL_MIB : JSON_GOAL_MIB;
}

/** Processor time that the body of a refused request adds to the request itself. */
const cpuLines = (readings: readonly Measured[]): Line[] =>
  readings.flatMap(({ upload, reading }) =>
    upload.unknownKey && !upload.atOnce
      ? [
          {
            operation: `processor time: ${upload.kind.toUpperCase()}, ${upload.name}`,
            measured: reading ? formatMs(reading.cpuMs) : 'failed',
            goal: `< ${REFUSED_CPU_GOAL_MS} ms`,
            met: reading !== undefined && reading.cpuMs < REFUSED_CPU_GOAL_MS,
          },
        ]
      : [],
  );

const readingsTable = (readings: readonly Measured[]): string =>
  markdownTable(
    ['upload', 'answers', 'MiB', 'rows', 'answer, MiB', 'peak', 'cpu', 'time'],
    readings.flatMap(({ upload, reading }) =>
      reading
        ? [
            [
              `${upload.kind.toUpperCase()}, ${upload.name}`,
              reading.statuses,
              (reading.bytes / MIB).toFixed(1),
              String(reading.rows),
              (reading.answerBytes / MIB).toFixed(1),
              reading.peakMib.toFixed(1),
              formatMs(reading.cpuMs),
              formatMs(reading.seconds * 1_000),
            ],
          ]
        : [],
    ),
  );

/** Resident memory of workerd with a Worker that does nothing. */
async function measureEmptyWorker({ folder }: Build): Promise<number> {
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  await buildWorker(empty, 'src/bench/empty/worker.ts');
  const workerd = await startWorkerd([{ name: 'empty', folder: empty }]);
  try {
    await (await fetch(workerd.origins['empty'] ?? '')).text();
    return anonymousMib(workerd.pid);
  } finally {
    await workerd.stop();
  }
}

async function measureUpload(
  build: Build,
  { pool, workerEnv }: Servers,
  race: Race,
  upload: Upload,
  emptyMib: number,
): Promise<Reading> {
  const key = await createKey(pool, race);
  await pool.query('truncate results, result_batches');
  const body = upload.body();
  if (upload.kind === 'json' && body.length > JSON_MAX)
    throw new Error(`${upload.name} is too big`);
  if (upload.kind === 'csv' && body.length > CSV_MAX + 1_024) throw new Error(upload.name);
  const workerd = await startWorkerd([{ name: 'api', folder: build.folder, bindings: workerEnv }], {
    v8Flags: [`--max-heap-size=${upload.heapLimitMib ?? HEAP_LIMIT_MIB}`],
  });
  let endWatch: (() => Promise<Peak>) | undefined;
  try {
    const path = `${workerd.origins['api']}${race.path}/results`;
    // These load the code before anything is measured.
    await send(`${path}/file`, key, form(`${raceHeader()},note\n${raceLine(1)}\n2,late\n`), {
      kind: 'csv',
    });
    await send(path, key, Buffer.from(JSON.stringify({ results: [raceRow(1), {}] })), {
      kind: 'json',
    });

    const sender = upload.unknownKey ? generateApiKey() : key;
    const beforeMs = cpuMs(workerd.pid);
    if (upload.unknownKey)
      await send(path, sender, Buffer.from('{"results":[]}'), { kind: 'json' });
    const ofRequestMs = cpuMs(workerd.pid) - beforeMs;

    endWatch = await watchResident(workerd.pid);
    const startedAt = performance.now();
    const spentMs = cpuMs(workerd.pid);
    const file = upload.isPreview ? `${path}/file/preview` : `${path}/file`;
    const target = upload.kind === 'csv' ? file : path;
    const stalled = await stall(target, key, upload, body);
    const answers = await Promise.all(
      Array.from({ length: upload.atOnce ?? 1 }, () => send(target, sender, body, upload)),
    );
    for (const open of stalled) open.destroy();
    const seconds = (performance.now() - startedAt) / 1_000;
    const usedMs = cpuMs(workerd.pid) - spentMs - ofRequestMs;
    const watched = await endWatch();
    const peakMib = watched.peakMib - emptyMib;
    return {
      ...{ bytes: body.length, seconds, cpuMs: usedMs, peakMib },
      statuses: statusesOf(answers, upload),
      rows: answers.reduce((sum, { rows }) => sum + rows, 0),
      answerBytes: answers.reduce((sum, { answerBytes }) => sum + answerBytes, 0),
    };
  } finally {
    await endWatch?.();
    await workerd.stop();
  }
}

type Answer = { status: number; rows: number; answerBytes: number };

/** @throws where an answer is another than was expected, or nobody was served */
function statusesOf(answers: readonly Answer[], { status = 200, atOnce = 1 }: Upload): string {
  const served = answers.filter((answer) => answer.status === status).length;
  const busy = answers.filter((answer) => answer.status === 503).length;
  const told = `${served} × ${status}${busy > 0 ? `, ${busy} × 503` : ''}`;
  if (served === 0 || served + busy < atOnce) throw new Error(`Answered ${told} of ${atOnce}.`);
  return told;
}

/** Starts uploads that send the first half of the body, and waits until the Worker had time for it. */
async function stall(url: string, key: string, upload: Upload, body: Buffer) {
  const { count, unknownKey } = upload.stalled ?? { count: 0, unknownKey: false };
  const stalled = Array.from({ length: count }, () => {
    const headers = headersOf(unknownKey ? generateApiKey() : key, upload);
    const sent = request(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Length': body.length },
    });
    // It is broken off in the end.
    sent.on('error', () => {});
    sent.write(body.subarray(0, body.length / 2));
    return sent;
  });
  if (count > 0) await new Promise((resolve) => setTimeout(resolve, STALLED_MS));
  return stalled;
}

type Sent = Pick<Upload, 'kind' | 'contentEncoding' | 'isPreview'>;

const headersOf = (key: string, { kind, contentEncoding }: Sent): Record<string, string> => ({
  'X-API-Key': key,
  'Content-Type': kind === 'csv' ? FORM_TYPE : 'application/json',
  ...(contentEncoding !== undefined && { 'Content-Encoding': contentEncoding }),
});

/** The answer is read to its end as it comes, and must account for every row. */
async function send(url: string, key: string, body: Buffer, upload: Sent): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', headers: headersOf(key, upload), body });
  const { status } = response;
  const answer = await response.text();
  const answerBytes = Buffer.byteLength(answer);
  if (status !== 200) return { status, rows: 0, answerBytes };
  if (upload.isPreview) {
    const { counts }: { counts: { total_processed: number } } = JSON.parse(answer);
    return { status, rows: counts.total_processed, answerBytes };
  }
  const out: { total_processed: number; failed: unknown[]; not_found: number; errors: number } =
    JSON.parse(answer);
  if (out.failed.length !== out.not_found + out.errors)
    throw new Error('`failed` is not complete.');
  return { status, rows: out.total_processed, answerBytes };
}
