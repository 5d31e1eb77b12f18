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

describe('recognizes the columns of the contract', () => {
  it.each(['dorsal', 'bib', 'bib_number', 'numero'])('takes %s for the bib', (name) => {
    expect(claim(['x', name, 'status'], ['?', '7', 'DNS'])).toMatchObject({ bib: '7' });
  });

  it.each(CHIP_NAMES)('takes %s for the chip time', (name) => {
    expect(claim(['bib', name], ['7', '20:00'])).toMatchObject({ chipTime: '20:00', gunTime: '' });
  });

  it.each(GUN_NAMES)('takes %s for the gun time', (name) => {
    expect(claim(['bib', name], ['7', '20:00'])).toMatchObject({ chipTime: '', gunTime: '20:00' });
  });

  it.each(['estado', 'status'])('takes %s for the status', (name) => {
    expect(claim(['bib', name], ['7', 'DNF'])).toMatchObject({ status: 'DNF', splits: [] });
  });
});

describe('the spelling of a name', () => {
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
  ])('accepts %j: %s', (name) => {
    expect(claim([name, 'time'], ['7', '20:00'])).toMatchObject({ bib: '7', splits: [] });
  });

  it.each(['Tiempo Chip', 'TIEMPO-CHIP', 'Chip Time', 'Résultado', 'Finish-time'])(
    'accepts %j',
    (name) => {
      expect(claim(['bib', name], ['7', '20:00'])).toMatchObject({ chipTime: '20:00', splits: [] });
    },
  );

  it.each(['mi tiempo', 'times', 'chip_code', 'tiempo.chip', 'gun_time_2'])(
    'and %j is not',
    (name) => {
      expect(claim(['bib', 'status', name], ['7', 'DNF', '20:00']).splits).toEqual([
        [name, '20:00'],
      ]);
    },
  );
});

describe('two columns with one meaning', () => {
  it('prefers the first name of the contract, in any order of columns', () => {
    for (const [weight, name] of CHIP_NAMES.entries()) {
      for (const lesser of CHIP_NAMES.slice(weight + 1)) {
        expect(claim(['bib', lesser, name], ['7', '30:00', '20:00']).chipTime).toBe('20:00');
      }
    }
    expect(claim(['numero', 'dorsal', 'time'], ['8', '7', '']).bib).toBe('7');
    expect(claim(['bib', 'gun', 'gun_time'], ['7', '30:00', '20:00']).gunTime).toBe('20:00');
    expect(claim(['bib', 'status', 'estado'], ['7', 'DNS', 'DNF']).status).toBe('DNF');
  });

  it('prefers the left column of two with one name', () => {
    expect(claim(['bib', 'time', 'Time'], ['7', '20:00', '30:00']).chipTime).toBe('20:00');
  });

  it('reads the time beside a transponder code', () => {
    expect(claim(['Bib', 'Chip', 'Time'], ['7', 'MX4Q2T', '20:00']).chipTime).toBe('20:00');
  });

  it('fails with the first non-empty cell if none is a time', () => {
    expect(claim(['Bib', 'Chip', 'Time'], ['7', 'MX4Q2T', 'soon']).chipTime).toBe('MX4Q2T');
    expect(claim(['Bib', 'Chip', 'Time'], ['7', ' ', 'soon']).chipTime).toBe('soon');
    expect(claim(['Bib', 'Chip', 'Time'], ['7', '', '']).chipTime).toBe('');
  });

  it('reads the other bib or status if one is blank', () => {
    expect(claim(['bib', 'dorsal', 'time'], ['7', ' ', '20:00']).bib).toBe('7');
    expect(claim(['bib', 'estado', 'status'], ['7', '', 'DNF']).status).toBe('DNF');
  });
});

describe('a column without another meaning is a split', () => {
  it('has its name as written, trimmed', () => {
    expect(
      claim([' Km 5 ', 'BIB', 'Mitad-Ñ', 'time'], ['10:00', '7', 'x', '20:00']).splits,
    ).toEqual([
      ['Km 5', '10:00'],
      ['Mitad-Ñ', 'x'],
    ]);
  });

  it('is ignored if it has no name', () => {
    expect(claim(['bib', 'time', '', '  '], ['7', '20:00', '10:00', '11:00']).splits).toEqual([]);
  });

  it('can be named __proto__ or constructor', () => {
    const header = ['bib', 'time', '__proto__', 'constructor'];
    expect(claim(header, ['7', '20:00', '10:00', '11:00']).splits).toEqual([
      ['__proto__', '10:00'],
      ['constructor', '11:00'],
    ]);
  });

  it('has no time in a row that is too short', () => {
    expect(claim(['bib', 'time', 'Km 5'], ['7']).splits).toEqual([['Km 5', undefined]]);
  });
});

describe('refuses a header', () => {
  it('refuses a header without a bib column, and names the found and the accepted columns', () => {
    const read = () => recognizeColumns(['nombre', 'time']);
    expect(read).toThrow(/dorsal, bib, bib_number, numero/);
    expect(read).toThrow(/Found: nombre, time\./);
  });

  it('refuses a header without a time and a status, and names the found and the accepted columns', () => {
    const read = () => recognizeColumns(['bib', 'Km 5']);
    for (const name of [...CHIP_NAMES, ...GUN_NAMES, 'estado', 'status']) {
      expect(read).toThrow(new RegExp(`[( ]${name}[,)]`));
    }
    expect(read).toThrow(/Found: bib, Km 5\./);
  });

  it('refuses a header with more than 1 100 columns', () => {
    const header = (columns: number) => [
      'bib',
      'time',
      ...Array.from({ length: columns - 2 }, (_, index) => `Km ${index}`),
    ];
    expect(recognizeColumns(header(1_100)).splitNames).toHaveLength(1_098);
    expect(() => recognizeColumns(header(1_101))).toThrow(/1101 columns; at most 1100/);
  });

  it('refuses a header with a name of more than 100 characters', () => {
    expect(recognizeColumns(['bib', 'time', 'x'.repeat(100)]).splitNames).toHaveLength(1);
    expect(() => recognizeColumns(['bib', 'time', 'x'.repeat(101)])).toThrow(/101 characters/);
  });

  it('refuses a header with a NUL', () => {
    expect(() => recognizeColumns(['bib', 'time', 'Km\0 5'])).toThrow(/NUL/);
  });
});

describe('the echo of a row', () => {
  const echo = (header: string[], cells: string[]) =>
    Object.entries(echoCells(recognizeColumns(header), cells));

  it('has the cells as read, by column name', () => {
    expect(echo(['Dorsal ', 'time', 'Km 5'], [' 7', 'x', ''])).toEqual([
      ['Dorsal', ' 7'],
      ['time', 'x'],
      ['Km 5', ''],
    ]);
  });

  it('has every cell of a repeated and of a missing name', () => {
    expect(echo(['bib', 'time', 'time', ''], ['7', 'a', 'b', 'c', 'd'])).toEqual([
      ['bib', '7'],
      ['time', 'a'],
      ['time (column 3)', 'b'],
      ['column 4', 'c'],
      ['column 5', 'd'],
    ]);
  });

  it('has the cell of a column named __proto__', () => {
    expect(echo(['bib', 'time', '__proto__'], ['7', 'x', 'y'])).toContainEqual(['__proto__', 'y']);
  });
});
