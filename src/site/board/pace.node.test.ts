import { expect, test } from 'vitest';
import { expectedMinutes, paceSeconds } from './public/board/pace.ts';

test('counts the seconds of a kilometre', () => {
  expect(paceSeconds('00:50:00.000', '10K')).toBe(300);
  expect(paceSeconds('01:28:03.500', '21K')).toBe(250);
  expect(paceSeconds('19:44:00.000', '100M')).toBe(441);
  expect(paceSeconds('00:50:00.000', 'Relevos')).toBeUndefined();
  expect(paceSeconds(null, '10K')).toBeUndefined();
});

test('counts no pace at which nobody runs', () => {
  expect(paceSeconds('00:00:00.000', '10K')).toBeUndefined();
  expect(paceSeconds('00:19:59.000', '10K')).toBeUndefined();
  expect(paceSeconds('00:20:00.000', '10K')).toBe(120);
  expect(paceSeconds('07:30:00.000', '10K')).toBe(2_700);
  expect(paceSeconds('07:30:01.000', '10K')).toBeUndefined();
});

test.each([
  ['00:50:00.000', 'Km 10', '21K', 105],
  ['00:50:00', '10K', '20 km', 100],
  ['00:25:00', 'km 5,5', '10K', 45],
  ['00:50:00', 'Km 10', '10K', undefined],
  ['00:50:00', 'Bridge', '21K', undefined],
  ['00:50:00', 'Km 10', null, undefined],
  ['01:40:00', 'Media maratón', '42K', 200],
  ['01:40:00', 'Half', '50K', undefined],
  ['00:10:00', 'Km 10', '21K', undefined],
])('expects of %s at %s the finish of %s after %s min', (time, point, distance, minutes) => {
  expect(expectedMinutes(time, point, distance)).toBe(minutes);
});
