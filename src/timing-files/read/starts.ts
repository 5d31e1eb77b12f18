import { Pattern } from './pattern.ts';

/** A start of an event: the gun of a distance, of a wave of bibs, or of all runners. */
export type Start = {
  name: string;
  /** Null: runners of any distance, also without a distance. */
  distance: string | null;
  /** Whole numbers, inclusive. Null together: any bib. */
  bib_from: number | null;
  bib_to: number | null;
  /** RFC 3339, with the sent offset from UTC. */
  starts_at: string;
};

type Claim = Pick<Start, 'distance' | 'bib_from' | 'bib_to'>;

/** The most starts of an event: a marathon has some dozen waves. */
export const STARTS_MAX = 200;
export const START_NAME_MAX = 60;
/** The most changed podiums that the dry run of a shift names. */
export const PODIUMS_MAX = 100;
/** A list of more runners is no list for a person: the statuses are wrong as a whole. */
export const DNS_MAX = 100;
/** A larger number is no bib of a range. */
export const BIB_NUMBER_MAX = 999_999_999_999;

const DIGITS = new Pattern(/^\d+$/);

/** The number of a bib of digits alone. @returns undefined for a bib outside every range */
export function bibNumberOf(bib: string | null): number | undefined {
  return bib !== null && bib.length <= 12 && DIGITS.test(bib) ? Number(bib) : undefined;
}

/** A start with a smaller number claims a runner first. */
export const claimOrder = ({ distance, bib_from }: Claim): number =>
  (bib_from === null ? 2 : 0) + (distance === null ? 1 : 0);

/** The start of a runner: by distance and bib, else by bib, else by distance, else the start of all runners. */
export function startOf<S extends Claim>(
  starts: readonly S[],
  runner: { bib: string | null; distance: string | null },
): S | undefined {
  const bib = bibNumberOf(runner.bib);
  const claims = ({ distance, bib_from, bib_to }: S) =>
    (distance === null || distance === runner.distance) &&
    (bib_from === null ||
      bib_to === null ||
      (bib !== undefined && bib_from <= bib && bib <= bib_to));
  return starts
    .filter(claims)
    .reduce<S | undefined>(
      (first, start) => (first && claimOrder(first) <= claimOrder(start) ? first : start),
      undefined,
    );
}

/** Two starts of a kind with a common possible runner. @returns their indexes */
export function overlappingStarts(starts: readonly Claim[]): [number, number] | undefined {
  for (const [at, start] of starts.entries()) {
    const found = starts.findIndex((other, index) => index < at && isOverlap(start, other));
    if (found >= 0) return [found, at];
  }
  return undefined;
}

const isOverlap = (start: Claim, other: Claim): boolean =>
  start.distance === other.distance &&
  (start.bib_from === null) === (other.bib_from === null) &&
  (start.bib_from ?? 0) <= (other.bib_to ?? 0) &&
  (other.bib_from ?? 0) <= (start.bib_to ?? 0);
