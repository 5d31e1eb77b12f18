import type { BibFormat } from '../../timing-files/read/bib-formats.ts';
import type { TimeFormat } from '../../timing-files/read/time-formats.ts';

export type Described = {
  /** The files with such cells. */
  meaning: string;
  /** Cells of such files, with the value of each cell. */
  examples: Readonly<Record<string, string>>;
};

/** The guide's words and examples for each `time_format`. */
export const TIME_FORMATS_DESCRIBED: Readonly<Record<TimeFormat, Described>> = {
  clock: {
    meaning: 'Hours, minutes and seconds with colons, or minutes and seconds',
    examples: { '1:28:03': '01:28:03', '41:50,5': '00:41:50.5' },
  },
  long_fractions: {
    meaning:
      'More than three digits of a second, which are cut off, or the time zone of London behind a time',
    examples: { '1:28:03.123456': '01:28:03.123', '01:28:03+00:00': '01:28:03' },
  },
  days: {
    meaning:
      'Days before the hours, also as a date that a spreadsheet or a program counts from its first day',
    examples: {
      '1 day 02:03:04': '26:03:04',
      '1.02:03:04': '26:03:04',
      '1:02:03:04': '26:03:04',
      '1900-01-01 02:03:04': '26:03:04',
      '31.12.1899 02:03:04': '26:03:04',
      '1970-01-01T00:41:50Z': '00:41:50',
    },
  },
  apostrophes: {
    meaning:
      'Numbers with units: h, m, s, apostrophes, d or j for days, or hyphens between them. A mark such as PB, q or an asterisk may follow a time',
    examples: {
      '1h28\'03"': '01:28:03',
      "41'50": '00:41:50',
      "1:28'03": '01:28:03',
      '01-28-03': '01:28:03',
      P0DT1H28M3S: '01:28:03',
      '12h34m56s': '12:34:56',
      '1j 02:10:00': '26:10:00',
      '12分34秒': '00:12:34',
      '41:50 Min.': '00:41:50',
      '41:50*': '00:41:50',
      '41:50 (PB)': '00:41:50',
    },
  },
  dots: {
    meaning: 'Dots between hours, minutes and seconds, or a dot before two digits of seconds',
    examples: { '1.28.03': '01:28:03', '41.50': '00:41:50', '1:28.03,5': '01:28:03.5' },
  },
  hundredths: {
    meaning: 'A colon before the hundredths of a second, as on a stopwatch',
    examples: { '01:28:03:45': '01:28:03.45', '41:50:07': '00:41:50.07' },
  },
  seconds: {
    meaning: 'Seconds alone, with or without a fraction',
    examples: { '5283.12': '01:28:03.12', '37,58': '00:00:37.58' },
  },
  digits: {
    meaning: 'Hours, minutes and seconds without signs between them',
    examples: { '12803': '01:28:03', '4150': '00:41:50' },
  },
  minutes: {
    meaning: 'Minutes alone, with a decimal fraction',
    examples: { '88.05': '01:28:03', '57.1333': '00:57:08' },
  },
  hours: {
    meaning: 'Hours alone, with a decimal fraction',
    examples: { '1.4675': '01:28:03' },
  },
  milliseconds: {
    meaning: 'Milliseconds alone',
    examples: { '5283120': '01:28:03.12' },
  },
  day_fraction: {
    meaning: 'A part of a day, as a spreadsheet stores a time',
    examples: { '0.0611458333333333': '01:28:03' },
  },
  am_pm: {
    meaning:
      'An elapsed time that a program wrote as a time of day: with AM or PM, or behind the first day that it counts',
    examples: {
      '1:28:03 AM': '01:28:03',
      '12:41:50 a. m.': '00:41:50',
      '30.12.1899 00:41:50': '00:41:50',
    },
  },
  hours_minutes: {
    meaning: 'Two parts are hours and minutes, not minutes and seconds',
    examples: { '1:28': '01:28:00' },
  },
  minutes_seconds: {
    meaning:
      'Three parts are minutes and seconds, which a spreadsheet took for hours and minutes. Minutes may be over 99',
    examples: { '41:50:00': '00:41:50', '105:30': '01:45:30' },
  },
};

/** The guide's words and examples for each `bib_format`. */
export const BIB_FORMATS_DESCRIBED: Readonly<Record<BibFormat, Described>> = {
  exact: {
    meaning: 'As the file writes it',
    examples: { '0012': '0012' },
  },
  number: {
    meaning: 'A number, without signs and zeros in front',
    examples: { 'No. 12': '12', '0012': '12', '1.234': '1234', '１２': '12' },
  },
  joined: {
    meaning: 'Letters and digits, without the blanks, hyphens and slashes between them',
    examples: { '12-A': '12A', 'A 12': 'A12' },
  },
};
