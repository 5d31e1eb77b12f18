import { expect, test } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import { configureEvent } from '../../testing/factories.ts';
import { startApp, testConfig } from '../../testing/harness.ts';
import { createManaged, textOf, uploadThree } from '../../testing/official.ts';
import { uploadRows } from '../../testing/uploads.ts';
import { connect } from '../db/client.ts';
import { createGate, everybodyOf } from '../gate/gate.ts';
import type { Turn } from '../gate/turns.ts';
import { consoleLog } from '../log.ts';
import { toBoardRequest } from './address.ts';
import type { BoardSnapshot } from './answer-schemas.ts';
import { createBoards } from './boards.ts';

let hours = 0;
/** Reads a board again for each request. */
const leapingClock = () => Date.now() + hours++ * 3_600_000;

function startBoards(now = leapingClock) {
  return startApp(testConfig, {
    boards: createBoards({ db: connect(testConfig.DATABASE_URL), log: consoleLog, now }),
  });
}

const { request, logged } = startBoards();

const enable = (eventId: string, board_enabled: boolean) =>
  configureEvent(eventId, { board_enabled });

test('says what the results are worth, and no more of who made them so', async () => {
  const { race, made } = await createManaged();
  await uploadThree(race);
  await enable(race.eventId, true);
  const official = async () =>
    (await (await request(`/board/${race.eventId}/data`)).json<BoardSnapshot>()).official;
  expect(await official()).toBeNull();
  const { made_at } = await made();
  expect(await official()).toEqual({ version: 1, made_at, state: 'official', changes: null });
  await uploadRows(race, [{ bib_number: '2', status: 'DSQ' }]);
  // The first look compares.
  expect(await official()).toMatchObject({ state: 'changed_since', changes: null });
  const outcome = (status: string) => ({ status, chip_time: null, gun_time: null });
  expect(await official()).toEqual({
    version: 1,
    made_at,
    state: 'changed_since',
    changes: {
      total: 1,
      first: [{ bib_number: '2', before: outcome('DNF'), after: outcome('DSQ') }],
    },
  });
  const second = await made();
  expect(await official()).toMatchObject({ version: 2, made_at: second.made_at });
});

test('gives the signed file to everybody while the board is on, and to nobody else', async () => {
  const { race, made, file } = await createManaged();
  await uploadThree(race);
  await made();
  await uploadRows(race, [{ bib_number: '2', status: 'DSQ' }]);
  await made();
  const ask = (version: string, init?: RequestInit) =>
    request(`/board/${race.eventId}/official/${version}`, init);
  const refused = await expectError(await ask('1'), 404, 'NOT_FOUND');
  await enable(race.eventId, true);
  for (const version of [1, 2]) {
    const response = await ask(String(version));
    expect(await textOf(response)).toBe(await file(version));
    expect(response.headers.get('Cache-Control')).toMatch(/^public, max-age=60, /);
    expect(response.headers.get('Cache-Tag')).toBe(race.eventId);
  }
  for (const version of ['3', '20', 'x']) {
    expect(await expectError(await ask(version), 404, 'NOT_FOUND')).toBe(refused);
  }
  // Turns are given back.
  for (let times = 0; times < 6; times++) {
    expect((await ask('1', { method: 'HEAD' })).status).toBe(200);
    expect((await ask('1')).status).toBe(200);
  }
  expect(logged.at(-1)).toMatchObject({ status: 200, route: '/board/:event_id/official/:version' });
  await enable(race.eventId, false);
  expect(await expectError(await ask('1'), 404, 'NOT_FOUND')).toBe(refused);
});

test('refuses the signed file from the moment on that the board is off, also while its ranking is kept', async () => {
  const { race, made } = await createManaged();
  await uploadThree(race);
  await made();
  await enable(race.eventId, true);
  const { request: ask } = startBoards(() => 0);
  const path = `/board/${race.eventId}/official/1`;
  expect((await ask(path, { method: 'HEAD' })).status).toBe(200);
  await enable(race.eventId, false);
  expect((await ask(`/board/${race.eventId}/data`)).status).toBe(200);
  await expectError(await ask(path), 404, 'NOT_FOUND');
});

test('waits for others who ask for the board, never for its organization, which never waits for them', async () => {
  const { race, made } = await createManaged();
  await uploadThree(race);
  await made();
  await enable(race.eventId, true);
  const { organizationId } = race;
  const gate = createGate();
  const { request: ask } = startApp(testConfig, { gate });
  const path = `/board/${race.eventId}/official/1`;
  const takeAll = (sender: string) => {
    const turns: Turn[] = [];
    for (let turn = gate.heavy.take(sender); turn; turn = gate.heavy.take(sender)) turns.push(turn);
    return turns;
  };
  const own = takeAll(organizationId);
  expect(own.length).toBeGreaterThan(0);
  expect((await ask(path)).status).toBe(200);
  for (const turn of own) turn.end();
  const readers = takeAll(everybodyOf(organizationId));
  expect(takeAll(organizationId)).toHaveLength(own.length);
  // A reader stops reading.
  readers[0]?.keepFor({ isSlow: () => true });
  expect((await ask(path)).status).toBe(200);
});

test('has one address for each version', () => {
  const canonical = (path: string) =>
    toBoardRequest(new Request(`https://race.example/board/${path}`))?.url;
  expect(canonical('E/official/1?x=1')).toBe('https://race.example/board/e/official/1');
  for (const version of ['0', '01', '10000', 'x', '1/2', '']) {
    expect(canonical(`E/official/${version}`)).toBeUndefined();
  }
});
