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
  const values = await Promise.all(
    Array.from({ length: 90 }, (_, key) => lookUp('club', `${key}`, waiting)),
  );
  expect(values).toEqual(values.map((_, key) => `${key}`));
  expect(trips.length).toBeLessThanOrEqual(2);
  expect(trips.reduce((sum, keys) => sum + keys)).toBe(90);
});

test('looks up 100 keys in a trip at most', async () => {
  const trips: number[] = [];
  const lookUp = createLookUp(async (keys) => {
    trips.push(keys.length);
    return new Map(keys.map((key) => [key, key]));
  });
  await Promise.all(Array.from({ length: 250 }, (_, key) => lookUp('club', `${key}`, waiting)));
  expect(trips).toEqual([100, 100, 50]);
});

test('looks up for an organization while another one waits', async () => {
  const lookUp = createLookUp(async (keys) => {
    if (keys.includes('slow')) await new Promise(() => {});
    return new Map(keys.map((key) => [key, key]));
  });
  void lookUp('busy', 'slow', waiting).catch(() => {});
  expect(await lookUp('other', '1', waiting)).toBe('1');
});

test('looks up again after a failure', async () => {
  let fails = true;
  const lookUp = createLookUp(async (keys) => {
    if (fails) throw new Error('away');
    return new Map(keys.map((key) => [key, key]));
  });
  await expect(lookUp('club', '1', waiting)).rejects.toThrow('away');
  fails = false;
  expect(await lookUp('club', '1', waiting)).toBe('1');
});
