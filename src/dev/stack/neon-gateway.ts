import type { IncomingHttpHeaders } from 'node:http';
import { setImmediate as giveWay } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import {
  type Gateway,
  type GatewayRequest,
  json,
  MAX_BYTES,
  parseJson,
  type Reply,
  refusal,
  startGateway,
} from './gateway.ts';
import { reasonOf } from './listen.ts';

export type NeonGateway = Gateway & {
  /** The DATABASE_URL of the Worker. The port is this gateway's HTTP port. */
  url: string;
};

type NeonGatewayOptions = {
  databaseUrl: string;
  port: number;
  delayMs?: number | undefined;
};

/** The role of the Worker, whose rights migrations grant. */
const WORKER_ROLE = 'race_results_api';

/**
 * The settings behind the text of values. Neon's sessions use GMT and otherwise the defaults of PostgreSQL ("Client
 * Connection Defaults" in its manual). A developer's own server may be set otherwise.
 */
const SESSION = `set timezone to 'GMT'; set datestyle to 'ISO, MDY'; set intervalstyle to postgres;
  set bytea_output to hex; set extra_float_digits to 1`;

/**
 * Makes PostgreSQL 14 and newer, on Linux, end a statement whose client has left, even during a wait for a lock. Other
 * servers refuse the setting. Such servers notice at the answer.
 */
const NOTICE_LOST_CLIENTS = "set client_connection_check_interval to '100ms'";

/** So many rows are encoded without a break: a row of an export is large. */
const ROWS_PER_PIECE = 20;

const statementSchema = z.object({ query: z.string(), params: z.array(z.unknown()).default([]) });
const payloadSchema = z.union([z.object({ queries: z.array(statementSchema) }), statementSchema]);
type Statement = z.infer<typeof statementSchema>;

/**
 * Serves Neon's SQL over HTTP for any Postgres: a statement, or `queries` as a transaction, which a failing statement
 * rolls back. The gateway has a single database, so only the user in the header Neon-Connection-String counts:
 * statements of the Worker's role run with the rights of the role, and statements of any other user with the rights of
 * `databaseUrl`.
 *
 * Sources of the behaviour; files without a folder are in neondatabase/neon, proxy/src/serverless:
 * - requests, their headers, and the fields of an error that a client reads: @neondatabase/serverless. The client asks
 *   for raw text and for rows as arrays, so the gateway knows no other form
 * - `query`, `params` and `queries`: sql_over_http.rs, Payload
 * - the isolation level of a batch, and whether the batch is read-only or deferrable, from its headers:
 *   sql_over_http.rs, HttpHeaders
 * - a batch is a transaction, which may fail in its commit; a session that is not idle afterwards is not used again:
 *   sql_over_http.rs, BatchQueryData::process and Discard
 * - `command`, `rowCount`, `rowAsArray`, `fields`, `rows`: sql_over_http.rs, query_to_json
 * - every kind of JSON parameter becomes text, and values stay text: json.rs
 * - a statement at a time, by the extended protocol: sql_over_http.rs, query_raw_txt
 * - 400 for an error of Postgres and for a body that is not JSON, 500 without a connection, 507 for an answer
 *   that is too large, all fields of an error: sql_over_http.rs, handle and get_http_status_code; 413 for a
 *   request that is too large: error.rs, ReadPayloadError
 * - only this gateway: faults, a transaction around a single statement too, and the end of a statement whose
 *   client hung up
 */
export async function startNeonGateway(options: NeonGatewayOptions): Promise<NeonGateway> {
  const pool = openPool(options.databaseUrl);
  const gateway = await startGateway({
    port: options.port,
    delayMs: options.delayMs,
    tagOf: (headers) => connectionUrl(headers)?.searchParams.get('application_name') ?? undefined,
    answer: (request) => answer(pool, request),
  });
  const { host } = new URL(gateway.origin);
  const database = URL.parse(options.databaseUrl)?.pathname || '/postgres';
  return {
    ...gateway,
    url: `postgres://${WORKER_ROLE}:local@${host}${database}`,
    async stop() {
      await gateway.stop();
      await pool.end();
    },
  };
}

function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: 20,
    // PGlite serves a connection at a time, so a busy connection keeps further connections waiting.
    connectionTimeoutMillis: 20_000,
    async onConnect(client) {
      await client.query(SESSION);
      await client.query(NOTICE_LOST_CLIENTS).catch(() => {});
    },
  });
  // A stopped server breaks idle connections; after its return the pool opens new connections.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** The isolation levels, by their names in Neon's driver. */
const ISOLATION_LEVELS: Record<string, string> = {
  ReadUncommitted: 'read uncommitted',
  ReadCommitted: 'read committed',
  RepeatableRead: 'repeatable read',
  Serializable: 'serializable',
};

/** The modes of a batch's transaction, in SQL; undefined if Neon refuses the headers. */
function transactionModes(headers: IncomingHttpHeaders): string | undefined {
  const {
    'neon-batch-isolation-level': level,
    'neon-batch-read-only': readOnly,
    'neon-batch-deferrable': deferrable,
  } = headers;
  if (level !== undefined && !Object.hasOwn(ISOLATION_LEVELS, String(level))) return undefined;
  return [
    level === undefined ? '' : `isolation level ${ISOLATION_LEVELS[String(level)]}`,
    readOnly === 'true' ? 'read only' : '',
    deferrable === 'true' ? 'deferrable' : '',
  ].join(' ');
}

async function answer(
  pool: pg.Pool,
  { headers, body, gone }: GatewayRequest,
): Promise<Reply | undefined> {
  const payload = payloadSchema.safeParse(parseJson(body));
  if (!payload.success) return refusal(400, 'could not parse the HTTP request body');
  const modes = 'queries' in payload.data ? transactionModes(headers) : '';
  if (modes === undefined) return refusal(400, 'invalid isolation level');

  let client: pg.PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    return failure(500, error);
  }
  // Closing the connection ends the statement, so nothing is written for a client that has left.
  const abandon = () => client.release(true);
  if (gone.aborted) return void abandon();
  gone.addEventListener('abort', abandon);
  try {
    const { data } = payload;
    const isBatch = 'queries' in data;
    const begin = `begin ${modes}`;
    const isWorker = connectionUrl(headers)?.username === WORKER_ROLE;
    await client.query(isWorker ? `${begin}; set local role ${WORKER_ROLE}` : begin);
    const results = await runStatements(client, isBatch ? data.queries : [data]);
    if (!results) return refusal(507, `response is too large (max is ${MAX_BYTES} bytes)`);
    if (!isBatch) return { status: 200, body: results };
    return { status: 200, body: [Buffer.from('{"results":['), ...results, Buffer.from(']}')] };
  } catch (error) {
    await client.query('rollback').catch(() => {});
    // Neon answers 400 with an empty code when a connection is lost under a statement.
    return failure(400, error);
  } finally {
    gone.removeEventListener('abort', abandon);
    // A failed ROLLBACK leaves a session in a transaction. The connection ends.
    if (!gone.aborted) client.release(client.getTransactionStatus() !== 'I');
  }
}

/**
 * Runs statements and ends their transaction.
 * @returns the JSON of their results, with commas between, or undefined if too large; then the statements are rolled
 *   back, as in Neon
 */
async function runStatements(
  client: pg.PoolClient,
  statements: readonly Statement[],
): Promise<Buffer[] | undefined> {
  const results: Buffer[] = [];
  let room = MAX_BYTES;
  for (const [at, statement] of statements.entries()) {
    for await (const piece of runStatement(client, statement, at > 0 ? ',' : '')) {
      room -= piece.length;
      if (room >= 0) results.push(piece);
    }
    if (room < 0) break;
  }
  await client.query(room < 0 ? 'rollback' : 'commit');
  return room < 0 ? undefined : results;
}

/** Yields the JSON of the result in pieces. @param before precedes the JSON */
async function* runStatement(
  client: pg.PoolClient,
  { query, params }: Statement,
  before: string,
): AsyncGenerator<Buffer, void> {
  const config = {
    text: query,
    values: params,
    rowMode: 'array' as const,
    // In the extended protocol Postgres refuses two statements in a single text, as Neon does.
    queryMode: 'extended',
    types: { getTypeParser: () => (text: unknown) => text },
  };
  const { command, rowCount, fields, rows } = await client
    .query<unknown[]>(config)
    .catch((error: unknown) => {
      const name = /^-- (.+)/.exec(query)?.[1];
      if (name && error instanceof pg.DatabaseError && isMistake(error)) {
        console.error(describeMistake(name, query, error));
      }
      throw error;
    });
  const head = JSON.stringify({ command, rowCount, rowAsArray: true, fields });
  let text = `${before}${head.slice(0, -1)},"rows":[`;
  for (let from = 0; from < rows.length; from += ROWS_PER_PIECE) {
    if (from > 0) {
      yield Buffer.from(text);
      await giveWay();
      text = ',';
    }
    text += JSON.stringify(rows.slice(from, from + ROWS_PER_PIECE)).slice(1, -1);
  }
  yield Buffer.from(`${text}]}`);
}

/** Whether the statement itself is wrong, by its SQLSTATE. Conflicts and outages have further classes. */
const isMistake = ({ code }: pg.DatabaseError): boolean => /^(0A|21|22|42|XX)/.test(code ?? '');

function describeMistake(name: string, query: string, error: pg.DatabaseError): string {
  const { code, message, detail, hint, position, where } = error;
  const line = position && query.slice(0, Number(position) - 1).split('\n').length;
  const shown = line && `line ${line}: ${query.split('\n')[line - 1]?.trim()}`;
  return [
    `The statement ${name} failed with ${code}: ${message}`,
    ...[shown, detail, hint && `hint: ${hint}`, where].filter(Boolean).map((text) => `  ${text}`),
  ].join('\n');
}

const connectionUrl = (headers: IncomingHttpHeaders): URL | null =>
  URL.parse(String(headers['neon-connection-string']));

function failure(status: number, error: unknown): Reply {
  if (!(error instanceof pg.DatabaseError)) return refusal(status, reasonOf(error));
  // pg and Neon name the fields of an error alike.
  return json(status, { ...error, message: error.message });
}
