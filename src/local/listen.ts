import type { Server } from 'node:net';

/** Everything of the local stack is reachable from this machine only. */
export const LOOPBACK = '127.0.0.1';

/**
 * Listens on loopback; port 0 takes a free one.
 * @returns the port; throws one clear line when it is taken (`what` names who wanted it)
 */
export async function listen(server: Server, port: number, what: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, LOOPBACK, resolve);
  try {
    await promise;
  } catch (error) {
    if (errorCode(error) === 'EADDRINUSE') {
      throw new Error(`Port ${port} is in use (${what}). Stop what uses it or choose another.`);
    }
    throw error;
  }
  server.off('error', reject);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`${what} has no port`);
  return address.port;
}

export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** One line about a failed connection. A refused `localhost` is an AggregateError with no message. */
export function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const message = 'message' in error ? String(error.message) : '';
  return message || errorCode(error) || 'no reason given';
}

/** `host:port/database` of a connection address: never its user or password. */
export function targetOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.host}${parsed.pathname}` : 'an address that is not a URL';
}
