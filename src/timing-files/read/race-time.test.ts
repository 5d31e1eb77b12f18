import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRaceTime, parseRaceTime, RACE_TIME_PATTERN } from './race-time.ts';

const HOUR_MS = 3_600_000;

describe('a race time', () => {
  it.each([
    ['01:02:03', 3_723_000],
    ['1:02:03', 3_723_000],
    ['123:02:03', 123 * HOUR_MS + 123_000],
    ['00:00:00', 0],
    ['999:59:59.999', 1_000 * HOUR_MS - 1],
    ['12:34', 754_000],
    ['2:34', 154_000],
    ['00:00', 0],
    ['59:59', 3_599_000],
    ['75:00', 4_500_000],
    ['99:59', 5_999_000],
    ['01:02:03.4', 3_723_400],
    ['01:02:03.45', 3_723_450],
    ['01:02:03.456', 3_723_456],
    ['01:02:03.004', 3_723_004],
    ['01:02:03,5', 3_723_500],
    ['01:02:03,045', 3_723_045],
    ['12:34.5', 754_500],
    ['12:34,567', 754_567],
    ['  01:02:03 ', 3_723_000],
    ['\t12:34\r\n', 754_000],
    ['\u00a012:34', 754_000],
  ])('is read from %j', (text, timeMs) => {
    expect(parseRaceTime(text)).toBe(timeMs);
  });
});

describe('another text', () => {
  it.each([
    ['', 'empty'],
    ['   ', 'blank'],
    ['01:02:60', 'seconds 60'],
    ['12:60', 'seconds 60 without hours'],
    ['01:60:03', 'minutes 60 beside hours'],
    ['-01:02:03', 'a sign'],
    ['+01:02:03', 'a sign'],
    ['−01:02:03', 'a minus of print'],
    ['01:02:03Z', 'a zone'],
    ['01:02:03+02:00', 'a zone'],
    ['01:02:03 PM', 'a half of the day'],
    ['1:02:03am', 'a half of the day'],
    ['01:2:03', 'a one-digit minute'],
    ['01:02:3', 'a one-digit second'],
    ['12:3', 'a one-digit second without hours'],
    ['1000:02:03', 'hours of four digits'],
    ['123:45', 'minutes of three digits without hours'],
    ['01:02:003', 'seconds of three digits'],
    ['01:02:03.1234', 'a fraction of four digits'],
    ['12:34,1234', 'a fraction of four digits'],
    ['01:02:03.', 'a fraction without digits'],
    ['01:02:03.4.5', 'two fractions'],
    ['01:02:03:04', 'four parts'],
    ['01:02:', 'a part missing'],
    [':02:03', 'a part missing'],
    ['03', 'seconds alone'],
    ['3723', 'a number'],
    ['3723.5', 'a number'],
    ['01.02.03', 'points between the parts'],
    ['01 :02:03', 'a blank inside'],
    ['01:02:03\n01:02:03', 'two lines'],
    ['٠١:٠٢:٠٣', 'Arabic-Indic digits'],
    ['０１:０２:０３', 'full-width digits'],
    ['0x:02:03', 'a letter'],
    ['1e2:02:03', 'an exponent'],
    ['PT1H2M3S', 'an ISO duration'],
  ])('is not read as a time: %j, %s', (text) => {
    expect(parseRaceTime(text)).toBeUndefined();
  });
});

it('reads exactly the texts that the documented pattern accepts', () => {
  const clock = fc.stringMatching(/^[0-9x]{0,4}(:[0-9]{0,3}){0,3}([.,;][0-9]{0,4})?$/);
  const time = fc.nat({ max: 1_000 * HOUR_MS - 1 }).map(formatRaceTime);
  const nearly = fc.tuple(time, fc.nat({ max: 4 })).map(([text, cut]) => text.slice(cut));
  fc.assert(
    fc.property(fc.oneof(clock, time, nearly), (text) => {
      expect(parseRaceTime(text) !== undefined).toBe(new RegExp(RACE_TIME_PATTERN).test(text));
    }),
    { numRuns: 2_000 },
  );
});

it('reads back a written time to the millisecond', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000 * HOUR_MS - 1 }), (timeMs) => {
      const text = formatRaceTime(timeMs);
      expect(text).toMatch(/^\d{2,3}:\d\d:\d\d\.\d{3}$/);
      expect(parseRaceTime(text)).toBe(timeMs);
    }),
    { numRuns: 2_000 },
  );
});

it.each([
  [0, '00:00:00.000'],
  [3_599_999, '00:59:59.999'],
  [HOUR_MS, '01:00:00.000'],
  [1_000 * HOUR_MS - 1, '999:59:59.999'],
])('writes %i ms as %s', (timeMs, text) => {
  expect(formatRaceTime(timeMs)).toBe(text);
});
