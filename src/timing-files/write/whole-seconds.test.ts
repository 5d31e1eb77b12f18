import { expect, test } from 'vitest';
import { gapInWholeSeconds, inWholeSeconds, secondsBehind } from './whole-seconds.ts';

test('writes the next longer second, and carries it', () => {
  const times = {
    '02:09:44.300': '02:09:45',
    '02:09:44.001': '02:09:45',
    '02:09:44.000': '02:09:44',
    '02:09:44': '02:09:44',
    '00:00:59.999': '00:01:00',
    '00:59:59.400': '01:00:00',
    '99:59:59.900': '100:00:00',
  };
  for (const [time, shown] of Object.entries(times)) expect(inWholeSeconds(time)).toBe(shown);
});

test('writes a gap as the difference of the two times that people read', () => {
  // 1:00:00.900 behind 59:59.100: both are read as 1:00:01 and 1:00:00.
  expect(gapInWholeSeconds('01:00:00.900', '00:00:01.800')).toBe('00:00:01');
  expect(gapInWholeSeconds('01:00:01.100', '00:00:00.200')).toBe('00:00:01');
  expect(gapInWholeSeconds('01:00:00.900', '00:00:00.800')).toBe('00:00:00');
});

test('tells what decided between the first three of one whole second', () => {
  const first = { place: 1, time: '00:30:00.100' };
  const second = { place: 2, time: '00:30:00.380' };
  const third = { place: 3, time: '00:30:00.904' };
  const fourth = { place: 4, time: '00:30:00.950' };
  const all = [third, first, fourth, second];
  const told = [first, second, third, fourth].map((one) => secondsBehind(one, all));
  expect(told).toEqual([undefined, 0.28, 0.524, undefined]);
  // A shared place is no difference.
  expect(secondsBehind(first, [first, { ...first }])).toBeUndefined();
  expect(secondsBehind({ place: 2, time: '00:30:01.100' }, all)).toBeUndefined();
});
