import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { expectError } from '../../../testing/assertions.ts';
import {
  createKey,
  createOrganization,
  createRace,
  createRegistrations,
  db,
} from '../../../testing/factories.ts';
import { request, withKey } from '../../../testing/harness.ts';
import {
  answered,
  postCsv,
  postJson,
  type Race,
  storedBatches,
  storedResults,
  uploadCsv,
  uploadRows,
} from '../../../testing/uploads.ts';
import { apiKeys, events, registrations, replacedResults } from '../../db/schema.ts';
import {
  ResultBatch,
  ResultBatchReversal,
  ResultChange,
  ResultDeletion,
  ResultVersion,
} from './answer-schemas.ts';

const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), meta: z.object({ total: z.number() }) });

const get = (race: Race, path: string) => request(race.path + path, { headers: withKey(race.key) });

async function batchesOf(race: Race, query = '') {
  const answer = await get(race, `/result-batches${query}`);
  expect(answer.status).toBe(200);
  return pageOf(ResultBatch.strict()).parse(await answer.json());
}

async function changesOf(race: Race, batchId: string, query = '') {
  const answer = await get(race, `/result-batches/${batchId}/changes${query}`);
  expect(answer.status).toBe(200);
  return pageOf(ResultChange.strict()).parse(await answer.json());
}

const sendRevert = ({ path, key }: Race, batchId: string, query = '') =>
  request(`${path}/result-batches/${batchId}/revert${query}`, {
    method: 'POST',
    headers: withKey(key),
  });

async function revert(race: Race, batchId: string, query = '') {
  const answer = await sendRevert(race, batchId, query);
  expect(answer.status).toBe(200);
  return ResultBatchReversal.strict().parse(await answer.json());
}

const row = (bib: string, chip_time: string) => ({ bib_number: bib, chip_time });

const ofBib = ({ eventId }: Race, bib: string) =>
  and(eq(registrations.event_id, eventId), eq(registrations.bib_number, bib));

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

const nobody = '00000000-0000-4000-8000-000000000000';

/** The parts of each result that a write changes: its version in the table and its time. */
const versionsOf = (eventId: string) =>
  db.execute(
    `select ctid::text, xmin::text, batch_id, updated_at::text from results
    where event_id = '${eventId}' order by registration_id`,
  );

test('tells an organization nothing of the keys of another one that had the event before', async () => {
  const race = await createRace({ bibs: ['1'] });
  await uploadRows(race, [row('1', '00:40:00')]);
  const organizationId = await createOrganization();
  await db
    .update(events)
    .set({ organization_id: organizationId })
    .where(eq(events.id, race.eventId));
  const moved = { ...race, key: await createKey(organizationId, { name: 'New owner' }) };
  const [batch] = (await batchesOf(moved)).data;
  expect(batch).toMatchObject({ uploaded: 1, key_name: '', key_prefix: '' });
  const history = await (await get(moved, '/results/1/history')).json();
  expect(history).toMatchObject({ data: [{ batch_id: batch?.id, key_name: null }] });
  await uploadRows(moved, [row('1', '00:41:00')]);
  expect((await batchesOf(moved)).data.map(({ key_name }) => key_name)).toEqual(['New owner', '']);
});

describe('GET /results/{bib_number}/history', () => {
  const historyOf = async (race: Race, bib: string, query = '') => {
    const answer = await get(race, `/results/${bib}/history${query}`);
    expect(answer.status).toBe(200);
    return pageOf(ResultVersion.strict()).parse(await answer.json());
  };

  test('numbers what was stored, corrected, taken away and brought back, with its reasons', async () => {
    const race = await createRace({ bibs: ['1', '2'] });
    const wrong = await uploadRows(race, [row('1', '00:40:00'), row('2', '00:50:00')]);
    const sent = JSON.stringify({ results: [row('1', '00:41:00')] });
    const right = await answered(
      await postJson(race, sent, { to: '/results?reason=Bib%20swapped' }),
    );
    const taken = await revert(race, right.batch_id, '?reason=Wrong%20race');
    const deletion = await request(`${race.path}/results/1?reason=On%20the%20course`, {
      method: 'DELETE',
      headers: withKey(race.key),
    });
    const deleted = ResultDeletion.parse(await deletion.json());
    const back = await revert(race, deleted.batch_id);

    const { data, meta } = await historyOf(race, '1');
    expect(meta.total).toBe(5);
    const said = data.map(({ result, batch_id, source, reverts, reason }) => ({
      time: result?.chip_time ?? null,
      batch_id,
      source,
      reverts,
      reason,
    }));
    const [first, corrected, undone, gone, present] = said;
    expect(said).toEqual([
      { ...first, time: '00:40:00.000', batch_id: wrong.batch_id, source: 'json', reason: null },
      { ...corrected, time: '00:41:00.000', batch_id: right.batch_id, reason: 'Bib swapped' },
      { ...undone, time: '00:40:00.000', reverts: right.batch_id, reason: 'Wrong race' },
      { ...gone, time: null, source: 'delete', reason: 'On the course' },
      { ...present, time: '00:40:00.000', reverts: deleted.batch_id, reason: null },
    ]);
    expect(data.map(({ version, replaced_by }) => [version, replaced_by])).toEqual([
      [1, right.batch_id],
      [2, taken.batch_id],
      [3, deleted.batch_id],
      [4, back.batch_id],
      [5, null],
    ]);
    expect((await historyOf(race, '1', '?page=2&page_size=2')).data).toEqual(data.slice(2, 4));
    const listed = (await batchesOf(race)).data.map(({ reason }) => reason);
    expect(listed).toEqual([null, 'On the course', 'Wrong race', 'Bib swapped', null]);
    expect((await historyOf(race, '2')).meta.total).toBe(1);
  });

  test('shows a result of the event that the runner left, and nothing of who sent it there', async () => {
    const [race, otherRace] = [await createRace({ bibs: ['1'] }), await createRace()];
    const body = JSON.stringify({ results: [row('1', '00:41:00')] });
    const { batch_id } = await answered(await postJson(race, body, { to: '/results?reason=Ours' }));
    await db.update(registrations).set({ event_id: otherRace.eventId }).where(ofBib(race, '1'));
    const { data } = await historyOf(otherRace, '1');
    expect(data).toMatchObject([
      {
        batch_id,
        result: { chip_time: '00:41:00.000' },
        source: null,
        key_name: null,
        reason: null,
      },
    ]);
  });

  test('answers 404 for a bib that never had a result, and 400 for a reason that is too long', async () => {
    const race = await createRace({ bibs: ['1'] });
    await expectError(await get(race, '/results/1/history'), 404, 'NOT_FOUND');
    await expectError(await get(race, '/results/none/history'), 404, 'NOT_FOUND');
    const body = JSON.stringify({ results: [row('1', '00:41:00')] });
    for (const [reason, detail] of [
      ['x'.repeat(201), 'reason: expected at most 200 characters'],
      ['two%0Alines', 'reason: found U+000A, expected a text of one line'],
      ['gnp%E2%80%AEexe', 'reason: found U+202E, expected a text of one line'],
    ] as const) {
      const answer = await postJson(race, body, { to: `/results?reason=${reason}` });
      expect(await expectError(answer, 400, 'VALIDATION_ERROR')).toContain(detail);
    }
    const file = await postCsv(race, 'bib,time\n1,00:41:00\n', {
      to: `/results/file?time_format=clock&reason=${'x'.repeat(200)}`,
    });
    await answered(file);
    expect((await historyOf(race, '1')).data[0]?.reason).toBe('x'.repeat(200));
  });
});

describe('unchanged rows', () => {
  test('counts unchanged rows and does not write them', async () => {
    const race = await createRace({ bibs: ['1', '2', '3'] });
    const rows = [
      { ...row('1', '20:00'), splits: { 'Km 5': '10:00', 'Km 6': '12:00' } },
      { ...row('2', '21:00'), gun_time: '21:05' },
      { bib_number: '3', status: 'DNF', splits: { 'Km 5': '11:00' } },
    ];
    await uploadRows(race, rows);
    const before = await versionsOf(race.eventId);
    const again = await uploadRows(race, rows);
    expect(again).toMatchObject({ uploaded: 0, updated: 3, unchanged: 3 });
    expect((await versionsOf(race.eventId)).rows).toEqual(before.rows);
    expect(again.splits_detected).toEqual(['Km 5', 'Km 6']);
  });

  test.each([
    ['status', { bib_number: '1', status: 'DNF', splits: { 'Km 5': '10:00' } }],
    ['chip time', { bib_number: '1', chip_time: '20:00.001', splits: { 'Km 5': '10:00' } }],
    [
      'gun time',
      { bib_number: '1', chip_time: '20:00', gun_time: '20:01', splits: { 'Km 5': '10:00' } },
    ],
    ['splits', { bib_number: '1', chip_time: '20:00' }],
  ])('writes a row with another %s', async (_, changedRow) => {
    const race = await createRace({ bibs: ['1'] });
    await uploadRows(race, [{ ...row('1', '20:00'), splits: { 'Km 5': '10:00' } }]);
    expect(await uploadRows(race, [changedRow])).toMatchObject({ updated: 1, unchanged: 0 });
    expect(await uploadRows(race, [changedRow])).toMatchObject({ updated: 1, unchanged: 1 });
  });

  test('keep the ETag of the list', async () => {
    const race = await createRace({ bibs: ['1'] });
    await uploadRows(race, [row('1', '20:00')]);
    const etag = (await get(race, '/results')).headers.get('ETag');
    await uploadRows(race, [row('1', '20:00')]);
    expect((await get(race, '/results')).headers.get('ETag')).toBe(etag);
    await uploadRows(race, [row('1', '20:01')]);
    expect((await get(race, '/results')).headers.get('ETag')).not.toBe(etag);
  });
});

describe('GET /result-batches', () => {
  test('lists uploads and reverts, newest first', async () => {
    const race = await createRace({ bibs: ['1', '2'] });
    const first = await uploadRows(race, [row('1', '20:00'), row('9', '20:00'), row('1', '19:00')]);
    const second = await uploadCsv(race, 'bib,time\n1,19:00\n2,x\n2,22:00\n');
    const reversal = await revert(race, first.batch_id);
    const { data, meta } = await batchesOf(race);
    expect(meta.total).toBe(3);
    const none = { reverts: null, reverted_at: null, reverted_by: null, file_name: null };
    expect(data).toEqual([
      expect.objectContaining({
        ...none,
        id: reversal.batch_id,
        source: 'revert',
        reverts: first.batch_id,
        total_processed: 1,
        removed: 1,
      }),
      expect.objectContaining({
        ...none,
        id: second.batch_id,
        source: 'csv',
        file_name: 'results.csv',
        total_processed: 3,
        uploaded: 1,
        updated: 1,
        unchanged: 1,
        errors: 1,
      }),
      expect.objectContaining({
        ...none,
        id: first.batch_id,
        source: 'json',
        reverted_at: data[0]?.received_at,
        reverted_by: reversal.batch_id,
        total_processed: 3,
        uploaded: 1,
        not_found: 1,
        duplicates: 1,
      }),
    ]);
    for (const batch of data) {
      expect(batch.key_prefix).toBe(race.key.slice(0, 12));
      expect(batch.key_name).toBe('Timing crew');
    }
  });
});

describe('GET /result-batches?by_hand', () => {
  test('tells what people decided from what files and programs sent', async () => {
    const race = await createRace({ bibs: ['1', '2'] });
    const sent = await uploadRows(race, [row('1', '0:40:00'), row('2', '0:41:00')]);
    const decided = await request(`${race.path}/results?by_hand=true`, {
      method: 'POST',
      headers: { ...withKey(race.key), 'Content-Type': 'application/json' },
      body: JSON.stringify({ results: [{ bib_number: '1', status: 'DNF' }] }),
    });
    expect(decided.status).toBe(200);
    await revert(race, sent.batch_id);
    await request(`${race.path}/results/1`, { method: 'DELETE', headers: withKey(race.key) });
    const listed = (await batchesOf(race)).data.map(({ source, by_hand }) => [source, by_hand]);
    expect(listed).toEqual([
      ['delete', true],
      ['revert', true],
      ['json', true],
      ['json', false],
    ]);
    const of = async (value: string) => {
      const { data, meta } = await batchesOf(race, `?by_hand=${value}`);
      return [data.length, meta.total];
    };
    expect([await of('true'), await of('false')]).toEqual([
      [3, 3],
      [1, 1],
    ]);
    const refused = await get(race, '/result-batches?by_hand=yes');
    expect(await expectError(refused, 400, 'VALIDATION_ERROR')).toContain('by_hand');
  });
});

describe('GET /result-batches/{batch_id}/changes', () => {
  test('lists before and after by bib, without the unchanged rows', async () => {
    const race = await createRace({ bibs: ['9', '10', '11'] });
    await uploadRows(race, [
      { ...row('9', '20:00'), splits: { 'Km 5': '10:00' } },
      row('11', '30:00'),
    ]);
    const second = await uploadRows(race, [
      { bib_number: '9', status: 'DSQ' },
      row('10', '21:00'),
      row('11', '30:00'),
    ]);
    expect(await changesOf(race, second.batch_id)).toEqual({
      data: [
        {
          inscription_id: expect.stringMatching(UUID),
          bib_number: '9',
          before: {
            status: 'FINISHED',
            chip_time: '00:20:00.000',
            gun_time: null,
            splits: { 'Km 5': '00:10:00.000' },
          },
          after: { status: 'DSQ', chip_time: null, gun_time: null, splits: {} },
          replaced_by: null,
        },
        {
          inscription_id: expect.stringMatching(UUID),
          bib_number: '10',
          before: null,
          after: { status: 'FINISHED', chip_time: '00:21:00.000', gun_time: null, splits: {} },
          replaced_by: null,
        },
      ],
      meta: expect.objectContaining({ total: 2 }),
    });
    const page = await changesOf(race, second.batch_id, '?page=2&page_size=1');
    expect(page.data.map(({ bib_number }) => bib_number)).toEqual(['10']);
  });

  test('name the batch that replaced a result since', async () => {
    const race = await createRace({ bibs: ['1'] });
    const first = await uploadRows(race, [row('1', '20:00')]);
    await uploadRows(race, [row('1', '21:00')]);
    const third = await uploadRows(race, [row('1', '22:00')]);
    expect((await changesOf(race, first.batch_id)).data).toEqual([
      expect.objectContaining({
        before: null,
        after: expect.objectContaining({ chip_time: '00:20:00.000' }),
        replaced_by: third.batch_id,
      }),
    ]);
  });
});

describe('POST /result-batches/{batch_id}/revert', () => {
  test('restores what was replaced and removes what was new', async () => {
    const race = await createRace({ bibs: ['1', '2', '3'] });
    await uploadRows(race, [
      { ...row('1', '20:00'), splits: { 'Km 5': '10:00' } },
      row('3', '30:00'),
    ]);
    const before = await (await get(race, '/results')).json();
    const wrong = await uploadRows(race, [row('1', '10:00'), row('2', '11:00'), row('3', '30:00')]);
    expect(await revert(race, wrong.batch_id)).toMatchObject({
      reverts: wrong.batch_id,
      dry_run: false,
      restored: 1,
      removed: 1,
      reinstated: 0,
      already_reverted: 0,
      kept: 0,
      kept_rows: [],
    });
    expect(await (await get(race, '/results')).json()).toEqual(before);
  });

  test('leaves alone and lists what a later batch has replaced', async () => {
    const race = await createRace({ bibs: ['1', '2'] });
    const wrong = await uploadRows(race, [row('1', '10:00'), row('2', '11:00')]);
    const later = await uploadRows(race, [row('2', '22:00')]);
    expect(await revert(race, wrong.batch_id)).toMatchObject({
      removed: 1,
      kept: 1,
      kept_rows: [{ bib_number: '2', batch_id: later.batch_id }],
    });
    expect(Object.keys(await storedResults(race.eventId))).toEqual(['2']);
  });

  test('lists what it leaves alone by bib, shorter bibs first', async () => {
    const bibs = ['10A', '2', '10', '1', '9'];
    const race = await createRace({ bibs });
    const upload = (time: string) =>
      uploadRows(
        race,
        bibs.map((bib) => row(bib, time)),
      );
    const wrong = await upload('10:00');
    await upload('20:00');
    const { kept_rows: kept } = await revert(race, wrong.batch_id);
    expect(kept.map(({ bib_number }) => bib_number)).toEqual(['1', '2', '9', '10', '10A']);
  });

  test('changes nothing the second time', async () => {
    const race = await createRace({ bibs: ['1', '2'] });
    await uploadRows(race, [row('1', '20:00')]);
    const wrong = await uploadRows(race, [row('1', '10:00'), row('2', '11:00')]);
    await revert(race, wrong.batch_id);
    const [versions, batches] = [await versionsOf(race.eventId), await batchesOf(race)];
    expect(await revert(race, wrong.batch_id)).toMatchObject({
      batch_id: null,
      restored: 0,
      removed: 0,
      already_reverted: 2,
      kept: 0,
    });
    expect((await versionsOf(race.eventId)).rows).toEqual(versions.rows);
    expect(await batchesOf(race)).toEqual(batches);
  });

  test('reverts a revert, again and again', async () => {
    const race = await createRace({ bibs: ['1', '2'] });
    await uploadRows(race, [row('1', '20:00')]);
    const batch = await uploadRows(race, [row('1', '10:00'), row('2', '11:00')]);
    const [without, withBatch] = [{ '1': 1_200_000 }, { '1': 600_000, '2': 660_000 }];
    const times = async () =>
      Object.fromEntries(
        Object.entries(await storedResults(race.eventId)).map(([bib, { chip }]) => [bib, chip]),
      );
    let reverted: string | null = batch.batch_id;
    for (const expected of [without, withBatch, without, withBatch]) {
      reverted = (await revert(race, reverted ?? '')).batch_id;
      expect(await times()).toEqual(expected);
      const { data } = await batchesOf(race);
      const [listed] = data.filter(({ id }) => id === batch.batch_id);
      expect(listed?.reverted_at !== null).toBe(expected === without);
    }
  });

  test('takes the first of two undos back after undo, redo and undo', async () => {
    const race = await createRace({ bibs: ['1', '2'] });
    await uploadRows(race, [row('1', '20:00')]);
    const { batch_id } = await uploadRows(race, [row('1', '10:00'), row('2', '11:00')]);
    const revertId = async (id: string) => (await revert(race, id)).batch_id ?? '';
    const undo = await revertId(batch_id);
    const redo = await revertId(undo);
    const secondUndo = await revertId(redo);
    const inForce = async () =>
      (await batchesOf(race)).data.flatMap(({ id, reverted_at }) => (reverted_at ? [] : id));
    expect(await inForce()).toEqual([secondUndo, undo, expect.any(String)]);
    expect(await revert(race, redo, '?dry_run=true')).toMatchObject({ already_reverted: 2 });
    expect(await revert(race, undo)).toMatchObject({ restored: 1, reinstated: 1, kept: 0 });
    expect(await inForce()).toEqual([expect.any(String), redo, batch_id, expect.any(String)]);
    expect(await storedResults(race.eventId)).toMatchObject({
      '1': { chip: 600_000 },
      '2': { chip: 660_000 },
    });
  });

  test('redoes two undone batches in turn', async () => {
    const race = await createRace({ bibs: ['1'] });
    const chip = async () => (await storedResults(race.eventId))['1']?.chip;
    const first = await uploadRows(race, [row('1', '20:00')]);
    const second = await uploadRows(race, [row('1', '10:00')]);
    const undoSecond = await revert(race, second.batch_id);
    const undoFirst = await revert(race, first.batch_id);
    expect(await chip()).toBeUndefined();
    await revert(race, undoFirst.batch_id ?? '');
    expect(await chip()).toBe(1_200_000);
    expect(await revert(race, undoSecond.batch_id ?? '')).toMatchObject({ restored: 1, kept: 0 });
    expect(await chip()).toBe(600_000);
  });

  test('restores a result whose batch was deleted with the event that the runner left', async () => {
    const race = await createRace({ bibs: ['1'] });
    const otherRace = { ...(await createRace()), key: race.key };
    await db.execute(
      `update events set organization_id = '${race.organizationId}' where id = '${otherRace.eventId}'`,
    );
    await uploadRows(race, [row('1', '20:00')]);
    await db.update(registrations).set({ event_id: otherRace.eventId }).where(ofBib(race, '1'));
    const correction = await uploadRows(otherRace, [row('1', '21:00')]);
    await db.execute(`delete from events where id = '${race.eventId}'`);
    expect(await revert(otherRace, correction.batch_id, '?dry_run=true')).toMatchObject({
      restored: 1,
    });
    const undo = await revert(otherRace, correction.batch_id);
    expect(undo).toMatchObject({ restored: 1, kept: 0 });
    expect(await storedResults(otherRace.eventId)).toMatchObject({ '1': { chip: 1_200_000 } });
    expect(await revert(otherRace, undo.batch_id ?? '')).toMatchObject({ restored: 1 });
    expect(await storedResults(otherRace.eventId)).toMatchObject({ '1': { chip: 1_260_000 } });
  });

  test('reverts the batch before after the revert of a batch', async () => {
    const race = await createRace({ bibs: ['1'] });
    const first = await uploadRows(race, [row('1', '20:00')]);
    const second = await uploadRows(race, [row('1', '10:00')]);
    await revert(race, second.batch_id);
    expect(await revert(race, first.batch_id)).toMatchObject({ removed: 1, kept: 0 });
    expect(await storedResults(race.eventId)).toEqual({});
  });

  test('writes nothing in a dry run and answers the same', async () => {
    const race = await createRace({ bibs: ['1', '2', '3'] });
    await uploadRows(race, [row('1', '20:00')]);
    const wrong = await uploadRows(race, [row('1', '10:00'), row('2', '11:00'), row('3', '12:00')]);
    await uploadRows(race, [row('3', '33:00')]);
    const versions = await versionsOf(race.eventId);
    const told = await revert(race, wrong.batch_id, '?dry_run=true');
    expect(told).toMatchObject({ batch_id: null, dry_run: true, restored: 1, removed: 1, kept: 1 });
    expect((await versionsOf(race.eventId)).rows).toEqual(versions.rows);
    const done = await revert(race, wrong.batch_id);
    expect({ ...done, batch_id: null, dry_run: true }).toEqual(told);
  });

  test('skips a registration that was deleted meanwhile', async () => {
    const race = await createRace({ bibs: ['1', '2'] });
    const wrong = await uploadRows(race, [row('1', '10:00'), row('2', '11:00')]);
    await db.delete(registrations).where(ofBib(race, '2'));
    expect(await revert(race, wrong.batch_id)).toMatchObject({ removed: 1, kept: 0 });
  });

  test('skips a registration that moved to another event with its result', async () => {
    const race = await createRace({ bibs: ['1', '2'] });
    const otherRace = await createRace();
    const wrong = await uploadRows(race, [row('1', '10:00'), row('2', '11:00')]);
    await db.update(registrations).set({ event_id: otherRace.eventId }).where(ofBib(race, '2'));
    expect(Object.keys(await storedResults(otherRace.eventId))).toEqual(['2']);
    expect(await revert(race, wrong.batch_id)).toMatchObject({ removed: 1, kept: 0 });
    await db.execute(`delete from events where id = '${race.eventId}'`);
    expect(Object.keys(await storedResults(otherRace.eventId))).toEqual(['2']);
  });

  test('leaves results alone that somebody deleted in the database', async () => {
    const race = await createRace({ bibs: ['1'] });
    await uploadRows(race, [row('1', '10:00')]);
    const wrong = await uploadRows(race, [row('1', '11:00')]);
    await db.execute(`delete from results where event_id = '${race.eventId}'`);
    expect(await revert(race, wrong.batch_id)).toMatchObject({
      batch_id: null,
      restored: 0,
      removed: 0,
      reinstated: 0,
    });
    expect(await storedResults(race.eventId)).toEqual({});
  });

  test('keeps nothing of a registration that is deleted', async () => {
    const race = await createRace({ bibs: ['1'] });
    await uploadRows(race, [row('1', '10:00')]);
    const { batch_id } = await uploadRows(race, [row('1', '11:00')]);
    const kept = () =>
      db.select().from(replacedResults).where(eq(replacedResults.replaced_by, batch_id));
    expect(await kept()).toHaveLength(1);
    await db.delete(registrations).where(eq(registrations.event_id, race.eventId));
    expect(await kept()).toEqual([]);
  });

  test('keeps nothing for new results', async () => {
    const race = await createRace({ bibs: ['1'] });
    const { batch_id } = await uploadRows(race, [row('1', '10:00')]);
    expect(
      await db.select().from(replacedResults).where(eq(replacedResults.replaced_by, batch_id)),
    ).toEqual([]);
  });

  test.each(['yes', '1', 'TRUE', 'true&dry_run=false'])('rejects dry_run=%s', async (value) => {
    const race = await createRace();
    const answer = await sendRevert(race, nobody, `?dry_run=${value}`);
    expect(await expectError(answer, 400, 'VALIDATION_ERROR')).toMatch(/^dry_run: expected/);
  });
});

describe('a batch of nobody', () => {
  const paths = ['/revert', '/changes'] as const;
  const send = (race: Race, id: string, path: (typeof paths)[number]) =>
    path === '/revert' ? sendRevert(race, id) : get(race, `/result-batches/${id}/changes`);

  test.each(paths)(
    'is 404 for %s: an unknown id, no uuid, another event, another organization',
    async (path) => {
      const race = await createRace({ bibs: ['1'] });
      const { batch_id } = await uploadRows(race, [row('1', '10:00')]);
      const otherEvent = await createRace();
      const sameOrganization = { ...otherEvent, key: await createKey(race.organizationId) };
      const stranger = { ...race, key: await createKey(await createOrganization()) };
      const cases: [Race, string][] = [
        [race, nobody],
        [race, 'x'],
        [otherEvent, batch_id],
        [sameOrganization, batch_id],
        [stranger, batch_id],
      ];
      for (const [of, id] of cases) await expectError(await send(of, id, path), 404, 'NOT_FOUND');
      expect(Object.keys(await storedResults(race.eventId))).toEqual(['1']);
    },
  );
});

describe('the owner of a row deletes it', () => {
  async function raceWithHistory() {
    const race = await createRace({ bibs: ['1', '2'] });
    await uploadRows(race, [row('1', '20:00'), row('2', '21:00')]);
    const { batch_id } = await uploadRows(race, [row('1', '19:00')]);
    await revert(race, batch_id);
    return race;
  }

  const keptOf = async ({ eventId, organizationId }: Race) => {
    const { rows } = await db.execute(`
      select (select count(*)::int from results where event_id = '${eventId}') as results,
        (select count(*)::int from result_batches where event_id = '${eventId}') as batches,
        (select count(*)::int from replaced_results join registrations on registrations.id = registration_id
          where event_id = '${eventId}') as replaced,
        (select count(*)::int from registrations where event_id = '${eventId}') as registrations,
        (select count(*)::int from api_keys where organization_id = '${organizationId}') as keys`);
    return rows[0];
  };
  const all = { results: 2, batches: 3, replaced: 2, registrations: 2, keys: 1 };
  const nothing = { results: 0, batches: 0, replaced: 0, registrations: 0, keys: 0 };

  test.each([
    ['an organization', 'organizations', nothing],
    ['an event', 'events', { ...nothing, keys: 1 }],
    ['a person', 'persons', { ...all, results: 1, replaced: 0, registrations: 1 }],
  ])('%s, with all that belongs to it', async (_what, table, left) => {
    const [race, otherRace] = [await raceWithHistory(), await raceWithHistory()];
    expect(await keptOf(race)).toEqual(all);
    const ids = {
      organizations: `'${race.organizationId}'`,
      events: `'${race.eventId}'`,
      persons: `(select person_id from registrations
        where event_id = '${race.eventId}' and bib_number = '1')`,
    };
    await db.execute(`delete from ${table} where id = ${ids[table as keyof typeof ids]}`);
    expect(await keptOf(race)).toEqual(left);
    expect(await keptOf(otherRace)).toEqual(all);
  });
});

describe('Idempotency-Key', () => {
  const body = (...rows: unknown[]) => JSON.stringify({ results: rows });
  const withId = (id: string) => ({ headers: { 'Idempotency-Key': id } });

  test('answers a repeated upload like the first, also after later uploads', async () => {
    const race = await createRace({ bibs: ['1', '2'] });
    const id = crypto.randomUUID();
    await uploadRows(race, [row('2', '50:00')]);
    const sent = body(row('1', '20:00'), row('7', '20:00'), row('2', 'x'), row('2', '21:00'));
    const answer = await postJson(race, sent, withId(id));
    expect(answer.headers.get('Idempotency-Replayed')).toBeNull();
    const first = await answer.json();
    expect(first).toMatchObject({ uploaded: 1, updated: 1, not_found: 1, errors: 1 });
    await uploadRows(race, [row('1', '30:00')]);
    const versions = await versionsOf(race.eventId);
    const again = await postJson(race, sent, withId(id.toUpperCase()));
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(await again.json()).toEqual(first);
    expect((await versionsOf(race.eventId)).rows).toEqual(versions.rows);
    expect(await storedBatches(race.eventId)).toHaveLength(3);
  });

  test('answers a repeated file like the first, under another boundary', async () => {
    const race = await createRace({ bibs: ['1'] });
    const id = withId(crypto.randomUUID());
    const csv = 'bib,time\n1,20:00\n8,20:00\n';
    const first = await (await postCsv(race, csv, id)).json();
    const form = new FormData();
    form.set('file', new File([csv], 'other name.csv'));
    const again = await request(`${race.path}/results/file`, {
      method: 'POST',
      headers: { ...withKey(race.key), ...id.headers },
      body: form,
    });
    expect(await again.json()).toEqual(first);
    expect(await storedBatches(race.eventId)).toHaveLength(1);
  });

  test('rejects other content under the same key and writes nothing', async () => {
    const race = await createRace({ bibs: ['1'] });
    const id = withId(crypto.randomUUID());
    await postJson(race, body(row('1', '20:00')), id);
    const versions = await versionsOf(race.eventId);
    const expectRefusal = async (answer: Response) =>
      expect(await expectError(answer, 400, 'VALIDATION_ERROR')).toMatch(
        /^Idempotency-Key: this event has another upload/,
      );
    await expectRefusal(await postJson(race, body(row('1', '21:00')), id));
    await expectRefusal(await postCsv(race, 'bib,time\n1,20:00\n', id));
    expect((await versionsOf(race.eventId)).rows).toEqual(versions.rows);
  });

  test('rejects the same file with other parameters', async () => {
    const race = await createRace({ bibs: ['1'] });
    const id = withId(crypto.randomUUID());
    const csv = 'bib,time,net\n1,20:00,19:00\n';
    expect((await postCsv(race, csv, id)).status).toBe(200);
    const other = await postCsv(race, csv, { ...id, to: '/results/file?chip_time=net' });
    await expectError(other, 400, 'VALIDATION_ERROR');
  });

  test('keeps an idempotency key for one event', async () => {
    const [race, other] = [await createRace({ bibs: ['1'] }), await createRace({ bibs: ['1'] })];
    const id = withId(crypto.randomUUID());
    for (const of of [race, other]) {
      const answer = await postJson(of, body(row('1', '20:00')), id);
      expect(await answer.json()).toMatchObject({ uploaded: 1 });
    }
  });

  test('stores uploads under the same key at the same time once', async () => {
    const race = await createRace({ bibs: ['1', '2'] });
    const id = withId(crypto.randomUUID());
    const sent = body(row('1', '20:00'), row('2', '21:00'));
    const answers = await Promise.all(
      Array.from({ length: 6 }, async () => (await postJson(race, sent, id)).json()),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await storedBatches(race.eventId)).toHaveLength(1);
  });

  test.each(['lap-17', '{}', 'Kx9:!~#"', 'x'.repeat(255)])(
    'names an upload by any visible characters, in quotes or not: %s',
    async (id) => {
      const race = await createRace({ bibs: ['1'] });
      const sent = body(row('1', '20:00'));
      const first = await (await postJson(race, sent, withId(id))).json();
      expect(first).toMatchObject({ uploaded: 1 });
      expect(await (await postJson(race, sent, withId(`"${id}"`))).json()).toEqual(first);
      expect(await (await postJson(race, sent, withId(`${id.slice(1)}.`))).json()).not.toEqual(
        first,
      );
      expect(await storedBatches(race.eventId)).toHaveLength(2);
    },
  );

  test.each(['', 'not visible', 'ñ', 'x'.repeat(256)])(
    'rejects "%s", which is no key',
    async (id) => {
      const race = await createRace({ bibs: ['1'] });
      const answer = await postJson(race, body(row('1', '20:00')), withId(id));
      expect(await expectError(answer, 400, 'VALIDATION_ERROR')).toMatch(
        /^idempotency-key: expected 1 to 255 visible characters/,
      );
      expect(await storedResults(race.eventId)).toEqual({});
    },
  );
});

describe('GET /missing-results', () => {
  test('lists paid registrations with a bib and no result, by bib and without names', async () => {
    const race = await createRace();
    const [first, second] = await createRegistrations(race.eventId, [
      { bib_number: '10', distance: '21K', category: 'Open', gender: 'F', given_names: 'Ana' },
      { bib_number: '9' },
      { bib_number: '1' },
      { bib_number: '2' },
      { bib_number: '3', status: 'PENDING' },
      { bib_number: '4', status: 'CANCELLED' },
      {},
    ]);
    await uploadRows(race, [row('1', '20:00'), { bib_number: '2', status: 'DNS' }]);
    const answer = await get(race, '/missing-results');
    expect(await answer.json()).toEqual({
      data: [
        { inscription_id: second, bib_number: '9', distance: null, category: null, gender: null },
        { inscription_id: first, bib_number: '10', distance: '21K', category: 'Open', gender: 'F' },
      ],
      meta: { page: 1, page_size: 20, total: 2, total_pages: 1 },
    });
    for (const filter of ['distance=21K', 'category=Open', 'gender=F', 'page=2&page_size=1']) {
      const filtered = await get(race, `/missing-results?${filter}`);
      expect(await filtered.json()).toMatchObject({ data: [{ bib_number: '10' }] });
    }
    const none = await get(race, '/missing-results?gender=F&distance=10K');
    expect(await none.json()).toMatchObject({ data: [], meta: { total: 0 } });
  });
});

describe('DELETE /results/{bib_number}', () => {
  const send = ({ path, key }: Race, bib: string) =>
    request(`${path}/results/${bib}`, { method: 'DELETE', headers: withKey(key) });

  test('takes one result away, as a batch that can be taken back', async () => {
    const race = await createRace({ bibs: ['1', '2'] });
    await uploadRows(race, [
      { ...row('1', '20:00'), splits: { 'Km 5': '10:00' } },
      row('2', '21:00'),
    ]);
    const stored = await storedResults(race.eventId);
    const answer = await send(race, '1');
    expect(answer.status).toBe(200);
    const deletion = ResultDeletion.strict().parse(await answer.json());
    expect(deletion).toMatchObject({
      bib_number: '1',
      before: { status: 'FINISHED', chip_time: '00:20:00.000', splits: { 'Km 5': '00:10:00.000' } },
    });
    expect(Object.keys(await storedResults(race.eventId))).toEqual(['2']);
    const { data } = await batchesOf(race);
    expect(data[0]).toMatchObject({
      id: deletion.batch_id,
      source: 'delete',
      total_processed: 1,
      removed: 1,
      reverts: null,
    });
    expect((await changesOf(race, deletion.batch_id)).data).toEqual([
      {
        inscription_id: deletion.inscription_id,
        bib_number: '1',
        before: deletion.before,
        after: null,
        replaced_by: null,
      },
    ]);
    expect(await revert(race, deletion.batch_id)).toMatchObject({ reinstated: 1, kept: 0 });
    expect(await storedResults(race.eventId)).toEqual(stored);
  });

  test('leaves alone what an upload stored after the deletion', async () => {
    const race = await createRace({ bibs: ['1'] });
    await uploadRows(race, [row('1', '20:00')]);
    const { batch_id } = await (await send(race, '1')).json<ResultDeletion>();
    await uploadRows(race, [row('1', '30:00')]);
    expect(await revert(race, batch_id)).toMatchObject({ batch_id: null, kept: 1 });
  });

  test('answers 404 and writes nothing for a bib without a result', async () => {
    const race = await createRace({ bibs: ['1'] });
    for (const bib of ['1', 'nobody', '%00']) {
      await expectError(await send(race, bib), 404, 'NOT_FOUND');
    }
    expect(await storedBatches(race.eventId)).toEqual([]);
  });

  test('deletes a result once if it is asked twice at once', async () => {
    const race = await createRace({ bibs: ['1'] });
    await uploadRows(race, [row('1', '20:00')]);
    const answers = await Promise.all([send(race, '1'), send(race, '1')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });
});

test('names the key as it was when it sent the batch, also after a rotation', async () => {
  const race = await createRace({ bibs: ['1'] });
  const { batch_id } = await uploadRows(race, [row('1', '20:00')]);
  const [before] = (await batchesOf(race)).data;
  expect(before?.key_prefix).toBe(race.key.slice(0, 12));
  await db
    .update(apiKeys)
    .set({ key_prefix: 'er_live_next' })
    .where(eq(apiKeys.organization_id, race.organizationId));
  await revert(race, batch_id);
  const { data } = await batchesOf(race);
  expect(data.map(({ key_prefix }) => key_prefix)).toEqual(['er_live_next', before?.key_prefix]);
});
