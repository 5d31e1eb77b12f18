import { describe, expect, test } from 'vitest';
import { firstGunAt, gunAt } from './public/board/starts.ts';

const DATE = '2027-05-09T07:00:00.000Z';
const at = (time: string) => Date.parse(`2027-05-09T${time}:00Z`);

const start = (distance: string | null, time: string, bibs: [number, number] | null = null) => ({
  name: time,
  distance,
  bib_from: bibs?.[0] ?? null,
  bib_to: bibs?.[1] ?? null,
  starts_at: `2027-05-09T${time}:00.000Z`,
});

describe('the gun of a race', () => {
  test.each([
    [
      'is the first gun of its distance',
      [start('10K', '09:05', [500, 599]), start('10K', '09:00'), start(null, '08:00')],
      '09:00',
    ],
    [
      'is the first gun of all distances, if its own has none',
      [start('21K', '08:00'), start(null, '08:40', [1, 9]), start(null, '08:30')],
      '08:30',
    ],
    ['is the date of the event while nobody told a start', [], '07:00'],
  ])('%s', (_, starts, time) => {
    expect(gunAt({ event_date: DATE, starts }, '10K')).toBe(at(time));
  });

  test('is unknown if only other distances have a start, and on a day without a time', () => {
    expect(gunAt({ event_date: DATE, starts: [start('21K', '08:00')] }, '10K')).toBeUndefined();
    expect(gunAt({ event_date: '2027-05-09T00:00:00.000Z', starts: [] }, '10K')).toBeUndefined();
  });
});

test('takes the earliest of all starts for the first gun of an event', () => {
  const starts = [start('10K', '09:00'), start('21K', '08:15')];
  expect(firstGunAt({ event_date: DATE, starts })).toBe(at('08:15'));
});
