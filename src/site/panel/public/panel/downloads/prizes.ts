import type { OrganizationEvent } from '../../../../../worker/events/panel-answer-schemas.ts';

/** A field with the place in a group of a distance. */
export type PlaceIn = `position_distance${'' | '_gender' | '_category'}`;

/** The places of a distance, and of a gender, with a prize. */
const OVERALL = 3;

type Places = Readonly<Record<PlaceIn, number | null>>;

/** Whether the runner is among the first of the distance or of the gender. */
const winsOverall = ({ position_distance, position_distance_gender }: Places): boolean =>
  [position_distance, position_distance_gender].some((place) => place !== null && place <= OVERALL);

/**
 * The runners of a group in the order of their places, each with the number of the prize: the place, or an earlier
 * place that left its prize. Equal places share a prize.
 */
export function prizesIn<Result extends Places>(
  results: readonly Result[],
  field: PlaceIn,
  prizes: OrganizationEvent['prizes'],
): { result: Result; place: number; prize: number }[] {
  const isOnce = prizes === 'overall_leaves_category' && field === 'position_distance_category';
  const placed = results.flatMap((result) => {
    const place = result[field];
    return place === null || (isOnce && winsOverall(result)) ? [] : { result, place };
  });
  placed.sort((one, other) => one.place - other.place);
  return placed.map((one) => ({
    ...one,
    prize: 1 + placed.findIndex(({ place }) => place === one.place),
  }));
}
