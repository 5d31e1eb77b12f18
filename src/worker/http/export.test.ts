import { expect, test } from 'vitest';
import { csvLine, etagOf } from './export.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['Ana;=1+1', "Ana;'=1+1"],
  ['Ana; "@SUM(A1)', '"Ana; ""\'@SUM(A1)"'],
  ['Ana\n=1+1', '"Ana\n\'=1+1"'],
  ['Ana;;\t-1;+2', "Ana;;\t'-1;'+2"],
  ['Ana; Eva; 7', 'Ana; Eva; 7'],
  ['Ana-Eva + Co', 'Ana-Eva + Co'],
])('writes %j so that no spreadsheet runs a part of it', (text, cell) => {
  expect(csvLine([7, text])).toBe(`7,${cell}\r\n`);
});

test('writes a text of a million separators in linear time', () => {
  const text = ';\t'.repeat(500_000);
  expect(csvLine([text])).toBe(`${text}\r\n`);
});

test('an ETag differs by type, fields and digest', async () => {
  const tags = [
    await etagOf('text/csv', ['bib', 'time'], '17'),
    await etagOf('text/csv', ['bib'], '17'),
    await etagOf('text/csv', ['time', 'bib'], '17'),
    await etagOf('application/json', ['bib', 'time'], '17'),
    await etagOf('text/csv', ['bib', 'time'], '18'),
  ];
  expect(new Set(tags).size).toBe(tags.length);
  expect(await etagOf('text/csv', ['bib', 'time'], '17')).toBe(tags[0]);
});
