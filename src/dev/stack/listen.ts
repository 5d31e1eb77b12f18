import { createServer, type Server } from 'node:net';

/** The local stack listens on this address only. Other machines cannot reach it. */
export const LOOPBACK = '127.0.0.1';

export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
}

/**
 * Listens on loopback.
 * @param port 0 takes a free one
 * @param what names the server in the error
 * @returns the port
 * @throws PortTakenError
 */
export async function listen(
  server: Server,
  port: number,
  what: string,
  host = LOOPBACK,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, resolve);
  try {
    await promise;
  } catch (error) {
    if (errorCode(error) === 'EADDRINUSE') {
      throw new PortTakenError(
        `Port ${port} is in use (${what}). Stop what uses it or choose another.`,
      );
    }
    throw error;
  }
  server.off('error', reject);
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error(`The server for ${what} has no port.`);
  return address.port;
}

/** Starts a server on its usual port, or on a free one if that is taken. */
export async function onUsualPort<Started>(
  usual: number,
  start: (port: number) => Promise<Started>,
): Promise<Started> {
  try {
    return await start(usual);
  } catch (error) {
    if (!(error instanceof PortTakenError)) throw error;
    return start(0);
  }
}

/**
 * Checks that no server listens on a port of `localhost`, which is both 127.0.0.1 and ::1.
 * @param port 0 finds a free one
 * @returns the port
 * @throws PortTakenError
 */
export async function freePort(port: number, what: string): Promise<number> {
  const free = await probe(port, what, LOOPBACK);
  try {
    await probe(free, what, '::1');
  } catch (error) {
    // A machine without IPv6 has no ::1.
    if (error instanceof PortTakenError) throw error;
  }
  return free;
}

async function probe(port: number, what: string, host: string): Promise<number> {
  const server = createServer();
  const found = await listen(server, port, what, host);
  await new Promise((resolve) => server.close(resolve));
  return found;
}

export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Describes a failure and its causes in one line. A refused `localhost` is an AggregateError without a message. */
export function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const [message = ''] = 'message' in error ? String(error.message).split('\n') : [];
  const reason = message || errorCode(error) || 'no reason given';
  if (!('cause' in error) || error.cause === undefined) return reason;
  const cause = reasonOf(error.cause);
  return reason.includes(cause) ? reason : `${reason}: ${cause}`;
}

/** Whether an address is of this machine. */
export const isLocal = (url: string): boolean =>
  ['localhost', LOOPBACK, '[::1]'].includes(URL.parse(url)?.hostname ?? '');

/** @returns `host:port/database` of a connection address, without its user and password */
export function targetOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.host}${parsed.pathname}` : 'an address that is not a URL';
}
