import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import RedisMock from 'ioredis-mock';
import { reasonOf, targetOf } from './listen.ts';

/** An answer of Redis: a value, or an error that begins with its code (`ERR`, `WRONGTYPE`, …). */
type RedisReply = { result: unknown } | { error: string };

export type LocalRedis = {
  /** Rejects only if Redis does not answer. */
  call(command: string, args: string[]): Promise<RedisReply>;
  stop(): Promise<void>;
};

/**
 * Connects to the Redis server at `url` (redis://), or starts ioredis-mock in this process.
 * @throws Error of one line if the server does not answer
 */
export async function startRedis(options: { url?: string | undefined } = {}): Promise<LocalRedis> {
  return options.url === undefined ? embeddedRedis() : realRedis(options.url);
}

async function realRedis(url: string): Promise<LocalRedis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 2000,
    commandTimeout: 2000,
    // A command fails at once if the server is down. It neither waits nor runs again after a reconnection.
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
    // Upper case, because ioredis changes the replies of commands whose lower-case names it knows.
    call: (command, args) => replyOf(redis.call(command.toUpperCase(), ...args)),
    stop: async () => redis.disconnect(),
  };
}

async function replyOf(answer: Promise<unknown>): Promise<RedisReply> {
  try {
    return { result: await answer };
  } catch (error) {
    if (error instanceof Error && error.name === 'ReplyError') return { error: error.message };
    throw error;
  }
}

function embeddedRedis(): LocalRedis {
  // Mocks of one host share their data, and each stack needs its own.
  const redis = new RedisMock({ host: randomUUID() });
  const methodOf = (command: string): unknown => {
    const name = command.toLowerCase();
    return Object.hasOwn(redis, name) ? Reflect.get(redis, name) : undefined;
  };
  const call = async (command: string, args: string[]): Promise<RedisReply> => {
    if (/^time$/i.test(command)) return { result: time() };
    if (!/^eval$/i.test(command)) return run(command, args);
    const [script = '', ...rest] = args;
    return run('eval', [WITH_TIME + script, ...rest, ...time()]);
  };
  const run = async (command: string, args: string[]): Promise<RedisReply> => {
    const method = methodOf(command);
    if (typeof method !== 'function') return { error: `ERR unknown command '${command}'` };
    try {
      return { result: asReply(await Reflect.apply(method, redis, args)) };
    } catch (error) {
      const message = reasonOf(error);
      return { error: /^[A-Z]+ /.test(message) ? message : `ERR ${message}` };
    }
  };
  return {
    call,
    stop: async () => redis.disconnect(),
  };
}

/** Replaces the mock's TIME, which joins a rounded second with the microseconds of another clock. */
const time = (): string[] => {
  const now = Date.now();
  return [`${Math.floor(now / 1_000)}`, `${(now % 1_000) * 1_000}`];
};

/** Makes TIME answer the last two arguments of a script. One line, so that the script's lines keep their numbers. */
const WITH_TIME = `local us, s, call = table.remove(ARGV), table.remove(ARGV), redis.call; \
redis.call = function(name, ...) if name:upper() == 'TIME' then return {s, us} end; return call(name, ...) end; `;

/** Converts the mock's values to those of the Redis protocol: flat arrays, whole numbers, 1 and nil. */
function asReply(value: unknown): unknown {
  if (value === undefined || value === false) return null;
  if (value === true) return 1;
  if (typeof value === 'number') return Math.trunc(value);
  if (Array.isArray(value)) return value.map(asReply);
  if (typeof value === 'object' && value !== null) return Object.entries(value).flat().map(asReply);
  return value;
}
