import { connect, createServer, type Socket } from 'node:net';
import { LOOPBACK, listen } from '../../dev/stack/listen.ts';

/**
 * How a connection ends: before the proxy forwards anything, after this many bytes of the request, or
 * after this many bytes of the answer.
 */
export type Cut = 'at-once' | { afterSentBytes: number } | { afterAnswerBytes: number };

export type TearingProxy = {
  origin: string;
  /** The number of connections so far. */
  connections(): number;
  /** The number of requests so far. */
  requests(): number;
  /** From now on each answer arrives after this time. */
  delay(milliseconds: number): void;
  /** Closes all open connections. */
  tear(): void;
  /** From now on every packet vanishes: connections are accepted, and nothing answers. */
  swallow(): void;
  /** From now on the proxy refuses every connection, open connections included. */
  refuse(): void;
  /** From now on a hotspot answers every request with its own page, and a time to come back. */
  capture(): void;
  /** New connections work again. Swallowed bytes never arrive. */
  mend(): void;
  stop(): Promise<void>;
};

/**
 * Simulates a bad network between a client and the API.
 * @param cuts a cut for each of the first connections; later connections are not cut
 */
export async function startTearingProxy(origin: string, cuts: Cut[]): Promise<TearingProxy> {
  const target = new URL(origin);
  const open = new Set<Socket>();
  let connections = 0;
  let requests = 0;
  let delayMs = 0;
  let isBlackHole = false;
  let isRefusing = false;
  let isCaptured = false;

  const server = createServer((client) => {
    open.add(client);
    const cut = cuts[connections];
    connections += 1;
    if (isBlackHole) return void client.on('error', () => client.destroy());
    if (isRefusing || cut === 'at-once') return void client.resetAndDestroy();
    if (isCaptured) {
      client.on('error', () => client.destroy());
      return void client.once('data', () => client.end(HOTSPOT));
    }
    client.on('data', (chunk) => {
      if (/^[A-Z]+ \//.test(chunk.subarray(0, 16).toString('latin1'))) requests += 1;
    });
    const api = connect(Number(target.port), target.hostname);
    const tear = () => {
      client.resetAndDestroy();
      api.destroy();
    };
    for (const socket of [client, api]) {
      open.add(socket);
      socket.on('error', tear).on('close', () => {
        open.delete(socket);
        client.destroy();
        api.destroy();
      });
    }
    pipe(client, api, cut && 'afterSentBytes' in cut ? cut.afterSentBytes : Infinity, tear);
    const answered = cut && 'afterAnswerBytes' in cut ? cut.afterAnswerBytes : Infinity;
    pipe(api, client, answered, tear, () => delayMs);
  });

  const tear = () => {
    for (const socket of open) socket.destroy();
  };
  const port = await listen(server);
  return {
    origin: `http://${LOOPBACK}:${port}`,
    connections: () => connections,
    requests: () => requests,
    delay(milliseconds) {
      delayMs = milliseconds;
    },
    tear,
    swallow() {
      isBlackHole = true;
      for (const socket of open) socket.pause();
    },
    refuse() {
      isRefusing = true;
      tear();
    },
    capture() {
      isRefusing = false;
      isCaptured = true;
      tear();
    },
    mend() {
      isBlackHole = false;
      isRefusing = false;
      isCaptured = false;
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      tear();
      await closed;
    },
  };
}

const HOTSPOT = [
  'HTTP/1.1 503 Service Unavailable',
  'Content-Type: text/html',
  'Retry-After: 3600',
  'Connection: close',
  '',
  '<h1>Log in</h1>',
].join('\r\n');

/** Forwards this many bytes and then tears the connection. */
function pipe(
  from: Socket,
  to: Socket,
  bytes: number,
  tear: () => void,
  delayMs: () => number = () => 0,
): void {
  let left = bytes;
  from.on('data', (chunk) => {
    const sent = chunk.subarray(0, left);
    left -= chunk.length;
    if (left >= 0) {
      // Timers of one length keep the order of the chunks.
      if (delayMs() > 0) setTimeout(() => to.write(sent), delayMs());
      else to.write(sent);
      return;
    }
    if (sent.length > 0) to.write(sent, tear);
    else tear();
  });
}
