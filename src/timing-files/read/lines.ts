/** The number of lines with a fault, and the first lines. */
export type Lines = { count: number; rows: number[] };

/** So many lines are named. */
export const ROWS_SHOWN = 20;

export const noLines = (): Lines => ({ count: 0, rows: [] });

export function addLine(lines: Lines, row: number): void {
  lines.count += 1;
  if (lines.rows.length < ROWS_SHOWN) lines.rows.push(row);
}

/** Joins several lists. */
export const linesOf = (some: readonly Lines[]): Lines => ({
  count: some.reduce((sum, { count }) => sum + count, 0),
  rows: some
    .flatMap(({ rows }) => rows)
    .toSorted((one, other) => one - other)
    .slice(0, ROWS_SHOWN),
});
