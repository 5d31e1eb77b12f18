import { unavailable } from '../errors.ts';
import type { AppEnv } from '../http/context.ts';
import { Hono } from '../http/hono.ts';

const RETRY_AFTER_SECONDS = 5;

/** Need no key. */
export const healthRoutes = new Hono<AppEnv>()
  /** Answers that the Worker runs, with its version. Costs no trip. */
  .get('/healthz', (c) => {
    const version = c.env.VERSION?.id;
    if (version !== undefined) c.header('X-Worker-Version', version);
    return c.json({ status: 'ok' });
  })

  /** Answers whether the Worker reaches Postgres and Redis, and whether the Worker can write to the database. */
  .get('/readyz', async (c) => {
    const probe = c.get('services').readiness();
    // More requests wait for the probe.
    c.executionCtx.waitUntil(probe);
    const faults = await probe;
    if (faults.length > 0) {
      const reasons = faults.map(({ reason }) => reason).join(' ');
      const causes = faults.map(({ cause }) => cause);
      throw unavailable(reasons, RETRY_AFTER_SECONDS, causes);
    }
    return c.json({ status: 'ok' });
  });
