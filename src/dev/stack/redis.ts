import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import RedisMock from 'ioredis-mock';
import { reasonOf, targetOf } from './listen.ts';

export type LocalRedis = {
  /** @throws Redis' error, or the reason for the missing answer */
  call(command: string, args: string[]): Promise<unknown>;
  stop(): Promise<void>;
};

/**
 * Connects to the Redis server at `url` (redis://), or starts ioredis-mock in this process.
 * @throws Error with a single line if the server does not answer
 */
export const startRedis = async (url?: string): Promise<LocalRedis> =>
  url === undefined ? embeddedRedis() : realRedis(url);

async function realRedis(url: string): Promise<LocalRedis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 2000,
    commandTimeout: 2000,
    // A command fails at once if the server is down. The command neither waits nor runs again after a reconnection.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 50, 1000),
  });
  let lastError: unknown;
  redis.on('error', (error: unknown) => {
    lastError = error;
  });
  try {
    await redis.connect();
  } catch (error) {
    redis.disconnect();
    throw new Error(`Redis does not answer at ${targetOf(url)}: ${reasonOf(lastError ?? error)}`);
  }
  return {
    // Upper case, because ioredis changes the replies of known lower-case commands.
    call: (command, args) => redis.call(command.toUpperCase(), ...args),
    stop: async () => redis.disconnect(),
  };
}

/** The embedded Redis answers scripts, and commands with a text or a number as the reply. */
function embeddedRedis(): LocalRedis {
  // Mocks with a common host share their data, and each stack needs its own.
  const redis = new RedisMock({ host: randomUUID() });
  return {
    async call(command, args) {
      const name = command.toLowerCase();
      const method: unknown = Reflect.get(redis, name);
      if (typeof method !== 'function') throw new Error(`ERR unknown command '${command}'`);
      const [script, ...rest] = args;
      return Reflect.apply(
        method,
        redis,
        name === 'eval' ? [WITH_TIME + script, ...rest, ...time()] : args,
      );
    },
    stop: async () => redis.disconnect(),
  };
}

/** Replaces the mock's TIME, which joins a rounded second with the microseconds of another clock. */
const time = (): string[] => {
  const now = Date.now();
  return [`${Math.floor(now / 1_000)}`, `${(now % 1_000) * 1_000}`];
};

/**
 * Makes TIME answer the last two arguments of a script. A single line, so that the script's lines keep their numbers.
 */
const WITH_TIME = `local us, s, call = table.remove(ARGV), table.remove(ARGV), redis.call; \
redis.call = function(name, ...) if name:upper() == 'TIME' then return {s, us} end; return call(name, ...) end; `;
