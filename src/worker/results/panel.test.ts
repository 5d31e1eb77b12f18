import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createRace, db } from '../../testing/factories.ts';
import { startApp, withKey } from '../../testing/harness.ts';
import { createMember } from '../../testing/members.ts';
import { type Race, uploadCsv, uploadRows } from '../../testing/uploads.ts';
import { events } from '../db/schema.ts';
import type { ResultBatch, ResultBatchReversal } from './batches/answer-schemas.ts';

const { request } = startApp();

/** An event with three runners, and its manager's requests about it. */
async function createManagedRace() {
  const race = await createRace({ bibs: ['1', '2', '3'] });
  const { headers, userId } = await createMember(race.organizationId, 'admin');
  const ask = (path: string, init: RequestInit = {}) =>
    request(`/api/v1/organizations/${race.organizationId}/events/${race.eventId}${path}`, {
      ...init,
      headers: { ...headers, ...init.headers },
    });
  const revert = async (batchId: string, query = '') =>
    (
      await ask(`/result-batches/${batchId}/revert${query}`, { method: 'POST' })
    ).json<ResultBatchReversal>();
  return { race, userId, ask, revert };
}

const publicResults = async ({ path, key }: Race) =>
  (await request(`${path}/results/export`, { headers: withKey(key) })).text();

test('takes an upload back, with the user and the key of the upload on record', async () => {
  const { race, userId, ask, revert } = await createManagedRace();
  await uploadRows(race, [{ bib_number: '1', time: '1:00:00' }]);
  const before = await publicResults(race);
  const { batch_id } = await uploadCsv(race, 'bib,time\n1,2:00:00\n2,1:30:00\n');
  const after = await publicResults(race);

  expect(await revert(batch_id, '?dry_run=true')).toMatchObject({
    batch_id: null,
    dry_run: true,
    restored: 1,
    removed: 1,
    kept: 0,
  });
  expect(await publicResults(race)).toBe(after);
  const done = await revert(batch_id);
  expect(done).toMatchObject({ reverts: batch_id, dry_run: false, restored: 1, removed: 1 });
  expect(await publicResults(race)).toBe(before);
  expect(await revert(batch_id)).toMatchObject({ batch_id: null, already_reverted: 2 });

  const { data } = await (await ask('/result-batches')).json<{ data: ResultBatch[] }>();
  expect(data).toMatchObject([
    { id: done.batch_id, source: 'revert', reverts: batch_id, user_id: userId },
    { id: batch_id, source: 'csv', reverted_by: done.batch_id, user_id: null },
    { source: 'json', user_id: null },
  ]);
  expect(data[0]).toMatchObject({ key_name: data[1]?.key_name, key_prefix: data[1]?.key_prefix });
  const shown = await request(`${race.path}/result-batches`, { headers: withKey(race.key) });
  expect(await shown.json()).toMatchObject({ data });

  // The revert can be taken back with a key, and that one in the panel again.
  const again = await request(`${race.path}/result-batches/${done.batch_id}/revert`, {
    method: 'POST',
    headers: withKey(race.key),
  });
  const { batch_id: redone } = await again.json<{ batch_id: string }>();
  expect(await publicResults(race)).toBe(after);
  expect(await revert(redone)).toMatchObject({ restored: 1, removed: 1 });
  expect(await publicResults(race)).toBe(before);
});

test('does not take a batch of another event back', async () => {
  const { race, ask } = await createManagedRace();
  const other = await createManagedRace();
  const { batch_id } = await uploadRows(other.race, [{ bib_number: '1', time: '1:00:00' }]);
  const stored = await publicResults(other.race);
  for (const query of ['', '?dry_run=true']) {
    const path = `/result-batches/${batch_id}/revert${query}`;
    expect((await ask(path, { method: 'POST' })).status).toBe(404);
  }
  expect(await publicResults(other.race)).toBe(stored);
  expect(await (await ask('/result-batches')).json()).toMatchObject({ data: [] });
  expect(await publicResults(race)).not.toBe(stored);
});

test('downloads the results as the public export, under the name of the event', async () => {
  const { race, ask } = await createManagedRace();
  await db.update(events).set({ name: 'Harbour Half' }).where(eq(events.id, race.eventId));
  await uploadCsv(race, 'bib,time,Km 5\n1,1:00:00,20:00\n2,,\n3,59:00,=1+1\n');
  const response = await ask('/results/export', { headers: { Accept: 'text/csv' } });
  expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
  expect(response.headers.get('Content-Disposition')).toContain('"Harbour Half - results.csv"');
  expect(await response.text()).toBe(await publicResults(race));
  const known = { 'If-None-Match': response.headers.get('ETag') ?? '' };
  expect((await ask('/results/export', { headers: known })).status).toBe(304);
});
