import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from './migrate.ts';
import { type LocalPostgres, startPostgres } from './postgres.ts';

describe('the embedded Postgres', () => {
  let postgres: LocalPostgres;
  let pool: pg.Pool;

  beforeAll(async () => {
    postgres = await startPostgres();
    pool = new pg.Pool({ connectionString: postgres.url, max: 20 });
  }, 60_000);
  afterAll(async () => {
    await pool.end();
    await postgres.stop();
  });

  test('answers parallel queries, each with its own parameters', async () => {
    // Larger than a packet, so that messages of different connections meet half-way.
    const filler = 'x'.repeat(200_000);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => pool.query('select $1::int n, $2::text', [n, filler])),
    );
    expect(answers.map(({ rows }) => rows[0]?.n)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  test('runs the statement a connection parsed, not the one parsed last', async () => {
    const [first, second] = [await openRaw(postgres.url), await openRaw(postgres.url)];
    first.send(parse("select 'first'"));
    await sleep(50);
    second.send(parse("select 'second'"), bind, execute, sync);
    await sleep(50);
    first.send(bind, execute, sync);
    await expect.poll(() => first.received()).toContain('first');
    await expect.poll(() => second.received()).toContain('second');
    expect(first.received()).not.toContain('second');
    first.leave();
    second.leave();
  });

  test('keeps serving when a client leaves in the middle of a failed statement', async () => {
    const raw = await openRaw(postgres.url);
    raw.send(parse('selec'));
    await sleep(50);
    raw.leave();
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('hides a transaction from other connections and rolls it back when its client dies', async () => {
    await pool.query('create table bibs (bib int)');
    const raw = await openRaw(postgres.url);
    raw.send(message('Q', 'begin; insert into bibs values (1)\0'));
    await sleep(50);
    let counted = false;
    const count = pool.query('select count(*)::int n from bibs').then(({ rows }) => {
      counted = true;
      return rows[0]?.n;
    });
    await sleep(100);
    expect(counted).toBe(false);
    raw.leave();
    expect(await count).toBe(0);
  });

  test('resets the settings of a closed connection', async () => {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    await client.query("set timezone to 'America/Bogota'");
    await client.end();
    await expect
      .poll(async () => (await pool.query('show timezone')).rows[0]?.TimeZone)
      .toBe('UTC');
  });

  test('refuses COPY FROM STDIN, which would end it', async () => {
    await expect(pool.query('copy bibs from stdin')).rejects.toMatchObject({ code: '0A000' });
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('applies the migrations once', async () => {
    expect(await migrate(postgres.url)).toBeGreaterThan(0);
    expect(await migrate(postgres.url)).toBe(0);
  });
});

test('keeps its data in a folder', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'postgres-'));
  try {
    const first = await startPostgres({ dataDir });
    await query(first.url, 'create table kept as select 7 as bib');
    await first.stop();
    const second = await startPostgres({ dataDir });
    expect(await query(second.url, 'select bib from kept')).toEqual([{ bib: 7 }]);
    await second.stop();
  } finally {
    await rm(dataDir, { recursive: true });
  }
}, 60_000);

test('reports a server that does not answer in one line without its password', async () => {
  const started = startPostgres({ url: 'postgres://user:s3cret@127.0.0.1:1/races' });
  await expect(started).rejects.toThrow(/^Postgres does not answer at 127.0.0.1:1\/races: .+$/);
});

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}

/** A client that sends protocol messages one by one, which no driver allows. */
async function openRaw(url: string) {
  const socket: Socket = connect(Number(new URL(url).port), '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  const user = Buffer.from('user\0postgres\0database\0postgres\0\0');
  socket.write(Buffer.concat([int32(user.length + 8), int32(196608), user]));
  await expect.poll(() => text).toContain('Z\0\0\0\x05I');
  text = '';
  return {
    send: (...messages: Buffer[]) => void socket.write(Buffer.concat(messages)),
    received: () => text,
    leave: () => void socket.destroy(),
  };
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function message(type: string, body: string): Buffer {
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), Buffer.from(body)]);
}

const parse = (text: string) => message('P', `\0${text}\0\0\0`);
const bind = message('B', '\0\0\0\0\0\0\0\0');
const execute = message('E', '\0\0\0\0\0');
const sync = message('S', '');
