import { expect, test } from 'vitest';
import { mustAsk, type Seen } from './must-ask.ts';

const seen = (
  meanings: (string | null)[],
  [known, unknown]: readonly [number, number] = [10, 0],
): Seen => ({
  columns: meanings.map((meaning) => ({ meaning })),
  counts: { uploaded: known - 1, updated: 1, not_found: unknown },
});

const SUGGESTED = seen(['bib', null, 'chip_time'], [9, 1]);

test.each<[string, Seen, Seen, boolean]>([
  [
    'a suggestion whose bibs are registered',
    SUGGESTED,
    seen([null, null, 'chip_time'], [1, 9]),
    false,
  ],
  ['a refused file, of which the suggestion is shown', SUGGESTED, SUGGESTED, false],
  ['a plain reading in which most rows fail', SUGGESTED, seen(['bib', null, null], [2, 0]), false],
  [
    'a plain time that is the gun time beside a net time',
    seen(['bib', 'gun_time', 'chip_time']),
    seen(['bib', 'chip_time', 'chip_time']),
    false,
  ],
  [
    'a column of transponders',
    seen(['bib', null, 'chip_time']),
    seen(['bib', 'chip_time', null]),
    false,
  ],
  ['fewer than four fifths of the bibs', seen(['bib'], [7, 3]), seen(['bib'], [7, 3]), true],
  ['an event without registrations', seen(['bib'], [1, 99]), seen(['bib'], [1, 99]), true],
  [
    'a plain reading with fewer unknown bibs',
    SUGGESTED,
    seen([null, 'bib', 'chip_time'], [10, 0]),
    true,
  ],
  [
    'a bib that the header calls a time',
    seen(['chip_time', 'bib']),
    seen(['bib', 'chip_time']),
    true,
  ],
  [
    'a gun time that becomes the net time',
    seen(['bib', 'chip_time']),
    seen(['bib', 'gun_time']),
    true,
  ],
])('asks or not: %s', (_, suggested, plain, isAsked) => {
  expect(mustAsk(suggested, plain)).toBe(isAsked);
});

test('asks if another answer leaves fewer bibs unknown', () => {
  expect(mustAsk(SUGGESTED, SUGGESTED, [seen([null, 'bib', 'chip_time'], [10, 0])])).toBe(true);
});
