import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { parseJson } from '../../client/answer.ts';
import { EXIT, failure } from '../exit-codes.ts';
import { codeOf } from '../own-files.ts';

/**
 * The local address of the process sending for an event from a folder. Only this computer reaches the address. The
 * secret is never sent.
 */
export type LocalAddress = { ports: readonly number[]; secret: string };

/** Below the ports used by systems for outgoing connections. */
const [FIRST_PORT, PORTS] = [20_000, 12_000];
/** Another program may have a port. */
const PORTS_TRIED = 4;

/** All processes of a user, folder and event compute this address. Nobody else can know the address. */
export function localAddress(secret: string, event: string, folder: string): LocalAddress {
  const digest = createHash('sha256')
    .update(JSON.stringify([secret, event, folder]))
    .digest();
  const ports = Array.from(
    { length: PORTS_TRIED },
    (_, at) => FIRST_PORT + (digest.readUInt32BE(4 * at) % PORTS),
  );
  return { ports, secret: digest.toString('hex', 16) };
}

const sign = (secret: string, ...parts: unknown[]): string =>
  createHmac('sha256', secret).update(JSON.stringify(parts)).digest('hex');

/** Each start has a fresh token. A program on the port of an ended process only hears a dead token. */
const tokenOf = (secret: string, start: string): string => sign(secret, 'token', start);

/** Only callers with the token get these answers. `page` needs no token and has no data. */
type LocalPages = {
  state(): Promise<unknown>;
  page?(): string;
  view?(): string;
  /** @param entry as sent */
  take?(entry: unknown): Promise<unknown>;
};

export type LocalServer = {
  port: number;
  /** Opens the page of this start. */
  token: string;
  /** The ports taken by other programs. */
  taken: readonly number[];
  close(): Promise<void>;
};

/**
 * Opens the address of a folder. The address is the lock too: a single process holds the address, until the process
 * ends.
 * @returns undefined if another process has the address
 * @throws CliError if other programs have all ports of the address
 */
export async function openLocal(
  address: LocalAddress,
  pages: LocalPages,
): Promise<LocalServer | undefined> {
  const { ports, secret } = address;
  const start = crypto.randomUUID();
  const token = tokenOf(secret, start);
  const taken: number[] = [];
  for (const port of ports) {
    const server = createServer((request, answer) => {
      const { nonce } = request.headers;
      const parts = [nonce, port, start];
      const proofs = [start, sign(secret, ...parts), sign(token, ...parts)];
      if (nonce) answer.setHeader(PROOF, proofs.join(' '));
      void respond(token, pages, request, answer).catch(() => answer.destroy());
    });
    if (await listens(server, port)) {
      const others = { secret, ports: ports.filter((other) => other !== port) };
      const local = { port, token, taken, close: () => closed(server) };
      if ((await askLocal(others, '/state')) === undefined) return local;
      await local.close();
      return undefined;
    }
    if ((await askLocal({ secret, ports: [port] }, '/state')) !== undefined) return undefined;
    taken.push(port);
  }
  throw failure(EXIT.running, 'ports_taken', { ports: ports.join(', ') });
}

/**
 * Answers the header `Nonce` of a request: the start, a proof for commands, and a proof for the page of this start. A
 * proof holds for a single port: another program cannot pass on the question.
 */
export const PROOF = 'Proof';

/** The server must not keep a finished command running. */
const listens = (server: Server, port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) => (isTaken(error) ? resolve(false) : reject(error)));
    server.unref().listen(port, '127.0.0.1', () => resolve(true));
  });

const isTaken = (error: unknown) => ['EADDRINUSE', 'EACCES'].includes(codeOf(error) ?? '');

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/** The end of the asker's wait for an entry, in milliseconds since 1970. Both processes share the computer's clock. */
const UNTIL = 'until';

/** A live process answers far sooner. */
const PATIENCE_MS = 5_000;

/**
 * Asks the process with the address.
 * @param entry is posted
 * @returns undefined if no process has the address, and null if a process has the address and does not answer
 */
export async function askLocal(
  { ports, secret }: LocalAddress,
  path: string,
  entry?: unknown,
  patienceMs = PATIENCE_MS,
): Promise<unknown> {
  for (const port of ports) {
    const ask = async (
      path: string,
      withinMs: number,
      headers = {},
      more: RequestInit | false = false,
    ) => {
      const nonce = crypto.randomUUID();
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { Nonce: nonce, Connection: 'close', ...headers },
        ...more,
        redirect: 'error',
        signal: AbortSignal.timeout(withinMs),
      });
      const [start = '', proof = ''] = response.headers.get(PROOF)?.split(' ') ?? [];
      if (isSame(proof, sign(secret, nonce, port, start))) return { start, response };
      await response.body?.cancel();
      throw new Error(`Another program has the port ${port}.`);
    };
    try {
      // Every question gives another program at most `PATIENCE_MS`. Some programs hang up later, and would look like a
      // free port.
      const { start } = await ask('/proof', Math.min(patienceMs, PATIENCE_MS));
      const until = `${Date.now() + patienceMs}`;
      const headers = { Authorization: `Bearer ${tokenOf(secret, start)}`, [UNTIL]: until };
      const more = entry !== undefined && { method: 'POST', body: JSON.stringify(entry) };
      const { response } = await ask(path, patienceMs, headers, more);
      if (response.ok) return parseJson(await response.text()) ?? null;
    } catch (error) {
      if (error instanceof Error && error.name === 'TimeoutError') return null;
    }
  }
  return undefined;
}

async function respond(
  token: string,
  pages: LocalPages,
  request: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  const { method = '', url = '', headers } = request;
  const send = (status: number, type: string, body: string, nonce = '') => {
    const policy = `default-src 'none'; connect-src 'self'; frame-ancestors 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
    answer.writeHead(status, {
      'Content-Type': `${type}; charset=utf-8`,
      'Cache-Control': 'no-store',
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
    });
    answer.end(body);
  };
  const sendJson = (value: unknown) => send(200, 'application/json', JSON.stringify(value ?? null));
  if (!isOwn(request)) return send(403, 'text/plain', 'This address is for this computer alone.');
  if (method === 'GET' && url === '/' && pages.page) {
    const nonce = crypto.randomUUID();
    return send(200, 'text/html', pages.page().replaceAll('NONCE', nonce), nonce);
  }
  if (method === 'GET' && url === '/proof') return send(200, 'text/plain', '');
  if (!isSame(headers.authorization ?? '', `Bearer ${token}`)) {
    return send(401, 'text/plain', 'The token of the folder is missing.');
  }
  if (method === 'GET' && url === '/view' && pages.view)
    return send(200, 'text/html', pages.view());
  if (method === 'GET' && url === '/state') return sendJson(await pages.state());
  if (method === 'POST' && url === '/entry' && pages.take) {
    // A process frozen for a while does not carry out an entry after the asker's wait.
    if (Date.now() > Number(headers[UNTIL] ?? Number.POSITIVE_INFINITY)) {
      return send(408, 'text/plain', 'Nobody waits for this any more.');
    }
    return sendJson(await pages.take(parseJson(await text(request))));
  }
  return send(404, 'text/plain', 'There is no such page.');
}

/** Keeps web pages out: a foreign host name leading to this computer is refused, and so is a foreign origin. */
function isOwn({ headers, socket }: IncomingMessage): boolean {
  const { host = '', origin } = headers;
  const isHost =
    host === `127.0.0.1:${socket.localPort}` || host === `localhost:${socket.localPort}`;
  return isHost && (origin === undefined || origin === `http://${host}`);
}

function isSame(found: string, expected: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(found), digest(expected));
}
