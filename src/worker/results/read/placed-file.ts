import type { ExportedFile } from '../../http/export.ts';
import { cellsWith, type ItemFields, itemsWith } from '../../http/item-fields.ts';
import { createRanking, type Positions, type Runner } from './positions.ts';

/** A row of a file, or one that only counts for the positions of others. */
type PlacedRow = Runner & { is_listed: boolean };

/** How a file is made of rows that come in the order of their times. @param timeOf the time of a row in ms */
export function placedFile<
  Item extends Record<string, string | number | object | null>,
  Row extends PlacedRow,
>(
  fields: ItemFields<Item, [Row, Positions]>,
  timeOf: (row: Row) => number | null,
): Pick<ExportedFile<Row>, 'fields' | 'toCells' | 'toItems'> {
  const place = createRanking();
  function placed<Made>(rows: readonly Row[], make: (row: Row, positions: Positions) => Made) {
    const made: Made[] = [];
    for (const row of rows) {
      const positions = place(row, timeOf(row));
      if (row.is_listed) made.push(make(row, positions));
    }
    return made;
  }
  const [toCells, toItem] = [cellsWith(fields), itemsWith(fields)];
  return {
    fields: Object.keys(fields),
    toCells: (rows) => placed(rows, toCells),
    toItems: (rows) => placed(rows, toItem),
  };
}
