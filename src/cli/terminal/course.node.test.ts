import { expect, test } from 'vitest';
import { courseOf, onCourse } from './course.ts';

const passing = (bib_number: string, point: string, time: string) => ({
  ...{ bib_number, point, time },
  received_at: '2027-05-09T09:00:00.000Z',
});

test('expects runners by the told kilometres, and sorts them by the told order', () => {
  const course = courseOf(
    [passing('1', 'Bridge', '00:20:00.000'), passing('2', 'Summit', '00:18:00.000')],
    [
      { name: 'Bridge', distance: null, order: 1, km: 4 },
      { name: 'Summit', distance: '10K', order: 2, km: 5 },
    ],
  );
  const runner = { distance: '10K', category: null, gender: null };
  const rows = onCourse(
    ['2', '1', '3'].map((bib_number) => ({ ...runner, bib_number })),
    course,
  );
  expect(rows.map(({ bib_number, expected_time }) => [bib_number, expected_time])).toEqual([
    ['3', null],
    ['1', '00:50:00.000'],
    ['2', '00:36:00.000'],
  ]);
});
