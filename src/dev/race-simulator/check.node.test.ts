import { expect, test } from 'vitest';
import { type HeldResult, misheld } from './check.ts';
import type { ResultRow } from './plan.ts';

const FIRST: ResultRow = {
  bib_number: '1',
  status: 'FINISHED',
  chip_time: '00:40:00.000',
  gun_time: '00:40:05.000',
  splits: { 'Km 5': '00:19:30.000', 'Km 10': '00:39:59.000' },
};
const SECOND: ResultRow = { ...FIRST, bib_number: '2' };
const OUT: ResultRow = { bib_number: '3', status: 'DNF', splits: { 'Km 5': '00:25:00.000' } };
const stored = new Map([FIRST, SECOND, OUT].map((row) => [row.bib_number, row]));

const heldAs = (row: ResultRow, position_overall: number | null): HeldResult => ({
  chip_time: null,
  gun_time: null,
  ...row,
  position_overall,
});
const faster = heldAs({ ...FIRST, bib_number: '9', chip_time: '00:30:00.000' }, 1);
const held = [faster, heldAs(FIRST, 2), heldAs(SECOND, 2), heldAs(OUT, null)];

test('finds no difference in results that are stored as sent', () => {
  expect(misheld(stored, held)).toEqual([]);
  const reordered = { 'Km 10': '00:39:59.000', 'Km 5': '00:19:30.000' };
  expect(misheld(new Map([['1', { ...FIRST, splits: reordered }]]), held)).toEqual([]);
});

test.each<[Partial<HeldResult>, string]>([
  [{ chip_time: '00:40:00.001' }, 'chip time 00:40:00.001, not 00:40:00.000'],
  [{ gun_time: null }, 'gun time null, not 00:40:05.000'],
  [{ splits: { 'Km 5': '00:19:30.000' } }, 'splits Km 5 00:19:30.000, not Km 10 00:39:59.000, Km'],
  [{ position_overall: 3 }, 'position 3, not 2'],
  [{ status: 'DSQ', position_overall: null }, 'status DSQ, not FINISHED'],
])('reports a result that is stored with %j', (change, what) => {
  const changed = held.map((result) => ({ ...result, ...(result.bib_number === '1' && change) }));
  const differences = misheld(stored, changed).filter(({ bib }) => bib === '1');
  expect(differences[0]?.what).toContain(what);
});

test('reports a result that is not stored', () => {
  expect(misheld(stored, held.slice(0, 3))).toEqual([
    { bib: '3', what: 'is not among the results' },
  ]);
});
