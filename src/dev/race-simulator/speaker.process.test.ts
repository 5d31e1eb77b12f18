import { expect, test } from 'vitest';
import { entrantsOf, planRace } from './plan.ts';
import { playSpeaker, speakerOf } from './speaker.ts';

const raceOf = (distances: readonly string[], seed: number) =>
  planRace(entrantsOf(300, ...distances), seed);

test.each([
  [['21K', '10K'], 1],
  [['42K'], 2],
  [['10K'], 3],
])('names eight of the next ten at the finish of %j', (distances, seed) => {
  const { right, looks } = playSpeaker(raceOf(distances, seed));
  expect(looks).toBeGreaterThan(50);
  expect(right).toBeGreaterThan(0.8);
});

test('says so in the report of a race, if ten runners came', () => {
  expect(speakerOf(raceOf(['10K'], 3))).toEqual([
    "The speaker's page would name 8.4 of the next 10 at the finish.",
  ]);
  expect(speakerOf(planRace([{ bib: '1', distance: '10K' }], 1))).toEqual([]);
});
