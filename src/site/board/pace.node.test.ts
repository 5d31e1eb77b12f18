import { expect, test } from 'vitest';
import { expectedMinutes, lengthKm, paceSeconds } from './public/board/pace.ts';

test.each([
  ['10K', 10],
  ['5,5 km', 5.5],
  ['1500 m', 1.5],
  ['10 miles', 16.093_44],
  ['21K', 21.0975],
  ['21 km', 21.0975],
  ['21.1K', 21.1],
  ['42K', 42.195],
  ['Half marathon', 21.0975],
  ['Media Maratón', 21.0975],
  [' Maratón ', 42.195],
])('reads the length of %s', (distance, km) => {
  expect(lengthKm(distance)).toBeCloseTo(km, 6);
});

test.each(['', 'Relevos', '24 h', '10', '0K', '10K Kids', 'K', 'Ultra 50', '__proto__'])(
  'reads no length from %j',
  (distance) => {
    expect(lengthKm(distance)).toBeUndefined();
    expect(paceSeconds('00:50:00.000', distance)).toBeUndefined();
  },
);

test('counts the seconds of a kilometre', () => {
  expect(paceSeconds('00:50:00.000', '10K')).toBe(300);
  expect(paceSeconds('01:28:03.500', '21K')).toBe(250);
  expect(paceSeconds('10:00:39.000', '5K')).toBe(7_207);
  expect(paceSeconds(null, '10K')).toBeUndefined();
  expect(paceSeconds('00:00:00.000', '10K')).toBeUndefined();
});

test.each([
  ['00:50:00.000', 'Km 10', '21K', 105],
  ['00:50:00', '10K', '20 km', 100],
  ['00:25:00', 'km 5,5', '10K', 45],
  ['00:50:00', 'Km 10', '10K', undefined],
  ['00:50:00', 'Bridge', '21K', undefined],
  ['00:50:00', 'Km 10', null, undefined],
])('expects of %s at %s the finish of %s after %s min', (time, point, distance, minutes) => {
  expect(expectedMinutes(time, point, distance)).toBe(minutes);
});
