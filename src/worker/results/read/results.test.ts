import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../../testing/assertions.ts';
import {
  createEvent,
  createRace,
  createRegistrations,
  db,
  type RegistrationSeed,
} from '../../../testing/factories.ts';
import { startApp, withKey } from '../../../testing/harness.ts';
import { uploadRows } from '../../../testing/uploads.ts';
import { registrations, results } from '../../db/schema.ts';
import { Result } from './answer-schemas.ts';

type Page = {
  data: Result[];
  meta: { page: number; page_size: number; total: number; total_pages: number };
};

const { request, logged } = startApp();

async function createRaceOf(seeds: RegistrationSeed[], rows: Record<string, unknown>[] = []) {
  const race = await createRace();
  const ids = await createRegistrations(race.eventId, seeds);
  if (rows.length > 0) await uploadRows(race, rows);
  const ask = (rest = '') => request(`${race.path}/results${rest}`, { headers: withKey(race.key) });
  const list = async (query = '') => {
    const response = await ask(query);
    expect(response.status).toBe(200);
    return response.json<Page>();
  };
  return { ...race, ids, ask, list };
}

const bibsOf = ({ data }: Page) => data.map(({ bib_number }) => bib_number);
const finished = (bib_number: string, chip_time: string) => ({ bib_number, chip_time });

/** Four finishers, two with equal times, and a runner of each status without a finish. */
const smallRace = () =>
  createRaceOf(
    [
      { bib_number: '1', gender: 'F', category: 'Senior', distance: '10K' },
      { bib_number: '2', gender: 'M', category: 'Senior', distance: '21K' },
      { bib_number: '3', gender: 'F', category: 'Veteran', distance: '21K' },
      { bib_number: '4', gender: 'M', category: 'Veteran', distance: '10K' },
      { bib_number: '5', gender: 'F' },
      { bib_number: '6', distance: '10K' },
      { bib_number: '7', category: 'Senior' },
    ],
    [
      finished('3', '00:41:00'),
      finished('2', '00:42:00'),
      finished('1', '00:42:00'),
      finished('4', '01:42:00'),
      { bib_number: '7', status: 'DNS' },
      { bib_number: '6', status: 'DSQ' },
      { bib_number: '5', status: 'DNF' },
    ],
  );

describe('a result', () => {
  const FILLED_IN = {
    given_names: 'Ana María',
    surnames: 'Ejemplo',
    document: '12345678',
    email: 'ana@example.test',
    mobile_phone: '+00 000 111',
    chip: 'TX-9001',
    bib_number: '0042',
    gender: 'F',
    category: 'F40',
    distance: '21K',
  } satisfies RegistrationSeed;

  test('has exactly these fields and no personal data', async () => {
    const before = Date.now();
    const { ask, list } = await createRaceOf(
      [FILLED_IN],
      [
        {
          bib_number: '0042',
          chip_time: '1:41:02.5',
          gun_time: '01:42:00',
          splits: { 'Km 10': '48:00', ['__proto__']: '49:00' },
        },
      ],
    );
    const result = {
      inscription_id: expect.stringMatching(/^[\da-f-]{36}$/),
      bib_number: '0042',
      status: 'FINISHED',
      chip_time: '01:41:02.500',
      gun_time: '01:42:00.000',
      splits: JSON.parse('{"Km 10": "00:48:00.000", "__proto__": "00:49:00.000"}'),
      gender: 'F',
      category: 'F40',
      distance: '21K',
      position_overall: 1,
      position_gender: 1,
      position_category: 1,
      position_distance: 1,
      position_distance_gender: 1,
      position_distance_category: 1,
      rank_by: 'chip',
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    };
    const page = await list();
    expect(page).toEqual({
      data: [result],
      meta: { page: 1, page_size: 20, total: 1, total_pages: 1 },
    });
    const alone: Result = await (await ask('/0042')).json();
    expect(alone).toEqual(result);
    expect(Math.abs(Date.parse(alone.updated_at) - before)).toBeLessThan(60_000);
    for (const item of [...page.data, alone]) Result.strict().parse(item);
  });

  test('has neither times nor positions unless the runner finished', async () => {
    const { ask } = await smallRace();
    expect(await (await ask('/5')).json()).toMatchObject({
      status: 'DNF',
      chip_time: null,
      gun_time: null,
      splits: {},
      gender: 'F',
      category: null,
      position_overall: null,
      position_gender: null,
      position_category: null,
      position_distance: null,
      position_distance_gender: null,
      position_distance_category: null,
    });
  });

  test('ranks by gun time without a chip time', async () => {
    const { list } = await createRaceOf(
      [{ bib_number: '1' }, { bib_number: '2' }],
      [finished('1', '50:00'), { bib_number: '2', gun_time: '49:00' }],
    );
    expect((await list()).data).toMatchObject([
      { bib_number: '2', chip_time: null, gun_time: '00:49:00.000', position_overall: 1 },
      { bib_number: '1', chip_time: '00:50:00.000', gun_time: null, position_overall: 2 },
    ]);
  });
});

describe('listEventResults', () => {
  test('lists finishers by position, then DNF, DSQ and DNS; equal times share a position', async () => {
    const { list } = await smallRace();
    const { data, meta } = await list();
    const positions = data.map((result) => [
      result.bib_number,
      result.position_overall,
      result.position_gender,
      result.position_category,
      result.position_distance,
      result.position_distance_gender,
      result.position_distance_category,
    ]);
    expect(positions).toEqual([
      ['3', 1, 1, 1, 1, 1, 1],
      ['1', 2, 2, 1, 1, 1, 1],
      ['2', 2, 1, 1, 2, 1, 1],
      ['4', 4, 2, 2, 2, 1, 1],
      ['5', null, null, null, null, null, null],
      ['6', null, null, null, null, null, null],
      ['7', null, null, null, null, null, null],
    ]);
    expect(meta.total).toBe(7);
  });

  test('sorts ties by bib, shorter bibs first and missing bibs last', async () => {
    const bibs = ['10', '9', 'A1', '100', 'B'];
    const time = '00:50:00';
    const { list, eventId, ids } = await createRaceOf(
      [...bibs, 'x', 'y'].map((bib_number) => ({ bib_number })),
      [...bibs, 'x', 'y'].map((bib_number) => finished(bib_number, time)),
    );
    await db
      .update(registrations)
      .set({ bib_number: null })
      .where(eq(registrations.id, ids[5] ?? ''));
    await db
      .update(registrations)
      .set({ bib_number: null })
      .where(eq(registrations.id, ids[6] ?? ''));
    expect(bibsOf(await list())).toEqual(['9', 'B', '10', 'A1', '100', null, null]);
    await db
      .update(results)
      .set({ status: 'DNS', chip_time_ms: null })
      .where(eq(results.event_id, eventId));
    expect(bibsOf(await list())).toEqual(['9', 'B', '10', 'A1', '100', null, null]);
  });

  test.each([
    ['gender=F', ['3', '1', '5']],
    ['category=Senior', ['1', '2', '7']],
    ['distance=10K', ['1', '4', '6']],
    ['status=FINISHED', ['3', '1', '2', '4']],
    ['status=dsq', ['6']],
    ['status=%20Dns%20', ['7']],
    ['bib=2', ['2']],
    ['bib=%202+', ['2']],
    ['gender=F&distance=21K', ['3']],
    ['gender=F&distance=21K&bib=3&category=Veteran&status=finished', ['3']],
    ['bib=3&gender=M', []],
    ['bib=3&status=DNF', []],
    ['gender=f', []],
    ['gender=X', []],
    ['category=Sen', []],
    ['bib=33', []],
    ['category=%20&gender=&distance=%09&status=+&bib=', ['3', '1', '2', '4', '5', '6', '7']],
    ['organization_id=x', ['3', '1', '2', '4', '5', '6', '7']],
  ])('filters by %s to the bibs %j', async (query, bibs) => {
    const { list } = await smallRace();
    const page = await list(`?${query}`);
    expect(bibsOf(page)).toEqual(bibs);
    expect(page.meta.total).toBe(bibs.length);
  });

  test('shows the same positions under every filter', async () => {
    const { list } = await smallRace();
    expect((await list('?gender=M')).data).toMatchObject([
      { bib_number: '2', position_overall: 2, position_gender: 1, position_distance: 2 },
      { bib_number: '4', position_overall: 4, position_gender: 2, position_distance: 2 },
    ]);
    expect((await list('?distance=10K&gender=M')).data).toMatchObject([
      { bib_number: '4', position_overall: 4, position_distance: 2 },
    ]);
  });

  test('shows each result on exactly one page, also equal times', async () => {
    const bibs = Array.from({ length: 23 }, (_, index) => `${index + 1}`);
    const { list } = await createRaceOf(
      bibs.map((bib_number) => ({ bib_number })),
      bibs.map((bib) =>
        Number(bib) > 20 ? { bib_number: bib, status: 'DNS' } : finished(bib, '50:00'),
      ),
    );
    const seen: (string | null)[] = [];
    for (const page of [1, 2, 3, 4, 5, 6]) {
      const answer = await list(`?page=${page}&page_size=5`);
      expect(answer.meta).toEqual({ page, page_size: 5, total: 23, total_pages: 5 });
      seen.push(...bibsOf(answer));
    }
    expect(seen).toEqual(bibs);
    expect((await list('?page=999999999999')).data).toEqual([]);
  });

  test('counts unlisted runners between the rows of a filtered page', async () => {
    const runners = Array.from({ length: 60 }, (_, minute) => ({
      bib_number: `${minute}`,
      category: minute % 20 === 7 ? 'Rare' : 'Common',
    }));
    const { list } = await createRaceOf(
      runners,
      runners.map(({ bib_number }) => finished(bib_number, `01:${bib_number.padStart(2, '0')}:30`)),
    );
    expect((await list('?category=Rare')).data).toMatchObject([
      { bib_number: '7', position_overall: 8, position_category: 1 },
      { bib_number: '27', position_overall: 28, position_category: 2 },
      { bib_number: '47', position_overall: 48, position_category: 3 },
    ]);
  });

  test('answers an empty list for an event without results', async () => {
    const { list } = await createRaceOf([{ bib_number: '1' }]);
    expect(await list()).toEqual({
      data: [],
      meta: { page: 1, page_size: 20, total: 0, total_pages: 0 },
    });
  });

  test('shows one event only', async () => {
    const { organizationId, list, key } = await smallRace();
    const eventId = await createEvent(organizationId);
    await createRegistrations(eventId, [{ bib_number: '1' }]);
    await uploadRows({ eventId, organizationId, key, path: `/public/v1/events/${eventId}` }, [
      finished('1', '00:01'),
    ]);
    expect((await list()).data[0]).toMatchObject({ bib_number: '3', position_overall: 1 });
  });

  test.each([
    ['status', 'status=GONE'],
    ['status', 'status=FINISHED,DNF'],
    ['status', 'status=DNF&status=DNS'],
    ['gender', 'gender=F&gender=M'],
    ['category', 'category=A%00'],
    ['distance', 'distance=1&distance=1'],
    ['bib', 'bib=%00'],
    ['page', 'page=0'],
    ['page', 'page=x'],
    ['page_size', 'page_size=101'],
  ])('refuses an invalid %s (%s)', async (name, query) => {
    const { ask } = await smallRace();
    const detail = await expectError(await ask(`?${query}`), 400, 'VALIDATION_ERROR');
    expect(detail).toMatch(new RegExp(`^${name}: expected `));
  });

  test('takes one trip and logs the rows it read', async () => {
    const { ask } = await smallRace();
    logged.length = 0;
    await ask('?page_size=3');
    await ask('/3');
    expect(logged).toMatchObject([
      { trips: 1, rows: 3 },
      { trips: 1, rows: 1 },
    ]);
  });
});

describe('getEventResult', () => {
  test('shows the position within the distance', async () => {
    const { ask } = await smallRace();
    expect(await (await ask('/4')).json()).toMatchObject({
      position_overall: 4,
      position_gender: 2,
      position_category: 2,
      position_distance: 2,
    });
  });

  test.each(['%202%20', '2', '%32'])('finds a bib written as %s', async (bib) => {
    const { ask } = await smallRace();
    expect(await (await ask(`/${bib}`)).json()).toMatchObject({ bib_number: '2' });
  });

  test.each(['A/7 ñ', '100%', '?x'])('finds the bib %s', async (bib) => {
    const { ask } = await createRaceOf([{ bib_number: bib }], [finished(bib, '50:00')]);
    expect(await (await ask(`/${encodeURIComponent(bib)}`)).json()).toMatchObject({
      bib_number: bib,
    });
  });

  test.each(['8', '9', '02', '%20', '%00', '2%00', '%', 'file', "'"])(
    'answers 404 for a bib without a result (%s)',
    async (bib) => {
      const { ask, eventId } = await smallRace();
      await createRegistrations(eventId, [{ bib_number: '8' }]);
      const response = await ask(`/${bib}`);
      await expectError(response, 404, 'NOT_FOUND');
      expect(response.headers.get('ETag')).toBeNull();
      expect(response.headers.get('Cache-Control')).toBe('private, no-store');
    },
  );
});
