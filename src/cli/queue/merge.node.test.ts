import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { merge, type SettledFile } from './merge.ts';
import { nameTimeOf } from './name-time.ts';

const HOUR_MS = 3_600_000;

/** A file with values by key. */
const file = (
  path: string,
  values: Record<string, string>,
  { at = 0, turn = 0 } = {},
): SettledFile => ({
  path,
  digest: JSON.stringify(values),
  modifiedMs: at,
  turn,
  rows: new Map(
    Object.entries(values).map(([key, text], at) => [key, { text, file: path, line: at + 2 }]),
  ),
});

const said = (...files: SettledFile[]) =>
  Object.fromEntries([...merge(files).rows].map(([key, { text }]) => [key, text]));
const asked = (...files: SettledFile[]) =>
  Object.fromEntries(
    [...merge(files).unordered].map(([key, rows]) => [key, rows.map(({ text }) => text)]),
  );

describe('the time in a name', () => {
  test.each([
    ['results 11-55 AM.csv', undefined, 11 * 60 + 55],
    ['results 1-05 PM.csv', undefined, 13 * 60 + 5],
    ['12.05 am results.csv', undefined, 5],
    ['export_20261025_115500.csv', 20_261_025, 11 * 60 + 55],
    ['20261025-1155.csv', 20_261_025, 11 * 60 + 55],
    ['2026-10-25 11.55.csv', 20_261_025, 11 * 60 + 55],
    ['meta 25-10-2026 23h59.csv', 20_261_025, 23 * 60 + 59],
    ['2026-10-25T09-30-00.csv', 20_261_025, 9 * 60 + 30],
  ])('%s', (name, day, minutes) => {
    expect(nameTimeOf(name)).toEqual({ day, seconds: minutes * 60 });
  });

  test.each([
    'finish.csv',
    '10k.csv',
    'km10.csv',
    '2026.csv',
    'wave 3.csv',
    'results 2026-10-25.csv',
  ])('is missing in %s', (name) => expect(nameTimeOf(name)).toBeUndefined());
});

describe('files that disagree', () => {
  test('F05 F06: need no order where one value alone is said', () => {
    expect(said(file('a.csv', { 1: 'x', 2: 'y' }), file('b.csv', { 2: 'y', 3: 'z' }))).toEqual({
      1: 'x',
      2: 'y',
      3: 'z',
    });
  });

  test('F07 F08 F09: are ordered by the times in their names first', () => {
    const early = file('results 11-55 AM.csv', { 1: 'old' }, { at: HOUR_MS });
    expect(said(early, file('results 1-05 PM.csv', { 1: 'new' }))).toEqual({ 1: 'new' });
    const eve = file('2026-10-24 23.55.csv', { 1: 'old' }, { at: HOUR_MS });
    expect(said(eve, file('2026-10-25 00.05.csv', { 1: 'new' }))).toEqual({ 1: 'new' });
  });

  test('F10 F11 F12 F13: are ordered by their disks, if these are sure', () => {
    const old = file('a.csv', { 1: 'old', 2: 'same' });
    expect(said(old, file('b.csv', { 1: 'new' }, { at: 3_000 }))).toEqual({ 1: 'new', 2: 'same' });
    const unsure = file('b.csv', { 1: 'new' }, { at: 1_000 });
    expect([said(old, unsure), asked(old, unsure)]).toEqual([{ 2: 'same' }, { 1: ['old', 'new'] }]);
    const twins = [
      file('a 11-55.csv', { 1: 'old' }),
      file('b 11-55.csv', { 1: 'new' }, { at: 9_000 }),
    ];
    expect(said(...twins)).toEqual({ 1: 'new' });
    const named = file('results 11-55.csv', { 1: 'old' });
    expect(said(named, file('b.csv', { 1: 'new' }, { at: 9_000 }))).toEqual({ 1: 'new' });
  });

  test('F14 F15 F16: ask about an older file that comes later', () => {
    const first = file('a.csv', { 1: 'new', 2: 'same' }, { at: HOUR_MS });
    const late = file('b.csv', { 1: 'old', 2: 'same' }, { turn: 1 });
    expect(asked(first, late)).toEqual({ 1: ['new', 'old'] });
    expect(said(first, late)).toEqual({ 2: 'same' });
    // Each export is a late comer, and the newest.
    const exports = [5, 6, 7].map((minute, turn) =>
      file(`10-0${minute}.csv`, { 1: `${minute}` }, { at: minute * 60_000, turn }),
    );
    expect(said(...exports)).toEqual({ 1: '7' });
  });

  test('F17 F18 F22: count a copy as old as its original', () => {
    const exports = ['x', 'x', 'y'].map((value, at) =>
      file(`results 10-0${at}.csv`, { 1: value, 9: `${at}` }, { at: at * 60_000 }),
    );
    const copies = exports.map((one) => ({
      ...one,
      path: one.path.replace('.csv', ' - Copy.csv'),
      modifiedMs: HOUR_MS,
      turn: 5,
    }));
    expect(said(...exports, ...copies)).toEqual(said(...exports));
    const plain = file('r.csv', { 1: 'new' }, { at: 60_000 });
    const backup = file('r-backup.csv', { 1: 'old' }, { at: HOUR_MS, turn: 1 });
    const old = file('r-old.csv', { 1: 'old' });
    expect(merge([plain, backup, old]).twins.get('r-backup.csv')).toEqual([
      'r-backup.csv',
      'r-old.csv',
    ]);
    expect(said(plain, backup, old)).toEqual({ 1: 'new' });
  });

  test('F01 to F56: say the same in whatever order they are read, with copies and drives that go and come', () => {
    const clock = fc.constantFrom('', ' 11-55 AM', ' 1-05 PM', ' 23-10');
    const one = fc.record({
      stem: fc.constantFrom('a', 'b', 'c', 'r'),
      clock,
      // FAT counts in steps of 2 s.
      at: fc.integer({ min: 0, max: 6 }).map((steps) => steps * 2_000),
      turn: fc.integer({ min: 0, max: 2 }),
      values: fc.dictionary(fc.constantFrom('1', '2', '3'), fc.constantFrom('x', 'y', 'z')),
    });
    const files = fc
      .array(one, { maxLength: 6 })
      .map((all) =>
        all.map(({ stem, clock: time, values, ...rest }, at) =>
          file(`${stem}${at}${time}.csv`, values, rest),
        ),
      );
    fc.assert(
      fc.property(
        files.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        ),
        ([all, shuffled]) => {
          expect(said(...shuffled)).toEqual(said(...all));
          expect(asked(...shuffled)).toEqual(asked(...all));
          // A key is said or asked, and its value is one of those in the files.
          const { rows, unordered } = merge(all);
          for (const { rows: own } of all) {
            for (const key of own.keys()) expect(rows.has(key)).toBe(!unordered.has(key));
          }
          // A copy of a file changes nothing, whenever it comes.
          const [first] = all;
          if (!first) return;
          const copy = { ...first, path: `copy ${first.path}`, modifiedMs: HOUR_MS, turn: 9 };
          expect(said(...shuffled, copy)).toEqual(said(...all));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
