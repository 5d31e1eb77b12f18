import { describe, expect, test } from 'vitest';
import { hasChangedTime, withWholeTimes } from './milliseconds.ts';

const WHOLE = '01:22:11.460';
const OF = { beside: new Map([[0, 1]]), splits: new Map([['Km 10', 0]]), ofSplits: 2 };

const readWith = (cells: string[]) => ({
  time: withWholeTimes(OF, cells)[0],
  isChanged: hasChangedTime(OF, cells),
});

describe('a time beside its milliseconds', () => {
  test.each([
    ['01:22:11.460', 'as we write it'],
    ['22:11.5', 'without its hour, rounded to a tenth'],
    ['22:11,4', 'without its hour, cut to a tenth'],
    ['01:22:11', 'rounded to a second'],
    ['01:22:12', 'rounded up, as our pages show it'],
    ['1:22', 'in hours and minutes'],
    ['1:22:11 AM', 'as a time of day'],
    ['1900-01-00 01:22:11', 'as a moment of the first day of a spreadsheet'],
    ['0.0570771', 'as a part of a day'],
  ])('is whole: %s, %s', (cell) => {
    expect(readWith([cell, '4931460', ''])).toEqual({ time: WHOLE, isChanged: false });
    expect(readWith([cell, '', '{"Km 10":4931460}'])).toEqual({ time: WHOLE, isChanged: false });
  });

  test('is whole without its day', () => {
    expect(readWith(['6:10:05', '108605000', ''])).toEqual({
      time: '30:10:05.000',
      isChanged: false,
    });
  });

  test.each(['01:22:13', '01:21:11', '21:11.4', '2:22:11', '45:30', '1:24', '0.0580', 'DNF', ''])(
    'counts if somebody has changed it: %s',
    (cell) => {
      expect(readWith([cell, '4931460', ''])).toEqual({ time: cell, isChanged: true });
    },
  );

  test.each(['', 'x', '4931400.5', '-1'])('stays without milliseconds: %s', (ms) => {
    expect(readWith(['22:11.4', ms, ''])).toEqual({ time: '22:11.4', isChanged: false });
  });
});
