import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import * as z from 'zod';
import { LOOPBACK, listen, reasonOf, targetOf } from './listen.ts';

export type LocalPostgres = { url: string; stop(): Promise<void> };

type PostgresOptions = {
  /** The address of a running server. */
  url?: string | undefined;
  /** The folder of the embedded server's data. Without a folder the data is in memory. */
  dataDir?: string | undefined;
  port?: number | undefined;
};

/** The default of PostgreSQL. */
const MAX_CONNECTIONS = 100;

/**
 * Checks the server at `url`, or starts PGlite on loopback for psql and `pg`. PGlite has a single session for all
 * connections. During a transaction of a connection, further connections wait. A SET of a connection affects all
 * connections until the connection closes.
 * @throws Error with a single line if the server does not answer
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<LocalPostgres> {
  if (options.url !== undefined) {
    await (await connectTo(options.url)).end();
    return { url: options.url, stop: async () => {} };
  }
  const db = await openDatabase(options.dataDir);
  const run = runnerOf(db);
  const serving = new Map<Socket, Promise<void>>();
  const server = createServer((socket) => {
    const served = serveConnection(socket, db, run)
      .catch(() => {})
      .finally(() => {
        socket.destroy();
        serving.delete(socket);
      });
    serving.set(socket, served);
  });
  server.maxConnections = MAX_CONNECTIONS;
  const port = await listen(server, options.port);
  return {
    url: `postgres://postgres:postgres@${LOOPBACK}:${port}/postgres`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of serving.keys()) socket.destroy();
      await Promise.all([closed, ...serving.values()]);
      if (!run.isDead()) await db.close();
    },
  };
}

/**
 * Connects to a database.
 * @throws Error with a single line if the database does not answer. The line names the host and the database, never the
 *   password
 */
export async function connectTo(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw new Error(`Postgres does not answer at ${targetOf(url)}: ${reasonOf(error)}`);
  }
}

let emptyCluster: Promise<Blob> | undefined;

const NODE_MODULES = join(import.meta.dirname, '../../../node_modules');
const PGLITE = join(NODE_MODULES, '@electric-sql/pglite');
const Release = z.object({ version: z.string() });

/** A new cluster. initdb takes seconds, so the cluster is kept beside the packages, for each release of PGlite. */
async function initCluster(): Promise<Blob> {
  const manifest = await readFile(join(PGLITE, 'package.json'), 'utf8');
  const { version } = Release.parse(JSON.parse(manifest));
  const kept = join(NODE_MODULES, '.cache', `pglite-${version}.tar`);
  if (existsSync(kept)) return new Blob([await readFile(kept)]);
  const database = await PGlite.create();
  try {
    const cluster = await database.dumpDataDir('none');
    await mkdir(dirname(kept), { recursive: true });
    // The file is renamed into place, so that no process reads half of the file.
    const written = `${kept}.${process.pid}`;
    await writeFile(written, new Uint8Array(await cluster.arrayBuffer()));
    await rename(written, kept);
    return cluster;
  } finally {
    await database.close();
  }
}

async function openDatabase(dataDir: string | undefined): Promise<PGlite> {
  if (dataDir === undefined) {
    emptyCluster ??= initCluster();
    return PGlite.create({ loadDataDir: await emptyCluster });
  }
  await mkdir(dataDir, { recursive: true });
  try {
    return await PGlite.create(dataDir);
  } catch (error) {
    throw new Error(`The embedded Postgres cannot open ${dataDir}: ${reasonOf(error)}`);
  }
}

/** Runs one or more protocol messages. Rejects if PGlite is dead. SQL errors are in the reply. */
type Run = {
  (messages: Uint8Array, reply?: (chunk: Uint8Array) => void): Promise<void>;
  isDead(): boolean;
};

function runnerOf(db: PGlite): Run {
  let dead = false;
  const run = async (messages: Uint8Array, reply = (_chunk: Uint8Array) => {}) => {
    if (dead) throw new Error('the embedded Postgres is dead');
    try {
      await db.execProtocolRawStream(messages, { onRawData: reply });
    } catch (error) {
      // PGlite has exited. Another call would never return and would block this process.
      dead = true;
      console.error(`The embedded Postgres died and must be restarted: ${reasonOf(error)}`);
      throw error;
    }
  };
  return Object.assign(run, { isDead: () => dead });
}

/** Message types of the extended protocol. They form a unit with the next Sync. */
const EXTENDED = new Set(Array.from('PBDECH', (type) => type.charCodeAt(0)));
const FLUSH = 'H'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);
const TERMINATE = 'X'.charCodeAt(0);
const SYNC = message('S', '');
const ROLLBACK = message('Q', 'rollback\0');
const RESET = message('Q', 'reset all\0');

/** PGlite exits on such a COPY, because PGlite reads the rows before the client can send rows. */
const COPY_IN = /\bcopy\b[^;]*\bfrom\s+stdin\b/i;
const REFUSE_COPY_IN = message(
  'Q',
  `do $$ begin raise exception using errcode = '0A000',
    message = 'the embedded Postgres has no COPY FROM STDIN: use INSERT, or a real server'; end $$\0`,
);

/**
 * Runs the messages of a connection on PGlite's only session, which connections take in turns. A turn ends after a
 * whole statement or transaction, also if the client disconnects.
 *
 * A turn of @electric-sql/pglite-socket is a single message. With such turns, the Parse of a connection can replace a
 * Parse of another connection before the Bind, which runs the wrong statement. A client that disconnects after a failed
 * Parse blocks all further clients.
 */
async function serveConnection(socket: Socket, db: PGlite, run: Run): Promise<void> {
  const answer = (chunk: Uint8Array) => {
    // A copy, because PGlite reuses the memory of the chunk.
    if (socket.writable) socket.write(Buffer.from(chunk));
  };
  const messages = readMessages(socket);
  const takeTurn = async (first: Uint8Array) => {
    let isMidStatement = false;
    let unit: Uint8Array[] = [];
    try {
      for (
        let bytes: Uint8Array | undefined = first;
        bytes;
        bytes = (await messages.next()).value
      ) {
        const [type = 0] = bytes;
        unit.push(bytes);
        // The client waits for an answer to Flush or Sync. Until then PGlite is not called: each call takes 0.1 ms.
        if (EXTENDED.has(type) && type !== FLUSH) continue;
        const isCopyIn = type === QUERY && COPY_IN.test(Buffer.from(bytes).toString('latin1'));
        isMidStatement = type === FLUSH;
        await run(isCopyIn ? REFUSE_COPY_IN : Buffer.concat(unit), answer);
        unit = [];
        if (!isMidStatement && !db.isInTransaction()) return;
      }
    } finally {
      if (isMidStatement) await run(SYNC);
      if (!run.isDead() && db.isInTransaction()) await run(ROLLBACK);
    }
  };
  socket.setNoDelay(true);
  try {
    for await (const first of messages) await db.runExclusive(() => takeTurn(first));
  } finally {
    await db.runExclusive(() => run(RESET));
  }
}

/** Codes that a client may send instead of a protocol version ("Message Formats", PostgreSQL manual). */
const CANCEL_REQUEST = 80877102;
const SSL_REQUEST = 80877103;
const GSSENC_REQUEST = 80877104;
/** The largest start-up packet of a Postgres client. PostgreSQL has an equal limit. */
const MAX_STARTUP_BYTES = 10_000;

/**
 * Splits the stream into protocol messages, until the client leaves. Refuses TLS and cancel requests, which PGlite
 * does not know.
 * @throws Error if the client breaks off, or does not speak the protocol
 */
async function* readMessages(socket: Socket): AsyncGenerator<Uint8Array, undefined> {
  let wake = () => {};
  for (const event of ['readable', 'close', 'error']) socket.on(event, () => wake());
  const read = async (size: number): Promise<Buffer> => {
    for (;;) {
      const bytes: Buffer | null = size === 0 ? Buffer.alloc(0) : socket.read(size);
      if (bytes?.length === size) return bytes;
      if (socket.destroyed || socket.readableEnded) throw new Error('the client left');
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  for (let isStarted = false; ; ) {
    // The first message has no type.
    const head = await read(isStarted ? 5 : 4);
    const length = head.readInt32BE(head.length - 4);
    const isMessage = isStarted ? length >= 4 : length >= 8 && length <= MAX_STARTUP_BYTES;
    if (!isMessage) throw new Error('not the PostgreSQL protocol');
    const body = await read(length - 4);
    const code = isStarted ? 0 : body.readInt32BE(0);
    if (code === CANCEL_REQUEST || (isStarted && head[0] === TERMINATE)) return;
    if (code === SSL_REQUEST || code === GSSENC_REQUEST) {
      socket.write('N');
      continue;
    }
    isStarted = true;
    yield Buffer.concat([head, body]);
  }
}

function message(type: string, body: string): Uint8Array {
  const bytes = Buffer.alloc(5 + body.length);
  bytes.write(type, 0);
  bytes.writeInt32BE(4 + body.length, 1);
  bytes.write(body, 5);
  return bytes;
}
