import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import {
  delimiterOf,
  type SentFile,
  TIMING_EXPORTS,
  textOf,
} from '../../../site/docs/timing-exports.ts';
import { expectError } from '../../../testing/assertions.ts';
import { encode, PLAIN } from '../../../testing/csv.ts';
import { createRace } from '../../../testing/factories.ts';
import { postCsv, storedResults, uploadCsv } from '../../../testing/uploads.ts';
import { parseRaceTime } from '../../../timing-files/read/race-time.ts';

const BIBS = ['101', '102', '103'];

describe('the guide says of a file', () => {
  test.each(TIMING_EXPORTS)('how it is read: $source', ({ sent, failed = {} }) =>
    expectRead(sent, failed),
  );

  const advised = TIMING_EXPORTS.flatMap(({ source, sent, advice }) =>
    advice ? [{ source, sent, ...advice }] : [],
  );

  test.each(advised)('what makes it load whole: $source', ({ changed }) => expectRead(changed, {}));

  test.each(advised)('every column to change: $source', ({ sent, changed, text }) => {
    const [before, after] = [headerOf(sent), headerOf(changed)];
    const differing = [
      ...before.filter((name) => !after.includes(name)),
      ...after.filter((name) => !before.includes(name)),
    ];
    const named = [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
    expect(named.sort()).toEqual(differing.sort());
  });
});

/** Uploads the file; then the stored results equal the file's columns, for every good row. */
async function expectRead(sent: SentFile, failed: Record<number, string>): Promise<void> {
  const race = await createRace({ bibs: BIBS });
  const { read } = sent;
  if ('refused' in read) {
    const response = await postCsv(race, bytesOf(sent));
    expect(await expectError(response, 400, 'VALIDATION_ERROR')).toContain(read.refused);
    return;
  }
  const { chipTime = '', gunTime = '', status = '', splits = [] } = read;
  const rows = rowsOf(sent);
  const out = await uploadCsv(race, bytesOf(sent));
  expect(out).toMatchObject({ total_processed: rows.length, splits_detected: splits });
  expect(out.failed.map(({ row }) => row)).toEqual(Object.keys(failed).map(Number));
  for (const { row, reason } of out.failed) expect(reason).toContain(failed[row]);

  const loaded = rows.filter((_, index) => failed[index + 2] === undefined);
  expect(await storedResults(race.eventId)).toEqual(
    Object.fromEntries(
      loaded.map((cells) => [
        cells[read.bib],
        {
          status: cells[status] || 'FINISHED',
          chip: timeOf(cells[chipTime]),
          gun: timeOf(cells[gunTime]),
          splits: Object.fromEntries(
            splits
              .map((split) => [split, timeOf(cells[split])] as const)
              .filter(([, timeMs]) => timeMs !== null),
          ),
        },
      ]),
    ),
  );
}

const timeOf = (cell = ''): number | null => parseRaceTime(cell) ?? null;

const headerOf = (sent: SentFile): string[] => parse(sent).meta.fields ?? [];

const rowsOf = (sent: SentFile) => parse(sent).data;

const parse = (sent: SentFile) =>
  Papa.parse<Record<string, string>>(textOf(sent), {
    delimiter: delimiterOf(sent),
    header: true,
    skipEmptyLines: true,
  });

function bytesOf(sent: SentFile): Uint8Array {
  const { encoding } = sent;
  const text = textOf(sent);
  if (encoding === 'UTF-16') {
    const units = Uint16Array.from(`\uFEFF${text}`, (character) => character.charCodeAt(0));
    return new Uint8Array(units.buffer);
  }
  return encode(text, {
    ...PLAIN,
    encoding: encoding === 'latin-1' ? 'latin-1' : 'utf-8',
    hasByteOrderMark: encoding === 'UTF-8 with BOM',
  });
}
