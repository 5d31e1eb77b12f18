import type { Fault } from '../dev/stack/gateway-faults.ts';
import type { Config } from '../worker/config.ts';

type Service = 'postgres' | 'redis';
type Untagged<F> = F extends Fault ? Omit<F, 'for'> : never;

/**
 * Returns a config whose requests to that service meet the fault. Requests with any other config do not.
 * Call it again with the result to break the other service too.
 */
export async function injectFault(
  config: Config,
  service: Service,
  fault: Untagged<Fault>,
): Promise<Config> {
  const tag = crypto.randomUUID();
  const { gateway, tagged } =
    service === 'postgres' ? tagPostgres(config, tag) : tagRedis(config, tag);
  const response = await fetch(`http://${gateway.host}/faults`, {
    method: 'POST',
    body: JSON.stringify({ ...fault, for: tag }),
  });
  if (!response.ok) throw new Error(`No fault was set: ${await response.text()}`);
  return tagged;
}

/** Returns a config with addresses at which no server listens. */
export const withoutServices = (config: Config, ...services: Service[]): Config => ({
  ...config,
  ...(services.includes('postgres') && {
    DATABASE_URL: 'postgres://local:local@127.0.0.1:1/local',
  }),
  ...(services.includes('redis') && { UPSTASH_REDIS_REST_URL: 'http://127.0.0.1:1' }),
});

function tagPostgres(config: Config, tag: string) {
  const gateway = new URL(config.DATABASE_URL);
  gateway.searchParams.set('application_name', tag);
  return { gateway, tagged: { ...config, DATABASE_URL: gateway.href } };
}

function tagRedis(config: Config, tag: string) {
  const token = `${config.UPSTASH_REDIS_REST_TOKEN}.${tag}`;
  return {
    gateway: new URL(config.UPSTASH_REDIS_REST_URL),
    tagged: { ...config, UPSTASH_REDIS_REST_TOKEN: token },
  };
}
