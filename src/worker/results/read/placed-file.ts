import type { ExportedFile } from '../../http/export.ts';
import { cellsWith, type ItemFields, itemsWith } from '../../http/item-fields.ts';
import type { Positions } from '../../positions/positions.ts';
import { createRanker, type Runner } from '../../positions/ranker.ts';

/** A row of a file, or a row that only counts for positions. */
type PlacedRow = Runner & { is_listed: boolean };

/**
 * Makes a file from rows in the order of their times.
 * @param columns the fields of the CSV file
 * @param timeOf the time of a row in ms
 * @param ranked the sources of the fields, from the positions by the time
 */
export function placedFile<
  Item extends Record<string, string | number | object | null>,
  Line extends Record<string, string | number | object | null>,
  Row extends PlacedRow,
  Ranked,
>({
  fields,
  columns,
  timeOf,
  ranked,
}: {
  fields: ItemFields<Item, [Row, Ranked]>;
  columns: ItemFields<Line, [Row, Ranked]>;
  timeOf: (row: Row) => number | null;
  ranked: (counted: Positions, row: Row) => Ranked;
}): Pick<ExportedFile<Row>, 'fields' | 'toCells' | 'toItems'> {
  const place = createRanker();
  function placed<Made>(rows: readonly Row[], make: (row: Row, positions: Ranked) => Made) {
    const made: Made[] = [];
    for (const row of rows) {
      const counted = place(row, timeOf(row));
      if (row.is_listed) made.push(make(row, ranked(counted, row)));
    }
    return made;
  }
  const [toCells, toItem] = [cellsWith(columns), itemsWith(fields)];
  return {
    fields: Object.keys(columns),
    toCells: (rows) => placed(rows, toCells),
    toItems: (rows) => placed(rows, toItem),
  };
}
