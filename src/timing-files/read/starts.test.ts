import { describe, expect, test } from 'vitest';
import { bibNumberOf, overlappingStarts, startOf } from './starts.ts';

const start = (name: string, distance: string | null, from: number | null, to: number | null) => ({
  name,
  distance,
  bib_from: from,
  bib_to: to,
  starts_at: '2027-05-09T09:00:00Z',
});

describe('startOf', () => {
  const starts = [
    start('all', null, null, null),
    start('10K', '10K', null, null),
    start('wave', null, 500, 599),
    start('10K wave', '10K', 550, 560),
  ];

  test.each([
    ['1', null, 'all'],
    ['1', 'Half', 'all'],
    ['1', '10K', '10K'],
    ['500', '10K', 'wave'],
    ['0599', null, 'wave'],
    ['555', '10K', '10K wave'],
    ['555', 'Half', 'wave'],
    ['555A', '10K', '10K'],
    [null, '10K', '10K'],
    [null, null, 'all'],
  ])('gives the bib %s of the distance %s the start %s', (bib, distance, name) => {
    expect(startOf(starts, { bib, distance })?.name).toBe(name);
  });

  test('gives no start to a runner whom no start claims', () => {
    expect(startOf(starts.slice(1), { bib: '1', distance: 'Half' })).toBeUndefined();
  });
});

test('gives no number to a bib with letters, a sign or 13 digits', () => {
  expect(['A7', '-7', '7.0', '', '1234567890123', null].map(bibNumberOf)).toEqual(
    Array(6).fill(undefined),
  );
  expect(bibNumberOf('007')).toBe(7);
});

describe('overlappingStarts', () => {
  test('names two starts of one kind that claim the same runners', () => {
    expect(overlappingStarts([start('a', null, 1, 9), start('b', null, 9, 12)])).toEqual([0, 1]);
    expect(overlappingStarts([start('a', '5K', null, null), start('b', '5K', null, null)])).toEqual(
      [0, 1],
    );
    expect(overlappingStarts([start('a', null, null, null), start('b', null, null, null)])).toEqual(
      [0, 1],
    );
  });

  test('accepts starts of different kinds, and ranges beside each other', () => {
    expect(
      overlappingStarts([
        start('a', '5K', 1, 9),
        start('b', null, 1, 9),
        start('c', '5K', null, null),
        start('d', null, null, null),
        start('e', '10K', 1, 9),
        start('f', null, 10, 12),
      ]),
    ).toBeUndefined();
  });
});
