import { beforeAll, expect, test } from 'vitest';
import { createRace, createRegistrations, createStart } from '../../testing/factories.ts';
import { startApp, withKey } from '../../testing/harness.ts';
import { panelOf } from '../../testing/members.ts';
import { postJson, uploadRows } from '../../testing/uploads.ts';
import type { OnCourse } from './panel-answer-schemas.ts';

const { request } = startApp();

const woman = { gender: 'F', category: 'W40', distance: '10K' };
const man = { gender: 'M', category: 'M40', distance: '21K' };

type Passing = readonly [bib: string, point: string, time: string];

/** A race, its passings, and its list of the runners on the course. */
async function createField(passings: readonly Passing[]) {
  const race = await createRace();
  const women = ['1', '2', '3', '4'].map((bib_number) => ({ ...woman, bib_number }));
  const men = ['21', '22'].map((bib_number) => ({ ...man, bib_number }));
  await createRegistrations(race.eventId, [...women, ...men]);
  const { ask } = await panelOf(race);
  const sent = passings.map(([bib_number, point, time]) => ({ bib_number, point, time }));
  const stored = await postJson(race, JSON.stringify({ passings: sent }), { to: '/passings' });
  expect(await stored.json()).toMatchObject({ uploaded: passings.length });
  const list = async (query = '') => (await ask(`/on-course${query}`)).json<OnCourse>();
  return { race, list };
}

const bibsOf = ({ data }: OnCourse) => data.map(({ bib_number }) => bib_number);

let field: Awaited<ReturnType<typeof createField>>;

beforeAll(async () => {
  field = await createField([
    ['1', 'Km 5', '25:00'],
    ['2', 'Km 5', '24:00'],
    ['3', 'Km 5', '20:00'],
    ['4', 'Km 5', '19:30'],
    ['21', 'Km 5', '18:00'],
    ['21', 'Km 15', '54:00'],
    ['22', 'Km 5', '19:00'],
  ]);
  await uploadRows(field.race, [
    { bib_number: '3', time: '40:00' },
    { bib_number: '4', status: 'DNS' },
    { bib_number: '22', status: 'DNF' },
  ]);
});

test('lists whoever has a passing and no result that ends the race', async () => {
  const answer = await field.list();
  expect(bibsOf(answer)).toEqual(['4', '2', '1', '21']);
  expect(answer.meta).toMatchObject({ total: 4, total_pages: 1 });
  expect(answer.progress).toEqual({
    started: 6,
    points: [
      { point: 'Km 5', passed: 6 },
      { point: 'Km 15', passed: 1 },
    ],
    finished: 1,
    on_course: 4,
  });
});

test('tells the last point, the place there, and the expected times by the pace up to there', async () => {
  const { data } = await field.list();
  // The finisher was there earlier.
  expect(data[2]).toMatchObject({
    point: 'Km 5',
    time: '00:25:00.000',
    category_place_at_point: 3,
    next_point: null,
    next_time: '00:50:00.000',
    finish_time: '00:50:00.000',
    passed_at: null,
    seconds_since: null,
    finish_at: null,
  });
  expect(data[3]).toMatchObject({
    point: 'Km 15',
    category_place_at_point: 1,
    next_point: null,
    finish_time: '01:15:57.000',
  });
});

test('gives a runner who did not start no place and no expected time: another runner may have the bib', async () => {
  const [absent, second] = (await field.list()).data;
  expect(absent).toMatchObject({
    ...{ bib_number: '4', point: 'Km 5', time: '00:19:30.000', category_place_at_point: null },
    ...{ next_time: null, next_at: null, finish_time: null, finish_at: null },
  });
  // The finisher was there first.
  expect(second).toMatchObject({ bib_number: '2', category_place_at_point: 2 });
});

test('lists a page, a distance, and the runners seen at a point and not after it', async () => {
  const page = await field.list('?page=2&page_size=3');
  expect(bibsOf(page)).toEqual(['21']);
  expect(page.data[0]).toMatchObject({ category_place_at_point: 1 });
  expect(bibsOf(await field.list('?distance=21K'))).toEqual(['21']);
  const after = await field.list('?last_point=Km%205');
  expect(bibsOf(after)).toEqual(['4', '2', '1']);
  expect(after.progress).toMatchObject({ on_course: 4 });
  expect(bibsOf(await field.list('?last_point=Km%205&distance=21K'))).toEqual([]);
});

test('counts from the start line, by the told points and the told start', async () => {
  const { race, list } = await createField([
    ['1', 'Start', '01:00'],
    ['1', 'Bridge', '21:00'],
  ]);
  await createStart(race.eventId, new Date('2027-05-09T07:00:00.000Z'));
  await request(`${race.path}/points`, {
    method: 'PUT',
    headers: { ...withKey(race.key), 'Content-Type': 'application/json' },
    body: JSON.stringify({
      version: 0,
      points: [
        { name: 'Start', order: 1, km: null },
        { name: 'bridge', order: 2, km: 4 },
        { name: 'Tower', order: 3, km: 6 },
        { name: 'Other', order: 4, km: 7, distance: '21K' },
      ],
    }),
  });
  expect((await list()).data).toMatchObject([
    {
      point: 'Bridge',
      passed_at: '2027-05-09T07:21:00.000Z',
      next_point: 'Tower',
      next_time: '00:31:00.000',
      next_at: '2027-05-09T07:31:00.000Z',
      finish_time: '00:51:00.000',
      finish_at: '2027-05-09T07:51:00.000Z',
    },
  ]);
});
