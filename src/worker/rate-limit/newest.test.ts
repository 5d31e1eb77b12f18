import { expect, test } from 'vitest';
import { keepNewest } from './newest.ts';

test('forgets the entry that was kept longest ago', () => {
  const entries = new Map<string, number>();
  for (const [value, name] of ['a', 'b', 'a', 'c'].entries()) keepNewest(entries, name, value, 2);
  expect([...entries]).toEqual([
    ['a', 2],
    ['c', 3],
  ]);
});
