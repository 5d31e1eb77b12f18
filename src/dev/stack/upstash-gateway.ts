import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { type Gateway, json, parseJson, startGateway } from './gateway.ts';
import { reasonOf } from './listen.ts';
import type { LocalRedis } from './redis.ts';

type UpstashGatewayOptions = {
  redis: LocalRedis;
  port: number;
  /** Requests carry `<token>`, or `<token>.<tag>` to meet the tag's faults. */
  token: string;
  delayMs?: number | undefined;
};

const argument = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const commandSchema = z.tuple([argument], argument);

/** The first line of Upstash's scripts. Only Upstash knows the flag. */
const FLAGS = /^#!lua[^\n]*/;

/**
 * Serves Upstash's REST protocol for any Redis: a command for each request, as the Worker sends commands.
 *
 * Sources of the behaviour; the pages are of upstash.com/docs/redis:
 * - requests, their headers, and how a client decodes answers: HttpClient of @upstash/redis
 * - a command as a JSON array, `result` or `error`, 400 and 401, base64 of every string except a plain OK:
 *   "REST API" (features/restapi)
 * - WRONGPASS: "WRONGPASS invalid or missing auth token" (troubleshooting)
 * - scripts with the first line `#!lua flags=allow-key-locking`: the scripts of @upstash/ratelimit
 * - only this gateway: 400 while Redis is down, tokens with a tag, faults
 */
export const startUpstashGateway = (options: UpstashGatewayOptions): Promise<Gateway> => {
  const { redis, token, port, delayMs } = options;
  return startGateway({
    port,
    delayMs,
    tagOf: (headers) => bearerOf(headers)?.slice(`${token}.`.length),
    async answer({ headers, body }) {
      const bearer = bearerOf(headers);
      if (bearer !== token && !bearer?.startsWith(`${token}.`)) {
        return json(401, { error: 'WRONGPASS invalid or missing auth token' });
      }
      const command = commandSchema.safeParse(parseJson(body));
      if (!command.success) return json(400, { error: 'ERR failed to parse command' });
      const [name, ...args] = command.data;
      try {
        // The end of the removed line remains, so errors keep their line numbers.
        const result = await redis.call(
          name,
          args.map((arg) => arg.replace(FLAGS, '')),
        );
        const isPlain = headers['upstash-encoding'] !== 'base64' || result === 'OK';
        return json(200, { result: isPlain ? result : encoded(result) });
      } catch (error) {
        return json(400, { error: reasonOf(error) });
      }
    },
  });
};

/** Strings in base64. Numbers and nil are unchanged. */
function encoded(value: unknown): unknown {
  if (typeof value === 'string') return Buffer.from(value).toString('base64');
  return Array.isArray(value) ? value.map(encoded) : value;
}

const bearerOf = (headers: IncomingHttpHeaders): string | undefined =>
  /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
