import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../../testing/assertions.ts';
import { createRace, createRegistrations, db } from '../../../testing/factories.ts';
import { request, withKey } from '../../../testing/harness.ts';
import { panelOf } from '../../../testing/members.ts';
import { type Race, uploadRows } from '../../../testing/uploads.ts';
import { registrations, results } from '../../db/schema.ts';
import type {
  ResultBatch,
  ResultBatchReversal,
  ResultChange,
  ResultSwap,
} from './answer-schemas.ts';

const post = (race: Race, path: string, body: object, headers = withKey(race.key)) =>
  request(race.path + path, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

const swap = (race: Race, bibs: readonly string[], more: object = {}) =>
  post(race, '/results/swap', { bib_numbers: bibs, ...more });

async function swapped(race: Race, bibs: readonly string[], more: object = {}) {
  const answer = await swap(race, bibs, more);
  expect(answer.status).toBe(200);
  return answer.json<ResultSwap>();
}

const revertOf = (race: Race, batchId: string | null, query = '') =>
  request(`${race.path}/result-batches/${batchId}/revert${query}`, {
    method: 'POST',
    headers: withKey(race.key),
  });

/** Each bib with its result and its passings. */
async function storedOf(race: Race) {
  const stored = await db.execute(
    `select bib_number, results.status, chip_time_ms, gun_time_ms, splits, first_finished_at is not null as arrived,
      (select json_object_agg(point, time_ms order by point) from passings where registration_id = registrations.id)
        as points
    from registrations left join results on results.registration_id = registrations.id
    where registrations.event_id = '${race.eventId}' order by bib_number`,
  );
  return Object.fromEntries(stored.rows.map(({ bib_number, ...row }) => [bib_number, row]));
}

/** Runners 1 to 3: 1 and 2 have a result and passings, 3 has neither. */
async function createSwappable() {
  const race = await createRace({ bibs: ['1', '2', '3'] });
  await uploadRows(race, [
    { bib_number: '1', chip_time: '40:00', gun_time: '40:30', splits: { Turn: '20:00' } },
    { bib_number: '2', status: 'DNF', splits: { Turn: '25:00', Bridge: '30:00' } },
  ]);
  const passings = await post(race, '/passings', {
    passings: [
      { bib_number: '1', point: 'Km 5', time: '19:00' },
      { bib_number: '2', point: 'Km 5', time: '24:00' },
      { bib_number: '1', point: 'Km 8', time: '31:00' },
    ],
  });
  expect(await passings.json()).toMatchObject({ uploaded: 3 });
  return race;
}

describe('swapEventResults', () => {
  test('gives each runner the whole result of the other one, as one batch with its reason', async () => {
    const race = await createSwappable();
    const before = await storedOf(race);
    const dry = await swapped(race, ['2', '1'], { dry_run: true });
    expect(dry).toMatchObject({ batch_id: null, passings: 3 });
    expect(await storedOf(race)).toEqual(before);

    const done = await swapped(race, ['2', '1'], { reason: ' Mixed up at the start ' });
    expect(done.results).toEqual(dry.results);
    expect(done.results).toMatchObject([
      { bib_number: '2', before: { status: 'DNF' }, after: { chip_time: '00:40:00.000' } },
      { bib_number: '1', before: { gun_time: '00:40:30.000' }, after: { status: 'DNF' } },
    ]);
    const after = await storedOf(race);
    expect(after).toEqual({ ...before, '1': before['2'], '2': before['1'] });
    const { data } = await (
      await request(`${race.path}/result-batches`, { headers: withKey(race.key) })
    ).json<{ data: ResultBatch[] }>();
    expect(data[0]).toMatchObject({
      id: done.batch_id,
      reason: 'Mixed up at the start',
      by_hand: true,
      total_processed: 2,
      updated: 2,
      removed: 0,
    });
    const changes = await (
      await request(`${race.path}/result-batches/${done.batch_id}/changes`, {
        headers: withKey(race.key),
      })
    ).json<{ data: ResultChange[] }>();
    expect(
      changes.data.map(({ bib_number, before, after }) => [
        bib_number,
        before?.status,
        after?.status,
      ]),
    ).toEqual([
      ['1', 'FINISHED', 'DNF'],
      ['2', 'DNF', 'FINISHED'],
    ]);
  });

  test('is taken back by swapping again, and that too', async () => {
    const race = await createSwappable();
    const before = await storedOf(race);
    const { batch_id: batchId } = await swapped(race, ['1', '2']);
    const after = await storedOf(race);
    const back = await (await revertOf(race, batchId)).json<ResultBatchReversal>();
    expect(back).toMatchObject({ restored: 2, removed: 0, kept: 0 });
    expect(await storedOf(race)).toEqual(before);
    const again = await (await revertOf(race, batchId)).json<ResultBatchReversal>();
    expect(again).toMatchObject({ batch_id: null, already_reverted: 2 });
    expect(await storedOf(race)).toEqual(before);
    expect((await revertOf(race, back.batch_id)).status).toBe(200);
    expect(await storedOf(race)).toEqual(after);
  });

  test('moves a result to a runner without one, and back', async () => {
    const race = await createSwappable();
    const before = await storedOf(race);
    const done = await swapped(race, ['1', '3']);
    expect(done.results).toMatchObject([
      { bib_number: '1', after: null },
      { bib_number: '3', before: null, after: { chip_time: '00:40:00.000' } },
    ]);
    const after = await storedOf(race);
    expect(after).toEqual({ ...before, '1': before['3'], '3': before['1'] });
    const back = await (await revertOf(race, done.batch_id)).json<ResultBatchReversal>();
    expect(back).toMatchObject({ removed: 1, reinstated: 1, kept: 0 });
    expect(await storedOf(race)).toEqual(before);
    expect((await revertOf(race, back.batch_id)).status).toBe(200);
    expect(await storedOf(race)).toEqual(after);
  });

  test.each<[string, (race: Race) => Promise<unknown>]>([
    ['a result', (race) => uploadRows(race, [{ bib_number: '2', chip_time: '39:00' }])],
    [
      'a passing',
      (race) =>
        post(race, '/passings', { passings: [{ bib_number: '2', point: 'Km 9', time: '35:00' }] }),
    ],
    [
      'a passing that is gone',
      (race) =>
        request(`${race.path}/passings?point=Km%208`, {
          method: 'DELETE',
          headers: withKey(race.key),
        }),
    ],
    [
      'a deletion',
      (race) => request(`${race.path}/results/1`, { method: 'DELETE', headers: withKey(race.key) }),
    ],
  ])('is not taken back if one of the two has changed since: %s', async (_, change) => {
    const race = await createSwappable();
    const { batch_id: batchId } = await swapped(race, ['1', '2']);
    await change(race);
    const before = await storedOf(race);
    for (const query of ['?dry_run=true', '']) {
      const detail = await expectError(
        await revertOf(race, batchId, query),
        409,
        'VALIDATION_ERROR',
      );
      expect(detail).toContain('changed since they were swapped');
    }
    expect(await storedOf(race)).toEqual(before);
  });

  test('refuses what it cannot swap', async () => {
    const race = await createSwappable();
    await createRegistrations(race.eventId, [{ bib_number: '4' }]);
    const before = await storedOf(race);
    for (const bibs of [['1'], ['1', '2', '3'], ['1', '1'], ['1', ' 1 '], ['1', ''], ['1', 2]]) {
      await expectError(await swap(race, bibs as string[]), 400, 'VALIDATION_ERROR');
    }
    await expectError(await swap(race, ['1', '2'], { because: 'x' }), 400, 'VALIDATION_ERROR');
    await expectError(await swap(race, ['1', '99']), 404, 'NOT_FOUND');
    const none = await expectError(await swap(race, ['3', '4']), 404, 'NOT_FOUND');
    expect(none).toContain('Neither of these runners has a result');
    expect(await storedOf(race)).toEqual(before);
  });

  test('is done by a manager in the panel, and recorded with the user', async () => {
    const race = await createSwappable();
    const before = await storedOf(race);
    const { ask, userId } = await panelOf(race);
    const body = '{"bib_numbers": ["1", "2"]}';
    const done = await ask('/results/swap', { method: 'POST', body });
    expect(done.status).toBe(200);
    const { batch_id: batchId } = await done.json<ResultSwap>();
    const { data } = await (await ask('/result-batches')).json<{ data: ResultBatch[] }>();
    expect(data[0]).toMatchObject({ id: batchId, user_id: userId, by_hand: true });
    const revert = `/result-batches/${batchId}/revert`;
    expect((await ask(revert, { method: 'POST' })).status).toBe(200);
    expect(await storedOf(race)).toEqual(before);
  });

  test('leaves each result with one runner after two swaps at once', async () => {
    const race = await createSwappable();
    const before = await storedOf(race);
    const answers = await Promise.all([swap(race, ['1', '2']), swap(race, ['2', '1'])]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await storedOf(race)).toEqual(before);
    const rows = await db
      .select()
      .from(results)
      .innerJoin(registrations, eq(registrations.id, results.registration_id))
      .where(eq(results.event_id, race.eventId));
    expect(rows).toHaveLength(2);
  });
});
