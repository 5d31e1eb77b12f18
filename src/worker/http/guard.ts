import type { Context, Env, Next } from 'hono';
import type { Answers } from '../db/client.ts';
import type { Statement } from '../db/statement.ts';
import { ApiError } from '../errors.ts';

/** Authenticates the request and runs the statements, in one round trip. Rejects if authentication fails. */
export type RunQueries = <const S extends readonly Statement[]>(
  ...statements: S
) => Promise<Answers<S>>;

/** Whether a handler put a failure into other words. The answer keeps its code. */
const isExplainedBy = (failure: unknown, error: unknown): boolean =>
  failure instanceof ApiError &&
  error instanceof ApiError &&
  error.cause === failure &&
  error.code === failure.code;

/**
 * Makes sure that no answer leaves before the request is authenticated. If the handler runs no query,
 * the guard authenticates by itself. If authentication failed, the guard throws that error, even when
 * the handler caught it.
 */
export function createGuard(authenticateAndRun: RunQueries) {
  const failures: Promise<unknown>[] = [];

  const run: RunQueries = (...statements) => {
    const answers = authenticateAndRun(...statements);
    failures.push(
      answers.then(
        () => undefined,
        (error: unknown) => error,
      ),
    );
    return answers;
  };

  return {
    run,

    /** Runs the handler. @throws the first failure of `run` */
    async enforce<E extends Env>(c: Context<E>, next: Next): Promise<void> {
      await next();
      // The rejection is among the failures.
      if (failures.length === 0) run().catch(() => {});
      for (const failed of failures) {
        const failure = await failed;
        if (failure === undefined) continue;
        if (failure === c.error || isExplainedBy(failure, c.error)) return;
        await c.res.body?.cancel();
        // Hono would copy the headers of the handler's answer into the error's.
        c.res = undefined;
        c.finalized = false;
        throw failure;
      }
    },
  };
}
