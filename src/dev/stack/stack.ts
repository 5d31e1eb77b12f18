import { type NeonGateway, startNeonGateway } from './neon-gateway.ts';
import { type LocalPostgres, startPostgres } from './postgres.ts';
import { startRedis } from './redis.ts';
import { startUpstashGateway, type UpstashGateway } from './upstash-gateway.ts';

type StackPorts = { postgres: number; neon: number; upstash: number };

/** The usual ports. If one is taken, the stack listens on a free port instead. */
const DEV_PORTS: StackPorts = { postgres: 5488, neon: 5489, upstash: 5490 };

/** Free ports, for tests and benchmarks. */
export const FREE_PORTS: StackPorts = { postgres: 0, neon: 0, upstash: 0 };

/** Not a secret, because the gateway listens on loopback only. */
const UPSTASH_TOKEN = 'local';

export type StackOptions = {
  /** The folder of the embedded Postgres. Without it the data is in memory. */
  dataDir?: string | undefined;
  /** The address of a running server to use instead of the embedded Postgres. */
  databaseUrl?: string | undefined;
  /** The address of a running server to use instead of the embedded Redis. */
  redisUrl?: string | undefined;
  ports?: StackPorts | undefined;
  postgresDelayMs?: number | undefined;
  redisDelayMs?: number | undefined;
};

export type Stack = {
  /** The address of Postgres without the gateway, for psql, migrations and seeds. */
  postgresUrl: string;
  /** Bindings with which the Worker uses this stack. */
  workerEnv: {
    DATABASE_URL: string;
    UPSTASH_REDIS_REST_URL: string;
    UPSTASH_REDIS_REST_TOKEN: string;
  };
  postgres: LocalPostgres;
  neon: NeonGateway;
  upstash: UpstashGateway;
  stop(): Promise<void>;
};

/**
 * Starts Postgres, Redis and their two HTTP gateways.
 * @throws Error of one line if a part does not start. The other parts are stopped
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const ports = options.ports ?? DEV_PORTS;
  const started: { stop(): Promise<void> }[] = [];
  const keep = <Part extends { stop(): Promise<void> }>(part: Part): Part => {
    started.push(part);
    return part;
  };
  const stop = async () => {
    // In reverse order, so that a gateway stops before its server.
    for (const part of started.splice(0).reverse()) await part.stop().catch(() => {});
  };
  try {
    const redis = keep(await startRedis({ url: options.redisUrl }));
    const upstash = keep(
      await startUpstashGateway({
        redis,
        port: ports.upstash,
        token: UPSTASH_TOKEN,
        delayMs: options.redisDelayMs,
      }),
    );
    const postgres = keep(
      await startPostgres({
        url: options.databaseUrl,
        dataDir: options.dataDir,
        port: ports.postgres,
      }),
    );
    const neon = keep(
      await startNeonGateway({
        databaseUrl: postgres.url,
        port: ports.neon,
        delayMs: options.postgresDelayMs,
      }),
    );
    return {
      postgresUrl: postgres.url,
      workerEnv: {
        DATABASE_URL: neon.url,
        UPSTASH_REDIS_REST_URL: upstash.url,
        UPSTASH_REDIS_REST_TOKEN: UPSTASH_TOKEN,
      },
      postgres,
      neon,
      upstash,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
