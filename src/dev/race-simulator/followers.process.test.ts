import { expect, test } from 'vitest';
import {
  ALWAYS_LOOKING,
  BOARD_PAGE,
  followersOf,
  NOW_AND_THEN,
  PLAIN_PAGE,
  playFollowers,
} from './followers.ts';
import { entrantsOf, planRace } from './plan.ts';

const plan = planRace(entrantsOf(600, '21K', '10K', '10K'), 1);

test.each([
  ['always look send two thirds', ALWAYS_LOOKING, 2 / 3],
  ['look now and then send half', NOW_AND_THEN, 0.5],
] as const)(
  'followers who %s of the requests of a plain page, and learn of each arrival in 10 s',
  (_, habit, share) => {
    const { requests, latestMs } = playFollowers(plan, BOARD_PAGE, habit);
    expect(requests).toBeGreaterThan(0);
    expect(requests).toBeLessThanOrEqual(share * playFollowers(plan, PLAIN_PAGE, habit).requests);
    expect(latestMs).toBeGreaterThan(5_000);
    expect(latestMs).toBeLessThanOrEqual(10_000);
  },
);

test('followers of a large race who always look send half of the requests of a plain page', () => {
  const large = planRace(entrantsOf(10_000, '21K', '10K', '10K'), 1);
  const requestsOf = (page: typeof BOARD_PAGE) =>
    playFollowers(large, page, ALWAYS_LOOKING, 10).requests;
  expect(requestsOf(BOARD_PAGE)).toBeLessThanOrEqual(requestsOf(PLAIN_PAGE) / 2);
});

test('the report of a race has a line for each habit', () => {
  expect(followersOf(plan).join('\n')).toMatch(
    /^50 followers who always look would send \d+ requests, \d\d % of one every 5 s, and learn of an arrival after \d\.\d s at most\.\n50 followers who look now and then .*$/,
  );
});
