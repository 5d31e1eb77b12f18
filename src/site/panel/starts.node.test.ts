import { expect, test } from 'vitest';
import { shiftedStarts } from './public/panel/copy/plan.ts';
import { isReadable, rowOf, startOfRow } from './public/panel/starts/rows.ts';

const MADRID = 'Europe/Madrid';
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
  expect(startOfRow({ ...rowOf(told, MADRID), name: 'Ten' }, MADRID)).toEqual({
    ...told,
    name: 'Ten',
  });
});

test('shows and reads a start by the clocks of the race, whatever the offset in which it was told', () => {
  const told = {
    ...{ name: '10K', distance: null, bib_from: null, bib_to: null },
    starts_at: '2027-05-09T07:30:15.000+00:00',
  };
  const row = rowOf(told, MADRID);
  expect(row.at).toBe('2027-05-09T09:30:15');
  expect(startOfRow({ ...row, at: '2027-05-09T09:30:30' }, MADRID).starts_at).toBe(
    '2027-05-09T09:30:30+02:00',
  );
  // A browser leaves out seconds that are 0.
  expect(startOfRow({ ...row, at: '2027-05-09T09:30' }, MADRID).starts_at).toBe(
    '2027-05-09T09:30:00+02:00',
  );
});

test('reads bibs as two numbers', () => {
  expect(isReadable({ ...row, at: '2027-05-09T09:30' })).toBe(true);
  expect(isReadable({ ...row, bibs: '500', at: '2027-05-09T09:30' })).toBe(false);
  expect(isReadable({ ...row, at: '' })).toBe(false);
});

test('copies starts to the day of another race at the same time of day, over a change of the clocks', () => {
  const start = { name: 'Gun', distance: null, bib_from: null, bib_to: null };
  const from = { event_date: '2027-05-09T07:00:00Z', zone: 'Europe/Madrid' };
  const starts = [
    { ...start, starts_at: '2027-05-09T09:30:00+02:00' },
    { ...start, starts_at: '2027-05-08T22:30:15Z' },
  ];
  const to = { event_date: '2027-11-14', zone: 'Europe/Madrid' };
  expect(shiftedStarts(starts, from, to).map(({ starts_at }) => starts_at)).toEqual([
    '2027-11-14T09:30:00+01:00',
    '2027-11-14T00:30:15+01:00',
  ]);
  const elsewhere = { event_date: '2027-05-16T15:00:00Z', zone: 'America/Lima' };
  expect(shiftedStarts(starts, from, elsewhere)[0]?.starts_at).toBe('2027-05-16T09:30:00-05:00');
});
