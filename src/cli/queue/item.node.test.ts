import { expect, test } from 'vitest';
import { isSame, keyOf, keyOfText, textOfPassing } from './item.ts';

test('P05 P06: compares the names of points as the API does', () => {
  const one = textOfPassing({ bib_number: '7', point: 'KM 10', time: '00:41:00.000' });
  const other = textOfPassing({ bib_number: '7', point: 'Km 10', time: '00:41:00.000' });
  expect(keyOfText(one)).toBe(keyOf('7', 'Km 10'));
  expect(isSame(one, other)).toBe(true);
  expect(isSame(one, other.replace('41', '42'))).toBe(false);
  expect(isSame(one, null)).toBe(false);
});
