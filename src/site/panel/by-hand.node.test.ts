import { expect, test } from 'vitest';
import {
  keepsColumns,
  meaningsIn,
  queryByHand,
  withMeaning,
} from './public/panel/send-file/by-hand.ts';

const column = (name: string, meaning: 'bib' | 'chip_time' | 'split' | null) => ({
  name,
  meaning,
  why: '',
  samples: ['7'],
});

const preview = {
  header_line: 2,
  columns: [
    column('No', 'chip_time'),
    column('Startno', 'bib'),
    column('Mark', null),
    column('Km 5', 'split'),
    { ...column('', null), samples: [] },
  ],
};

test('names every column by its number, and keeps how the rest of the file is read', () => {
  const meanings = withMeaning(meaningsIn(preview), 0, 'bib');
  expect(meanings).toEqual(['bib', 'ignore', 'ignore', 'split', 'ignore']);
  const query = queryByHand(
    'sheet=Day+2&bib=Startno&split=x&ignore=y',
    preview,
    withMeaning(meanings, 2, 'chip_time'),
    false,
  );
  expect(decodeURIComponent(query)).toBe(
    'sheet=Day+2&header_line=2&bib=#1&chip_time=#3&gun_time=&status=&split=#4&ignore=#2',
  );
});

test('asks for no column of a status or split in a file of a point', () => {
  const meanings = withMeaning(meaningsIn(preview), 3, 'ignore');
  expect(decodeURIComponent(queryByHand('point=Km+5', preview, meanings, true))).toBe(
    'point=Km+5&header_line=2&bib=#2&chip_time=#1&ignore=#3&ignore=#4',
  );
});

test('takes a suggestion only with the same columns', () => {
  const asked = 'bib=%231&split=';
  expect(keepsColumns(asked, `${asked}&time_format=seconds`)).toBe(true);
  expect(keepsColumns(asked, 'bib=%232&split=')).toBe(false);
  expect(keepsColumns(asked, 'bib=%231')).toBe(false);
});
