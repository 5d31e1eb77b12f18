let collator: Intl.Collator | undefined;

/** `5K` before `10K`. The first collator of an isolate takes milliseconds, so none is made at start-up. */
export function compareNames(one: string, other: string): number {
  collator ??= new Intl.Collator('es', { numeric: true });
  return collator.compare(one, other);
}

/** The order of a race's groups. */
export const compareGroups = (
  one: { gender: string; category: string },
  other: { gender: string; category: string },
): number => compareNames(one.gender, other.gender) || compareNames(one.category, other.category);
