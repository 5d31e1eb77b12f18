import type { Config } from './config.ts';
import { connect, type Database } from './db/client.ts';
import { consoleLog, type Log } from './log.ts';
import { createSessions, type Sessions } from './member/session.ts';
import { createRateLimiter, type RateLimiter } from './rate-limit/rate-limiter.ts';

/** What the application reaches the outside world through. */
export type Services = {
  db: Database;
  rateLimiter: RateLimiter;
  /** Of the panel's users. */
  sessions: Sessions;
  now: () => Date;
  log: Log;
};

export function buildServices(config: Config, log: Log = consoleLog): Services {
  return {
    db: connect(config.DATABASE_URL),
    rateLimiter: createRateLimiter(config, log),
    sessions: createSessions(config),
    now: () => new Date(),
    log,
  };
}
