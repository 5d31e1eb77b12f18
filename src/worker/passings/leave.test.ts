import { expect, test } from 'vitest';
import { randomOf } from '../../dev/race-simulator/random.ts';
import { createRace, createRegistrations, db } from '../../testing/factories.ts';
import { request, withKey } from '../../testing/harness.ts';
import { postJson, type Race, uploadRows } from '../../testing/uploads.ts';
import { eventPoints, eventStarts } from '../db/schema.ts';
import { LEAVE_RULES } from '../results/schemas.ts';
import type { PassingsFilePreview, PassingsUploadOut, PassingUpload } from './answer-schemas.ts';

type Times = Record<string, string>;

async function sent<T>(asked: Promise<Response> | Response): Promise<T> {
  const answer = await asked;
  expect(answer.status, await answer.clone().text()).toBe(200);
  return answer.json<T>();
}

const pass = (race: Race, times: Times, query = '', headers = {}, point = 'Km 5') => {
  const rows = Object.entries(times).map(([bib_number, time]) => ({ bib_number, point, time }));
  return sent<PassingsUploadOut>(
    postJson(race, JSON.stringify({ passings: rows }), { to: `/passings${query}`, headers }),
  );
};

const sendFile = (race: Race, path: string, times: Times, query: string) =>
  request(`${race.path}/passings/${path}?point=Km%205&${query}`, {
    method: 'POST',
    headers: { ...withKey(race.key), 'Content-Type': 'text/csv' },
    body: ['bib,time', ...Object.entries(times).map((one) => one.join())].join('\n'),
  });

async function createLeavable(): Promise<Race> {
  const race = await createRace();
  await createRegistrations(
    race.eventId,
    ['1', '2', '3', '4'].map((bib_number) => ({ bib_number, distance: '10K' })),
  );
  return race;
}

/** Each reason: the stored rows before, and the time of bib 1 that is left for this reason. */
const CASES: Record<
  string,
  { leave: string; prepare: (race: Race) => Promise<unknown>; time: string }
> = {
  deleted_by_person: {
    leave: 'decided',
    async prepare(race) {
      await pass(race, { 1: '20:00' });
      await request(`${race.path}/passings?point=Km%205`, {
        method: 'DELETE',
        headers: withKey(race.key),
      });
    },
    time: '21:00',
  },
  taken_back: {
    leave: 'decided',
    async prepare(race) {
      const { upload_id } = await pass(race, { 1: '20:00' });
      await request(`${race.path}/passing-uploads/${upload_id}/revert`, {
        method: 'POST',
        headers: withKey(race.key),
      });
    },
    time: '20:00',
  },
  passing_of_dns: {
    leave: 'impossible',
    prepare: (race) => uploadRows(race, [{ bib_number: '1', status: 'DNS' }]),
    time: '20:00',
  },
  faster_than_point: { leave: 'impossible', prepare: async () => {}, time: '9:59' },
  after_finish: {
    leave: 'impossible',
    prepare: (race) => uploadRows(race, [{ bib_number: '1', time: '40:00' }]),
    time: '41:00',
  },
  second_passing: {
    leave: 'impossible',
    prepare: (race) => pass(race, { 1: '20:00' }),
    time: '21:00',
  },
  before_start: {
    leave: 'impossible',
    prepare: ({ eventId }) =>
      db.insert(eventStarts).values({
        ...{ event_id: eventId, ordinal: 1, name: 'Wave', bib_from: 1, bib_to: 1 },
        starts_at: new Date(Date.now() + 60 * 60_000),
        utc_offset_minutes: 0,
      }),
    time: '20:00',
  },
  of_another_sender: {
    leave: 'others',
    prepare: (race) => pass(race, { 1: '20:00' }, '?sender=Point%202'),
    time: '20:01',
  },
};

test.each(Object.entries(CASES))(
  'leaves a passing as %s, as JSON and as a file, and only if asked',
  async (reason, { leave, prepare, time }) => {
    const race = await createLeavable();
    await prepare(race);
    const times = { 1: time, 2: '22:00' };
    const query = `leave=${leave}&sender=Point%201`;
    const preview = await sent<PassingsFilePreview>(sendFile(race, 'file/preview', times, query));
    expect(preview.left).toMatchObject([{ row: 2, bib_number: '1', reason_code: reason }]);
    expect(preview.counts).toMatchObject({ left: 1, uploaded: 1, updated: 0, total_processed: 2 });
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const asJson = await pass(race, times, `?${query}`, headers);
    expect(asJson).toMatchObject({ uploaded: 1, updated: 0, total_processed: 2 });
    expect(asJson.left).toEqual([{ ...preview.left[0], row: 1 }]);
    expect(await pass(race, times, `?${query}`, headers)).toEqual(asJson);
    const asFile = await sent<PassingsUploadOut>(sendFile(race, 'file', times, query));
    expect(asFile).toMatchObject({ uploaded: 0, updated: 1, unchanged: 1, left: preview.left });
    const all = await pass(race, times);
    expect(all).toMatchObject({ unchanged: 1, left: [] });
    expect(all.uploaded + all.updated).toBe(2);
  },
);

test('knows how far a point is as the organization told, and leaves many changes as one group', async () => {
  const race = await createLeavable();
  await db
    .insert(eventPoints)
    .values({ event_id: race.eventId, name: 'Bridge', ordinal: 1, course_order: 1, km: 8 });
  expect(
    await pass(race, { 1: '15:59', 2: '16:00' }, '?leave=impossible', {}, 'Bridge'),
  ).toMatchObject({
    ...{ uploaded: 1, left: [{ reason_code: 'faster_than_point', stored: null }] },
  });
  const first = { 1: '20:00', 2: '20:01', 3: '20:02' };
  await pass(race, first, '?sender=A');
  const moved = await pass(
    race,
    { 1: '25:00', 2: '25:01', 3: '25:02', 4: '25:03' },
    '?leave=many&sender=A',
  );
  expect(moved).toMatchObject({
    uploaded: 1,
    updated: 0,
    left: [{ stored: { time: '00:20:00.000' }, sender: 'A' }, {}, {}],
  });
});

test('leaves a wrong file alike as JSON, as a file and in a preview', async () => {
  const race = await createLeavable();
  await pass(race, { 1: '20:00', 2: '20:01', 3: '20:02' });
  const wrong = { 1: '25:00', 2: '25:01', 3: '25:02', 4: '25:03' };
  const query = 'leave=many';
  const preview = await sent<PassingsFilePreview>(sendFile(race, 'file/preview', wrong, query));
  expect(preview.left.map(({ reason_code }) => reason_code)).toEqual(
    Array(3).fill('too_many_changes'),
  );
  expect(preview.counts).toMatchObject({ left: 3, uploaded: 1, updated: 0 });
  const asFile = await sent<PassingsUploadOut>(sendFile(race, 'file', wrong, query));
  expect(asFile).toMatchObject({ uploaded: 1, updated: 0, left: preview.left });
  const asJson = await pass(race, wrong, `?${query}`);
  expect(asJson).toMatchObject({ uploaded: 0, updated: 1, unchanged: 1 });
  expect(asJson.left).toEqual(preview.left.map((one) => ({ ...one, row: one.row - 1 })));
});

test('answers counts that add up, whatever is sent, left, taken back and deleted', async () => {
  const race = await createLeavable();
  const random = randomOf(7);
  const one = <Value>(...values: Value[]) => values[Math.floor(random() * values.length)];
  await uploadRows(race, [
    { bib_number: '1', status: 'DNS' },
    { bib_number: '2', chip_time: '40:00' },
  ]);
  const act = (method: string, below: string) =>
    request(race.path + below, { method, headers: withKey(race.key) });
  const seen = { left: 0, failed: 0, duplicates: 0, updated: 0, removed: 0 };
  for (let round = 0; round < 16; round += 1) {
    // Bibs from 5 on are unknown, and some rows have no valid time.
    const rows = Array.from({ length: 1 + Math.floor(random() * 8) }, () => ({
      bib_number: one('1', '2', '3', '4', '5') ?? '',
      time: one('9:00', '20:00', '20:01', '22:00', '41:00', 'late') ?? '',
    }));
    const rules = LEAVE_RULES.filter(() => random() < 0.5);
    const query = `sender=${one('A', 'B')}${rules.map((rule) => `&leave=${rule}`).join('')}`;
    const sendRows = (path: string) =>
      request(`${race.path}/passings/${path}?point=Km%205&${query}`, {
        method: 'POST',
        headers: { ...withKey(race.key), 'Content-Type': 'text/csv' },
        body: ['bib,time', ...rows.map(({ bib_number, time }) => `${bib_number},${time}`)].join(
          '\n',
        ),
      });
    const { counts } = await sent<PassingsFilePreview>(sendRows('file/preview'));
    const passings = rows.map((row) => ({ ...row, point: 'Km 5' }));
    const out = await sent<PassingsUploadOut>(
      random() < 0.5
        ? sendRows('file')
        : postJson(race, JSON.stringify({ passings }), { to: `/passings?${query}` }),
    );
    const { uploaded, updated, not_found, errors, duplicates, left, failed } = out;
    const sum = uploaded + updated + not_found + errors + duplicates + left.length;
    expect([round, query, sum]).toEqual([round, query, rows.length]);
    expect(counts).toMatchObject({
      ...{ uploaded, updated, not_found, errors, duplicates, left: left.length },
      total_processed: rows.length,
    });
    expect(failed).toHaveLength(not_found + errors);
    seen.left += left.length;
    seen.failed += failed.length;
    seen.duplicates += duplicates;
    seen.updated += updated;
    if (round % 6 === 3) await act('POST', `/passing-uploads/${out.upload_id}/revert`);
    if (round % 10 === 5) await act('DELETE', '/passings?point=Km%205');
  }
  const { data } = await sent<{ data: PassingUpload[] }>(
    act('GET', '/passing-uploads?page_size=100'),
  );
  expect(data.reduce((sum, upload) => sum + upload.left, 0)).toBe(seen.left);
  seen.removed = data.reduce((sum, upload) => sum + upload.removed, 0);
  expect(Object.entries(seen).filter(([, count]) => count <= 2)).toEqual([]);
});
