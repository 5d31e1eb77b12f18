import * as z from 'zod/mini';
import { plannedForEvent } from '../db/planned.ts';
import type { RowStream } from '../db/row-stream.ts';
import { following, type OfEvent, type Statement } from '../db/statement.ts';
import { EXPORT_BUDGET_MS, type Piece } from '../db/streamed-statement.ts';
import { unavailable } from '../errors.ts';
import { later } from '../later.ts';
import { type Copied, checkCursor, filterBesideCursor, readCursor, writeCursor } from './cursor.ts';
import type { Endpoint, OperationHandler, Shaped } from './endpoint.ts';
import { type ExportedFile, type Item, writeFile } from './export.ts';
import { EventPath, eventNotFound, oneText } from './validation.ts';

/** A row of a list, or of a runner who left the list. */
type CopyRow = { inscription_id: string; is_removed: boolean };

/** A list for a client that keeps a copy: first whole, then the changes. */
type Copy<Row> = {
  list: Copied['list'];
  /** The filters of the export, which a copy has not. */
  filters?: () => Shaped;
  event: (values: OfEvent) => Statement<{ name: string }[]>;
  /** All rows, or the rows since a cursor and the runners who left, with the Moment of the reading. */
  rows: (values: OfEvent & { since?: string }) => Statement<RowStream<Piece<Row>>>;
  fields: () => readonly string[];
  toItem: (row: Row) => Item;
  what: string;
};

export const CopyQuery = later(() => z.object({ changed_since: z.optional(oneText()) }));

/** The endpoint that answers a copy of a list, and later the changes. */
export const copying = <Row extends CopyRow>({
  list,
  filters,
  event,
  rows,
  ...file
}: Copy<Row>): Endpoint<
  unknown,
  z.output<ReturnType<typeof EventPath>>,
  z.output<ReturnType<typeof CopyQuery>>,
  unknown,
  unknown,
  readonly [Statement<{ name: string }[]>, Statement<RowStream<Piece<Row>>>]
> => ({
  weight: 'heavy',
  param: EventPath,
  query: CopyQuery,
  statements({ c, param: { event_id: eventId }, query: { changed_since: text = '' } }) {
    for (const name of Object.keys(filters?.().shape ?? {})) {
      if (c.req.query(name)?.trim()) throw filterBesideCursor(name);
    }
    const since = text === '' ? {} : { since: readCursor({ list, eventId }, text).transaction };
    return [
      event({ eventId }),
      following([plannedForEvent(EXPORT_BUDGET_MS)], rows({ eventId, ...since })),
    ];
  },
  answer(
    [[event], stream],
    { c, param: { event_id: eventId }, query: { changed_since: text = '' } },
  ) {
    const of = { list, eventId };
    const { generation } = c.get('services');
    if (generation === undefined) throw copiesUnavailable();
    return writeFile(
      c,
      event,
      stream,
      () => copiedFile(file),
      (first) => {
        if (!first?.moment) throw eventNotFound();
        if (text !== '') checkCursor(readCursor(of, text), first.moment, generation);
        return {
          'Next-Cursor': writeCursor(of, first.moment, generation),
          Total: String(first.moment.total),
        };
      },
    );
  },
});

const RETRY_AFTER_SECONDS = 60;

/** A cursor without its generation would outlive a restore of the database. */
export const copiesUnavailable = () =>
  unavailable(
    'Copies cannot be continued now: the service is not configured for them. Tell its operator.',
    RETRY_AFTER_SECONDS,
  );

function copiedFile<Row extends CopyRow>({
  fields,
  toItem,
  what,
}: Pick<Copy<Row>, 'fields' | 'toItem' | 'what'>): ExportedFile<Row> {
  const toItems = (listed: readonly Row[]) =>
    listed.map(
      (row): Item =>
        row.is_removed ? { inscription_id: row.inscription_id, removed: true } : toItem(row),
    );
  const names = [...fields(), 'removed'];
  return {
    jsonAsLines: true,
    fields: names,
    toItems,
    toCells: (listed) => toItems(listed).map((item) => names.map((name) => item[name] ?? null)),
    what,
  };
}

/** An export, and with `changed_since` a copy. */
export const orCopy = <Id extends string>(
  whole: OperationHandler<Id>,
  copy: OperationHandler<Id>,
): OperationHandler<Id> =>
  Object.assign(
    (c: Parameters<OperationHandler<Id>>[0]) =>
      c.req.query('changed_since') === undefined ? whole(c) : copy(c),
    {
      operation: {
        ...whole.operation,
        query: () => ({
          shape: { ...whole.operation.query?.().shape, ...copy.operation.query?.().shape },
        }),
      },
    },
  );
