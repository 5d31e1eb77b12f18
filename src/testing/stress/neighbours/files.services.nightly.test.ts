import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Neighbours, SLOW_ONCE, startNeighbours } from './neighbours.ts';

const KIB = 1_024;
/** A harmless file costs a few milliseconds. Before files were bounded, the worst cost a thousand times as much. */
const SLOWER_MAX = 10;

let neighbours: Neighbours;
const report: string[] = [];
beforeAll(async () => {
  neighbours = await startNeighbours(inject('servers'));
});
afterAll(async () => {
  process.stdout.write(`${report.join('\n')}\n`);
  await neighbours?.stop();
});

const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => `${line(at)}\n`).join('');
const cells = (count: number, cell: (at: number) => string | number): string =>
  Array.from({ length: count }, (_, at) => cell(at)).join();
const repeated = (count: number, parameter: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => parameter(at)).join('&');

const finishers = (bytes: number): string =>
  `bib,time,status\n${lines(Math.floor(bytes / 16), (at) => `${1_000 + at},1:28:${10 + (at % 50)},`)}`;

/** A file made for a high cost, and the query of the upload. */
type Worst = { what: string; text: string; query?: string };

const CAPITALS = `${'A'.repeat(32 * KIB)},time\n41,1:28:03\n`;
const BLANKS = `1${' '.repeat(30_000)}x`;

const WORST: readonly Worst[] = [
  { what: '32 KiB of capital letters in the header', text: CAPITALS },
  {
    what: 'three cells of 30 000 blanks',
    text: `bib,time,status\n${lines(3, (at) => `${at},1:28:03,${BLANKS}`)}`,
    query: 'status=status',
  },
  {
    what: '1 000 unnamed columns in 20 rows',
    text: lines(20, (row) => cells(1_000, (at) => (row * 37 + at * 11) % 1_000)),
  },
  {
    what: '1 000 columns named Time',
    text: `bib,${cells(1_000, () => 'Time')}\n${lines(8, (row) => `${row},${cells(1_000, (at) => `1:${10 + ((row + at) % 50)}`)}`)}`,
  },
  {
    what: '1 000 columns named Status',
    text: `bib,time,${cells(1_000, (at) => `Status ${at}`)}\n${lines(8, (row) => `${row},1:28:03,${cells(1_000, (at) => `word${(row * 31 + at) % 60}`)}`)}`,
  },
  {
    what: '2 000 colons in where',
    text: finishers(32 * KIB),
    query: `where=${':'.repeat(2_000)}`,
  },
  {
    what: '60 conditions of 200 colons',
    text: finishers(32 * KIB),
    query: repeated(60, (at) => `where=${':'.repeat(200)}${at}`),
  },
  {
    what: '900 status words',
    text: finishers(32 * KIB),
    query: repeated(900, (at) => `status_word=w${at}:DNF`),
  },
  {
    what: '200 status words and a status in each row',
    text: `bib,time,status\n${lines(1_500, (at) => `${at},1:28:03,word ${at}`)}`,
    query: repeated(200, (at) => `status_word=w${at}:DNF`),
  },
];

/** Sends a file again and again, until the signal aborts. */
async function keepSending(path: string, text: string, signal: AbortSignal): Promise<void> {
  const { day, busy } = neighbours;
  while (!signal.aborted) {
    const body = new FormData();
    body.append('file', new Blob([text]), 'results.csv');
    const response = await fetch(`${day.origin}${busy.path}${path}`, {
      method: 'POST',
      headers: { 'X-API-Key': busy.key() },
      body,
    });
    await response.arrayBuffer();
    if (response.status !== 200 && response.status !== 400) {
      throw new Error(`The file was answered ${response.status}.`);
    }
  }
}

const READS = 10;

async function slowestBeside(path: string, text: string): Promise<number> {
  const end = new AbortController();
  const sending = keepSending(path, text, end.signal);
  // The code below awaits the sending.
  sending.catch(() => {});
  const times: number[] = [];
  while (times.length < READS) {
    await sleep(50);
    const startedAt = performance.now();
    await neighbours.quiet.read();
    times.push(performance.now() - startedAt);
  }
  end.abort();
  await sending;
  return Math.max(...times);
}

test.each(
  WORST.flatMap((worst) =>
    ['/results/file/preview', '/results/file'].map((path) => ({ ...worst, path })),
  ),
)('reads beside $what, sent to $path', SLOW_ONCE, async ({ what, text, query = '', path }) => {
  const harmlessMs = await slowestBeside(path, finishers(text.length));
  const worstMs = await slowestBeside(`${path}?${query}`, text);
  report.push(
    `${what}, ${path}: slowest read ${worstMs.toFixed(0)} ms, beside a harmless file ${harmlessMs.toFixed(0)} ms`,
  );
  expect(worstMs / harmlessMs).toBeLessThan(SLOWER_MAX);
});
