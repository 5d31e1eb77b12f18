import { createHash } from 'node:crypto';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { compactVerify, createLocalJWKSet } from 'jose';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../../testing/assertions.ts';
import { configureEvent, createRegistrations, db } from '../../../testing/factories.ts';
import { request, startApp, testConfig, withKey } from '../../../testing/harness.ts';
import { createManaged, publicKeys, textOf, uploadThree } from '../../../testing/official.ts';
import { postJson, type Race, uploadRows } from '../../../testing/uploads.ts';
import { RANKING_RULES, type RankingRule } from '../../../timing-files/read/ranking-rule.ts';
import {
  eventSettings,
  events,
  knownResults,
  officialResults,
  organizations,
  registrations,
  resultBatches,
} from '../../db/schema.ts';
import { buildServices } from '../../services.ts';
import { CHANGED_MAX } from '../schemas.ts';
import { OFFICIAL_ROWS } from './sql.ts';

async function statementOf(signature: string) {
  const { payload, protectedHeader } = await compactVerify(
    signature,
    createLocalJWKSet(await publicKeys()),
  );
  return { header: protectedHeader, statement: JSON.parse(new TextDecoder().decode(payload)) };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The first line of a version's file, and the document behind the line. */
function partsOf(file: string) {
  const end = file.indexOf('\n') + 1;
  const { signature }: { signature: string } = JSON.parse(file.slice(0, end));
  return { signature, document: file.slice(end) };
}

test('signs a document that says every result, in one form', async () => {
  const { race, made, file, userId, versions } = await createManaged();
  await uploadThree(race);
  await db.update(events).set({ name: 'Harbour Half' }).where(eq(events.id, race.eventId));
  await db
    .update(organizations)
    .set({ name: 'Harbour Club' })
    .where(eq(organizations.id, race.organizationId));
  const version = await made();
  const { signature, document } = partsOf(await file(1));
  expect(document).toBe(
    [
      '{"bib_number":"3","category":null,"chip_time":"00:58:00.000","distance":"21K","gender":null,"gun_time":null,' +
        '"position_category":null,"position_distance":1,"position_distance_category":null,' +
        '"position_distance_gender":null,"position_gender":null,"position_overall":1,' +
        '"splits":{"10":"00:20:00.000","9":"00:18:00.000","ñ":"00:30:00.000"},"status":"FINISHED"}\n',
      '{"bib_number":"1","category":"Open \\"A\\"","chip_time":"01:00:00.500","distance":"21K","gender":"F",' +
        '"gun_time":"01:00:10.000","position_category":1,"position_distance":2,"position_distance_category":1,' +
        '"position_distance_gender":1,"position_gender":1,"position_overall":2,"splits":{},"status":"FINISHED"}\n',
      '{"bib_number":"2","category":null,"chip_time":null,"distance":null,"gender":null,"gun_time":null,' +
        '"position_category":null,"position_distance":null,"position_distance_category":null,' +
        '"position_distance_gender":null,"position_gender":null,"position_overall":null,' +
        '"splits":{"Km 5":"00:25:00.000"},"status":"DNF"}\n',
    ].join(''),
  );
  expect(version).toMatchObject({ version: 1, state: 'official', rows: 3, user_id: userId });
  expect(version.digest).toBe(sha256(document));
  expect(signature).toBe(version.signature);
  const { header, statement } = await statementOf(signature);
  expect(header).toEqual({
    alg: 'EdDSA',
    kid: expect.stringMatching(/^[\w.-]+$/),
    typ: 'official-results',
  });
  const [{ event_date } = {}] = await db.select().from(events).where(eq(events.id, race.eventId));
  expect(statement).toEqual({
    version: 1,
    made_at: version.made_at,
    rows: 3,
    digest: version.digest,
    format: 2,
    rank_by: 'chip',
    event: { id: race.eventId, name: 'Harbour Half', event_date: event_date?.toISOString() },
    organization: { id: race.organizationId, name: 'Harbour Club' },
  });
  expect(await versions()).toEqual([version]);
});

test('has one document for one set of results, also of runners without a bib', async () => {
  const { race, made, file } = await createManaged(['1', '2', '3', '4', '5', '6', '7', '8']);
  const { eventId } = race;
  const bibs = [7, 2, 5, 1, 8, 4, 6, 3];
  for (const bib of bibs) {
    await db
      .update(registrations)
      .set({ distance: `${Math.ceil(bib / 4)}`, gender: `${Math.ceil(bib / 2)}` })
      .where(and(eq(registrations.event_id, eventId), eq(registrations.bib_number, `${bib}`)));
  }
  await uploadRows(
    race,
    bibs.map((bib) => ({
      bib_number: `${bib}`,
      chip_time: '1:00:00',
      splits: { 'Km 5': `20:0${9 - bib}` },
    })),
  );
  await db
    .update(registrations)
    .set({ bib_number: null })
    .where(eq(registrations.event_id, eventId));
  await made();
  const { document } = partsOf(await file(1));
  const splits = [...document.matchAll(/"Km 5":"00:20:0(\d)/g)].map(([, bib]) => Number(bib));
  expect(splits).toEqual([7, 8, 5, 6, 3, 4, 1, 2]);
});

test('answers the same file in the panel', async () => {
  const { race, made, file, inPanel } = await createManaged();
  await uploadThree(race);
  await made();
  const response = await inPanel('/official/1');
  expect(response.headers.get('Content-Type')).toBe('application/x-ndjson; charset=utf-8');
  expect(response.headers.get('Content-Disposition')).toMatch(/ - official results 1\.jsonl"/);
  expect(await textOf(response)).toBe(await file(1));
  expect((await (await inPanel('/official')).json<{ data: object[] }>()).data).toHaveLength(1);
});

test('publishes the public part of every key, and no private one', async () => {
  const { keys } = await publicKeys();
  expect(keys).toHaveLength(1);
  const retired = { kid: 'retired', kty: 'OKP', crv: 'Ed25519', x: 'x'.repeat(43) };
  const { keys: own } = JSON.parse(testConfig.SIGNING_KEYS ?? '');
  const SIGNING_KEYS = JSON.stringify({ keys: [...own, retired] });
  const { request: ask } = startApp({ ...testConfig, SIGNING_KEYS });
  const response = await ask('/.well-known/jwks.json');
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=3600');
  expect(await response.json()).toEqual({
    keys: [...keys, { ...retired, alg: 'EdDSA', use: 'sig' }],
  });
  expect(Object.keys(keys[0] ?? {}).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
});

test('says what has become of the results since', async () => {
  const { race, made, state, versions, inPanel } = await createManaged();
  const states = async () => (await versions()).map((version) => version.state);
  await uploadThree(race);
  expect([await state(), ...(await states())]).toEqual(['provisional']);
  await made();
  expect([await state(), ...(await states())]).toEqual(['official', 'official']);
  // An equal upload changes nothing.
  await uploadRows(race, [{ bib_number: '2', status: 'DNF' }]);
  expect(await state()).toBe('official');

  const correction = { method: 'PATCH', headers: { 'Content-Type': 'application/json' } };
  const corrected = (chip_time: string) =>
    inPanel('/1', { ...correction, body: JSON.stringify({ chip_time }) });
  await corrected('1:00:00.501');
  expect([await state(), ...(await states())]).toEqual(['changed_since', 'changed_since']);
  await made();
  expect([await state(), ...(await states())]).toEqual(['official', 'official', 'changed_since']);
  await corrected('1:00:00.500');
  expect([await state(), ...(await states())]).toEqual([
    'changed_since',
    'changed_since',
    'official',
  ]);
});

test.each<[string, (race: Race) => Promise<unknown>]>([
  [
    'a category that another system changed',
    ({ eventId }) =>
      db
        .update(registrations)
        .set({ category: 'Senior' })
        .where(and(eq(registrations.event_id, eventId), eq(registrations.bib_number, '1'))),
  ],
  [
    'a bib that another system changed',
    ({ eventId }) =>
      db
        .update(registrations)
        .set({ bib_number: '9' })
        .where(and(eq(registrations.event_id, eventId), eq(registrations.bib_number, '1'))),
  ],
  [
    'a registration that another system deleted',
    ({ eventId }) =>
      db
        .delete(registrations)
        .where(and(eq(registrations.event_id, eventId), eq(registrations.bib_number, '2'))),
  ],
  [
    'all registrations deleted',
    ({ eventId }) => db.delete(registrations).where(eq(registrations.event_id, eventId)),
  ],
  [
    'a passing that completes a result',
    (race) =>
      postJson(
        race,
        JSON.stringify({ passings: [{ bib_number: '1', point: 'Km 5', time: '25:01' }] }),
        { to: '/passings' },
      ),
  ],
  [
    'a point that was deleted',
    ({ path, key }) =>
      request(`${path}/passings?point=Km%205`, { method: 'DELETE', headers: withKey(key) }),
  ],
  ['a new result', (race) => uploadRows(race, [{ bib_number: '4', chip_time: '2:00:00' }])],
])('finds %s', async (_, change) => {
  const { race, made, state } = await createManaged(['1', '2', '3', '4']);
  await uploadThree(race);
  await made();
  expect(await state()).toBe('official');
  expect(await db.$count(knownResults, eq(knownResults.event_id, race.eventId))).toBe(1);
  await change(race);
  expect(await state()).toBe('changed_since');
});

describe('the kept digest of results', () => {
  async function createOfficial() {
    const managed = await createManaged();
    await uploadThree(managed.race);
    await managed.made();
    expect(await managed.state()).toBe('official');
    const { eventId } = managed.race;
    const falsify = (writtenBy: SQL) =>
      db
        .update(knownResults)
        .set({ content: 'another', written_by: writtenBy })
        .where(eq(knownResults.event_id, eventId));
    return { ...managed, eventId, falsify };
  }
  const OWN = sql`pg_current_xact_id()`;

  test('is read until a row of the event is written, whoever writes it', async () => {
    const { eventId, falsify, state, versions } = await createOfficial();
    await falsify(OWN);
    expect(await state()).toBe('changed_since');
    expect(await versions()).toMatchObject([{ state: 'changed_since' }]);
    await db
      .update(registrations)
      .set({ kit_status: 'READY' })
      .where(and(eq(registrations.event_id, eventId), eq(registrations.bib_number, '1')));
    expect(await state()).toBe('official');
  });

  test('is not read where another transaction wrote the row, as in a restored dump', async () => {
    const { falsify, state } = await createOfficial();
    await falsify(sql`(pg_current_xact_id()::text::bigint - 1)::text::xid8`);
    expect(await state()).toBe('official');
  });

  test('is computed where it cannot be kept', async () => {
    const { race } = await createOfficial();
    await db.delete(knownResults).where(eq(knownResults.event_id, race.eventId));
    const services = buildServices(testConfig);
    const { request: ask, logged } = startApp(testConfig, {
      db: (queries, ...rest) => {
        if (queries.some((query) => query.sql.includes('insert into known_results'))) {
          throw new Error('no room');
        }
        return services.db(queries, ...rest);
      },
    });
    const answer = await ask(`${race.path}/results/export`, { headers: withKey(race.key) });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Results-State')).toBe('official');
    expect(logged).toContainEqual(
      expect.objectContaining({ message: 'What was found of the results was not kept' }),
    );
    expect(await db.$count(knownResults, eq(knownResults.event_id, race.eventId))).toBe(0);
  });

  test('is kept by a board too', async () => {
    const { race } = await createOfficial();
    const ofEvent = eq(knownResults.event_id, race.eventId);
    await db.delete(knownResults).where(ofEvent);
    await configureEvent(race.eventId, { board_enabled: true });
    expect((await request(`/board/${race.eventId}/data`)).status).toBe(200);
    expect(await db.$count(knownResults, ofEvent)).toBe(1);
  });
});

describe('the results that changed since the last version', () => {
  const result = (chip_time: string | null, more: object = {}) => ({
    status: 'FINISHED',
    chip_time,
    gun_time: null,
    splits: {},
    ...more,
  });

  test('are named with what they were and what they are', async () => {
    const { race, made, changes, inPanel } = await createManaged(['1', '2', '3', '4', '5', '6']);
    await uploadRows(race, [
      { bib_number: '1', chip_time: '1:00:00' },
      { bib_number: '2', chip_time: '1:02:00' },
      { bib_number: '3', chip_time: '1:03:00', splits: { 'Km 5': '20:00' } },
      { bib_number: '6', chip_time: '1:06:00' },
    ]);
    await inPanel('/6', { method: 'DELETE' });
    await made();
    expect(await changes()).toBeNull();
    // Corrected and corrected back, corrected twice, and with different splits alone.
    for (const chip_time of ['50:00', '1:00:00'])
      await uploadRows(race, [{ bib_number: '1', chip_time }]);
    for (const chip_time of ['55:00', '56:00'])
      await uploadRows(race, [{ bib_number: '2', chip_time }]);
    await uploadRows(race, [
      { bib_number: '3', chip_time: '1:03:00', splits: { 'Km 5': '21:00' } },
    ]);
    // New and removed again, new, and new after an earlier removal.
    await uploadRows(race, [{ bib_number: '5', chip_time: '1:05:00' }]);
    await inPanel('/5', { method: 'DELETE' });
    await uploadRows(race, [
      { bib_number: '4', status: 'DNF' },
      { bib_number: '6', chip_time: '1:07:00' },
    ]);
    const splits = (time: string) => ({ splits: { 'Km 5': time } });
    expect(await changes()).toEqual({
      total: 4,
      first: [
        { bib_number: '2', before: result('01:02:00.000'), after: result('00:56:00.000') },
        {
          bib_number: '3',
          before: result('01:03:00.000', splits('00:20:00.000')),
          after: result('01:03:00.000', splits('00:21:00.000')),
        },
        { bib_number: '4', before: null, after: result(null, { status: 'DNF' }) },
        { bib_number: '6', before: null, after: result('01:07:00.000') },
      ],
    });
    await made();
    expect(await changes()).toBeNull();
  });

  test('are those that a revert, a removal and a swap left', async () => {
    const { race, made, changes, inPanel } = await createManaged();
    await uploadRows(race, [
      { bib_number: '1', chip_time: '1:00:00' },
      { bib_number: '2', chip_time: '1:02:00' },
    ]);
    const upload = await uploadRows(race, [{ bib_number: '1', chip_time: '1:01:00' }]);
    await made();
    const post = (path: string, body: object) =>
      inPanel(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    const revert = await post(`/../result-batches/${upload.batch_id}/revert`, {});
    expect(revert.status).toBe(200);
    const reverted = { before: result('01:01:00.000'), after: result('01:00:00.000') };
    expect(await changes()).toEqual({ total: 1, first: [{ bib_number: '1', ...reverted }] });
    await inPanel('/2', { method: 'DELETE' });
    const removed = { bib_number: '2', before: result('01:02:00.000'), after: null };
    expect(await changes()).toEqual({
      total: 2,
      first: [{ bib_number: '1', ...reverted }, removed],
    });
    expect((await post('/swap', { bib_numbers: ['1', '3'] })).status).toBe(200);
    expect(await changes()).toEqual({
      total: 3,
      first: [
        { bib_number: '1', before: result('01:01:00.000'), after: null },
        removed,
        { bib_number: '3', before: null, after: result('01:00:00.000') },
      ],
    });
  });

  test('are none where another system changed a category', async () => {
    const { race, made, changes, state } = await createManaged();
    await uploadThree(race);
    await made();
    await db
      .update(registrations)
      .set({ category: 'Senior' })
      .where(eq(registrations.event_id, race.eventId));
    expect(await state()).toBe('changed_since');
    expect(await changes()).toEqual({ total: 0, first: [] });
  });

  test('are counted where they are too many to be named', async () => {
    const bibs = Array.from({ length: CHANGED_MAX + 1 }, (_, at) => String(at + 1));
    const { race, made, changes } = await createManaged(bibs);
    const upload = (chip_time: string) =>
      uploadRows(
        race,
        bibs.map((bib_number) => ({ bib_number, chip_time })),
      );
    await upload('1:00:00');
    await made();
    await upload('1:00:01');
    const { total, first } = (await changes()) ?? {};
    expect(total).toBe(CHANGED_MAX + 1);
    expect(first?.map(({ bib_number }) => bib_number)).toEqual(bibs.slice(0, CHANGED_MAX));
  });

  const finishedIn = (chip_time: string) => [{ bib_number: '1', chip_time }];
  const received = (race: Race, daysAgo: number) =>
    db
      .update(resultBatches)
      .set({ received_at: new Date(Date.now() - daysAgo * 86_400_000) })
      .where(eq(resultBatches.event_id, race.eventId));

  test('are told of an upload that began before the version', async () => {
    const { race, made, changes } = await createManaged(['1']);
    await uploadRows(race, finishedIn('1:00:01'));
    await made();
    await uploadRows(race, finishedIn('0:50:00'));
    await received(race, 1);
    expect(await changes()).toMatchObject({
      total: 1,
      first: [{ before: { chip_time: '01:00:01.000' }, after: { chip_time: '00:50:00.000' } }],
    });
  });

  test('are told as the document signs them after the history is pruned', async () => {
    const { race, made, changes, state } = await createManaged(['1']);
    await uploadRows(race, finishedIn('1:00:01'));
    await made();
    await uploadRows(race, finishedIn('0:59:00'));
    await received(race, 30);
    await uploadRows(race, finishedIn('0:58:00'));
    await db.execute(sql`select prune_history(now() - interval '10 days')`);
    expect(await changes()).toMatchObject({
      total: 1,
      first: [{ before: { chip_time: '01:00:01.000' }, after: { chip_time: '00:58:00.000' } }],
    });
    await uploadRows(race, finishedIn('1:00:01'));
    expect(await state()).toBe('official');
    expect(await changes()).toBeNull();
  });

  test('are those of runners without a bib too, and of bibs that changed hands', async () => {
    const { race, made, changes } = await createManaged(['1', '2', '3']);
    const bibs = (from: string, to: string | null) =>
      db
        .update(registrations)
        .set({ bib_number: to })
        .where(and(eq(registrations.event_id, race.eventId), eq(registrations.bib_number, from)));
    const rows = ['1:00:01', '1:00:02', '1:00:03'].map((chip_time, at) => ({
      bib_number: String(at + 1),
      chip_time,
    }));
    await uploadRows(race, rows);
    await made();
    for (const [from, to] of [
      ['1', '9'],
      ['2', '1'],
      ['9', '2'],
      ['3', null],
    ] as const) {
      await bibs(from, to);
    }
    expect(await changes()).toMatchObject({
      total: 4,
      first: [
        { bib_number: '1', before: result('01:00:01.000'), after: result('01:00:02.000') },
        { bib_number: '2', before: result('01:00:02.000'), after: result('01:00:01.000') },
        { bib_number: '3', before: result('01:00:03.000'), after: null },
        { bib_number: null, before: null, after: result('01:00:03.000') },
      ],
    });
  });
});

test('finds a changed time that splits hide from a sum of hashes', async () => {
  const bibs = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
  const { race, made, state } = await createManaged(bibs);
  const upload = (winner: string, splits: readonly string[]) =>
    uploadRows(race, [
      { bib_number: '1', chip_time: winner },
      ...splits.map((split, at) => ({
        bib_number: `${at + 2}`,
        chip_time: `1:0${at + 2}:00`,
        splits: { 'Km 5': split },
      })),
    ]);
  const summed = async () => {
    const { rows } = await db.execute(sql`
      with event as (select ${race.eventId}::uuid as id)
      select sum(hash_record_extended(listed, 0))::text as sum from (${OFFICIAL_ROWS.rows}) listed`);
    return rows[0]?.['sum'];
  };
  await upload('1:00:00.001', Array(8).fill('20:00'));
  await made();
  const before = await summed();
  await upload('50:00', [
    ...['20:02.531', '20:37.726', '20:14.722', '21:36.316'],
    ...['20:20.772', '21:20.921', '21:15.553', '20:42.270'],
  ]);
  expect(await summed()).toBe(before);
  expect(await state()).toBe('changed_since');
});

describe('the rule of ranking', () => {
  const rankBy = (eventId: string, ranking_rule: RankingRule) =>
    configureEvent(eventId, { ranking_rule });

  test('is signed with the places that follow it', async () => {
    const { race, made, file } = await createManaged();
    const { eventId } = race;
    const groups = { gender: 'F', category: 'Open', distance: '21K' };
    await db.update(registrations).set(groups).where(eq(registrations.event_id, eventId));
    await uploadRows(race, [
      { bib_number: '1', chip_time: '1:00:00', gun_time: '1:05:00' },
      { bib_number: '2', chip_time: '1:01:00', gun_time: '1:02:00' },
      { bib_number: '3', chip_time: '1:03:00' },
    ]);
    const documents = [];
    for (const rule of RANKING_RULES) {
      await rankBy(eventId, rule);
      const { version, signature } = await made();
      expect((await statementOf(signature)).statement).toMatchObject({ format: 2, rank_by: rule });
      const [, ...lines] = (await file(version)).trimEnd().split('\n');
      documents.push(
        lines.map((line) => {
          const said = JSON.parse(line);
          return [
            said.bib_number,
            said.position_overall,
            said.position_distance,
            said.position_distance_gender,
            said.position_distance_category,
          ];
        }),
      );
    }
    const rows = (...places: number[][]) => places.map((row, at) => [`${at + 1}`, at + 1, ...row]);
    expect(documents).toEqual([
      rows([1, 1, 1], [2, 2, 2], [3, 3, 3]),
      rows([3, 3, 3], [1, 1, 1], [2, 2, 2]),
      rows([3, 3, 1], [1, 1, 2], [2, 2, 3]),
    ]);
  });

  test('makes the results changed since while it is another one', async () => {
    const { race, made, state } = await createManaged();
    await uploadThree(race);
    await made();
    await rankBy(race.eventId, 'gun');
    expect(await state()).toBe('changed_since');
    await rankBy(race.eventId, 'chip');
    expect(await state()).toBe('official');
  });
});

test('does not find a change of what a version does not say', async () => {
  const { race, made, state } = await createManaged();
  await uploadThree(race);
  await made();
  await db
    .update(registrations)
    .set({ given_names: 'Zoë', kit_status: 'DELIVERED' })
    .where(eq(registrations.event_id, race.eventId));
  await createRegistrations(race.eventId, [{ bib_number: '44' }]);
  expect(await state()).toBe('official');
});

test('names the state in an exported file, and asks for a new one when it changes', async () => {
  const { race, made, ask, inPanel } = await createManaged();
  await uploadThree(race);
  const before = await ask('/results/export');
  await made();
  const after = await ask('/results/export');
  expect(await after.text()).toBe(await before.text());
  expect(after.headers.get('ETag')).not.toBe(before.headers.get('ETag'));
  expect(before.headers.get('Content-Disposition')).toContain(' - results (provisional).csv"');
  expect(after.headers.get('Content-Disposition')).toContain(' - results (official).csv"');
  const named = await inPanel('/export');
  expect(named.headers.get('Results-State')).toBe('official');
  await uploadRows(race, [{ bib_number: '1', status: 'DSQ' }]);
  const later = await ask('/results/export', { method: 'HEAD' });
  expect(later.headers.get('Content-Disposition')).toContain(' - results (changed since).csv"');
});

test('refuses a race without results, and a version more than are kept', async () => {
  const { race, make, versions } = await createManaged();
  expect(await expectError(await make(), 400, 'VALIDATION_ERROR')).toMatch(/no results/);
  await uploadThree(race);
  for (let version = 1; version <= 20; version++) expect((await make()).status).toBe(201);
  expect(await expectError(await make(), 400, 'VALIDATION_ERROR')).toMatch(/20 official versions/);
  expect((await versions()).map(({ version }) => version)).toEqual(
    Array.from({ length: 20 }, (_, at) => 20 - at),
  );
});

test('promises an address for ever only with the digest in it', async () => {
  const { race, made, ask } = await createManaged();
  await uploadThree(race);
  const { digest } = await made();
  const kept = async (query: string) =>
    (await ask(`/results/official/1${query}`)).headers.get('Cache-Control');
  expect(await kept('')).not.toContain('immutable');
  expect(await kept(`?digest=${digest}`)).toBe('private, max-age=31536000, immutable');
  for (const query of [
    `?digest=${digest.replaceAll(/./g, '0')}`,
    `?digest=${digest}&digest=${digest}`,
  ]) {
    await expectError(await ask(`/results/official/1${query}`), 404, 'NOT_FOUND');
  }
});

test('goes on above the versions that a restore has lost', async () => {
  const { race, made } = await createManaged();
  await uploadThree(race);
  await made();
  await db
    .insert(eventSettings)
    .values({ event_id: race.eventId, official_above: 4 })
    .onConflictDoUpdate({ target: eventSettings.event_id, set: { official_above: 4 } });
  expect(await made()).toMatchObject({ version: 5 });
  expect(await made()).toMatchObject({ version: 6 });
});

test('answers 404 to a version that is not there, and gives its turn back', async () => {
  const { race, made, ask } = await createManaged();
  await uploadThree(race);
  await made();
  for (const version of ['0', '2', '-1', '1.0', 'x', '999', '1e0']) {
    await expectError(await ask(`/results/official/${version}`), 404, 'NOT_FOUND');
  }
  for (let times = 0; times < 5; times++) {
    const response = await ask('/results/official/1', { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
    expect((await ask('/results/official/1')).status).toBe(200);
  }
});

test('gives two versions that are made at once different numbers, or refuses one for now', async () => {
  const { race, make, versions } = await createManaged();
  await uploadThree(race);
  const answers = await Promise.all([make(), make(), make()]);
  const made = answers.filter(({ status }) => status === 201).length;
  expect(made).toBeGreaterThan(0);
  expect(answers.filter(({ status }) => status === 503).length).toBe(3 - made);
  expect((await versions()).map(({ version }) => version).sort()).toEqual(
    Array.from({ length: made }, (_, at) => at + 1),
  );
});

test('goes with its event', async () => {
  const { race, made } = await createManaged();
  await uploadThree(race);
  await made();
  await db.delete(events).where(eq(events.id, race.eventId));
  const left = db.$count(officialResults, eq(officialResults.event_id, race.eventId));
  expect(await left).toBe(0);
});

test('leaves the result of a bib with the same name in the list', async () => {
  const { race, ask } = await createManaged(['official']);
  await uploadRows(race, [{ bib_number: 'official', chip_time: '40:00' }]);
  const listed = await ask('/results?bib=official');
  expect((await listed.json<{ data: object[] }>()).data).toMatchObject([
    { bib_number: 'official' },
  ]);
});
