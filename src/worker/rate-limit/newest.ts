/** Keeps an entry as the newest entry. Forgets the oldest entry if more than `most` remain. */
export function keepNewest<Value>(
  entries: Map<string, Value>,
  name: string,
  value: Value,
  most: number,
): void {
  entries.delete(name);
  entries.set(name, value);
  const [oldest] = entries.keys();
  if (entries.size > most && oldest !== undefined) entries.delete(oldest);
}
