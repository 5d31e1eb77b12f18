import { findLiveKeys } from './auth/api-key/queries.ts';
import { createSessions, type Sessions } from './auth/panel/session.ts';
import { createSigner, type Signer } from './auth/signing.ts';
import { type Boards, createBoards } from './board/boards.ts';
import type { CachedFetch } from './board/documents.ts';
import { createPurges, type PurgeCache } from './board/purges.ts';
import { findCodes, findOwners } from './board/queries.ts';
import type { Config } from './config.ts';
import { connect, type Database, transact } from './db/client.ts';
import { createGate, type Gate } from './gate/gate.ts';
import { createReadiness, type Readiness } from './health/readiness.ts';
import { consoleLog, type Log, sampled } from './log.ts';
import { createRateLimits, type RateLimiter } from './rate-limit/rate-limiter.ts';
import { createRefusals, type Refusals } from './rate-limit/refusals.ts';
import type { Uses } from './rate-limit/uses.ts';

/** The services that the routes depend on. Each isolate builds the services once; tests replace single services. */
export type Services = {
  db: Database;
  /** Counts the requests of API keys. */
  rateLimiter: RateLimiter;
  /** Counts the requests of panel sessions. */
  panelLimits: Record<'sessions' | 'organizations', RateLimiter>;
  refusals: Refusals;
  /** Counts the uses of each key. */
  uses: Pick<Uses, 'begin' | 'read'>;
  readiness: Readiness;
  /** Verifies the sessions of panel users. */
  sessions: Sessions;
  /** Signs official results. */
  signer: Signer;
  /** Gives turns to heavy work, and memory to bodies. */
  gate: Gate;
  /** The boards with spectators. */
  boards: Boards;
  /** Deletes the caches' copies of an event's board. @param hidesName lets the purge overtake waiting purges */
  purgeBoard: (eventId: string, hidesName?: boolean) => Promise<unknown>;
  /** Cursors of copies are valid in a single generation of the database. Undefined if the variable is broken. */
  generation: string | undefined;
  /** Older uploads are deleted; undefined keeps all uploads. `broken` if the variable is broken. */
  keepHistoryDays: number | 'broken' | undefined;
  now: () => Date;
  log: Log;
};

/** The cache before the entrypoint Board. */
type BoardCache = { fetch?: CachedFetch; purge: PurgeCache };

/** @param cache without a cache, boards read the database */
export function buildServices(
  config: Config,
  log: Log = consoleLog,
  cache: BoardCache = { purge: async () => true },
): Services {
  const db = connect(config.DATABASE_URL);
  const gate = createGate();
  const { keys, sessions, organizations, uses, ping } = createRateLimits(config, log);
  return {
    db,
    rateLimiter: keys,
    panelLimits: { sessions, organizations },
    uses,
    refusals: createRefusals(config.REFUSALS, {
      async liveKeys(keyHashes) {
        const [rows] = await transact(db, [findLiveKeys({ keyHashes })]);
        return new Set(rows.map(({ key_hash }) => key_hash));
      },
      async openBoards(eventIds) {
        const [rows] = await transact(db, [findOwners({ keys: `{${eventIds.join()}}` })]);
        return new Set(rows.map(({ key }) => key));
      },
      async openCodes(codes) {
        const [rows] = await transact(db, [findCodes({ keys: `{${codes.join()}}` })]);
        return new Set(rows.map(({ key }) => key));
      },
    }),
    readiness: createReadiness(db, ping, config.broken),
    sessions: createSessions(config),
    signer: createSigner(config),
    gate,
    boards: createBoards({ db, log, gate, now: Date.now, fetch: cache.fetch }),
    purgeBoard: createPurges({ purge: cache.purge, log }),
    generation: config.broken.has('COPIES_GENERATION')
      ? undefined
      : (config.COPIES_GENERATION ?? ''),
    keepHistoryDays: config.broken.has('KEEP_HISTORY_DAYS') ? 'broken' : config.KEEP_HISTORY_DAYS,
    now: () => new Date(),
    log: sampled(log, config.LOG_READS_ONE_IN ?? 1),
  };
}
