import { connect, createServer, type Socket } from 'node:net';
import { LOOPBACK, listen } from '../local/listen.ts';

/**
 * What happens to a connection: it is closed before anything is sent on, once that many bytes have
 * been sent on, or when the answer to them arrives, of which nothing or this many bytes get through.
 */
export type Cut = 'at-once' | { afterSentBytes: number } | { afterAnswerBytes: number };

export type TearingProxy = {
  origin: string;
  /** How many there were. */
  connections(): number;
  /** Closes those that are open. */
  tear(): void;
  stop(): Promise<void>;
};

/**
 * Stands between a client and the API as a bad network does.
 * @param cuts what the first connections meet, one each; all later ones are let be
 */
export async function startTearingProxy(origin: string, cuts: Cut[]): Promise<TearingProxy> {
  const target = new URL(origin);
  const open = new Set<Socket>();
  let connections = 0;

  const server = createServer((client) => {
    const cut = cuts[connections];
    connections += 1;
    if (cut === 'at-once') return void client.resetAndDestroy();
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
    pipe(api, client, cut && 'afterAnswerBytes' in cut ? cut.afterAnswerBytes : Infinity, tear);
  });

  const tear = () => {
    for (const socket of open) socket.destroy();
  };
  const port = await listen(server, 0, 'the tearing proxy');
  return {
    origin: `http://${LOOPBACK}:${port}`,
    connections: () => connections,
    tear,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      tear();
      await closed;
    },
  };
}

/** Sends on as many bytes, and tears when there are more. */
function pipe(from: Socket, to: Socket, bytes: number, tear: () => void): void {
  let left = bytes;
  from.on('data', (chunk) => {
    const sent = chunk.subarray(0, left);
    left -= chunk.length;
    if (left >= 0) return void to.write(sent);
    if (sent.length > 0) to.write(sent, tear);
    else tear();
  });
}
