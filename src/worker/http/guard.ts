import type { BatchResponse } from 'drizzle-orm/batch';
import type { Context, Env, Next } from 'hono';
import type { Query } from '../db/client.ts';

/** Authenticates the request and runs the queries, in one round trip. Rejects if authentication fails. */
export type RunQueries = <const T extends readonly Query[]>(
  ...queries: T
) => Promise<BatchResponse<T>>;

/**
 * Makes sure that no answer leaves before the request is authenticated. If the handler runs no query,
 * the guard authenticates by itself. If authentication failed, the guard throws that error, even when
 * the handler caught it.
 */
export function createGuard(authenticateAndRun: RunQueries) {
  const failures: Promise<unknown>[] = [];

  const run: RunQueries = (...queries) => {
    const answers = authenticateAndRun(...queries);
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
        if (failure === c.error) return;
        await c.res.body?.cancel();
        // Hono would copy the headers of the handler's answer into the error's.
        c.res = undefined;
        c.finalized = false;
        throw failure;
      }
    },
  };
}
