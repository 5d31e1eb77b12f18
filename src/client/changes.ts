/** A participant or a result of an export. */
type Item = { inscription_id: string };

/** The differences between two versions of a list. */
export type Changes<T extends Item> = {
  added: T[];
  changed: { before: T; after: T }[];
  removed: T[];
};

/**
 * Compares two exports of a list by `inscription_id`: an old copy and a new copy. A bib moved to another runner makes
 * two changes, in both registrations.
 * @throws the error of reading a list; no item is known as removed then
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

/** A copy may come from a database with a different order of the fields. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
