import { expect, test } from 'vitest';
import { streamOf } from '../../../testing/csv.ts';
import { bytesOf } from '../../../testing/uploads.ts';
import { RowError } from '../../../timing-files/read/reason-codes.ts';
import type { ClaimedResult, SentRow } from '../../../timing-files/read/result.ts';
import { JSON_VALUES_MAX } from '../../http/json-text.ts';
import { failuresAmong } from './answer.ts';
import { createBatchBuilder } from './batch.ts';
import { readCsvBatch } from './csv-batch.ts';
import { createFailures } from './failures.ts';

const GOOD = { chipTime: '20:00', gunTime: '', status: '', splitNames: [], splitTimes: [] };

/** Rows of which every third fails, and the number of judgements of each row. */
function rowsWithFailures(count: number, status: string) {
  const judged = new Map<number, number>();
  function* rows(): Generator<SentRow> {
    for (let row = 1; row <= count; row += 1) {
      const bib = String(row);
      const claim = (): ClaimedResult => {
        judged.set(row, (judged.get(row) ?? 0) + 1);
        return { ...GOOD, bib, status: row % 3 === 0 ? `${status} ${row}` : '' };
      };
      yield { row, claim, bib: () => bib, echo: () => ({ bib }) };
    }
  }
  return { rows, judged };
}

function failuresOf(rows: () => Iterable<SentRow>) {
  const batch = createBatchBuilder();
  for (const row of rows()) batch.add(row);
  return [...failuresAmong(batch.finish(rows), [])];
}

test('judges each row of an upload with failures once', () => {
  const { rows, judged } = rowsWithFailures(90, 'unknown');
  expect(failuresOf(rows)).toHaveLength(30);
  expect(new Set(judged.values())).toEqual(new Set([1]));
});

test('answers each failure also if the reasons do not fit into memory', () => {
  const sent = (row: number) => ({ row, claim: () => row, bib: () => null, echo: () => ({}) });
  const reasonOf = (row: number) => `${row} ${'x'.repeat(1_000_000)}`;
  const judged: number[] = [];
  const failures = createFailures(({ row }) => {
    judged.push(row);
    return row === 11 ? undefined : new RowError(reasonOf(row), 'invalid_time');
  });
  const failing = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12];
  for (const row of failing) failures.add(row, new RowError(reasonOf(row), 'invalid_time'));
  const rows = Array.from({ length: 12 }, (_, at) => sent(at + 1));
  expect(rows.flatMap((row) => (failures.of(row) ? [row.row] : []))).toEqual(failing);
  expect(rows.every((row) => failures.of(row)?.message !== reasonOf(row.row + 1))).toBe(true);
  expect(Math.min(...judged)).toBeGreaterThan(7);
  expect(failures.count).toBe(failing.length);
});

test('understands 10 000 different statuses of a file, and fails rows with others', async () => {
  const words = Array.from({ length: 10_010 }, (_, at) => `DNF reason ${at}`);
  const rows = ['DNF', ...words, 'DNF', 'DNF reason 7'].map((word, at) => `${at + 1},,${word}\n`);
  const batch = await readCsvBatch(streamOf([bytesOf([`bib,time,status\n${rows.join('')}`])]));
  const failures = Array.from(failuresAmong(batch, [])).filter((failure) => failure !== undefined);
  expect(failures.map(({ bib_number }) => Number(bib_number))).toEqual(
    Array.from({ length: 11 }, (_, at) => 10_001 + at),
  );
  expect(failures[0]).toMatchObject({
    reason:
      'The status "DNF reason 9999" is not read: the file has more than 10000 different statuses.',
    reason_code: 'invalid_status',
  });
});

test('lists every failed row, and gives items up to the values of a JSON body', () => {
  const { rows } = rowsWithFailures(1_800, 'unknown');
  const values = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`Km ${at}`, '']));
  const failed = failuresOf(function* () {
    for (const row of rows()) yield { ...row, echo: () => values };
  });
  expect(failed).toHaveLength(600);
  expect(failed.filter((one) => one?.item)).toHaveLength(JSON_VALUES_MAX / 1_000);
  expect(failed.at(-1)).toMatchObject({
    row: 1_800,
    bib_number: '1800',
    reason_code: 'invalid_status',
  });
});
