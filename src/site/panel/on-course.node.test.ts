import { expect, test } from 'vitest';
import type { OnCourse } from '../../worker/results/panel-answer-schemas.ts';
import { byFinish, comingTo } from './public/panel/on-course/coming.ts';
import { type Ask, readComing } from './public/panel/on-course/pages.ts';

type Runner = OnCourse['data'][number];

const NOW = Date.parse('2027-05-09T08:00:00.000Z');

/** @param minutes when the runner is expected at the next point, from now */
const runner = (bib: string, next: string | null, minutes: number | null): Runner => ({
  inscription_id: bib,
  bib_number: bib,
  given_names: null,
  surnames: null,
  gender: null,
  category: null,
  distance: '21K',
  point: 'Km 5',
  time: '00:25:00.000',
  passed_at: null,
  seconds_since: null,
  category_place_at_point: null,
  next_point: next,
  next_time: `00:${bib.padStart(2, '0')}:00.000`,
  next_at: minutes === null ? null : new Date(NOW + 60_000 * minutes).toISOString(),
  finish_time: null,
  finish_at: null,
});

const bibsAt = (runners: Runner[]) =>
  comingTo(runners, ['Km 5', 'Km 10', 'Km 15'], NOW).map(([point, coming]) => [
    point,
    coming.map((one) => one.runner.bib_number).join(),
  ]);

test('names the next runner first, at the finish and at each point back to the start', () => {
  const runners = [
    runner('1', 'Km 10', 9),
    runner('2', 'Km 10', 4),
    runner('3', null, 7),
    runner('4', 'Km 15', 1),
    runner('5', null, -4),
    { ...runner('6', 'Km 10', 1), next_time: null },
  ];
  expect(bibsAt(runners)).toEqual([
    [null, '5,3'],
    ['Km 15', '4'],
    ['Km 10', '2,1'],
  ]);
});

test('names ten runners, without whoever has stopped, and by race time without a start', () => {
  const many = Array.from({ length: 12 }, (_, at) => runner(String(20 - at), null, null));
  expect(bibsAt(many)).toEqual([[null, '9,10,11,12,13,14,15,16,17,18']]);
  expect(bibsAt([runner('1', null, -6)])).toEqual([]);
  expect(bibsAt([runner('1', null, null), runner('2', null, 3)])).toEqual([[null, '2,1']]);
});

/** A race with so many runners behind each point, in pages of a hundred. */
function asking(behind: Record<string, number>) {
  const asked: string[] = [];
  const ask: Ask = async ({ last_point: point, page = 1 }) => {
    asked.push(`${point ?? 'all'} ${page}`);
    const total = Object.entries(behind).reduce(
      (sum, [name, count]) => (point === undefined || point === name ? sum + count : sum),
      0,
    );
    const rows = Math.min(100, total - 100 * (page - 1));
    return {
      data: Array.from({ length: rows }, (_, at) => runner(`${point} ${page} ${at}`, null, 1)),
      meta: { page, page_size: 100, total, total_pages: Math.ceil(total / 100) },
      progress: {
        started: total,
        points: Object.keys(behind).map((name) => ({ point: name, passed: 1 })),
        finished: 0,
        on_course: total,
      },
    };
  };
  return { ask, asked };
}

test('lists the next finish first, then the finishes without a told start, then the runners without a finish', () => {
  const finishing = (bib: string, finish_time: string | null, finish_at: string | null) => ({
    ...runner(bib, null, null),
    ...{ finish_time, finish_at },
  });
  const sorted = [
    finishing('1', null, null),
    finishing('2', '00:50:00.000', null),
    finishing('3', '01:10:00.000', '2027-05-09T08:10:00.000Z'),
    finishing('4', '00:40:00.000', null),
    finishing('5', '01:20:00.000', '2027-05-09T08:05:00.000Z'),
  ].toSorted(byFinish);
  expect(sorted.map(({ bib_number }) => bib_number)).toEqual(['5', '3', '4', '2', '1']);
});

test('reads a small field at once, and a large field point by point', async () => {
  const small = asking({ 'Km 5': 60, 'Km 10': 40 });
  expect((await readComing(small.ask)).data).toHaveLength(100);
  expect(small.asked).toEqual(['all 1']);
  const large = asking({ 'Km 5': 950, 'Km 10': 120 });
  expect((await readComing(large.ask)).data).toHaveLength(420);
  expect(large.asked).toEqual(['all 1', 'Km 5 1', 'Km 5 2', 'Km 5 3', 'Km 10 1', 'Km 10 2']);
});
