import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKeptBytes } from './kept-bytes.ts';

test('returns bytes once and reads them again in the same blocks, wherever they are cut', () => {
  const piece = fc.tuple(fc.integer({ min: 0, max: 150_000 }), fc.integer({ min: 0, max: 255 }));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const kept = createKeptBytes();
      const given: number[][] = [];
      const expected: number[] = [];
      for (const [length, value] of pieces) {
        const bytes = new Uint8Array(length).fill(value);
        for (let at = 0; at < length; at += 1) expected.push(value);
        for (const block of kept.push(bytes)) {
          given.push(Array.from(block));
          expect([...kept.read()]).toHaveLength(given.length);
        }
        bytes.fill(0);
      }
      given.push(Array.from(kept.end()));
      const again = Array.from(kept.read(), (block) => Array.from(block));
      expect(again.map(({ length }) => length)).toEqual(given.map(({ length }) => length));
      expect(again.flat().length).toBe(expected.length);
      expect(again.flat().every((byte, at) => byte === expected[at])).toBe(true);
      expect(given.flat().every((byte, at) => byte === expected[at])).toBe(true);
    }),
    { numRuns: 20 },
  );
});
