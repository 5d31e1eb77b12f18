import { createHash, randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import RedisMock from 'ioredis-mock';
import { reasonOf, targetOf } from './listen.ts';

/** What Redis said: a value, or an error that begins with its code (`ERR`, `NOSCRIPT`, …). */
export type RedisReply = { result: unknown } | { error: string };

export type LocalRedis = {
  embedded: boolean;
  /** Rejects only when Redis cannot be reached. */
  call(command: string, args: string[]): Promise<RedisReply>;
  /** MULTI … EXEC: a reply a command, or one error when the whole was discarded. */
  multi(commands: string[][]): Promise<RedisReply[] | { error: string }>;
  stop(): Promise<void>;
};

/**
 * The Redis server named by `url` (redis://), or ioredis-mock in this process.
 * Throws one clear line when `url` does not answer.
 */
export async function startRedis(options: { url?: string | undefined } = {}): Promise<LocalRedis> {
  return options.url === undefined ? embeddedRedis() : realRedis(options.url);
}

async function realRedis(url: string): Promise<LocalRedis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 2000,
    commandTimeout: 2000,
    // A dead server is an error now, not a command that waits, or that runs again on reconnection.
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
    embedded: false,
    // Upper case: ioredis reshapes the replies of commands it knows by their lower-case names.
    call: (command, args) => replyOf(redis.call(command.toUpperCase(), ...args)),
    async multi(commands) {
      const transaction = redis.multi();
      for (const [command = '', ...args] of commands) {
        transaction.call(command.toUpperCase(), ...args);
      }
      const outcome = await replyOf(transaction.exec());
      if ('error' in outcome) return outcome;
      const replies = Array.isArray(outcome.result) ? outcome.result : [];
      return replies.map(([error, result]: [unknown, unknown]) =>
        error ? { error: reasonOf(error) } : { result },
      );
    },
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
  // Mocks of one host share their data; each stack has its own.
  const redis = new RedisMock({ host: randomUUID() });
  const methodOf = (command: string): unknown => {
    const name = command.toLowerCase();
    return Object.hasOwn(redis, name) ? Reflect.get(redis, name) : undefined;
  };
  const scripts = new Map<string, string>();
  const call = async (command: string, args: string[]): Promise<RedisReply> => {
    if (/^time$/i.test(command)) return { result: time() };
    const [script = '', ...rest] = args;
    if (/^eval$/i.test(command)) {
      scripts.set(createHash('sha1').update(script).digest('hex'), script);
      return run('eval', [WITH_TIME + script, ...rest, ...time()]);
    }
    if (/^evalsha$/i.test(command)) {
      const known = scripts.get(script.toLowerCase());
      if (known === undefined) return { error: 'NOSCRIPT No matching script. Please use EVAL.' };
      return run('eval', [WITH_TIME + known, ...rest, ...time()]);
    }
    return run(command, args);
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
    embedded: true,
    call,
    async multi(commands) {
      if (commands.some(([command = '']) => typeof methodOf(command) !== 'function')) {
        return { error: 'EXECABORT Transaction discarded because of previous errors.' };
      }
      // The mock runs a command the moment it is called: nothing comes in between these.
      return Promise.all(commands.map(([command = '', ...args]) => call(command, args)));
    },
    stop: async () => redis.disconnect(),
  };
}

/** The mock's own TIME puts a rounded second together with the microseconds of another clock. */
const time = (): string[] => {
  const now = Date.now();
  return [`${Math.floor(now / 1_000)}`, `${(now % 1_000) * 1_000}`];
};

/** Gives a script, whose last two arguments are the time, a TIME that tells it. On the script's first line. */
const WITH_TIME = `local us, s, call = table.remove(ARGV), table.remove(ARGV), redis.call; \
redis.call = function(name, ...) if name:upper() == 'TIME' then return {s, us} end; return call(name, ...) end; `;

/** The mock's values as the Redis protocol has them: flat arrays, whole numbers, 1 and nil. */
function asReply(value: unknown): unknown {
  if (value === undefined || value === false) return null;
  if (value === true) return 1;
  if (typeof value === 'number') return Math.trunc(value);
  if (Array.isArray(value)) return value.map(asReply);
  if (typeof value === 'object' && value !== null) return Object.entries(value).flat().map(asReply);
  return value;
}
