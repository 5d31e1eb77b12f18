import { expect, test } from 'vitest';
import { inWholeSeconds } from './whole-seconds.ts';

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
