import { expect, test } from 'vitest';
import { lengthKm, paceSeconds } from './public/board/pace.ts';

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
