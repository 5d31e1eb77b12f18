import { expect, test } from 'vitest';
import { lengthKm } from '../../timing-files/read/distance.ts';
import { paceSeconds, secondsTo } from './pace.ts';

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
  ['00:50:00.000', 'Km 10', '21K', 3_329],
  ['00:50:00', '10K', '20 km', 3_000],
  ['00:25:00', 'km 5,5', '10K', 1_227],
  ['00:50:00', 'Km 10', '10K', undefined],
  ['00:50:00', 'Bridge', '21K', undefined],
  ['00:50:00', 'Km 10', '', undefined],
  ['01:40:00', 'Media maratón', '42K', 6_000],
  ['01:40:00', 'Half', '50K', undefined],
  ['00:10:00', 'Km 10', '21K', undefined],
])('expects of %s at %s the finish of %s in %s s', (time, name, distance, seconds) => {
  expect(secondsTo(lengthKm(distance), [{ name, time }], false)).toBe(seconds);
});

test('leaves out the wait for the start where only the gun is known', () => {
  const splits = [
    { name: 'Km 5', time: '00:45:00' },
    { name: 'Km 10', time: '01:10:00' },
  ];
  expect(secondsTo(20, splits, true)).toBe(3_000);
  expect(secondsTo(20, splits, false)).toBe(4_200);
  expect(secondsTo(20, splits.slice(1), true)).toBe(4_200);
});
