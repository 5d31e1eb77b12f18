import { Buffer } from 'node:buffer';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import { plannedForEvent } from '../db/planned.ts';
import type { RowStream } from '../db/row-stream.ts';
import type { Statement } from '../db/statement.ts';
import { EXPORT_BUDGET_MS, type Piece } from '../db/streamed-statement.ts';
import { unavailable } from '../errors.ts';
import type { AppEnv } from './context.ts';
import type { RunQueries } from './guard.ts';
import { streamText } from './text-stream.ts';
import { eventNotFound } from './validation.ts';

/** The media types of an export. A client that asks for none of them gets the first. */
export const EXPORT_TYPES = ['text/csv', 'application/x-ndjson', 'application/json'] as const;
type ExportType = (typeof EXPORT_TYPES)[number];

const EXTENSIONS: Record<ExportType, string> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/json': 'json',
};

const BUSY_RETRY_AFTER_SECONDS = 5;

/** An item's fields, which are the columns of the CSV file. */
type Item = Record<string, string | number | null | object>;

type Export<Row> = {
  /** The user or key that has a share of the exports. */
  owner: string;
  run: RunQueries;
  /** Reads the name of the event; no row if it is not the caller's. */
  event: Statement<{ name: string }[]>;
  rows: Statement<RowStream<Piece<Row>>>;
  /** The CSV columns: the fields of an item in their order. */
  fields: readonly string[];
  /** Called with all rows in their order, some at a time. */
  toItems: (rows: readonly Row[]) => Item[];
  /** The end of the file's name, behind that of the event. */
  what: string;
};

/** Whose share of the exports a key uses. Keys that nobody saw alive have one share together. */
export const ownerOfKey = <E extends AppEnv>(c: Context<E>, keyHash: string): string =>
  c.var.services.rateLimiter.hasServed(keyHash) ? keyHash : 'nobody';

/**
 * Answers rows as a file of the type that the client prefers, with an ETag.
 * @throws ApiError NOT_FOUND without the event, SERVICE_UNAVAILABLE if the owner, or all owners together, read as
 *   many exports as are allowed
 */
export async function answerExport<E extends AppEnv, Row>(
  c: Context<E>,
  wanted: Export<Row>,
): Promise<Response> {
  const { bodyLimits } = c.var.services;
  const holder = {};
  const release = () => bodyLimits.exports.release(holder);
  if (!bodyLimits.exports.hold(holder, wanted.owner, 1)) throw busyWithExports();
  // Nothing else of a request is sure to run once its client has gone.
  c.req.raw.signal.addEventListener('abort', release);
  try {
    return await writeExport(c, wanted, release);
  } catch (error) {
    release();
    throw error;
  }
}

async function writeExport<E extends AppEnv, Row>(
  c: Context<E>,
  { run, event, rows, fields, toItems, what }: Export<Row>,
  release: () => void,
): Promise<Response> {
  const [[found], , stream] = await run(event, plannedForEvent(EXPORT_BUDGET_MS), rows);
  if (!found) {
    stream.cancel();
    throw eventNotFound();
  }
  const type = preferredType(c);
  const first = (await stream.rows.next()).value ?? undefined;
  const end = () => {
    stream.cancel();
    release();
  };
  c.header('Content-Type', type === 'application/json' ? type : `${type}; charset=utf-8`);
  c.header('Content-Disposition', attachment(`${fileNameOf(found, what)}.${EXTENSIONS[type]}`));
  c.header('ETag', await etagOf(type, fields, first?.digest ?? ''));
  c.header('Vary', 'Accept');
  if (c.req.method === 'HEAD') {
    end();
    return c.body(null);
  }
  async function* items(): AsyncGenerator<Item[], void> {
    if (first) yield toItems(first.rows);
    for await (const { rows } of stream.rows) yield toItems(rows);
  }
  return c.body(streamText(WRITERS[type](items(), fields), end));
}

function preferredType(c: Context): ExportType {
  const preferred = accepts(c, {
    header: 'Accept',
    supports: [...EXPORT_TYPES],
    default: EXPORT_TYPES[0],
  });
  return EXPORT_TYPES.find((type) => type === preferred) ?? EXPORT_TYPES[0];
}

/** Two types of one list are two representations, each with an ETag of its own. */
async function etagOf(type: string, fields: readonly string[], digest: string): Promise<string> {
  const content = new TextEncoder().encode([type, ...fields, digest].join());
  return `"${Buffer.from(await crypto.subtle.digest('SHA-1', content)).toString('hex')}"`;
}

type Writer = (
  items: AsyncIterable<Item[]>,
  fields: readonly string[],
) => AsyncGenerator<string, void>;

const WRITERS: Record<ExportType, Writer> = {
  async *'text/csv'(items, fields) {
    yield csvLine(fields);
    for await (const batch of items) {
      yield batch.map((item) => csvLine(Object.values(item))).join('');
    }
  },
  async *'application/x-ndjson'(items) {
    for await (const batch of items)
      yield batch.map((item) => `${JSON.stringify(item)}\n`).join('');
  },
  // The envelope of a list, whose only page has everything.
  async *'application/json'(items) {
    yield '{"data":[';
    let total = 0;
    for await (const batch of items) {
      if (batch.length > 0) yield (total > 0 ? ',' : '') + JSON.stringify(batch).slice(1, -1);
      total += batch.length;
    }
    const meta = { page: 1, page_size: Math.max(1, total), total, total_pages: total > 0 ? 1 : 0 };
    yield `],"meta":${JSON.stringify(meta)}}`;
  },
};

export const csvLine = (values: readonly Item[string][]): string =>
  `${values.map(csvCell).join()}\r\n`;

/** A spreadsheet runs a text that begins like this as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]/;

function csvCell(value: Item[string]): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'object' ? JSON.stringify(value) : value;
  const shown = FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

const FILE_NAME_MAX = 100;

/** The name twice, as RFC 6266 says: in ASCII, and for programs that read UTF-8. */
function attachment(fileName: string): string {
  const name = fileName.replace(/[\p{Cc}/\\:*?"<>|]/gu, '_').toWellFormed();
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${hex(sign)}`);
  return `attachment; filename="${name.replace(/[^ -~]/gu, '_')}"; filename*=UTF-8''${encoded}`;
}

const hex = (sign: string): string => sign.charCodeAt(0).toString(16).toUpperCase();

/** The name of an event's file; a longer name of the event is cut. */
const fileNameOf = (event: { name: string }, what: string): string =>
  `${Array.from(event.name).slice(0, FILE_NAME_MAX).join('')} - ${what}`;

export const busyWithExports = () =>
  unavailable('Other exports are being written. Try again.', BUSY_RETRY_AFTER_SECONDS);
