import { Buffer } from 'node:buffer';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import type * as z from 'zod/mini';
import { BYTE_ORDER_MARK, csvLine } from '../../timing-files/write/csv.ts';
import { plannedForEvent } from '../db/planned.ts';
import type { RowStream } from '../db/row-stream.ts';
import { following, type OfEvent, type Statement } from '../db/statement.ts';
import { EXPORT_BUDGET_MS, type Piece } from '../db/streamed-statement.ts';
import type { AppEnv } from './context.ts';
import type { Endpoint, Shaped } from './endpoint.ts';
import { streamText } from './text-stream.ts';
import { nextPieceOf } from './turn.ts';
import { EventPath, eventNotFound } from './validation.ts';

/** The media types of an export. A client that accepts none of these types gets the first type. */
export const EXPORT_TYPES = ['text/csv', 'application/x-ndjson', 'application/json'] as const;
type ExportType = (typeof EXPORT_TYPES)[number];

const EXTENSIONS: Record<ExportType, string> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/json': 'json',
};

/** The fields of an item. */
export type Item = Record<string, string | number | boolean | null | object>;

type NamedEvent = { name: string };

type Export<Query, Row, Event extends NamedEvent> = {
  query?: () => z.ZodMiniType<Query> & Shaped;
  /** Reads the name of the event; no row if the event is not the caller's. */
  event: (values: OfEvent) => Statement<Event[]>;
  rows: (values: OfEvent & Query) => Statement<RowStream<Piece<Row>>>;
  file: (event: Event, query: Query) => ExportedFile<Row>;
  /** Called with the row of `event`. */
  found?: (c: Context<AppEnv>, eventId: string, event: Event) => void;
};

export type ExportedFile<Row> = {
  /** Whether the JSON format, too, is lines of JSON: the page of a list has no place for runners who left. */
  jsonAsLines?: true;
  /** The CSV columns. */
  fields: readonly string[];
  /** The cells of a row of the CSV file, if the cells differ from the fields of an item. */
  toCells?: (rows: readonly Row[]) => (readonly Item[string][])[];
  /** Whether people open the CSV file in a spreadsheet. Excel reads a file without a mark in Excel's own encoding. */
  isForPeople?: true;
  /** The delimiter of the CSV file: a comma, unless a spreadsheet of the reader's country splits at another sign. */
  delimiter?: ',' | ';';
  /** Called with all rows in their order, some at a time. */
  toItems: (rows: readonly Row[]) => Item[];
  /** The end of the file's name, after the event's name. */
  what: string;
  /** The header Results-State. The file's name shows the state too, for readers who get the file alone. */
  state?: string;
  /** The header Rank-By. */
  rankBy?: string;
};

type ExportStatements<Row, Event> = readonly [Statement<Event[]>, Statement<RowStream<Piece<Row>>>];

/** The endpoint that answers an event's rows as a file of the client's preferred type, with an ETag. */
export const exporting = <Query, Row, Event extends NamedEvent>({
  query,
  event,
  rows,
  file,
  found: onFound,
}: Export<Query, Row, Event>): Endpoint<
  unknown,
  z.output<ReturnType<typeof EventPath>>,
  Query,
  unknown,
  unknown,
  ExportStatements<Row, Event>
> => ({
  weight: 'heavy',
  param: EventPath,
  ...(query && { query }),
  statements: ({ param: { event_id: eventId }, query }) => [
    event({ eventId }),
    following([plannedForEvent(EXPORT_BUDGET_MS)], rows({ eventId, ...query })),
  ],
  answer([[found], stream], { c, param: { event_id: eventId }, query }) {
    if (found) onFound?.(c, eventId, found);
    return writeFile(c, found, stream, (event: Event) => file(event, query));
  },
});

export async function writeFile<Row, Event extends NamedEvent>(
  c: Context<AppEnv>,
  event: Event | undefined,
  stream: RowStream<Piece<Row>>,
  fileOf: (event: Event) => ExportedFile<Row>,
  /** Headers that depend on the first piece. The function throws if the client may get no answer. */
  headersOf: (first: Piece<Row> | undefined) => Record<string, string> = () => ({}),
): Promise<Response> {
  if (!event) {
    stream.cancel();
    throw eventNotFound();
  }
  const file = fileOf(event);
  const { delimiter, fields, state, rankBy } = file;
  const what = state === undefined ? file.what : `${file.what} (${state.replace('_', ' ')})`;
  const preferred = preferredType(c);
  const type =
    file.jsonAsLines && preferred === 'application/json' ? 'application/x-ndjson' : preferred;
  const first = (await stream.rows.next()).value ?? undefined;
  let headers: Record<string, string>;
  try {
    headers = headersOf(first);
  } catch (refused) {
    stream.cancel();
    throw refused;
  }
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  c.header('Content-Type', type === 'application/json' ? type : `${type}; charset=utf-8`);
  c.header('Content-Disposition', attachment(event, what, EXTENSIONS[type]));
  if (state !== undefined) c.header('Results-State', state);
  if (rankBy !== undefined) c.header('Rank-By', rankBy);
  const form = [...fields, delimiter ?? ',', what, ...Object.values(headers), rankBy ?? ''];
  c.header('ETag', await etagOf(type, form, first?.digest ?? ''));
  c.header('Vary', 'Accept');
  if (c.req.method === 'HEAD') {
    stream.cancel();
    return c.body(null);
  }
  async function* rows(): AsyncGenerator<Row[], void> {
    let sent = 0;
    try {
      if (first) {
        yield first.rows;
        sent += first.rows.length;
      }
      for await (const piece of stream.rows) {
        yield piece.rows;
        sent += piece.rows.length;
      }
    } finally {
      // The line of the request was written before the file.
      if (c.get('logFields').personal) logSent(c, sent);
    }
  }
  return c.body(
    streamText(WRITERS[type](rows(), file), {
      release: stream.cancel,
      turn: c.get('turn'),
      nextPiece: nextPieceOf(c),
    }),
  );
}

/** Logs how many rows of a file with personal data were sent, also for a file that broke off. */
function logSent(c: Context<AppEnv>, rows: number): void {
  const { trips: _trips, ...fields } = c.get('logFields');
  c.get('services').log.info({
    ...fields,
    level: 'info',
    message: 'A file with personal data was sent',
    request_id: c.get('requestId'),
    rows,
  });
}

function preferredType(c: Context): ExportType {
  const preferred = accepts(c, {
    header: 'Accept',
    supports: [...EXPORT_TYPES],
    default: EXPORT_TYPES[0],
  });
  return EXPORT_TYPES.find((type) => type === preferred) ?? EXPORT_TYPES[0];
}

/** Two types of a list are two representations, so each type has its own ETag. */
export async function etagOf(
  type: string,
  fields: readonly string[],
  digest: string,
): Promise<string> {
  const content = new TextEncoder().encode([type, ...fields, digest].join());
  return `"${Buffer.from(await crypto.subtle.digest('SHA-256', content)).toString('hex')}"`;
}

type Writer = <Row>(
  rows: AsyncIterable<Row[]>,
  file: ExportedFile<Row>,
) => AsyncGenerator<string, void>;

const WRITERS: Record<ExportType, Writer> = {
  async *'text/csv'(rows, { fields, toItems, toCells, isForPeople, delimiter }) {
    const line = (cells: readonly Item[string][]) => csvLine(cells, delimiter);
    yield (isForPeople ? BYTE_ORDER_MARK : '') + line(fields);
    for await (const batch of rows) {
      const cells = toCells?.(batch) ?? toItems(batch).map((item) => Object.values(item));
      yield cells.map(line).join('');
    }
  },
  async *'application/x-ndjson'(rows, { toItems }) {
    for await (const batch of rows)
      yield toItems(batch)
        .map((item) => `${JSON.stringify(item)}\n`)
        .join('');
  },
  // The envelope of a list, whose only page has everything.
  async *'application/json'(rows, { toItems }) {
    yield '{"data":[';
    let total = 0;
    for await (const batch of rows) {
      const items = toItems(batch);
      if (items.length > 0) yield (total > 0 ? ',' : '') + JSON.stringify(items).slice(1, -1);
      total += items.length;
    }
    const meta = { page: 1, page_size: Math.max(1, total), total, total_pages: total > 0 ? 1 : 0 };
    yield `],"meta":${JSON.stringify(meta)}}`;
  },
};

const FILE_NAME_MAX = 100;

/** The name of an event's file, twice, as RFC 6266 says: in ASCII, and for programs that read UTF-8. */
export function attachment(event: NamedEvent, what: string, extension: string): string {
  const name = `${fileNameOf(event, what)}.${extension}`
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}/\\:*?"<>|]/gu, '_')
    .toWellFormed();
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${hex(sign)}`);
  return `attachment; filename="${name.replace(/[^ -~]/gu, '_')}"; filename*=UTF-8''${encoded}`;
}

const hex = (sign: string): string => sign.charCodeAt(0).toString(16).toUpperCase();

/** The name of an event's file; a longer name of the event is cut. */
const fileNameOf = (event: { name: string }, what: string): string =>
  `${Array.from(event.name).slice(0, FILE_NAME_MAX).join('')} - ${what}`;
