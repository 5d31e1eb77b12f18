import { createSessions, type Sessions } from './auth/panel/session.ts';
import { type Boards, createBoards, loadFromDatabase } from './board/boards.ts';
import type { LoadRanking } from './board/rankings.ts';
import type { Config } from './config.ts';
import { connect, type Database } from './db/client.ts';
import { createReadiness, type Readiness } from './health/readiness.ts';
import { type BodyLimits, createBodyLimits } from './http/body.ts';
import { consoleLog, type Log } from './log.ts';
import { createRateLimiter, type RateLimiter } from './rate-limit/rate-limiter.ts';
import { createRefusals, type Refusals } from './rate-limit/refusals.ts';

/** The services that the routes depend on. Each isolate builds it once; tests replace single services. */
export type Services = {
  db: Database;
  rateLimiter: RateLimiter;
  refusals: Refusals;
  readiness: Readiness;
  /** Verifies the sessions of panel users. */
  sessions: Sessions;
  /** How much memory bodies hold at once, and how slowly they may arrive. */
  bodyLimits: BodyLimits;
  /** The boards that are being watched. */
  boards: Boards;
  /** Deletes what the caches keep of an event's board. */
  purgeBoard: (eventId: string) => Promise<unknown>;
  now: () => Date;
  log: Log;
};

/**
 * @param loadRanking reads the database itself unless another way is given
 * @param purgeBoard does nothing unless there are caches
 */
export function buildServices(
  config: Config,
  log: Log = consoleLog,
  loadRanking?: LoadRanking,
  purgeBoard: Services['purgeBoard'] = async () => {},
): Services {
  const db = connect(config.DATABASE_URL);
  const load = loadRanking ?? loadFromDatabase(db, Date.now);
  const rateLimiter = createRateLimiter(config, log);
  return {
    db,
    rateLimiter,
    refusals: createRefusals(config.REFUSALS),
    readiness: createReadiness(db, rateLimiter.ping),
    sessions: createSessions(config),
    bodyLimits: createBodyLimits(),
    boards: createBoards({ db, load, now: Date.now }),
    purgeBoard: (eventId) =>
      purgeBoard(eventId).catch((error: unknown) => log.error('A board was not purged', error)),
    now: () => new Date(),
    log,
  };
}
