import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { createRace, db } from '../../testing/factories.ts';
import { request, withKey } from '../../testing/harness.ts';
import { postJson, type Race } from '../../testing/uploads.ts';
import { passings, registrations } from '../db/schema.ts';
import type {
  Passing,
  PassingDeletion,
  PassingsUploadOut,
  PassingUpload,
  PassingUploadReversal,
} from './answer-schemas.ts';

const asJson = async <T>(answer: Response | Promise<Response>): Promise<T> => {
  const response = await answer;
  expect(response.status, await response.clone().text()).toBe(200);
  return response.json<T>();
};

/** Uploads passings of the point, as `bib: time`. @returns the id of the upload */
async function pass(race: Race, times: Record<string, string>, point = 'Km 10', query = '') {
  const rows = Object.entries(times).map(([bib_number, time]) => ({ bib_number, point, time }));
  const body = JSON.stringify({ passings: rows });
  const out = await asJson<PassingsUploadOut>(postJson(race, body, { to: `/passings${query}` }));
  return out.upload_id;
}

/** The stored passings: `bib` → milliseconds. */
async function stored({ eventId }: Race): Promise<Record<string, number>> {
  const rows = await db
    .select({ bib: registrations.bib_number, ms: passings.time_ms })
    .from(passings)
    .innerJoin(registrations, eq(registrations.id, passings.registration_id))
    .where(eq(passings.event_id, eventId));
  return Object.fromEntries(rows.map(({ bib, ms }) => [bib, ms]));
}

const revert = (race: Race, uploadId: string | null, query = '') =>
  asJson<PassingUploadReversal>(
    request(`${race.path}/passing-uploads/${uploadId}/revert${query}`, {
      method: 'POST',
      headers: withKey(race.key),
    }),
  );

const deletePoint = (race: Race) =>
  asJson<PassingDeletion>(
    request(`${race.path}/passings?point=km%2010`, {
      method: 'DELETE',
      headers: withKey(race.key),
    }),
  );

async function uploads(race: Race, query = ''): Promise<PassingUpload[]> {
  const address = `${race.path}/passing-uploads${query}`;
  const { data } = await asJson<{ data: PassingUpload[] }>(
    request(address, { headers: withKey(race.key) }),
  );
  return data;
}

const MINUTE = 60_000;

describe('an upload of passings', () => {
  test('is taken back: what it replaced comes back, and what it created disappears', async () => {
    const race = await createRace({ bibs: ['1', '2', '3'] });
    await pass(race, { 1: '40:00', 2: '41:00' });
    const wrong = await pass(race, { 1: '50:00', 2: '41:00', 3: '52:00' });
    expect(await revert(race, wrong, '?dry_run=true')).toEqual({
      ...{ upload_id: null, reverts: wrong, dry_run: true },
      ...{ restored: 1, removed: 1, reinstated: 0, already_reverted: 0, kept: 0 },
    });
    expect(await stored(race)).toEqual({ 1: 50 * MINUTE, 2: 41 * MINUTE, 3: 52 * MINUTE });
    const done = await revert(race, wrong);
    expect(done).toMatchObject({ restored: 1, removed: 1, dry_run: false });
    expect(await stored(race)).toEqual({ 1: 40 * MINUTE, 2: 41 * MINUTE });
    expect(await revert(race, wrong)).toMatchObject({
      ...{ upload_id: null, restored: 0, removed: 0, already_reverted: 2 },
    });
    expect(await uploads(race)).toMatchObject([
      {
        id: done.upload_id,
        source: 'revert',
        reverts: wrong,
        updated: 1,
        removed: 1,
        reverted_by: null,
      },
      { id: wrong, uploaded: 1, updated: 2, unchanged: 1, reverted_by: done.upload_id },
      { uploaded: 2, reverted_by: null },
    ]);

    expect(await revert(race, done.upload_id)).toMatchObject({ restored: 1, reinstated: 1 });
    expect(await stored(race)).toEqual({ 1: 50 * MINUTE, 2: 41 * MINUTE, 3: 52 * MINUTE });
    expect((await uploads(race)).map(({ reverted_by }) => reverted_by !== null)).toEqual([
      ...[false, true, false, false],
    ]);
  });

  test('is named by its passings, with its key and its sender', async () => {
    const race = await createRace({ bibs: ['1', '2'] });
    const first = await pass(race, { 1: '40:00', 2: '41:00' }, 'Km 10', '?sender=Bike%20laptop');
    const second = await pass(race, { 1: '39:00', 2: '41:00' });
    const list = async () => {
      const headers = withKey(race.key);
      const { data } = await asJson<{ data: Passing[] }>(
        request(`${race.path}/passings`, { headers }),
      );
      return data.map(({ bib_number, upload_id, key_name, sender }) => ({
        ...{ bib_number, upload_id, key_name, sender },
      }));
    };
    const [{ key_name } = { key_name: '' }] = await uploads(race);
    expect(key_name).not.toBe('');
    const ofTwo = { bib_number: '2', upload_id: first, key_name, sender: 'Bike laptop' };
    expect(await list()).toEqual([
      { bib_number: '1', upload_id: second, key_name, sender: null },
      ofTwo,
    ]);
    await revert(race, second);
    expect(await list()).toEqual([{ ...ofTwo, bib_number: '1' }, ofTwo]);
  });

  test('keeps passings that a later upload replaced, and comes back when that one is taken back', async () => {
    const race = await createRace({ bibs: ['1', '2'] });
    const first = await pass(race, { 1: '40:00', 2: '41:00' });
    const second = await pass(race, { 1: '42:00' });
    expect(await revert(race, first)).toMatchObject({ removed: 1, kept: 1 });
    expect(await stored(race)).toEqual({ 1: 42 * MINUTE });
    await revert(race, second);
    expect(await stored(race)).toEqual({ 1: 40 * MINUTE });
    expect(await revert(race, first)).toMatchObject({ removed: 1, already_reverted: 1 });
    expect(await stored(race)).toEqual({});
  });

  test('brings a deleted point back', async () => {
    const race = await createRace({ bibs: ['1', '2'] });
    await pass(race, { 1: '40:00', 2: '41:00' });
    const deleted = await deletePoint(race);
    expect(deleted).toMatchObject({ removed: 2 });
    await pass(race, { 2: '45:00' });
    expect(await revert(race, deleted.upload_id)).toMatchObject({ reinstated: 1, kept: 1 });
    expect(await stored(race)).toEqual({ 1: 40 * MINUTE, 2: 45 * MINUTE });
    expect((await uploads(race))[2]).toMatchObject({
      ...{ source: 'delete', deleted_point: 'Km 10', removed: 2, total_processed: 2 },
    });
  });

  test('shows its sender, by whom the list can be filtered', async () => {
    const race = await createRace({ bibs: ['1', '2'] });
    const own = await pass(race, { 1: '40:00' }, 'Km 10', '?sender=%20Laptop%20 1');
    await pass(race, { 2: '40:00' }, 'Km 10', '?sender=Laptop%202');
    expect(await uploads(race, '?sender=Laptop%201')).toMatchObject([
      { id: own, sender: 'Laptop 1' },
    ]);
    expect(await uploads(race)).toHaveLength(2);
  });

  test('is found by nobody else', async () => {
    const [race, other] = [await createRace({ bibs: ['1'] }), await createRace({ bibs: ['1'] })];
    const upload = await pass(race, { 1: '40:00' });
    const asked = await request(`${other.path}/passing-uploads/${upload}/revert`, {
      method: 'POST',
      headers: withKey(other.key),
    });
    expect(asked.status).toBe(404);
    expect(await stored(race)).toEqual({ 1: 40 * MINUTE });
  });

  test('after a swap keeps the swap from being taken back', async () => {
    const race = await createRace({ bibs: ['1', '2'] });
    await postJson(race, '{"results": [{"bib_number": "1", "time": "1:00:00"}]}');
    await pass(race, { 1: '40:00', 2: '41:00' });
    const body = JSON.stringify({ bib_numbers: ['1', '2'] });
    const swap = await asJson<{ batch_id: string }>(postJson(race, body, { to: '/results/swap' }));
    const swapBack = () =>
      request(`${race.path}/result-batches/${swap.batch_id}/revert`, {
        method: 'POST',
        headers: withKey(race.key),
      });
    // Also an upload whose request came before the swap.
    const late = await pass(race, { 1: '43:00' });
    await db.execute(
      `update passings set received_at = now() - interval '1 hour' where upload_id = '${late}'`,
    );
    expect((await swapBack()).status).toBe(409);
    expect(await stored(race)).toEqual({ 1: 43 * MINUTE, 2: 40 * MINUTE });
  });

  test('keeps the passings of two runners who were swapped since, until they are swapped back', async () => {
    const race = await createRace({ bibs: ['1', '2', '3'] });
    await postJson(race, '{"results": [{"bib_number": "1", "time": "1:00:00"}]}');
    const own = await pass(race, { 1: '40:00', 3: '44:00' });
    await pass(race, { 2: '41:00' });
    const only = await pass(race, { 1: '20:00' }, 'Km 5');
    const body = JSON.stringify({ bib_numbers: ['1', '2'] });
    const swap = await asJson<{ batch_id: string }>(postJson(race, body, { to: '/results/swap' }));
    expect(await revert(race, only)).toMatchObject({ upload_id: null, removed: 0, kept: 1 });
    expect(await revert(race, own)).toMatchObject({ removed: 1, kept: 1 });
    const { rows } = await db.execute(
      `select bib_number || ' ' || point || ' ' || time_ms / 60000 as passing from passings
       join registrations on id = registration_id where passings.event_id = '${race.eventId}' order by 1`,
    );
    expect(rows.map(({ passing }) => passing)).toEqual(['1 Km 10 41', '2 Km 10 40', '2 Km 5 20']);
    await asJson(
      request(`${race.path}/result-batches/${swap.batch_id}/revert`, {
        method: 'POST',
        headers: withKey(race.key),
      }),
    );
    expect(await revert(race, own)).toMatchObject({ removed: 1, kept: 0, already_reverted: 1 });
    expect(await revert(race, only)).toMatchObject({ removed: 1, kept: 0 });
    expect(await stored(race)).toEqual({ 2: 41 * MINUTE });
  });
});
