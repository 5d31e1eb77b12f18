import { asc, eq } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyDialect, type Dialect, encode, writeCsv } from '../../../testing/csv.ts';
import { createRace, createRegistrations, db } from '../../../testing/factories.ts';
import { type Race, storedResults, uploadCsv, uploadRows } from '../../../testing/uploads.ts';
import { standings } from '../../db/schema.ts';

const KNOWN_BIBS = ['1', '2', '3', '4', 'A-5', 'Ñ6'];
const SPLITS = ['Km 5', 'Mitad', 'Año "1"'];

/** A row of texts alone, as in a CSV, and whether the row has a fault. */
type Sample = { row: Record<string, string>; bib: string; isValid: boolean };

const anyBib = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...KNOWN_BIBS) },
  { weight: 2, arbitrary: fc.constantFrom('404', 'ghost', 'a-5', '__proto__') },
);
const anyTime = fc.constantFrom('20:00', '1:00:00.5', '00:59:59,123', ' 61:00 ');
const anyNonTime = fc.constantFrom('20:60', 'DNF', '20.00', '1:2:3', '-');
const blank = fc.constantFrom('', ' ');

const anyTimes = fc.oneof(
  fc.record({ chip_time: anyTime, gun_time: fc.oneof(anyTime, blank) }),
  fc.record({ chip_time: blank, gun_time: anyTime }),
);
const anyBadTimes = fc.oneof(
  fc.record({ chip_time: blank, gun_time: blank }),
  fc.record({ chip_time: anyNonTime, gun_time: fc.oneof(anyTime, blank) }),
  fc.record({ chip_time: fc.oneof(anyTime, blank), gun_time: anyNonTime }),
);
const anySplits = fc.record(
  Object.fromEntries(SPLITS.map((name) => [name, fc.oneof(anyTime, anyNonTime, blank)])),
);

const goodRow = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom('', 'FINISHED', 'finished '), anyTimes) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom('DNS', 'dnf', ' DSQ'), fc.oneof(anyTimes, anyBadTimes)),
  },
);
const badRow = fc.oneof(
  fc.tuple(fc.constantFrom('', 'FINISHED'), anyBadTimes),
  fc.tuple(fc.constantFrom('OK', 'DNFF', 'D N S'), anyTimes),
);

const anySample: fc.Arbitrary<Sample> = fc
  .tuple(
    anyBib,
    fc.constantFrom('', ' ', '\t'),
    fc.oneof(
      { weight: 4, arbitrary: fc.record({ row: goodRow, isValid: fc.constant(true) }) },
      { weight: 1, arbitrary: fc.record({ row: badRow, isValid: fc.constant(false) }) },
    ),
    anySplits,
  )
  .map(
    ([
      bib,
      padding,
      {
        row: [status, times],
        isValid,
      },
      splits,
    ]) => ({
      row: { bib_number: padding + bib + padding, ...times, status, ...splits },
      bib,
      isValid,
    }),
  );
const anySamples = fc.array(anySample, { maxLength: 30 });

const toJson = ({ row }: Sample) => ({
  bib_number: row['bib_number'],
  chip_time: row['chip_time'],
  gun_time: row['gun_time'],
  status: row['status'],
  splits: Object.fromEntries(SPLITS.map((name) => [name, row[name]])),
});

const HEADER = ['bib_number', 'chip_time', 'gun_time', 'status', ...SPLITS];

const toCsv = (samples: readonly Sample[], dialect: Dialect) =>
  encode(
    writeCsv([HEADER, ...samples.map(({ row }) => HEADER.map((name) => row[name] ?? ''))], dialect),
    dialect,
  );

/** Any rows that JSON can hold, in the shape of an upload or not. */
const anyItem = fc.oneof(
  anySample.map(toJson),
  fc.record(
    {
      bib_number: fc.oneof(fc.jsonValue(), fc.constantFrom(...KNOWN_BIBS)),
      chip_time: fc.oneof(fc.jsonValue(), anyTime),
      gun_time: fc.jsonValue(),
      time: fc.oneof(fc.jsonValue(), anyTime),
      status: fc.oneof(fc.jsonValue(), fc.constantFrom('DNF', 'FINISHED')),
      splits: fc.oneof(
        fc.jsonValue(),
        fc.dictionary(fc.string({ unit: 'binary' }), fc.oneof(anyTime, fc.jsonValue())),
      ),
    },
    { requiredKeys: [] },
  ),
  fc.jsonValue(),
);

const openRace = () => createRace({ bibs: KNOWN_BIBS });

/** Counts and failures in the order of the rows, worked out apart from the code. */
function expectedOutcome(samples: readonly Sample[]) {
  const lastValid = new Map<string, number>();
  for (const [index, { bib, isValid }] of samples.entries()) if (isValid) lastValid.set(bib, index);
  const isWinner = ({ bib }: Sample, index: number) => lastValid.get(bib) === index;
  const failed = [...samples.entries()].filter(
    ([index, sample]) =>
      !sample.isValid || (isWinner(sample, index) && !KNOWN_BIBS.includes(sample.bib)),
  );
  const stored = [...lastValid.keys()].filter((bib) => KNOWN_BIBS.includes(bib));
  return {
    total_processed: samples.length,
    uploaded: stored.length,
    updated: 0,
    unchanged: 0,
    not_found: lastValid.size - stored.length,
    errors: samples.filter(({ isValid }) => !isValid).length,
    duplicates: samples.filter((sample, index) => sample.isValid && !isWinner(sample, index))
      .length,
    failed: failed.map(([index, { bib }]) => ({ row: index + 1, bib_number: bib })),
  };
}

const readStandings = ({ eventId }: Race) =>
  db
    .select({
      bib: standings.bib_number,
      timeMs: standings.finish_time_ms,
      overall: standings.position_overall,
      gender: standings.position_gender,
      category: standings.position_category,
    })
    .from(standings)
    .where(eq(standings.event_id, eventId))
    .orderBy(asc(standings.bib_number));

it('counts every row once, and lists errors and unknown bibs in order', async () => {
  await fc.assert(
    fc.asyncProperty(anySamples, async (samples) => {
      const race = await openRace();
      const rows = samples.map(toJson);
      const { batch_id, splits_detected, warnings, failed, ...counts } = await uploadRows(
        race,
        rows,
      );
      expect({
        ...counts,
        failed: failed.map(({ row, bib_number }) => ({ row, bib_number })),
      }).toEqual(expectedOutcome(samples));
      expect(failed.map(({ item }) => item)).toEqual(failed.map(({ row }) => rows[row - 1]));
    }),
    { numRuns: 10 },
  );
});

it('rows of any content are counted, each once, and none is a failure of the whole', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyItem, { maxLength: 30 }), async (rows) => {
      const race = await openRace();
      const out = await uploadRows(race, rows);
      expect(out.total_processed).toBe(rows.length);
      expect(Object.keys(await storedResults(race.eventId))).toHaveLength(out.uploaded);
    }),
    { numRuns: 10 },
  );
});

it('stores a CSV in any dialect as it stores the same rows of JSON', async () => {
  await fc.assert(
    fc.asyncProperty(anySamples, anyDialect, async (samples, dialect) => {
      const [jsonRace, csvRace] = await Promise.all([openRace(), openRace()]);
      const json = await uploadRows(jsonRace, samples.map(toJson));
      const csv = await uploadCsv(csvRace, toCsv(samples, dialect));
      expect({
        ...csv,
        batch_id: '',
        warnings: undefined,
        failed: csv.failed.map(({ item, reason, ...failure }) => ({
          ...failure,
          // A file has a parameter that JSON lacks.
          reason: reason.replace(/ If the file writes bibs otherwise .*$/, ''),
          row: failure.row - 1,
        })),
      }).toEqual({
        ...json,
        batch_id: '',
        warnings: undefined,
        failed: json.failed.map(({ item, ...failure }) => failure),
      });
      expect(csv.failed.map(({ item }) => item)).toEqual(
        csv.failed.map(({ row }) => samples[row - 2]?.row),
      );
      expect(await storedResults(csvRace.eventId)).toEqual(await storedResults(jsonRace.eventId));
    }),
    { numRuns: 10 },
  );
});

it('stores a repeated upload once: equal rows then replace the new rows', async () => {
  await fc.assert(
    fc.asyncProperty(anySamples, async (samples) => {
      const race = await openRace();
      const rows = samples.map(toJson);
      const once = await uploadRows(race, rows);
      const stored = await storedResults(race.eventId);
      const twice = await uploadRows(race, rows);
      expect(twice).toEqual({
        ...once,
        batch_id: twice.batch_id,
        uploaded: 0,
        updated: once.uploaded,
        unchanged: once.uploaded,
      });
      expect(await storedResults(race.eventId)).toEqual(stored);
    }),
    { numRuns: 8 },
  );
});

it('batches of different bibs stand the same in whichever order they come', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(anySample, { selector: ({ bib }) => bib, maxLength: 6 }),
      fc.nat({ max: 6 }),
      async (samples, place) => {
        const batches = [samples.slice(0, place), samples.slice(place)];
        const standingsAfter = async (inOrder: readonly Sample[][]) => {
          const race = await createRace();
          await createRegistrations(
            race.eventId,
            KNOWN_BIBS.map((bib_number, index) => ({
              bib_number,
              gender: index % 2 === 0 ? 'F' : 'M',
              category: index % 3 === 0 ? null : 'Senior',
            })),
          );
          for (const batch of inOrder) await uploadRows(race, batch.map(toJson));
          return readStandings(race);
        };
        expect(await standingsAfter(batches.toReversed())).toEqual(await standingsAfter(batches));
      },
    ),
    { numRuns: 8 },
  );
});
