import fc from 'fast-check';
import { expect, test } from 'vitest';
import { insertLargeTexts, LargeText } from './large-text.ts';

const textOf = (pieces: readonly Uint8Array[]): string => {
  const utf8 = new TextDecoder();
  return pieces.map((piece) => utf8.decode(piece, { stream: true })).join('');
};

const anyPieces = fc.array(
  fc.tuple(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 20_000 })),
  { maxLength: 5 },
);

test('writes the same JSON for a large text as for its string', () => {
  fc.assert(
    fc.property(anyPieces, fc.string(), (sent, plain) => {
      const pieces = sent.map(([text, times]) => text.repeat(times));
      const large = LargeText.of(pieces);
      expect(JSON.parse(`"${textOf(large.jsonBlocks)}"`)).toBe(pieces.join(''));
      const write = (value: string) => JSON.stringify({ params: [plain, value, plain] });
      const inserted = insertLargeTexts(write(large.toPostgres()), [large]);
      expect(textOf(inserted)).toBe(write(pieces.join('')));
    }),
    { numRuns: 30 },
  );
});

test('inserts several large texts, and inserts them again into the next request', () => {
  const [a, b] = [LargeText.of(['a"']), LargeText.of(['b'])];
  for (const _attempt of [1, 2]) {
    const request = JSON.stringify([a.toPostgres(), b.toPostgres(), a.toPostgres()]);
    expect(textOf(insertLargeTexts(request, [a, b, a]))).toBe('["a\\"","b","a\\""]');
  }
});
