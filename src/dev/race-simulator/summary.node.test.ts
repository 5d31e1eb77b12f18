import { expect, test } from 'vitest';
import { entrantsOf, planRace } from './plan.ts';
import type { Rehearsal } from './rehearsal.ts';
import { progressLine, raceClock, summaryOf } from './summary.ts';

const entrants = entrantsOf(12, '10K');

/** A race in which every result was stored. */
function race(changes: Partial<Rehearsal> = {}): Rehearsal {
  return {
    plan: { ...planRace(entrants, 7), endsAtMs: 4_475_000 },
    counts: { uploaded: 11, updated: 1, duplicates: 0, not_found: 0, errors: 0 },
    passings: 10,
    rejections: [],
    uploads: 5,
    mistake: { rows: 10, restored: 5, removed: 3, kept: 2 },
    clockMs: 2_537_000,
    differences: [],
    ...changes,
  };
}

test('summarizes a race that was played to its end', () => {
  expect(summaryOf(race())).toMatchInlineSnapshot(`
    "The race is over after 01:14:35 of its clock.
    5 uploads: 11 new, 1 updated, 0 duplicates, 0 not found, 0 errors.
    10 passings of the points on the course.
    A wrong upload of 10 rows was taken back: 5 restored, 3 removed, 2 replaced since.
    50 followers who always look would send 33590 requests, 69 % of one every 5 s, and learn of an arrival after 9.4 s at most.
    50 followers who look now and then would send 7157 requests, 37 % of one every 5 s, and learn of an arrival after 9.1 s at most.
    Followed runners would stand within 3 % of the course in 96 % of the looks.
    The speaker's page would name 10.0 of the next 10 at the finish.
    All 12 results are stored as they were sent."
  `);
});

test('shows the race clock of a stopped race, and compares nothing', () => {
  const summary = summaryOf(race({ interruption: new Error('Ctrl-C') }));
  expect(summary).toMatch(/^Stopped at 00:42:17 of 01:14:35: Ctrl-C\n/);
  expect(summary).not.toContain('stored as they were sent');
});

test('names the first ten rows that did not load', () => {
  const rejections = entrants.map(({ bib }) => `bib ${bib}: No such bib.`);
  const summary = summaryOf(race({ rejections }));
  expect(summary).toContain('  bib 1: No such bib.\n');
  expect(summary).toContain('  bib 10: No such bib.\n  and 2 more\n');
});

test('ends with the differences', () => {
  const summary = summaryOf(race({ differences: ['bib 7: no result'] }));
  expect(summary).toMatch(/differ from those that were sent:\n {2}bib 7: no result$/);
  expect(summary).not.toContain('All 12');
});

test('prints the race clock and the counts so far', () => {
  expect(progressLine(race())).toBe(
    '00:42:17  11 new, 1 updated, 0 duplicates, 0 not found, 0 errors in 5 uploads',
  );
});

test.each([
  [0, '00:00:00'],
  [59_999, '00:00:59'],
  [3_661_000, '01:01:01'],
  [360_000_000, '100:00:00'],
])('formats %d ms on the race clock as %s', (timeMs, shown) => {
  expect(raceClock(timeMs)).toBe(shown);
});
