import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { Result } from '../../worker/results/read/answer-schemas.ts';
import { createRace, type RaceDay, startRaceDay } from './race-day.ts';
import { standingsOf } from './standings.ts';

const ROLE = `registrar_${randomBytes(6).toString('hex')}`;
const RUNNERS = 40;

let day: RaceDay;
/** A foreign system: a role with rights on registrations and events alone, and its own search_path. */
let neighbour: pg.Client;

beforeAll(async () => {
  day = await startRaceDay(inject('servers'));
  await day.pool.query(`create role ${ROLE}`);
  await day.pool.query(
    `grant select, insert, update, delete on events, registrations to ${ROLE};
    create schema elsewhere authorization ${ROLE};
    grant temporary on database ${new URL(day.stack.postgresUrl).pathname.slice(1)} to ${ROLE}`,
  );
  neighbour = new pg.Client({ connectionString: day.stack.postgresUrl });
  await neighbour.connect();
  await neighbour.query(`set role ${ROLE}; set search_path = elsewhere`);
});
afterAll(async () => {
  await neighbour?.end();
  await day?.pool.query(`drop owned by ${ROLE}; drop role ${ROLE}`);
  await day?.stop();
});

async function finishedRace() {
  const race = await createRace(day, { runners: RUNNERS });
  const { key } = race;
  const upload = async (minute: number) => {
    const results = Array.from({ length: RUNNERS }, (_, index) => ({
      bib_number: `${index + 1}`,
      chip_time: `01:${minute}:${10 + (index % 13)}`,
    }));
    const response = await fetch(`${day.origin}${race.path}/results`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ results }),
    });
    await response.arrayBuffer();
    return response.status;
  };
  expect(await upload(10)).toBe(200);
  return { ...race, key, upload };
}
type Race = Awaited<ReturnType<typeof finishedRace>>;

const Page = z.object({ data: z.array(Result.strict()), meta: z.object({ total: z.int() }) });

async function read({ path, key }: Race) {
  const response = await fetch(`${day.origin}${path}/results?page_size=100`, {
    headers: { 'X-API-Key': key },
    signal: AbortSignal.timeout(10_000),
  });
  expect(response.status).toBe(200);
  return Page.parse(await response.json());
}

async function expectAsTheView(race: Race, finishers: number): Promise<void> {
  const { data, meta } = await read(race);
  expect(meta.total).toBe(finishers);
  const served = data.map((result) => [
    result.bib_number,
    {
      overall: result.position_overall,
      gender: result.position_gender,
      category: result.position_category,
    },
  ]);
  expect(Object.fromEntries(served)).toEqual(await standingsOf(day, race.eventId));
}

test('follows corrections and deletions of a role with a search_path and temporary tables of its own', async () => {
  const race = await finishedRace();
  const change = (statement: string) => neighbour.query(statement, [race.eventId]);
  await change(
    `update public.registrations set category = 'Z', gender = null
    where event_id = $1 and bib_number::int < 9`,
  );
  await expectAsTheView(race, RUNNERS);
  await neighbour.query(
    'create temporary table registrations (like public.registrations); create temporary table results (id int)',
  );
  await change(`update public.registrations set distance = '10K' where event_id = $1`);
  await change('delete from public.registrations where event_id = $1 and bib_number::int > 35');
  await neighbour.query('drop table pg_temp.registrations, pg_temp.results');
  await expectAsTheView(race, 35);
  await change(`update public.events set city = 'Elsewhere' where id = $1`);
  await change('delete from public.events where id = $1');
  const { rows } = await day.pool.query('select from results where event_id = $1', [race.eventId]);
  expect(rows).toEqual([]);
});

test('follows one statement that regroups a registration and writes its result', async () => {
  const race = await finishedRace();
  await day.pool.query(
    `with regrouped as (
      update registrations set gender = 'X', category = null where event_id = $1 and bib_number = '3'
      returning id
    )
    update results set chip_time_ms = 1 where registration_id = (select id from regrouped)`,
    [race.eventId],
  );
  await expectAsTheView(race, RUNNERS);
  expect((await read(race)).data[0]).toMatchObject({ bib_number: '3', position_gender: 1 });
});

test('reads beside an open transaction on the registrations', async () => {
  const race = await finishedRace();
  await neighbour.query('begin');
  try {
    await neighbour.query(`update public.registrations set category = 'Late' where event_id = $1`, [
      race.eventId,
    ]);
    await expectAsTheView(race, RUNNERS);
  } finally {
    await neighbour.query('rollback');
  }
});

test('serves no result after a truncation, and takes the next upload', async () => {
  const race = await finishedRace();
  await day.pool.query('truncate results');
  await expectAsTheView(race, 0);
  expect(await race.upload(20)).toBe(200);
  await expectAsTheView(race, RUNNERS);
});
