import { expect, test } from 'vitest';
import { kmOfPoint } from './point.ts';

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
