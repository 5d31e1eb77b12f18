import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitRow } from '../../timing-files/read/csv-reader.ts';
import { formatRaceTime } from '../../timing-files/read/race-time.ts';
import { csvLine, unguarded } from '../../timing-files/write/csv.ts';
import { splitsCell, splitsOfCell } from '../../timing-files/write/splits-cell.ts';
import { toSplitTimes } from './result.ts';

const anyName = fc.oneof(
  fc.string({
    unit: fc.constantFrom(...'=+-@＝\'",;\\\t\r\n ', 'K', '5', 'é', '😀'),
    maxLength: 6,
  }),
  fc.constantFrom('Km 5', '10 km (T1)', '__proto__', 'a/b.c'),
);

test('writes splits as their JSON is written, and reads them back', () => {
  fc.assert(
    fc.property(
      fc.dictionary(anyName, fc.nat(400_000_000), { noNullPrototype: true }),
      fc.constantFrom(',', ';'),
      (splits, delimiter) => {
        const json = JSON.stringify(toSplitTimes(splits));
        const line = csvLine([7, splitsCell(splits, formatRaceTime, toSplitTimes)], delimiter);
        expect(line).toBe(csvLine([7, json], delimiter));
        const [, cell = ''] = splitRow(line.trimEnd(), delimiter);
        expect(splitsOfCell(unguarded(cell))).toEqual(Object.entries(toSplitTimes(splits)));
      },
    ),
    { numRuns: 2_000 },
  );
});
