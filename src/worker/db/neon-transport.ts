import { type NeonQueryFunction, neon, neonConfig } from '@neondatabase/serverless';
import { insertLargeTexts, LargeText } from './large-text.ts';

/** The largest accepted upload is written in less time. */
const ANSWER_BUDGET_MS = 30_000;

const LOOPBACK_HOSTS = new Set(['127.0.0.1', 'localhost', '[::1]']);

type NeonRequest = RequestInit & { body: string; largeTexts?: LargeText[] };

const neonEndpoint = neonConfig.fetchEndpoint;
// In development the database host is the local gateway, which speaks Neon's protocol over HTTP.
neonConfig.fetchEndpoint = (host, port, options) => {
  if (LOOPBACK_HOSTS.has(host)) return `http://${host}:${port}/sql`;
  return typeof neonEndpoint === 'string' ? neonEndpoint : neonEndpoint(host, port, options);
};

neonConfig.fetchFunction = async (
  url: string,
  { body, largeTexts = [], ...init }: NeonRequest,
): Promise<Response> => {
  const signal = AbortSignal.timeout(ANSWER_BUDGET_MS);
  const sent = largeTexts.length === 0 ? body : streamOf(insertLargeTexts(body, largeTexts));
  try {
    return await fetch(url, { ...init, body: sent, signal });
  } catch (error) {
    if (signal.aborted) {
      throw new Error(`no answer within ${ANSWER_BUDGET_MS / 1_000} s`, { cause: error });
    }
    const { host, hostname } = new URL(url);
    if (!LOOPBACK_HOSTS.has(hostname)) throw error;
    throw new Error(`no local stack at ${host}: "npm run dev" and "npm run stack" start one`, {
      cause: error,
    });
  }
};

/**
 * Neon's client. It passes the large texts of each request to fetchFunction: the driver merges
 * `fetchOptions` into the second argument.
 */
export function createNeonClient(databaseUrl: string): NeonQueryFunction<false, false> {
  const client = neon(databaseUrl);
  const { query, transaction } = client;
  client.query = (text, params = [], options) => {
    const largeTexts = params.filter((param) => param instanceof LargeText);
    return query(text, params, { ...options, fetchOptions: { largeTexts } });
  };
  client.transaction = (queries, options) => {
    const sent = Array.isArray(queries) ? queries : [];
    const largeTexts = sent.flatMap(({ opts }) => opts?.fetchOptions?.['largeTexts'] ?? []);
    return transaction(queries, { ...options, fetchOptions: { largeTexts } });
  };
  return client;
}

/** FixedLengthStream makes fetch send Content-Length. Neon refuses a body without it. */
function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const { readable, writable } = new FixedLengthStream(length);
  const write = async () => {
    const writer = writable.getWriter();
    for (const piece of pieces) await writer.write(piece);
    await writer.close();
  };
  // Writing fails when fetch stops reading. Then fetch rejects with the reason.
  write().catch(() => {});
  return readable;
}
