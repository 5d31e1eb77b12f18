import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { command, type OfEvent, type Slot, type Slots } from '../../db/statement.ts';
import { streamed, streamedStatement } from '../../db/streamed-statement.ts';
import { ruledPositions } from '../../positions/positions.ts';
import { listedResult, OF_EVENT } from '../sql.ts';
import { OFFICIAL_ROWS } from './sql.ts';

export type OfVersion = OfEvent & { version: number };

/** SQL for the id of an event that the caller may read; null for further events. */
export type ReadableEvent = (eventId: Slot) => SQL;

/** A result of a document, without its places. */
const presentRow = () => z.omit(listedResult(), { registration_id: true, updated_at: true });

export const sealedRow = () => z.extend(presentRow(), ruledPositions().shape);

export type SealedRow = z.output<ReturnType<typeof sealedRow>>;

/** A row in base64 is as large as a piece of an answer. */
const PIECE_BYTES = sql.raw(String(48 * 1_024));

/**
 * The compressed document of a version, in pieces. Postgres stores the document without further compression, so that a
 * piece can be read alone.
 */
export function documentReader(ofReader: ReadableEvent, reader: string) {
  const read = command(
    `readDocument.${reader}`,
    ({ eventId, version }: Slots<OfVersion>) => sql`
    with event as materialized (${ofReader(eventId)})
    select encode(substring(document from start for ${PIECE_BYTES}), 'base64')
    from official_results
    cross join lateral generate_series(1, octet_length(document), ${PIECE_BYTES}) start
    where ${OF_EVENT} and version = ${version}::int
    order by start`,
  );
  return (values: OfVersion) =>
    streamed(read(values), ([cell]) => Buffer.from(cell ?? '', 'base64'));
}

/** For the Worker, which answers nothing of these rows. */
const knownEventId: ReadableEvent = (eventId) => sql`select ${eventId}::uuid as id`;

export const readDocument = documentReader(knownEventId, 'worker');

export const readPresentRows = streamedStatement(
  'readPresentRows',
  presentRow,
  ({ eventId }: Slots<OfEvent>) => ({
    ...OFFICIAL_ROWS,
    rows: sql`with event as materialized (${knownEventId(eventId)}) ${OFFICIAL_ROWS.rows}`,
  }),
);
