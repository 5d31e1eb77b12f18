import { expect, test } from 'vitest';
import { isReadable, movedUp, pointsOfRows, rowOf } from './public/panel/points/rows.ts';

const told = { name: 'Summit', distance: 'Trail', order: 2, km: 12.5 };

test('gives points the order of their rows', () => {
  const rows = [{ name: ' Bridge ', distance: ' ', km: '' }, rowOf(told)];
  expect(pointsOfRows(rows)).toEqual([
    { name: 'Bridge', distance: null, order: 1, km: null },
    told,
  ]);
  expect(pointsOfRows(movedUp(rows, 1)).map(({ name }) => name)).toEqual(['Summit', 'Bridge']);
  expect(movedUp(rows, 0)).toEqual(rows);
});

test('reads kilometres with a point or a comma', () => {
  const row = { name: 'Half', distance: '', km: '21,1' };
  expect(pointsOfRows([row])).toMatchObject([{ km: 21.1 }]);
  const readable = ['', '5', '21,0975', '0', '5 km', '1e3', '-3'].map((km) =>
    isReadable({ ...row, km }),
  );
  expect(readable).toEqual([true, true, true, false, false, false, false]);
  expect(isReadable({ ...row, name: ' ' })).toBe(false);
});
