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
  /** Aborted when the client hangs up before it is answered. */
  gone: AbortSignal;
};
export type Reply = { status: number; body: string };

export type Gateway = {
  port: number;
  faults: Faults;
  stop(): Promise<void>;
};

type GatewayOptions = {
  /** Who this is, in messages. */
  name: string;
  port: number;
  /** Added to every request answered, as a far-away service would. */
  delayMs?: number | undefined;
  maxRequestBytes: number;
  requestTooLarge: Reply;
  /** Which faults a request meets. */
  tagOf(headers: IncomingHttpHeaders): string | undefined;
  /** How a `sqlstate` fault is answered; without it such a fault is refused. */
  sqlstateReply?: (sqlstate: string) => Reply;
  answer(request: GatewayRequest): Promise<Reply>;
};

const MAX_FAULT_BYTES = 10_000;

export const json = (status: number, value: unknown): Reply => ({
  status,
  body: JSON.stringify(value),
});

/**
 * The HTTP server both gateways share: loopback only, size limit, constant delay, and faults that a
 * test sets at run time with `POST /faults` and `DELETE /faults?for=<tag>`. Logs nothing.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const faults = createFaults();
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  // A client that reuses a connection just as it times out sees a reset that no test asked for.
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

  /** @returns undefined to hang up without an answer */
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
    // The caller gave up while waiting: what it sent never arrived.
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
      return json(400, { message: `${options.name} has no SQLSTATEs` });
    }
    faults.set(fault.data);
    return json(200, {});
  }

  const port = await listen(server, options.port, options.name);
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

/** undefined when the text is no JSON; JSON itself has no undefined. */
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

/** The body, or undefined when too large: then read to its end all the same, so that the client,
    still sending, gets to see the answer. */
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
