import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LargeText } from './large-text.ts';

const textOf = (pieces: readonly Uint8Array[] | undefined) => {
  const utf8 = new TextDecoder();
  return (pieces ?? []).map((piece) => utf8.decode(piece, { stream: true })).join('');
};

const anyPieces = fc.array(
  fc.tuple(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 20_000 })),
  { maxLength: 5 },
);

describe('a large text', () => {
  it('stands in the request as if it had been there as a string', () => {
    fc.assert(
      fc.property(anyPieces, fc.string(), (sent, other) => {
        const pieces = sent.map(([text, times]) => text.repeat(times));
        const large = new LargeText(pieces);
        expect(String(large)).toBe(pieces.join(''));
        const write = (value: string) => JSON.stringify({ params: [other, value, other] });
        const inserted = LargeText.insertInto(write(large.toPostgres()));
        expect(textOf(inserted)).toBe(write(pieces.join('')));
      }),
      { numRuns: 30 },
    );
  });

  it('can be sent again, and beside others', () => {
    const [a, b] = [new LargeText(['a"']), new LargeText(['b'])];
    for (const _attempt of [1, 2]) {
      const request = JSON.stringify([a.toPostgres(), b.toPostgres()]);
      expect(textOf(LargeText.insertInto(request))).toBe('["a\\"","b"]');
    }
  });

  it('is in no request that has not its placeholder', () => {
    const large = new LargeText(['secret']);
    const placeholder = large.toPostgres();
    const others = [
      '{"params":[1]}',
      JSON.stringify(`"${placeholder}"`),
      JSON.stringify(`large-text:${crypto.randomUUID()}`),
    ];
    for (const other of others) expect(LargeText.insertInto(other)).toBeUndefined();
    expect(textOf(LargeText.insertInto(JSON.stringify(placeholder)))).toBe('"secret"');
  });
});
