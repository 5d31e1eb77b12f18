import { expect, test } from 'vitest';
import { type PlaceIn, prizesIn } from './public/panel/downloads/prizes.ts';

type Places = Record<PlaceIn, number | null>;

const places = (
  overall: number | null,
  gender: number | null,
  category: number | null,
): Places => ({
  position_distance: overall,
  position_distance_gender: gender,
  position_distance_category: category,
});

/**
 * The runners of a category: the winner of the race, the third woman, two equal runners, a later one, and no finisher.
 */
const CATEGORY = {
  first: places(1, 1, 1),
  third: places(40, 3, 2),
  fifth: places(60, 5, 3),
  equal: places(60, 5, 3),
  ninth: places(90, 9, 5),
  none: places(null, null, null),
};

const wonBy = (field: PlaceIn, prizes: 'all' | 'overall_leaves_category') =>
  prizesIn(Object.values(CATEGORY), field, prizes).map(({ result, place, prize }) => [
    Object.entries(CATEGORY).find(([, one]) => one === result)?.[0],
    place,
    prize,
  ]);

test('gives each place of a category its prize, unless who wins overall leaves the category', () => {
  expect(wonBy('position_distance_category', 'all')).toEqual([
    ['first', 1, 1],
    ['third', 2, 2],
    ['fifth', 3, 3],
    ['equal', 3, 3],
    ['ninth', 5, 5],
  ]);
  expect(wonBy('position_distance_category', 'overall_leaves_category')).toEqual([
    ['fifth', 3, 1],
    ['equal', 3, 1],
    ['ninth', 5, 3],
  ]);
  for (const field of ['position_distance', 'position_distance_gender'] as const) {
    expect(wonBy(field, 'overall_leaves_category')).toEqual(wonBy(field, 'all'));
  }
});
