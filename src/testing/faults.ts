import type { Fault } from '../dev/stack/gateway.ts';
import type { Config } from '../worker/config.ts';

export type Service = 'postgres' | 'redis';

type Addresses = Pick<
  Config,
  'DATABASE_URL' | 'UPSTASH_REDIS_REST_URL' | 'UPSTASH_REDIS_REST_TOKEN'
>;

/**
 * Returns a config whose requests to the service meet the fault. Requests with other configs meet no fault. A second
 * call with the result breaks the second service too.
 */
export async function injectFault(config: Config, service: Service, fault: Fault): Promise<Config> {
  const tag = crypto.randomUUID();
  await setFault(config, service, tag, fault);
  return service === 'postgres' ? tagPostgres(config, tag) : tagRedis(config, tag);
}

/** Sets the fault of the requests with this tag. Without a fault, the call clears the fault before. */
export async function setFault(
  env: Addresses,
  service: Service,
  tag: string,
  fault?: Fault,
): Promise<void> {
  const { host } = new URL(service === 'postgres' ? env.DATABASE_URL : env.UPSTASH_REDIS_REST_URL);
  await fetch(`http://${host}/faults?for=${tag}`, { method: 'POST', body: JSON.stringify(fault) });
}

/** Returns addresses whose requests meet the faults with this tag. */
export const tagged = <Env extends Addresses>(env: Env, tag: string): Env =>
  tagRedis(tagPostgres(env, tag), tag);

/** Returns a config with addresses at which no server listens. */
export const withoutServices = (config: Config, ...services: Service[]): Config => ({
  ...config,
  ...(services.includes('postgres') && {
    DATABASE_URL: 'postgres://local:local@127.0.0.1:1/local',
  }),
  ...(services.includes('redis') && { UPSTASH_REDIS_REST_URL: 'http://127.0.0.1:1' }),
});

function tagPostgres<Env extends Addresses>(env: Env, tag: string): Env {
  const address = new URL(env.DATABASE_URL);
  address.searchParams.set('application_name', tag);
  return { ...env, DATABASE_URL: address.href };
}

const tagRedis = <Env extends Addresses>(env: Env, tag: string): Env => ({
  ...env,
  UPSTASH_REDIS_REST_TOKEN: `${env.UPSTASH_REDIS_REST_TOKEN}.${tag}`,
});
