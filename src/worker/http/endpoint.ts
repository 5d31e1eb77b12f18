import { zValidator } from '@hono/zod-validator';
import type { Context, MiddlewareHandler } from 'hono';
import type * as z from 'zod/mini';
import { type Answers, type Database, transact } from '../db/client.ts';
import { cancelStreams } from '../db/row-stream.ts';
import type { Statement } from '../db/statement.ts';
import type { Turn } from '../gate/turns.ts';
import { later } from '../later.ts';
import { timed } from '../log.ts';
import type { Allowance } from '../rate-limit/rate-limiter.ts';
import { PERSONAL_SCOPES, type Scope } from '../scopes.ts';
import type { BodySize } from './body.ts';
import type { AppEnv } from './context.ts';
import { readJson } from './json-body.ts';
import { IDEMPOTENCY_KEY, refuseUnknown } from './known-inputs.ts';
import { inTurn, ownTurn, takeTurn, waitForTurn } from './turn.ts';
import { invalidInput } from './validation.ts';

/** Checks the caller and runs the statements, in a single round trip. @throws ApiError if the caller is refused */
export type RunQueries = <const S extends readonly Statement[]>(
  ...statements: S
) => Promise<Answers<S>>;

/** A caller, known without a trip as far as possible, and the check of the caller. */
export type Entrance<Caller, Row> = {
  caller: Caller;
  /** Reads the row for `judge`. */
  check: Statement<Row[]>;
  /** Reads this row and the rows of the first statement, if a single statement can. */
  beside?: (first: Statement) => Statement<{ key: Row | undefined; rows: unknown }> | undefined;
  /** Values of the caller's placeholders in all statements. */
  values: Record<string, unknown>;
  /** Counts the request, beside the statements. */
  allowance?: Promise<Allowance>;
  /** @throws ApiError UNAUTHORIZED, RATE_LIMITED, INSUFFICIENT_SCOPE or NOT_FOUND, in this order */
  judge: (row: Row | undefined, allowance: Allowance | undefined) => void;
};

/** @throws ApiError if the caller can be refused without a trip */
type Enter<Caller, Row> = (c: Context<AppEnv>) => Promise<Entrance<Caller, Row>>;

/** The inputs of an endpoint. An input without a schema is undefined. */
export type Asked<Caller, Param = unknown, Query = unknown, Header = unknown, Body = unknown> = {
  c: Context<AppEnv>;
  caller: Caller;
  param: Param;
  query: Query;
  header: Header;
  body: Body;
  /** Makes a second trip after the trip of `statements`. The trip checks the caller again and counts nothing. */
  run: RunQueries;
  /** Waits until the caller may work on a file. @throws ApiError SERVICE_UNAVAILABLE */
  takeFileTurn: () => Promise<Turn>;
};

/**
 * The cost of a request for the database and the Worker together. Light: a few milliseconds, whatever the size of the
 * event. Heavy: the cost grows with the event or the file.
 */
export type Weight = 'light' | 'heavy';

/** The known size of a streamed body: nothing before the read, then its bytes, then its rows. */
export type BodyRead = { bytes: number; rows: number };

/** A schema whose fields have names. */
export type Shaped = { shape: Readonly<z.core.$ZodShape> };

/**
 * The cost and the inputs of an endpoint, the statements to run, and how the rows become the answer. The schemas are
 * built at the first use: see `later`.
 */
export type Endpoint<Caller, Param, Query, Header, Body, S extends readonly Statement[]> = {
  /** For some endpoints, the inputs decide, or how large a streamed body is. */
  weight: Weight | ((asked: { query: Query } & BodyRead) => Weight);
  /** The answer has personal data. With a key, the scope says so. */
  isPersonal?: true;
  param?: () => z.ZodMiniType<Param>;
  query?: () => z.ZodMiniType<Query> & Shaped;
  header?: () => z.ZodMiniType<Header> & Shaped;
  /** The schema of a small JSON body, or the form of a body for `answer`. */
  body?: (() => z.ZodMiniType<Body>) | StreamedBody;
  /**
   * The statements run in the trip that checks the caller. With a key they only read, because the verdict on the rate
   * limit may come later: `answer` writes, with `run`.
   */
  statements: (asked: Asked<Caller, Param, Query, Header, Body>) => S | Promise<S>;
  answer: (
    answers: Answers<S>,
    asked: Asked<Caller, Param, Query, Header, Body>,
  ) => Response | Promise<Response>;
};

/** A body to read while the bytes arrive. */
export type StreamedBody = BodySize & {
  mediaTypes: readonly string[];
  /** The documented schema of JSON. */
  schema?: () => z.ZodMiniType;
};

/** The facts of an operation on its route, without method and path. The API document is made from these facts. */
export type Operation<Id extends string = string> = {
  /** The name of the operation in the document and in clients. */
  id: Id;
  /**
   * The scope that the API key needs. An operation without a scope needs a panel session, unless the operation is open.
   */
  scope?: Scope;
  /** Everybody may ask, without a key. */
  isOpen?: true;
  /** The weight of the operation's requests. Only light requests never wait for a turn. */
  weight: Weight | 'by input';
  /** The weight of a request with this query, if the inputs decide. */
  weigh?: (query: unknown) => Weight;
  query?: () => Shaped;
  header?: () => Shaped;
  body?: (() => z.ZodMiniType) | StreamedBody;
};

/** The handler of an operation. The type carries the id, so the compiler asks for the prose of each operation. */
export type OperationHandler<Id extends string> = ((
  c: Context<AppEnv, string, { in: { operationId: Id } }>,
) => Promise<Response>) & { operation: Operation<Id> };

/** An endpoint for any kind of caller. */
export const endpoint = <Param, Query, Header, Body, const S extends readonly Statement[]>(
  of: Endpoint<unknown, Param, Query, Header, Body, S>,
) => of;

/**
 * The handler of an endpoint. The first applicable status is the outcome, in any order of arrival: 401, 429, 403, 400,
 * 404.
 */
export function answering<
  Id extends string,
  Caller,
  Row,
  Param,
  Query,
  Header,
  Body,
  const S extends readonly Statement[],
>(
  known: { id: Id; scope?: Scope },
  enter: Enter<Caller, Row>,
  endpoint: Endpoint<Caller, Param, Query, Header, Body, S>,
): OperationHandler<Id> {
  const readInputs = inputReader(endpoint);
  const { query, header, body, weight } = endpoint;

  const isPersonal = endpoint.isPersonal ?? PERSONAL_SCOPES.includes(known.scope);

  async function handle(c: Context<AppEnv>): Promise<Response> {
    const logFields = c.get('logFields');
    logFields.operation = known.id;
    if (isPersonal) logFields.personal = true;
    const { caller, ...entered } = await enter(c);
    const entrance = { ...entered, isRead: isRead(c) };
    const run: RunQueries = (...statements) => checkAndRun(c, entrance, statements);
    const takeFileTurn = () => waitForTurn(c, 'files', known);

    async function prepare() {
      const asked = { c, caller, run, takeFileTurn, ...(await readInputs(c)) };
      return { asked, statements: await endpoint.statements(asked) };
    }

    const { asked, statements } = await prepare().catch(async (problem: unknown) => {
      // An error of the caller comes before an error of the request.
      await run();
      throw problem;
    });
    // A streamed body is weighed during the read.
    if ((body && isStreamed(body)) || weigh(weight, asked) === 'light') {
      return endpoint.answer(await run(...statements), asked);
    }
    const first = await takeTurn(c, known.id, run);
    const answers = await run(...statements).catch((problem: unknown) => {
      first.end();
      throw problem;
    });
    const turn = await ownTurn(c, known.id, first).catch((busy: unknown) => {
      cancelStreams(answers);
      throw busy;
    });
    return inTurn(c, turn, async () => endpoint.answer(answers, asked));
  }

  const named: Operation['weight'] = typeof weight === 'function' ? 'by input' : weight;
  const inputs = {
    ...(query && { query }),
    ...(query && { weigh: (sent: unknown) => weigh(weight, { query: query().parse(sent) }) }),
    ...(header && { header }),
    ...(body && { body }),
  };
  return Object.assign(handle, {
    operation: { ...known, weight: named, ...inputs },
  });
}

/** The handler of an open operation, without a key. The cost for the database does not depend on the caller. */
export function forEverybody<Id extends string, Query = undefined>(
  id: Id,
  query: (() => z.ZodMiniType<Query> & Shaped) | undefined,
  answer: (c: Context<AppEnv>, query: Query) => Promise<Response>,
): OperationHandler<Id> {
  const queryOf = partReader('query', query);
  const handle = async (c: Context<AppEnv>) => answer(c, await queryOf(c));
  const inputs = query && { query };
  return Object.assign(handle, {
    operation: { id, isOpen: true as const, weight: 'light' as const, ...inputs },
  });
}

/** The weight of a request, by its inputs and by the part of its body read so far. */
export const weigh = <Inputs>(
  weight: Weight | ((asked: Inputs & BodyRead) => Weight),
  inputs: Inputs & Partial<BodyRead>,
): Weight => (typeof weight === 'function' ? weight({ bytes: 0, rows: 0, ...inputs }) : weight);

/** All statements of a read and the check of the caller see the data of a single moment. */
const isRead = (c: Context): boolean => ['GET', 'HEAD'].includes(c.req.method);

type Check<Row> = Pick<Entrance<unknown, Row>, 'check' | 'beside' | 'values'> & { isRead: boolean };

/** Runs the check and the statements as a transaction. */
async function send<Row, const S extends readonly Statement[]>(
  db: Database,
  { check, beside, values, isRead }: Check<Row>,
  statements: S,
): Promise<{ row: Row | undefined; answers: Answers<S> }> {
  const [first, ...others] = statements;
  const both = first && beside?.(first);
  if (both) {
    const [{ key, rows }, ...rest] = await transact(db, [both, ...others], values, isRead);
    return { row: key, answers: [rows, ...rest] as Answers<S> };
  }
  const [[row], ...answers] = await transact(db, [check, ...statements], values, isRead);
  return { row, answers: answers as Answers<S> };
}

async function checkAndRun<Row, const S extends readonly Statement[]>(
  c: Context<AppEnv>,
  { allowance, judge, ...entrance }: Check<Row> & Omit<Entrance<unknown, Row>, 'caller'>,
  statements: S,
): Promise<Answers<S>> {
  const logFields = c.get('logFields');
  const services = c.get('services');
  logFields.trips += 1;
  const sent = send(services.db, entrance, statements);
  const [allowed, { row, answers }] = await Promise.all([
    allowance,
    timed(logFields, 'postgres_ms', sent),
  ]);
  if (allowed) c.set('allowance', allowed);
  try {
    judge(row, allowed);
  } catch (refused) {
    cancelStreams(answers);
    throw refused;
  }
  return answers;
}

export const isStreamed = (body: (() => z.ZodMiniType) | StreamedBody): body is StreamedBody =>
  'mediaTypes' in body;

/** Whether an operation accepts the header Idempotency-Key. */
export const isIdempotent = ({ header }: { header?: (() => Shaped) | undefined }): boolean =>
  header !== undefined && IDEMPOTENCY_KEY in header().shape;

/** Reads the inputs of an endpoint. An input without a schema is undefined. @throws ApiError VALIDATION_ERROR */
function inputReader<Param, Query, Header, Body>({
  param,
  query,
  header,
  body,
}: Pick<Endpoint<unknown, Param, Query, Header, Body, []>, 'param' | 'query' | 'header' | 'body'>) {
  const known = later(() => ({
    query: query?.(),
    isIdempotent: isIdempotent({ header }),
    hasBody: body !== undefined,
  }));
  const queryOf = partReader('query', query);
  const headerOf = partReader('header', header);
  const paramOf = partReader('param', param);

  return async (c: Context<AppEnv>) => {
    if (!isRead(c)) await refuseUnknown(c, known());
    return {
      query: await queryOf(c),
      header: await headerOf(c),
      param: await paramOf(c),
      body: (body && !isStreamed(body) ? await readJson(c, body()) : undefined) as Body,
    };
  };
}

function partReader<T>(target: 'param' | 'query' | 'header', schema?: () => z.ZodMiniType<T>) {
  const validator =
    schema && later((): MiddlewareHandler<AppEnv> => zValidator(target, schema(), refuseInvalid));
  return async (c: Context<AppEnv>): Promise<T> => {
    await validator?.()(c, async () => {});
    // The type of `c` does not know the validator's inputs.
    return c.req.valid(target as never);
  };
}

type Validated = { success: true } | { success: false; error: z.core.$ZodError; data: unknown };

function refuseInvalid(result: Validated): void {
  if (!result.success) throw invalidInput(result.error, result.data);
}
