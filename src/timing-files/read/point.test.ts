import { expect, test } from 'vitest';
import { inToldOrder, kmOfPoint, kmOn, pointOf } from './point.ts';

test.each([
  ['Km 10', 10],
  ['KM. 15,3', 15.3],
  ['Food (km 12)', 12],
  ['10K', 10],
  ['5 miles', 8.04672],
  ['Half marathon', 21.0975],
  ['Half', undefined],
  ['Bridge', undefined],
  ['Lap 3', undefined],
])('%s is so far from the start: %s', (point, km) => expect(kmOfPoint(point)).toBe(km));

test('a told point of the distance comes first, then a told point of all distances, then the name', () => {
  const point = (name: string, distance: string | null, km: number | null) => ({
    ...{ name, distance, km },
    order: 1,
  });
  const told = [point('Bridge', null, 4), point('BRIDGE', '21K', 7), point('Km 5', null, null)];
  expect(kmOn(told, 'bridge', '21K')).toBe(7);
  expect(kmOn(told, 'bridge', '10K')).toBe(4);
  expect(kmOn(told, 'bridge', null)).toBe(4);
  expect(kmOn(told, 'Km 5', null)).toBe(5);
  expect(kmOn(told, 'Summit', null)).toBeUndefined();
  expect(pointOf([point('Bridge', '21K', 7)], 'Bridge', '10K')).toBeUndefined();
});

test('puts points into the told order, and leaves a point that nobody told at its place', () => {
  const told = ['Bridge', 'Summit', 'Lake'].map((name, at) => ({
    ...{ name, distance: null, km: null },
    order: at + 1,
  }));
  const order = (names: string[], points = told) => inToldOrder(points, '21K', names, String);
  expect(order(['Start', 'SUMMIT', 'Bar', 'Bridge'])).toEqual(['Start', 'Bridge', 'Bar', 'SUMMIT']);
  expect(order(['Lake', 'Bridge'], [])).toEqual(['Lake', 'Bridge']);
});
