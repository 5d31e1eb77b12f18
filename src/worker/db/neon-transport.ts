import { neon, neonConfig } from '@neondatabase/serverless';
import type { Query } from 'drizzle-orm';
import { insertLargeTexts, LargeText } from './large-text.ts';
import { openRowStream, type RowStream } from './row-stream.ts';

const LOOPBACK_HOSTS = new Set(['127.0.0.1', 'localhost', '[::1]']);

type NeonRequest = RequestInit & {
  body: string;
  largeTexts?: LargeText[];
  /** Takes the rows of the last statement; `head` is the rest of the answer. */
  openRows?: ((body: ReadableStream<Uint8Array>) => Promise<string>) | undefined;
};

const neonEndpoint = neonConfig.fetchEndpoint;
// In development the database host is the local gateway, which speaks Neon's protocol over HTTP.
neonConfig.fetchEndpoint = (host, port, options) => {
  if (LOOPBACK_HOSTS.has(host)) return `http://${host}:${port}/sql`;
  return typeof neonEndpoint === 'string' ? neonEndpoint : neonEndpoint(host, port, options);
};

neonConfig.fetchFunction = async (
  url: string,
  { body, largeTexts = [], openRows, ...init }: NeonRequest,
): Promise<Response> => {
  const sent = largeTexts.length === 0 ? body : streamOf(insertLargeTexts(body, largeTexts));
  try {
    const response = await fetch(url, { ...init, body: sent });
    if (!openRows || !response.ok || !response.body) return response;
    return new Response(await openRows(response.body));
  } catch (error) {
    if (init.signal?.aborted) throw new Error('no answer in time', { cause: error });
    const { host, hostname } = new URL(url);
    if (!LOOPBACK_HOSTS.has(hostname)) throw error;
    throw new Error(`no local stack at ${host}: "npm run dev" and "npm run stack" start one`, {
      cause: error,
    });
  }
};

const asText = (text: string): unknown => text;

/** How values are read, by the oid of their type. Values of further types stay as Postgres writes them. */
const DECODERS = new Map<number, (text: string) => unknown>([
  [16, (boolean) => boolean === 't'],
  [21, Number],
  [23, Number],
  [701, Number],
  [114, JSON.parse],
  [3802, JSON.parse],
  // An array of int4.
  [1007, (array) => JSON.parse(`[${array.slice(1, -1)}]`)],
]);

const types = { getTypeParser: (oid: number) => DECODERS.get(oid) ?? asText };

/** The rows of a query. */
export type QueryResult = {
  rows: Record<string, unknown>[];
  /** The rows of a streamed statement. */
  stream?: RowStream | undefined;
};

type TransactionOptions = {
  /** The rows of the last query are read during their arrival. */
  isStreamed?: boolean | undefined;
  /**
   * All queries see the data of a single moment. A write then fails if a concurrent transaction has changed the row.
   */
  isOneMoment?: boolean | undefined;
};

/** Sends queries as a transaction, in a single request. Aborts the request with the signal. */
export type NeonTransaction = (
  queries: readonly Query[],
  signal: AbortSignal,
  options?: TransactionOptions,
) => Promise<QueryResult[]>;

export function createNeonTransaction(databaseUrl: string): NeonTransaction {
  const client = neon(databaseUrl, { fullResults: true });
  return async (queries, signal, { isStreamed = false, isOneMoment = false } = {}) => {
    let stream: RowStream | undefined;
    const openRows = async (body: ReadableStream<Uint8Array>) => {
      const { head, rows } = await openRowStream(body, queries.length);
      stream = rows;
      return head;
    };
    const answers: QueryResult[] = await client.transaction(
      queries.map(({ sql, params }) => client.query(sql, params, { types })),
      {
        ...(isOneMoment && { isolationLevel: 'RepeatableRead' }),
        // The driver passes `fetchOptions` to fetchFunction.
        fetchOptions: {
          signal,
          largeTexts: queries.flatMap(({ params }) =>
            params.filter((param) => param instanceof LargeText),
          ),
          openRows: isStreamed ? openRows : undefined,
        },
      },
    );
    const last = answers.at(-1);
    if (last) last.stream = stream;
    return answers;
  };
}

/** FixedLengthStream makes fetch send Content-Length. Neon refuses a body without Content-Length. */
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
