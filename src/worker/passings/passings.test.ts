import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import { createEvent, createRace, createRegistrations, db } from '../../testing/factories.ts';
import { request, withKey } from '../../testing/harness.ts';
import { postJson, type Race, storedResults, uploadRows } from '../../testing/uploads.ts';
import { passings, passingUploads, registrations } from '../db/schema.ts';
import { ROWS_PER_JSON_UPLOAD } from '../results/upload/schemas.ts';
import { type Passing, PassingsUploadOut } from './answer-schemas.ts';
import { POINTS_MAX } from './schemas.ts';

type Row = { bib_number?: unknown; point?: unknown; time?: unknown };

const row = (bib_number: unknown, point: unknown, time: unknown): Row => ({
  bib_number,
  point,
  time,
});

const post = (race: Race, rows: readonly unknown[], headers: Record<string, string> = {}) =>
  postJson(race, JSON.stringify({ passings: rows }), { to: '/passings', headers });

/** Uploads passings. @returns the answer, whose counts add up */
async function pass(race: Race, ...rows: readonly unknown[]) {
  const response = await post(race, rows);
  const text = await response.text();
  expect([response.status, text]).toEqual([200, expect.any(String)]);
  const out = PassingsUploadOut.strict().parse(JSON.parse(text));
  const { uploaded, updated, not_found, errors, duplicates, total_processed } = out;
  expect(uploaded + updated + not_found + errors + duplicates).toBe(total_processed);
  expect(out.failed).toHaveLength(not_found + errors);
  return out;
}

/** The stored passings of an event: `bib point` → milliseconds. */
async function stored(eventId: string): Promise<Record<string, number>> {
  const rows = await db
    .select({ bib: registrations.bib_number, point: passings.point, ms: passings.time_ms })
    .from(passings)
    .innerJoin(registrations, eq(registrations.id, passings.registration_id))
    .where(eq(passings.event_id, eventId));
  return Object.fromEntries(rows.map(({ bib, point, ms }) => [`${bib} ${point}`, ms]));
}

const ask = (race: Race, query = '', headers: Record<string, string> = {}) =>
  request(`${race.path}/passings${query}`, { headers: { ...withKey(race.key), ...headers } });

type List = { data: Passing[]; meta: { total: number } };

async function list(race: Race, query = ''): Promise<List> {
  const response = await ask(race, query);
  expect(response.status).toBe(200);
  return response.json<List>();
}

describe('an upload of passings', () => {
  it('stores the good rows and tells of each other one, in row order and with its echo', async () => {
    const race = await createRace({ bibs: ['1', '2', '3'] });
    await pass(race, row('2', 'Km 10', '41:00'), row('3', 'Km 10', '43:00'));
    const out = await pass(
      race,
      row('9', 'Km 10', '40:00'),
      row('1', 'Km 10', '40:00.5'),
      row('2', 'Km 10', '0:41:30'),
      row('3', 'Km 10', '43:00'),
      row('1', ' Km 10 ', '00:40:01'),
      row('1', 'Km 15', '01:02:00'),
      row('1', 'Km 20', 'late'),
    );
    expect(out).toEqual({
      upload_id: expect.any(String),
      total_processed: 7,
      uploaded: 2,
      updated: 2,
      unchanged: 1,
      not_found: 1,
      errors: 1,
      duplicates: 1,
      left: [],
      failed: [
        {
          row: 1,
          bib_number: '9',
          reason: expect.stringContaining('"9"'),
          reason_code: 'unknown_bib',
          item: row('9', 'Km 10', '40:00'),
        },
        {
          row: 7,
          bib_number: '1',
          reason: expect.stringContaining('"late"'),
          reason_code: 'invalid_time',
          item: row('1', 'Km 20', 'late'),
        },
      ],
    });
    expect(await stored(race.eventId)).toEqual({
      '1 Km 10': 2_401_000,
      '1 Km 15': 3_720_000,
      '2 Km 10': 2_490_000,
      '3 Km 10': 2_580_000,
    });
  });

  it.each<[string, unknown, RegExp]>([
    ['missing_bib', { point: 'Km 10', time: '41:00' }, /bib_number: expected a string/],
    ['missing_bib', row(' ', 'Km 10', '41:00'), /bib number is missing/],
    ['invalid_bib', row('7\0', 'Km 10', '41:00'), /NUL/],
    ['missing_point', { bib_number: '7', time: '41:00' }, /point: expected a string/],
    ['missing_point', row('7', ' ', '41:00'), /name of the point is missing/],
    ['invalid_point', row('7', 'x'.repeat(101), '41:00'), /at most 100 characters/],
    ['invalid_point', row('7', '🏃'.repeat(101), '41:00'), /at most 100 characters/],
    ['invalid_point', row('7', 'Km\ud83c', '41:00'), /found U\+D83C/],
    [
      'invalid_point',
      row('7', 'Km\u202e10', '41:00'),
      /found U\+202E, expected a text of one line/,
    ],
    ['invalid_point', row('7', 'Km\n10', '41:00'), /found U\+000A/],
    ['invalid_row', row('7', 10, '41:00'), /point: expected a string/],
    ['missing_time', { bib_number: '7', point: 'Km 10' }, /time: expected a string/],
    ['missing_time', row('7', 'Km 10', ''), /time is missing/],
    ['missing_time', row('7', 'Km 10', '00:00:00'), /time is zero/],
    ['invalid_time', row('7', 'Km 10', '41'), /"41" is not a time: expected HH:MM:SS/],
    ['invalid_time', row('7', 'Km 10', 'DNF'), /"DNF" is not a time/],
    ['invalid_row', row('7', 'Km 10', 2_460), /time: expected a string/],
    ['invalid_row', 'Km 10', /expected an object/],
    ['invalid_row', null, /expected an object/],
  ])('fails a row alone: %s %j', async (code, sent, reason) => {
    const race = await createRace({ bibs: ['7', '8'] });
    const out = await pass(race, sent, row('8', 'Km 10', '41:00'));
    expect(out.failed).toMatchObject([
      { row: 1, reason_code: code, reason: expect.stringMatching(reason) },
    ]);
    expect(await stored(race.eventId)).toEqual({ '8 Km 10': 2_460_000 });
  });

  it('accepts a bib as an integer, and a point of 100 characters', async () => {
    const race = await createRace({ bibs: ['7'] });
    const point = '🏃'.repeat(100);
    expect(await pass(race, row(7, point, '41:00'))).toMatchObject({ uploaded: 1, failed: [] });
    expect(await stored(race.eventId)).toEqual({ [`7 ${point}`]: 2_460_000 });
  });

  it('has one point, whatever its blanks and accents', async () => {
    const race = await createRace({ bibs: ['7'] });
    const names = ['Peña 10', 'Peña\u00a010', 'Peña  10', '\u200bPeña\u200b 10', 'Pen\u0303a 10'];
    const out = await pass(race, ...names.map((name) => row('7', name, '41:00')));
    expect(out).toMatchObject({ uploaded: 1, duplicates: 4 });
    expect(await pass(race, row('7', names[1], '41:00'))).toMatchObject({ unchanged: 1 });
    expect(await stored(race.eventId)).toEqual({ '7 Peña 10': 2_460_000 });
    for (const name of names) {
      const query = `?point=${encodeURIComponent(name)}`;
      expect((await list(race, query)).meta.total).toBe(1);
    }
    const refused = await ask(race, `?point=${encodeURIComponent('Peña\u200e 10')}`);
    expect(await expectError(refused, 400, 'VALIDATION_ERROR')).toContain('point: found U+200E, ');
    const removed = await request(`${race.path}/passings?point=Pen%CC%83a%C2%A010`, {
      method: 'DELETE',
      headers: withKey(race.key),
    });
    expect(await removed.json()).toMatchObject({ point: 'Peña 10', dry_run: false, removed: 1 });
  });

  it('keeps the name that the event has for a point, whatever its case', async () => {
    const race = await createRace({ bibs: ['7', '8'] });
    const both = await pass(race, row('7', 'Km 10', '41:00'), row('7', 'KM 10', '42:00'));
    expect(both).toMatchObject({ uploaded: 1, duplicates: 1 });
    expect(await pass(race, row('7', 'km 10', '42:00'))).toMatchObject({ unchanged: 1 });
    await pass(race, row('8', 'kM  10', '43:00'), row('8', 'Km 15', '1:01:00'));
    expect(await stored(race.eventId)).toEqual({
      '7 Km 10': 2_520_000,
      '8 Km 10': 2_580_000,
      '8 Km 15': 3_660_000,
    });
    for (const query of ['?point=KM%2010', '?point=KM%2010&bib=8', '?point=KM%2010&distance=']) {
      const { data } = await list(race, query);
      expect(new Set(data.map(({ point }) => point))).toEqual(new Set(['Km 10']));
    }
    const exported = await request(`${race.path}/passings/export?point=KM%2010`, {
      headers: { ...withKey(race.key), Accept: 'application/x-ndjson' },
    });
    expect((await exported.text()).trim().split('\n')).toHaveLength(2);
    const remove = (query: string) =>
      request(`${race.path}/passings?point=KM%2010${query}`, {
        method: 'DELETE',
        headers: withKey(race.key),
      });
    expect(await (await remove('&dry_run=true')).json()).toMatchObject({ removed: 2 });
    expect(await (await remove('')).json()).toMatchObject({ removed: 2 });
    expect(await stored(race.eventId)).toEqual({ '8 Km 15': 3_660_000 });
  });

  it('finds a point under the name that an older version stored', async () => {
    const race = await createRace({ bibs: ['7'] });
    await pass(race, row('7', 'Start', '00:10'));
    await db
      .update(passings)
      .set({ point: 'Pen\u0303a\u00a0\u200b10' })
      .where(eq(passings.event_id, race.eventId));
    expect((await list(race, '?point=Pe%C3%B1a%2010')).meta.total).toBe(1);
    const again = await pass(race, row('7', 'Peña 10', '00:10'));
    expect(again).toMatchObject({ uploaded: 0, unchanged: 1 });
  });

  it('stores two points whose names are one to the database alone', async () => {
    const race = await createRace({ bibs: ['7'] });
    await pass(race, row('7', 'οσ', '10:00'));
    // To the reader, a sigma at the end of a word has another small letter.
    const out = await pass(race, row('7', 'ΟΣ', '30:00'), row('7', 'οσ', '31:00'));
    expect(out).toMatchObject({ uploaded: 1, updated: 1 });
    expect(await stored(race.eventId)).toEqual({ '7 ΟΣ': 1_800_000, '7 οσ': 1_860_000 });
  });

  it('takes the last valid row of a bib and a point', async () => {
    const race = await createRace({ bibs: ['7'] });
    const out = await pass(
      race,
      row('7', 'Km 10', '41:00'),
      row('7', 'Km 10', '42:00'),
      row('7', 'Km 10', 'x'),
    );
    expect(out).toMatchObject({ uploaded: 1, duplicates: 1, errors: 1 });
    expect(await stored(race.eventId)).toEqual({ '7 Km 10': 2_520_000 });
  });

  it.each([
    ['no list', '{}', /passings: expected an array/],
    ['results', '{"results":[]}', /passings: expected an array/],
    ['no object', '[]', /expected an object with the array "passings"/],
    ['no JSON', '{', /not JSON/],
    [
      'a row too many',
      JSON.stringify({ passings: Array(ROWS_PER_JSON_UPLOAD + 1).fill(0) }),
      new RegExp(`expected at most ${ROWS_PER_JSON_UPLOAD} rows`),
    ],
  ])('answers 400 to %s', async (_, body, detail) => {
    const race = await createRace({ bibs: ['7'] });
    const response = await postJson(race, body, { to: '/passings' });
    expect(await expectError(response, 400, 'VALIDATION_ERROR')).toMatch(detail);
  });

  it('accepts an upload without rows', async () => {
    expect(await pass(await createRace())).toMatchObject({ total_processed: 0, failed: [] });
  });

  it('writes no row again that is stored already', async () => {
    const race = await createRace({ bibs: ['1', '2'] });
    await pass(race, row('1', 'Km 10', '41:00'), row('2', 'Km 10', '42:00'));
    const writtenAt = () =>
      db
        .select({ at: passings.received_at, ms: passings.time_ms })
        .from(passings)
        .where(eq(passings.event_id, race.eventId))
        .orderBy(passings.time_ms);
    const [first, second] = await writtenAt();
    await pass(race, row('1', 'Km 10', '41:00'), row('2', 'Km 10', '43:00'));
    const [firstNow, secondNow] = await writtenAt();
    expect(firstNow).toEqual(first);
    expect(secondNow?.at.getTime()).toBeGreaterThan(second?.at.getTime() ?? 0);
  });

  it('refuses the upload whose points would be too many, and writes nothing of it', async () => {
    const race = await createRace({ bibs: ['7'] });
    const at = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => row('7', `Lap ${from + index}`, '41:00'));
    await expectError(await post(race, at(0, POINTS_MAX + 1)), 400, 'VALIDATION_ERROR');
    expect(await pass(race, ...at(0, POINTS_MAX - 1))).toMatchObject({ uploaded: POINTS_MAX - 1 });
    const refused = await post(race, at(POINTS_MAX - 2, 3));
    expect(await expectError(refused, 400, 'VALIDATION_ERROR')).toMatch(/more than 1000 points/);
    expect(Object.keys(await stored(race.eventId))).toHaveLength(POINTS_MAX - 1);
    expect(await pass(race, ...at(POINTS_MAX - 2, 2))).toMatchObject({ uploaded: 1, updated: 1 });
  });

  it('never touches the rows of another point, or of another event', async () => {
    const [race, otherRace] = [
      await createRace({ bibs: ['7'] }),
      await createRace({ bibs: ['7'] }),
    ] as const;
    await pass(otherRace, row('7', 'Km 10', '50:00'));
    await Promise.all([
      pass(race, row('7', 'Km 10', '41:00')),
      pass(race, row('7', 'Km 15', '62:00')),
      pass(race, row('7', 'Km 20', '1:23:00')),
    ]);
    expect(await stored(race.eventId)).toEqual({
      '7 Km 10': 2_460_000,
      '7 Km 15': 3_720_000,
      '7 Km 20': 4_980_000,
    });
    expect(await stored(otherRace.eventId)).toEqual({ '7 Km 10': 3_000_000 });
  });
});

describe('an upload of passings with an idempotency key', () => {
  const key = { 'Idempotency-Key': 'km-10-17' };

  it('is answered like the first one, and does not replace what came between', async () => {
    const race = await createRace({ bibs: ['1', '2'] });
    const rows = [row('1', 'Km 10', '41:00'), row('9', 'Km 10', '41:00'), row('2', 'x', 'y')];
    const answered = await post(race, rows, key);
    expect(answered.headers.get('Idempotency-Replayed')).toBeNull();
    const first = await answered.json();
    await pass(race, row('1', 'Km 10', '41:30'));
    const again = await post(race, rows, key);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(await again.json()).toEqual(first);
    expect(first).toMatchObject({ uploaded: 1, not_found: 1, errors: 1 });
    expect(await stored(race.eventId)).toEqual({ '1 Km 10': 2_490_000 });
  });

  it('is 400 with other content, and stores nothing', async () => {
    const race = await createRace({ bibs: ['1'] });
    await post(race, [row('1', 'Km 10', '41:00')], key);
    const other = await post(race, [row('1', 'Km 10', '42:00')], key);
    expect(await expectError(other, 400, 'VALIDATION_ERROR')).toMatch(/Idempotency-Key/);
    expect(await stored(race.eventId)).toEqual({ '1 Km 10': 2_460_000 });
  });

  it('is stored once if it comes several times at once', async () => {
    const race = await createRace({ bibs: ['1'] });
    const rows = [row('1', 'Km 10', '41:00')];
    const answers = await Promise.all([1, 2, 3].map(() => post(race, rows, key)));
    const bodies = await Promise.all(answers.map((answer) => answer.json()));
    for (const body of bodies) expect(body).toMatchObject({ uploaded: 1, updated: 0 });
    const recorded = db
      .select()
      .from(passingUploads)
      .where(eq(passingUploads.event_id, race.eventId));
    expect(await recorded).toHaveLength(1);
  });
});

describe('the list of passings', () => {
  /** Four runners of two distances. */
  async function createCourse() {
    const race = await createRace();
    await createRegistrations(race.eventId, [
      { bib_number: '1', gender: 'F', category: 'Open', distance: '21K' },
      { bib_number: '2', gender: 'M', category: 'Open', distance: '21K' },
      { bib_number: '3', gender: 'F', category: null, distance: '10K' },
      { bib_number: '4', gender: null, category: 'Open', distance: '21K' },
    ]);
    await pass(
      race,
      row('1', 'Km 5', '20:00'),
      row('2', 'Km 5', '19:00'),
      row('3', 'Km 5', '19:00'),
      row('4', 'Km 5', '22:00'),
      row('1', 'Km 10', '41:00'),
      row('2', 'Km 10', '42:00'),
    );
    return race;
  }

  it('is in the order of time, with the positions at each point', async () => {
    const race = await createCourse();
    const { data, meta } = await list(race, '?point=Km%205');
    expect(meta.total).toBe(4);
    const shown = data.map((item) => [
      ...[item.time, item.position_overall, item.position_gender, item.position_category],
      ...[item.position_distance, item.position_distance_gender, item.position_distance_category],
    ]);
    const ofBib = (bib: string) => shown[data.findIndex(({ bib_number }) => bib_number === bib)];
    expect(data.map(({ time }) => time)).toEqual([
      '00:19:00.000',
      '00:19:00.000',
      '00:20:00.000',
      '00:22:00.000',
    ]);
    expect(ofBib('1')).toEqual(['00:20:00.000', 3, 2, 2, 2, 1, 1]);
    expect(ofBib('2')).toEqual(['00:19:00.000', 1, 1, 1, 1, 1, 1]);
    expect(ofBib('3')).toEqual(['00:19:00.000', 1, 1, null, 1, 1, null]);
    expect(ofBib('4')).toEqual(['00:22:00.000', 4, null, 3, 3, null, 1]);
    expect(data[2]).toEqual({
      inscription_id: expect.any(String),
      bib_number: '1',
      point: 'Km 5',
      time: '00:20:00.000',
      gender: 'F',
      category: 'Open',
      distance: '21K',
      position_overall: 3,
      position_gender: 2,
      position_category: 2,
      position_distance: 2,
      position_distance_gender: 1,
      position_distance_category: 1,
      received_at: expect.stringMatching(/Z$/),
      upload_id: expect.any(String),
      key_name: 'Timing crew',
      sender: null,
    });
  });

  it('says the same positions whatever the filter and the page', async () => {
    const race = await createCourse();
    const all = (await list(race)).data;
    expect(all).toHaveLength(6);
    const filters = ['bib=1', 'distance=21K', 'gender=F', 'category=Open', 'point=Km%2010'];
    for (const filter of [...filters, 'gender=F&distance=21K&point=Km%205', 'bib=1&distance=10K']) {
      const { data, meta } = await list(race, `?${filter}`);
      const wanted = Object.fromEntries(new URLSearchParams(filter));
      const expected = all.filter((item) =>
        Object.entries(wanted).every(
          ([name, value]) => ({ ...item, bib: item.bib_number })[name] === value,
        ),
      );
      expect([filter, data]).toEqual([filter, expected]);
      expect(meta.total).toBe(expected.length);
    }
    for (const size of [1, 2]) {
      const pages = await Promise.all(
        [1, 2, 3, 4, 5, 6].map((page) => list(race, `?page_size=${size}&page=${page}`)),
      );
      expect(pages.flatMap(({ data }) => data)).toEqual(all);
    }
  });

  it('gives a runner who did not start no position, and counts no such runner', async () => {
    const race = await createCourse();
    await uploadRows(race, [{ bib_number: '2', status: 'DNS' }]);
    const placesOf = async (query: string) =>
      (await list(race, query)).data.map((item) => [
        ...[item.bib_number, item.position_overall, item.position_distance],
      ]);
    const positions = [
      ['3', 1, 1],
      ['2', null, null],
      ['1', 2, 1],
      ['4', 3, 2],
    ];
    const byBib = (rows: unknown[][]) => rows.toSorted((a, b) => Number(a[0]) - Number(b[0]));
    expect(byBib(await placesOf('?point=Km%205'))).toEqual(byBib(positions));
    expect(await placesOf('?point=Km%205&page_size=1&page=4')).toEqual([['4', 3, 2]]);
    expect(await placesOf('?point=Km%205&gender=F&distance=21K')).toEqual([['1', 2, 1]]);
  });

  it('is exported whole, with the same positions', async () => {
    const race = await createCourse();
    await uploadRows(race, [{ bib_number: '2', status: 'DNS' }]);
    const lines = async (query: string) => {
      const response = await ask(race, `/export${query}`, { Accept: 'application/x-ndjson' });
      return (await response.text())
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    };
    for (const query of ['', '?point=Km%205', '?bib=1', '?gender=F&distance=21K']) {
      const { data } = await list(race, query);
      const exported = (await lines(query)).map(({ time_ms, ...item }) => {
        expect(time_ms).toBeGreaterThan(0);
        return item;
      });
      // The list of uploads has the texts about an upload.
      const listed = data.map(({ key_name, sender, ...item }) => item);
      expect([query, exported]).toEqual([query, listed]);
    }
    const csv = await (await ask(race, '/export?point=Km%2010')).text();
    expect(csv.split('\r\n')[0]).toMatch(/^inscription_id,bib_number,point,time,.*,time_ms$/);
    expect(csv.split('\r\n')).toHaveLength(4);
  });

  it('answers 304 until it changes', async () => {
    const race = await createCourse();
    for (const [at, path] of ['?point=Km%205', '/points', '/export'].entries()) {
      const tag = (await ask(race, path)).headers.get('ETag') ?? '';
      const known = { 'If-None-Match': tag };
      expect([path, (await ask(race, path, known)).status]).toEqual([path, 304]);
      await pass(race, row('3', 'Km 5', `25:0${at}`));
      await pass(race, row('4', `At ${at}`, '33:00'));
      expect([path, (await ask(race, path, known)).status]).toEqual([path, 200]);
    }
  });

  it('names the points with their counts in the order of the course', async () => {
    const race = await createCourse();
    await pass(race, row('4', 'Half way', '30:00'));
    const response = await ask(race, '/points');
    expect(await response.json()).toEqual({
      data: [
        { point: 'Km 5', total: 4, fastest_time: '00:19:00.000' },
        { point: 'Half way', total: 1, fastest_time: '00:30:00.000' },
        { point: 'Km 10', total: 2, fastest_time: '00:41:00.000' },
      ],
      meta: { page: 1, page_size: 20, total: 3, total_pages: 1 },
    });
  });
});

describe('taking a point back', () => {
  const remove = (race: Race, query: string, key = race.key) =>
    request(`${race.path}/passings${query}`, { method: 'DELETE', headers: withKey(key) });

  it('deletes the passings of this point alone', async () => {
    const race = await createRace({ bibs: ['1', '2'] });
    const otherRace = await createRace({ bibs: ['1'] });
    await pass(race, row('1', 'Km 10', '41:00'), row('2', 'Km 10', '42:00'));
    await pass(race, row('1', 'Km 15', '62:00'));
    await pass(otherRace, row('1', 'Km 10', '41:00'));
    const tried = await remove(race, '?point=Km%2010&dry_run=true');
    expect(await tried.json()).toEqual({
      upload_id: null,
      point: 'Km 10',
      dry_run: true,
      removed: 2,
    });
    expect(Object.keys(await stored(race.eventId))).toHaveLength(3);
    const done = await remove(race, '?point=%20Km%2010');
    expect(await done.json()).toMatchObject({ point: 'Km 10', dry_run: false, removed: 2 });
    expect(await stored(race.eventId)).toEqual({ '1 Km 15': 3_720_000 });
    expect(await stored(otherRace.eventId)).toEqual({ '1 Km 10': 2_460_000 });
    const again = await remove(race, '?point=Km%2010');
    expect(await again.json()).toEqual({
      upload_id: null,
      point: 'Km 10',
      dry_run: false,
      removed: 0,
    });
  });

  it.each([
    ['', /point: expected the name of a point/],
    ['?point=%20', /point: expected the name of a point/],
    ['?point=x&dryrun=true', /Did you mean the query parameter dry_run/],
    ['?point=x&dry_run=yes', /dry_run: expected true or false/],
  ])('answers 400 to %j', async (query, detail) => {
    const race = await createRace({ bibs: ['1'] });
    await pass(race, row('1', 'x', '41:00'));
    expect(await expectError(await remove(race, query), 400, 'VALIDATION_ERROR')).toMatch(detail);
    expect(Object.keys(await stored(race.eventId))).toHaveLength(1);
  });
});

describe('what passings belong to', () => {
  it('takes them along: a registration that moves, or is deleted', async () => {
    const race = await createRace({ bibs: ['1', '2'] });
    const eventId = await createEvent(race.organizationId);
    await pass(race, row('1', 'Km 10', '41:00'), row('2', 'Km 10', '42:00'));
    const [first] = await db
      .select()
      .from(registrations)
      .where(eq(registrations.event_id, race.eventId))
      .orderBy(registrations.bib_number);
    await db
      .update(registrations)
      .set({ event_id: eventId })
      .where(eq(registrations.id, first?.id ?? ''));
    expect(await stored(eventId)).toEqual({ '1 Km 10': 2_460_000 });
    await db.delete(registrations).where(eq(registrations.event_id, race.eventId));
    expect(await stored(race.eventId)).toEqual({});
  });
});

describe('the splits of a result', () => {
  it('are its own, completed by the passings, in the list, by bib and in the export', async () => {
    const race = await createRace({ bibs: ['1', '2', '3'] });
    await uploadRows(race, [
      { bib_number: '1', chip_time: '1:30:00', splits: { 'Km 10': '41:00', 'Km 15': '62:00' } },
      { bib_number: '2', status: 'DNF' },
      { bib_number: '3', chip_time: '1:40:00' },
    ]);
    const passed = [row('1', 'Km 5', '20:00'), row('1', 'Km 10', '40:00')];
    await pass(race, ...passed, row('2', '__proto__', '20:30'));
    const expected = {
      1: { 'Km 5': '00:20:00.000', 'Km 10': '00:41:00.000', 'Km 15': '01:02:00.000' },
      2: { ['__proto__']: '00:20:30.000' },
      3: {},
    };
    type Item = { bib_number: string; splits: Record<string, string> };
    const headers = withKey(race.key);
    const read = async <T>(path: string, accept = 'application/json') =>
      (await request(race.path + path, { headers: { ...headers, Accept: accept } })).json<T>();
    const { data } = await read<{ data: Item[] }>('/results');
    const exported = await read<{ data: Item[] }>('/results/export');
    for (const items of [data, exported.data]) {
      const splits = Object.fromEntries(items.map((item) => [item.bib_number, item.splits]));
      expect(splits).toEqual(expected);
    }
    expect((await read<Item>('/results/1')).splits).toEqual(expected[1]);
  });

  it('are still its own in what is stored, and in what a batch changed', async () => {
    const race = await createRace({ bibs: ['1'] });
    await pass(race, row('1', 'Km 10', '40:00'));
    const result = { bib_number: '1', chip_time: '1:30:00', splits: { 'Km 5': '20:00' } };
    expect(await uploadRows(race, [result])).toMatchObject({
      uploaded: 1,
      splits_detected: ['Km 5'],
    });
    expect(await uploadRows(race, [result])).toMatchObject({ unchanged: 1 });
    expect(await storedResults(race.eventId)).toMatchObject({
      1: { splits: { 'Km 5': 1_200_000 } },
    });
  });
});
