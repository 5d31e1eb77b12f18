import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine } from '../../timing-files/write/csv.ts';
import { splitsCell, toSplitTimes } from './result.ts';

const anyName = fc.oneof(
  fc.string({
    unit: fc.constantFrom(...'=+-@＝\'",;\\\t\r\n ', 'K', '5', 'é', '😀'),
    maxLength: 6,
  }),
  fc.constantFrom('Km 5', '10 km (T1)', '__proto__', 'a/b.c'),
);

test('writes splits as their JSON is written', () => {
  fc.assert(
    fc.property(
      fc.dictionary(anyName, fc.nat(400_000_000), { noNullPrototype: true }),
      fc.constantFrom(',', ';'),
      (splits, delimiter) => {
        const json = JSON.stringify(toSplitTimes(splits));
        expect(csvLine([7, splitsCell(splits)], delimiter)).toBe(csvLine([7, json], delimiter));
      },
    ),
    { numRuns: 2_000 },
  );
});
