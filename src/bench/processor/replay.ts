import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { LOOPBACK, listen } from '../../dev/stack/listen.ts';
import type { Stack } from '../../dev/stack/stack.ts';

/** The Worker's request to a database. */
export type Subrequest = { url: string; headers: Record<string, string>; body: string };

/** A server that replaces both gateways. The server repeats the recorded answers of the gateways. */
export type Replay = {
  /** Bindings for a Worker with this server. */
  workerEnv: Stack['workerEnv'];
  /** Forwards the requests of `run` to the gateways and records the answers. */
  record<T>(run: () => Promise<T>): Promise<{ answer: T; subrequests: Subrequest[] }>;
  stop(): Promise<void>;
};

type GatewayAnswer = { status: number; body: string };

/** Headers of a single connection. */
const OF_CONNECTION = /^(host|connection|content-length|transfer-encoding|accept-encoding)$/;

export async function startReplay({ workerEnv, neon, upstash }: Stack): Promise<Replay> {
  const answers = new Map<string, GatewayAnswer>();
  let recorded: Subrequest[] | undefined;

  const server = createServer((request, response) => {
    answer(request).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    }, response.destroy);
  });
  // As at the gateways, the Worker's connections stay open.
  server.keepAliveTimeout = 0;

  async function answer(request: IncomingMessage): Promise<GatewayAnswer> {
    const path = request.url ?? '/';
    const body = await text(request);
    const known = `${path}\n${body}`;
    if (recorded) {
      const headers = headersOf(request);
      recorded.push({ url: `http://${LOOPBACK}:${port}${path}`, headers, body });
      const url = `${(path === '/sql' ? neon : upstash).origin}${path}`;
      const response = await fetch(url, { method: 'POST', headers, body });
      answers.set(known, { status: response.status, body: await response.text() });
    }
    const unknown = { status: 500, body: JSON.stringify({ message: `Not recorded: ${known}` }) };
    return answers.get(known) ?? unknown;
  }

  const port = await listen(server);
  const databaseUrl = new URL(workerEnv.DATABASE_URL);
  databaseUrl.port = String(port);
  return {
    workerEnv: {
      ...workerEnv,
      DATABASE_URL: databaseUrl.href,
      UPSTASH_REDIS_REST_URL: `http://${LOOPBACK}:${port}`,
    },
    async record(run) {
      const subrequests: Subrequest[] = [];
      recorded = subrequests;
      try {
        return { answer: await run(), subrequests };
      } finally {
        recorded = undefined;
      }
    },
    async stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      OF_CONNECTION.test(name) ? [] : [[name, String(value)]],
    ),
  );
