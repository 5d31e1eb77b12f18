import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RowError } from '../../../timing-files/read/reason-codes.ts';
import { openJson } from '../../http/json-text.ts';
import { resultRows } from './json-rows.ts';
import { ResultIn } from './schemas.ts';

const VALUE = fc.oneof(
  { weight: 8, arbitrary: fc.string() },
  fc.constant(null),
  fc.nat(),
  fc.boolean(),
  fc.constant([]),
  fc.dictionary(fc.string(), fc.string()),
);
const FIELDS = Object.keys(ResultIn().shape).map((name) => [name, VALUE] as const);
const SPLITS = fc.oneof(VALUE, fc.dictionary(fc.string(), fc.string()));
const ROW = fc.record({ ...Object.fromEntries(FIELDS), splits: SPLITS }, { requiredKeys: [] });

/** The outcome of the row alone in a body. */
function claimOf(row: unknown): unknown {
  const [sent] = resultRows(openJson(Buffer.from(JSON.stringify({ results: [row] }))));
  try {
    return sent?.claim();
  } catch (error) {
    return error;
  }
}

test('a row of texts and any further row are read as the schema says', () => {
  fc.assert(
    fc.property(ROW, (row) => {
      const { success, data } = ResultIn().safeParse(row);
      const claimed = claimOf(row);
      if (!success) {
        expect(claimed).toBeInstanceOf(RowError);
        return;
      }
      const { bib_number, chip_time, gun_time, time, status, splits } = data;
      expect(claimed).toEqual({
        bib: bib_number,
        chipTime: chip_time?.trim() || time || '',
        gunTime: gun_time ?? '',
        status: status ?? '',
        splitNames: Object.keys(splits ?? {}),
        splitTimes: Object.values(splits ?? {}),
      });
    }),
    { numRuns: 2_000 },
  );
});
