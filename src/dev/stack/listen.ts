import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** The local stack listens on this address only. Other machines cannot reach the stack. */
export const LOOPBACK = '127.0.0.1';

/**
 * Listens on loopback.
 * @param port the usual port of this server. If the port is taken, a free port is used
 * @returns the port
 */
export async function listen(server: Server, port = 0): Promise<number> {
  try {
    return await bind(server, port);
  } catch (error) {
    if (port === 0 || errorCode(error) !== 'EADDRINUSE') throw error;
    return bind(server, 0);
  }
}

/**
 * Chooses the port of the API on `localhost`, which is both 127.0.0.1 and ::1.
 * @param asked the required port
 * @param usual without `asked`: the port to choose if free
 * @throws Error with a single line if `asked` is taken
 */
export async function choosePort(asked: number | undefined, usual: number): Promise<number> {
  const wanted = asked ?? usual;
  const probes = await Promise.allSettled([LOOPBACK, '::1'].map((host) => probe(wanted, host)));
  // A machine without IPv6 has no ::1.
  const isTaken = probes.some(
    (probed) => probed.status === 'rejected' && errorCode(probed.reason) === 'EADDRINUSE',
  );
  if (!isTaken) return wanted;
  if (asked === undefined) return freePort();
  throw new Error(
    `Port ${asked} is in use, which PORT asks for. Stop what uses it or choose another.`,
  );
}

/** A port on which no server listens. */
export const freePort = (): Promise<number> => probe(0, LOOPBACK);

async function probe(port: number, host: string): Promise<number> {
  const server = createServer();
  const found = await bind(server, port, host);
  await new Promise((resolve) => server.close(resolve));
  return found;
}

async function bind(server: Server, port: number, host = LOOPBACK): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/**
 * Describes a failure and its causes in a single line. A refused `localhost` is an AggregateError without a message.
 */
export function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const [message = ''] = 'message' in error ? String(error.message).split('\n') : [];
  const reason = message || errorCode(error) || 'no reason given';
  if (!('cause' in error) || error.cause === undefined) return reason;
  const cause = reasonOf(error.cause);
  return reason.includes(cause) ? reason : `${reason}: ${cause}`;
}

/** Tells whether an address is of this machine. */
export const isLocal = (url: string): boolean =>
  ['localhost', LOOPBACK, '[::1]'].includes(URL.parse(url)?.hostname ?? '');

/** @returns `host:port/database` of a connection address, without user and password */
export function targetOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.host}${parsed.pathname}` : 'an address that is not a URL';
}
