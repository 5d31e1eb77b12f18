import type { Fault } from '../dev/stack/gateway-faults.ts';
import type { Config } from '../worker/config.ts';

export type Service = 'postgres' | 'redis';
/** A fault without the tag of the requests that meet it. */
export type Untagged = Fault extends infer F ? (F extends Fault ? Omit<F, 'for'> : never) : never;

type Addresses = Pick<
  Config,
  'DATABASE_URL' | 'UPSTASH_REDIS_REST_URL' | 'UPSTASH_REDIS_REST_TOKEN'
>;

/**
 * Returns a config whose requests to that service meet the fault. Requests with any other config do not.
 * Call it again with the result to break the other service too.
 */
export async function injectFault(
  config: Config,
  service: Service,
  fault: Untagged,
): Promise<Config> {
  const tag = crypto.randomUUID();
  await setFault(config, service, { ...fault, for: tag });
  return service === 'postgres' ? tagPostgres(config, tag) : tagRedis(config, tag);
}

/** Sets a fault of the requests with its tag. */
export async function setFault(env: Addresses, service: Service, fault: Fault): Promise<void> {
  const body = JSON.stringify(fault);
  const response = await fetch(faultsOf(env, service), { method: 'POST', body });
  if (!response.ok) throw new Error(`The fault was refused: ${await response.text()}`);
}

export async function clearFault(env: Addresses, service: Service, tag: string): Promise<void> {
  await fetch(`${faultsOf(env, service)}?for=${tag}`, { method: 'DELETE' });
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

function faultsOf(env: Addresses, service: Service): string {
  const { host } = new URL(service === 'postgres' ? env.DATABASE_URL : env.UPSTASH_REDIS_REST_URL);
  return `http://${host}/faults`;
}

function tagPostgres<Env extends Addresses>(env: Env, tag: string): Env {
  const address = new URL(env.DATABASE_URL);
  address.searchParams.set('application_name', tag);
  return { ...env, DATABASE_URL: address.href };
}

const tagRedis = <Env extends Addresses>(env: Env, tag: string): Env => ({
  ...env,
  UPSTASH_REDIS_REST_TOKEN: `${env.UPSTASH_REDIS_REST_TOKEN}.${tag}`,
});
