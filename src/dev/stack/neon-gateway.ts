import type { IncomingHttpHeaders } from 'node:http';
import pg from 'pg';
import { z } from 'zod';
import { WORKER_ROLE } from './catalog.ts';
import {
  type Gateway,
  type GatewayRequest,
  json,
  parseJson,
  type Reply,
  startGateway,
} from './gateway.ts';
import { LOOPBACK, reasonOf } from './listen.ts';

export type NeonGateway = Gateway & {
  /** The DATABASE_URL of the Worker. Its port is this gateway's HTTP port. */
  url: string;
  /** The same for the owner of the tables. */
  ownerUrl: string;
};

type NeonGatewayOptions = {
  databaseUrl: string;
  port: number;
  delayMs?: number | undefined;
};

/** Neon's limit on a request and on a response ("Neon serverless driver", neon.tech/docs). */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The settings that the text of values depends on. Neon's sessions use GMT and otherwise the defaults of
 * PostgreSQL ("Client Connection Defaults" in its manual). A developer's own server may be set otherwise.
 */
const SESSION = `set timezone to 'GMT'; set datestyle to 'ISO, MDY'; set intervalstyle to postgres;
  set bytea_output to hex; set extra_float_digits to 1`;

/**
 * Makes PostgreSQL 14 and newer, on Linux, end a statement whose client has left, even one that waits for a
 * lock. Other servers refuse the setting. They notice when they answer.
 */
const NOTICE_LOST_CLIENTS = "set client_connection_check_interval to '100ms'";

const statementSchema = z.object({
  query: z.string(),
  params: z.array(z.unknown()).default([]),
  arrayMode: z.boolean().optional(),
});
const payloadSchema = z.union([
  z.object({ queries: z.array(statementSchema) }),
  statementSchema.transform((statement) => ({ statement })),
]);
type Statement = z.infer<typeof statementSchema>;

/**
 * Serves Neon's SQL over HTTP for any Postgres: `POST /sql` with one statement, or with `queries` as one
 * transaction, which is rolled back when a statement fails.
 * There is one database, so of the Neon-Connection-String header only the user counts: the statements of the
 * Worker's role run with the rights of that role, and those of any other user with the rights of `databaseUrl`.
 *
 * Sources of the behaviour; files without a folder are in neondatabase/neon, proxy/src/serverless:
 * - requests, their headers, and the fields of an error that a client reads: @neondatabase/serverless
 * - `query`, `params`, `arrayMode` and `queries`: sql_over_http.rs, Payload
 * - a batch is one transaction, which may fail in its commit; a session that is not idle afterwards is not
 *   used again: sql_over_http.rs, BatchQueryData::process and Discard
 * - `command`, `rowCount`, `rowAsArray`, `fields`, `rows`: sql_over_http.rs, query_to_json
 * - every kind of JSON parameter becomes text, and values stay text: json.rs
 * - one statement at a time, by the extended protocol: sql_over_http.rs, query_raw_txt
 * - 400 for an error of Postgres and for a body that is not JSON, 500 without a connection, 507 for an answer
 *   that is too large, all fields of an error: sql_over_http.rs, handle and get_http_status_code; 413 for a
 *   request that is too large: error.rs, ReadPayloadError
 * - the sizes: the page "Neon serverless driver" (neon.tech/docs)
 * - only this gateway: 404 and 405, text output alone, faults, a transaction around a single statement too, and
 *   the end of a statement whose client hung up
 */
export async function startNeonGateway(options: NeonGatewayOptions): Promise<NeonGateway> {
  const pool = openPool(options.databaseUrl);
  const gateway = await startGateway({
    name: 'Neon gateway',
    port: options.port,
    delayMs: options.delayMs,
    maxRequestBytes: MAX_BYTES,
    requestTooLarge: refusal(413, `request is too large (max is ${MAX_BYTES} bytes)`),
    tagOf: (headers) => connectionUrl(headers)?.searchParams.get('application_name') ?? undefined,
    sqlstateReply: (code) => json(400, { message: `fault ${code}`, code, severity: 'ERROR' }),
    answer: (request) =>
      request.path === '/sql'
        ? answer(pool, request)
        : Promise.resolve(refusal(404, 'only POST /sql is served')),
  });
  const database = URL.parse(options.databaseUrl)?.pathname || '/postgres';
  const urlOf = (user: string) => `postgres://${user}:local@${LOOPBACK}:${gateway.port}${database}`;
  return {
    ...gateway,
    url: urlOf(WORKER_ROLE),
    ownerUrl: urlOf('owner'),
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
    // PGlite serves one connection at a time, so a busy one keeps the others waiting.
    connectionTimeoutMillis: 20_000,
    async onConnect(client) {
      await client.query(SESSION);
      await client.query(NOTICE_LOST_CLIENTS).catch(() => {});
    },
  });
  // A server that goes away breaks idle connections; the pool opens new ones when it is back.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

async function answer(pool: pg.Pool, { headers, body, gone }: GatewayRequest): Promise<Reply> {
  const user = connectionUrl(headers)?.username;
  if (user === undefined) return refusal(400, 'invalid connection string');
  if (headers['neon-raw-text-output'] !== 'true') {
    return refusal(400, 'the local gateway answers raw text only');
  }
  const payload = payloadSchema.safeParse(parseJson(body));
  if (!payload.success) return refusal(400, 'could not parse the HTTP request body');

  let client: pg.PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    return failure(500, error);
  }
  // Closing the connection ends the statement, so that nothing is written for a client that has left.
  const abandon = () => client.release(true);
  if (gone.aborted) {
    abandon();
    return RESPONSE_ABANDONED;
  }
  gone.addEventListener('abort', abandon);
  try {
    const begin = user === WORKER_ROLE ? `begin; set local role ${WORKER_ROLE}` : 'begin';
    const arrayMode = headers['neon-array-mode'] === 'true';
    const { data } = payload;
    const isBatch = 'queries' in data;
    const statements = isBatch ? data.queries : [data.statement];
    const results = await runStatements(client, begin, statements, arrayMode);
    if (!results) return RESPONSE_TOO_LARGE;
    return { status: 200, body: isBatch ? `{"results":[${results}]}` : results };
  } catch (error) {
    // Neon answers 400 with an empty code when a connection is lost under a statement.
    return failure(400, error);
  } finally {
    gone.removeEventListener('abort', abandon);
    // A ROLLBACK that failed leaves a session in a transaction. Its connection ends.
    if (!gone.aborted) client.release(client.getTransactionStatus() !== 'I');
  }
}

/** No client reads this answer. */
const RESPONSE_ABANDONED = refusal(500, 'the client hung up');

const RESPONSE_TOO_LARGE = refusal(507, `response is too large (max is ${MAX_BYTES} bytes)`);

/**
 * Runs statements as one transaction.
 * @returns the JSON of their results, or undefined if it is too large; then they are rolled back, as in Neon
 */
async function runStatements(
  client: pg.PoolClient,
  begin: string,
  statements: readonly Statement[],
  arrayMode: boolean,
): Promise<string | undefined> {
  await client.query(begin);
  try {
    const results: string[] = [];
    let room = MAX_BYTES;
    for (const statement of statements) {
      const result = await runStatement(client, statement, arrayMode);
      room -= Buffer.byteLength(result);
      if (room < 0) break;
      results.push(result);
    }
    await client.query(room < 0 ? 'rollback' : 'commit');
    return room < 0 ? undefined : results.join();
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** @returns the JSON of the result */
async function runStatement(
  client: pg.PoolClient,
  statement: Statement,
  defaultArrayMode: boolean,
): Promise<string> {
  const rowAsArray = statement.arrayMode ?? defaultArrayMode;
  const config = {
    text: statement.query,
    values: statement.params,
    rowMode: 'array' as const,
    // In the extended protocol Postgres refuses two statements in one, as Neon does.
    queryMode: 'extended',
    types: { getTypeParser: () => (text: unknown) => text },
  };
  const { command, rowCount, fields, rows } = await client.query<unknown[]>(config);
  return JSON.stringify({
    command,
    rowCount,
    rowAsArray,
    fields: fields.map((field) => ({
      name: field.name,
      dataTypeID: field.dataTypeID,
      tableID: field.tableID,
      columnID: field.columnID,
      dataTypeSize: field.dataTypeSize,
      dataTypeModifier: field.dataTypeModifier,
      format: 'text',
    })),
    rows: rowAsArray
      ? rows
      : rows.map((row) => Object.fromEntries(fields.map(({ name }, at) => [name, row[at]]))),
  });
}

function connectionUrl(headers: IncomingHttpHeaders): URL | undefined {
  return URL.parse(String(headers['neon-connection-string'])) ?? undefined;
}

function refusal(status: number, message: string): Reply {
  return json(status, { message, code: '' });
}

/** An error in Neon's form: with its SQLSTATE, or with an empty code if it is not from Postgres. */
function failure(status: number, error: unknown): Reply {
  if (!(error instanceof pg.DatabaseError)) return refusal(status, reasonOf(error));
  const { severity, code = '', detail, hint, position, internalPosition, internalQuery } = error;
  const { where, schema, table, column, dataType, constraint, file, line, routine } = error;
  return json(status, {
    message: error.message,
    severity,
    code,
    detail,
    hint,
    position,
    internalPosition,
    internalQuery,
    where,
    schema,
    table,
    column,
    dataType,
    constraint,
    file,
    line,
    routine,
  });
}
