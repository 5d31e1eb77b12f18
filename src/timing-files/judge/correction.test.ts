import { expect, test } from 'vitest';
import type { Result } from '../read/result.ts';
import { type Beside, correctionWarnings } from './correction.ts';

const MINUTE_MS = 60_000;

const RESULT: Result = {
  bib: '304',
  status: 'FINISHED',
  chipTimeMs: 105 * MINUTE_MS,
  gunTimeMs: 108 * MINUTE_MS,
  hasZeroTime: false,
  splitNames: ['Km 5', 'Km 10'],
  splitTimesMs: [25 * MINUTE_MS, 50 * MINUTE_MS],
};

const BESIDE: Beside = {
  distance: 'Half marathon',
  others: { count: 3, fastestMs: 70 * MINUTE_MS, slowestMs: 150 * MINUTE_MS },
};

const codes = (result: Partial<Result>, beside: Partial<Beside> = {}) =>
  correctionWarnings({ ...RESULT, ...result }, { ...BESIDE, ...beside }).map(({ code }) => code);

test('has nothing against a result that fits', () => {
  expect(codes({})).toEqual([]);
  expect(codes({ status: 'DNF', chipTimeMs: null, gunTimeMs: null })).toEqual([]);
  expect(codes({ gunTimeMs: null }, { distance: null, others: null })).toEqual([]);
});

test.each<[string, Partial<Result>, Partial<Beside>, string[]]>([
  ['a gun time below the chip time', { gunTimeMs: 104 * MINUTE_MS }, {}, ['gun_below_chip']],
  [
    'a split after the finish',
    { gunTimeMs: null, splitTimesMs: [25 * MINUTE_MS, 106 * MINUTE_MS] },
    {},
    ['split_after_finish'],
  ],
  [
    'a time that nobody runs',
    { chipTimeMs: null, gunTimeMs: 9 * MINUTE_MS, splitTimesMs: [], splitNames: [] },
    {},
    ['implausible_for_distance'],
  ],
  ['a start long after the gun', { gunTimeMs: 200 * MINUTE_MS }, {}, ['implausible_for_distance']],
  [
    'a time far before all others',
    { chipTimeMs: 62 * MINUTE_MS, gunTimeMs: null },
    {},
    ['implausible_for_distance'],
  ],
  [
    'a time far behind all others',
    { chipTimeMs: 226 * MINUTE_MS, gunTimeMs: null },
    {},
    ['implausible_for_distance'],
  ],
  [
    'a day',
    { chipTimeMs: 25 * 60 * MINUTE_MS, gunTimeMs: null },
    { distance: null, others: null },
    ['over_24_hours'],
  ],
])('warns of %s', (_, result, beside, expected) => {
  expect(codes(result, beside)).toEqual(expected);
});

test('says what a mistyped hour means', () => {
  const mistyped = { ...RESULT, chipTimeMs: 9 * MINUTE_MS, gunTimeMs: 108 * MINUTE_MS + 46_000 };
  const details = correctionWarnings(mistyped, BESIDE).map(({ detail }) => detail);
  expect(details).toEqual([
    'Half marathon in 9 min 0 s: nobody runs it so.',
    'The gun time is 1 h 39 min longer than the chip time.',
    'A split does not fit the time.',
  ]);
});
