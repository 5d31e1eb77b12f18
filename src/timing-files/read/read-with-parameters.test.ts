import { describe, expect, test } from 'vitest';
import { bytesOf } from '../../testing/uploads.ts';
import { parseParameters } from './parameters.ts';
import { RowError } from './reason-codes.ts';
import { judge } from './result.ts';
import { readRows } from './results-file.ts';

/** Each row in its stored form, or the code of its failure. */
function read(query: string, ...lines: string[]) {
  const parameters = parseParameters(new URLSearchParams(query));
  const blocks = [bytesOf([lines.join('\n')])];
  return Array.from(readRows(blocks, 'utf-8', parameters), (sent) => {
    const { row } = sent;
    try {
      const { bib, status, chipTimeMs, gunTimeMs, splitNames, splitTimesMs } = judge(sent.claim());
      const splits = Object.fromEntries(splitNames.map((name, at) => [name, splitTimesMs[at]]));
      return { row, bib, status, chip: chipTimeMs, gun: gunTimeMs, splits };
    } catch (error) {
      if (error instanceof RowError) return { row, code: error.code, reason: error.message };
      throw error;
    }
  });
}

const finished = (row: number, bib: string, chip: number, more: object = {}) => ({
  row,
  bib,
  status: 'FINISHED',
  chip,
  gun: null,
  splits: {},
  ...more,
});

describe('a column', () => {
  test('finds a column by its header in any spelling', () => {
    const lines = ['Race No,Net  Time', '7,20:00'];
    for (const query of ['bib=Race No&chip_time=Net  Time', 'bib=race_no&chip_time=NET TIME']) {
      expect(read(query, ...lines)).toEqual([finished(2, '7', 1_200_000)]);
    }
  });

  test('finds a column by its number', () => {
    expect(read('bib=%232&chip_time=%233', 'a,a,a', '1,7,20:00')).toEqual([
      finished(2, '7', 1_200_000),
    ]);
  });

  test('takes a meaning from the column that its name would give it to', () => {
    const rows = read('chip_time=Net', 'Bib,Time,Net,Km 5', '7,10:28:03,28:03,10:00');
    expect(rows).toEqual([finished(2, '7', 1_683_000, { splits: { 'Km 5': 600_000 } })]);
  });

  test('loses the meaning of its name if a parameter gives it another', () => {
    expect(read('gun_time=Time&chip_time=', 'Bib,Time', '7,20:00')).toEqual([
      finished(2, '7', 1_200_000, { chip: null, gun: 1_200_000 }),
    ]);
  });

  test('loses the meaning of its name if no parameter gives that to another column', () => {
    expect(read('gun_time=Time', 'Bib,Time', '7,20:00')).toEqual([
      finished(2, '7', 1_200_000, { chip: null, gun: 1_200_000 }),
    ]);
  });

  test('has no meaning if the parameter is empty', () => {
    expect(read('status=', 'Bib,Time,Estado', '7,20:00,Jalisco')).toEqual([
      finished(2, '7', 1_200_000),
    ]);
  });

  test.each([
    ['bib=Stnr', /The file has no column "Stnr" \(parameter bib\)\. Its columns: #1 Bib, #2 Time/],
    ['chip_time=%239', /The file has no column "#9" \(parameter chip_time\)/],
    [
      'chip_time=Twice',
      /The file has several columns "Twice" \(parameter chip_time\): name one by number, as in #3 or #4/,
    ],
    ['chip_time=Bib&bib=Bib', /bib and chip_time are the same column, Bib/],
    ['split=Bib', /split names Bib, which is the bib column/],
    ['where=Point:Finish', /where is "Point:Finish": expected a column.*#1 Bib/],
    ['where=Time', /where is "Time"/],
    ['header_line=9', /header_line is 9, but the file has fewer lines/],
    ['header_line=0', /columns are named by number/],
  ])('is refused if it does not exist or is named twice: %s', (query, message) => {
    const lines = ['Bib,Time,Twice,Twice', '7,20:00,,'];
    const parameters = parseParameters(new URLSearchParams(query));
    expect(() => [...readRows([bytesOf([lines.join('\n')])], 'utf-8', parameters)]).toThrow(
      message,
    );
  });
});

describe('splits', () => {
  const LINES = ['Bib,Time,Km 5,Pace', '7,20:00,10:00,4:00'];

  test('are only the named columns', () => {
    expect(read('split=Km 5', ...LINES)).toEqual([
      finished(2, '7', 1_200_000, { splits: { 'Km 5': 600_000 } }),
    ]);
  });

  test('are not read if the parameter is empty', () => {
    expect(read('split=', ...LINES)).toEqual([finished(2, '7', 1_200_000)]);
  });
});

describe('the header', () => {
  test('is read on the named line, below any other lines', () => {
    const lines = ['A "race", of', '"quotes', '', 'Bib;Time', '7;20:00'];
    expect(read('header_line=4', ...lines)).toEqual([finished(5, '7', 1_200_000)]);
  });

  test('is not read if the line is 0', () => {
    expect(
      read('header_line=0&bib=%231&chip_time=%232&split=%233', '7;20:00,5;10:00', '8;21:00,5;'),
    ).toEqual([
      finished(1, '7', 1_200_500, { splits: { 'column 3': 600_000 } }),
      finished(2, '8', 1_260_500),
    ]);
  });
});

describe('a status', () => {
  test('is read from a column of places, and a place means FINISHED', () => {
    const lines = ['Pos,Bib,Time', '1.,7,20:00', '=2,8,21:00', 'Ab.,9,', 'DNS,10,', '5,11,'];
    expect(read('status=Pos&status_word=ab:DNF', ...lines)).toMatchObject([
      { bib: '7', status: 'FINISHED' },
      { bib: '8', status: 'FINISHED' },
      { bib: '9', status: 'DNF' },
      { bib: '10', status: 'DNS' },
      { row: 6, code: 'missing_time' },
    ]);
  });

  test('is read from the column of times', () => {
    const lines = ['Bib,Time', '7,20:00', '8,Abandon', '9,DNF', '10,late'];
    expect(read('status_word=abandon:DNF', ...lines)).toMatchObject([
      { status: 'FINISHED' },
      { status: 'DNF', chip: null },
      { row: 4, code: 'invalid_time' },
      { row: 5, code: 'invalid_time', reason: expect.stringContaining('status_word') },
    ]);
    expect(read('status=Time', ...lines)).toMatchObject([
      { status: 'FINISHED', chip: 1_200_000 },
      { status: 'DNF', chip: null },
      { status: 'DNF' },
      { row: 5, code: 'invalid_status' },
    ]);
  });

  test('is the one that a cell begins with, with and without parameters', () => {
    const lines = [
      'Bib,Time,Status',
      '7,3:20:00,DNF knee',
      '8,,aufgegeben km 20',
      '9,,DQ - cut course',
      '10,,途中棄権(15km関門)',
      '11,20:00,finished',
      '12,20:00,paid',
    ];
    for (const query of ['', 'split=', 'split=&status=Status']) {
      expect(read(query, ...lines)).toMatchObject([
        { status: 'DNF', chip: null },
        { status: 'DNF' },
        { status: 'DSQ' },
        { status: 'DNF' },
        { status: 'FINISHED', chip: 1_200_000 },
        { row: 7, code: 'invalid_status' },
      ]);
    }
  });

  test('is the one that status_word gives a cell, whatever the cell begins with', () => {
    const lines = ['Bib,Time,Status', '7,20:00,DNF corrected', '8,20:00,DNF'];
    expect(read('status_word=DNF corrected:FINISHED', ...lines)).toMatchObject([
      { status: 'FINISHED', chip: 1_200_000 },
      { status: 'DNF' },
    ]);
  });

  test('can be a blank cell in the column of the status, and not in that of the time', () => {
    const lines = ['Pos,Bib,Time,Gun', '1,41,1:28:03,', ',52,0:44:00,'];
    expect(read('status=Pos&gun_time=Gun&status_word=:DNF', ...lines)).toMatchObject([
      { bib: '41', status: 'FINISHED', chip: 5_283_000 },
      { bib: '52', status: 'DNF', chip: null },
    ]);
  });

  test('can be a number that status_word names, and no other number', () => {
    const lines = ['Bib,Time,Status', '7,20:00,1', '8,,2', '9,21:00,3'];
    expect(read('status=Status&status_word=1:FINISHED&status_word=2:DNF', ...lines)).toMatchObject([
      { status: 'FINISHED' },
      { status: 'DNF' },
      { row: 4, code: 'invalid_status' },
    ]);
  });
});

test('reads a zero as no time, in each place and each format', () => {
  const lines = ['Bib,Time,Chip,Gun,Km 5', '7,00:00:00,20:00,0:00:00.0,0:00', '8,0:00,,00:00,'];
  expect(read('', ...lines)).toMatchObject([
    finished(2, '7', 1_200_000, { gun: null, splits: {} }),
    { code: 'missing_time', reason: expect.stringContaining('over zero') },
  ]);
  expect(
    read('chip_time=s&split=Km 5&time_format=seconds', 'Bib,s,Km 5', '7,0,0', '8,9,0'),
  ).toMatchObject([{ code: 'missing_time' }, finished(3, '8', 9_000)]);
});

test('reads hyphens as blank cells if there is a parameter', () => {
  const lines = ['Bib,Time,Gun', '7,20:00,--', '8,-,-'];
  expect(read('split=', ...lines)).toMatchObject([
    { chip: 1_200_000, gun: null },
    { code: 'missing_time' },
  ]);
  expect(read('', ...lines)).toMatchObject([{ code: 'invalid_time' }, { code: 'invalid_time' }]);
});

test('reads all times and splits in the time format', () => {
  const lines = ['Bib,Time,Gun,Km 5', "7,1h28'03\",1:28:41,41'50", '8,5283,,'];
  expect(read('time_format=apostrophes', ...lines)).toMatchObject([
    finished(2, '7', 5_283_000, { gun: 5_321_000, splits: { 'Km 5': 2_510_000 } }),
    { code: 'invalid_time', reason: expect.stringContaining('apostrophes') },
  ]);
});

test('reads digits of other scripts if there is a parameter', () => {
  const lines = ['Bib,Time,Km 5', '7,０:４１:５０,٠:٢٠:٠٠'];
  expect(read('bib=Bib', ...lines)).toMatchObject([
    finished(2, '7', 2_510_000, { splits: { 'Km 5': 1_200_000 } }),
  ]);
  expect(read('', ...lines)).toMatchObject([{ code: 'invalid_time' }]);
});

test('reads only the rows that meet the conditions', () => {
  const lines = [
    'Point:a,Sex,Bib,Time',
    'finish,F,7,20:00',
    'Finish,M,8,21:00',
    '5 km,F,7,9:00',
    'End,F,9,22:00',
  ];
  const query = 'where=Point:a:Finish&where=Point:a:end&where=Sex:F&split=';
  expect(read(query, ...lines)).toMatchObject([
    { row: 2, bib: '7' },
    { row: 5, bib: '9' },
  ]);
});

test('reads no row of a file in which none meets the condition', () => {
  expect(read('where=Point:Finish', 'Point,Bib,Time', '5 km,7,20:00')).toEqual([]);
});

test('makes no splits of counts in a format of numbers, unless split names them', () => {
  const lines = ['Bib,Age,Km 5,secs', '7,31,1252.1,5283', '8,44,1270,5350'];
  const splitsOf = (query: string) =>
    read(`bib=Bib&chip_time=secs&time_format=seconds${query}`, ...lines).map((row) => row.splits);
  expect(splitsOf('')).toEqual([{ 'Km 5': 1_252_100 }, {}]);
  expect(splitsOf('&split=Km 5')).toEqual([{ 'Km 5': 1_252_100 }, { 'Km 5': 1_270_000 }]);
});

describe('a row', () => {
  const lines = [
    'Bib,Name,Time,Gun time,Km 5',
    '7,Ana,20:00,N/A,N/A',
    '8,Mean,21:00,,',
    '9,Eva,N/A,,',
  ];

  test('is left out if a cell has a value of where_not, also if the value is blank', () => {
    const without = read('where_not=Name:mean&where_not=Name:', ...lines, ',,22:00,,');
    expect(without.map(({ row }) => row)).toEqual([2, 4]);
  });

  test('is read without the cells that status_word says are nothing, or left out without a result', () => {
    expect(read('status_word=N/A:', ...lines)).toEqual([
      finished(2, '7', 1_200_000),
      finished(3, '8', 1_260_000),
    ]);
  });
});

test('reads no ignored column, whatever its name means', () => {
  const lines = ['Bib,Time,Status,Remark', '7,20:00,seen twice,19:00'];
  expect(read('ignore=status&ignore=Remark', ...lines)).toEqual([finished(2, '7', 1_200_000)]);
});
