import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Cells, RowStream } from './row-stream.ts';
import { type Moment, moment } from './since.ts';
import { fieldsOf } from './sql.ts';
import { checked, command, type Optional, type Slots, type Statement } from './statement.ts';

/** The time until the first row of an export. */
export const EXPORT_BUDGET_MS = 20_000;

/** A cell for each value takes twice the time. */
const ROWS_PER_PIECE = 200;
/** Rows with a thousand long splits are so large that 200 rows do not fit into memory. */
const PIECE_BYTES = 1_048_576;

/** Rows that travel together. */
export type Piece<Row> = {
  rows: Row[];
  /** A digest of all rows of the stream in their order. */
  digest: string;
  moment?: Moment;
};

/** Rows, and an order in which only equal rows may change places. */
export type Query = {
  rows: SQL;
  order: SQL;
  /** The column of many bytes. */
  long?: 'splits';
  /** Further columns, made of all rows, outside the digest. */
  beside?: SQL;
  /**
   * Selects the row of the Moment of the reading. The row comes with each piece, and without any row of the list too.
   */
  moment?: SQL;
};

/** `record_send` writes a length before each value, so two rows never make equal bytes. */
const HASH = sql`sha256(record_send(listed))`;

/** The digests of rows have equal lengths, so two lists of rows never make equal bytes. */
const digestOfHashes = (hashes: SQL): SQL => sql`encode(sha256(${hashes}), 'hex')`;

/** SQL for the digest of a streamed statement of these rows; null without rows. */
export const digestOf = ({ rows, order }: Query): SQL =>
  sql`(select ${digestOfHashes(sql`string_agg(${HASH}, '' order by ${order})`)} from (${rows}) listed)`;

/**
 * A select whose rows are read during their arrival, so that any number of rows fits into memory.
 * @param row names the columns of a row
 * @param build makes the query of the rows, which has at least these columns, and their order
 */
export function streamedStatement<Values extends object, Row extends object>(
  name: string,
  row: () => z.ZodMiniType<Row> & { shape: object },
  build: (slots: Slots<Values>) => Query,
  ...optional: Optional<Values>
): (values: Values) => Statement<RowStream<Piece<Row>>> {
  const packed = command(
    name,
    (slots: Slots<Values>) => pack(fieldsOf(row()), build(slots)),
    ...optional,
  );
  const rowList = () => z.array(row());
  return (values) => {
    const columns = fieldsOf(row());
    return streamed(packed(values), (cells) => {
      const { rows, digest, moment } = unpack(columns, cells);
      return { rows: checked(rowList, rows), digest, ...(moment && { moment }) };
    });
  };
}

/** The query of pieces. A cell holds the values of a column in several rows, as JSON; the last cell is the digest. */
function pack(columns: readonly string[], { rows, order, long, beside, moment }: Query): SQL {
  const cells = columns.map((name) => `json_agg(${name})::text as ${name}`);
  const bytes = sql.raw(
    `(${Math.ceil(PIECE_BYTES / ROWS_PER_PIECE)}${long ? ` + pg_column_size(${long})` : ''})`,
  );
  // The sorted subquery gives the aggregates their order.
  return sql`
    with piece as (
      select number, ${sql.raw(cells.join(', '))}, string_agg(hash, '') as hashes
      from (
        select *, ${beside ? sql`${beside}, ` : sql``}${HASH} as hash, row_number() over listing as ordinal,
          (sum(${bytes}) over (listing rows unbounded preceding) - ${bytes})
            / ${sql.raw(String(PIECE_BYTES))} as number
        from (${rows}) listed
        window listing as (order by ${order})
        order by number, ordinal
      ) sorted
      group by number
    )
    select ${sql.raw(columns.join(', '))},
      (select ${digestOfHashes(sql`string_agg(hashes, '' order by number)`)} from piece) as digest
      ${moment ? sql`, to_json(moment)` : sql``}
    from ${moment ? sql`(${moment}) moment left join piece on true` : sql`piece`} order by number`;
}

/** The piece from the cells of `pack`. */
function unpack(columns: readonly string[], cells: Cells): Piece<object> {
  const rows: Record<string, unknown>[] = [];
  columns.forEach((name, at) => {
    const values: unknown[] = JSON.parse(cells[at] ?? '[]');
    values.forEach((value, index) => {
      const row = rows[index] ?? {};
      row[name] = value;
      rows[index] = row;
    });
  });
  const { [columns.length]: digest, [columns.length + 1]: now } = cells;
  return { rows, digest: digest ?? '', ...(now && { moment: checked(moment, JSON.parse(now)) }) };
}

/**
 * A statement whose rows are read during their arrival. All statements of its transaction read the data of a single
 * moment.
 */
export const streamed = <Item>(
  statement: Statement,
  toItem: (cells: Cells) => Item,
): Statement<RowStream<Item>> => ({
  ...statement,
  isStreamed: true,
  isOneMoment: true,
  budgetMs: EXPORT_BUDGET_MS,
  read({ stream }) {
    if (!stream) throw new Error('A streamed statement must be the last of its transaction.');
    return stream.map(toItem);
  },
});
