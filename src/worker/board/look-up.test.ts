import { expect, test } from 'vitest';
import { createLookUp } from './look-up.ts';

const waiting = { waitUntil() {}, logFields: { trips: 0 } };

test('looks keys up for any number of requests together', async () => {
  const trips: number[] = [];
  const lookUp = createLookUp(async (keys) => {
    trips.push(keys.length);
    await new Promise((resolve) => setTimeout(resolve, 10));
    return new Map(keys.map((key) => [key, key]));
  });
  const found = await Promise.all(
    Array.from({ length: 500 }, (_, key) => lookUp([`${key}`], waiting)),
  );
  expect(found.map((map, key) => map.get(`${key}`))).toEqual(found.map((_, key) => `${key}`));
  expect(trips.length).toBeLessThanOrEqual(2);
  expect(trips.reduce((sum, keys) => sum + keys)).toBe(500);
});

test('looks up again after a failure', async () => {
  let fails = true;
  const lookUp = createLookUp(async (keys) => {
    if (fails) throw new Error('away');
    return new Map(keys.map((key) => [key, key]));
  });
  await expect(lookUp(['1'], waiting)).rejects.toThrow('away');
  fails = false;
  expect(await lookUp(['1'], waiting)).toEqual(new Map([['1', '1']]));
});
