import { expect, test } from 'vitest';
import { createBracketFinder } from './json-brackets.ts';

const TEXT = String.raw`[{"a \"quoted\" [text]":"{\\"},["\\\"]",""],"\u00f1 😀 {"]`;

/** The brackets of a text in these pieces, each with its offset. */
function bracketsOf(pieces: readonly Uint8Array[]): string[] {
  const brackets: string[] = [];
  let before = 0;
  const find = createBracketFinder({
    open: (at, isArray) => brackets.push(`${before + at}${isArray ? '[' : '{'}`),
    close: (at, isArray) => brackets.push(`${before + at}${isArray ? ']' : '}'}`),
  });
  for (const piece of pieces) {
    find(piece);
    before += piece.length;
  }
  return brackets;
}

test('brackets in strings are left out, wherever the text is cut', () => {
  const bytes = new TextEncoder().encode(TEXT);
  const expected = ['0[', '1{', '29}', '31[', '42]', '59]'];
  expect(bracketsOf([bytes])).toEqual(expected);
  for (let at = 0; at <= bytes.length; at++) {
    for (let end = at; end <= bytes.length; end++) {
      const pieces = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
      expect(bracketsOf(pieces)).toEqual(expected);
    }
  }
});
