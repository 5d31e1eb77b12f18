import { sql } from 'drizzle-orm';
import { Hono } from 'hono';
import { transact } from '../db/client.ts';
import { db } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { unavailable } from '../errors.ts';
import type { AppEnv } from '../http/context.ts';
import { inTime } from '../http/in-time.ts';

const PROBE_BUDGET_MS = 3_000;

const answersAnything = statement(() => db.execute(sql`select 1`));

/** Tells whether the Worker reaches Postgres and Redis. Needs no key. */
export const healthRoutes = new Hono<AppEnv>().get('/', async (c) => {
  const { services } = c.var;
  const probes = {
    Postgres: transact(services.db, [answersAnything({})]),
    Redis: services.rateLimiter.ping(),
  };
  const outcomes = await Promise.allSettled(
    Object.values(probes).map((probe) =>
      inTime<unknown>(probe, PROBE_BUDGET_MS, () => new Error('too late')),
    ),
  );
  const away = Object.keys(probes).filter((_, at) => outcomes[at]?.status === 'rejected');
  if (away.length > 0) throw unavailable(`No answer from ${away.join(' and ')}.`, 5);
  return c.json({ status: 'ok' });
});
