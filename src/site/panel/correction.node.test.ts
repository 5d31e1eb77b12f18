import { describe, expect, test } from 'vitest';
import { STATUS_RULES } from '../../timing-files/read/result-status.ts';
import { changeIn, problemOf } from './public/panel/runner/correction.ts';

/** A status over the time limit: results keep their times and have no position. */
const OVER_LIMIT = { keepsTimes: true, hasPosition: false };

const entered = (status: 'FINISHED' | 'DNF', chip_time = '', gun_time = '') => ({
  status,
  chip_time,
  gun_time,
});

describe('the form of a result', () => {
  test('takes what a status keeps from its rules', () => {
    const stored = entered('DNF', '2:00:00');
    expect(changeIn(entered('DNF', '2:00:01'), stored, OVER_LIMIT)).toEqual({
      chip_time: '2:00:01',
    });
    expect(changeIn(entered('DNF'), stored, OVER_LIMIT)).toEqual({ chip_time: null });
    expect(changeIn(entered('DNF', '2:00:01'), stored, STATUS_RULES.DNF)).toBeUndefined();
    expect(changeIn(entered('FINISHED', '2:00:00'), stored, STATUS_RULES.FINISHED)).toEqual({
      status: 'FINISHED',
    });
    expect(changeIn(entered('FINISHED', '1:00', ''), undefined, STATUS_RULES.FINISHED)).toEqual({
      status: 'FINISHED',
      chip_time: '1:00',
    });
  });

  test('needs a time only where a status has a position', () => {
    expect(problemOf(entered('FINISHED'), STATUS_RULES.FINISHED, 'chip_time')).toBe('timeMissing');
    expect(problemOf(entered('DNF'), OVER_LIMIT, 'chip_time')).toBeUndefined();
    expect(problemOf(entered('DNF', 'soon'), OVER_LIMIT, 'chip_time')).toBe('timeWrong');
    expect(problemOf(entered('DNF', 'soon'), STATUS_RULES.DNF, 'chip_time')).toBeUndefined();
    expect(problemOf(entered('FINISHED', '', '1:28:03'), STATUS_RULES.FINISHED, 'chip_time')).toBe(
      undefined,
    );
  });
});
