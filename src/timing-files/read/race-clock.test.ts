import { describe, expect, test } from 'vitest';
import { instantIn, isZone, RaceClock } from './race-clock.ts';
import { formatRaceTime } from './race-time.ts';
import { RowError } from './reason-codes.ts';

const start = (
  distance: string | null,
  starts_at: string,
  bibs: [number, number] | null = null,
) => ({
  name: distance ?? 'all',
  distance,
  bib_from: bibs?.[0] ?? null,
  bib_to: bibs?.[1] ?? null,
  starts_at,
});
const starts = [
  start('110K', '2026-10-24T06:00:00+02:00'),
  start('21K', '2026-10-25T09:00:00+01:00'),
  start('21K', '2026-10-25T09:10:00+01:00', [4, 4]),
];
const distances = new Map([
  ['1', '110K'],
  ['2', '21K'],
  ['3', '5K'],
  ['4', '21K'],
]);
const clock = new RaceClock({ zone: 'Europe/Madrid', starts, points: [], distances });

/** The time, or the code of the error. */
function timeOf(bib: string, cell: string, point?: string, by = clock): string | undefined {
  try {
    const timeMs = by.timeMs(bib, cell, point);
    return timeMs === undefined ? undefined : formatRaceTime(timeMs);
  } catch (error) {
    return error instanceof RowError ? `${error.code} ${error.found}`.trim() : String(error);
  }
}

test('a point with told kilometres is passed a day later if nobody is so fast', () => {
  const points = [{ name: 'Summit', distance: '110K', order: 1, km: 90 }];
  const told = new RaceClock({ zone: 'Europe/Madrid', starts, points, distances });
  expect(timeOf('1', '08:00:00', 'Summit')).toBe('02:00:00.000');
  expect(timeOf('1', '08:00:00', 'Summit', told)).toBe('27:00:00.000');
});

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
    ['of a wave', '4', '10:28:03', undefined, '01:18:03.000'],
    ['as a spreadsheet stores it', '2', '46320.4361458333', undefined, '01:28:03.000'],
    ['as the part of a day', '2', '0,4361458333', undefined, '01:28:03.000'],
    ['that is a word is none', '1', 'DNF', undefined, undefined],
    ['of 25 hours is none', '1', '25:10:00', undefined, undefined],
    ['of a 13th hour is none', '1', '13:10:00 PM', undefined, undefined],
    ['on a day that no month has is none', '1', '2026-09-31 10:10:00', undefined, undefined],
    [
      'of a bib that nobody has counts from the first start',
      '9',
      '10:00:00',
      undefined,
      '04:00:00.000',
    ],
  ])('%s: %s %s', (_what, bib, cell, point, time) => {
    expect(timeOf(bib, cell, point)).toBe(time);
  });
});

describe('without a zone', () => {
  const of = (starts_at: string, zone: string | null = null) =>
    new RaceClock({
      zone,
      starts: [start(null, starts_at)],
      points: [],
      distances: new Map([['1', null]]),
    });

  test.each([
    ['counts by the offset of the start', '2026-05-09T09:00:00+02:00', '10:00:00', '01:00:00.000'],
    ['counts by the offset of the cell', '2026-05-09T07:00:00Z', '10:00:00+02:00', '01:00:00.000'],
    ['knows no clock of a start in UTC', '2026-05-09T07:00:00Z', '10:00:00', 'no_time_zone'],
  ])('%s: %s %s', (_what, starts_at, cell, time) => {
    expect(timeOf('1', cell, undefined, of(starts_at))).toBe(time);
  });

  test('counts by the start if nobody knows the zone', () => {
    const by = of('2026-05-09T09:00:00+02:00', 'Europe/Nowhere');
    expect(timeOf('1', '10:00:00', undefined, by)).toBe('01:00:00.000');
  });
});

test('finds an instant by the clocks of a zone', () => {
  expect(instantIn('Europe/Madrid', '2026-10-24 06:00')).toBe(Date.parse('2026-10-24T04:00Z'));
  expect(instantIn('Europe/Madrid', '06:00')).toBeUndefined();
  expect(isZone('Europe/Nowhere')).toBe(false);
});
