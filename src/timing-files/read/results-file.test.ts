import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
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
} from '../../testing/csv.ts';
import { bytesOf } from '../../testing/uploads.ts';
import { decideEncoding } from './encoding.ts';
import { openFile } from './open-file.ts';
import { PLAIN as NO_PARAMETERS, parseParameters } from './parameters.ts';
import { type FileRow, readRows } from './results-file.ts';

async function readAll(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  parameters = NO_PARAMETERS,
): Promise<FileRow[]> {
  const blocks = await openFile(streamOf(pieces), {});
  return [...readRows(blocks, decideEncoding(blocks, parameters.encoding), parameters)];
}

const read = (...pieces: (string | Uint8Array)[]) =>
  readAll(pieces.map((piece) => bytesOf([piece])));

const echoesOf = (rows: FileRow[]) => rows.map((row) => ({ row: row.row, item: row.echo() }));

async function readBack(file: Uint8Array, cuts: readonly number[]) {
  const rows = await readAll(cut(file, cuts));
  return echoesOf(rows).map(({ row, item }) => ({ line: row, cells: Object.values(item ?? {}) }));
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
  const blankOrNot = fc.array(fc.oneof(fc.constant<string[]>([]), cells), { maxLength: 10 });
  const rows = fc.tuple(blankOrNot, cells).map(([some, one]) => [...some, one]);
  return fc.record({ dialect: fc.constant(file.dialect), cuts: fc.constant(file.cuts), rows });
});

describe('a file', () => {
  it('is read cell by cell in any dialect and encoding, wherever its bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(anyFile, async ({ dialect, cuts, rows }) => {
        const header = ['Número', 'Km 5', 'Estado'];
        const rowsRead = await readBack(
          encode(writeCsv([header, ...rows], dialect), dialect),
          cuts,
        );
        let line = 2;
        const expected: { line: number; cells: string[] }[] = [];
        for (const row of rows) {
          const cells = row.map((cell) => cell.replace(/\r\n?/g, '\n'));
          if (cells.length > 0) expected.push({ line, cells });
          line += 1 + cells.join('').split('\n').length - 1;
        }
        expect(rowsRead).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('is read the same in any pieces', async () => {
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

describe('the encoding of the whole file', () => {
  const splitsOf = async (...pieces: (string | Uint8Array)[]) =>
    (await read(...pieces)).at(-1)?.claim().splitNames;

  it('is latin-1 if the first byte that is not UTF-8 comes late', async () => {
    const filler = '1,20:00,10:00,x\n'.repeat(5_000);
    // In UTF-8 these two bytes are a single letter, in latin-1 two letters.
    const header = bytesOf(['dorsal,time,Ñ,club\n']);
    const last = encodeLatin1('2,20:00,10:00,Peña\n');
    expect(await splitsOf(header, filler, last)).toEqual(['Ã\u2018', 'club']);
    expect(await splitsOf(header, filler, bytesOf(['2,20:00,10:00,Peña\n']))).toEqual([
      'Ñ',
      'club',
    ]);
  });

  it('is latin-1 if the file ends inside a UTF-8 character', async () => {
    const rows = await read('bib,status\n1,DNS\n', encodeLatin1('Ñ,DNS\nÑ,DNS\n2,DNÑ'));
    expect(rows.map((row) => row.bib())).toEqual(['1', 'Ñ', 'Ñ', '2']);
    const cutOff = await read('bib,status\n1,DNS\n2,DNF', encodeLatin1('Ñ'));
    expect(echoesOf(cutOff).at(-1)).toEqual({ row: 3, item: { bib: '2', status: 'DNFÑ' } });
  });

  it('is windows-1252 if it has the characters of Windows', async () => {
    expect(await splitsOf('bib,time,', Uint8Array.of(0x80), '\n1,20:00,10:00\n')).toEqual(['€']);
  });
});

describe('UTF-16', () => {
  const text = 'bib,time,Año\n1,20:00,10:00\n😀,21:00,11:00\n';

  const utf16 = (written: string, isBigEndian: boolean) =>
    Uint8Array.from(
      written.split('').flatMap((unit) => {
        const code = unit.charCodeAt(0);
        return isBigEndian ? [code >> 8, code & 0xff] : [code & 0xff, code >> 8];
      }),
    );

  const ORDERS: [string, boolean][] = [
    ['little-endian', false],
    ['big-endian', true],
  ];

  it.each(ORDERS)(
    'reads %s by its byte order mark, wherever a block ends',
    async (_, isBigEndian) => {
      const file = utf16(`\uFEFF${text}`, isBigEndian);
      for (const place of file.keys()) {
        expect(await readBack(file, [place, place + 1])).toEqual([
          { line: 2, cells: ['1', '20:00', '10:00'] },
          { line: 3, cells: ['😀', '21:00', '11:00'] },
        ]);
      }
    },
  );

  it.each(ORDERS)('reads %s if a block ends inside a character', async (_, isBigEndian) => {
    const filler = '2,20:00,😀\n'.repeat(20_000);
    const rows = await read(utf16(`\uFEFF${text}${filler}x,${filler}`, isBigEndian));
    expect(rows).toHaveLength(40_002);
    expect(rows.at(-1)?.echo()).toEqual({ bib: '2', time: '20:00', Año: '😀' });
  });

  it.each(ORDERS)('refuses %s with a cut last character', async (_, isBigEndian) => {
    const file = utf16(`\uFEFF${text}`, isBigEndian);
    await expect(read(file.subarray(0, -1))).rejects.toThrow(/UTF-16, but is damaged or cut off/);
  });

  it.each(ORDERS)('refuses %s without a mark, because of its NULs', async (_, isBigEndian) => {
    await expect(read(utf16(text, isBigEndian))).rejects.toThrow(/NUL/);
  });
});

describe('a file that is not text', () => {
  it.each([
    ['an old Excel workbook', [0xd0, 0xcf, 0x11, 0xe0], /save it as \.xlsx/],
    ['a web page', [0x0a, 0x3c, 0x68, 0x74, 0x6d, 0x6c], /HTML or XML/],
    ['JSON', [0xef, 0xbb, 0xbf, 0x7b, 0x22], /is JSON/],
    ['a PDF', [0x25, 0x50, 0x44, 0x46], /a PDF/],
    ['a gzip', [0x1f, 0x8b, 0x08, 0x00], /compressed/],
  ])('is refused with its kind: %s', async (_what, start, message) => {
    await expect(read(Uint8Array.from([...start, 0, 0, 0, 0]))).rejects.toThrow(message);
  });
});

describe('a file without results', () => {
  it.each(['bib,time', 'bib,time\n', '\uFEFFbib,time\r\n\r\n,,\r\n'])(
    'has no rows below its header: %j',
    async (text) => {
      expect(await read(text)).toEqual([]);
    },
  );

  it.each(['', '\n \n', 'sep=;', 'sep=;\n'])('refuses a file without results: %j', async (text) => {
    await expect(read(text)).rejects.toThrow(/empty/);
  });
});

describe('cells as spreadsheets write them', () => {
  const bibsOf = async (text: string) => (await read(text)).map((row) => row.bib());

  it('are read without what keeps a text from becoming a number', async () => {
    const text = 'bib,time\n="0012",20:00\n"=""0013""",20:00\n\'0014,20:00\n';
    expect(await bibsOf(text)).toEqual(['0012', '0013', '0014']);
  });

  it('are whole bibs without a fraction of zero', async () => {
    const text = 'bib,time\n12.0,20:00\n12.5,20:00\nA.0,20:00\n';
    expect(await bibsOf(text)).toEqual(['12', '12.5', 'A.0']);
  });
});

it('reads a header cell with a newline as one name', async () => {
  const rows = await read('"Chip\nTime";Bib\n20:00;7\n');
  expect(rows.map((row) => [row.bib(), row.claim().chipTime])).toEqual([['7', '20:00']]);
});

describe('two columns of one name', () => {
  const claims = async (text: string) => (await read(text)).map((row) => row.claim());

  it('are refused if their cells differ, with the query that names each', async () => {
    const text = 'Bib,Swim,Time,Run,Time\n7,x,20:00,y,30:00\n';
    await expect(claims(text)).rejects.toThrow(
      /2 columns are named "Time", .* differ on line 2: .* chip_time=#3 or chip_time=#5\./,
    );
  });

  it('are read if one of them is blank in each row, or both say the same', async () => {
    const read = await claims('bib,time,Time\n7,20:00,20:00\n8,,21:00\n9,22:00,\n');
    expect(read.map(({ chipTime }) => chipTime)).toEqual(['20:00', '21:00', '22:00']);
  });

  it('are told apart by a number if they are splits', async () => {
    const [row] = await claims('bib,time,Lap,Lap (2),Lap,Lap\n7,20:00,5:00,5:01,5:02,5:03\n');
    expect(row?.splitNames).toEqual(['Lap', 'Lap (2)', 'Lap (3)', 'Lap (4)']);
  });
});

describe('a named encoding', () => {
  const readAs = async (label: string, bytes: Uint8Array) => {
    const rows = await readAll([bytes], parseParameters([['encoding', label]]));
    return rows.map((row) => row.echo());
  };

  it('is the one in which the file is read', async () => {
    const bytes = bytesOf(['bib,status\n', Uint8Array.of(0xcf, 0xb8, 0xf2), ',DNF\n']);
    expect(await readAs('CP1251', bytes)).toEqual([{ bib: 'Пёт', status: 'DNF' }]);
  });

  it.each(['cp850', 'IBM850', '850'])('can be a code page of DOS: %s', async (label) => {
    const bytes = bytesOf(['bib,Br', Uint8Array.of(0x81), 'cke,status\n7,x,DNF\n']);
    expect(await readAs(label, bytes)).toEqual([{ bib: '7', Brücke: 'x', status: 'DNF' }]);
  });

  it('is asked for if a column name has control characters', async () => {
    const bytes = bytesOf(['bib,Br', Uint8Array.of(0x81), 'cke,status\n7,x,DNF\n']);
    await expect(readAll([bytes])).rejects.toThrow(/control characters, so the encoding/);
  });

  it('is refused if the bytes are not in it', async () => {
    const bytes = bytesOf(['bib,status\n', Uint8Array.of(0xff), ',DNF\n']);
    await expect(readAs('utf-8', bytes)).rejects.toThrow(/not utf-8: name another encoding/);
  });

  it('is refused if nobody knows it', async () => {
    await expect(readAs('utf-7', bytesOf(['bib']))).rejects.toThrow(
      /encoding is "utf-7": expected/,
    );
  });
});

describe('a row without an end', () => {
  const LONG = 'x'.repeat(70_000);
  const FAILS = '2,no time,y\n';

  it.each([
    ['at once', (text: string) => [text]],
    ['in large pieces', (text: string) => [text.slice(0, 60_000), text.slice(60_000)]],
    ['in small pieces', (text: string) => text.match(/[\s\S]{1,1000}/g) ?? []],
  ])('refuses a row that is too long (%s)', async (_how, cutUp) => {
    for (const filler of [0, 30_000, 65_500]) {
      const text = `bib,time,note\n1,20:00,${'z'.repeat(filler)}\n3,20:00,${LONG}\n${FAILS}`;
      await expect(read(...cutUp(text))).rejects.toThrow(/line 3 does not end/);
    }
  });
});

test('refuses a file of more than 1 048 576 lines, also if they are blank', async () => {
  const blank = '\n'.repeat(1_048_574);
  for (const end of ['', '\n']) {
    expect(await read('bib,estado\n', blank, `7,dns${end}`)).toHaveLength(1);
    await expect(read('bib,estado\n', blank, `7,dns\n8,dns${end}`)).rejects.toThrow(
      /more than 1048576 lines/,
    );
  }
});

test('refuses a file of 100 001 rows', async () => {
  await expect(read('bib,estado\n', '7,dns\n'.repeat(100_001))).rejects.toThrow(
    /more than 100000 rows/,
  );
});
