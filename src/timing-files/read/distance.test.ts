import { expect, test } from 'vitest';
import { lengthKm } from './distance.ts';

test.each([
  ['10K', 10],
  ['10k Kids', 10],
  ['Trail 21K', 21.0975],
  ['5,5 km', 5.5],
  ['12 kilómetros', 12],
  ['21 km', 21.0975],
  ['21.1K', 21.1],
  ['42K', 42.195],
  ['1500 m', 1.5],
  ['100m', 0.1],
  ['800M', 0.8],
  ['5000 metros', 5],
  ['10 miles', 16.093_44],
  ['1 milla', 1.609_344],
  ['100M', 160.9344],
  ['50 M', 80.4672],
  ['240M', 386.242_56],
  ['Half', 21.0975],
  ['Half marathon', 21.0975],
  ['Media Maratón', 21.0975],
  ['1/2 maratón', 21.0975],
  ['Halbmarathon', 21.0975],
  [' Maratón ', 42.195],
  ['Gran maraton', 42.195],
])('reads the length of %s', (distance, km) => {
  expect(lengthKm(distance)).toBeCloseTo(km, 6);
});

test.each([
  '',
  '10',
  '0K',
  'K',
  '5m',
  '24 h',
  'Kids',
  'Ultra 50',
  'Ultramaratón',
  'Mini marathon',
  'Marathon relay',
  'Relevos',
  '4x10K',
  '4 x 5 km',
  '10K + 5K',
  '10Kids',
  '__proto__',
  `${'9'.repeat(200)}K`,
])('reads no length from %j', (distance) => {
  expect(lengthKm(distance)).toBeUndefined();
});
