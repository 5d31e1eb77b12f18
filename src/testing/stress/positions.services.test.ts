import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { randomOf } from '../../dev/race-simulator/random.ts';
import { Result } from '../../worker/results/read/answer-schemas.ts';
import { createRace, type Race, type RaceDay, startRaceDay } from './race-day.ts';
import { standingsOf } from './standings.ts';

let day: RaceDay;

beforeAll(async () => {
  day = await startRaceDay(inject('servers'));
});
afterAll(() => day?.stop());

const RUNNERS = 2_000;
/** More registrations, which have a result from the start. */
const TAKEN_BACK = 100;
const WRITERS = 8;
const UPLOADS = 12;
const ROWS = 300;

type Row = { bib_number: string; status?: string; chip_time?: string };

const anyRows = (random: () => number) =>
  Array.from({ length: ROWS }, (): Row => {
    const bib_number = `${1 + Math.floor(random() * RUNNERS)}`;
    if (random() < 0.1) return { bib_number, status: random() < 0.5 ? 'DNF' : 'DSQ' };
    const ms = 3_600_000 + Math.floor(random() * 1_200) * 500;
    return { bib_number, chip_time: new Date(ms).toISOString().slice(11, 23) };
  });

async function upload({ path }: Race, key: string, results: readonly Row[]): Promise<number> {
  const response = await fetch(`${day.origin}${path}/results`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ results }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Corrects the category and gender of some registrations, as the office does during a race. */
async function correct({ eventId }: Race, random: () => number): Promise<void> {
  const from = Math.floor(random() * RUNNERS);
  await day.pool.query(
    `update registrations set category = $3, gender = $4
    where event_id = $1 and bib_number::int between $2 and $2 + 30`,
    [eventId, from, ['A', 'B', null][from % 3], ['F', 'M', null][from % 2]],
  );
}

const takeBack = ({ eventId }: Race, from: number) =>
  day.pool.query(
    'delete from registrations where event_id = $1 and bib_number::int between $2 and $2 + 4',
    [eventId, from],
  );

const Page = z.object({ data: z.array(Result.strict()) });

async function readAll({ path }: Race, key: string): Promise<Result[]> {
  const all: Result[] = [];
  for (let page = 1; ; page++) {
    const response = await fetch(`${day.origin}${path}/results?page=${page}&page_size=100`, {
      headers: { 'X-API-Key': key },
    });
    const { data } = Page.parse(await response.json());
    if (data.length === 0) return all;
    all.push(...data);
  }
}

test('serves the positions of the view after uploads, corrections and deletions at once', async () => {
  const race = await createRace(day, { runners: RUNNERS + TAKEN_BACK, keyCount: WRITERS + 1 });
  const [reader = '', ...writers] = race.keys;
  const early = Array.from({ length: TAKEN_BACK }, (_, index) => ({
    bib_number: `${RUNNERS + 1 + index}`,
    chip_time: '01:05:00',
  }));
  expect(await upload(race, reader, early)).toBe(200);

  const uploading = writers.map(async (key, writer) => {
    const random = randomOf(writer);
    const statuses: number[] = [];
    for (let sent = 0; sent < UPLOADS; sent++) {
      statuses.push(await upload(race, key, anyRows(random)));
    }
    return statuses;
  });
  const correcting = [1, 2].map(async (clerk) => {
    const random = randomOf(100 + clerk);
    for (let corrected = 0; corrected < 40; corrected++) await correct(race, random);
  });
  const takingBack = (async () => {
    for (let index = 0; index < TAKEN_BACK; index += 5) await takeBack(race, RUNNERS + 1 + index);
  })();
  const statuses = (await Promise.all(uploading)).flat();
  await Promise.all([...correcting, takingBack]);
  expect(new Set(statuses)).toEqual(new Set([200]));

  const standings = await standingsOf(day, race.eventId);
  const read = await readAll(race, reader);
  const finishers = read.filter(({ status }) => status === 'FINISHED');
  expect(finishers.length).toBeGreaterThan(RUNNERS / 4);
  expect(
    Object.fromEntries(
      finishers.map((result) => [
        result.bib_number,
        {
          overall: result.position_overall,
          gender: result.position_gender,
          category: result.position_category,
        },
      ]),
    ),
  ).toEqual(standings);
});
