import { describe, expect, test } from 'vitest';
import { PLAIN, parseParameters, writeQuery } from './parameters.ts';
import { RESULT_STATUSES } from './result-status.ts';

const parse = (query: string) => parseParameters(new URLSearchParams(query));

test('reads an empty query as the plain upload', () => {
  expect(parse('')).toEqual(PLAIN);
});

test('reads every parameter', () => {
  const query =
    'bib=Stnr&chip_time=%234&gun_time=&status=Platz&split=Km+5&split=Km+10&header_line=3' +
    '&bib_format=Number&time_format=Dots&status_word=Abandon:DNF&status_word=1:finished&where=Messpunkt:Ziel' +
    '&where_not=Name:Summe&ignore=Bemerkung';
  expect(parse(query)).toEqual({
    columns: { bib: 'Stnr', chipTime: '#4', gunTime: '', status: 'Platz' },
    splits: ['Km 5', 'Km 10'],
    headerLine: 3,
    bibFormat: 'number',
    timeFormat: 'dots',
    statusWords: new Map([
      ['abandon', 'DNF'],
      ['1', 'FINISHED'],
    ]),
    where: ['Messpunkt:Ziel'],
    whereNot: ['Name:Summe'],
    ignore: ['Bemerkung'],
  });
});

test('reads an empty split as a file without splits', () => {
  expect(parse('split=').splits).toEqual([]);
  expect(parse('').splits).toBeUndefined();
});

test('writes a query that reads back the same', () => {
  const query =
    'bib=Bib+%23&split=&header_line=0&bib_format=joined&time_format=seconds&status_word=no+salió:DNS&where=a:b:c&where_not=a:&ignore=%232';
  expect(parse(writeQuery(parse(query)))).toEqual(parse(query));
  expect(writeQuery(PLAIN)).toBe('');
});

describe('an error', () => {
  test.each([
    ['an unknown parameter', 'chiptime=x', /no parameter "chiptime": expected bib, chip_time/],
    ['a parameter that stands twice', 'bib=a&bib=b', /bib is sent more than once/],
    [
      'a condition of 251 characters',
      `where=${':'.repeat(251)}`,
      /where has 251 characters: at most 250 are accepted/,
    ],
    [
      '101 conditions',
      Array.from({ length: 101 }, (_, at) => `where=Point:${at}`).join('&'),
      /where is sent 101 times: at most 100 are accepted/,
    ],
    [
      '201 status words',
      Array.from({ length: 201 }, (_, at) => `status_word=w${at}:DNF`).join('&'),
      /status_word is sent 201 times: at most 200 are accepted/,
    ],
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
    [
      'a status word of an unknown status',
      'status_word=Abandon:GONE',
      new RegExp(RESULT_STATUSES.join(', ')),
    ],
    ['a status word without a word and a status', 'status_word=%20:', /status_word is/],
    [
      'a word of two meanings',
      'status_word=x:DNF&status_word=X:DNS',
      /"x" two meanings: DNF and DNS/,
    ],
  ])('refuses %s', (_what, query, message) => {
    expect(() => parse(query)).toThrow(message);
  });
});
