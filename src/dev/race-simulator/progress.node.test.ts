import { expect, test } from 'vitest';
import type { ResultRow } from './plan.ts';
import { progressLine, raceClock } from './progress.ts';

test('prints the race clock and the stored results by status', () => {
  const statuses = ['FINISHED', 'FINISHED', 'DNF', 'DNS'] as const;
  const rows = statuses.map((status, index): ResultRow => {
    return { bib_number: `${index}`, status, splits: {} };
  });
  const stored = new Map(rows.map((row) => [row.bib_number, row]));
  expect(progressLine({ clockMs: 2_537_000, stored, uploads: 3 })).toBe(
    '00:42:17  2 finished, 1 DNF, 1 DNS, 0 DSQ in 3 uploads',
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
