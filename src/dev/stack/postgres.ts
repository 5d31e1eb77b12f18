import { mkdir } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { LOOPBACK, listen, reasonOf, targetOf } from './listen.ts';

export type LocalPostgres = { url: string; embedded: boolean; stop(): Promise<void> };

type PostgresOptions = {
  /** A server that is already running; nothing is started. */
  url?: string | undefined;
  /** Where the embedded server keeps its data; in memory when absent. */
  dataDir?: string | undefined;
  port?: number | undefined;
};

/** PostgreSQL's own default. */
const MAX_CONNECTIONS = 100;

/**
 * A Postgres that psql and `pg` can open: the server named by `url`, or PGlite on loopback.
 * Throws one clear line when `url` does not answer or the port is taken.
 *
 * PGlite is one session, shared: a transaction holds up every other connection until it ends, and
 * what one connection SETs the others see while it lasts.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<LocalPostgres> {
  if (options.url !== undefined) {
    await assertPostgresAnswers(options.url);
    return { url: options.url, embedded: false, stop: async () => {} };
  }
  const session = Promise.withResolvers<Session>();
  session.promise.catch(() => {});
  const sockets = new Set<Socket>();
  const serving = new Set<Promise<void>>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    const served = session.promise
      .then((ready) => serveConnection(socket, ready))
      .catch(() => {})
      .finally(() => {
        socket.destroy();
        sockets.delete(socket);
        serving.delete(served);
      });
    serving.add(served);
  });
  server.maxConnections = MAX_CONNECTIONS;

  // The port first: two PGlites on one folder lose rows silently, and a port has one owner.
  const port = await listen(server, options.port ?? 0, 'embedded Postgres');
  const disconnect = async () => {
    const closed = close(server);
    for (const socket of sockets) socket.destroy();
    await Promise.all([closed, ...serving]);
  };
  try {
    const opened = createSession(await openDatabase(options.dataDir));
    session.resolve(opened);
    return {
      url: `postgres://postgres:postgres@${LOOPBACK}:${port}/postgres`,
      embedded: true,
      async stop() {
        await disconnect();
        await opened.close();
      },
    };
  } catch (error) {
    session.reject(error);
    await disconnect();
    throw error;
  }
}

/** Proves that a server answers. Throws one line with host and database, never the password. */
export async function assertPostgresAnswers(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
  } catch (error) {
    throw new Error(`Postgres does not answer at ${targetOf(url)}: ${reasonOf(error)}`);
  } finally {
    await client.end().catch(() => {});
  }
}

let emptyCluster: Promise<Blob> | undefined;

/** A copy of a new cluster. initdb takes seconds, so it runs once for all databases in memory. */
async function initCluster(): Promise<Blob> {
  const database = await PGlite.create();
  try {
    return await database.dumpDataDir('none');
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

async function close(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  await promise;
}

/** PGlite's one session, which connections take in turns. */
type Session = {
  /** Waits for its turn; the function it gives ends the turn. */
  takeTurn(): Promise<() => void>;
  /** Runs one or more protocol messages. Rejects when PGlite is dead; SQL errors are in the reply. */
  run(messages: Uint8Array, reply: (chunk: Uint8Array) => void): Promise<void>;
  inTransaction(): boolean;
  close(): Promise<void>;
};

function createSession(db: PGlite): Session {
  let lastTurn: Promise<void> = Promise.resolve();
  let dead = false;
  return {
    async takeTurn() {
      const before = lastTurn;
      const turn = Promise.withResolvers<void>();
      lastTurn = turn.promise;
      await before;
      return turn.resolve;
    },
    async run(messages, reply) {
      if (dead) throw new Error('the embedded Postgres is dead');
      try {
        await db.execProtocolRawStream(messages, { onRawData: reply });
      } catch (error) {
        // Its process has exited; another call would spin for ever and take this process with it.
        dead = true;
        console.error(`The embedded Postgres died and must be restarted: ${reasonOf(error)}`);
        throw error;
      }
    },
    inTransaction: () => !dead && db.isInTransaction(),
    close: async () => void (dead || (await db.close())),
  };
}

/** Message types of the extended protocol, which are one unit with the Sync that ends them. */
const EXTENDED = new Set(Array.from('PBDECH', (type) => type.charCodeAt(0)));
const QUERY = 'Q'.charCodeAt(0);
const TERMINATE = 'X'.charCodeAt(0);
const SYNC = message('S', '');
const ROLLBACK = message('Q', 'rollback\0');
const RESET = message('Q', 'reset all\0');

/** PGlite reads the rows of such a COPY before the client can send them, and exits. */
const COPY_IN = /\bcopy\b[^;]*\bfrom\s+stdin\b/i;
const REFUSE_COPY_IN = message(
  'Q',
  `do $$ begin raise exception using errcode = '0A000',
    message = 'the embedded Postgres has no COPY FROM STDIN: use INSERT, or a real server'; end $$\0`,
);

/**
 * Runs one connection's messages on the shared session, in turns that end with no statement half
 * sent and no transaction open, however the client leaves.
 *
 * In place of @electric-sql/pglite-socket, whose turn is a single message: there, one connection's
 * Parse replaces another's between its Parse and its Bind (a large Bind takes many packets), which
 * then runs the wrong statement; and a client lost after a failed Parse hangs all others.
 */
async function serveConnection(socket: Socket, session: Session): Promise<void> {
  const answer = (chunk: Uint8Array) => {
    // Copied: the chunk is a view of memory that PGlite uses again.
    if (socket.writable) socket.write(Buffer.from(chunk));
  };
  const discard = () => {};
  let endTurn: (() => void) | undefined;
  let midStatement = false;
  socket.setNoDelay(true);
  try {
    for await (const bytes of readMessages(socket)) {
      const type = bytes[0] ?? 0;
      if (type === TERMINATE) break;
      endTurn ??= await session.takeTurn();
      midStatement = EXTENDED.has(type);
      const copyIn = type === QUERY && COPY_IN.test(Buffer.from(bytes).toString('latin1'));
      await session.run(copyIn ? REFUSE_COPY_IN : bytes, answer);
      if (midStatement || session.inTransaction()) continue;
      endTurn();
      endTurn = undefined;
    }
  } finally {
    endTurn ??= await session.takeTurn();
    try {
      if (midStatement) await session.run(SYNC, discard);
      if (session.inTransaction()) await session.run(ROLLBACK, discard);
      await session.run(RESET, discard);
    } finally {
      endTurn();
    }
  }
}

/** Codes a client may send in place of a protocol version ("Message Formats", PostgreSQL manual). */
const CANCEL_REQUEST = 80877102;
const SSL_REQUEST = 80877103;
const GSSENC_REQUEST = 80877104;
/** A start-up packet is refused above this, as PostgreSQL does: it is no Postgres client. */
const MAX_STARTUP_BYTES = 10_000;

/** Cuts the stream into whole protocol messages and answers what PGlite cannot: no TLS, no cancel. */
async function* readMessages(socket: Socket): AsyncGenerator<Uint8Array> {
  let chunks: Buffer[] = [];
  let size = 0;
  let needed = 0;
  let started = false;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    // Joined only when a whole message is there: joining at each packet is quadratic in its size.
    if (size < needed) continue;
    let bytes = Buffer.concat(chunks);
    for (;;) {
      needed = firstMessageLength(bytes, started);
      if (needed > bytes.length) break;
      const next = bytes.subarray(0, needed);
      bytes = bytes.subarray(needed);
      const code = started ? 0 : next.readInt32BE(4);
      if (code === CANCEL_REQUEST) return;
      if (code === SSL_REQUEST || code === GSSENC_REQUEST) {
        socket.write('N');
        continue;
      }
      started = true;
      yield next;
    }
    chunks = [bytes];
    size = bytes.length;
  }
}

/**
 * Bytes of the message that `bytes` begin with, or of its length field while that is incomplete.
 * @throws when it is no message of the protocol
 */
function firstMessageLength(bytes: Buffer, started: boolean): number {
  const lengthAt = started ? 1 : 0;
  if (bytes.length < lengthAt + 4) return lengthAt + 4;
  const length = bytes.readInt32BE(lengthAt);
  const isMessage = started ? length >= 4 : length >= 8 && length <= MAX_STARTUP_BYTES;
  if (!isMessage) throw new Error('not the PostgreSQL protocol');
  return lengthAt + length;
}

function message(type: string, body: string): Uint8Array {
  const bytes = Buffer.alloc(5 + body.length);
  bytes.write(type, 0);
  bytes.writeInt32BE(4 + body.length, 1);
  bytes.write(body, 5);
  return bytes;
}
