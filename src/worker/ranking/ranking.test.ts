import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import { configureEvent, createRace, createRegistrations } from '../../testing/factories.ts';
import { startApp, testConfig, withKey } from '../../testing/harness.ts';
import { panelOf } from '../../testing/members.ts';
import { uploadRows } from '../../testing/uploads.ts';
import { createBoards } from '../board/boards.ts';
import { connect } from '../db/client.ts';
import type { OrganizationEvent } from '../events/panel-answer-schemas.ts';
import { consoleLog } from '../log.ts';
import type { EventChange, EventRanking } from './answer-schemas.ts';

const { request } = startApp();

const RUNNERS = [
  // Bib, gender, category, distance, chip time, gun time.
  ['1', 'F', 'F40', '10K', '40:00', '42:00'],
  ['2', 'F', 'F40', '10K', '41:00', '41:30'],
  ['3', 'F', 'F50', '10K', '43:00', '43:10'],
  ['4', 'M', 'M40', '10K', '44:00', '45:00'],
  ['5', 'M', 'M40', '10K', '44:30', null],
  ['6', 'M', 'M40', null, null, '20:00'],
] as const;

async function createManaged() {
  const race = await createRace();
  await createRegistrations(
    race.eventId,
    RUNNERS.map(([bib_number, gender, category, distance]) => ({
      bib_number,
      gender,
      category,
      distance,
      given_names: 'Ana',
      surnames: 'Ejemplo',
    })),
  );
  await uploadRows(
    race,
    RUNNERS.map(([bib_number, , , , chip_time, gun_time]) => ({ bib_number, chip_time, gun_time })),
  );
  const { ask, userId } = await panelOf(race);
  const set = (body: object) => ask('/ranking', { method: 'PATCH', body: JSON.stringify(body) });
  const bibs = async (query = '') => {
    const response = await request(`${race.path}/results${query}`, { headers: withKey(race.key) });
    const { data } = await response.json<{ data: { bib_number: string }[] }>();
    return data.map(({ bib_number }) => bib_number);
  };
  return { race, userId, ask, set, bibs };
}

describe('updateEventRanking', () => {
  test('sets the rule, and keeps in the history who changed it, when and why', async () => {
    const { ask, set, userId } = await createManaged();
    const answer = await set({ rule: 'gun', reason: ' The federation asks for it. ' });
    expect((await answer.json<OrganizationEvent>()).ranking_rule).toBe('gun');
    expect((await set({ rule: 'gun_overall' })).status).toBe(200);
    const event = await (await ask('')).json<OrganizationEvent>();
    expect(event.ranking_rule).toBe('gun_overall');
    const { data } = await (await ask('/changes')).json<{ data: EventChange[] }>();
    const change = {
      kind: 'ranking_rule',
      user_id: userId,
      key_prefix: null,
      changed_at: expect.any(String),
    };
    expect(data).toEqual([
      { ...change, before: 'gun', after: 'gun_overall', reason: null },
      { ...change, before: 'chip', after: 'gun', reason: 'The federation asks for it.' },
    ]);
  });

  test('stands in the history beside the settings of the board, hidden names and official versions', async () => {
    const { ask, userId } = await createManaged();
    const switchBoard = (body: object) =>
      ask('/board', { method: 'PATCH', body: JSON.stringify(body) });
    expect((await switchBoard({ board_enabled: true, board_names: 'none' })).status).toBe(200);
    expect((await switchBoard({ board_names: 'initials' })).status).toBe(200);
    for (const method of ['PUT', 'PUT', 'DELETE', 'DELETE']) {
      expect((await ask('/hidden-names/3', { method })).status).toBe(204);
    }
    expect((await ask('/results/official', { method: 'POST' })).status).toBe(201);
    const { data } = await (await ask('/changes')).json<{ data: EventChange[] }>();
    const change = {
      user_id: userId,
      key_prefix: null,
      reason: null,
      changed_at: expect.any(String),
    };
    expect(data).toEqual([
      { ...change, kind: 'official_version', before: null, after: '1' },
      { ...change, kind: 'hidden_name', before: '3', after: null },
      { ...change, kind: 'hidden_name', before: null, after: '3' },
      { ...change, kind: 'board_names', before: 'none', after: 'initials' },
      { ...change, kind: 'board_enabled', before: 'false', after: 'true' },
    ]);
  });

  test('sets the prizes, with or without the rule, and moves no place', async () => {
    const { ask, set, bibs } = await createManaged();
    const before = await bibs('?distance=10K');
    const prizes = 'overall_leaves_category';
    const answer = await set({ prizes, reason: 'The rules of the race.' });
    expect(await answer.json()).toMatchObject({ prizes, ranking_rule: 'chip' });
    expect(await bibs('?distance=10K')).toEqual(before);
    expect(await (await set({ prizes: 'all', rule: 'gun' })).json()).toMatchObject({
      prizes: 'all',
      ranking_rule: 'gun',
    });
    expect(await (await set({ prizes: 'all' })).json()).toMatchObject({ ranking_rule: 'gun' });
    const { data } = await (await ask('/changes')).json<{ data: EventChange[] }>();
    const changed = data.map(({ kind, before, after, reason }) => [kind, before, after, reason]);
    expect(changed.slice(0, 2).toSorted()).toEqual([
      ['prizes', prizes, 'all', null],
      ['ranking_rule', 'chip', 'gun', null],
    ]);
    expect(changed.slice(2)).toEqual([['prizes', 'all', prizes, 'The rules of the race.']]);
  });

  test('writes no history for the rule that the event has already', async () => {
    const { ask, set } = await createManaged();
    expect((await set({ rule: 'chip', reason: 'to be sure' })).status).toBe(200);
    expect(await (await ask('/changes')).json()).toMatchObject({ data: [], meta: { total: 0 } });
  });

  test('refuses an unknown rule, none, and a field that nobody knows', async () => {
    const { ask, set } = await createManaged();
    const detail = await expectError(await set({ rule: 'net' }), 400, 'VALIDATION_ERROR');
    expect(detail).toContain('rule: expected chip, gun, gun_overall');
    const bodies = [
      {},
      { rule: null },
      { prizes: 'none' },
      { reason: 'x' },
      { rule: 'gun', because: 'x' },
      [],
    ];
    for (const body of bodies) {
      await expectError(await set(body), 400, 'VALIDATION_ERROR');
    }
    await expectError(await ask('/ranking?rule=net'), 400, 'VALIDATION_ERROR');
    expect(await (await ask('')).json()).toMatchObject({ ranking_rule: 'chip' });
  });
});

test('lists stand in the order of the rule, and those of a category in the order of its places', async () => {
  const { set, bibs } = await createManaged();
  expect(await bibs('?distance=10K')).toEqual(['1', '2', '3', '4', '5']);
  await set({ rule: 'gun' });
  expect(await bibs('?distance=10K')).toEqual(['2', '1', '3', '5', '4']);
  expect(await bibs('?category=M40')).toEqual(['6', '5', '4']);
  await set({ rule: 'gun_overall' });
  expect(await bibs('?distance=10K')).toEqual(['2', '1', '3', '5', '4']);
  expect(await bibs('?category=M40')).toEqual(['6', '4', '5']);
});

describe('getEventRanking', () => {
  test('tells how the event ranks, and who lacks which time', async () => {
    const { ask } = await createManaged();
    expect(await (await ask('/ranking')).json()).toEqual({
      rank_by: 'chip',
      finishers_without_chip_time: 1,
      finishers_without_gun_time: 1,
      runners: 0,
      podiums: [],
    });
  });

  test('tells what another rule would change', async () => {
    const { ask, set } = await createManaged();
    const ranking = async (rule: string) => {
      const { podiums, ...rest } = await (await ask(`/ranking?rule=${rule}`)).json<EventRanking>();
      return { ...rest, podiums: podiums.map(({ runners, ...group }) => group) };
    };
    const women = { distance: '10K', gender: 'F', category: null };
    const men = { distance: '10K', gender: 'M', category: null };
    const all = { distance: '10K', gender: null, category: null };
    const ofCategory = (category: string) => ({ distance: '10K', gender: category[0], category });
    expect(await ranking('gun_overall')).toMatchObject({ runners: 4, podiums: [all, women, men] });
    const gun = await ranking('gun');
    expect(gun.runners).toBe(4);
    expect(gun.podiums).toHaveLength(5);
    expect(gun.podiums).toEqual(
      expect.arrayContaining([all, women, men, ofCategory('F40'), ofCategory('M40')]),
    );
    const { podiums } = await (await ask('/ranking?rule=gun_overall')).json<EventRanking>();
    const names = { given_names: 'Ana', surnames: 'Ejemplo' };
    expect(podiums.map(({ runners }) => runners)).toEqual([
      [
        { ...names, bib_number: '2', before: 2, after: 1 },
        { ...names, bib_number: '1', before: 1, after: 2 },
      ],
      [
        { ...names, bib_number: '2', before: 2, after: 1 },
        { ...names, bib_number: '1', before: 1, after: 2 },
      ],
      [
        { ...names, bib_number: '5', before: 2, after: 1 },
        { ...names, bib_number: '4', before: 1, after: 2 },
      ],
    ]);
    await set({ rule: 'gun_overall' });
    expect(await ranking('gun')).toMatchObject({
      rank_by: 'gun_overall',
      runners: 4,
      podiums: [ofCategory('F40'), ofCategory('M40')],
    });
    expect(await ranking('gun_overall')).toMatchObject({ runners: 0, podiums: [] });
  });
});

test('purges the board after a new rule, and leaves the cursors of copies alone', async () => {
  const { race } = await createManaged();
  await configureEvent(race.eventId, { board_enabled: true });
  const purged: string[] = [];
  let leapMs = 0;
  const { request: ask } = startApp(testConfig, {
    purgeBoard: async (eventId) => purged.push(eventId),
    boards: createBoards({
      db: connect(testConfig.DATABASE_URL),
      log: consoleLog,
      now: () => Date.now() + leapMs,
    }),
  });
  const board = `/board/${race.eventId}`;
  const placesOnBoard = async () => {
    const list = await (await ask(`${board}/results?distance=10K`)).json<{
      rows: { bib_number: string; place: number }[];
    }>();
    const runner = await (await ask(`${board}/bibs/2`)).json<{
      rank_by: string;
      overall: object;
    }>();
    const snapshot = await (await ask(`${board}/data`)).json<{ event: { rank_by: string } }>();
    return {
      rules: [runner.rank_by, snapshot.event.rank_by],
      runner: runner.overall,
      list: list.rows.map(({ bib_number, place }) => [bib_number, place]),
    };
  };
  const copy = async (cursor: string) => {
    const answer = await ask(`${race.path}/results/export?changed_since=${cursor}`, {
      headers: { ...withKey(race.key), Accept: 'application/x-ndjson' },
    });
    const text = await answer.text();
    return {
      rows: text.trim().split('\n').filter(Boolean).length,
      cursor: answer.headers.get('Next-Cursor') ?? '',
    };
  };
  const chip = await placesOnBoard();
  expect(chip.rules).toEqual(['chip', 'chip']);
  expect(chip.runner).toMatchObject({ place: 2 });
  const { rows, cursor } = await copy('');
  expect(rows).toBeGreaterThanOrEqual(6);

  const panel = await panelOf(race, { send: ask });
  const set = await panel.ask('/ranking', { method: 'PATCH', body: '{"rule": "gun"}' });
  expect(set.status).toBe(200);
  expect(purged).toEqual([race.eventId]);
  leapMs = 3_600_000;
  const gun = await placesOnBoard();
  expect(gun.rules).toEqual(['gun', 'gun']);
  expect(gun.runner).toMatchObject({ place: 1 });
  expect(gun.list.slice(0, 2)).toEqual([
    ['2', 1],
    ['1', 2],
  ]);
  expect(await copy(cursor)).toMatchObject({ rows: 0 });
});
