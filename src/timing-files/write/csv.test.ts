import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine, guarded, plainCsvLine, unguarded } from './csv.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  [' =1+1', `" '=1+1"`],
  ["'=1+1", "''=1+1"],
  ['\t1', "'\t1"],
  ['\t=1', "'\t'=1"],
  ['Ana,=1+1,', `"Ana,'=1+1,"`],
  ['Ana;=1+1', "Ana;'=1+1"],
  ['Ana|=1+1', "Ana|'=1+1"],
  ['Ana\t＝1+1', "Ana\t'＝1+1"],
  ['Ana; "@SUM(A1)', '"Ana; ""\'@SUM(A1)"'],
  ['Ana\n=1+1', '"Ana\n\'=1+1"'],
  ['Ana;;\t-1;+2', "Ana;;\t'-1;'+2"],
  ['Ana; Eva; 7', 'Ana; Eva; 7'],
  ['Ana-Eva + Co', 'Ana-Eva + Co'],
])('writes %j so that no spreadsheet runs a part of it', (text, cell) => {
  expect(csvLine([7, text])).toBe(`7,${cell}\r\n`);
  expect(unguarded(guarded(text))).toBe(text);
});

/** The parts of a line for a program with a single delimiter, without blanks and quotes. */
const partsOf = (line: string, delimiter: string) =>
  line.split(delimiter).map((part) => part.replace(/^[\s"]+/, ''));

const anyText = fc.string({
  unit: fc.constantFrom(...'=+-@＝＠\'", ;\t|\r\n', 'a', '1'),
  maxLength: 12,
});

test('leaves no part that begins a formula, and takes back exactly what it adds', () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom(',', ';'), (text, delimiter) => {
      expect(unguarded(guarded(text))).toBe(text);
      const line = csvLine(['x', text], delimiter);
      for (const other of [',', ';', '\t', '|', '\n', '\r']) {
        for (const part of partsOf(line, other)) expect(part).not.toMatch(/^[=+\-@＝＋－＠]/);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('keeps texts as they are for a program', () => {
  expect(plainCsvLine(['=1', ' a', 'b,"c"'])).toBe('=1," a","b,""c"""\n');
});

test.each([';\t', "'", '" ', '=', ' ,'])('writes a million of %j in linear time', (unit) => {
  const text = unit.repeat(1_000_000 / unit.length);
  expect(unguarded(guarded(text))).toBe(text);
});
