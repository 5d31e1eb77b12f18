import { describe, expect, test } from 'vitest';
import { ClockError, RaceClock, Starts } from './race-clock.ts';

const starts = {
  zone: 'Europe/Madrid',
  times: { '110K': '2026-10-24 06:00', '21K': '2026-10-25 09:00:00' },
};
const distances = new Map([
  ['1', '110K'],
  ['2', '21K'],
  ['3', '5K'],
]);
const clock = new RaceClock(starts, distances);

/** The time, or the code of the error. */
function timeOf(bib: string, cell: string, point?: string): string {
  try {
    return clock.raceTime(bib, cell, point);
  } catch (error) {
    return error instanceof ClockError ? `${error.code} ${error.found}` : String(error);
  }
}

describe('a time of day', () => {
  test.each([
    ['of the same day', '1', '22:31:10', undefined, '16:31:10.000'],
    ['over midnight', '1', '00:01:28.5', undefined, '18:01:28.500'],
    ['after the clocks went back, an hour later', '1', '04:00:00', undefined, '23:00:00.000'],
    [
      'after more than a day, because nobody runs 110 km in two hours',
      '1',
      '08:00:00',
      undefined,
      '27:00:00.000',
    ],
    ['at a point two hours after the start', '1', '08:00:00', 'Km 20', '02:00:00.000'],
    [
      'of a distance that started after the clocks went back',
      '2',
      '10:28:03',
      undefined,
      '01:28:03.000',
    ],
    ['with a date', '1', '2026-10-25 08:00:00', undefined, '27:00:00.000'],
    ['with a date as Germans write it', '1', '25.10.2026 08:00:00', undefined, '27:00:00.000'],
    [
      'with an offset, in the hour that comes twice',
      '1',
      '2026-10-25T02:30:00+01:00',
      'Km 90',
      '21:30:00.000',
    ],
    ['with an afternoon', '1', '10:31:10 PM', undefined, '16:31:10.000'],
    [
      'in the hour that comes twice is not guessed',
      '1',
      '02:30:00',
      undefined,
      'hour_twice 02:30:00',
    ],
    [
      'before the start is none',
      '1',
      '2026-10-24 05:59:59',
      'Km 1',
      'before_start 2026-10-24 05:59:59',
    ],
    ['of a distance without a start is none', '3', '10:00:00', undefined, 'no_start 5K'],
    ['that is a word stays', '1', 'DNF', undefined, 'DNF'],
    ['of a bib that nobody has stays', '9', '10:00:00', undefined, '10:00:00'],
  ])('%s: %s %s', (_what, bib, cell, point, time) => {
    expect(timeOf(bib, cell, point)).toBe(time);
  });
});

test('refuses a zone that nobody knows, and a start without a day', () => {
  expect(Starts.safeParse({ ...starts, zone: 'Europe/Nowhere' }).success).toBe(false);
  expect(Starts.safeParse({ ...starts, times: { '21K': '09:00' } }).success).toBe(false);
  expect(Starts.safeParse(starts).success).toBe(true);
});
