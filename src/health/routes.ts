import { sql } from 'drizzle-orm';
import { Hono } from 'hono';
import { transact } from '../db/client.ts';
import { ApiError } from '../errors.ts';
import type { AppEnv } from '../http/context.ts';

const PROBE_BUDGET_MS = 3_000;

/** Whether the Worker reaches what it stands on; needs no key and tells nothing else. */
export const healthRoutes = new Hono<AppEnv>().get('/', async (c) => {
  const { db, rateLimiter } = c.var.services;
  const away = (
    await Promise.all([
      isAway('Postgres', transact(db, [db.execute(sql`select 1`)])),
      isAway('Redis', rateLimiter.ping()),
    ])
  ).filter((name) => name !== undefined);
  if (away.length > 0) {
    throw new ApiError('SERVICE_UNAVAILABLE', `No answer from ${away.join(' and ')}.`, {
      retryAfterSeconds: 5,
    });
  }
  return c.json({ status: 'ok' });
});

async function isAway(name: string, probe: Promise<unknown>): Promise<string | undefined> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(reject, PROBE_BUDGET_MS);
  try {
    await Promise.race([probe, tooLate]);
    return undefined;
  } catch {
    return name;
  } finally {
    clearTimeout(timer);
  }
}
