import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { setImmediate as giveWay, setTimeout as sleep } from 'node:timers/promises';
import { LOOPBACK, listen } from './listen.ts';

/** Neon's limit on a request and on a response ("Neon serverless driver", neon.tech/docs). */
export const MAX_BYTES = 64 * 1024 * 1024;

/**
 * A fault, for a number of `times` or until cleared.
 * - delay: waits `ms`, then executes
 * - refuse: hangs up at once
 * - tear-before: reads the request, then hangs up
 * - tear-after: executes the request, then hangs up
 * - garbage: answers 200 and HTML, executes nothing
 * - sqlstate: answers the SQLSTATE, executes nothing
 */
export type Fault = { times?: number } & (
  | { kind: 'delay'; ms: number }
  | { kind: 'sqlstate'; sqlstate: string }
  | { kind: 'refuse' | 'tear-before' | 'tear-after' | 'garbage' }
);

export type GatewayRequest = {
  headers: IncomingHttpHeaders;
  body: string;
  /** Aborted if the client hangs up before the answer. */
  gone: AbortSignal;
};
/** A large body is in pieces. Further requests go on between the pieces, as in the original service. */
export type Reply = { status: number; body: string | readonly Buffer[] };

export type Gateway = {
  /** The address of the HTTP server. */
  origin: string;
  /** The faults of requests, by their tag. */
  faults: Map<string, Fault>;
  stop(): Promise<void>;
};

type GatewayOptions = {
  port: number;
  /** Delays each answer, as if the service were far away. */
  delayMs?: number | undefined;
  /** @returns the tag whose fault the request meets */
  tagOf(headers: IncomingHttpHeaders): string | undefined;
  /** @returns undefined if the gateway has to hang up without an answer */
  answer(request: GatewayRequest): Promise<Reply | undefined>;
};

export const json = (status: number, value: unknown): Reply => ({
  status,
  body: JSON.stringify(value),
});

/** An error in Neon's form. The code is a SQLSTATE, or empty if the error is not from Postgres. */
export const refusal = (status: number, message: string, code = ''): Reply =>
  json(status, { message, code, severity: 'ERROR' });

/**
 * Starts the HTTP server of a gateway: on loopback only, with a size limit and a delay. A test sets a fault with `POST
 * /faults?for=<tag>` and clears the fault with an empty body.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { delayMs = 0, tagOf, answer } = options;
  const faults = new Map<string, Fault>();
  const server = createServer((request, response) => {
    const gone = new AbortController();
    // An abort makes an error object, so no abort follows an answer.
    response.once('close', () => response.writableFinished || gone.abort());
    replyTo(request, gone.signal).then(
      (reply) => (reply ? send(response, reply) : void response.destroy()),
      () => void response.destroy(),
    );
  });
  // Otherwise a client that reuses a connection at its timeout sees a reset.
  server.keepAliveTimeout = 0;

  async function replyTo(request: IncomingMessage, gone: AbortSignal): Promise<Reply | undefined> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://gateway');
    if (pathname === '/faults') {
      const tag = searchParams.get('for') ?? '';
      const fault = await readBody(request);
      if (fault) faults.set(tag, JSON.parse(fault));
      else faults.delete(tag);
      return json(200, {});
    }
    const fault = takeFault(faults, tagOf(request.headers) ?? '');
    if (fault?.kind === 'refuse') return undefined;
    const body = await readBody(request);
    if (fault?.kind === 'tear-before') return undefined;

    const waitMs = delayMs + (fault?.kind === 'delay' ? fault.ms : 0);
    if (waitMs > 0) await sleep(waitMs);
    // The caller gave up during the delay, as if the request had never arrived.
    if (gone.aborted) return undefined;

    if (body === undefined) {
      return refusal(413, `request is too large (max is ${MAX_BYTES} bytes)`);
    }
    if (fault?.kind === 'garbage') return { status: 200, body: '<html>502' };
    if (fault?.kind === 'sqlstate') return refusal(400, 'a fault of a test', fault.sqlstate);
    const reply = await answer({ headers: request.headers, body, gone });
    return fault?.kind === 'tear-after' ? undefined : reply;
  }

  const port = await listen(server, options.port);
  return {
    origin: `http://${LOOPBACK}:${port}`,
    faults,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function send(response: ServerResponse, { status, body }: Reply): Promise<void> {
  const pieces = typeof body === 'string' ? [Buffer.from(body)] : body;
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': length });
  for (const [at, piece] of pieces.entries()) {
    if (at > 0) await giveWay();
    // Writing to a client that has left is an uncaught error.
    if (response.destroyed) return;
    response.write(piece);
  }
  response.end();
}

/** Returns the fault of a request with this tag, and counts it. */
function takeFault(faults: Map<string, Fault>, tag: string): Fault | undefined {
  const fault = faults.get(tag);
  if (fault?.times === undefined) return fault;
  if (fault.times > 1) faults.set(tag, { ...fault, times: fault.times - 1 });
  else faults.delete(tag);
  return fault;
}

/** @returns undefined if the text is not JSON; no JSON text means undefined */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Reads a body to its end, even a body that is too large: a client still sending would not see the answer.
 * @returns undefined if the body is too large
 */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size <= MAX_BYTES ? Buffer.concat(chunks).toString('utf8') : undefined;
}
