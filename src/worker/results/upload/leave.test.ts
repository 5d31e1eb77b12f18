import { and, eq, ne } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { randomOf } from '../../../dev/race-simulator/random.ts';
import { createKey, createRace, createRegistrations, db } from '../../../testing/factories.ts';
import { request, withKey } from '../../../testing/harness.ts';
import { panelOf } from '../../../testing/members.ts';
import { postJson, type Race } from '../../../testing/uploads.ts';
import { apiKeys, eventStarts } from '../../db/schema.ts';
import type { ResultBatch } from '../batches/answer-schemas.ts';
import { LEFT_REASONS } from '../left-reasons.ts';
import { LEAVE_RULES } from '../schemas.ts';
import type { ResultsUploadOut } from './answer-schemas.ts';
import type {
  OrganizationResultsFilePreview,
  ResultsFilePreview,
} from './preview-answer-schemas.ts';

type Row = { bib: string; time?: string; gun?: string; status?: string };

const row = (bib: string, time: string): Row => ({ bib, time });

async function sent<T>(asked: Promise<Response> | Response): Promise<T> {
  const answer = await asked;
  expect(answer.status, await answer.clone().text()).toBe(200);
  return answer.json<T>();
}

const upload = (race: Race, rows: readonly Row[], query = '', headers = {}) =>
  sent<ResultsUploadOut>(
    postJson(
      race,
      JSON.stringify({
        results: rows.map(({ bib, time, gun, status }) => ({
          ...{ bib_number: bib, chip_time: time, gun_time: gun, status },
        })),
      }),
      { to: `/results${query}`, headers },
    ),
  );

const csvOf = (rows: readonly Row[]) =>
  [
    'bib,chip_time,gun_time,status',
    ...rows.map((one) => [one.bib, one.time, one.gun, one.status].join()),
  ].join('\n');

const sendFile = (race: Race, path: string, rows: readonly Row[], query: string) =>
  request(`${race.path}/results/${path}${query}`, {
    method: 'POST',
    headers: { ...withKey(race.key), 'Content-Type': 'text/csv' },
    body: csvOf(rows),
  });

/** Bibs with a distance of 10 km, for which a result of each kind can be impossible. */
async function createLeavable(bibs: number): Promise<Race & { organizationId: string }> {
  const race = await createRace();
  await createRegistrations(
    race.eventId,
    Array.from({ length: bibs }, (_, at) => ({
      bib_number: String(at + 1),
      distance: '10K',
      given_names: 'Ana',
    })),
  );
  return race;
}

const ALL = '?leave=decided&leave=impossible&leave=others&leave=many&sender=Laptop%201';

/** Each reason: the stored rows before, and the row that is left for this reason. */
const CASES: Record<
  string,
  {
    leave: string;
    prepare: (race: Race & { organizationId: string }) => Promise<unknown>;
    row: Row;
  }
> = {
  decided_by_person: {
    leave: 'decided',
    async prepare(race) {
      await upload(race, [row('1', '0:40:00')]);
      await (await panelOf(race)).ask('/results/1', { method: 'PATCH', body: '{"status": "DNF"}' });
    },
    row: row('1', '0:40:01'),
  },
  deleted_by_person: {
    leave: 'decided',
    async prepare(race) {
      await upload(race, [row('1', '0:40:00')]);
      await request(`${race.path}/results/1`, { method: 'DELETE', headers: withKey(race.key) });
    },
    row: row('1', '0:45:00'),
  },
  disqualified: {
    leave: 'decided',
    prepare: (race) => upload(race, [{ bib: '1', status: 'DSQ' }]),
    row: row('1', '0:40:00'),
  },
  taken_back: {
    leave: 'decided',
    async prepare(race) {
      const { batch_id } = await upload(race, [row('1', '0:40:00')]);
      await request(`${race.path}/result-batches/${batch_id}/revert`, {
        method: 'POST',
        headers: withKey(race.key),
      });
    },
    row: row('1', '0:40:00'),
  },
  too_fast: { leave: 'impossible', prepare: async () => {}, row: row('1', '0:10:00') },
  too_slow: { leave: 'impossible', prepare: async () => {}, row: row('1', '9:00:00') },
  second_finish: {
    leave: 'impossible',
    prepare: (race) => upload(race, [row('1', '0:40:00')]),
    row: row('1', '0:41:00'),
  },
  before_start: {
    leave: 'impossible',
    prepare: ({ eventId }) =>
      db.insert(eventStarts).values({
        ...{ event_id: eventId, ordinal: 1, name: 'Start', bib_from: 1, bib_to: 1 },
        starts_at: new Date(Date.now() + 60 * 60_000),
        utc_offset_minutes: 0,
      }),
    row: row('1', '0:40:00'),
  },
  dns_with_passing: {
    leave: 'impossible',
    prepare: (race) =>
      postJson(race, '{"passings": [{"bib_number": "1", "point": "Km 5", "time": "20:00"}]}', {
        to: '/passings',
      }),
    row: { bib: '1', status: 'DNS' },
  },
  of_another_sender: {
    leave: 'others',
    prepare: (race) => upload(race, [row('1', '0:40:00')], '?sender=Laptop%202'),
    row: row('1', '0:40:01'),
  },
};

test.each(Object.entries(CASES))(
  'leaves a row as %s, as JSON and as a file, and only if asked',
  async (reason, { leave, prepare, row: left }) => {
    const race = await createLeavable(2);
    await prepare(race);
    const rows = [left, row('2', '0:42:00')];
    const query = `?leave=${leave}&sender=Laptop%201`;
    const preview = await sent<ResultsFilePreview>(sendFile(race, 'file/preview', rows, query));
    expect(preview.left).toMatchObject([{ row: 2, bib_number: '1', reason_code: reason }]);
    expect(preview.counts).toMatchObject({ left: 1, uploaded: 1, updated: 0, total_processed: 2 });
    const asJson = await upload(race, rows, query);
    expect(asJson).toMatchObject({ uploaded: 1, updated: 0, total_processed: 2 });
    expect(asJson.left).toEqual([{ ...preview.left[0], row: 1 }]);
    const asFile = await sent<ResultsUploadOut>(sendFile(race, 'file', rows, query));
    expect(asFile).toMatchObject({ uploaded: 0, updated: 1, unchanged: 1, left: preview.left });
    // Without `leave`, the row is stored.
    const all = await upload(race, rows);
    expect(all).toMatchObject({ unchanged: 1, left: [] });
    expect(all.uploaded + all.updated).toBe(2);
  },
);

test('leaves a wrong file as one group, and stores its new rows', async () => {
  const race = await createLeavable(12);
  const bibs = Array.from({ length: 10 }, (_, at) => String(at + 1));
  await upload(
    race,
    bibs.map((bib) => row(bib, `0:40:${bib.padStart(2, '0')}`)),
    '?sender=A',
  );
  const wrong = [...bibs.slice(0, 3).map((bib) => row(bib, '0:50:00')), row('11', '0:51:00')];
  const out = await upload(race, wrong, '?leave=many&sender=A');
  expect(out.left.map(({ reason_code }) => reason_code)).toEqual(Array(3).fill('too_many_changes'));
  expect(out).toMatchObject({
    uploaded: 1,
    updated: 0,
    left: [{ stored: { chip_time: '00:40:01.000' }, sender: 'A' }, {}, {}],
  });
  // Two rows are not many, and neither are three rows that only gain a split.
  expect(await upload(race, wrong.slice(0, 2), '?leave=many&sender=A')).toMatchObject({
    updated: 2,
    left: [],
  });
});

test('takes a shift of three results for no second finish', async () => {
  const race = await createLeavable(4);
  const times = (shift: number) =>
    ['1', '2', '3'].map((bib) => row(bib, `0:4${Number(bib) + shift}:00`));
  await upload(race, times(0));
  expect(await upload(race, times(2), '?leave=impossible')).toMatchObject({ updated: 3, left: [] });
  const two = times(4).slice(0, 2);
  expect(await upload(race, two, '?leave=impossible')).toMatchObject({ updated: 0 });
});

test('stores another value of what was taken back, and keeps a deletion whatever the row says', async () => {
  const race = await createLeavable(1);
  await CASES['taken_back']?.prepare(race);
  expect(await upload(race, [row('1', '0:41:00')], '?leave=decided')).toMatchObject({
    uploaded: 1,
    left: [],
  });
});

test('stores a split for a result that came back, although an earlier revert took the result back', async () => {
  const race = await createLeavable(1);
  await upload(race, [row('1', '0:50:00')]);
  const { batch_id } = await upload(race, [row('1', '0:40:00')]);
  const revert = async (batchId: string) => {
    const path = `${race.path}/result-batches/${batchId}/revert`;
    return sent<{ batch_id: string }>(
      request(path, { method: 'POST', headers: withKey(race.key) }),
    );
  };
  const reverted = await revert(batch_id);
  await revert(reverted.batch_id);
  const results = [{ bib_number: '1', chip_time: '0:40:00', splits: { 'Km 5': '20:00' } }];
  const out = await sent<ResultsUploadOut>(
    postJson(race, JSON.stringify({ results }), { to: '/results?leave=decided' }),
  );
  expect(out).toMatchObject({ updated: 1, unchanged: 0, left: [] });
  const [left] = (await upload(race, [row('1', '0:50:00')], '?leave=decided')).left;
  expect(left).toBeUndefined();
});

test('repeats what was left for a repeated upload, and records its sender and how many rows it left', async () => {
  const race = await createLeavable(2);
  await CASES['disqualified']?.prepare(race);
  const rows = [row('1', '0:40:00'), row('2', '0:42:00')];
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  const first = await upload(race, rows, ALL, headers);
  expect(first.left).toHaveLength(1);
  expect(await upload(race, rows, ALL, headers)).toEqual(first);
  const other = await postJson(race, '{"results": []}', { to: '/results?leave=decided', headers });
  expect(other.status).toBe(400);
  const { data } = await sent<{ data: ResultBatch[] }>(
    request(`${race.path}/result-batches?sender=Laptop%201`, { headers: withKey(race.key) }),
  );
  expect(data).toMatchObject([{ sender: 'Laptop 1', left: 1, uploaded: 1, total_processed: 2 }]);
});

test('refuses "others" without a sender, an unknown rule and a name that is too long', async () => {
  const race = await createLeavable(1);
  for (const query of ['?leave=others', '?leave=all', `?sender=${'x'.repeat(61)}`]) {
    const answer = await postJson(race, '{"results": []}', { to: `/results${query}` });
    expect([query, answer.status]).toEqual([query, 400]);
  }
  const unknown = await postJson(race, '{"results": []}', { to: '/results?leave=all' });
  expect(await unknown.json()).toMatchObject({ detail: expect.stringContaining('not "all"') });
});

test('changes no value twice while two laptops send 40 batches in turns', async () => {
  const race = await createLeavable(20);
  const written: Record<string, number> = {};
  // The bibs of batch 21 are those of batch 1.
  for (let batch = 0; batch < 40; batch += 1) {
    const laptop = 1 + (batch % 2);
    const rows = Array.from({ length: 5 }, (_, at) =>
      row(String(1 + ((batch + at * 4) % 20)), `0:4${laptop}:0${laptop}`),
    );
    const out = await upload(race, rows, `?leave=others&sender=Laptop%20${laptop}`);
    expect(out.updated - out.unchanged).toBe(0);
    written['new'] = (written['new'] ?? 0) + out.uploaded;
    expect(out.uploaded + out.updated + out.left.length).toBe(5);
  }
  expect(written['new']).toBe(20);
});

test('takes the rows of a revoked key for rows of the sender of an equal name', async () => {
  const race = await createLeavable(4);
  const rows = (time: string) => ['1', '2', '3'].map((bib) => row(bib, time));
  await upload(race, rows('0:40:00'), '?sender=Finish');
  const key = await createKey(race.organizationId, { name: 'Renewed' });
  const query = '?leave=others&sender=Finish';
  const first = await upload({ ...race, key }, rows('0:41:00'), query);
  expect(first.left.map(({ reason_code }) => reason_code)).toEqual(
    Array(3).fill('of_another_sender'),
  );
  const isOld = and(eq(apiKeys.organization_id, race.organizationId), ne(apiKeys.name, 'Renewed'));
  await db.update(apiKeys).set({ revoked_at: new Date() }).where(isOld);
  expect(await upload({ ...race, key }, rows('0:41:00'), query)).toMatchObject({
    updated: 3,
    left: [],
  });
  const other = '?leave=others&sender=Start';
  expect((await upload({ ...race, key }, rows('0:42:00'), other)).left).toHaveLength(3);
});

test('names the runner and the reason in the panel, and nobody to a key', async () => {
  const race = await createLeavable(2);
  await upload(race, [row('1', '0:40:00')]);
  const { ask } = await panelOf(race);
  const reason = 'Cut the course';
  const body = JSON.stringify({ status: 'DSQ', reason });
  expect((await ask('/results/1', { method: 'PATCH', body })).status).toBe(200);
  const rows = [row('1', '0:40:01'), row('2', '0:42:00')];
  const query = '?leave=decided&leave=many';
  const ofKey = await sent<ResultsFilePreview>(sendFile(race, 'file/preview', rows, query));
  const ofPanel = await sent<OrganizationResultsFilePreview>(
    ask(`/results/file/preview${query}`, {
      ...{ method: 'POST', body: csvOf(rows) },
      headers: { 'Content-Type': 'text/csv' },
    }),
  );
  const [named] = ofPanel.left;
  expect(named).toMatchObject({ bib_number: '1', stored: { status: 'DSQ' }, reason });
  const { given_names, surnames, reason: _, ...left } = named ?? {};
  expect([given_names, surnames]).toEqual(['Ana', null]);
  expect(ofKey.left).toEqual([left]);
});

/** The reasons of passings alone. */
const OF_PASSINGS = ['faster_than_point', 'after_finish', 'second_passing', 'passing_of_dns'];

test('has a case for each reason', () => {
  expect([...Object.keys(CASES), ...OF_PASSINGS, 'too_many_changes'].sort()).toEqual(
    [...LEFT_REASONS].sort(),
  );
});

test('leaves a wrong file alike as JSON, as a file and in a preview', async () => {
  const race = await createLeavable(4);
  const first = ['1', '2', '3'].map((bib) => row(bib, `0:40:0${bib}`));
  await upload(race, first);
  const wrong = [...first.map(({ bib }) => row(bib, `0:50:0${bib}`)), row('4', '0:51:00')];
  const query = '?leave=many';
  const preview = await sent<ResultsFilePreview>(sendFile(race, 'file/preview', wrong, query));
  expect(preview.left.map(({ reason_code }) => reason_code)).toEqual(
    Array(3).fill('too_many_changes'),
  );
  expect(preview.counts).toMatchObject({ left: 3, uploaded: 1, updated: 0 });
  const asFile = await sent<ResultsUploadOut>(sendFile(race, 'file', wrong, query));
  expect(asFile).toMatchObject({ uploaded: 1, updated: 0, left: preview.left });
  const asJson = await upload(race, wrong, query);
  expect(asJson).toMatchObject({ uploaded: 0, updated: 1, unchanged: 1 });
  expect(asJson.left).toEqual(preview.left.map((one) => ({ ...one, row: one.row - 1 })));
});

test('answers counts that add up, whatever is sent and left', async () => {
  const race = await createLeavable(12);
  const next = randomOf(7);
  const random = (below: number) => Math.floor(next() * below);
  const anyRow = (): Row => {
    // Bibs from 13 on are unknown, and some rows have no valid time.
    const bib = String(1 + random(15));
    const status = ['', '', '', 'DNF', 'DSQ', 'DNS'][random(6)] ?? '';
    const time = ['0:10:00', '0:39:59', '0:40:00', '0:42:00', '9:59:00', 'late'][random(6)] ?? '';
    return status === '' ? { bib, time } : { bib, status };
  };
  const seen = { left: 0, failed: 0, duplicates: 0, updated: 0 };
  for (let round = 0; round < 16; round += 1) {
    const rows = Array.from({ length: 1 + random(12) }, anyRow);
    const rules = LEAVE_RULES.filter(() => random(2) === 0);
    const query = `?sender=Laptop%20${random(2)}${rules.map((rule) => `&leave=${rule}`).join('')}`;
    const { counts } = await sent<ResultsFilePreview>(sendFile(race, 'file/preview', rows, query));
    const isFile = random(2) === 0;
    const out = isFile
      ? await sent<ResultsUploadOut>(sendFile(race, 'file', rows, query))
      : await upload(race, rows, query);
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
  }
  expect(Object.values(seen).every((count) => count > 5)).toBe(true);
  const { data } = await sent<{ data: ResultBatch[] }>(
    request(`${race.path}/result-batches?page_size=100`, { headers: withKey(race.key) }),
  );
  expect(data.reduce((sum, batch) => sum + batch.left, 0)).toBe(seen.left);
});
