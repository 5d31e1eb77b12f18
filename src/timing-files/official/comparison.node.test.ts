import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine, plainCsvLine } from '../write/csv.ts';
import { compareExport } from './comparison.ts';

const result = (bib: string | null, splits: Record<string, string> = {}, gun = '01:00:00.000') => ({
  bib_number: bib,
  status: 'FINISHED',
  chip_time: '00:59:00.000',
  gun_time: gun,
  splits,
});
const HEADER = 'bib_number,status,chip_time,gun_time';
const row = (bib: string, gun = '01:00:00.000') => `${bib},FINISHED,00:59:00.000,${gun}`;
const NONE = { different: [], missing: [], extra: [] };

test.each(['constructor', 'toString', '__proto__', 'status'])(
  'compares a split called %s',
  (name) => {
    const splits = JSON.parse(`{${JSON.stringify(name)}:"00:30:00.000"}`);
    const json = JSON.stringify(splits).replaceAll('"', '""');
    const signed = [result('1', splits), result('2')];
    const csv = `${HEADER},splits\n${row('1')},"${json}"\n${row('2')},{}\n`;
    expect(compareExport(signed, csv)).toEqual({ equal: 2, ...NONE });
    if (name === 'status') return;
    const columns = `${HEADER},${name}\n${row('1')},00:30:00.000\n${row('2')},\n`;
    expect(compareExport(signed, columns)).toEqual({ equal: 2, ...NONE });
    const forged = compareExport([result('2')], `${HEADER},${name}\n${row('2')},00:31:00.000\n`);
    expect(forged?.different).toMatchObject([{ field: name, signed: '', found: '00:31:00.000' }]);
  },
);

test('takes a cell behind the last header, and a second column of a field, for a difference', () => {
  const behind = compareExport([result('1')], `${HEADER}\n${row('1')},00:10:00\n`);
  expect(behind).toMatchObject({ equal: 0, different: [{ field: '#5', found: '00:10:00' }] });
  const twice = compareExport([result('1')], `${HEADER},status\n${row('1')},DSQ\n`);
  expect(twice).toMatchObject({ equal: 0, different: [{ field: 'status (2)', found: 'DSQ' }] });
});

test('compares many runners without a bib, whose rows come in any order', () => {
  const guns = Array.from(
    { length: 5_000 },
    (_, at) => `01:00:0${at % 10}.${`${at}`.padStart(4, '0').slice(0, 3)}`,
  );
  const signed = guns.map((gun) => result(null, {}, gun));
  const rows = guns.map((gun) => row('', gun)).reverse();
  const csv = `${HEADER}\n${rows.join('\n')}\n`;
  expect(compareExport(signed, csv)).toEqual({ equal: 5_000, ...NONE });
  const others = `${HEADER}\n${rows.map((text) => text.replace('00:59', '00:58')).join('\n')}\n`;
  expect(compareExport(signed, others)).toMatchObject({ equal: 0, missing: [], extra: [] });
});

const anyText = fc.string({
  unit: fc.constantFrom(...'=+-@＝＋－＠\'",;|\t\r\n {}:[]', 'a', '4'),
  maxLength: 8,
});

/** The two forms of our exports: with the splits in a cell, and with a column for each split. */
const exportsOf = (signed: ReturnType<typeof result>, group: string, delimiter: string) => {
  const { splits, ...fields } = { ...signed, category: group };
  const [names, values] = [Object.keys(fields), Object.values(fields)];
  return [
    csvLine([...names, 'splits'], delimiter) + csvLine([...values, splits], delimiter),
    csvLine([...names, ...Object.keys(splits)], delimiter) +
      csvLine([...values, ...Object.values(splits)], delimiter),
  ];
};

test('finds an export equal to its version, and no other, whatever begins like a formula', () => {
  fc.assert(
    fc.property(
      anyText,
      anyText,
      anyText.filter((name) => name !== ''),
      fc.constantFrom(',', ';'),
      (category, other, name, delimiter) => {
        const signed = { ...result('1', { [name]: '00:30:00.000' }), category };
        for (const csv of exportsOf(signed, category, delimiter)) {
          expect(compareExport([signed], csv)).toEqual({ equal: 1, ...NONE });
        }
        for (const csv of exportsOf(signed, other, delimiter)) {
          expect(compareExport([signed], csv)?.equal).toBe(category === other ? 1 : 0);
        }
      },
    ),
    { numRuns: 1_000 },
  );
});

test.each([
  ['Women, +40', "Women, '+40"],
  ['Veteranas|+40', "Veteranas|'+40"],
  ['＋40', "'＋40"],
  ["'+40", "''+40"],
])('reads the category %j in the cell %j, and no other category', (category, cell) => {
  const signed = [{ ...result('1'), category }];
  const file = (found: string) =>
    plainCsvLine(['bib_number', 'status', 'chip_time', 'gun_time', 'category']) +
    plainCsvLine(['1', 'FINISHED', '00:59:00.000', '01:00:00.000', found]);
  expect(compareExport(signed, file(cell))).toEqual({ equal: 1, ...NONE });
  expect(compareExport(signed, file(`'${cell}`))?.equal).toBe(0);
});
