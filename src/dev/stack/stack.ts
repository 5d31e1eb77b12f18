import { startNeonGateway } from './neon-gateway.ts';
import { startPostgres } from './postgres.ts';
import { startRedis } from './redis.ts';
import { startUpstashGateway } from './upstash-gateway.ts';

const FREE_PORTS = { postgres: 0, neon: 0, upstash: 0 };

/** Not a secret, because the gateway listens on loopback only. */
const UPSTASH_TOKEN = 'local';

export type StackOptions = {
  /** The folder of the embedded Postgres. Without a folder the data is in memory. */
  dataDir?: string | undefined;
  /** The address of a running server to use instead of the embedded Postgres. */
  databaseUrl?: string | undefined;
  /** The address of a running server to use instead of the embedded Redis. */
  redisUrl?: string | undefined;
  /** The usual ports. If a port is taken, or without this option, the stack listens on a free port. */
  ports?: typeof FREE_PORTS;
  postgresDelayMs?: number | undefined;
  redisDelayMs?: number | undefined;
  /** Runs the start of a server, so that the caller may print the step. */
  step?: <Value>(name: string, run: () => Promise<Value>) => Promise<Value>;
};

export type Stack = Awaited<ReturnType<typeof startStack>>;

/**
 * Starts Postgres, Redis and their two HTTP gateways.
 * @throws Error with a single line if a part does not start. The started parts are stopped
 */
export async function startStack(options: StackOptions = {}) {
  const { ports = FREE_PORTS, postgresDelayMs, redisDelayMs } = options;
  const { step = (_name, run) => run() } = options;
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
    const redis = keep(await step('Redis', () => startRedis(options.redisUrl)));
    const upstash = keep(
      await startUpstashGateway({
        redis,
        port: ports.upstash,
        token: UPSTASH_TOKEN,
        delayMs: redisDelayMs,
      }),
    );
    const { databaseUrl: url, dataDir } = options;
    const postgres = keep(
      await step('Postgres', () => startPostgres({ url, dataDir, port: ports.postgres })),
    );
    const databaseUrl = postgres.url;
    const neon = keep(
      await startNeonGateway({ databaseUrl, port: ports.neon, delayMs: postgresDelayMs }),
    );
    return {
      /** The address of Postgres without the gateway, for psql, migrations and seeds. */
      postgresUrl: databaseUrl,
      /** Bindings with which the Worker uses this stack. */
      workerEnv: {
        DATABASE_URL: neon.url,
        UPSTASH_REDIS_REST_URL: upstash.origin,
        UPSTASH_REDIS_REST_TOKEN: UPSTASH_TOKEN,
      },
      neon,
      upstash,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
