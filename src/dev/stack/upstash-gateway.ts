import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { type Gateway, json, parseJson, type Reply, startGateway } from './gateway.ts';
import { LOOPBACK, reasonOf } from './listen.ts';
import type { LocalRedis, RedisReply } from './redis.ts';

export type UpstashGateway = Gateway & { url: string };

type UpstashGatewayOptions = {
  redis: LocalRedis;
  port: number;
  /** `<token>` is accepted, and `<token>.<tag>`, whose requests meet the faults of that tag. */
  token: string;
  delayMs?: number | undefined;
};

const MAX_REQUEST_BYTES = 10 * 1024 * 1024;

const argument = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const commandSchema = z.tuple([argument], argument);
type Command = z.infer<typeof commandSchema>;

/**
 * Upstash's REST protocol in front of any Redis: a command to `/`, several to `/pipeline` or
 * `/multi-exec`.
 *
 * Where each behaviour is from; pages are of upstash.com/docs/redis:
 * - the requests, their headers, how answers are decoded: @upstash/redis, chunk-4WQYU7T6.mjs,
 *   HttpClient and Pipeline
 * - a command as an array of JSON, `result` or `error`, a pipeline that answers command by command, a
 *   transaction that is discarded as a whole, 400 and 401, base64 of every string but a plain OK:
 *   "REST API" (features/restapi)
 * - WRONGPASS: "WRONGPASS invalid or missing auth token" (troubleshooting)
 * - the size of a request and its error: "ERR max request size exceeded" (troubleshooting)
 * - scripts that begin with `#!lua flags=allow-key-locking`: @upstash/ratelimit, dist/index.mjs
 * - ours alone: 404, 405, 500 for a Redis that is away, tokens with a tag, the faults
 */
export async function startUpstashGateway(options: UpstashGatewayOptions): Promise<UpstashGateway> {
  const { redis, token } = options;
  const adapt = createScriptAdapter();
  const gateway = await startGateway({
    name: 'Upstash gateway',
    port: options.port,
    delayMs: options.delayMs,
    maxRequestBytes: MAX_REQUEST_BYTES,
    requestTooLarge: json(400, { error: 'ERR max request size exceeded' }),
    tagOf: (headers) => bearerOf(headers)?.slice(`${token}.`.length) || undefined,
    async answer({ path, headers, body }) {
      const bearer = bearerOf(headers);
      if (bearer !== token && !bearer?.startsWith(`${token}.`)) {
        return json(401, { error: 'WRONGPASS invalid or missing auth token' });
      }
      const encode = headers['upstash-encoding'] === 'base64' ? encodeReply : asItIs;
      try {
        return await execute(path, parseJson(body), encode);
      } catch (error) {
        return json(500, { error: `ERR Redis does not answer: ${reasonOf(error)}` });
      }
    },
  });

  async function execute(path: string, body: unknown, encode: typeof encodeReply): Promise<Reply> {
    if (path === '/') {
      const command = commandSchema.safeParse(body);
      if (!command.success) return json(400, { error: 'ERR failed to parse command' });
      const [name, ...args] = adapt(command.data);
      const reply = encode(await redis.call(name, args));
      return json('error' in reply ? 400 : 200, reply);
    }
    const commands = z.array(commandSchema).nonempty().safeParse(body);
    if (!commands.success) return json(400, { error: 'ERR failed to parse pipeline request' });
    const adapted = commands.data.map(adapt);
    if (path === '/pipeline') {
      const replies: RedisReply[] = [];
      for (const [name, ...args] of adapted) replies.push(encode(await redis.call(name, args)));
      return json(200, replies);
    }
    if (path === '/multi-exec') {
      const replies = await redis.multi(adapted);
      return Array.isArray(replies) ? json(200, replies.map(encode)) : json(400, replies);
    }
    return json(404, { error: 'ERR the local gateway serves /, /pipeline and /multi-exec' });
  }

  return { ...gateway, url: `http://${LOOPBACK}:${gateway.port}` };
}

/**
 * Upstash's scripts begin with `#!lua flags=allow-key-locking`, a flag that only Upstash knows: the
 * line goes, and the digest the client computed over the whole finds the script without it.
 */
function createScriptAdapter(): (command: Command) => Command {
  const digests = new Map<string, string>();
  return ([name, script, ...rest]) => {
    if (script === undefined) return [name];
    if (/^eval(_ro)?$/i.test(name) && script.startsWith('#!lua')) {
      // The line's end stays: errors keep their line numbers.
      const stripped = script.replace(/^[^\n]*/, '');
      digests.set(sha1(script), sha1(stripped));
      return [name, stripped, ...rest];
    }
    if (/^evalsha(_ro)?$/i.test(name)) {
      return [name, digests.get(script.toLowerCase()) ?? script, ...rest];
    }
    return [name, script, ...rest];
  };
}

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex');

const asItIs = (reply: RedisReply): RedisReply => reply;

/** `Upstash-Encoding: base64`: every string but a plain OK; numbers, nil and errors stay. */
function encodeReply(reply: RedisReply): RedisReply {
  if ('error' in reply || reply.result === 'OK') return reply;
  return { result: encodeValue(reply.result) };
}

function encodeValue(value: unknown): unknown {
  if (typeof value === 'string') return Buffer.from(value).toString('base64');
  return Array.isArray(value) ? value.map(encodeValue) : value;
}

function bearerOf(headers: IncomingHttpHeaders): string | undefined {
  return /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
}
