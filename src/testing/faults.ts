import type { Config } from '../config.ts';
import type { Fault } from '../local/faults.ts';

type Service = 'postgres' | 'redis';
type Untagged<F> = F extends Fault ? Omit<F, 'for'> : never;

/**
 * A config whose requests to that service, and nobody else's, meet the fault; it can be taken again
 * to add one to the other service.
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

/** A config in which nobody listens where these services should be. */
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
