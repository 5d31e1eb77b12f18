/** An upload and its rows, by bib. */
export type Written<T> = { id: string; rows: ReadonlyMap<string, T> };

/**
 * Finds a serial order of uploads in which each bib has the row of its last writer. An upload with an equal row may
 * also come later, because the upload does not write the row again.
 * @returns undefined if no such order exists
 */
export function serialOrderOf<T>(
  uploads: readonly Written<T>[],
  lastWriterOf: ReadonlyMap<string, string>,
  isSame: (one: T | undefined, other: T | undefined) => boolean,
): string[] | undefined {
  /** The uploads that must precede each upload. */
  const before = new Map(uploads.map(({ id }) => [id, new Set<string>()]));
  const rowsOf = new Map(uploads.map(({ id, rows }) => [id, rows]));
  for (const { id, rows } of uploads) {
    for (const [bib, row] of rows) {
      const last = lastWriterOf.get(bib);
      if (last === undefined || !before.has(last)) return undefined;
      if (last !== id && !isSame(rowsOf.get(last)?.get(bib), row)) before.get(last)?.add(id);
    }
  }
  const order: string[] = [];
  while (before.size > 0) {
    const free = Array.from(before).find(([, needed]) => needed.size === 0)?.[0];
    if (free === undefined) return undefined;
    order.push(free);
    before.delete(free);
    for (const needed of before.values()) needed.delete(free);
  }
  return order;
}
