import { describe, expect, it } from 'vitest';
import { claimCells } from './claim.ts';
import { echoCells, recognizeColumns } from './columns.ts';

const CHIP_NAMES = [
  'chip_time',
  'tiempo_chip',
  'chip',
  'tiempo',
  'time',
  'finish_time',
  'resultado',
];
const GUN_NAMES = ['gun_time', 'tiempo_pistola', 'pistola', 'gun'];

const claim = (header: string[], cells: string[]) => {
  const { splitNames, splitTimes, ...claimed } = claimCells(recognizeColumns(header), cells);
  return { ...claimed, splits: splitNames.map((name, index) => [name, splitTimes[index]]) };
};

describe('a column means what the contract says', () => {
  it.each(['dorsal', 'bib', 'bib_number', 'numero'])('%s: the bib', (name) => {
    expect(claim(['x', name, 'status'], ['?', '7', 'DNS'])).toMatchObject({ bib: '7' });
  });

  it.each(CHIP_NAMES)('%s: the chip time', (name) => {
    expect(claim(['bib', name], ['7', '20:00'])).toMatchObject({ chipTime: '20:00', gunTime: '' });
  });

  it.each(GUN_NAMES)('%s: the gun time', (name) => {
    expect(claim(['bib', name], ['7', '20:00'])).toMatchObject({ chipTime: '', gunTime: '20:00' });
  });

  it.each(['estado', 'status'])('%s: the status', (name) => {
    expect(claim(['bib', name], ['7', 'DNF'])).toMatchObject({ status: 'DNF', splits: [] });
  });
});

describe('a name is recognized', () => {
  it.each([
    ['DORSAL', 'in capitals'],
    ['Dorsal', 'with a capital'],
    ['  dorsal\t', 'with blanks around it'],
    ['Número', 'with an accent'],
    ['NU\u0301MERO', 'with an accent of its own'],
    ['bib number', 'with a blank'],
    ['Bib-Number', 'with a hyphen'],
    ['BIB  -  NUMBER', 'with blanks and a hyphen'],
    ['bib\u00a0number', 'with a blank that does not break'],
  ])('%j: %s', (name) => {
    expect(claim([name, 'time'], ['7', '20:00'])).toMatchObject({ bib: '7', splits: [] });
  });

  it.each(['Tiempo Chip', 'TIEMPO-CHIP', 'Chip Time', 'Résultado', 'Finish-time'])('%j', (name) => {
    expect(claim(['bib', name], ['7', '20:00'])).toMatchObject({ chipTime: '20:00', splits: [] });
  });

  it.each(['mi tiempo', 'times', 'chip_code', 'tiempo.chip', 'gun_time_2'])(
    'and %j is not',
    (name) => {
      expect(claim(['bib', 'status', name], ['7', 'DNF', '20:00']).splits).toEqual([
        [name, '20:00'],
      ]);
    },
  );
});

describe('of two columns with one meaning', () => {
  it('the first name of the contract counts, wherever it stands', () => {
    for (const [weight, name] of CHIP_NAMES.entries()) {
      for (const lesser of CHIP_NAMES.slice(weight + 1)) {
        expect(claim(['bib', lesser, name], ['7', '30:00', '20:00']).chipTime).toBe('20:00');
      }
    }
    expect(claim(['numero', 'dorsal', 'time'], ['8', '7', '']).bib).toBe('7');
    expect(claim(['bib', 'gun', 'gun_time'], ['7', '30:00', '20:00']).gunTime).toBe('20:00');
    expect(claim(['bib', 'status', 'estado'], ['7', 'DNS', 'DNF']).status).toBe('DNF');
  });

  it('under one name, the left one counts', () => {
    expect(claim(['bib', 'time', 'Time'], ['7', '20:00', '30:00']).chipTime).toBe('20:00');
  });

  it('a transponder beside a time is no time', () => {
    expect(claim(['Bib', 'Chip', 'Time'], ['7', 'MX4Q2T', '20:00']).chipTime).toBe('20:00');
  });

  it('the first that is filled is what fails where none is a time', () => {
    expect(claim(['Bib', 'Chip', 'Time'], ['7', 'MX4Q2T', 'soon']).chipTime).toBe('MX4Q2T');
    expect(claim(['Bib', 'Chip', 'Time'], ['7', ' ', 'soon']).chipTime).toBe('soon');
    expect(claim(['Bib', 'Chip', 'Time'], ['7', '', '']).chipTime).toBe('');
  });

  it('a blank bib or status gives way to the other', () => {
    expect(claim(['bib', 'dorsal', 'time'], ['7', ' ', '20:00']).bib).toBe('7');
    expect(claim(['bib', 'estado', 'status'], ['7', '', 'DNF']).status).toBe('DNF');
  });
});

describe('any other column is a split', () => {
  it('by its name as written, trimmed', () => {
    expect(
      claim([' Km 5 ', 'BIB', 'Mitad-Ñ', 'time'], ['10:00', '7', 'x', '20:00']).splits,
    ).toEqual([
      ['Km 5', '10:00'],
      ['Mitad-Ñ', 'x'],
    ]);
  });

  it('unless it has no name', () => {
    expect(claim(['bib', 'time', '', '  '], ['7', '20:00', '10:00', '11:00']).splits).toEqual([]);
  });

  it('named as it likes: __proto__ and constructor too', () => {
    const header = ['bib', 'time', '__proto__', 'constructor'];
    expect(claim(header, ['7', '20:00', '10:00', '11:00']).splits).toEqual([
      ['__proto__', '10:00'],
      ['constructor', '11:00'],
    ]);
  });

  it('without a cell where the row is short', () => {
    expect(claim(['bib', 'time', 'Km 5'], ['7']).splits).toEqual([['Km 5', undefined]]);
  });
});

describe('a header is refused', () => {
  it('without a bib column, telling what was found and what is accepted', () => {
    const read = () => recognizeColumns(['nombre', 'time']);
    expect(read).toThrow(/dorsal, bib, bib_number, numero/);
    expect(read).toThrow(/Found: nombre, time\./);
  });

  it('with neither a time nor a status, telling what was found and what is accepted', () => {
    const read = () => recognizeColumns(['bib', 'Km 5']);
    for (const name of [...CHIP_NAMES, ...GUN_NAMES, 'estado', 'status']) {
      expect(read).toThrow(new RegExp(`[( ]${name}[,)]`));
    }
    expect(read).toThrow(/Found: bib, Km 5\./);
  });

  it('with more than 1 100 columns', () => {
    const header = (columns: number) => [
      'bib',
      'time',
      ...Array.from({ length: columns - 2 }, (_, index) => `Km ${index}`),
    ];
    expect(recognizeColumns(header(1_100)).splitNames).toHaveLength(1_098);
    expect(() => recognizeColumns(header(1_101))).toThrow(/1101 columns; at most 1100/);
  });

  it('with a name of more than 100 characters', () => {
    expect(recognizeColumns(['bib', 'time', 'x'.repeat(100)]).splitNames).toHaveLength(1);
    expect(() => recognizeColumns(['bib', 'time', 'x'.repeat(101)])).toThrow(/101 characters/);
  });

  it('with a NUL in it', () => {
    expect(() => recognizeColumns(['bib', 'time', 'Km\0 5'])).toThrow(/NUL/);
  });
});

describe('the echo of a row', () => {
  const echo = (header: string[], cells: string[]) =>
    Object.entries(echoCells(recognizeColumns(header), cells));

  it('gives the cells as they were read, under the names as written', () => {
    expect(echo(['Dorsal ', 'time', 'Km 5'], [' 7', 'x', ''])).toEqual([
      ['Dorsal', ' 7'],
      ['time', 'x'],
      ['Km 5', ''],
    ]);
  });

  it('hides no cell: neither under a name given twice, nor without a name', () => {
    expect(echo(['bib', 'time', 'time', ''], ['7', 'a', 'b', 'c', 'd'])).toEqual([
      ['bib', '7'],
      ['time', 'a'],
      ['time (column 3)', 'b'],
      ['column 4', 'c'],
      ['column 5', 'd'],
    ]);
  });

  it('keeps a column named __proto__', () => {
    expect(echo(['bib', 'time', '__proto__'], ['7', 'x', 'y'])).toContainEqual(['__proto__', 'y']);
  });
});
