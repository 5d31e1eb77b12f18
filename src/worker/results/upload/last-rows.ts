import { ROWS_SHOWN } from '../../../timing-files/read/lines.ts';

/** Rows of which the last row of each name counts. Lists of values have a value for each row. */
export function createLastRows() {
  const rows: (number | undefined)[] = [];
  const ordinals = new Map<string, number>();
  let duplicates = 0;
  const repeated: [earlier: number, row: number][] = [];
  return {
    /** @param name the name behind the row, such as its bib */
    add(row: number, name: string): void {
      const earlier = ordinals.get(name);
      if (earlier !== undefined) {
        duplicates += 1;
        if (repeated.length < ROWS_SHOWN) repeated.push([rows[earlier] ?? 0, row]);
        rows[earlier] = undefined;
      }
      ordinals.set(name, rows.length);
      rows.push(row);
    },

    get duplicates() {
      return duplicates;
    },

    /** The first rows that a later row replaces, with that row. */
    repeated,

    /** The values of the counting rows. Mostly all rows count: a copy of a large list takes memory and time. */
    among: <T>(values: T[]): T[] =>
      duplicates === 0 ? values : values.filter((_, at) => rows[at] !== undefined),

    /** The counting rows, in their order. Afterwards nothing can be added. */
    finish(): number[] {
      ordinals.clear();
      return rows.filter((row) => row !== undefined);
    },
  };
}
