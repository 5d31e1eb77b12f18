import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { type BoardRace, BoardSnapshot } from '../worker/board/answer-schemas.ts';
import { createBoards } from '../worker/board/boards.ts';
import type { Config } from '../worker/config.ts';
import { connect } from '../worker/db/client.ts';
import { events } from '../worker/db/schema.ts';
import { consoleLog } from '../worker/log.ts';
import {
  configureEvent,
  createRace,
  createRegistrations,
  db,
  type EventSeed,
} from './factories.ts';
import { startApp, testConfig, withKey } from './harness.ts';

/** An application that reads a board again for each request: the clock leaps. */
function startBoards(config: Config = testConfig) {
  const db = connect(config.DATABASE_URL);
  let hours = 0;
  const now = () => Date.now() + hours++ * 3_600_000;
  return startApp(config, {
    boards: createBoards({ db, log: consoleLog, now }),
  });
}

export const { request } = startBoards();

export const PEOPLE = [
  {
    bib_number: '1',
    given_names: 'Ana María',
    surnames: 'Ejemplo Secreto',
    gender: 'F',
    category: '30-39',
    distance: '21K',
  },
  {
    bib_number: '2',
    given_names: 'Bruno',
    surnames: 'muestra oculta',
    gender: 'M',
    category: '30-39',
    distance: '21K',
  },
  {
    bib_number: '3',
    given_names: 'Ñandú',
    surnames: 'Ñíguez',
    gender: 'M',
    category: '40-49',
    distance: '10K',
  },
  {
    bib_number: '4',
    given_names: null,
    surnames: null,
    gender: null,
    category: null,
    distance: null,
  },
  {
    bib_number: '5',
    given_names: 'Elena',
    surnames: 'Nunca',
    gender: 'F',
    category: '40-49',
    distance: '10K',
  },
  {
    bib_number: '6',
    given_names: 'Sola',
    surnames: 'Sinresultado',
    gender: 'X',
    category: '60+',
    distance: '21K',
  },
];

const RESULTS = [
  {
    bib_number: '1',
    chip_time: '01:30:00.500',
    gun_time: '01:30:10',
    splits: { 'Km 10': '41:00', 'Km 5': '20:00', Last: '1:20:00' },
  },
  { bib_number: '2', chip_time: '01:20:00' },
  { bib_number: '3', gun_time: '01:25:00' },
  { bib_number: '4', chip_time: '01:25:00' },
  { bib_number: '5', status: 'DNF', splits: { 'Km 5': '25:00' } },
];

export type Race = Awaited<ReturnType<typeof createRace>>;

/** A race with an open board, and uploaded results. */
export async function openBoard({
  board_enabled = true,
  board_names = 'none',
  ...columns
}: EventSeed = {}) {
  const race = await createRace();
  await createRegistrations(
    race.eventId,
    PEOPLE.map((person) => ({
      ...person,
      document: `DOC${person.bib_number}-77`,
      email: `mail${person.bib_number}@example.org`,
      mobile_phone: `+000 ${person.bib_number}`,
      chip: `CHIP-${person.bib_number}`,
    })),
  );
  await configureEvent(race.eventId, { board_enabled, board_names });
  await changeEvent(race.eventId, { city: 'Port Example', ...columns });
  await upload(race, RESULTS);
  return { ...race, board: `/board/${race.eventId}` };
}

export const changeEvent = (eventId: string, columns: Partial<typeof events.$inferInsert>) =>
  db.update(events).set(columns).where(eq(events.id, eventId));

export async function upload({ key, path }: Pick<Race, 'key' | 'path'>, rows: unknown[]) {
  const response = await request(`${path}/results`, {
    method: 'POST',
    headers: { ...withKey(key), 'Content-Type': 'application/json' },
    body: JSON.stringify({ results: rows }),
  });
  const answer: { batch_id: string } = await response.json();
  expect(answer).toMatchObject({ failed: [] });
  return answer;
}

export async function snapshotOf(board: string): Promise<BoardSnapshot> {
  const response = await request(`${board}/data`);
  expect(response.status).toBe(200);
  return BoardSnapshot.strict().parse(await response.json());
}

export async function raceOf(board: string, distance: string): Promise<BoardRace> {
  const { races } = await snapshotOf(board);
  const race = races.find((one) => one.distance === distance);
  if (!race) throw new Error(`no race of ${distance}`);
  return race;
}
