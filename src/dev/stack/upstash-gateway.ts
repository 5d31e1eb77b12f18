import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { type Gateway, json, parseJson, startGateway } from './gateway.ts';
import { LOOPBACK, reasonOf } from './listen.ts';
import type { LocalRedis } from './redis.ts';

export type UpstashGateway = Gateway & { url: string };

type UpstashGatewayOptions = {
  redis: LocalRedis;
  port: number;
  /** Requests carry `<token>`, or `<token>.<tag>` to meet the faults of that tag. */
  token: string;
  delayMs?: number | undefined;
};

const MAX_REQUEST_BYTES = 10 * 1024 * 1024;

const argument = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const commandSchema = z.tuple([argument], argument);
type Command = z.infer<typeof commandSchema>;

/**
 * Serves Upstash's REST protocol for any Redis: one command a request, as the Worker sends it.
 *
 * Sources of the behaviour; the pages are of upstash.com/docs/redis:
 * - requests, their headers, and how a client decodes answers: HttpClient of @upstash/redis
 * - a command as a JSON array, `result` or `error`, 400 and 401, base64 of every string except a plain OK:
 *   "REST API" (features/restapi)
 * - WRONGPASS: "WRONGPASS invalid or missing auth token" (troubleshooting)
 * - the largest request and its error: "ERR max request size exceeded" (troubleshooting)
 * - scripts that begin with `#!lua flags=allow-key-locking`: the scripts of @upstash/ratelimit
 * - only this gateway: 404, 405, 500 while Redis is down, tokens with a tag, faults
 */
export async function startUpstashGateway(options: UpstashGatewayOptions): Promise<UpstashGateway> {
  const { redis, token } = options;
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
      if (path !== '/') return json(404, { error: 'ERR the local gateway serves / alone' });
      const command = commandSchema.safeParse(parseJson(body));
      if (!command.success) return json(400, { error: 'ERR failed to parse command' });
      const [name, ...args] = withoutFlags(command.data);
      try {
        const reply = await redis.call(name, args);
        if ('error' in reply) return json(400, reply);
        const isBase64 = headers['upstash-encoding'] === 'base64';
        return json(200, isBase64 ? { result: encoded(reply.result) } : reply);
      } catch (error) {
        return json(500, { error: `ERR Redis does not answer: ${reasonOf(error)}` });
      }
    },
  });
  return { ...gateway, url: `http://${LOOPBACK}:${gateway.port}` };
}

/**
 * Removes the first line of Upstash's scripts, `#!lua flags=allow-key-locking`: only Upstash knows that flag.
 * The line's end remains, so that errors keep their line numbers.
 */
const withoutFlags = ([name, ...args]: Command): Command =>
  /^eval$/i.test(name)
    ? [name, ...args.map((arg) => arg.replace(/^#!lua[^\n]*/, ''))]
    : [name, ...args];

/** Strings in base64, except a plain OK. Numbers and nil are unchanged. */
const encoded = (result: unknown): unknown => (result === 'OK' ? result : encodedValue(result));

function encodedValue(value: unknown): unknown {
  if (typeof value === 'string') return Buffer.from(value).toString('base64');
  return Array.isArray(value) ? value.map(encodedValue) : value;
}

function bearerOf(headers: IncomingHttpHeaders): string | undefined {
  return /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
}
