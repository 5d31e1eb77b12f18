import { describe, expect, inject, test } from 'vitest';
import { bytesIn, type Dialect, encode, PLAIN, writeCsv } from '../../testing/csv.ts';
import type { ResultsFile } from '../../testing/results-files.ts';
import { judgeFile, previewBlocks } from '../../testing/results-judge.ts';
import { createCsvReader } from '../read/csv-reader.ts';

const FILES: ResultsFile[] = JSON.parse(inject('resultsFiles'));

const DIALECTS: Dialect[] = [
  { ...PLAIN, delimiter: ';', newline: '\r\n' },
  { ...PLAIN, delimiter: '\t', hasByteOrderMark: true },
  { ...PLAIN, delimiter: '|' },
  { ...PLAIN, quotes: 'always', newline: '\r' },
];

/** The rows of a file in UTF-8; undefined for a workbook and for further encodings. */
async function rowsIn(file: ResultsFile): Promise<string[][] | undefined> {
  if (file.name.endsWith('.xlsx')) return undefined;
  const bytes = bytesIn(file);
  const { encoding, delimiter } = await previewBlocks([bytes], '', file);
  if (encoding !== 'utf-8') return undefined;
  const rows: string[][] = [];
  let next = 1;
  const reader = createCsvReader(
    () => delimiter,
    ({ line, cells }) => {
      // A blank line has no cells.
      for (; next < line; next += 1) rows.push([]);
      rows.push(cells);
      next += cells.join('').split('\n').length;
    },
  );
  reader.write(new TextDecoder().decode(bytes));
  reader.end();
  return rows;
}

const base64Of = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

describe('the suggestion for a file', () => {
  test.each(FILES)('is the same in any dialect of CSV: $name', async (file) => {
    const rows = await rowsIn(file);
    if (!rows) return;
    const width = Math.max(...rows.map((cells) => cells.length));
    const whole = rows.map((cells) =>
      cells.length === 0 ? [] : [...cells, ...Array<string>(width - cells.length).fill('')],
    );
    const { stored, query } = await judgeFile(file);
    for (const dialect of DIALECTS) {
      const written = writeCsv(whole, dialect);
      const verdict = await judgeFile({ ...file, base64: base64Of(encode(written, dialect)) });
      expect({ ...dialect, ...verdict }).toMatchObject({ stored, query, isSilent: false });
    }
  });
});
