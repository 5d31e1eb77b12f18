import { expect, test } from 'vitest';
import { storableFileName } from './file-bytes.ts';

test('shortens a file name to 200 characters without cutting an emoji in half', () => {
  const name = `${'a'.repeat(199)}🏃.csv`;
  expect(storableFileName(name)).toBe('a'.repeat(199));
  expect(storableFileName(`${'a'.repeat(198)}🏃.csv`)).toBe(`${'a'.repeat(198)}🏃`);
});

test.each([
  ['C:\\races\\finish.csv', 'finish.csv'],
  ['../fin\u200bish\u00a0 1.csv', 'finish 1.csv'],
  [' / ', null],
])('keeps of the file name %j: %j', (name, stored) => {
  expect(storableFileName(name)).toBe(stored);
});

test.each([
  ['finish\u0000.csv', 'U+0000'],
  ['../vsc.\u202ehsinif', 'U+202E'],
  ['finish\u2066.csv', 'U+2066'],
])('refuses the file name %j', (name, found) => {
  expect(() => storableFileName(name)).toThrow(
    `The name of the file cannot be kept: found ${found}, expected a text of one line`,
  );
});
