import { and, eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import {
  configureEvent,
  createEvent,
  createOrganization,
  createRace,
  createRegistrations,
  createStart,
  db,
} from '../../testing/factories.ts';
import { withKey } from '../../testing/harness.ts';
import {
  changeEvent,
  openBoard,
  PEOPLE,
  type Race,
  raceOf,
  request,
  snapshotOf,
  upload,
} from '../../testing/open-board.ts';
import { byStatus } from '../../timing-files/read/result-status.ts';
import { registrations } from '../db/schema.ts';
import {
  BoardFound,
  BoardList,
  type BoardRace,
  BoardResult,
  type BoardRunner,
} from './answer-schemas.ts';
import { firstWord } from './queries.ts';

const NO_RESULTS = byStatus(() => 0);

/** Uploads passings. */
async function pass(
  { key, path }: Pick<Race, 'key' | 'path'>,
  rows: [bib_number: string, point: string, time: string][],
) {
  const passings = rows.map(([bib_number, point, time]) => ({ bib_number, point, time }));
  const answer = await request(`${path}/passings`, {
    method: 'POST',
    headers: { ...withKey(key), 'Content-Type': 'application/json' },
    body: JSON.stringify({ passings }),
  });
  expect(await answer.json()).toMatchObject({ failed: [] });
}

/** The places of a bib in its race, gender and category. */
type Places = Map<string, Record<string, number>>;

function expectPlaces(runners: BoardRunner[], placesOf: Places, group: string) {
  expect(runners.length).toBeGreaterThan(0);
  for (const { bib_number, place } of runners) {
    expect([bib_number, place]).toEqual([bib_number, placesOf.get(bib_number ?? '')?.[group]]);
  }
}

/** Compares the lists of a race with 5 leaders at most, where every finisher has a category. */
function expectStandings(race: BoardRace, placesOf: Places) {
  const { arrivals, leaders, genders, categories, counts } = race;
  expectPlaces(arrivals, placesOf, 'race');
  expectPlaces(leaders, placesOf, 'race');
  for (const group of genders) expectPlaces(group.leaders, placesOf, 'gender');
  for (const group of categories) expectPlaces(group.leaders, placesOf, 'category');
  expect(genders.map(({ gender }) => gender)).toEqual(['F', 'M', 'X']);
  for (const { finished, leaders: shown } of [...genders, ...categories]) {
    expect(shown).toHaveLength(Math.min(finished, 5));
  }
  const sum = categories.reduce((all, { finished }) => all + finished, 0);
  expect(sum).toBe(counts.FINISHED);
}

/** Compares all pages of a race's list, and the women of a category. */
async function expectList(board: string, { distance, counts }: BoardRace, placesOf: Places) {
  const listed = await everyRow(board, distance);
  expect(listed).toHaveLength(counts.FINISHED + counts.DSQ);
  expect(new Set(bibsOf(listed)).size).toBe(listed.length);
  for (const { bib_number, place } of listed) {
    expect(place).toBe(placesOf.get(bib_number ?? '')?.['race'] ?? null);
  }
  const women = await request(`${board}/results?distance=${distance}&gender=F&category=30`);
  const { rows } = BoardList.parse(await women.json());
  expect(rows.length).toBeGreaterThan(5);
  for (const { bib_number, place, gender, category } of rows) {
    const own = placesOf.get(bib_number ?? '')?.['category'];
    expect([place, gender, category]).toEqual([own, 'F', '30']);
  }
}

/** All pages of the full list. */
async function everyRow(board: string, distance: string): Promise<BoardList['rows']> {
  const rows: BoardList['rows'] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const answer = await request(`${board}/results?distance=${distance}&page=${page}`);
    const list = BoardList.strict().parse(await answer.json());
    pages = list.pages;
    rows.push(...list.rows);
  }
  return rows;
}

const bibsOf = (runners: { bib_number: string | null }[]) =>
  runners.map(({ bib_number }) => bib_number);
const groupsOf = (groups: BoardRace['genders']) =>
  groups.map(({ gender, category, finished, leaders }) => [
    ...[gender, category, finished],
    bibsOf(leaders),
  ]);

describe('a board', () => {
  let open: Awaited<ReturnType<typeof openBoard>>;

  beforeAll(async () => {
    open = await openBoard();
  });

  test('shows each distance as a race of its own, with its counts and leaders', async () => {
    const { event, races } = await snapshotOf(open.board);
    expect(event).toMatchObject({
      name: 'Harbour Half',
      city: 'Port Example',
      board_names: 'none',
    });
    expect(races.map(({ distance }) => distance)).toEqual(['10K', '21K', '']);
    const half = await raceOf(open.board, '21K');
    expect(half.counts).toEqual({ ...NO_RESULTS, FINISHED: 2 });
    expect(half.leaders.map(({ bib_number, place }) => [bib_number, place])).toEqual([
      ['2', 1],
      ['1', 2],
    ]);
    expect(groupsOf(half.genders)).toEqual([
      ['F', null, 1, ['1']],
      ['M', null, 1, ['2']],
    ]);
    expect(groupsOf(half.categories)).toEqual([
      ['F', '30-39', 1, ['1']],
      ['M', '30-39', 1, ['2']],
    ]);
    const short = await raceOf(open.board, '10K');
    expect(short.counts).toEqual({ ...NO_RESULTS, FINISHED: 1, DNF: 1 });
    expect(short.leaders.map(({ bib_number, place }) => [bib_number, place])).toEqual([['3', 1]]);
    expect(groupsOf((await raceOf(open.board, '')).genders)).toEqual([]);
  });

  test('keeps the arrival of a runner whose result is corrected, disqualified or brought back', async () => {
    const race = await openBoard();
    const arrivals = async () => (await raceOf(race.board, '21K')).arrivals;
    await upload(race, [{ bib_number: '6', chip_time: '02:00:00' }]);
    const before = await arrivals();
    const changedBefore = (await snapshotOf(race.board)).event.changed_at ?? '';
    await upload(race, [{ bib_number: '2', chip_time: '01:19:00' }]);
    expect(
      (await arrivals()).map(({ bib_number, arrived_at }) => [bib_number, arrived_at]),
    ).toEqual(before.map(({ bib_number, arrived_at }) => [bib_number, arrived_at]));
    const { changed_at } = (await snapshotOf(race.board)).event;
    expect(Date.parse(changed_at ?? '')).toBeGreaterThan(Date.parse(changedBefore));

    await upload(race, [{ bib_number: '2', status: 'DSQ' }]);
    expect(bibsOf(await arrivals())).toEqual(['6', '1']);
    await upload(race, [{ bib_number: '2', chip_time: '01:19:30' }]);
    expect(bibsOf(await arrivals())).toEqual(bibsOf(before));

    const { batch_id } = await upload(race, [{ bib_number: '1', status: 'DNF' }]);
    expect(bibsOf(await arrivals())).toEqual(['6', '2']);
    const revert = `/public/v1/events/${race.eventId}/result-batches/${batch_id}/revert`;
    expect((await request(revert, { method: 'POST', headers: withKey(race.key) })).status).toBe(
      200,
    );
    expect((await arrivals()).map(({ arrived_at }) => arrived_at)).toEqual(
      before.map(({ arrived_at }) => arrived_at),
    );
  });

  test('forgets an arrival that an upload invented once the upload is reverted', async () => {
    const race = await openBoard();
    const { batch_id } = await upload(race, [{ bib_number: '5', chip_time: '01:24:00' }]);
    const invented = await raceOf(race.board, '10K');
    expect(bibsOf(invented.arrivals)).toEqual(['5', '3']);
    const revert = `/public/v1/events/${race.eventId}/result-batches/${batch_id}/revert`;
    await request(revert, { method: 'POST', headers: withKey(race.key) });
    await upload(race, [{ bib_number: '5', chip_time: '01:24:30' }]);
    const [last] = (await raceOf(race.board, '10K')).arrivals;
    expect(last?.bib_number).toBe('5');
    expect(last?.arrived_at).not.toBe(invented.arrivals[0]?.arrived_at);
  });

  test('tells what became of a result, and nothing of splits or of the sender', async () => {
    const race = await openBoard();
    const history = async () => {
      const runner = await (await request(`${race.board}/bibs/2`)).json();
      return BoardResult.strict().parse(runner).history;
    };
    expect(await history()).toEqual([{ what: 'sent', at: expect.any(String), reason: null }]);
    const splits = { 'Km 5': '20:00' };
    await upload(race, [{ bib_number: '2', chip_time: '01:19:00', splits }]);
    // An upload's reason is for the organization.
    await request(`/public/v1/events/${race.eventId}/results?reason=Ana%20was%20late`, {
      method: 'POST',
      headers: { ...withKey(race.key), 'Content-Type': 'application/json' },
      body: JSON.stringify({ results: [{ bib_number: '2', chip_time: '01:19:00' }] }),
    });
    const ask = (method: string, path: string, reason: string) =>
      request(`/public/v1/events/${race.eventId}/${path}?reason=${encodeURIComponent(reason)}`, {
        method,
        headers: withKey(race.key),
      });
    const removal = await ask('DELETE', 'results/2', 'bib swapped');
    const { batch_id } = await removal.json<{ batch_id: string }>();
    await ask('POST', `result-batches/${batch_id}/revert`, 'it was not');
    expect((await history()).map(({ what, reason }) => [what, reason])).toEqual([
      ['sent', null],
      ['corrected', null],
      ['removed', 'bib swapped'],
      ['reverted', 'it was not'],
    ]);
  });

  test('tells nothing of the event that a runner left', async () => {
    const [race, otherRace] = [await openBoard(), await openBoard()];
    await request(`/public/v1/events/${race.eventId}/results?reason=Ours`, {
      method: 'POST',
      headers: { ...withKey(race.key), 'Content-Type': 'application/json' },
      body: JSON.stringify({ results: [{ bib_number: '2', chip_time: '01:19:00' }] }),
    });
    await db
      .update(registrations)
      .set({ event_id: otherRace.eventId, bib_number: 'moved' })
      .where(and(eq(registrations.event_id, race.eventId), eq(registrations.bib_number, '2')));
    const runner = await (await request(`${otherRace.board}/bibs/moved`)).json();
    const { history } = BoardResult.strict().parse(runner);
    expect(history.map(({ reason }) => reason)).toEqual([null, null]);
  });

  test('has the time zone of the event, and tells whether all bibs are numbers', async () => {
    const race = await openBoard({ time_zone: 'America/Lima' });
    expect((await snapshotOf(race.board)).event).toMatchObject({
      time_zone: 'America/Lima',
      has_numeric_bibs: true,
    });
    await createRegistrations(race.eventId, [{ bib_number: '21k-7b', distance: '21K' }]);
    expect((await snapshotOf(race.board)).event.has_numeric_bibs).toBe(false);
  });

  test('finds a bib in any case, with a # or leading zeros, and the runner with exactly this bib first', async () => {
    const race = await openBoard();
    await createRegistrations(race.eventId, [
      { bib_number: 'e7', distance: 'a' },
      { bib_number: 'E7', distance: 'b' },
      { bib_number: '21k-7B', distance: 'c' },
      { bib_number: '007', distance: 'd' },
    ]);
    const runnerOf = async (bib: string) => (await request(`${race.board}/bibs/${bib}`)).json();
    for (const [bib, distance] of [
      ['e7', 'a'],
      ['E7', 'b'],
      ['21K-7b', 'c'],
      ['%231', '21K'],
      ['001', '21K'],
      ['%23007', 'd'],
      ['7', 'd'],
    ]) {
      expect(await runnerOf(bib ?? ''), bib).toMatchObject({ distance });
    }
  });

  test('shows how many have passed each point, who was first and last, and a runner on the course', async () => {
    const race = await openBoard({ board_names: 'initials' });
    await createRegistrations(race.eventId, [
      { bib_number: '7', given_names: 'Greta', surnames: 'Norte', distance: '21K', gender: 'F' },
    ]);
    await pass(race, [
      ['6', 'Km 15', '1:01:00'],
      ['6', 'Km 5', '20:10'],
      ['7', 'Km 5', '19:00'],
      ['2', 'Km 5', '18:00'],
      ['3', 'Km 5', '22:00'],
    ]);
    // Who has not paid may not start.
    await createRegistrations(race.eventId, [
      { bib_number: '17', distance: '21K', status: 'PENDING' },
    ]);
    const half = await raceOf(race.board, '21K');
    expect(half.entered).toBe(4);
    expect(half.points.map(({ point, passed }) => [point, passed])).toEqual([
      ['Km 5', 3],
      ['Km 15', 1],
    ]);
    const [first] = half.points;
    expect(first?.first.map(({ bib_number, name, time }) => [bib_number, name, time])).toEqual([
      ['2', 'Bruno M.', '00:18:00.000'],
      ['7', 'Greta N.', '00:19:00.000'],
      ['6', 'Sola S.', '00:20:10.000'],
    ]);
    expect(bibsOf(first?.latest ?? [])).toEqual(['6', '7', '2']);
    const cardOf = async (bib: string) =>
      BoardResult.strict().parse(await (await request(`${race.board}/bibs/${bib}`)).json());
    const placeAtLast = async (bib: string) => (await cardOf(bib)).place_at_last_point;
    const runner = await cardOf('6');
    expect(runner).toMatchObject({ status: null, name: 'Sola S.', gender: 'X' });
    expect(runner.splits.map(({ name, time }) => [name, time])).toEqual([
      ['Km 5', '00:20:10.000'],
      ['Km 15', '01:01:00.000'],
    ]);
    expect(runner).toMatchObject({
      starts_at: null,
      splits: [{ passed_at: null }, { passed_at: null }],
    });
    expect(runner.place_at_last_point).toBe(1);
    expect(await placeAtLast('7')).toBe(2);
    expect(await placeAtLast('2'), 'has a result').toBeNull();
    expect(await placeAtLast('4'), 'has not passed').toBeNull();
    // A split of the result wins, and a passing completes the splits.
    await pass(race, [
      ['1', 'Km 5', '20:01'],
      ['1', 'Km 15', '1:00:00'],
    ]);
    const { splits } = BoardResult.parse(await (await request(`${race.board}/bibs/1`)).json());
    expect(splits.map(({ name, time }) => [name, time])).toEqual([
      ['Km 5', '00:20:00.000'],
      ['Km 10', '00:41:00.000'],
      // A passing is since the gun, 9.5 s before this runner's start.
      ['Km 15', '00:59:50.500'],
      ['Last', '01:20:00.000'],
    ]);
  });

  test('shows the first and the last ones of each race at a point that races share, wherever they are among the others', async () => {
    const race = await openBoard();
    // Each passes within the time of the many, and two small races have gaps of minutes.
    const races = {
      Many: Array.from({ length: 40 }, (_, at) => 600 + at * 37),
      Few: [601, 1_300, 1_301, 1_900, 2_000],
      Last: Array.from({ length: 12 }, (_, at) => 2_100 + at * at * 9),
    };
    const runners = Object.entries(races).flatMap(([distance, seconds]) =>
      seconds.map((second, at) => ({ distance, second, bib_number: `${distance} ${at}` })),
    );
    await createRegistrations(
      race.eventId,
      runners.map(({ distance, bib_number }) => ({ distance, bib_number })),
    );
    await pass(
      race,
      runners.map(({ bib_number, second }) => [
        bib_number,
        'Km 5',
        new Date(second * 1_000).toISOString().slice(11, 19),
      ]),
    );
    for (const [distance, seconds] of Object.entries(races)) {
      const bibs = seconds.map((_, at) => `${distance} ${at}`);
      const [point] = (await raceOf(race.board, distance)).points;
      expect(point?.passed, distance).toBe(seconds.length);
      const last = bibs.length - 1;
      for (const at of [0, 1, 3, Math.floor(last / 2), last - 1, last]) {
        const card = await request(`${race.board}/bibs/${encodeURIComponent(bibs[at] ?? '')}`);
        expect(await card.json()).toMatchObject({ place_at_last_point: at + 1 });
      }
      expect(bibsOf(point?.first ?? []), distance).toEqual(bibs.slice(0, 3));
      expect(bibsOf(point?.latest ?? []), distance).toEqual(bibs.reverse().slice(0, 8));
    }
  });

  test('shows one clock of a runner, since the own start where somebody knows it', async () => {
    const race = await openBoard({ board_names: 'initials' });
    await createRegistrations(race.eventId, [{ bib_number: '7' }, { bib_number: '8' }]);
    await pass(race, [
      ['7', 'Km 5', '38:23'],
      ['8', 'Start', '12:00'],
      ['8', 'Km 5', '38:00'],
    ]);
    const runner = async (bib: string) => {
      const answer = await request(`${race.board}/bibs/${bib}`);
      const { start_delay, splits } = BoardResult.strict().parse(await answer.json());
      return [start_delay, ...splits.map(({ name, time }) => `${name} ${time}`)];
    };
    expect(await runner('7')).toEqual([null, 'Km 5 00:38:23.000']);
    expect(await runner('8')).toEqual(['00:12:00.000', 'Km 5 00:26:00.000']);
    await upload(race, [{ bib_number: '7', chip_time: '57:23', gun_time: '1:07:23' }]);
    expect(await runner('7')).toEqual(['00:10:00.000', 'Km 5 00:28:23.000']);
  });

  test('says when a runner was at a point by the start that was told, and never by the date of the event', async () => {
    const race = await openBoard({ board_names: 'initials' });
    const gunAt = Date.now() - 2 * 3_600_000;
    await changeEvent(race.eventId, { event_date: new Date(gunAt - 30 * 60_000) });
    await createRegistrations(race.eventId, [{ bib_number: '70' }, { bib_number: 'A70' }]);
    await pass(race, [
      ['70', 'Km 5', '45:00'],
      ['A70', 'Km 5', '45:00'],
    ]);
    await createStart(race.eventId, new Date(gunAt), { bib_from: 70, bib_to: 79 });
    const splitOf = async (bib: string) => {
      const answer = await request(`${race.board}/bibs/${bib}`);
      const { splits, starts_at } = BoardResult.parse(await answer.json());
      return [starts_at, splits[0]?.passed_at];
    };
    const iso = (ms: number) => new Date(ms).toISOString();
    expect(await splitOf('70')).toEqual([iso(gunAt), iso(gunAt + 45 * 60_000)]);
    expect(await splitOf('A70')).toEqual([null, null]);
  });

  test('finds runners by the name that it shows, with or without accents, and by bib', async () => {
    const race = await openBoard({ board_names: 'initials' });
    await createRegistrations(race.eventId, [
      { bib_number: '7', given_names: 'Ana', surnames: 'Otra', distance: '21K' },
      { bib_number: '8', given_names: 'Anastasia', surnames: 'Éxodo', distance: '21K' },
    ]);
    await upload(race, [{ bib_number: '8', chip_time: '01:10:00' }]);
    const find = async (wanted: string) => {
      const answer = await request(`${race.board}/find?${new URLSearchParams({ q: wanted })}`);
      return BoardFound.strict().parse(await answer.json());
    };
    const bibsFor = async (wanted: string) => bibsOf((await find(wanted)).runners);
    expect(await find('ana')).toEqual({
      runners: [
        {
          bib_number: '8',
          name: 'Anastasia É.',
          gender: null,
          category: null,
          distance: '21K',
          status: 'FINISHED',
          time: '01:10:00.000',
        },
        expect.objectContaining({ bib_number: '1', name: 'Ana E.' }),
      ],
      total: 2,
      are_nearest: false,
    });
    for (const wanted of ['Ana E.', 'ANA  e', 'ana ejemplo', 'Ána maría Ejemplo']) {
      expect(await bibsFor(wanted), wanted).toEqual(['1']);
    }
    expect(await bibsFor('nandu niguez')).toEqual(['3']);
    expect(await bibsFor('#3')).toEqual(['3']);
    // Bib 7 has no result yet, and the board shows no other part of a name. A mistyped name finds the nearest.
    for (const near of ['ana otra', 'anastassia', 'brnuo']) {
      expect((await find(near)).are_nearest, near).toBe(true);
    }
    expect(await bibsFor('ana otra')).toEqual(['1']);
    expect(await bibsFor('anastassia')).toEqual(['8']);
    await createRegistrations(race.eventId, [
      { bib_number: '9', given_names: 'Anastasia', surnames: 'Zeta', distance: '21K' },
    ]);
    await upload(race, [{ bib_number: '9', chip_time: '01:11:00' }]);
    expect(await bibsFor('anastassia')).toEqual(['8', '9']);
    expect(await bibsFor('anastassia zeta')).toEqual(['9']);
    await pass(race, [['7', 'Km 5', '20:00']]);
    expect(await bibsFor('ana otra')).toEqual(['7']);
    expect(await find('ana otra')).toMatchObject({
      runners: [{ bib_number: '7', name: 'Ana O.', status: null, time: null }],
      are_nearest: false,
    });
    for (const hidden of ['secreto', 'sola', 'ejemplo', '', ' ', '.']) {
      expect(await bibsFor(hidden), hidden).toEqual([]);
    }
    await configureEvent(race.eventId, { board_names: 'none' });
    expect(await bibsFor('ana')).toEqual([]);
    expect(await bibsFor('7')).toEqual(['7']);
  });

  test('finds a compound given name although its second word fits the initial of others', async () => {
    const race = await openBoard({ board_names: 'initials' });
    const named = [
      ['21', 'José Antonio', 'Ruiz'],
      ['22', 'José', 'Alba'],
      ['23', 'Antonio', 'Norte'],
      ['24', 'José', 'Zárate'],
    ] as const;
    await createRegistrations(
      race.eventId,
      named.map(([bib_number, given_names, surnames]) => ({
        ...{ bib_number, given_names, surnames, distance: '21K' },
      })),
    );
    await upload(
      race,
      named.map(([bib_number], at) => ({ bib_number, chip_time: `01:3${9 - at}:00` })),
    );
    const find = async (q: string) => {
      const answer = await request(`${race.board}/find?${new URLSearchParams({ q })}`);
      const { runners, are_nearest } = BoardFound.strict().parse(await answer.json());
      return [bibsOf(runners), are_nearest];
    };
    // The board shows bib 21 as José R. A runner with the initial stands first.
    expect(await find('José Antonio')).toEqual([['22', '24', '21'], false]);
    // No runner is called Alba, so Alba is a surname.
    expect(await find('José Alba')).toEqual([['22'], false]);
    expect(await find('José Antonio Ruiz')).toEqual([['21', '22'], false]);
  });

  test('shows every race of an event of 24 distances', async () => {
    const race = await createRace();
    await configureEvent(race.eventId, { board_enabled: true });
    const people = Array.from({ length: 24 }, (_, index) => ({
      bib_number: String(index),
      distance: `${index} km`,
    }));
    await createRegistrations(race.eventId, people);
    await upload(
      race,
      people.map(({ bib_number }) => ({ bib_number, chip_time: '10:00' })),
    );
    expect((await snapshotOf(`/board/${race.eventId}`)).races).toHaveLength(24);
  });

  test('lists the latest arrivals first, with the public fields and the place in their race', async () => {
    const race = await openBoard();
    await upload(race, [{ bib_number: '6', chip_time: '01:25:00.250', gun_time: '02:00:01' }]);
    const { arrivals } = await raceOf(race.board, '21K');
    expect(arrivals[0]).toEqual({
      bib_number: '6',
      name: null,
      gender: 'X',
      category: '60+',
      time: '01:25:00.250',
      place: 2,
      arrived_at: expect.any(String),
    });
    expect(bibsOf(arrivals)).toEqual(['6', '1', '2']);
  });

  test('orders the arrivals of one upload by gun time', async () => {
    const race = await openBoard();
    await createRegistrations(
      race.eventId,
      ['7', '8'].map((bib_number) => ({ bib_number, distance: '21K' })),
    );
    await upload(race, [
      { bib_number: '7', chip_time: '01:00:00', gun_time: '01:31:00' },
      { bib_number: '8', chip_time: '01:10:00', gun_time: '01:11:00' },
      { bib_number: '6', chip_time: '01:20:00', gun_time: '01:21:00' },
    ]);
    const { arrivals } = await raceOf(race.board, '21K');
    expect(bibsOf(arrivals).slice(0, 3)).toEqual(['7', '6', '8']);
  });

  test('gives the places 1, 1, 3 to a tie, in the order of the bibs', async () => {
    const race = await createRace();
    await configureEvent(race.eventId, { board_enabled: true });
    const bibs = ['10', '9', '1000'];
    await createRegistrations(
      race.eventId,
      bibs.map((bib_number) => ({ bib_number, distance: '5K', gender: 'F', category: 'Open' })),
    );
    await upload(race, [
      { bib_number: '1000', chip_time: '30:00' },
      { bib_number: '10', chip_time: '20:00' },
      { bib_number: '9', chip_time: '20:00' },
    ]);
    const { leaders, genders, categories } = await raceOf(`/board/${race.eventId}`, '5K');
    for (const list of [leaders, genders[0]?.leaders ?? [], categories[0]?.leaders ?? []]) {
      expect(list.map(({ bib_number, place }) => [bib_number, place])).toEqual([
        ['9', 1],
        ['10', 1],
        ['1000', 3],
      ]);
    }
  });

  test('shows the positions of the standings view for any number of arrivals', async () => {
    const race = await createRace();
    await configureEvent(race.eventId, { board_enabled: true });
    const few = (values: string[], at: number) => values[at % values.length] ?? null;
    const people = Array.from({ length: 400 }, (_, at) => ({
      bib_number: String(at + 1),
      gender: at % 7 ? few(['F', 'M', 'X'], at) : null,
      category: at % 50 ? few(['20', '30', '40', '50', '60'], Math.floor(at / 3)) : `rare ${at}`,
      distance: few(['10K', '21K'], Math.floor(at / 5)),
    }));
    await createRegistrations(race.eventId, people);
    const finished = people.map(({ bib_number }, at) => {
      const minute = 20 + ((at * 37) % 39);
      return { bib_number, chip_time: `01:${minute}:${10 + ((at * 11) % 23)}` };
    });
    await upload(race, finished);
    await upload(race, [{ bib_number: '7', status: 'DSQ' }, ...finished.slice(100, 110).reverse()]);

    const board = `/board/${race.eventId}`;
    const { races } = await snapshotOf(board);
    const { rows } = await db.execute<{ bib: string; places: Record<string, number> }>(sql`
      select bib_number as bib, json_build_object(
        'race', position_distance, 'gender', position_distance_gender, 'category',
        rank() over (partition by distance, gender, category order by finish_time_ms)) as places
      from standings join registrations using (bib_number, event_id)
      where event_id = ${race.eventId}`);
    const placesOf: Places = new Map(rows.map(({ bib, places }) => [bib, places]));
    expect(races.map(({ counts }) => counts.FINISHED).sort()).toEqual([199, 200]);
    for (const one of races) {
      expectStandings(one, placesOf);
      await expectList(board, one, placesOf);
    }
    for (const bib of ['1', '7', '105', '351']) {
      const found = BoardResult.parse(await (await request(`${board}/bibs/${bib}`)).json());
      const places = placesOf.get(bib);
      const { overall, in_gender, in_category, gender } = found;
      expect([bib, overall?.place, in_gender?.place, in_category?.place]).toEqual([
        bib,
        places?.['race'],
        gender === null ? undefined : places?.['gender'],
        places?.['category'],
      ]);
    }
  });

  test('finds a runner by bib, with places among their own and splits in order of time', async () => {
    const response = await request(`${open.board}/bibs/1`);
    expect(BoardResult.strict().parse(await response.json())).toEqual({
      bib_number: '1',
      name: null,
      gender: 'F',
      category: '30-39',
      distance: '21K',
      status: 'FINISHED',
      rank_by: 'chip',
      chip_time: '01:30:00.500',
      gun_time: '01:30:10.000',
      gap: '00:10:00.500',
      starts_at: null,
      start_delay: '00:00:09.500',
      overall: { place: 2, of: 2 },
      in_gender: { place: 1, of: 1 },
      in_category: { place: 1, of: 1 },
      splits: [
        { name: 'Km 5', time: '00:20:00.000', passed_at: null, place: null },
        { name: 'Km 10', time: '00:41:00.000', passed_at: null, place: null },
        { name: 'Last', time: '01:20:00.000', passed_at: null, place: null },
      ],
      place_at_last_point: null,
      history: [{ what: 'sent', at: expect.any(String), reason: null }],
      changed_at: (await snapshotOf(open.board)).event.changed_at,
    });
    const out = await request(`${open.board}/bibs/5`);
    expect(await out.json()).toMatchObject({ status: 'DNF', overall: null, chip_time: null });
    const alone = await request(`${open.board}/bibs/4`);
    expect(await alone.json()).toMatchObject({
      distance: null,
      overall: { place: 1, of: 1 },
      in_gender: null,
      in_category: null,
    });
  });

  test('tells a bib without a result from a bib that nobody has', async () => {
    const race = await openBoard({ board_names: 'initials' });
    const waiting = await request(`${race.board}/bibs/6`);
    expect(BoardResult.strict().parse(await waiting.json())).toMatchObject({
      bib_number: '6',
      distance: '21K',
      status: null,
      name: null,
      gender: null,
      category: null,
    });
    await expectError(await request(`${race.board}/bibs/999`), 404, 'NOT_FOUND');
    await db
      .update(registrations)
      .set({ status: 'CANCELLED' })
      .where(eq(registrations.event_id, race.eventId));
    await expectError(await request(`${race.board}/bibs/6`), 404, 'NOT_FOUND');
    expect((await request(`${race.board}/bibs/1`)).status).toBe(200);
  });

  test('lists all results of a race: finishers first, then those who did not finish', async () => {
    const answer = await request(`${open.board}/results?distance=10K`);
    expect(BoardList.strict().parse(await answer.json())).toEqual({
      groups: [
        { gender: 'F', category: '40-49', results: 1 },
        { gender: 'M', category: '40-49', results: 1 },
      ],
      rows: [
        {
          bib_number: '3',
          name: null,
          gender: 'M',
          category: '40-49',
          status: 'FINISHED',
          time: '01:25:00.000',
          place: 1,
        },
        {
          bib_number: '5',
          name: null,
          gender: 'F',
          category: '40-49',
          status: 'DNF',
          time: null,
          place: null,
        },
      ],
      total: 2,
      page: 1,
      pages: 1,
    });
    const past = await request(`${open.board}/results?distance=10K&page=7`);
    expect(await past.json()).toMatchObject({
      rows: [{ bib_number: '3' }, {}],
      total: 2,
      page: 1,
      pages: 1,
    });
    const unnamed = await request(`${open.board}/results`);
    expect(bibsOf(BoardList.parse(await unnamed.json()).rows)).toEqual(['4']);
    for (const bad of ['page=0', 'page=x', 'page=1e9', `distance=${'x'.repeat(201)}`]) {
      expect((await request(`${open.board}/results?${bad}`)).status, bad).toBe(404);
    }
  });

  test('shows the races of an event before anybody arrives', async () => {
    const eventId = await createEvent(await createOrganization(), { board_enabled: true });
    expect((await snapshotOf(`/board/${eventId}`)).races).toEqual([]);
    await createRegistrations(eventId, [
      { bib_number: '1', distance: '21K', status: 'PAID' },
      { bib_number: '2', distance: '5K', status: 'PAID' },
      { bib_number: '5', distance: '5K', status: 'PENDING' },
      { bib_number: '3', distance: '10K', status: 'PAID' },
      { bib_number: '4', distance: '42K', status: 'CANCELLED' },
    ]);
    const none = {
      entered: 1,
      points: [],
      finish_times: null,
      arrivals_per_minute: null,
      counts: NO_RESULTS,
      arrivals: [],
      leaders: [],
      genders: [],
      categories: [],
    };
    expect((await snapshotOf(`/board/${eventId}`)).races).toEqual(
      ['5K', '10K', '21K'].map((distance) => ({ distance, ...none })),
    );
  });
});

describe('the name of a runner on a board', () => {
  const NEVER = [
    'DOC',
    '@',
    '+000',
    'CHIP-',
    'Secreto',
    'jemplo',
    'muestra',
    'oculta',
    'María',
    'ñíguez',
    'Sinresultado',
    'Nunca',
  ];

  async function everyAnswer(board: string): Promise<string> {
    const paths = ['', '/data', '/results?distance=21K', '/results?distance=10K'].concat(
      PEOPLE.map(({ bib_number }) => `/bibs/${bib_number}`),
    );
    const answers = await Promise.all(paths.map((path) => request(board + path)));
    const said = (await Promise.all(answers.map((answer) => answer.text()))).join('\n');
    // The page's styles are of nobody.
    return said.replace(/<style>[^<]*<\/style>/, '');
  }

  test('is hidden unless the event shows names', async () => {
    const { board } = await openBoard();
    const said = await everyAnswer(board);
    for (const secret of [...NEVER, 'Ana', 'Bruno', 'Ñandú', 'Elena', 'Sola']) {
      expect(said).not.toContain(secret);
    }
  });

  test('is the first given name and the initial of the surname', async () => {
    const { board } = await openBoard({ board_names: 'initials' });
    const said = await everyAnswer(board);
    for (const secret of [...NEVER, 'Sola']) expect(said).not.toContain(secret);
    const { races } = await snapshotOf(board);
    const leaders = races.flatMap((race) => race.leaders);
    const names = Object.fromEntries(leaders.map(({ bib_number, name }) => [bib_number, name]));
    expect(names).toEqual({ 1: 'Ana E.', 2: 'Bruno M.', 3: 'Ñandú Ñ.', 4: null });
  });

  const BLANKS = [
    '\u2800',
    '\u3164',
    '\t',
    '\n',
    '\u0085',
    '\u00a0',
    '\u2003',
    '\u200b',
    '\u202f',
    '\u3000',
    '\ufeff',
  ];

  test.each(BLANKS)('is cut at every blank (%j)', async (blank) => {
    const race = await createRace();
    await createRegistrations(race.eventId, [
      {
        bib_number: '1',
        given_names: `${blank}Ana${blank}Secreto`,
        surnames: `${blank}oculta${blank}x`,
      },
      { bib_number: '2', given_names: blank, surnames: `${blank}${blank}` },
    ]);
    await configureEvent(race.eventId, { board_enabled: true, board_names: 'initials' });
    await upload(race, [
      { bib_number: '1', chip_time: '50:00' },
      { bib_number: '2', chip_time: '51:00' },
    ]);
    const { leaders } = await raceOf(`/board/${race.eventId}`, '');
    expect(leaders.map(({ name }) => name)).toEqual(['Ana O.', null]);
  });

  test('is cut at every character that Unicode calls blank or invisible, and at no other', async () => {
    const isInvisible =
      /[\p{White_Space}\p{Cc}\u{2800}\u{1d159}]|(?!\p{M}|\u200c|\u200d)\p{Default_Ignorable_Code_Point}/u;
    const invisible: string[] = [];
    for (let code = 1; code <= 0x10ffff; code++) {
      const character = String.fromCodePoint(code);
      const isSurrogate = code >= 0xd800 && code <= 0xdfff;
      if (!isSurrogate && isInvisible.test(character)) invisible.push(character);
    }
    expect(invisible.length).toBeGreaterThan(3_500);
    const names = invisible.map((character) => `Ana${character}Perez`);
    const joined = [
      'Ana\u200dPerez',
      'Ana\u200cPerez',
      'Ana\ufe0fPerez',
      "Ana-Lucía'Ñ",
      '葛\u{e0100}',
    ];
    const { rows } = await db.execute<{ name: string; word: string }>(sql`
      select name, ${firstWord(sql`name`)} as word
      from jsonb_array_elements_text(${JSON.stringify([...names, ...joined])}::jsonb) as given (name)`);
    expect(rows.filter(({ word }) => word !== 'Ana').map(({ word }) => word)).toEqual(joined);
  });

  test('is cut before a long one is read', async () => {
    const { rows } = await db.execute<{ word: string }>(
      sql`select ${firstWord(sql`repeat('a', 100000)`)} as word`,
    );
    expect(rows[0]?.word).toHaveLength(100);
  });

  test('is hidden for a runner without a result', async () => {
    const { board } = await openBoard({ board_names: 'initials' });
    expect(await (await request(`${board}/bibs/6`)).json()).toMatchObject({ name: null });
    expect(JSON.stringify(await snapshotOf(board))).not.toContain('60+');
  });
});
