import { describe, expect, test } from 'vitest';
import { encodeLatin1 } from '../../testing/csv.ts';
import { decideEncoding } from '../read/encoding.ts';
import { FileError } from '../read/file-error.ts';
import { PLAIN } from '../read/parameters.ts';
import { readRows } from '../read/results-file.ts';
import { atOnce } from '../read/turns.ts';
import { explainRefusal } from './refusal.ts';

const upload = (lines: readonly string[]) => () => {
  const blocks = [encodeLatin1(lines.join('\n'))];
  try {
    return [...readRows(blocks, decideEncoding(blocks), PLAIN)].map((row) => row.claim());
  } catch (error) {
    throw error instanceof FileError ? atOnce(explainRefusal(error, blocks, PLAIN)) : error;
  }
};

describe('explains the refusal of a plain upload', () => {
  test.each<[string, readonly string[], RegExp]>([
    [
      'a bib column of another name',
      ['Dossard;Nom;Time', '41;Eva;1:28:03'],
      /no bib column .*Found: Dossard, Nom, Time\. "Dossard" is the bib;.* Send it with bib=Dossard\./,
    ],
    [
      'a header below title lines',
      ['Stadtlauf', '', 'Bib;Time', '41;1:28:03'],
      /Line 3 looks like the header\..*Send it with header_line=3\./,
    ],
    [
      'a file without a header',
      ['41;Eva;1:28:03', '52;Teo;1:29:10'],
      /The file has no header\..*Send it with bib=#1, chip_time=#3, header_line=0\./,
    ],
    [
      'a column that two may be',
      ['A;B;Time', '41;31;1:28:03', '52;44;1:29:10'],
      /No column is clearly the bib\. Send it with one of these parameters: bib=A \("A", as in 41\); bib=B/,
    ],
    [
      'a file that is not latin-1',
      ['Íîìåð;Ðåçóëüòàò', '41;1:28:03', '52;1:29:10'],
      /Send it with bib=Номер, .*encoding=windows-1251\./,
    ],
    [
      'two columns called Time',
      ['Bib;Time;Time', '41;0:40:00;1:28:03', '52;0:41:00;1:29:10'],
      /differ on line 2.*Send it with one of these parameters: chip_time=#2, .*; chip_time=#3,/,
    ],
    [
      'text without delimiters',
      ['Num  Name  Time', '41   Eva   1:28:03', '52   Teo   1:29:10'],
      /lined up by blanks/,
    ],
  ])('of %s', (_what, lines, message) => {
    expect(upload(lines)).toThrow(message);
  });
});
