import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { markdownTable } from './measure.ts';
import { placesIn, signed, withReport } from './readme.ts';

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');

const line = { operation: 'a page', measured: '2.00 ms', ratio: '1.10', goal: '≤ 2 ×', met: true };

describe('a report in the README', () => {
  test('goes to its own place, over what was there', () => {
    const text =
      'A\n<!-- bench one -->\nold\n<!-- /bench -->\nB\n<!-- bench two -->\n<!-- /bench -->\n';
    const written = withReport(withReport(text, 'one', 'new'), 'two', 'other');
    expect(Object.fromEntries(placesIn(written))).toEqual({ one: 'new', two: 'other' });
    expect(written.replace(/<!-- bench.*?\/bench -->/gs, '…')).toBe('A\n…\nB\n…\n');
  });

  test('is not written where no place is kept for it', () => {
    expect(() => withReport('A\n', 'one', 'new')).toThrow('no place for one');
  });

  test('is a table, how it was measured, and how to measure it again', () => {
    const [table, note, made] = signed(
      'reads',
      { lines: [line], notes: ['Medians.'] },
      'PostgreSQL 15.1',
    ).split('\n\n');
    expect(table).toBe(
      '| operation | measured | ratio |  goal | met |\n' +
        '| --------- | -------: | ----: | ----: | --: |\n' +
        '| a page    |  2.00 ms |  1.10 | ≤ 2 × | yes |',
    );
    expect(note).toBe('Medians.');
    expect(made).toMatch(MADE);
  });
});

const MADE =
  /^\*`npm run bench -- (?<name>\w+)`, \d{4}-\d\d-\d\d, \d+ cores, Node [\d.]+(, PostgreSQL [\d.]+)?\*$/;

const cellsOf = (row: string): string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

describe.each(Array.from(placesIn(readme)))('what the README says of %s', (name, text) => {
  const paragraphs = text.split('\n\n');

  test('is signed by its own bench', () => {
    expect(MADE.exec(paragraphs.at(-1) ?? '')?.groups?.['name']).toBe(name);
  });

  test('has tables as they are made, and at least one', () => {
    const tables = paragraphs.filter((paragraph) => paragraph.startsWith('|'));
    expect(tables).not.toEqual([]);
    for (const table of tables) {
      const [header = '', , ...rows] = table.split('\n');
      expect(table).toBe(markdownTable(cellsOf(header), rows.map(cellsOf)));
    }
  });
});
