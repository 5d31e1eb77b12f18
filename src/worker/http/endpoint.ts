import { zValidator } from '@hono/zod-validator';
import type { Context, MiddlewareHandler } from 'hono';
import type * as z from 'zod/mini';
import { type Answers, transact } from '../db/client.ts';
import { cancelStreams } from '../db/row-stream.ts';
import type { Statement } from '../db/statement.ts';
import { timed } from '../log.ts';
import type { Allowance } from '../rate-limit/rate-limiter.ts';
import type { AppEnv } from './context.ts';
import { readJson } from './json-body.ts';
import { IDEMPOTENCY_KEY, refuseUnknown } from './known-inputs.ts';
import { invalidInput } from './validation.ts';

/** Checks the caller and runs the statements, in one round trip. @throws ApiError if the caller is refused */
export type RunQueries = <const S extends readonly Statement[]>(
  ...statements: S
) => Promise<Answers<S>>;

/** A caller, as far as no trip is needed to know one, and what decides about the caller. */
export type Entrance<Caller, Row> = {
  caller: Caller;
  /** Reads the row that `judge` needs. */
  check: Statement<Row[]>;
  /** Runs in place of `check` if the database is read-only. */
  checkReadOnly?: Statement<Row[]>;
  /** Values of the placeholders that stand for the caller in all statements. */
  values: Record<string, unknown>;
  /** Counts the request, beside the statements. */
  allowance?: Promise<Allowance>;
  /** @throws ApiError UNAUTHORIZED, RATE_LIMITED, INSUFFICIENT_SCOPE or NOT_FOUND, in this order */
  judge: (row: Row | undefined, allowance: Allowance | undefined) => void;
};

/** @throws ApiError if the caller can be refused without a trip */
type Enter<Caller, Row> = (c: Context<AppEnv>) => Promise<Entrance<Caller, Row>>;

/** What an endpoint is asked. An input without a schema is undefined. */
export type Asked<Caller, Param = unknown, Query = unknown, Header = unknown, Body = unknown> = {
  c: Context<AppEnv>;
  caller: Caller;
  param: Param;
  query: Query;
  header: Header;
  body: Body;
  /** Makes another trip after that of `statements`. It checks the caller again and counts nothing. */
  run: RunQueries;
};

/** The inputs of an endpoint, the statements that it runs, and how the answer is made of their rows. */
export type Endpoint<Caller, Param, Query, Header, Body, S extends readonly Statement[]> = {
  param?: z.ZodMiniType<Param>;
  query?: z.ZodMiniType<Query> & { shape: object };
  header?: z.ZodMiniType<Header> & { shape: object };
  /** The schema of a small JSON body, or `streamed` if `answer` reads the body. */
  body?: z.ZodMiniType<Body> | 'streamed';
  /**
   * They run in the trip that checks the caller. With a key they only read, because the verdict on the rate limit
   * comes from elsewhere: `answer` writes, with `run`.
   */
  statements: (asked: Asked<Caller, Param, Query, Header, Body>) => S | Promise<S>;
  answer: (
    answers: Answers<S>,
    asked: Asked<Caller, Param, Query, Header, Body>,
  ) => Response | Promise<Response>;
};

/** An endpoint that does not depend on who calls it. */
export const endpoint = <Param, Query, Header, Body, const S extends readonly Statement[]>(
  of: Endpoint<unknown, Param, Query, Header, Body, S>,
) => of;

/**
 * The handler of an endpoint. The first of these that applies is the outcome, whatever arrives first: 401, 429, 403,
 * 400, 404.
 */
export function answering<
  Caller,
  Row,
  Param,
  Query,
  Header,
  Body,
  const S extends readonly Statement[],
>(enter: Enter<Caller, Row>, endpoint: Endpoint<Caller, Param, Query, Header, Body, S>) {
  const readInputs = inputReader(endpoint);

  return async (c: Context<AppEnv>): Promise<Response> => {
    const { caller, ...entrance } = await enter(c);
    const run: RunQueries = (...statements) => checkAndRun(c, entrance, statements);

    async function prepare() {
      const asked = { c, caller, run, ...(await readInputs(c)) };
      return { asked, statements: await endpoint.statements(asked) };
    }

    const { asked, statements } = await prepare().catch(async (problem: unknown) => {
      // What is wrong with the caller comes before what is wrong with the request.
      await run();
      throw problem;
    });
    const answers = await run(...statements);
    return endpoint.answer(answers, asked);
  };
}

async function checkAndRun<Row, const S extends readonly Statement[]>(
  c: Context<AppEnv>,
  { check, checkReadOnly, values, allowance, judge }: Omit<Entrance<unknown, Row>, 'caller'>,
  statements: S,
): Promise<Answers<S>> {
  const logFields = c.get('logFields');
  const services = c.get('services');
  logFields.trips += 1;
  const onReadOnly = checkReadOnly && ([checkReadOnly, ...statements] as const);
  const sent = transact(services.db, [check, ...statements], values, onReadOnly);
  const [allowed, [[row], ...answers]] = await Promise.all([
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

/** Reads the inputs of an endpoint. One without a schema is undefined. @throws ApiError VALIDATION_ERROR */
function inputReader<Param, Query, Header, Body>({
  param,
  query,
  header,
  body,
}: Pick<Endpoint<unknown, Param, Query, Header, Body, []>, 'param' | 'query' | 'header' | 'body'>) {
  const known = {
    query,
    isIdempotent: header && IDEMPOTENCY_KEY in header.shape,
    hasBody: body !== undefined,
  };
  const queryOf = partReader('query', query);
  const headerOf = partReader('header', header);
  const paramOf = partReader('param', param);

  return async (c: Context<AppEnv>) => {
    if (!['GET', 'HEAD'].includes(c.req.method)) await refuseUnknown(c, known);
    return {
      query: await queryOf(c),
      header: await headerOf(c),
      param: await paramOf(c),
      body: (body && body !== 'streamed' ? await readJson(c, body) : undefined) as Body,
    };
  };
}

function partReader<T>(target: 'param' | 'query' | 'header', schema?: z.ZodMiniType<T>) {
  const validate: MiddlewareHandler<AppEnv> | undefined =
    schema && zValidator(target, schema, refuseInvalid);
  return async (c: Context<AppEnv>): Promise<T> => {
    await validate?.(c, async () => {});
    // The type of `c` does not know what the validator has kept in it.
    return c.req.valid(target as never);
  };
}

type Validated = { success: true } | { success: false; error: z.core.$ZodError; data: unknown };

function refuseInvalid(result: Validated): void {
  if (!result.success) throw invalidInput(result.error, result.data);
}
