let collator: Intl.Collator | undefined;

/**
 * The order of distances, genders and categories in every list for people: `5K` before `10K`. The first collator of an
 * isolate takes milliseconds, so none is made at start-up.
 */
export function compareNames(one: string, other: string): number {
  collator ??= new Intl.Collator('es', { numeric: true });
  return collator.compare(one, other);
}

export const compare = (one: string, other: string): number =>
  one < other ? -1 : Number(one > other);

/** A shorter bib comes first: 9 before 10. A runner without a bib comes last. */
export function compareBibs(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return one.length - other.length || compare(one, other);
}
