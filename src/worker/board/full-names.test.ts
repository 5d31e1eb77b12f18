import { expect, test } from 'vitest';
import { configureEvent, createRace, createRegistrations } from '../../testing/factories.ts';
import { request, testConfig } from '../../testing/harness.ts';
import { panelOf } from '../../testing/members.ts';
import { uploadRows } from '../../testing/uploads.ts';
import { connect } from '../db/client.ts';
import { createGate } from '../gate/gate.ts';
import { consoleLog } from '../log.ts';
import { BoardFound, BoardResult } from './answer-schemas.ts';
import { answerDocument } from './boards.ts';
import { idsIn, readNames } from './names.ts';

/** A race whose board shows full names, before its start. */
async function createStartList() {
  const race = await createRace();
  await configureEvent(race.eventId, { board_enabled: true, board_names: 'full' });
  await createRegistrations(
    race.eventId,
    [
      ['1004', 'Ana María', 'Ejemplo  Norte'],
      ['2', 'Bruno', 'Marín'],
      ['3', 'Marina', 'Oeste'],
      ['4', 'Oculta', 'Ejemplo'],
    ].map(([bib_number = '', given_names, surnames]) => ({
      ...{ bib_number, given_names, surnames, distance: '21K', gender: 'F', category: 'Open' },
    })),
  );
  const { ask } = await panelOf(race);
  expect((await ask('/hidden-names/4', { method: 'PUT' })).status).toBe(204);
  const board = `/board/${race.eventId}`;
  const find = async (q: string) =>
    BoardFound.parse(await (await request(`${board}/find?${new URLSearchParams({ q })}`)).json());
  const bibsFor = async (q: string) => (await find(q)).runners.map((runner) => runner.bib_number);
  return { ...race, board, find, bibsFor };
}

test('finds a runner by the beginning of any word of the full name, before the start too', async () => {
  const { find, bibsFor } = await createStartList();
  expect(await find('nor')).toEqual({
    runners: [
      {
        bib_number: '1004',
        name: 'Ana María Ejemplo Norte',
        gender: 'F',
        category: 'Open',
        distance: '21K',
        status: null,
        time: null,
      },
    ],
    total: 1,
    are_nearest: false,
  });
  expect(await bibsFor('MARÍ')).toEqual(['2', '3', '1004']);
  // A whole word comes first.
  expect(await bibsFor('marina')).toEqual(['3']);
  expect(await bibsFor('ejemplo ana')).toEqual(['1004']);
  expect(await bibsFor('ana oeste')).toEqual([]);
  expect(await find('norde')).toMatchObject({
    runners: [{ bib_number: '1004' }],
    are_nearest: true,
  });
  for (const none of ['emplo', '', ' ', '.']) expect(await bibsFor(none), none).toEqual([]);
});

test('neither finds nor counts a hidden name, and shows no more of the runner than before', async () => {
  const { board, find } = await createStartList();
  expect(await find('ejemplo')).toMatchObject({ runners: [{ bib_number: '1004' }], total: 1 });
  expect(await find('oculta')).toMatchObject({ runners: [], total: 0 });
  const card = BoardResult.parse(await (await request(`${board}/bibs/4`)).json());
  expect(card).toMatchObject({ name: null, gender: null, category: null, distance: '21K' });
});

test('finds a bib as people write it', async () => {
  const { board, bibsFor } = await createStartList();
  for (const written of ['1004', '1 004', 'dorsal 1004', 'Dorsal #1 004', 'bib 1004', '#01004']) {
    const card = await request(`${board}/bibs/${encodeURIComponent(written)}`);
    expect(BoardResult.parse(await card.json()).bib_number, written).toBe('1004');
    expect(await bibsFor(written), written).toEqual(['1004']);
  }
});

test('has each runner once in the document of names', async () => {
  const race = await createStartList();
  const passings = [{ bib_number: '2', point: 'Km 5', time: '20:00' }];
  await request(`${race.path}/passings`, {
    method: 'POST',
    headers: { 'X-API-Key': race.key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ passings }),
  });
  await uploadRows(race, [{ bib_number: '3', chip_time: '1:30:00' }]);
  const text = await namesOf(race.eventId);
  const ids = [...text.matchAll(/[\da-f]{32,}/g)].flatMap(([all]) => [...idsIn(all)]);
  expect(ids).toHaveLength(3);
  expect(new Set(ids).size).toBe(3);
  const { byId, onCourse, isFull } = readNames(text);
  expect(isFull).toBe(true);
  expect([...byId.values()].sort()).toEqual([
    'Ana María Ejemplo Norte',
    'Bruno Marín',
    'Marina Oeste',
  ]);
  expect([...onCourse].map((id) => byId.get(id))).toEqual(['Bruno Marín']);
});

async function namesOf(eventId: string): Promise<string> {
  const services = { db: connect(testConfig.DATABASE_URL), log: consoleLog, gate: createGate() };
  const answer = await answerDocument(services, { kind: 'names', eventId }, () => {});
  expect(answer.status).toBe(200);
  return answer.text();
}
