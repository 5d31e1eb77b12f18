import { afterEach, expect, test } from 'vitest';
import { useLanguageOf } from '../words.ts';
import { readingText } from './preview-text.ts';

afterEach(() => useLanguageOf({ LANG: 'C' }));

const why = '"Zeit" (1:05), is the time; 1:05 is 1 h 5 min';
const hours = { query: 'chip_time=Zeit&time_format=hours_minutes', why };
const column = { name: 'Zeit', meaning: 'chip_time', why: '', samples: ['1:05'] };
const preview = { columns: [column] };

test('shows the reading in the words of the API', () => {
  expect(readingText(hours, preview)).toBe(why);
});

test('shows in Spanish how a time is read, and whether something speaks against the reading', () => {
  useLanguageOf({ LANG: 'es' });
  expect(readingText(hours, preview)).toBe('Con estas opciones. 1:05 es 1 h 5 min');
  const doubtful = { query: '', why: 'as it stands, although: nobody is so fast.' };
  expect(readingText(doubtful, preview)).toBe('Con estas opciones, pero algo habla en contra.');
  expect(readingText({ ...hours, query: 'chip_time=Zeit' }, preview, 'clock')).toContain('1 min');
});
