import { describe, expect, test } from 'vitest';
import { BIB_FORMATS_DESCRIBED } from '../../site/docs/file-formats.ts';
import { type BibFormat, readBib } from './bib-formats.ts';

const EXAMPLES = Object.entries(BIB_FORMATS_DESCRIBED).flatMap(([format, { examples }]) =>
  Object.entries(examples).map(([cell, bib]) => [format as BibFormat, cell, bib] as const),
);

describe('the format of a bib', () => {
  test.each(EXAMPLES)('%s reads %j as %j', (format, cell, bib) => {
    expect(readBib(format, ` ${cell} `)).toBe(bib);
  });

  test.each<[BibFormat, string]>([
    ['number', 'F12'],
    ['number', '12-A'],
    ['number', '10K-012'],
    ['number', '1.23'],
    ['joined', '14.4'],
    ['exact', '12-A'],
  ])('%s leaves %j as it is', (format, bib) => {
    expect(readBib(format, bib)).toBe(bib);
  });

  test.each<[BibFormat, string, string]>([
    ['exact', '12.0', '12'],
    ['number', '#0', '0'],
    ['number', '000', '0'],
    ['joined', 'Ａ／１', 'A1'],
  ])('%s reads %j as %j', (format, cell, bib) => {
    expect(readBib(format, cell)).toBe(bib);
  });
});
