import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { createFaults, type Fault, type Faults, faultSchema } from './gateway-faults.ts';
import { listen } from './listen.ts';

export type GatewayRequest = {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Aborted if the client hangs up before the answer. */
  gone: AbortSignal;
};
export type Reply = { status: number; body: string };

export type Gateway = {
  port: number;
  faults: Faults;
  stop(): Promise<void>;
};

type GatewayOptions = {
  /** Names the gateway in messages. */
  name: string;
  port: number;
  /** Delays each answer, as if the service were far away. */
  delayMs?: number | undefined;
  maxRequestBytes: number;
  requestTooLarge: Reply;
  /** @returns the tag whose fault the request meets */
  tagOf(headers: IncomingHttpHeaders): string | undefined;
  /** Answers a `sqlstate` fault. A gateway without it refuses such a fault. */
  sqlstateReply?: (sqlstate: string) => Reply;
  answer(request: GatewayRequest): Promise<Reply>;
};

const MAX_FAULT_BYTES = 10_000;

export const json = (status: number, value: unknown): Reply => ({
  status,
  body: JSON.stringify(value),
});

/**
 * Starts the HTTP server of a gateway: on loopback only, with a size limit and a delay. A test sets faults with
 * `POST /faults` and ends them with `DELETE /faults?for=<tag>`.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const faults = createFaults();
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  // Otherwise a client that reuses a connection just as it times out sees a reset.
  server.keepAliveTimeout = 0;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://gateway');
    if (url.pathname === '/faults') {
      return send(
        response,
        setFault(request.method, url, await readBody(request, MAX_FAULT_BYTES)),
      );
    }
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const tag = options.tagOf(request.headers);
    const reply = await replyTo(
      request,
      gone.signal,
      url.pathname,
      tag === undefined ? undefined : faults.take(tag),
    );
    if (!reply) return void request.socket.destroy();
    send(response, reply);
  }

  /** @returns undefined if the gateway must hang up without an answer */
  async function replyTo(
    request: IncomingMessage,
    gone: AbortSignal,
    path: string,
    fault: Fault | undefined,
  ): Promise<Reply | undefined> {
    const kind = fault?.kind;
    if (kind === 'refuse') return undefined;
    const body = await readBody(request, options.maxRequestBytes);
    if (kind === 'tear-before') return undefined;

    const delayMs = delayOf(fault);
    if (delayMs > 0) await sleep(delayMs);
    // The caller gave up during the delay, as if its request had never arrived.
    if (gone.aborted) return undefined;

    if (body === undefined) return options.requestTooLarge;
    if (kind === 'garbage') return { status: 200, body: '<html>502' };
    if (fault?.kind === 'sqlstate' && options.sqlstateReply) {
      return options.sqlstateReply(fault.sqlstate);
    }
    if (request.method !== 'POST') return json(405, { message: 'POST only' });
    const reply = await options.answer({ path, headers: request.headers, body, gone });
    return kind === 'tear-after' ? undefined : reply;
  }

  const delayOf = (fault: Fault | undefined): number =>
    (options.delayMs ?? 0) + (fault?.kind === 'delay' ? fault.ms : 0);

  function setFault(method: string | undefined, url: URL, body: string | undefined): Reply {
    if (method === 'DELETE') {
      faults.clear(url.searchParams.get('for') ?? '');
      return json(200, {});
    }
    const fault = faultSchema.safeParse(parseJson(body ?? ''));
    if (!fault.success) return json(400, { message: z.prettifyError(fault.error) });
    if (fault.data.kind === 'sqlstate' && !options.sqlstateReply) {
      return json(400, { message: `${options.name} does not answer SQLSTATEs` });
    }
    faults.set(fault.data);
    return json(200, {});
  }

  const port = await listen(server, options.port);
  return {
    port,
    faults,
    async stop() {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      server.closeAllConnections();
      await promise;
    },
  };
}

/** @returns undefined if the text is not JSON; no JSON text means undefined */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

/**
 * Reads a body to its end, also one that is too large: a client that is still sending would not see the answer.
 * @returns undefined if the body is too large
 */
async function readBody(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size <= maxBytes ? Buffer.concat(chunks).toString('utf8') : undefined;
}
