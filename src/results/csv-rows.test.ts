import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyCuts,
  anyDialect,
  cut,
  type Dialect,
  encode,
  encodeLatin1,
  PLAIN,
  streamOf,
  writeCsv,
} from '../testing/csv.ts';
import { bytesOf } from '../testing/uploads.ts';
import type { Batch } from './batch.ts';
import { readCsvBatch } from './csv-rows.ts';

const read = (...pieces: (string | Uint8Array)[]) =>
  readCsvBatch(streamOf(pieces.map((piece) => bytesOf([piece]))));

const echoesOf = (batch: Batch) =>
  Array.from(batch.sentAgain(), ({ row, echo }) => ({ row, item: echo() ?? {} }));

/** The file's rows as they come back: nothing of "ko" is stored, so each is echoed. */
async function readBack(file: Uint8Array, cuts: readonly number[]) {
  const batch = await readCsvBatch(streamOf(cut(file, cuts)));
  expect(batch.loadable.rows).toEqual([]);
  return echoesOf(batch).map(({ row, item }) => ({ line: row, cells: Object.values(item) }));
}

const PARTS = [
  'a',
  'Z',
  '0',
  ' ',
  '"',
  ',',
  ';',
  '\t',
  '|',
  '\n',
  '\r\n',
  '\r',
  'ñ',
  'é',
  'Ü',
  '¿',
];
const anyCellOf = (parts: string[]) =>
  fc.array(fc.constantFrom(...parts), { maxLength: 5 }).map((cell) => cell.join(''));
const anyFile = fc.record({ dialect: anyDialect, cuts: anyCuts }).chain((file) => {
  const parts = file.dialect.encoding === 'utf-8' ? [...PARTS, '京', '😀', '\u0301'] : PARTS;
  const cells = fc.tuple(anyCellOf(parts), anyCellOf(parts), fc.constant('ko'));
  const rows = fc.array(fc.oneof(fc.constant<string[]>([]), cells), { maxLength: 10 });
  return fc.record({ dialect: fc.constant(file.dialect), cuts: fc.constant(file.cuts), rows });
});

describe('a file', () => {
  it('reads back cell by cell in any dialect and encoding, wherever its bytes were cut', async () => {
    await fc.assert(
      fc.asyncProperty(anyFile, async ({ dialect, cuts, rows }) => {
        const header = ['Número', 'Km 5', 'Estado'];
        const found = await readBack(encode(writeCsv([header, ...rows], dialect), dialect), cuts);
        let line = 2;
        const expected: { line: number; cells: string[] }[] = [];
        for (const row of rows) {
          const cells = row.map((cell) => cell.replace(/\r\n?/g, '\n'));
          if (cells.length > 0) expected.push({ line, cells });
          line += 1 + cells.join('').split('\n').length - 1;
        }
        expect(found).toEqual(expected);
      }),
      { numRuns: 800 },
    );
  });

  it('reads the same whichever bytes arrive together', async () => {
    const dialects: Dialect[] = [
      { ...PLAIN, newline: '\r\n', hasByteOrderMark: true },
      { ...PLAIN, newline: '\r\n', hasByteOrderMark: true, quotes: 'always', encoding: 'latin-1' },
    ];
    for (const dialect of dialects) {
      const rows = [
        ['Número', 'Añade', 'Estado'],
        ['1', 'é"\r\n"ü', 'ko'],
        ['2', '', 'ko'],
      ];
      const file = encode(writeCsv(rows, dialect), dialect);
      const whole = await readBack(file, []);
      expect(whole).toEqual([
        { line: 2, cells: ['1', 'é"\n"ü', 'ko'] },
        { line: 4, cells: ['2', '', 'ko'] },
      ]);
      for (const place of file.keys()) expect(await readBack(file, [place])).toEqual(whole);
      expect(await readBack(file, [...file.keys()])).toEqual(whole);
    }
  });
});

describe('the encoding is decided over the whole file', () => {
  const splitsOf = async (...pieces: (string | Uint8Array)[]) =>
    (await read(...pieces)).loadable.splitNames;

  it('latin-1 where the first byte that tells comes late', async () => {
    const filler = '1,20:00,10:00,x\n'.repeat(5_000);
    // In UTF-8 these two bytes are one letter, in latin-1 two.
    const header = bytesOf(['dorsal,time,Ñ,club\n']);
    const last = encodeLatin1('2,20:00,10:00,Peña\n');
    expect(await splitsOf(header, filler, last)).toEqual([['Ã\u2018']]);
    expect(await splitsOf(header, filler, bytesOf(['2,20:00,10:00,Peña\n']))).toEqual([['Ñ']]);
  });

  it('latin-1 where it ends inside of what began as a character', async () => {
    const batch = await read('bib,status\n1,DNS\n', encodeLatin1('Ñ,DNS\nÑ,DNS\n2,DNÑ'));
    expect(String(batch.loadable.bibs)).toBe('{1,"Ñ"}');
    const cutOff = await read('bib,status\n1,DNS\n2,DNF', encodeLatin1('Ñ'));
    expect(echoesOf(cutOff).at(-1)).toEqual({ row: 3, item: { bib: '2', status: 'DNFÑ' } });
  });

  it('latin-1 as Windows writes it', async () => {
    expect(await splitsOf('bib,time,', Uint8Array.of(0x80), '\n1,20:00,10:00\n')).toEqual([['€']]);
  });
});

describe('UTF-16 is refused', () => {
  const text = 'bib,time\n1,20:00\n';
  const utf16 = (isBigEndian: boolean) =>
    Uint8Array.from(
      [...encodeLatin1(text)].flatMap((byte) => (isBigEndian ? [0, byte] : [byte, 0])),
    );

  it.each([
    ['little-endian', false, [0xff, 0xfe]],
    ['big-endian', true, [0xfe, 0xff]],
  ])('%s, by its byte order mark', async (_order, isBigEndian, mark) => {
    await expect(read(bytesOf([Uint8Array.from(mark), utf16(isBigEndian)]))).rejects.toThrow(
      /UTF-16/,
    );
    await expect(
      read(...mark.map((byte) => Uint8Array.of(byte)), utf16(isBigEndian)),
    ).rejects.toThrow(/UTF-16|NUL/);
  });

  it.each([
    ['little-endian', false],
    ['big-endian', true],
  ])('%s, by its NULs', async (_order, isBigEndian) => {
    await expect(read(utf16(isBigEndian))).rejects.toThrow(/NUL/);
  });
});

describe('a file is read again as it was read', () => {
  const LONG = 'x'.repeat(70_000);
  const FAILS = '2,no time,y\n';

  it.each([
    ['at once', (text: string) => [text]],
    ['in large pieces', (text: string) => [text.slice(0, 60_000), text.slice(60_000)]],
    ['in small pieces', (text: string) => text.match(/[\s\S]{1,1000}/g) ?? []],
  ])('a row too long is refused however it arrives (%s)', async (_how, cutUp) => {
    for (const filler of [0, 30_000, 65_500]) {
      const text = `bib,time,note\n1,20:00,${'z'.repeat(filler)}\n3,20:00,${LONG}\n${FAILS}`;
      await expect(read(...cutUp(text))).rejects.toThrow(/line 3 does not end/);
    }
  });
});

describe('100 000 rows', () => {
  const file = function* (rows: number) {
    yield bytesOf(['bib,estado\n']);
    for (let row = 0; row < rows; row += 1_000) {
      const lines = Array.from(
        { length: Math.min(1_000, rows - row) },
        (_, i) => `${row + i},dns\n`,
      );
      yield bytesOf([lines.join('')]);
    }
  };

  it('are read', async () => {
    const batch = await readCsvBatch(streamOf(file(100_000)));
    expect(batch).toMatchObject({ total: 100_000, errors: 0, duplicates: 0 });
    expect(batch.loadable.rows).toHaveLength(100_000);
    expect(batch.loadable.rows.at(-1)).toBe(100_001);
    expect(String(batch.loadable.bibs)).toMatch(/,99999}$/);
  });

  it('and one more is refused', async () => {
    await expect(readCsvBatch(streamOf(file(100_001)))).rejects.toThrow(/more than 100000 rows/);
  });
});
