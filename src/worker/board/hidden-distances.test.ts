import { expect, test } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import { configureEvent, createRace, createRegistrations } from '../../testing/factories.ts';
import { startApp, testConfig } from '../../testing/harness.ts';
import { panelOf } from '../../testing/members.ts';
import { uploadRows } from '../../testing/uploads.ts';
import { connect } from '../db/client.ts';
import { consoleLog } from '../log.ts';
import type { EventChange } from '../ranking/answer-schemas.ts';
import { createBoards } from './boards.ts';

/** A race of adults and a race of children, whose board shows full names; and the requests of a member. */
async function createFamilyDay() {
  const race = await createRace();
  await configureEvent(race.eventId, { board_enabled: true, board_names: 'full' });
  await createRegistrations(
    race.eventId,
    [
      ['1', 'Zenobia', '10K'],
      ['2', 'Nereida', '1/2K  Kids'],
      ['3', 'Nerea', '1/2K  Kids'],
      ['4', 'Sin Distancia', null],
    ].map(([bib_number, given_names, distance]) => ({
      ...{ bib_number, given_names, surnames: 'Ejemplo', distance, gender: 'F' },
    })),
  );
  // A single isolate, whose clock leaps: the isolate keeps the names.
  let hours = 0;
  const boards = createBoards({
    db: connect(testConfig.DATABASE_URL),
    log: consoleLog,
    now: () => Date.now() + hours * 3_600_000,
  });
  const purged: boolean[] = [];
  const purgeBoard = async (_: string, hidesName = false) => void purged.push(hidesName);
  const { request } = startApp(testConfig, { boards, purgeBoard });
  const panel = await panelOf(race, { role: 'admin', send: request });
  const ask = (method: string, distance?: string) => {
    const below = distance === undefined ? '' : `/${encodeURIComponent(distance)}`;
    return panel.ask(`/hidden-distances${below}`, { method });
  };
  const changes = async () =>
    (await (await panel.ask('/changes')).json<{ data: EventChange[] }>()).data.map(
      ({ kind, before, after }) => [kind, before, after],
    );
  /** The views of the board with a text. */
  const viewsWith = async (text: string, paths: string[]) => {
    hours += 1;
    const found = await Promise.all(
      paths.map(async (path) => (await (await request(path)).text()).includes(text)),
    );
    return paths.filter((_, at) => found[at]);
  };
  return { race, ask, changes, viewsWith, purged };
}

test('hides the names of a distance in one act, from every view of the board, and shows them again', async () => {
  const { race, ask, changes, viewsWith, purged } = await createFamilyDay();
  await uploadRows(race, [
    { bib_number: '1', chip_time: '40:00' },
    { bib_number: '2', chip_time: '4:00' },
  ]);
  const { eventId } = race;
  const kids = encodeURIComponent('1/2K  Kids');
  const views = [
    `/board/${eventId}/data`,
    `/board/${eventId}/results?distance=${kids}`,
    `/board/${eventId}/find?q=nere`,
    `/board/${eventId}/bibs/2`,
    `/board/v1/${eventId}`,
    `/board/v1/${eventId}/results?distance=${kids}`,
    `/board/v1/${eventId}/runners/2`,
  ];
  const listed = async () => (await (await ask('GET')).json<{ data: unknown[] }>()).data;
  expect(await listed()).toEqual([
    { distance: '1/2K  Kids', runners: 2, is_hidden: false },
    { distance: '10K', runners: 1, is_hidden: false },
  ]);
  expect(await viewsWith('Nereida', views)).toEqual(views);
  for (let twice = 0; twice < 2; twice += 1) {
    const hidden = await ask('PUT', '1/2K  Kids');
    expect(await hidden.json()).toEqual({ distance: '1/2K  Kids', runners: 2, is_hidden: true });
  }
  expect(purged).toEqual([true, true]);
  expect(await listed()).toMatchObject([{ is_hidden: true }, { is_hidden: false }]);
  expect(await viewsWith('Nere', views)).toEqual([]);
  // A hidden runner is not counted as found either.
  expect(await viewsWith('"total":0', [`/board/${eventId}/find?q=ejemplo+nere`])).toHaveLength(1);
  expect(await viewsWith('Zenobia', views)).toEqual([
    `/board/${eventId}/data`,
    `/board/v1/${eventId}`,
  ]);
  // Who gets the distance later is hidden too.
  await createRegistrations(eventId, [
    { bib_number: '9', given_names: 'Nereo', surnames: 'Nuevo', distance: '1/2K  Kids' },
  ]);
  expect(await viewsWith('Nereo', [`/board/${eventId}/find?q=nereo`])).toEqual([]);
  for (let twice = 0; twice < 2; twice += 1) {
    expect(await (await ask('DELETE', '1/2K  Kids')).json()).toMatchObject({ is_hidden: false });
  }
  expect(await viewsWith('Nereida', views)).toEqual(views);
  expect(await changes()).toEqual([
    ['hidden_distance', '1/2K  Kids', null],
    ['hidden_distance', null, '1/2K  Kids'],
  ]);
});

test('keeps a hidden distance after its last runner left, and answers 404 to an unknown distance', async () => {
  const { race, ask, changes } = await createFamilyDay();
  await configureEvent(race.eventId, { board_hidden_distances: ['5K'] });
  expect(await (await ask('GET')).json()).toMatchObject({
    data: [{ distance: '1/2K  Kids' }, { distance: '5K', runners: 0, is_hidden: true }, {}],
    meta: { total: 3 },
  });
  expect(await (await ask('DELETE', '5K')).json()).toEqual({
    ...{ distance: '5K', runners: 0, is_hidden: false },
  });
  for (const unknown of ['5K', '1/2K Kids', ' 10K', '\0']) {
    for (const method of ['PUT', 'DELETE']) {
      await expectError(await ask(method, unknown), 404, 'NOT_FOUND');
    }
  }
  expect(await changes()).toEqual([['hidden_distance', '5K', null]]);
});

test('takes two distances that two people hide at once', async () => {
  const { ask } = await createFamilyDay();
  await Promise.all([ask('PUT', '10K'), ask('PUT', '1/2K  Kids')]);
  expect(await (await ask('GET')).json()).toMatchObject({
    data: [{ is_hidden: true }, { is_hidden: true }],
  });
});
