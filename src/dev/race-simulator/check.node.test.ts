import { expect, test } from 'vitest';
import { differencesBetween, type HeldResult, missingPassings } from './check.ts';
import type { ResultRow } from './plan.ts';

const FIRST: ResultRow = {
  bib_number: '1',
  status: 'FINISHED',
  chip_time: '00:40:00.000',
  gun_time: '00:40:05.000',
  splits: { 'Km 5': '00:19:30.000', 'Km 10': '00:39:59.000' },
};
const OUT: ResultRow = { bib_number: '3', status: 'DNF', splits: { 'Km 5': '00:25:00.000' } };
const finalRows = new Map([FIRST, OUT].map((row) => [row.bib_number, row]));

const heldAs = (row: ResultRow): HeldResult => ({ chip_time: null, gun_time: null, ...row });
const held = [heldAs({ ...FIRST, bib_number: '9' }), heldAs(FIRST), heldAs(OUT)];

test('finds no difference in results that are stored as sent', () => {
  expect(differencesBetween({ finalRows }, held)).toEqual([]);
  const splits = { 'Km 10': '00:39:59.000', 'Km 5': '00:19:30.000' };
  const reordered = new Map([['1', { ...FIRST, splits }]]);
  expect(differencesBetween({ finalRows: reordered }, held)).toEqual([]);
});

test.each<[Partial<HeldResult>, string]>([
  [{ chip_time: '00:40:00.001' }, 'FINISHED, chip 00:40:00.001, gun'],
  [{ gun_time: null }, 'gun none'],
  [{ splits: { 'Km 5': '00:19:30.000' } }, 'Km 5 00:19:30.000; sent'],
  [{ status: 'DSQ' }, 'DSQ, chip'],
])('reports a result that is stored with %j', (change, what) => {
  const changed = held.map((result) => ({ ...result, ...(result.bib_number === '1' && change) }));
  const differences = differencesBetween({ finalRows }, changed);
  expect(differences).toEqual([expect.stringMatching(/^bib 1: /)]);
  expect(differences[0]).toContain(what);
});

test('reports a result that is not stored', () => {
  expect(differencesBetween({ finalRows }, held.slice(0, 2))).toEqual([
    'bib 3: no result; sent: DNF, chip none, gun none, Km 5 00:25:00.000',
  ]);
});

test('reports a passing that is not stored as it was sent', () => {
  const passing = (bib_number: string, time: string) => ({ bib_number, point: 'Km 5', time });
  const passings = ['1', '2', '3'].map((bib) => ({ atMs: 0, row: passing(bib, '00:20:00.000') }));
  const held = [passing('1', '00:20:00.000'), passing('2', '00:21:00.000')];
  expect(missingPassings({ passings }, held)).toEqual([
    'bib 2 at Km 5: 00:21:00.000; sent: 00:20:00.000',
    'bib 3 at Km 5: no passing; sent: 00:20:00.000',
  ]);
});
