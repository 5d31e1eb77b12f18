import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openFile } from './open-file.ts';

test('keeps bytes in blocks of one size, wherever they are cut', async () => {
  const piece = fc.tuple(fc.integer({ min: 0, max: 150_000 }), fc.integer({ min: 0, max: 255 }));
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
      const expected = pieces.flatMap(([length, value]) => new Array<number>(length).fill(value));
      async function* arriving() {
        for (const [length, value] of pieces) {
          const bytes = new Uint8Array(length).fill(value);
          yield bytes;
          bytes.fill(0);
        }
      }
      const blocks = await openFile(arriving(), {});
      const kept = blocks.flatMap((block) => Array.from(block));
      expect(kept.length).toBe(expected.length);
      expect(kept.every((byte, at) => byte === expected[at])).toBe(true);
      expect(blocks.slice(0, -1).every(({ length }) => length === blocks[0]?.length)).toBe(true);
      expect(blocks.every(({ length }) => length > 0 && length <= 65_536)).toBe(true);
    }),
    { numRuns: 20 },
  );
});
