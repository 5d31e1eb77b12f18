import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LargeText } from '../../db/large-text.ts';
import { numberArray, numberListArray } from './number-array.ts';

const textOf = async ({ jsonBlocks }: LargeText): Promise<string> =>
  await new Blob([...jsonBlocks]).text();

/** Times are under 1000 hours. */
const anyNumber = fc.oneof(fc.nat(2 ** 32 - 1), fc.constantFrom(0, 9, 10, 3_599_999_999));

test('writes an array of numbers as Postgres reads it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(anyNumber)), fc.nat(3_000), async (some, times) => {
      const numbers = Array.from({ length: times }, () => some).flat();
      const expected = `{${numbers.map((number) => number ?? 'null').join()}}`;
      // A difference of a million characters would take minutes to show.
      expect((await textOf(numberArray(numbers))) === expected).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test('writes lists of numbers as elements of an array, and leaves out those of rows that do not count', async () => {
  const lists = fc.array(fc.tuple(fc.array(anyNumber), fc.boolean()));
  await fc.assert(
    fc.asyncProperty(lists, async (rows) => {
      const numbers = rows.flatMap(([list]) => list);
      const ends = rows.map((_, at) => rows.slice(0, at + 1).flatMap(([list]) => list).length);
      const starts = ends.map((end, at) => end - (rows[at]?.[0].length ?? 0));
      const counting = (places: number[]) => places.filter((_, at) => rows[at]?.[1]);
      const counted = rows.filter(([, counts]) => counts);
      const elements = counted.map(([list]) => list.join('|') || 'null');
      const array = numberListArray(numbers, counting(starts), counting(ends));
      expect(await textOf(array)).toBe(`{${elements.join()}}`);
    }),
  );
});
