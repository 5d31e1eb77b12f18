import { expect, test } from 'vitest';
import { storableFileName } from './file-bytes.ts';

test('shortens a file name to 200 characters without cutting an emoji in half', () => {
  const name = `${'a'.repeat(199)}🏃.csv`;
  expect(storableFileName(name)).toBe('a'.repeat(199));
  expect(storableFileName(`${'a'.repeat(198)}🏃.csv`)).toBe(`${'a'.repeat(198)}🏃`);
});

test.each([
  ['C:\\races\\finish.csv', 'finish.csv'],
  ['../finish\u0000\u202e.csv', 'finish.csv'],
  [' / ', null],
])('keeps of the file name %j what prints: %j', (name, stored) => {
  expect(storableFileName(name)).toBe(stored);
});
