import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { isLockTimeout } from '../../db/client.ts';
import type { LargeText } from '../../db/large-text.ts';
import { following, type Slots, type Statement, statement } from '../../db/statement.ts';
import { type ApiError, unavailable } from '../../errors.ts';
import type { RunQueries } from '../../http/endpoint.ts';
import type { Asking } from '../leave.ts';
import { bySender, type SenderKind } from '../sender.ts';
import { BY_BIB, OF_EVENT } from '../sql.ts';
import type { Batch } from './batch.ts';
import { beforeWriting, writing } from './before-writing.ts';
import { type Stored, storeBatch, type UploadFacts } from './store.ts';

/** How many bibs an error names. */
const BIBS_NAMED = 10;
/** Another system may write any text as a bib. */
const BIB_SHOWN = 40;
const RETRY_AFTER_SECONDS = 3;

/** Stores a batch. Undefined if the event is not the caller's any more. @throws ApiError as `writeRows` does */
export function writeBatch(
  run: RunQueries,
  eventId: string,
  batch: Batch,
  facts: UploadFacts,
  by: SenderKind,
  asking: Asking,
): Promise<Stored | undefined> {
  const store = storeBatch(eventId, batch, facts, by, asking);
  return writeRows(run, eventId, batch.loadable, store, by);
}

/** The loadable rows of an upload, and the bib of each. */
type RowsOfBibs = { rows: readonly number[]; values: { bibs: LargeText } };

/**
 * Stores the rows of an upload. Answers the row of the statement.
 * @throws ApiError SERVICE_UNAVAILABLE if the database cannot store the rows now. If a concurrent transaction is
 *   changing rows of the upload, the error names their bibs.
 */
export async function writeRows<Row>(
  run: RunQueries,
  eventId: string,
  { rows, values: { bibs } }: RowsOfBibs,
  store: Statement<Row[]>,
  by: SenderKind = 'key',
): Promise<Row | undefined> {
  const before = beforeWriting(rows.length);
  try {
    const [[stored]] = await run(writing(before, store));
    return stored;
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    const look = findLockedBibs[by]({ eventId, bibs });
    const [locked] = await run(following(before, look)).catch(() => {
      throw error;
    });
    throw lockedBibs(
      locked.map(({ bib_number }) => bib_number),
      error,
    );
  }
}

/** @param bibs more bibs than the error names, by at most a single bib */
function lockedBibs(bibs: readonly string[], failure: ApiError): ApiError {
  const named = bibs
    .slice(0, BIBS_NAMED)
    .map((bib) => JSON.stringify(bib.slice(0, BIB_SHOWN).toWellFormed()));
  const rows =
    named.length === 0
      ? 'rows of this event'
      : `the bibs ${named.join(', ')}${bibs.length > BIBS_NAMED ? ' and more' : ''}`;
  return unavailable(
    `Another program is changing ${rows}. Nothing was stored. Send the upload again.`,
    RETRY_AFTER_SECONDS,
    failure,
  );
}

const lockedBib = () => z.strictObject({ bib_number: z.string() });

/** Bibs of a batch whose registration or result a concurrent transaction has locked, at most a single bib too many. */
const findLockedBibs = bySender(({ ownEvent, kind }) =>
  statement(
    `findLockedBibs.${kind}`,
    lockedBib,
    ({ eventId, bibs }: Slots<{ eventId: string; bibs: LargeText }>) => sql`
    with event as materialized (${ownEvent(eventId)}),
    -- The registrations of the bibs.
    named as materialized (
      select id, bib_number
      from unnest(${bibs}::text[]) as sent (bib_number)
        join registrations registration using (bib_number)
      where ${OF_EVENT}
    ),
    -- Registrations without a foreign lock.
    free_registrations as materialized (${free(sql`select id from registrations where id = named.id`)}),
    -- Results without a foreign lock.
    free_results as materialized (
      ${free(sql`select registration_id as id from results where registration_id = named.id`)}
    ),
    -- The named registrations with a result.
    stored as materialized (
      select registration_id as id from named join results on registration_id = named.id
    )
    select bib_number
    from (
      select id from named except select id from free_registrations
      union
      (select id from stored except select id from free_results)
    ) locked
    join named using (id)
    order by ${BY_BIB} limit ${BIBS_NAMED + 1}`,
  ),
);

/** The rows of `named` whose row in a table exists without a lock. An upload needs these locks too. */
const free = (row: SQL): SQL => sql`
  select row.id from named cross join lateral (${row} for key share skip locked) row`;
