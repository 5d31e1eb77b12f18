import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKeptBytes } from './kept-bytes.ts';

test('the bytes kept are the bytes read, however they were cut and whatever becomes of the pieces', () => {
  const piece = fc.tuple(fc.integer({ min: 0, max: 150_000 }), fc.integer({ min: 0, max: 255 }));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const kept = createKeptBytes();
      const expected: number[] = [];
      for (const [length, value] of pieces) {
        const bytes = new Uint8Array(length).fill(value);
        for (let at = 0; at < length; at += 1) expected.push(value);
        kept.push(bytes);
        bytes.fill(0);
      }
      const read = [...kept.read()].flatMap((block) => Array.from(block));
      expect(read.length).toBe(expected.length);
      expect(read.every((byte, at) => byte === expected[at])).toBe(true);
    }),
    { numRuns: 20 },
  );
});
