import { expect, test } from 'vitest';
import { publicName } from './public-name.ts';

const MAX = 100;

test.each([
  ['Km 10', 'Km 10'],
  ['Km\u00a010', 'Km 10'],
  ['Km\u202f10', 'Km 10'],
  ['Km  10', 'Km 10'],
  ['Km \u00a0\u3000 10', 'Km 10'],
  ['Km\u200b 10', 'Km 10'],
  ['Km \u200b 10', 'Km 10'],
  ['K\u00adm 1\u20600\ufeff', 'Km 10'],
  ['\u200b Km 10\u00a0\u200b', 'Km 10'],
  ['\tKm 10\r\n', 'Km 10'],
  ['Pen\u0303a', 'Peña'],
  ['e\u200b\u0301', 'é'],
  ['A\u030a', 'Å'],
  ['\u200b \u00a0', ''],
  // These names differ.
  ['KM 10', 'KM 10'],
  ['Km10', 'Km10'],
  ['🏃\u200d♀️ می\u200cروم', '🏃\u200d♀️ می\u200cروم'],
])('the name %j is %j, and stays so', (sent, name) => {
  expect(publicName(sent, MAX)).toEqual({ name });
  expect(publicName(name, MAX)).toEqual({ name });
});

test.each([
  ...[0x61c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e],
  ...[0x2066, 0x2067, 0x2068, 0x2069, 0, 9, 10, 0x1b, 0x7f, 0x85, 0x2028, 0x2029, 0xd83c],
])('refuses a name with the sign %i, and names the sign', (code) => {
  const found = `found U+${code.toString(16).toUpperCase().padStart(4, '0')}, expected a text of one line`;
  const fault = expect.stringContaining(found);
  expect(publicName(`Km${String.fromCodePoint(code)}10`, MAX)).toEqual({ fault });
});

test('counts the characters of the kept name', () => {
  const fault = 'expected at most 100 characters';
  expect(publicName('🏃'.repeat(100), MAX)).toEqual({ name: '🏃'.repeat(100) });
  expect(publicName('🏃'.repeat(101), MAX)).toEqual({ fault });
  expect(publicName('n\u0303'.repeat(100), MAX)).toEqual({ name: 'ñ'.repeat(100) });
  expect(publicName('x'.repeat(101), MAX)).toEqual({ fault });
  // NFC writes this letter as two.
  expect(publicName('\u0958'.repeat(51), MAX)).toEqual({ fault });
  expect(publicName('e\u0301\u0316'.repeat(1_000_000), MAX)).toEqual({ fault });
});
