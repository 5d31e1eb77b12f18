import { createSessions, type Sessions } from './auth/panel/session.ts';
import type { Config } from './config.ts';
import { connect, type Database } from './db/client.ts';
import { type BodyLimits, createBodyLimits } from './http/body.ts';
import { consoleLog, type Log } from './log.ts';
import { createRateLimiter, type RateLimiter } from './rate-limit/rate-limiter.ts';

/** What the routes depend on. Each isolate builds it once; tests replace single services. */
export type Services = {
  db: Database;
  rateLimiter: RateLimiter;
  /** Verifies the sessions of panel users. */
  sessions: Sessions;
  /** How many body bytes the isolate holds at once, and how slowly they may arrive. */
  bodyLimits: BodyLimits;
  now: () => Date;
  log: Log;
};

export function buildServices(config: Config, log: Log = consoleLog): Services {
  return {
    db: connect(config.DATABASE_URL),
    rateLimiter: createRateLimiter(config, log),
    sessions: createSessions(config),
    bodyLimits: createBodyLimits(),
    now: () => new Date(),
    log,
  };
}
