import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { expectError } from '../../../testing/assertions.ts';
import { createEvent, createRace, createRegistrations, db } from '../../../testing/factories.ts';
import {
  answered,
  bodyOf,
  bytesOf,
  postJson,
  type Race,
  storedBatches,
  storedResults,
  uploadRows,
} from '../../../testing/uploads.ts';
import { registrations, results } from '../../db/schema.ts';

const MIB = 1_024 * 1_024;

async function expectNothingWritten({ eventId }: Race) {
  expect(await storedResults(eventId)).toEqual({});
  expect(await storedBatches(eventId)).toEqual([]);
}

/** A single row, uploaded into a separate event with bib 7. */
async function uploadOne(row: unknown) {
  const race = await createRace({ bibs: ['7'] });
  const out = await uploadRows(race, [row]);
  return { out, stored: (await storedResults(race.eventId))['7'] };
}

async function expectStored(row: object, stored: object) {
  expect(await uploadOne({ bib_number: '7', ...row })).toMatchObject({
    out: { uploaded: 1, errors: 0, failed: [] },
    stored,
  });
}

async function expectFailed(
  row: unknown,
  reason: RegExp,
  bib: string | null = '7',
  item: unknown = row,
) {
  const { out, stored } = await uploadOne(row);
  expect(out).toMatchObject({ total_processed: 1, errors: 1 });
  expect(out.failed).toEqual([
    {
      row: 1,
      bib_number: bib,
      reason: expect.stringMatching(reason),
      reason_code: expect.any(String),
      item,
    },
  ]);
  expect(stored).toBeUndefined();
}

describe('an upload', () => {
  it('stores the good rows and tells of each other one, in row order and with its echo', async () => {
    const race = await createRace({ bibs: ['1', '2', '3', '4'] });
    await uploadRows(race, [{ bib_number: '2', chip_time: '00:59:00' }]);
    const out = await uploadRows(race, [
      { bib_number: '9', chip_time: '00:10:00' },
      { bib_number: '1', chip_time: '00:20:03' },
      { bib_number: '2', chip_time: '00:21:00' },
      { bib_number: '3', chip_time: 'late', club: 'Owls' },
      { bib_number: '4', gun_time: '00:23:00' },
      { bib_number: '8', status: 'DNS' },
      { bib_number: '4', gun_time: '00:24:00' },
    ]);
    expect(out).toEqual({
      batch_id: expect.any(String),
      total_processed: 7,
      uploaded: 2,
      updated: 1,
      unchanged: 0,
      not_found: 2,
      errors: 1,
      duplicates: 1,
      splits_detected: [],
      warnings: [expect.objectContaining({ code: 'unknown_fields', rows: [4] })],
      left: [],
      failed: [
        {
          row: 1,
          bib_number: '9',
          reason: expect.stringContaining('"9"'),
          reason_code: 'unknown_bib',
          item: { bib_number: '9', chip_time: '00:10:00' },
        },
        {
          row: 4,
          bib_number: '3',
          reason: expect.stringContaining('"late"'),
          reason_code: 'invalid_time',
          item: { bib_number: '3', chip_time: 'late', club: 'Owls' },
        },
        {
          row: 6,
          bib_number: '8',
          reason: expect.stringContaining('"8"'),
          reason_code: 'unknown_bib',
          item: { bib_number: '8', status: 'DNS' },
        },
      ],
    });
    expect(await storedResults(race.eventId)).toEqual({
      1: { status: 'FINISHED', chip: 1_203_000, gun: null, splits: {} },
      2: { status: 'FINISHED', chip: 1_260_000, gun: null, splits: {} },
      4: { status: 'FINISHED', chip: null, gun: 1_440_000, splits: {} },
    });
  });

  it('warns about times that are unlikely, and is silent about others', async () => {
    const race = await createRace({ bibs: ['1', '2'] });
    const warningsOf = async (...times: string[]) => {
      const rows = times.map((chip_time, at) => ({ bib_number: String(at + 1), chip_time }));
      return (await uploadRows(race, rows)).warnings?.map(({ code }) => code);
    };
    expect(await warningsOf('10:41:50', '10:43:07')).toEqual(['time_of_day']);
    expect(await warningsOf('00:41:50', '00:43:07')).toBeUndefined();
  });

  it('records an upload with the counts of its answer', async () => {
    const race = await createRace({ bibs: ['1', '2'] });
    await uploadRows(race, [{ bib_number: '2', status: 'DNS' }]);
    const out = await uploadRows(race, [
      { bib_number: '1', status: 'DNF' },
      { bib_number: '1', status: 'DNS' },
      { bib_number: '2', status: 'DNS' },
      { bib_number: '3', status: 'DNS' },
      { bib_number: '1', status: 'LOST' },
      {},
    ]);
    const [, recorded] = await storedBatches(race.eventId);
    const { batch_id, failed, left, splits_detected, ...counts } = out;
    expect(counts).toEqual({
      total_processed: 6,
      uploaded: 1,
      updated: 1,
      unchanged: 1,
      not_found: 1,
      errors: 2,
      duplicates: 1,
    });
    expect(recorded).toMatchObject({ id: batch_id, source: 'json', ...counts });
  });

  it('accepts an upload without rows', async () => {
    const race = await createRace();
    expect(await uploadRows(race, [])).toMatchObject({ total_processed: 0, failed: [] });
    expect(await storedBatches(race.eventId)).toMatchObject([{ total_processed: 0 }]);
  });

  it('replaces times, status and splits as a whole, and says when and by which batch', async () => {
    const race = await createRace({ bibs: ['7'] });
    const written = () => db.select().from(results).where(eq(results.event_id, race.eventId));
    const first = await uploadRows(race, [
      { bib_number: '7', chip_time: '20:00', gun_time: '21:00', splits: { 'Km 5': '10:00' } },
    ]);
    const [before] = await written();
    expect(before).toMatchObject({ batch_id: first.batch_id, splits: { 'Km 5': 600_000 } });

    const second = await uploadRows(race, [
      { bib_number: '7', gun_time: '22:00', splits: { 'Km 8': '15:00' } },
    ]);
    const [after] = await written();
    expect(second).toMatchObject({ uploaded: 0, updated: 1 });
    expect(after).toMatchObject({
      batch_id: second.batch_id,
      chip_time_ms: null,
      gun_time_ms: 1_320_000,
      finish_time_ms: 1_320_000,
      splits: { 'Km 8': 900_000 },
    });
    expect(after?.updated_at.getTime()).toBeGreaterThan(before?.updated_at.getTime() ?? Infinity);

    await uploadRows(race, [{ bib_number: '7', status: 'DSQ' }]);
    expect(await written()).toMatchObject([
      { status: 'DSQ', chip_time_ms: null, gun_time_ms: null, finish_time_ms: null, splits: {} },
    ]);

    await uploadRows(race, [{ bib_number: '7', chip_time: '20:00' }]);
    expect(await written()).toMatchObject([{ status: 'FINISHED', finish_time_ms: 1_200_000 }]);
  });

  it('touches no other result of the event', async () => {
    const race = await createRace({ bibs: ['7', '8'] });
    await uploadRows(race, [
      { bib_number: '7', chip_time: '20:00' },
      { bib_number: '8', chip_time: '21:00', splits: { 'Km 5': '10:00' } },
    ]);
    const eight = (await storedResults(race.eventId))['8'];
    await uploadRows(race, [{ bib_number: '7', status: 'DNF' }]);
    expect((await storedResults(race.eventId))['8']).toEqual(eight);
  });
});

describe('a bib', () => {
  it('trims a bib and changes nothing else of it', async () => {
    const race = await createRace({ bibs: ['A7', '007'] });
    const out = await uploadRows(race, [
      { bib_number: ' A7\t', chip_time: '20:00' },
      { bib_number: 'a7', chip_time: '20:00' },
      { bib_number: '7', chip_time: '20:00' },
      { bib_number: '007', chip_time: '20:00' },
    ]);
    expect(out).toMatchObject({ uploaded: 2, not_found: 2 });
    expect(out.failed.map(({ bib_number }) => bib_number)).toEqual(['a7', '7']);
  });

  it('may be an integer, which stands for its digits', async () => {
    await expectStored({ bib_number: 7, chip_time: '20:00' }, { chip: 1_200_000 });
  });

  it.each([
    ['missing', { chip_time: '20:00' }],
    ['null', { bib_number: null, chip_time: '20:00' }],
    ['blank', { bib_number: '  ', chip_time: '20:00' }],
    ['a fraction', { bib_number: 7.5, chip_time: '20:00' }],
    ['negative', { bib_number: -7, chip_time: '20:00' }],
    ['beyond the exact integers', { bib_number: 2 ** 53, chip_time: '20:00' }],
    ['a boolean', { bib_number: true, chip_time: '20:00' }],
    ['an array', { bib_number: ['7'], chip_time: '20:00' }],
  ])('fails a row whose bib is %s, and names no bib', async (_what, row) => {
    await expectFailed(row, /bib/, null);
  });

  it('finds a registration in any state', async () => {
    const race = await createRace();
    await createRegistrations(race.eventId, [
      { bib_number: '1', status: 'PAID' },
      { bib_number: '2', status: 'PENDING' },
      { bib_number: '3', status: 'CANCELLED' },
    ]);
    const rows = ['1', '2', '3'].map((bib_number) => ({ bib_number, chip_time: '20:00' }));
    expect(await uploadRows(race, rows)).toMatchObject({ uploaded: 3, failed: [] });
  });

  it('finds it in the event of the path alone', async () => {
    const race = await createRace({ bibs: ['7'] });
    const otherId = await createEvent(race.organizationId);
    await createRegistrations(otherId, [{ bib_number: '7' }, { bib_number: '8' }]);
    const out = await uploadRows(race, [
      { bib_number: '7', chip_time: '20:00' },
      { bib_number: '8', chip_time: '20:00' },
    ]);
    expect(out).toMatchObject({ uploaded: 1, not_found: 1 });
    expect(await storedResults(otherId)).toEqual({});
  });

  it('takes any text as a bib, also text that has a meaning in SQL', async () => {
    const bibs = [
      'NULL',
      'null',
      '{}',
      '{1,2}',
      'a"b',
      'a\\b',
      "o'7",
      'a,b',
      '__proto__',
      '京😀',
      '$1',
    ];
    const race = await createRace({ bibs });
    const rows = bibs.map((bib_number) => ({ bib_number, chip_time: '20:00' }));
    expect(await uploadRows(race, rows)).toMatchObject({ uploaded: bibs.length, failed: [] });
  });

  it.each([
    ['a NUL', '7\0'],
    ['half of a surrogate pair', '7\ud83d'],
    ['the other half', '\ude007'],
  ])('fails only the row whose bib has %s', async (_what, bib_number) => {
    const race = await createRace({ bibs: ['7'] });
    const out = await uploadRows(race, [
      { bib_number, status: 'DNS' },
      { bib_number: 7, status: 'DNS' },
    ]);
    expect(out).toMatchObject({ uploaded: 1, errors: 1 });
    expect(out.failed).toEqual([
      {
        row: 1,
        bib_number: bib_number.toWellFormed(),
        reason: expect.any(String),
        reason_code: 'invalid_bib',
        item: { bib_number: bib_number.toWellFormed(), status: 'DNS' },
      },
    ]);
  });
});

describe('the same bib again in one upload', () => {
  it('counts as a duplicate: the last valid row wins, and the earlier ones are not in failed', async () => {
    const race = await createRace({ bibs: ['7', '8'] });
    const out = await uploadRows(race, [
      { bib_number: '7', chip_time: '20:00', splits: { A: '01:00' } },
      { bib_number: '8', chip_time: '20:30' },
      { bib_number: ' 7 ', chip_time: '21:00', splits: { B: '01:00' } },
      { bib_number: 7, chip_time: '22:00', splits: { C: '01:00' } },
    ]);
    expect(out).toMatchObject({ uploaded: 2, duplicates: 2, splits_detected: ['C'], failed: [] });
    expect(await storedResults(race.eventId)).toMatchObject({
      7: { chip: 1_320_000, splits: { C: 60_000 } },
    });
  });

  it('prefers an earlier valid row of a bib to a later invalid one', async () => {
    const race = await createRace({ bibs: ['7'] });
    const out = await uploadRows(race, [
      { bib_number: '7', chip_time: 'x' },
      { bib_number: '7', chip_time: '21:00' },
      { bib_number: '7', chip_time: '22:60' },
    ]);
    expect(out).toMatchObject({ uploaded: 1, errors: 2, duplicates: 0 });
    expect(out.failed.map(({ row }) => row)).toEqual([1, 3]);
    expect(await storedResults(race.eventId)).toMatchObject({ 7: { chip: 1_260_000 } });
  });

  it('counts a repeated unknown bib once, by its last row', async () => {
    const race = await createRace();
    const out = await uploadRows(race, [
      { bib_number: '7', chip_time: '20:00' },
      { bib_number: '7', chip_time: '21:00' },
    ]);
    expect(out).toMatchObject({ not_found: 1, duplicates: 1, failed: [{ row: 2 }] });
  });
});

describe('times', () => {
  it('keeps chip and gun time to the millisecond', () =>
    expectStored(
      { chip_time: '1:02:03.004', gun_time: '62:05,5' },
      { chip: 3_723_004, gun: 3_725_500 },
    ));

  it('count as chip times if they are named time', () =>
    expectStored({ time: '20:00' }, { chip: 1_200_000, gun: null }));

  it('come from chip_time where a row has chip_time and time', () =>
    expectStored({ time: 'whatever', chip_time: '20:00' }, { chip: 1_200_000 }));

  it.each([null, '', '  '])('come from time where chip_time is %j', (chip_time) =>
    expectStored({ time: '20:00', chip_time }, { chip: 1_200_000 }),
  );

  it('count as absent if they are null or blank', () =>
    expectStored(
      { chip_time: ' ', gun_time: '20:00', time: null },
      { chip: null, gun: 1_200_000 },
    ));

  it('takes a thousand hours but a millisecond', () =>
    expectStored({ chip_time: '999:59:59.999' }, { chip: 3_599_999_999 }));

  it('leaves a zero out beside another time, and warns', async () => {
    const { out, stored } = await uploadOne({
      bib_number: '7',
      chip_time: '00:00:00',
      gun_time: '20:00',
      splits: { 'Km 5': '00:00:00', 'Km 10': '10:00' },
    });
    expect(out).toMatchObject({ uploaded: 1, warnings: [{ code: 'zero_time', rows: [1] }] });
    expect(stored).toMatchObject({ chip: null, gun: 1_200_000, splits: { 'Km 10': 600_000 } });
  });

  it('fails a finisher whose times are all zero as one without a time', async () => {
    const { out, stored } = await uploadOne({
      bib_number: '7',
      time: '00:00',
      gun_time: '0:00:00',
    });
    expect(out.failed).toMatchObject([
      { reason: expect.stringMatching(/time over zero/), reason_code: 'missing_time' },
    ]);
    expect(stored).toBeUndefined();
  });

  it.each([
    [{ bib_number: '7' }],
    [{ bib_number: '7', chip_time: '', gun_time: null, time: ' ' }],
    [{ bib_number: '7', status: 'FINISHED', splits: { 'Km 5': '10:00' } }],
  ])('fails a finisher without a time: %j', (row) =>
    expectFailed(row, /needs a chip time or a gun time/),
  );

  it.each([
    [{ bib_number: '7', chip_time: '20:60' }, /chip time "20:60"/],
    [{ bib_number: '7', time: '2000' }, /chip time "2000"/],
    [{ bib_number: '7', chip_time: '20:00', gun_time: 'soon' }, /gun time "soon"/],
    [{ bib_number: '7', chip_time: 'x', time: '20:00' }, /chip time "x"/],
    [{ bib_number: '7', chip_time: 'x', gun_time: '20:00' }, /chip time "x"/],
  ])('fails a row with an invalid time: %j', (row, reason) => expectFailed(row, reason));
});

describe('a status', () => {
  it.each([undefined, null, '', ' ', 'FINISHED', 'finished', ' Finished '])(
    '%j is FINISHED',
    (status) => expectStored({ chip_time: '20:00', status }, { status: 'FINISHED' }),
  );

  it.each([
    ['DNS', 'DNS'],
    ['dnf', 'DNF'],
    [' Dsq ', 'DSQ'],
  ])('stores the status %j without times, also when they were sent', (sent, status) =>
    expectStored(
      { status: sent, chip_time: '20:00', gun_time: '21:00', splits: { 'Km 5': '10:00' } },
      { status, chip: null, gun: null, splits: { 'Km 5': 600_000 } },
    ),
  );

  it('leaves the times unread unless it is FINISHED', () =>
    expectStored(
      { status: 'DNF', chip_time: 'soon', gun_time: '-' },
      { status: 'DNF', chip: null },
    ));

  it.each(['FINISH', 'OK', 'D N F', 'DNF.', '\0'])('fails a row with the status %j', (status) =>
    expectFailed({ bib_number: '7', chip_time: '20:00', status }, /status/),
  );
});

describe('splits', () => {
  it('ignores splits that are no times, and keeps the others', async () => {
    const { out, stored } = await uploadOne({
      bib_number: '7',
      chip_time: '20:00',
      splits: { A: '10:60', ' Km 5 ': '10:00', B: 5, C: null, D: { x: 1 }, E: '', F: ['10:00'] },
    });
    expect(out).toMatchObject({ uploaded: 1, splits_detected: ['Km 5'], failed: [] });
    expect(stored?.splits).toEqual({ 'Km 5': 600_000 });
  });

  it('may be null, which means none', () =>
    expectStored({ chip_time: '20:00', splits: null }, { splits: {} }));

  it('stores splits of any name, also __proto__ and constructor', async () => {
    const race = await createRace({ bibs: ['7'] });
    const names = ['__proto__', 'constructor', 'a"b\\c', "d'e", 'f,g', '{h}', 'NULL', '京😀'];
    const splits = names.map((name) => `${JSON.stringify(name)}: "10:00"`);
    const out = await answered(
      await postJson(race, `{"results":[{"bib_number":"7","status":"DNF","splits":{${splits}}}]}`),
    );
    expect(out.splits_detected).toEqual(names);
    const stored = (await storedResults(race.eventId))['7']?.splits ?? {};
    expect(Object.keys(stored).sort()).toEqual([...names].sort());
  });

  it('detects splits in loaded rows alone, in the order of their first appearance', async () => {
    const race = await createRace({ bibs: ['1', '2', '3'] });
    const row = (bib_number: string, ...names: string[]) => ({
      bib_number,
      chip_time: '20:00',
      splits: Object.fromEntries(names.map((name) => [name, '10:00'])),
    });
    const out = await uploadRows(race, [
      row('9', 'Of nobody'),
      { ...row('1', 'Of an error'), chip_time: 'x' },
      row('2', 'Of a duplicate'),
      { ...row('1', 'Km 10'), splits: { 'Km 10': '30:00', 'Never a time': '-' } },
      row('2', 'Km 5', 'Km 10'),
      row('3', 'Km 2', 'Km 5'),
    ]);
    expect(out.splits_detected).toEqual(['Km 10', 'Km 5', 'Km 2']);
  });

  it('ignores splits with a blank name', async () => {
    const splits = { '': '9:59', ' \t': '9:59', 'Km 5': '10:00' };
    const { stored } = await uploadOne({ bib_number: '7', status: 'DNF', splits });
    expect(stored?.splits).toEqual({ 'Km 5': 600_000 });
  });

  it('fail the row if two have one name once blanks are trimmed', async () => {
    const { out, stored } = await uploadOne({
      bib_number: '7',
      chip_time: '20:00',
      splits: { 'Km 5': '10:00', ' Km 5': '10:01' },
    });
    expect(out).toMatchObject({ uploaded: 0, errors: 1, splits_detected: [] });
    expect(out.failed).toMatchObject([{ row: 1, bib_number: '7', reason_code: 'duplicate_split' }]);
    expect(stored).toBeUndefined();
  });

  it.each(['Km\0', 'Km\ud83d'])(
    'fail the row if one is named %j, which nothing can hold',
    (name) => {
      const named = (split: string) => ({
        bib_number: '7',
        chip_time: '20:00',
        splits: { [split]: '10:00' },
      });
      return expectFailed(named(name), /split name/, '7', named(name.toWellFormed()));
    },
  );

  const splitsOf = (first: number, count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`Km ${first + index}`, '9:59']),
    );

  it('accepts at most 1 000 splits in a row', async () => {
    await expectStored({ status: 'DNF', splits: splitsOf(1, 1_000) }, {});
    const row = { bib_number: '7', status: 'DNF', splits: splitsOf(1, 1_001) };
    await expectFailed(row, /more than 1000 splits/);
  });

  it('accepts at most 1 000 names of splits in an upload', async () => {
    const race = await createRace({ bibs: ['7', '8'] });
    const rows = (second: number) => [
      { bib_number: '7', status: 'DNF', splits: splitsOf(1, 600) },
      { bib_number: '8', status: 'DNF', splits: splitsOf(second, 600) },
    ];
    const refused = await postJson(race, JSON.stringify({ results: rows(402) }));
    expect(await expectError(refused, 400, 'VALIDATION_ERROR')).toMatch(/more than 1000 different/);
    await expectNothingWritten(race);
    expect(await uploadRows(race, rows(401))).toMatchObject({ uploaded: 2, errors: 0 });
  });
});

describe('a row of the wrong shape', () => {
  it.each([
    [{ bib_number: '7', chip_time: 1_200 }, /chip_time: expected a string/],
    [{ bib_number: '7', gun_time: ['20:00'] }, /gun_time: expected a string/],
    [{ bib_number: '7', chip_time: '20:00', time: {} }, /time: expected a string/],
    [{ bib_number: '7', chip_time: '20:00', status: false }, /status: expected a string/],
    [{ bib_number: '7', chip_time: '20:00', splits: 'Km 5' }, /splits: expected an object/],
    [{ bib_number: '7', chip_time: '20:00', splits: ['10:00'] }, /splits: expected an object/],
  ])('fails with its bib and the reason: %j', (row, reason) => expectFailed(row, reason));

  it('fails without an echo where it is no object, and the others load', async () => {
    const race = await createRace({ bibs: ['7'] });
    const out = await uploadRows(race, [
      null,
      7,
      '7',
      [{ bib_number: '7' }],
      { bib_number: '7', status: 'DNS' },
    ]);
    expect(out).toMatchObject({ uploaded: 1, errors: 4 });
    expect(out.failed).toEqual(
      [1, 2, 3, 4].map((row) => ({
        row,
        bib_number: null,
        reason: expect.stringContaining('expected an object'),
        reason_code: 'invalid_row',
      })),
    );
  });

  it('echoes half a character as U+FFFD', async () => {
    const race = await createRace({ bibs: ['7'] });
    const row = '{"bib_number":"7\\ud83c","chip_time":"41:00","club":"a\\udfffb"}';
    const response = await postJson(race, `{"results":[${row}]}`);
    const text = await response.text();
    expect(text).not.toContain('\\u');
    expect(text).toContain('{"bib_number":"7\ufffd","chip_time":"41:00","club":"a\ufffdb"}');
  });

  it('echoes a key named __proto__', async () => {
    const race = await createRace();
    const row = '{"__proto__":{"bib_number":"7"},"status":"DNS"}';
    const response = await postJson(race, `{"results":[${row}]}`);
    expect(await response.clone().text()).toContain(`"item":${row}`);
    expect(await answered(response)).toMatchObject({ errors: 1, failed: [{ bib_number: null }] });
  });
});

describe('a body is refused as a whole, and nothing of it is written', () => {
  const good = '{"bib_number":"7","chip_time":"20:00"}';

  it.each([
    ['nothing', '', /not JSON/],
    ['no JSON', 'bib,time', /not JSON/],
    ['half of it', `{"results":[${good}`, /not JSON/],
    ['more than it', `{"results":[${good}]}]`, /not JSON/],
    ['null', 'null', /expected an object/],
    ['the rows alone', `[${good}]`, /expected an object/],
    ['no results', `{"result":[${good}]}`, /results: expected an array/],
    ['results that are null', '{"results":null}', /results: expected an array/],
    ['results that are no array', `{"results":{"0":${good}}}`, /results: expected an array/],
    [
      'results of the prototype',
      `{"__proto__":{"results":[${good}]}}`,
      /results: expected an array/,
    ],
  ])('%s', async (_what, body, detail) => {
    const race = await createRace({ bibs: ['7'] });
    const response = await postJson(race, body);
    expect(await expectError(response, 400, 'VALIDATION_ERROR')).toMatch(detail);
    await expectNothingWritten(race);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'multipart/form-data',
    '',
  ])('content type %j', async (type) => {
    const race = await createRace({ bibs: ['7'] });
    const response = await postJson(race, `{"results":[${good}]}`, { type });
    expect(await expectError(response, 400, 'VALIDATION_ERROR')).toMatch(/Content-Type/);
    await expectNothingWritten(race);
  });

  it.each(['Application/JSON', 'application/json; charset=utf-8', 'application/json ;x=y'])(
    'though not for content type %j',
    async (type) => {
      const race = await createRace({ bibs: ['7'] });
      const response = await postJson(race, `{"results":[${good}]}`, { type });
      expect(await answered(response)).toMatchObject({ uploaded: 1 });
    },
  );

  it('bytes that are not UTF-8', async () => {
    const race = await createRace({ bibs: ['7'] });
    const body = bytesOf([
      `{"results":[${good},{"bib_number":"`,
      Uint8Array.of(0xf1),
      '","status":"DNS"}]}',
    ]);
    const response = await postJson(race, body);
    expect(await expectError(response, 400, 'VALIDATION_ERROR')).toMatch(/UTF-8/);
    await expectNothingWritten(race);
  });

  it('refuses a body that ends inside a character', async () => {
    const race = await createRace();
    const response = await postJson(race, bytesOf(['{"results":[]}', Uint8Array.of(0xc3)]));
    expect(await expectError(response, 400, 'VALIDATION_ERROR')).toMatch(/UTF-8/);
  });

  it('refuses a body that breaks off', async () => {
    const race = await createRace({ bibs: ['7'] });
    const pieces = async function* () {
      yield bytesOf([`{"results":[${good}`]);
      throw new Error('the line went dead');
    };
    const response = await postJson(race, bodyOf(pieces()));
    expect(await expectError(response, 400, 'VALIDATION_ERROR')).toMatch(/broke off/);
    await expectNothingWritten(race);
  });
});

it('characters are read whole where the body cuts them, and a byte order mark is passed over', async () => {
  const race = await createRace({ bibs: ['ñ京😀'] });
  const body = bytesOf(['\ufeff{"results":[{"bib_number":"ñ京😀","chip_time":"20:00"}]}']);
  const bytes = Array.from(body, (byte) => Uint8Array.of(byte));
  expect(await answered(await postJson(race, bodyOf(bytes)))).toMatchObject({ uploaded: 1 });
});

describe('at most 5000 rows', () => {
  it('refuses 5001 rows and writes nothing', async () => {
    const race = await createRace({ bibs: ['1'] });
    const results = Array(5_001).fill({ bib_number: '1', chip_time: '20:00' });
    const response = await postJson(race, JSON.stringify({ results }));
    expect(await expectError(response, 400, 'VALIDATION_ERROR')).toMatch(/at most 5000/);
    await expectNothingWritten(race);
  });
});

describe('a body of at most 8 MiB', () => {
  it('refuses one byte more by its Content-Length', async () => {
    const race = await createRace({ bibs: ['7'] });
    const headers = { 'Content-Length': String(8 * MIB + 1) };
    const body = bytesOf(['{"results":[{"bib_number":"7","chip_time":"20:00"}]}']);
    const response = await postJson(race, body, { headers });
    expect(await expectError(response, 413, 'VALIDATION_ERROR')).toMatch(/8 MiB/);
    await expectNothingWritten(race);
  });
});

it('keeps a result with its registration when the bib is corrected', async () => {
  const race = await createRace({ bibs: ['7'] });
  await uploadRows(race, [{ bib_number: '7', chip_time: '20:00' }]);
  await db
    .update(registrations)
    .set({ bib_number: '70' })
    .where(eq(registrations.event_id, race.eventId));
  expect(Object.keys(await storedResults(race.eventId))).toEqual(['70']);
});

it('warns that results lose splits, and stores what was sent', async () => {
  const race = await createRace({ bibs: ['1', '2', '3'] });
  const send = (...splits: object[]) =>
    uploadRows(
      race,
      splits.map((one, at) => ({ bib_number: `${at + 1}`, chip_time: `1:0${at}:10`, splits: one })),
    );
  const [km5, km10] = [{ 'Km 5': '20:00' }, { 'Km 10': '41:30' }];
  expect((await send(km5, { ...km5, ...km10 }, {})).warnings).toBeUndefined();
  expect(
    (await send({ ...km5, ...km10 }, { ...km10, ...km5 }, { 'Km 5': '20:30' })).warnings,
  ).toBeUndefined();
  expect((await send(km10, {}, { 'Km 5': '20:01' })).warnings).toEqual([
    {
      code: 'splits_removed',
      detail: expect.stringMatching(/^2 results lost splits/),
      values: { case: 'done', count: 2 },
      rows: [],
    },
  ]);
  expect(Object.values(await storedResults(race.eventId)).map(({ splits }) => splits)).toEqual([
    { 'Km 10': 2_490_000 },
    {},
    { 'Km 5': 1_201_000 },
  ]);
});

describe('a field that nobody reads', () => {
  it.each([
    ['estado', 'DSQ', 'status'],
    ['Status', 'DNF', 'status'],
    ['remark', 'Disqualified', undefined],
  ])('%s: %s beside a time is told, and the row loads', async (name, value, meant) => {
    const race = await createRace({ bibs: ['7', '8'] });
    const rows = [
      { bib_number: '7', chip_time: '20:01', [name]: value },
      { bib_number: '8', chip_time: '21:00', [name]: 'OK' },
    ];
    const { uploaded, warnings } = await uploadRows(race, rows);
    expect(uploaded).toBe(2);
    expect(warnings).toEqual([
      {
        code: 'finished_despite_mark',
        detail: expect.stringMatching(/Send it as the status/),
        values: { case: 'field', count: 1, words: [value], columns: [name] },
        rows: [1],
      },
      {
        code: 'unknown_fields',
        detail: expect.stringContaining(
          meant ? `"${name}" (did you mean ${meant}?)` : `not read: "${name}".`,
        ),
        values: expect.objectContaining({ count: 2, fields: [name] }),
        rows: [1, 2],
      },
    ]);
  });

  it.each([
    ['chiptime', 'chip_time'],
    ['split', 'splits'],
    ['dorsal', 'bib_number'],
    ['gunTime', 'gun_time'],
  ])('%s is told with the name %s', async (name, meant) => {
    const { out } = await uploadOne({ bib_number: '7', time: '20:00', [name]: '1' });
    expect(out.warnings).toMatchObject([
      {
        code: 'unknown_fields',
        detail: expect.stringContaining(`"${name}" (did you mean ${meant}?)`),
      },
    ]);
  });

  it('is told for the first 20 fields and rows, with names of at most 100 characters', async () => {
    const race = await createRace({ bibs: [] });
    const rows = Array.from({ length: 50 }, (_, at) => ({
      bib_number: `${at}`,
      time: '20:00',
      [`${at} ${'x'.repeat(500)}`]: 'DNF',
    }));
    const [warning] = (await uploadRows(race, rows)).warnings?.slice(-1) ?? [];
    expect(warning?.rows).toHaveLength(20);
    expect(warning?.detail).toMatch(/^50 rows have .+, and others\.$/);
    expect(warning?.detail.length).toBeLessThan(20 * 110);
  });
});

it('takes an empty array for an object without splits', async () => {
  await expectStored({ chip_time: '20:00', splits: [] }, { splits: {} });
  await expectFailed({ bib_number: '7', chip_time: '20:00', splits: ['5:00'] }, /splits/);
});

it('warns of a second finish that is much later, and not of a correction', async () => {
  const race = await createRace({ bibs: ['7', '8', '9'] });
  const send = (...times: string[]) =>
    uploadRows(
      race,
      times.map((time, at) => ({ bib_number: `${7 + at}`, chip_time: time })),
    );
  expect((await send('20:01', '30:00')).warnings).toBeUndefined();
  expect((await send('20:40', '31:00', '40:00')).warnings).toBeUndefined();
  const { updated, warnings } = await send('20:40', '46:30', '10:00');
  expect([updated, warnings]).toEqual([
    3,
    [
      {
        code: 'second_finish',
        detail: expect.stringMatching(/^1 runner had/),
        values: { count: 1, times: 1.5 },
        rows: [2],
      },
    ],
  ]);
});

it('counts all second finishes and names the first twenty rows', async () => {
  const bibs = Array.from({ length: 25 }, (_, at) => String(at + 1));
  const race = await createRace({ bibs });
  const send = (time: string) =>
    uploadRows(
      race,
      bibs.map((bib_number) => ({ bib_number, time })),
    );
  await send('20:00');
  const { warnings } = await send('30:00');
  const rows = Array.from({ length: 20 }, (_, at) => at + 1);
  expect(warnings).toContainEqual({
    code: 'second_finish',
    detail: expect.stringMatching(/^25 runners had/),
    values: { count: 25, times: 1.5 },
    rows,
  });
});
