import type { Passing, Result } from '../../client/index.ts';
import type { RacePlan, ResultRow } from './plan.ts';

/** The fields of a result that uploads set. */
export type HeldResult = Pick<
  Result,
  'bib_number' | 'status' | 'chip_time' | 'gun_time' | 'splits'
>;

const textOf = ({ status, chip_time, gun_time, splits }: HeldResult | ResultRow): string => {
  const times = Object.entries(splits).map((split) => split.join(' '));
  return `${status}, chip ${chip_time ?? 'none'}, gun ${gun_time ?? 'none'}, ${times.sort().join(', ')}`;
};

/**
 * Compares the last row of each runner with the stored results.
 * @param held all results of the event, including runners outside the race
 * @returns a line for each runner whose result differs
 */
export function differencesBetween(
  { finalRows }: Pick<RacePlan, 'finalRows'>,
  held: readonly HeldResult[],
): string[] {
  const heldByBib = new Map(held.map((result) => [result.bib_number, textOf(result)]));
  return [...finalRows].flatMap(([bib, row]) =>
    heldByBib.get(bib) === textOf(row)
      ? []
      : [`bib ${bib}: ${heldByBib.get(bib) ?? 'no result'}; sent: ${textOf(row)}`],
  );
}

/**
 * Compares the passings with the stored passings.
 * @returns a line for each passing that is not stored as sent
 */
export function missingPassings(
  { passings }: Pick<RacePlan, 'passings'>,
  held: readonly Pick<Passing, 'bib_number' | 'point' | 'time'>[],
): string[] {
  const heldTimes = new Map(
    held.map(({ bib_number, point, time }) => [`${bib_number} ${point}`, time]),
  );
  return passings.flatMap(({ row: { bib_number, point, time } }) => {
    const stored = heldTimes.get(`${bib_number} ${point}`);
    return stored === time
      ? []
      : [`bib ${bib_number} at ${point}: ${stored ?? 'no passing'}; sent: ${time}`];
  });
}
