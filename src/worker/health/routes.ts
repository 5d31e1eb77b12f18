import { unavailable } from '../errors.ts';
import type { AppEnv } from '../http/context.ts';
import { Hono } from '../http/hono.ts';

const RETRY_AFTER_SECONDS = 5;

/** Need no key. */
export const healthRoutes = new Hono<AppEnv>()
  /** Tells that the Worker runs, and which version answers. Costs no trip. */
  .get('/healthz', (c) => {
    const version = c.env.VERSION?.id;
    if (version !== undefined) c.header('X-Worker-Version', version);
    return c.json({ status: 'ok' });
  })

  /** Tells whether the Worker reaches Postgres and Redis, and whether the database is one that it can write to. */
  .get('/readyz', async (c) => {
    const probe = c.get('services').readiness();
    // Others wait for it too.
    c.executionCtx.waitUntil(probe);
    const faults = await probe;
    if (faults.length > 0) {
      const reasons = faults.map(({ reason }) => reason).join(' ');
      const causes = faults.map(({ cause }) => cause);
      throw unavailable(reasons, RETRY_AFTER_SECONDS, causes);
    }
    return c.json({ status: 'ok' });
  });
