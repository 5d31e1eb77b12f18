import { describe, expect, test } from 'vitest';
import { TIME_FORMATS_DESCRIBED } from '../../site/docs/file-formats.ts';
import { parseRaceTime } from './race-time.ts';
import { parseTime, TIME_FORMATS, type TimeFormat } from './time-formats.ts';

const FORMATS = Object.keys(TIME_FORMATS) as TimeFormat[];

const CASES: Partial<Record<TimeFormat, [string, string][]>> = {
  apostrophes: [
    ["01h28'03", '1:28:03'],
    ["13h02'11''", '13:02:11'],
    ['41’50”', '41:50'],
    ['41\'50"12', '41:50.12'],
    ['1h28', '1:28:00'],
    ['1 h 28 min 3 s', '1:28:03'],
    ['28min 05sec', '28:05'],
    ['58"4', '0:58.4'],
    ['PT1H28M3.5S', '1:28:03.5'],
    ['P0DT0H38M12.3S', '38:12.3'],
    ['P1DT2H3M4S', '26:03:04'],
    [`00:38'12"000`, '38:12'],
    ["00:38'12.58", '38:12.58'],
    ["0:38'12", '38:12'],
    ['2292s', '38:12'],
    ['00-38-12', '38:12'],
    ['1 day 02:03:04', '26:03:04'],
    ['1:28:03', '1:28:03'],
    ['1:28:03 Std.', '1:28:03'],
    ['1:28 h', '1:28:00'],
    ['41:50,5 min', '41:50.5'],
    ['00h45:12', '45:12'],
    ['42:38 (PB)', '42:38'],
    ['1:45.32q', '1:45.32'],
    ['1:45.32 Q, SB', '1:45.32'],
    ['1:02:03†', '1:02:03'],
  ],
  dots: [
    ['28.49', '28:49'],
    ['1.29.03,5', '1:29:03.5'],
    ['1:29:03', '1:29:03'],
    ['51.23,4', '51:23.4'],
    ['1:04.23,5', '1:04:23.5'],
    ['1:02.33', '1:02:33'],
    ['1:02.3', '1:02.3'],
  ],
  hundredths: [['00:17:34:29', '17:34.29']],
  seconds: [
    ['5283', '1:28:03'],
    ['1:02,10', '1:02.10'],
    ['62.1', '1:02.1'],
    ['2292.1200000000003', '38:12.12'],
  ],
  day_fraction: [
    ['0,0290509259259259', '0:41:50'],
    ['.5', '12:00:00'],
    ['6.11458333E-2', '1:28:03'],
  ],
  am_pm: [
    ['12:41:50 AM', '0:41:50'],
    ['1:28 PM', '13:28:00'],
    ['1:28:03 p. m.', '13:28:03'],
    ['1/0/1900 1:28:03 AM', '1:28:03'],
    ['1899-12-30 01:28:03', '1:28:03'],
    ['12/31/1899 1:28:03 PM', '13:28:03'],
    ['1/1/1904 0:41:50', '0:41:50'],
    ['1900/1/0 0:41:50', '0:41:50'],
    ['1:28:03', '1:28:03'],
  ],
  days: [
    ['1 day, 2:03:04', '26:03:04'],
    ['0 days 01:28:03.500000', '1:28:03.5'],
    ['1d 02:03:04', '26:03:04'],
    ['2 02:03:04', '50:03:04'],
    ['01/01/1900 02:03:04', '26:03:04'],
    ['1900-01-02 02:03:04', '50:03:04'],
    ['02.01.1904 02:03:04', '26:03:04'],
    ['1899-12-30T00:41:50.000Z', '0:41:50'],
    ['1970-01-01T01:41:50+01:00', '0:41:50'],
    ['1969-12-31T19:41:50-05:00', '0:41:50'],
  ],
  long_fractions: [['0:41:50.1230000', '0:41:50.123']],
  hours_minutes: [['1:28:03', '1:28:03']],
  minutes_seconds: [['41:50', '41:50']],
};

describe.each(FORMATS)('%s', (format) => {
  test('has the example that the guide shows first', () => {
    const [first] = Object.keys(TIME_FORMATS_DESCRIBED[format].examples);
    expect(TIME_FORMATS[format].example).toBe(first);
  });

  test.each([...Object.entries(TIME_FORMATS_DESCRIBED[format].examples), ...(CASES[format] ?? [])])(
    'reads %j as %s',
    (cell, time) => {
      expect(parseTime(format, ` ${cell} `)).toBe(parseRaceTime(time));
      expect(parseRaceTime(time)).toBeDefined();
    },
  );

  test.each([
    '',
    ' ',
    '-',
    'DNF',
    'x',
    '+0:18',
    '-1 laps',
    '2 Laps',
    '1:2:3',
    '12:60',
    'h',
    "'",
    '.',
  ])('does not read %j', (cell) => {
    expect(parseTime(format, cell)).toBeUndefined();
  });
});

test.each([
  ['apostrophes', '28'],
  ['apostrophes', "1h60'03"],
  ['apostrophes', "41'60"],
  ['apostrophes', "03'1h"],
  ['dots', '28.60'],
  ['dots', '28.4'],
  ['dots', '28'],
  ['dots', '1:72.33'],
  ['apostrophes', '41:50 km'],
  ['apostrophes', '41:50 s'],
  ['hundredths', '41:60:07'],
  ['hundredths', '41:50'],
  ['hundredths', '41:50.5'],
  ['seconds', '1.28.03'],
  ['day_fraction', '28.49'],
  ['day_fraction', '34'],
  ['am_pm', '13:28:03 PM'],
  ['am_pm', '0:28:03 AM'],
  ['days', '1 day 26:00:00'],
  ['minutes_seconds', '41:50:12'],
  ['hours_minutes', '1:61'],
] satisfies [TimeFormat, string][])('%s does not read %j', (format, cell) => {
  expect(parseTime(format, cell)).toBeUndefined();
});

test.each([
  ['clock', '０：４１：５０', '0:41:50'],
  ['clock', '٠٠:٤١:٥٠', '0:41:50'],
  ['clock', '۱:۲۸:۰۳٫۵', '1:28:03.5'],
  ['clock', '๐:๔๑:๕๐', '0:41:50'],
  ['dots', '４１．５０', '0:41:50'],
] satisfies [TimeFormat, string, string][])('%s reads the digits of %s', (format, cell, time) => {
  expect(parseTime(format, cell)).toBe(parseRaceTime(time));
});
