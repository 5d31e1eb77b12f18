import { expect, test } from 'vitest';
import { createRace, createRegistrations } from '../../../testing/factories.ts';
import { request, withKey } from '../../../testing/harness.ts';
import { postJson, type Race } from '../../../testing/uploads.ts';
import type { EventWarnings } from '../../course/answer-schemas.ts';

const CODES = ['dns_with_passing', 'old_gun', 'wrong_clock'];

type Told = { warnings?: { code: string; detail: string; rows: number[] }[] };

async function createDay(): Promise<Race> {
  const race = await createRace();
  await createRegistrations(
    race.eventId,
    ['1', '2', '3'].map((bib_number) => ({ bib_number, distance: '10K' })),
  );
  return race;
}

async function told(answer: Promise<Response> | Response) {
  const { warnings = [] } = await (await answer).json<Told>();
  return warnings.filter(({ code }) => CODES.includes(code)).map(({ code, rows }) => [code, rows]);
}

const results = (race: Race, rows: object[], query = '') =>
  Promise.resolve(postJson(race, JSON.stringify({ results: rows }), { to: `/results${query}` }));

const passings = (race: Race, rows: object[], query = '') =>
  Promise.resolve(postJson(race, JSON.stringify({ passings: rows }), { to: `/passings${query}` }));

const file = (race: Race, path: string, text: string) =>
  request(race.path + path, {
    method: 'POST',
    headers: { ...withKey(race.key), 'Content-Type': 'text/csv' },
    body: text,
  });

/** The second of 9:00 at which the gun of all runners went off. */
const putGun = (race: Race, version: number, second: string, query = '') =>
  request(`${race.path}/starts${query}`, {
    method: 'PUT',
    headers: { ...withKey(race.key), 'Content-Type': 'application/json' },
    body: JSON.stringify({
      version,
      starts: [{ name: 'Gun', starts_at: `2027-05-09T09:00:${second}+02:00` }],
    }),
  });

const seen = { bib_number: '1', point: 'Km 5', time: '20:00' };

test('asks whether a DNS was wrong if a point saw the runner', async () => {
  const race = await createDay();
  expect(await told(passings(race, [seen]))).toEqual([]);
  const rows = [
    { bib_number: '2', status: 'DNS' },
    { bib_number: '1', status: 'DNS' },
  ];
  expect(
    await told(file(race, '/results/file/preview', 'bib,status\n2,DNS\n1,DNS\n')),
  ).toContainEqual(['dns_with_passing', [3]]);
  expect(await told(results(race, rows))).toEqual([['dns_with_passing', [2]]]);
  // The same rows change nothing.
  expect(await told(results(race, rows))).toEqual([]);
});

test('asks whether a DNS was wrong if a passing of the runner comes', async () => {
  const race = await createDay();
  await results(race, [{ bib_number: '1', status: 'DNS' }]);
  const preview = file(race, '/passings/file/preview?point=Km%205', 'bib,time\n3,20:00\n1,20:00\n');
  expect(await told(preview)).toContainEqual(['dns_with_passing', [3]]);
  expect(await told(passings(race, [{ ...seen, bib_number: '3' }, seen]))).toEqual([
    ['dns_with_passing', [2]],
  ]);
  expect(await told(passings(race, [{ ...seen, time: '21:00' }], '?leave=impossible'))).toEqual([]);
});

test('tells the crew to correct the gun of the software if rows equal the times before a shift', async () => {
  const race = await createDay();
  await putGun(race, 0, '00');
  const rows = ['1', '2'].map((bib_number) => ({ bib_number, gun_time: '40:00' }));
  await results(race, rows);
  await passings(race, [seen]);
  expect((await putGun(race, 1, '30', '?shift=true')).status).toBe(200);
  const more = [...rows, { bib_number: '3', gun_time: '44:00' }];
  const text = 'bib,gun_time\n1,40:00\n2,40:00\n3,44:00\n';
  expect(await told(file(race, '/results/file/preview', text))).toContainEqual(['old_gun', [2, 3]]);
  const preview = file(race, '/passings/file/preview?point=Km%205', 'bib,time\n1,20:00\n');
  expect(await told(preview)).toContainEqual(['old_gun', [2]]);
  expect(await told(passings(race, [{ ...seen, time: '19:00' }]))).toEqual([]);
  expect(await told(results(race, more))).toEqual([['old_gun', [1, 2]]]);
  // A person has stored the old times in spite of the warning.
  expect(await told(results(race, [{ ...rows[0], gun_time: '39:30' }]))).toEqual([]);
});

test('tells the crew to correct the gun of a point if passings equal the times before a shift', async () => {
  const race = await createDay();
  await putGun(race, 0, '00');
  await passings(race, [seen]);
  await putGun(race, 1, '30', '?shift=true');
  expect(await told(passings(race, [seen]))).toEqual([['old_gun', [1]]]);
});

const warnings = async ({ path, key }: Race) =>
  (await request(`${path}/warnings`, { headers: withKey(key) })).json<EventWarnings>();

/** An instant some minutes from now, as clocks in UTC show it. */
const clockIn = (minutes: number) =>
  `${new Date(Date.now() + 60_000 * minutes).toISOString().slice(0, 19)}+00:00`;

async function startBefore(race: Race, minutes: number) {
  const starts = [{ name: 'Gun', starts_at: clockIn(-minutes) }];
  await request(`${race.path}/starts`, {
    method: 'PUT',
    headers: { ...withKey(race.key), 'Content-Type': 'application/json' },
    body: JSON.stringify({ version: 0, starts }),
  });
}

test('names a point whose times of day are ahead of the server, in the preview and in the answer', async () => {
  const race = await createDay();
  await startBefore(race, 30);
  const rows = ['1', '2', '3'].map((bib_number) => ({ bib_number, time: clockIn(60) }));
  const of = 'point=Km%205&time_format=time_of_day';
  const text = ['bib,time', ...rows.map((row) => Object.values(row).join())].join('\n');
  expect(await told(file(race, `/passings/file/preview?${of}`, text))).toEqual([
    ['wrong_clock', []],
  ]);
  expect(await warnings(race)).toEqual({ clocks: [], dns_with_passing: [] });
  const sent = rows.map((row) => ({ ...row, point: 'Km 5' }));
  const answer = await passings(race, sent, '?time_format=time_of_day');
  expect((await answer.json<Told>()).warnings).toEqual([
    {
      code: 'wrong_clock',
      rows: [],
      values: { case: 'point_ahead_of_server', point: 'Km 5', minutes: 60, runners: 3 },
      detail:
        'The clock of the point "Km 5" is about 60 minutes ahead of the clock of the server: check this clock, and the ' +
        'starts. 3 runners show it.',
    },
  ]);
  const clock = { at: 'point', point: 'Km 5', minutes: 60, against: 'server', runners: 3 };
  expect(await warnings(race)).toEqual({ clocks: [clock], dns_with_passing: [] });
});

test('names a point and the finish that are an hour off against the other points, and the runners who are DNS', async () => {
  const race = await createRace();
  const bibs = Array.from({ length: 20 }, (_, at) => String(at + 1));
  await createRegistrations(
    race.eventId,
    bibs.map((bib_number) => ({ bib_number, distance: '20K' })),
  );
  await startBefore(race, 600);
  /** Minutes from the start to a kilometre, and some minutes that a clock is ahead. */
  const at = (bib: string, km: number, off = 0) =>
    clockIn(-600 + (5 + 0.2 * Number(bib)) * km + off);
  const rows = bibs.flatMap((bib_number) => [
    { bib_number, point: 'Km 5', time: at(bib_number, 5) },
    { bib_number, point: 'Km 10', time: at(bib_number, 10, -60) },
    { bib_number, point: 'Km 15', time: at(bib_number, 15) },
  ]);
  await passings(race, rows.slice(0, -3), '?time_format=time_of_day');
  const finish = bibs.map((bib_number) => ({ bib_number, gun_time: at(bib_number, 20) }));
  const uploaded = await results(race, finish.slice(0, -1), '?time_format=time_of_day');
  expect(await told(uploaded)).toEqual([['wrong_clock', []]]);
  await passings(race, rows.slice(-3), '?time_format=time_of_day');
  await results(race, [{ bib_number: '20', status: 'DNS' }]);
  const [clock, ...others] = (await warnings(race)).clocks;
  expect([clock, others]).toMatchObject([
    { at: 'point', point: 'Km 10', minutes: -60, against: 'points' },
    [],
  ]);
  expect((await warnings(race)).dns_with_passing).toMatchObject([
    { bib_number: '20', point: 'Km 15' },
  ]);
  const late = finish
    .slice(0, 10)
    .map(({ bib_number }) => `${bib_number},${at(bib_number, 20, 60)}`);
  const preview = file(
    race,
    '/results/file/preview?time_of_day=time&gun_time=time',
    ['bib,time', ...late].join('\n'),
  );
  expect(await told(preview)).toEqual([
    ['wrong_clock', []],
    ['wrong_clock', []],
  ]);
});
