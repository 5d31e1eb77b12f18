import { describe, expect, test } from 'vitest';
import { STATUS_WORDS, statusAtStart } from './status-words.ts';
import { plainWords } from './words.ts';

test('lists each word once, so that it has one meaning', () => {
  const words = Object.values(STATUS_WORDS).flatMap((list) => list.split(',').map(plainWords));
  expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
  expect(words).not.toContain('');
});

describe('the status at the start of a text', () => {
  test.each([
    ['DNF', 'DNF'],
    ['DNF knee', 'DNF'],
    ['dnf/injury', 'DNF'],
    ['DNF; cramp', 'DNF'],
    ['D.N.F. km 30', 'DNF'],
    ['DNF @ CP3', 'DNF'],
    ['DNF20km', 'DNF'],
    ['DidNotFinish', 'DNF'],
    ['Did not finish (heat)', 'DNF'],
    ['DNS - ill', 'DNS'],
    ['DQ - cut course', 'DSQ'],
    ['Disqualifié : matériel', 'DSQ'],
    ['aufgegeben km 20', 'DNF'],
    ['nicht am Start (krank)', 'DNS'],
    ['Abandon CP2', 'DNF'],
    ['abandonó km 30', 'DNF'],
    ['Retirado T2', 'DNF'],
    ['no se presentó', 'DNS'],
    ['uitgevallen 12 km', 'DNF'],
    ['utgått, knä', 'DNF'],
    ['сошёл 15 км', 'DNF'],
    ['途中棄権20km', 'DNF'],
    ['途中棄権(15km関門)', 'DNF'],
    ['退赛30公里', 'DNF'],
    ['기권했음', 'DNF'],
    ['ไม่ออกตัว 1', 'DNS'],
    ['np', 'DNS'],
    ['Ret.', 'DNF'],
    [`DNF ${'x'.repeat(200)}`, 'DNF'],
  ])('of %j is %s', (text, status) => {
    expect(statusAtStart(text)).toBe(status);
  });

  test.each([
    '',
    '7',
    '1:28:03',
    'Finisher',
    'finished after the cut-off',
    'OK',
    'n.a.',
    'np 5',
    'Ret 12',
    'AB Göteborg',
    'Desc. 10 %',
    'drop bag 7',
    'Brot und Spiele',
    'paid',
    'first DNF',
    'PB!',
    '完走',
  ])('is none: %j', (text) => {
    expect(statusAtStart(text)).toBeUndefined();
  });
});
