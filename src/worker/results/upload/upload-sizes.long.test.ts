import { describe, expect, test } from 'vitest';
import { expectError } from '../../../testing/assertions.ts';
import { createRace } from '../../../testing/factories.ts';
import {
  answered,
  bodyOf,
  bytesOf,
  filePart,
  form,
  postForm,
  postJson,
  type Race,
  storedBatches,
  storedResults,
  textPart,
  uploadCsv,
  uploadRows,
} from '../../../testing/uploads.ts';
import { ROWS_PER_JSON_UPLOAD } from './schemas.ts';

const MIB = 1_024 * 1_024;

async function expectNothingWritten({ eventId }: Race) {
  expect(await storedResults(eventId)).toEqual({});
  expect(await storedBatches(eventId)).toEqual([]);
}

describe('rows of JSON', () => {
  test('accepts an upload of 5000 rows', async () => {
    const rows = Array.from({ length: 5_000 }, (_, index) => ({
      bib_number: `${index + 1}`,
      chip_time: '20:00',
    }));
    const race = await createRace({ bibs: rows.map(({ bib_number }) => bib_number) });
    expect(await uploadRows(race, rows)).toMatchObject({
      total_processed: 5_000,
      uploaded: 5_000,
      failed: [],
    });
  });

  test('reads as many rows as are accepted, with 95 splits each', async () => {
    const race = await createRace({ bibs: ['7'] });
    const splits = Object.fromEntries(Array.from({ length: 95 }, (_, at) => [`K${at}`, '9:59']));
    const rows = Array(ROWS_PER_JSON_UPLOAD).fill(
      JSON.stringify({ bib_number: '7', time: '9:59', splits }),
    );
    const out = await answered(await postJson(race, `{"results":[${rows}]}`));
    expect(out).toMatchObject({ uploaded: 1, duplicates: ROWS_PER_JSON_UPLOAD - 1 });
  });
});

describe('a body of at most 8 MiB', () => {
  const bodyOfSize = (size: number) => {
    const start = '{"results":[{"bib_number":"7","chip_time":"20:00"}]}';
    return bytesOf([start, ' '.repeat(size - start.length)]);
  };
  const streamed = (bytes: Uint8Array) =>
    bodyOf([bytes.subarray(0, 4 * MIB), bytes.subarray(4 * MIB, 8 * MIB), bytes.subarray(8 * MIB)]);

  test('accepts a body of 8 MiB', async () => {
    const race = await createRace({ bibs: ['7'] });
    const body = bodyOfSize(8 * MIB);
    const headers = { 'Content-Length': String(body.length) };
    expect(await answered(await postJson(race, body, { headers }))).toMatchObject({ uploaded: 1 });
    expect(await answered(await postJson(race, streamed(body)))).toMatchObject({ updated: 1 });
  });

  test('refuses one byte more as it arrives, if no length was announced', async () => {
    const race = await createRace({ bibs: ['7'] });
    const response = await postJson(race, streamed(bodyOfSize(8 * MIB + 1)));
    await expectError(response, 413, 'VALIDATION_ERROR');
    await expectNothingWritten(race);
  });

  test('stops reading a body without an end', async () => {
    const race = await createRace();
    let pieces = 0;
    const endless = function* () {
      for (;;) {
        pieces += 1;
        yield new Uint8Array(MIB);
      }
    };
    await expectError(await postJson(race, bodyOf(endless())), 413, 'VALIDATION_ERROR');
    expect(pieces).toBeLessThan(120);
  });
});

test('stores a file of 100 000 rows', async () => {
  const race = await createRace({ bibs: ['7'] });
  const lines = Array.from({ length: 99_999 }, (_, index) => `9${index},dns\n`);
  const out = await uploadCsv(race, `bib,estado\n7,dns\n${lines.join('')}`);
  expect(out).toMatchObject({ total_processed: 100_000, uploaded: 1, not_found: 99_999 });
  expect(out.failed.at(-1)).toMatchObject({ row: 100_001, item: { estado: 'dns' } });
});

describe('a form of at most 16 MiB', () => {
  const good = filePart('dorsal,tiempo\n7,20:00\n');
  const bodyOfSize = (size: number) => {
    const empty = form([good, textPart('padding', '')]).length;
    return form([good, textPart('padding', new Uint8Array(size - empty))]);
  };
  const streamed = (bytes: Uint8Array) =>
    bodyOf([0, 1, 2].map((part) => bytes.subarray(part * 8 * MIB, (part + 1) * 8 * MIB)));

  test('accepts a body of 16 MiB', async () => {
    const race = await createRace({ bibs: ['7'] });
    const body = bodyOfSize(16 * MIB);
    const headers = { 'Content-Length': String(body.length) };
    expect(await answered(await postForm(race, body, { headers }))).toMatchObject({ uploaded: 1 });
    expect(await answered(await postForm(race, streamed(body)))).toMatchObject({ updated: 1 });
  });

  test('refuses one byte more as it arrives, if no length was announced', async () => {
    const race = await createRace({ bibs: ['7'] });
    const response = await postForm(race, streamed(bodyOfSize(16 * MIB + 1)));
    await expectError(response, 413, 'VALIDATION_ERROR');
    await expectNothingWritten(race);
  });
});
