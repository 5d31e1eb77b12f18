import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../../testing/assertions.ts';
import {
  configureEvent,
  createEvent,
  createRace,
  createRegistrations,
  db,
} from '../../../testing/factories.ts';
import { request, withKey } from '../../../testing/harness.ts';
import {
  bodyOf,
  bytesOf,
  postForm,
  postPreview,
  preview,
  storedBatches,
  uploadCsv,
  uploadFile,
} from '../../../testing/uploads.ts';
import { byStatus } from '../../../timing-files/read/result-status.ts';
import type { ResultsFilePreview } from './preview-answer-schemas.ts';

const codesOf = ({ warnings }: ResultsFilePreview) => warnings.map(({ code }) => code);

/** All rows that a write would change, the versions of the rows included. */
async function storedOf(eventId: string) {
  const results = await db.execute(
    sql`select xmin::text, * from results where event_id = ${eventId} order by registration_id`,
  );
  return { results: results.rows, batches: await storedBatches(eventId) };
}

const GOOD = 'bib,time,status,Km 5\n7,20:00,,10:00\n8,21:00,,\n9,,DNF,\n';

describe('a preview', () => {
  test('names rows without the time that the event ranks by, and an upload does not', async () => {
    const race = await createRace();
    await createRegistrations(
      race.eventId,
      ['7', '8', '9'].map((bib_number) => ({ bib_number })),
    );
    const missing = async (file: string) =>
      (await preview(race, file)).warnings
        .filter(({ code }) => code === 'rank_time_missing')
        .map(({ detail, rows }) => [detail, rows]);
    const chips = 'bib,chip,gun\n7,20:00,\n8,21:00,\n9,,,\n';
    const both = 'bib,chip,gun\n7,20:00,20:30\n8,,21:00\n9,22:00,\n';
    expect(await missing(chips)).toEqual([]);
    expect(await missing('bib,gun\n7,20:00\n')).toEqual([]);
    const noChip = '1 row has no chip time, by which the event ranks: the gun time ranks instead.';
    expect(await missing(both)).toEqual([[noChip, [3]]]);
    await configureEvent(race.eventId, { ranking_rule: 'gun' });
    const noGun = 'no gun time, by which the event ranks: the chip time ranks instead.';
    expect(await missing(chips)).toEqual([[`2 rows have ${noGun}`, [2, 3]]]);
    expect(await missing(both)).toEqual([[`1 row has ${noGun}`, [4]]]);
    const { warnings } = await uploadFile(race, both, '');
    expect((warnings ?? []).map(({ code }) => code)).not.toContain('rank_time_missing');
    await configureEvent(race.eventId, { ranking_rule: 'chip' });
    expect(await missing('bib,gun\n7,20:00\n')).toEqual([[noChip, [2]]]);
    expect(await missing('bib,chip,gun\n9,22:00,21:00\n')).toEqual([]);
    expect(codesOf(await preview(race, 'bib,chip,gun\n9,22:00,21:00\n'))).toContain(
      'gun_below_chip',
    );
  });

  test('tells how the file is read and what the upload would change', async () => {
    const race = await createRace({ bibs: ['7', '8', '9', '10'] });
    await uploadCsv(race, 'bib,time,Km 5\n7,20:00,10:00\n8,21:30,\n');
    const file = `${GOOD}10,21:6O,,\n99,22:00,,\n8,21:10,,\n`;
    expect(await preview(race, file)).toEqual({
      encoding: 'utf-8',
      delimiter: ',',
      header_line: 1,
      columns: [
        { name: 'bib', meaning: 'bib', why: 'its name says so', samples: ['7', '8', '9'] },
        {
          name: 'time',
          meaning: 'chip_time',
          why: 'its name says so',
          samples: ['20:00', '21:00', '21:6O'],
        },
        { name: 'status', meaning: 'status', why: 'its name says so', samples: ['DNF'] },
        {
          name: 'Km 5',
          meaning: 'split',
          why: 'every column without another meaning is a split',
          samples: ['10:00'],
        },
      ],
      counts: {
        total_processed: 6,
        uploaded: 1,
        updated: 2,
        not_found: 1,
        errors: 1,
        duplicates: 1,
        left: 0,
        new: 1,
        changed: 1,
        unchanged: 1,
        statuses: { ...byStatus(() => 0), FINISHED: 4, DNF: 1 },
      },
      rows: [
        {
          row: 2,
          replaced_by: null,
          bib_number: '7',
          status: 'FINISHED',
          chip_time: '00:20:00.000',
          gun_time: null,
          splits: { 'Km 5': '00:10:00.000' },
        },
        expect.objectContaining({ row: 3 }),
        expect.objectContaining({ row: 4, status: 'DNF', chip_time: null }),
        expect.objectContaining({ row: 6 }),
        expect.objectContaining({ row: 7, bib_number: '8' }),
      ],
      left: [],
      changes: [
        {
          row: 7,
          bib_number: '8',
          before: { status: 'FINISHED', chip_time: '00:21:30.000', gun_time: null, splits: {} },
          after: { status: 'FINISHED', chip_time: '00:21:10.000', gun_time: null, splits: {} },
        },
      ],
      failed: [
        {
          row: 5,
          bib_number: '10',
          reason: expect.stringContaining('"21:6O"'),
          reason_code: 'invalid_time',
          item: { bib: '10', time: '21:6O', status: '', 'Km 5': '' },
        },
        {
          row: 6,
          bib_number: '99',
          reason: expect.stringContaining('"99"'),
          reason_code: 'unknown_bib',
          item: expect.objectContaining({ bib: '99' }),
        },
      ],
      warnings: expect.any(Array),
      suggestion: expect.objectContaining({ query: expect.any(String) }),
    });
  });

  test('counts what the upload then answers', async () => {
    const race = await createRace({ bibs: ['7', '8', '9'] });
    await uploadCsv(race, 'bib,time\n7,20:00\n9,25:00\n');
    const file = `${GOOD}10,20:00,,\n7,x,,\n8,20:59,,\n`;
    const { counts } = await preview(race, file);
    const { new: created, changed, statuses: _, left: _count, ...told } = counts;
    const {
      batch_id: _id,
      left: _left,
      failed,
      splits_detected: _splits,
      warnings: _warnings,
      ...counted
    } = await uploadCsv(race, file);
    expect(told).toEqual(counted);
    expect({ created, updated: changed + told.unchanged }).toEqual({
      created: counted.uploaded,
      updated: counted.updated,
    });
    expect(failed).toHaveLength(2);
  });

  test.each([
    ['a status', '8,,DNF,'],
    ['a time', '8,21:00.5,,'],
    ['a split', '8,21:00,,10:30'],
  ])('counts a row as changed for %s alone', async (_what, row) => {
    const race = await createRace({ bibs: ['7', '8', '9'] });
    await uploadCsv(race, GOOD);
    expect((await preview(race, GOOD)).counts).toMatchObject({ changed: 0, unchanged: 3 });
    const file = GOOD.replace('8,21:00,,', row);
    expect((await preview(race, file)).counts).toMatchObject({ changed: 1, unchanged: 2 });
  });

  test('writes nothing', async () => {
    const race = await createRace({ bibs: ['7', '8', '9'] });
    await uploadCsv(race, 'bib,time\n7,20:30\n');
    const before = await storedOf(race.eventId);
    await preview(race, GOOD);
    await preview(race, GOOD, 'split=');
    await preview(race, "Stnr;Zeit\n7;1h28'03\n");
    expect(await storedOf(race.eventId)).toEqual(before);
  });

  test('answers two previews at once', async () => {
    const race = await createRace({ bibs: ['7', '8', '9'] });
    const [own, stranger] = await Promise.all([
      preview(race, GOOD),
      preview(race, 'bib,time\n7,9:59\n'),
    ]);
    expect(own.counts.new).toBe(3);
    expect(stranger.counts.new).toBe(1);
  });

  test('previews a file as the whole body like one in a form', async () => {
    const race = await createRace({ bibs: ['7'] });
    const response = await postForm(race, GOOD, { to: '/results/file/preview', type: 'text/csv' });
    expect(await response.json()).toMatchObject({
      ...(await preview(race, GOOD)),
      warnings: expect.any(Array),
    });
  });

  test('does not see the results of another event', async () => {
    const race = await createRace({ bibs: ['7'] });
    const eventId = await createEvent(race.organizationId);
    await createRegistrations(eventId, [{ bib_number: '7' }]);
    await uploadCsv(race, 'bib,time\n7,20:00\n');
    const other = { ...race, eventId, path: `/public/v1/events/${eventId}` };
    expect((await preview(other, GOOD)).counts).toMatchObject({ new: 1, unchanged: 0 });
  });

  test('shows the suggested reading of a file that the upload refuses', async () => {
    const race = await createRace({ bibs: ['7'] });
    const told = await preview(race, "Stnr;Name;Zeit\n7;Eva Uno;1h28'03\n8;Teo Dos;1h29'10\n");
    expect(told.counts).toMatchObject({ total_processed: 2, new: 1, not_found: 1 });
    expect(told.rows[0]).toMatchObject({ chip_time: '01:28:03.000' });
    expect(told.failed).toMatchObject([{ row: 3, reason_code: 'unknown_bib' }]);
    expect(codesOf(told)).toContain('file_refused');
  });
});

describe('the event warns of', () => {
  const today = () => new Date();

  const codes = async (
    file: string,
    {
      registered = [{}],
      stored = '',
      eventDate = today(),
      starts = [],
      query = '',
    }: {
      registered?: Record<string, unknown>[];
      stored?: string;
      eventDate?: Date;
      starts?: Date[];
      query?: string;
    } = {},
  ) => {
    const { organizationId, key } = await createRace();
    const eventId = await createEvent(organizationId, { event_date: eventDate });
    await createRegistrations(
      eventId,
      registered.map((seed, index) => ({ bib_number: String(index + 7), ...seed })),
    );
    const race = { organizationId, key, eventId, path: `/public/v1/events/${eventId}` };
    if (starts.length > 0) {
      const told = await request(`${race.path}/starts`, {
        method: 'PUT',
        headers: { ...withKey(key), 'Content-Type': 'application/json' },
        body: JSON.stringify({
          version: 0,
          starts: starts.map((at, index) => ({
            name: `Start ${index}`,
            distance: `${index}K`,
            starts_at: at.toISOString(),
          })),
        }),
      });
      expect(told.status).toBe(200);
    }
    if (stored) await uploadCsv(race, stored);
    const told = await preview(race, file, query);
    return Object.fromEntries(told.warnings.map(({ code, rows }) => [code, rows]));
  };

  const ONE = 'bib,time\n7,20:15\n';

  test('nothing in a file that is as expected', async () => {
    expect(await codes(ONE, { registered: [{ distance: '5K' }], stored: ONE })).toEqual({});
  });

  test('another day by the told start that is nearest, whatever the date of the event', async () => {
    const later = (days: number) => new Date(Date.now() + days * 86_400_000);
    const starts = [later(-1.5), later(1.5)];
    expect(await codes(ONE, { starts })).toEqual({ not_event_day: [] });
    const withToday = [...starts, later(0.1)];
    expect(await codes(ONE, { eventDate: later(2), starts: withToday })).toEqual({});
  });

  test.each<[string, string, Parameters<typeof codes>[1], number[]]>([
    ['not_event_day', ONE, { eventDate: new Date(Date.now() + 90_000_000) }, []],
    ['unknown_bibs', 'bib,time\n7,20:15\n99,20:16\n', {}, []],
    ['cancelled_registration', ONE, { registered: [{ status: 'CANCELLED' }] }, [2]],
    ['status_would_change', ONE, { stored: 'bib,status\n7,DNF\n' }, [2]],
    ['many_changes', 'bib,time\n7,20:16\n', { stored: ONE }, []],
    ['fewer_rows', ONE, { stored: `${ONE}99,20:20\n` }, []],
    ['implausible_for_distance', 'bib,time\n7,1:28\n', { registered: [{ distance: '21K' }] }, []],
    [
      'implausible_for_distance',
      'Stnr;Zeit\n7;1:28:03\n',
      { registered: [{ distance: '100K' }], query: 'chip_time=Zeit' },
      [],
    ],
  ])('%s', async (code, file, event, rows) => {
    expect(await codes(file, event)).toMatchObject({ [code]: rows });
  });
});

describe('a file that is no table', () => {
  const png = bytesOf([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d),
    Uint8Array.from({ length: 4_000 }, (_, index) => (index * 89) % 256),
  ]);
  test.each<[string, string | Uint8Array, RegExp]>([
    ['empty', '', /empty/],
    ['blank', ' \n\n', /empty/],
    ['binary', png, /./],
    ['an archive', 'PK\u0003\u0004xl/workbook.xml', /broken or cut off/],
    ['of more than 100 000 rows', `bib,time\n${'7,dns\n'.repeat(100_001)}`, /100000 rows/],
    ['with an unclosed quote', `${GOOD}7,"21:00\n`, /line 5 /],
    ['of 2 000 columns', `bib,time${',x'.repeat(2_000)}\n7,20:00\n`, /2002 columns/],
  ])('refuses what is no table: %s', async (_what, file, detail) => {
    const response = await postPreview(await createRace(), file);
    expect(await expectError(response, 400, 'VALIDATION_ERROR')).toMatch(detail);
  });
});

test('reads a body that arrives in pieces', async () => {
  const race = await createRace({ bibs: ['7', '8', '9'] });
  const bytes = bytesOf([GOOD]);
  const pieces = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
  const body = bodyOf(pieces);
  const response = await postForm(race, body, { to: '/results/file/preview', type: 'text/csv' });
  expect(await response.json()).toMatchObject({ counts: { new: 3 } });
});
