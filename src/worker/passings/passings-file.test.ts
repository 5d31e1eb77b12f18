import { eq } from 'drizzle-orm';
import { describe, expect, it, test } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import { createRace, db } from '../../testing/factories.ts';
import { panelOf } from '../../testing/members.ts';
import { filePart, form, postForm, type Race, storedResults } from '../../testing/uploads.ts';
import { POINT_LENGTH_MAX } from '../../timing-files/read/parameters.ts';
import { passings, registrations } from '../db/schema.ts';
import { PassingsFilePreview, PassingsUploadOut } from './answer-schemas.ts';

const post = (race: Race, file: string, query: string, headers: Record<string, string> = {}) =>
  postForm(race, form([filePart(file)]), { to: `/passings/file?${query}`, headers });

/** Uploads a file of a point. @returns the answer, whose counts add up */
async function upload(race: Race, file: string, query = 'point=Km%2010') {
  const response = await post(race, file, query);
  const text = await response.text();
  expect([response.status, text]).toEqual([200, expect.any(String)]);
  const out = PassingsUploadOut.strict().parse(JSON.parse(text));
  const { uploaded, updated, not_found, errors, duplicates, total_processed } = out;
  expect(uploaded + updated + not_found + errors + duplicates).toBe(total_processed);
  return out;
}

async function preview(race: Race, file: string, query = 'point=Km%2010') {
  const response = await postForm(race, form([filePart(file)]), {
    to: `/passings/file/preview?${query}`,
  });
  const text = await response.text();
  expect([response.status, text]).toEqual([200, expect.any(String)]);
  return PassingsFilePreview.strict().parse(JSON.parse(text));
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

describe('an upload of a file of a point', () => {
  it('takes the gun time of a row without a chip time', async () => {
    const race = await createRace({ bibs: ['1', '2'] });
    await upload(race, 'bib,chip_time,gun_time\n1,,40:00\n2,41:00,41:30\n');
    expect(await stored(race.eventId)).toEqual({ '1 Km 10': 2_400_000, '2 Km 10': 2_460_000 });
  });

  it('stores the good rows, tells of each other one, and makes no result', async () => {
    const race = await createRace({ bibs: ['1', '2', '3'] });
    const file = 'bib,time\n1,40:00\n9,40:30\n2,late\n1,40:01\n3,\n';
    const { failed, ...counts } = await upload(race, file, 'point=%20Km%2010%20');
    expect(counts).toMatchObject({ uploaded: 1, not_found: 1, errors: 2, duplicates: 1 });
    expect(failed.map(({ row, reason_code }) => [row, reason_code])).toEqual([
      [3, 'unknown_bib'],
      [4, 'invalid_time'],
      [6, 'missing_time'],
    ]);
    expect(failed[0]?.item).toEqual({ bib: '9', time: '40:30' });
    expect(await stored(race.eventId)).toEqual({ '1 Km 10': 2_401_000 });
    expect(await storedResults(race.eventId)).toEqual({});
  });

  it('is of one point, whatever its blanks and accents', async () => {
    const race = await createRace({ bibs: ['1'] });
    const query = (point: string) => `point=${encodeURIComponent(point)}`;
    await upload(race, 'bib,time\n1,41:28\n', query('Peña 10'));
    const again = query('\u200bPen\u0303a\u00a0 10');
    expect(await upload(race, 'bib,Peña 10\n1,41:29\n', again)).toMatchObject({ updated: 1 });
    expect(await upload(race, 'bib,time\n1,41:29\n', query('peña 10'))).toMatchObject({
      unchanged: 1,
    });
    const previewed = await preview(race, 'bib,time\n1,41:29\n', query('PEña 10'));
    expect(previewed.counts).toMatchObject({ uploaded: 0, updated: 1, unchanged: 1 });
    expect(await stored(race.eventId)).toEqual({ '1 Peña 10': 2_489_000 });
    expect((await preview(race, 'bib,time\n1,41:30\n', again)).rows).toMatchObject([
      { point: 'Peña 10' },
    ]);
  });

  it('takes the times from the column that has the name of the point', async () => {
    const race = await createRace({ bibs: ['1'] });
    const file = 'dorsal;tiempo;estado;km 5;KM-10\n1;1:28:00;DNF;20:30;41:28\n';
    await upload(race, file);
    await upload(race, file, 'point=Km%205');
    expect(await stored(race.eventId)).toEqual({ '1 Km 10': 2_488_000, '1 Km 5': 1_230_000 });
  });

  it('reads no status: who stops later has passed', async () => {
    const race = await createRace({ bibs: ['1', '2'] });
    const out = await upload(race, 'bib,time,status\n1,41:28,DNF\n2,,DNS\n2,DNS,\n');
    expect(out).toMatchObject({ uploaded: 1, errors: 2 });
    expect(out.failed.map((one) => one.reason_code)).toEqual(['missing_time', 'missing_time']);
    expect(await stored(race.eventId)).toEqual({ '1 Km 10': 2_488_000 });
  });

  it('reads the rows and columns that its parameters name', async () => {
    const race = await createRace({ bibs: ['1'] });
    const file = 'Nr;Messpunkt;Zeit\n1;Start;00:05\n1;K10;41\'28"\n1;Ziel;88\'03"\n';
    const query = 'bib=Nr&chip_time=Zeit&where=Messpunkt:K10&time_format=apostrophes';
    await upload(race, file, `point=Km%2010&${query}`);
    expect(await stored(race.eventId)).toEqual({ '1 Km 10': 2_488_000 });
  });

  it('answers the first upload again to the same key', async () => {
    const race = await createRace({ bibs: ['1'] });
    const key = { 'Idempotency-Key': crypto.randomUUID() };
    const [first, again] = await Promise.all([
      post(race, 'bib,time\n1,41:28\n', 'point=Km%2010', key).then((one) => one.json()),
      post(race, 'bib,time\n1,41:28\n', 'point=Km%2010', key).then((one) => one.json()),
    ]);
    expect(again).toEqual(first);
    const other = await post(race, 'bib,time\n1,41:28\n', 'point=Km%2015', key);
    expect(await expectError(other, 400, 'VALIDATION_ERROR')).toContain('another upload');
    expect(await stored(race.eventId)).toEqual({ '1 Km 10': 2_488_000 });
  });

  it.each([
    ['no point', '', /point: expected the name of a point; it is missing/],
    ['a blank point', 'point=%20', /point: expected the name of a point/],
    [
      'a point with a mark of direction',
      `point=${encodeURIComponent('Km\u202e10')}`,
      /point: found U\+202E, expected a text of one line/,
    ],
    ['a long point', `point=${'x'.repeat(POINT_LENGTH_MAX + 1)}`, /at most 100 characters/],
    [
      'two points',
      'point=Km%205&point=Km%2010',
      /point: expected the name of a point, not \["Km 5","Km 10"\]/,
    ],
    ['a status column', 'point=Km%205&status=status', /"status", which this operation/],
    ['splits', 'point=Km%205&split=Km%205', /"split", which this operation/],
  ])('refuses %s', async (_, query, message) => {
    const race = await createRace({ bibs: ['1'] });
    const response = await post(race, 'bib,time\n1,41:28\n', query);
    expect(await expectError(response, 400, 'VALIDATION_ERROR')).toMatch(message);
    expect(await stored(race.eventId)).toEqual({});
  });
});

test('refuses the parameter point for a file of results', async () => {
  const race = await createRace({ bibs: ['1'] });
  const file = form([filePart('bib,time\n1,41:28\n')]);
  const response = await postForm(race, file, { to: '/results/file?point=Km%2010' });
  expect(await expectError(response, 400, 'VALIDATION_ERROR')).toContain('"point"');
  expect(await storedResults(race.eventId)).toEqual({});
});

describe('a preview of a file of a point', () => {
  it('shows the passings, compares them with those of the point, and writes nothing', async () => {
    const race = await createRace({ bibs: ['1', '2', '3'] });
    await upload(race, 'bib,time\n1,41:28\n2,42:00\n');
    const read = await preview(race, 'bib,time\n1,41:28\n2,42:10\n3,43:00\n9,44:00\n');
    expect(read.counts).toEqual({
      total_processed: 4,
      uploaded: 1,
      updated: 2,
      unchanged: 1,
      not_found: 1,
      errors: 0,
      duplicates: 0,
      left: 0,
    });
    expect(read.rows[0]).toEqual({
      row: 2,
      replaced_by: null,
      bib_number: '1',
      point: 'Km 10',
      time: '00:41:28.000',
    });
    expect(read.failed.map(({ reason_code }) => reason_code)).toEqual(['unknown_bib']);
    expect(read.suggestion?.query).toBe('point=Km%2010');
    const [change] = read.warnings.filter(({ code }) => code === 'many_changes');
    expect(change?.detail).toBe('1 of 2 stored passings would change.');
    expect(await stored(race.eventId)).toEqual({ '1 Km 10': 2_488_000, '2 Km 10': 2_520_000 });
  });

  it('suggests the rows of the point, and an upload takes the suggestion as it is', async () => {
    const race = await createRace({ bibs: ['11', '12', '13'] });
    const rows = ['11', '12', '13'].flatMap((bib, at) => [
      `${bib};Km 10;0:4${at}:28`,
      `${bib};Ziel;1:2${at}:03`,
    ]);
    const file = ['Startnummer;Messpunkt;Zeit', ...rows, ''].join('\n');
    const { suggestion } = await preview(race, file);
    await upload(race, file, suggestion?.query);
    expect(await stored(race.eventId)).toEqual({
      '11 Km 10': 2_428_000,
      '12 Km 10': 2_488_000,
      '13 Km 10': 2_548_000,
    });
  });

  it('asks whose times they are if the file has other points and no column of this one', async () => {
    const race = await createRace({ bibs: ['11', '12'] });
    const file = 'bib,time,Km 10\n11,1:28:04,41:28\n12,1:30:09,42:10\n';
    const { suggestion, warnings } = await preview(race, file, 'point=10%20km');
    expect(suggestion).toBeNull();
    const [question] = warnings.filter(({ choices }) => choices);
    const queries = question?.choices?.map(({ query }) => query);
    expect(queries).toEqual([
      'point=10%20km&chip_time=time&gun_time=',
      'point=10%20km&chip_time=Km%2010&gun_time=',
    ]);
    for (const query of queries ?? []) {
      expect((await preview(race, file, query)).suggestion?.query).toBe(query);
    }
    const sent = await upload(race, file, 'point=10%20km');
    expect(sent.warnings?.map(({ code }) => code)).toEqual(['time_column_unclear']);
    expect((await upload(race, file, queries?.[1])).warnings).toEqual([]);
    expect(await stored(race.eventId)).toEqual({ '11 10 km': 2_488_000, '12 10 km': 2_530_000 });
  });

  it('warns of nothing that is true of finishes alone', async () => {
    const race = await createRace({ bibs: ['11', '12', '13'] });
    const file = [
      'bib,place,Km 2,time,Bemerkung',
      '11,1,0:08:30,1:20:00,',
      '12,2,0:08:10,1:21:00,DNF knee',
      '13,3,0:08:40,1:22:00,',
      '',
    ].join('\n');
    const { warnings, suggestion } = await preview(race, file, 'point=Km%202');
    expect(suggestion?.query).toBe('point=Km%202');
    const ofFile = warnings.filter(({ code }) => code !== 'not_event_day');
    expect(ofFile).toEqual([]);
  });
});

test('lets an organizer send, list and take back a point, and refuses a member and a stranger', async () => {
  const race = await createRace({ bibs: ['1', '2'] });
  const { ask } = await panelOf(race, { role: 'admin' });
  const file = { method: 'POST', headers: { 'Content-Type': 'text/csv' } };
  const body = 'bib,time\n1,41:28\n2,42:00\n';

  const previewed = await ask('/passings/file/preview?point=Km%2010', { ...file, body });
  expect(await previewed.json()).toMatchObject({ counts: { uploaded: 2 } });
  expect(await stored(race.eventId)).toEqual({});
  const sent = await ask('/passings/file?point=Km%2010', { ...file, body });
  expect(await sent.json()).toMatchObject({ uploaded: 2, failed: [] });
  const points = await ask('/passings/points');
  expect(await points.json()).toMatchObject({ data: [{ point: 'Km 10', total: 2 }] });

  const remove = '/passings?point=Km%2010';
  const tried = await ask(`${remove}&dry_run=true`, { method: 'DELETE' });
  expect(await tried.json()).toEqual({
    upload_id: null,
    point: 'Km 10',
    dry_run: true,
    removed: 2,
  });
  await ask(remove, { method: 'DELETE' });
  expect(await stored(race.eventId)).toEqual({});
});
