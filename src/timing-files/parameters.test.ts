import { describe, expect, test } from 'vitest';
import { PLAIN, parseParameters, writeQuery } from './parameters.ts';

const parse = (query: string) => parseParameters(new URLSearchParams(query));

test('reads no parameter as the plain upload', () => {
  expect(parse('')).toEqual(PLAIN);
});

test('reads every parameter', () => {
  const query =
    'bib=Stnr&chip_time=%234&gun_time=&status=Platz&split=Km+5&split=Km+10&header_line=3' +
    '&time_format=Dots&status_word=Abandon:DNF&status_word=1:finished&where=Messpunkt:Ziel';
  expect(parse(query)).toEqual({
    columns: { bib: 'Stnr', chipTime: '#4', gunTime: '', status: 'Platz' },
    splits: ['Km 5', 'Km 10'],
    headerLine: 3,
    timeFormat: 'dots',
    statusWords: new Map([
      ['abandon', 'DNF'],
      ['1', 'FINISHED'],
    ]),
    where: ['Messpunkt:Ziel'],
  });
});

test('reads an empty split as no split at all', () => {
  expect(parse('split=').splits).toEqual([]);
  expect(parse('').splits).toBeUndefined();
});

test('writes a query that reads back the same', () => {
  const query =
    'bib=Bib+%23&split=&header_line=0&time_format=seconds&status_word=no+salió:DNS&where=a:b:c';
  expect(parse(writeQuery(parse(query)))).toEqual(parse(query));
  expect(writeQuery(PLAIN)).toBe('');
});

describe('refuses, and names', () => {
  test.each([
    ['an unknown parameter', 'chiptime=x', /no parameter "chiptime": expected bib, chip_time/],
    ['a parameter that stands twice', 'bib=a&bib=b', /bib stands more than once/],
    [
      'an unknown time format',
      'time_format=minutes_',
      /time_format is "minutes_": expected one of clock/,
    ],
    ['a header line that is none', 'header_line=-1', /header_line is "-1": expected the number/],
    ['a header line too far down', 'header_line=1001', /header_line is "1001"/],
    [
      'a status word without a status',
      'status_word=Abandon',
      /status_word is "Abandon".*Abandon:DNF/,
    ],
    ['a status word of an unknown status', 'status_word=Abandon:GONE', /FINISHED, DNS, DNF, DSQ/],
    ['a status without a word', 'status_word=:DNF', /status_word is ":DNF"/],
    [
      'a word of two meanings',
      'status_word=x:DNF&status_word=X:DNS',
      /"x" two meanings: DNF and DNS/,
    ],
  ])('%s', (_what, query, message) => {
    expect(() => parse(query)).toThrow(message);
  });
});
