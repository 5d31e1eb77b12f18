import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { type Send, sendingWith } from '../../bench/statements.ts';
import { randomOf } from '../../dev/race-simulator/random.ts';
import { type Cells, RowStream } from '../../worker/db/row-stream.ts';
import type { Statement } from '../../worker/db/statement.ts';
import type { Piece } from '../../worker/db/streamed-statement.ts';
import { participantCopy } from '../../worker/participants/copy.ts';
import { startListCopy } from '../../worker/participants/start-list.ts';
import { passingCopy } from '../../worker/passings/copy.ts';
import { resultCopy } from '../../worker/results/read/copy.ts';
import { requireLanguages } from '../runtime/languages.ts';
import { createRace, type Race, type RaceDay, startRaceDay } from './race-day.ts';

let day: RaceDay;

beforeAll(async () => {
  requireLanguages();
  day = await startRaceDay(inject('servers'));
});
afterAll(() => day?.stop());

const RUNNERS = 300;
const MS = 15_000;

type Row = { inscription_id: string; is_removed: boolean; point?: string };
type Reading = Statement<RowStream<Piece<Row>>>;

const LISTS: Record<string, (values: { eventId: string; since?: string }) => Reading> = {
  participants: participantCopy.rows,
  results: resultCopy.rows,
  'results, seldom': resultCopy.rows,
  passings: passingCopy.rows,
  'start list': startListCopy.rows,
};

const keyOf = ({ inscription_id, point }: Row) => `${inscription_id} ${point}`;

async function read(client: pg.PoolClient, send: Send, statement: Reading) {
  const { text, values } = send(statement);
  const types = { getTypeParser: () => (cell: string) => cell };
  const { rows } = await client.query<string[]>({ text, values, rowMode: 'array', types });
  async function* cells(): AsyncGenerator<Cells, void> {
    yield* rows;
  }
  const pieces: Piece<Row>[] = [];
  const stream = new RowStream(cells(), () => {});
  for await (const piece of statement.read({ rows: [], stream }).rows) pieces.push(piece);
  const [first] = pieces;
  if (!first?.moment) throw new Error('The list has no moment.');
  return { rows: pieces.flatMap((piece) => piece.rows), ...first.moment };
}

const asMap = (rows: readonly Row[]) =>
  new Map(rows.map((row) => [keyOf(row), JSON.stringify(row)] as const));

/** A copy kept by the guide's rules, compared after each poll with the whole list at the moment of the poll. */
function createCopy(client: pg.PoolClient, send: Send, eventId: string, name: string) {
  const rowsOf = LISTS[name] ?? resultCopy.rows;
  let copy = new Map<string, string>();
  let since: string | undefined;
  const counts = { polls: 0, incomplete: 0, rows: 0 };
  return {
    counts,
    async poll(): Promise<string[]> {
      // Both statements see a single moment.
      await client.query('begin isolation level repeatable read');
      const answer = await read(client, send, rowsOf({ eventId, ...(since && { since }) }));
      const whole = asMap((await read(client, send, rowsOf({ eventId }))).rows);
      await client.query('commit');
      for (const row of answer.rows) {
        if (row.is_removed) copy.delete(keyOf(row));
        else copy.set(keyOf(row), JSON.stringify(row));
      }
      since = answer.cursor;
      counts.polls += 1;
      counts.rows += answer.rows.length;
      if (whole.size !== answer.total) return [`${name}: total ${answer.total} of ${whole.size}`];
      if (copy.size !== answer.total) {
        // The copy is incomplete, and is read again.
        counts.incomplete += 1;
        copy = whole;
        return [];
      }
      return [...whole].flatMap(([key, row]) =>
        copy.get(key) === row ? [] : [`${name}: ${copy.get(key)} is not ${row}`],
      );
    },
  };
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function ask({ path, key }: Race, method: string, rest: string, body?: object) {
  const response = await fetch(day.origin + path + rest, {
    method,
    headers: { 'X-API-Key': key, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

/** Writes like foreign systems and the API, each in a separate loop. */
function writersOf(race: Race, pool: pg.Pool) {
  const { eventId } = race;
  const random = randomOf(1);
  const any = (below: number) => Math.floor(random() * below);
  const bib = () => `${1 + any(RUNNERS)}`;
  const inTransaction = async (work: (client: pg.PoolClient) => Promise<void>, end = 'commit') => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await work(client);
      await client.query(end);
    } catch {
      // A bib taken meanwhile, or a deadlock with another writer.
      await client.query('rollback');
    } finally {
      client.release();
    }
  };
  const touch = (client: pg.PoolClient, column: string, value: string) =>
    client.query(
      `update registrations set ${column} = $3 where event_id = $1 and bib_number = $2`,
      [eventId, bib(), value],
    );
  return {
    uploads: async () => {
      const rows = Array.from({ length: 20 }, () => ({
        bib_number: bib(),
        chip_time: `1:${10 + any(50)}:${10 + any(50)}`,
        splits: { 'Km 5': `2${any(10)}:00` },
      }));
      const { text } = await ask(race, 'POST', '/results', { results: rows });
      const { batch_id } = JSON.parse(text);
      if (any(3) === 0) await ask(race, 'POST', `/result-batches/${batch_id}/revert`);
    },
    deletions: async () => void (await ask(race, 'DELETE', `/results/${bib()}`)),
    passings: async () => {
      const passings = Array.from({ length: 20 }, () => ({
        bib_number: bib(),
        point: `Km ${any(3)}`,
        time: `2${any(10)}:${10 + any(50)}`,
      }));
      await ask(race, 'POST', '/passings', { passings });
      if (any(20) === 0) await ask(race, 'DELETE', '/passings?point=Km%201');
    },
    savepoints: () =>
      inTransaction(async (client) => {
        await touch(client, 'category', `A${any(9)}`);
        await client.query('savepoint one');
        await touch(client, 'gender', 'lost');
        await client.query('rollback to one');
        await client.query('savepoint two');
        await touch(client, 'distance', `${any(9)}K`);
        await client.query('release two');
        await sleep(any(300));
      }),
    late: () =>
      inTransaction(async (client) => {
        await touch(client, 'chip', `C${any(1_000)}`);
        await sleep(1_500);
      }),
    undone: () =>
      inTransaction(async (client) => {
        await touch(client, 'surnames', 'Undone');
        await client.query('delete from results where event_id = $1', [eventId]);
      }, 'rollback'),
    states: () =>
      inTransaction(async (client) => {
        await touch(client, 'status', ['PAID', 'PENDING', 'CANCELLED'][any(3)] ?? '');
      }),
    swaps: () =>
      inTransaction(async (client) => {
        const [firstBib, secondBib] = [bib(), bib()];
        const rename = (from: string, to: string | null) =>
          client.query(
            'update registrations set bib_number = $3 where event_id = $1 and bib_number = $2',
            [eventId, from, to],
          );
        await rename(firstBib, 'swapped');
        await rename(secondBib, firstBib);
        await rename('swapped', secondBib);
      }),
    copies: async () => {
      const client = await pool.connect();
      try {
        const { rows } = await client.query('insert into persons default values returning id');
        const line = `${eventId},${rows[0]?.id},PAID,late-${any(1_000_000)}`;
        await client.query(
          `copy registrations (event_id, person_id, status, bib_number) from program 'echo "${line}"' csv`,
        );
      } finally {
        client.release();
      }
    },
    deletedOutright: async () => {
      if (any(10) === 0) {
        await pool.query(
          `delete from registrations where id = (
            select id from registrations where event_id = $1 and bib_number like 'late-%' limit 1)`,
          [eventId],
        );
      }
    },
    truncations: async () => {
      if (any(30) === 0) await pool.query('truncate passings');
    },
    maintenance: async () => {
      const table = ['results', 'registrations', 'passings'][any(3)];
      await pool
        .query(
          [
            `vacuum freeze ${table}`,
            `vacuum full ${table}`,
            `cluster ${table} using ${table}_pkey`,
          ][any(3)] ?? '',
        )
        .catch((error: pg.DatabaseError) => {
          // A deadlock with another writer, or a key of another name.
          if (!['40P01', '42704', '55P03'].includes(error.code ?? '')) throw error;
        });
    },
  };
}

test('keeps copies equal to their lists beside writers of all kinds', async () => {
  const race = await createRace(day, { runners: RUNNERS });
  const writing = new pg.Pool({ connectionString: day.stack.postgresUrl, max: 10 });
  const reading = new pg.Pool({ connectionString: day.stack.postgresUrl, max: 5 });
  const elsewhere = new pg.Client({ connectionString: inject('servers')?.databaseUrl });
  await elsewhere.connect();
  const readers: pg.PoolClient[] = [];
  const connectReader = async () => {
    const client = await reading.connect();
    readers.push(client);
    return client;
  };
  const send = await sendingWith(race.key, 'events:read');
  let isOver = false;
  const failures: unknown[] = [];
  const repeat = async (work: () => Promise<unknown>, pauseMs: number) => {
    while (!isOver) {
      await work().catch((error: unknown) => failures.push(error));
      await sleep(pauseMs);
    }
  };
  try {
    // A transaction elsewhere on the server holds all cursors back until the transaction ends.
    await elsewhere.query('begin');
    await elsewhere.query('select pg_current_xact_id()');
    const copies = await Promise.all(
      Object.keys(LISTS).map(async (name) =>
        createCopy(await connectReader(), send, race.eventId, name),
      ),
    );
    const differences: string[] = [];
    const poll = async (copy: (typeof copies)[number]) => {
      differences.push(...(await copy.poll()));
    };
    const running = [
      ...Object.values(writersOf(race, writing)).map((work) => repeat(work, 20)),
      ...copies.map((copy, at) => repeat(() => poll(copy), at === 2 ? 500 : 50)),
    ];
    await sleep(MS / 2);
    await elsewhere.query('commit');
    await sleep(MS / 2);
    isOver = true;
    await Promise.all(running);
    for (const copy of copies) await poll(copy);

    expect(failures).toEqual([]);
    expect(differences.slice(0, 3)).toEqual([]);
    for (const { counts } of copies) {
      expect(counts.polls).toBeGreaterThan(10);
      // How often a copy is incomplete depends on how many deletions fit between two polls.
      expect(counts.polls - counts.incomplete).toBeGreaterThan(5);
    }
  } finally {
    isOver = true;
    for (const reader of readers) reader.release();
    await elsewhere.end();
    await Promise.all([writing.end(), reading.end()]);
  }
});

const SRC = join(import.meta.dirname, '../..');

/** The programs of the guide, each with a driver: a line of input is a poll, and a line of output is the copy. */
const PROGRAMS = {
  python: [
    'contacts.py',
    'python3',
    `
import sys
copy, cursor = {}, ''
for _ in sys.stdin:
    copy, cursor = sync(copy, cursor)
    print(json.dumps(list(copy.values())), flush=True)
`,
  ],
  php: [
    'contacts.php',
    'php',
    `
[$copy, $cursor] = [[], ''];
while (fgets(STDIN) !== false) {
    [$copy, $cursor] = sync($copy, $cursor);
    echo json_encode(array_values($copy)), "\n";
}
`,
  ],
  ts: [
    'contacts.ts',
    process.execPath,
    `
import { createInterface } from 'node:readline';
const copy = new Map<string, Participant>();
let cursor = '';
for await (const _ of createInterface(process.stdin)) {
  cursor = await sync(process.env['EVENT'] ?? '', copy, cursor);
  console.log(JSON.stringify([...copy.values()]));
}
`,
  ],
} as const;

/** Starts a program of the guide about CRM. `poll` resolves to the program's copy. */
function startProgram(language: keyof typeof PROGRAMS, folder: string, race: Race) {
  const [name, command, driver] = PROGRAMS[language];
  const guide = readFileSync(join(SRC, 'site/docs/guides/crm.md'), 'utf8');
  const [, program = ''] = new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``).exec(guide) ?? [];
  expect(program.split('\n').length, `lines of ${language}`).toBeLessThanOrEqual(40);
  const client = join(SRC, 'client/index.ts');
  writeFileSync(join(folder, name), program.replace('race-results-api/client', client) + driver);
  const flags = language === 'ts' ? ['--experimental-strip-types', '--no-warnings'] : [];
  const child: ChildProcessWithoutNullStreams = spawn(command, [...flags, name], {
    cwd: folder,
    env: { ...process.env, API: day.origin, KEY: race.key, EVENT: race.eventId },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return async (): Promise<Row[]> => {
    child.stdin.write('poll\n');
    const { value, done } = await lines.next();
    if (done) throw new Error(`${name} has ended: ${said}`);
    return JSON.parse(value);
  };
}

test('keeps the copies of the programs in the guide equal to the export', async () => {
  const race = await createRace(day, { runners: RUNNERS, keyCount: 2 });
  // The writers have a key of their own.
  const key = race.keys[1] ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'copies-'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const writing = new pg.Pool({ connectionString: day.stack.postgresUrl, max: 10 });
  onTestFinished(async () => {
    await writing.end();
    rmSync(folder, { recursive: true, force: true });
  });
  const polls = (['python', 'php', 'ts'] as const).map((one) =>
    startProgram(one, folder, { ...race, key }),
  );
  const writers = Object.values(writersOf(race, writing));
  const byId = (rows: Row[]) =>
    rows.sort((one, other) => (one.inscription_id < other.inscription_id ? -1 : 1));
  for (let round = 0; round < ROUNDS; round++) {
    let isOver = false;
    const until = async (work: () => Promise<unknown>, pauseMs: number) => {
      while (!isOver) {
        await work();
        await sleep(pauseMs);
      }
    };
    const running = Promise.all([
      ...writers.map((work) => until(work, 20)),
      ...polls.map((poll) => until(poll, 1_000)),
    ]);
    await Promise.race([running, sleep(ROUND_MS)]);
    isOver = true;
    await running;
    const exported = await fetch(`${day.origin}${race.path}/participants/export`, {
      headers: { 'X-API-Key': key, Accept: 'application/json' },
    });
    const { data: whole } = (await exported.json()) as { data: Row[] };
    expect(whole.length).toBeGreaterThan(RUNNERS / 2);
    for (const poll of polls) expect(byId(await poll())).toEqual(byId(whole));
  }
});

const ROUNDS = 2;
const ROUND_MS = 4_000;
