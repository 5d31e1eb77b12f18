import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCuts, anyDialect, cut, PLAIN, writeCsv } from '../../testing/csv.ts';
import { type CsvRow, createCsvReader, splitRow } from './csv-reader.ts';

function read(pieces: readonly string[], delimiter = ','): CsvRow[] {
  const rows: CsvRow[] = [];
  const reader = createCsvReader(
    () => delimiter,
    (row) => rows.push(row),
  );
  for (const piece of pieces) reader.write(piece);
  reader.end();
  return rows;
}

const brief = (rows: CsvRow[]) => rows.map(({ line, cells }) => ({ line, cells }));

const anyCell = fc
  .array(
    fc.constantFrom(
      ...['a', 'Z', '0', ' ', '"', ',', ';', '\t', '|', '\n', '\r\n', '\r', 'ñ', 'é', '京', '😀'],
    ),
    { maxLength: 6 },
  )
  .map((characters) => characters.join(''));

/** A row without cells is a blank line. */
const anyRows = fc.array(fc.oneof(fc.constant<string[]>([]), fc.array(anyCell, { maxLength: 5 })), {
  maxLength: 12,
});

const inLf = (text: string) => text.replace(/\r\n?/g, '\n');

/** The expected rows with their lines, counted independently of the reader. */
function expectedRows(rows: readonly string[][]) {
  let line = 1;
  const expected: { line: number; cells: string[] }[] = [];
  for (const cells of rows.map((row) => row.map(inLf))) {
    if (cells.some((cell) => cell.trim() !== '')) expected.push({ line, cells });
    line += 1 + cells.join('').split('\n').length - 1;
  }
  return expected;
}

describe('the reader', () => {
  it('reads rows and their lines in any dialect, wherever the text is cut', () => {
    fc.assert(
      fc.property(anyRows, anyDialect, anyCuts, fc.boolean(), (rows, dialect, cuts, isOpenEnd) => {
        const text = writeCsv(rows, dialect);
        const written = isOpenEnd ? text.slice(0, text.length - dialect.newline.length) : text;
        const found = read(cut(written, cuts), dialect.delimiter);
        expect(brief(found)).toEqual(expectedRows(rows));
        expect(found.some(({ misquoted }) => misquoted)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('reads the same rows one character at a time', () => {
    fc.assert(
      fc.property(anyRows, anyDialect, (rows, dialect) => {
        const text = writeCsv(rows, dialect);
        expect(
          read(
            [...text].flatMap((c) => [c, '']),
            dialect.delimiter,
          ),
        ).toEqual(read([text], dialect.delimiter));
      }),
      { numRuns: 200 },
    );
  });

  it('reads the same cells one character at a time', () => {
    fc.assert(
      fc.property(anyRows, anyDialect, (rows, dialect) => {
        for (const cells of rows.filter((row) => row.length > 0)) {
          const text = inLf(writeCsv([cells], dialect)).slice(0, -1);
          expect(splitRow(text, dialect.delimiter)).toEqual(text === '' ? [] : cells.map(inLf));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('reads CR and LF in two pieces as one newline', () => {
    expect(brief(read(['a,b\r', '\nc,d\r', '', '\n', '\r', '\ne,f']))).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['c', 'd'] },
      { line: 4, cells: ['e', 'f'] },
    ]);
  });

  it('reads a quote inside an unquoted cell as a character', () => {
    expect(brief(read(['1,O"Neil "Ace"\n2,x\n']))).toEqual([
      { line: 1, cells: ['1', 'O"Neil "Ace"'] },
      { line: 2, cells: ['2', 'x'] },
    ]);
  });

  it('skips and counts blank lines and rows of delimiters alone', () => {
    expect(brief(read(['\n \n1,a\n,,\n , \n""\n\n2,b']))).toEqual([
      { line: 3, cells: ['1', 'a'] },
      { line: 8, cells: ['2', 'b'] },
    ]);
  });

  it('marks only the row with a cell that goes on after its closing quote', () => {
    const rows = read(['"1","A "fast" one","x"\n"2","a","b"\n']);
    expect(rows.map(({ line, misquoted }) => [line, misquoted])).toEqual([
      [1, true],
      [2, false],
    ]);
  });
});

describe('a stray quote', () => {
  const good = (line: number) => ({ line, cells: [String(line), 'x'] });

  it.each([
    ['closes on a later line', '2,"A"b\n', '"4",x\n5,x\n'],
    ['never closes again', '2,"A"b\n', '4,x\n5,x\n'],
    ['opens a cell that another closes', '2,"A\n', '4,x\n5,"x"\n'],
  ])('spoils only its own line (%s)', (_what, stray, after) => {
    const rows = read([`1,x\n${stray}3,x\n${after}`]);
    expect(rows.filter(({ misquoted }) => misquoted).map(({ line }) => line)).toEqual([2]);
    expect(brief(rows.filter(({ misquoted }) => !misquoted))).toEqual([1, 3, 4, 5].map(good));
  });

  it('spoils only its own line if a long text follows later', () => {
    const lines = Array.from({ length: 30_000 }, (_, index) => `${index + 3},x\n`);
    const rows = read(['1,x\n2,"A"b\n', ...lines]);
    expect(rows).toHaveLength(30_002);
    expect(rows.filter(({ misquoted }) => misquoted).map(({ line }) => line)).toEqual([2]);
  });

  it('makes the file refused if every line has one', () => {
    const file = '1,"A"b\n'.repeat(30_000);
    expect(() => read([file])).toThrow(/More than 100 lines up to 101 have stray quotes/);
  });
});

describe('the delimiter', () => {
  it('is chosen once, by the text from the first line that is not blank', () => {
    const asked: string[] = [];
    const reader = createCsvReader(
      (start) => {
        asked.push(start);
        return ';';
      },
      () => {},
    );
    for (const piece of ['\r', '\n  \n', 'dor', 'sal;time\r', '\n1;2\n3;4\n']) reader.write(piece);
    reader.end();
    expect(asked).toEqual(['dorsal;time\n1;2\n3;4\n']);
  });

  it('is chosen if the first line is the last', () => {
    expect(read(['a,b'])).toHaveLength(1);
  });

  it('is not chosen for an empty text', () => {
    expect(read(['', '\n', '  '])).toEqual([]);
  });
});

describe("Excel's line that names the delimiter", () => {
  const HEADER_AND_ROW = [
    { line: 2, cells: ['a,b', 'c'] },
    { line: 3, cells: ['1', '2'] },
  ];

  it.each(['sep=;\n', 'SEP=;\r\n', '"sep=;"\n', '\uFEFFsep=;\r'])('is no row: %j', (first) => {
    const text = `${first}a,b;c\n1;2\n`;
    expect(brief(read([text]))).toEqual(HEADER_AND_ROW);
    expect(brief(read([...text]))).toEqual(HEADER_AND_ROW);
  });

  it('does not count for the length of the first row', () => {
    const row = `1;${'x'.repeat(65_533)}`;
    const text = `sep=;\n${row}\n2;3\n`;
    expect(brief(read([text.slice(0, 65_536), text.slice(65_536)]))).toEqual([
      { line: 2, cells: row.split(';') },
      { line: 3, cells: ['2', '3'] },
    ]);
  });

  it('is a row if it is not the first line or names something else', () => {
    expect(read(['a\nsep=;\n'])).toHaveLength(2);
    expect(read(['sep=x\na\n'])).toHaveLength(2);
  });
});

describe('a row that does not end', () => {
  it.each([
    ['at the end of the text', '1,a\n\n2,"open\n3,c\n'],
    ['as soon as it is too long', `1,a\n\n2,"open\n${'3,c\n'.repeat(20_000)}`],
  ])('is refused with the line on which it starts, %s', (_when, text) => {
    expect(() => read(cut(text, [5, 9, 11]))).toThrow(/line 3 /);
  });

  it('is refused before the rest of the file is read', () => {
    const reader = createCsvReader(
      () => ',',
      () => {},
    );
    reader.write('a,"b\n');
    expect(() => reader.write('x'.repeat(65_536))).toThrow(/line 1 /);
  });

  it('does not include a row of 65 536 characters, in one piece or two', () => {
    const cell = 'x'.repeat(65_533);
    const text = writeCsv([['1', cell], ['2']], PLAIN);
    expect(brief(read([text.slice(0, 65_530), text.slice(65_530)]))).toEqual([
      { line: 1, cells: ['1', cell] },
      { line: 2, cells: ['2'] },
    ]);
  });
});
