/** A participant or a result of an export. */
type Item = { inscription_id: string };

/** How a list differs from an earlier one. */
export type Changes<T extends Item> = {
  added: T[];
  changed: { before: T; after: T }[];
  removed: T[];
};

/**
 * Compares two exports of a list by `inscription_id`: the copy that you have and a new one. A bib that was
 * given to somebody else is two changes, of the two registrations.
 * @throws what reading a list throws; then nothing is known to be removed
 */
export async function changes<T extends Item>(
  before: Iterable<T> | AsyncIterable<T>,
  after: Iterable<T> | AsyncIterable<T>,
): Promise<Changes<T>> {
  const left = new Map<string, T>();
  for await (const item of before) left.set(item.inscription_id, item);
  const found: Changes<T> = { added: [], changed: [], removed: [] };
  for await (const item of after) {
    const known = left.get(item.inscription_id);
    left.delete(item.inscription_id);
    if (!known) found.added.push(item);
    else if (textOf(known) !== textOf(item)) found.changed.push({ before: known, after: item });
  }
  found.removed.push(...left.values());
  return found;
}

/** A copy may come from a database that keeps the fields in another order. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
