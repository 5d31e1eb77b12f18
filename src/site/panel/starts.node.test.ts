import { expect, test } from 'vitest';
import { instantIn } from '../../timing-files/read/race-clock.ts';
import { isReadable, rowOf, startOfRow } from './public/panel/starts/rows.ts';

const MADRID = (wall: string) => instantIn('Europe/Madrid', wall);
const row = { name: ' Wave ', distance: '10K', bibs: '500 - 599', told: undefined };

test('gives a start the offset of the clocks there', () => {
  const start = { name: 'Wave', distance: '10K', bib_from: 500, bib_to: 599 };
  expect(startOfRow({ ...row, at: '2027-05-09T09:30' }, MADRID)).toEqual({
    ...start,
    starts_at: '2027-05-09T09:30:00+02:00',
  });
  expect(startOfRow({ ...row, at: '2027-01-09T09:30:15' }, MADRID).starts_at).toBe(
    '2027-01-09T09:30:15+01:00',
  );
});

test('keeps the milliseconds and the offset of a start whose time nobody changed', () => {
  const told = {
    ...{ name: '10K', distance: null, bib_from: null, bib_to: null },
    starts_at: '2027-05-09T09:30:00.250-05:00',
  };
  expect(startOfRow({ ...rowOf(told), name: 'Ten' }, MADRID)).toEqual({ ...told, name: 'Ten' });
});

test('reads bibs as two numbers', () => {
  expect(isReadable({ ...row, at: '2027-05-09T09:30' })).toBe(true);
  expect(isReadable({ ...row, bibs: '500', at: '2027-05-09T09:30' })).toBe(false);
  expect(isReadable({ ...row, at: '' })).toBe(false);
});
