import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { bytesIn, streamOf } from '../../testing/csv.ts';
import { withoutPauses } from '../../testing/no-pauses.ts';
import type { ResultsFile } from '../../testing/results-files.ts';
import { judgeFile } from '../../testing/results-judge.ts';
import { readCsvBatch } from '../../worker/results/upload/csv-batch.ts';
import { parseParameters } from '../read/parameters.ts';
import { kmOfPoint } from '../read/point.ts';
import { RowError } from '../read/reason-codes.ts';
import { judgeRow } from '../read/result.ts';
import { type Mark, wrongClocks } from './clocks.ts';

withoutPauses();

const FILES: ResultsFile[] = JSON.parse(inject('resultsFiles'));
const WITH_SPLITS = FILES.filter(({ splits = [] }) => splits.length > 0);

/** The median runner's pace, if nobody knows how far a point is from the start. */
const MS_OF_KM = 300_000;

/** The splits and the finish of each runner of a file. */
async function marksIn(file: ResultsFile): Promise<Mark[][]> {
  const { query, offered } = await judgeFile(file);
  const parameters = parseParameters(new URLSearchParams(query || offered[0]?.query));
  const { sentAgain } = await readCsvBatch(streamOf([bytesIn(file)]), parameters);
  const runners = [...sentAgain()].flatMap((row) => {
    const judged = row && judgeRow(row);
    if (!judged || judged instanceof RowError) return [];
    const { splitNames, splitTimesMs, chipTimeMs, gunTimeMs } = judged;
    const times = splitNames.map((point, at) => [point, splitTimesMs[at] ?? null] as const);
    return [[...times, [null, gunTimeMs ?? chipTimeMs] as const]];
  });
  const all = Map.groupBy(runners.flat(), ([point]) => point);
  const kmOf = (point: string | null) => {
    const times = (all.get(point) ?? []).flatMap(([, timeMs]) => timeMs ?? []);
    return (times.sort((one, other) => one - other)[times.length >> 1] ?? 0) / MS_OF_KM;
  };
  return runners.map((marks) =>
    marks.flatMap(([point, timeMs]) =>
      timeMs === null
        ? []
        : [{ point, timeMs, km: kmOfPoint(point ?? '') ?? kmOf(point), leadMs: null }],
    ),
  );
}

/**
 * Runners of an own pace each, over legs of 100 m to 8 km. Each leg has a hill, and each runner waits at the start.
 * @param legs how many legs the race has, at least and at most
 */
const raceOf = (minLength: number, maxLength: number): fc.Arbitrary<Mark[][]> =>
  fc
    .record({
      legs: fc.array(
        fc.record({
          km: fc.constantFrom(0.1, 0.2, 0.5, 1, 3, 5, 8),
          hill: fc.double({ min: 0.9, max: 1.4, noNaN: true }),
        }),
        { minLength, maxLength },
      ),
      runners: fc.array(
        fc.record({
          msOfKm: fc.integer({ min: 190_000, max: 540_000 }),
          waitMs: fc.integer({ min: 0, max: 300_000 }),
          form: fc.infiniteStream(fc.double({ min: 0.9, max: 1.1, noNaN: true })),
        }),
        { minLength: 30, maxLength: 60 },
      ),
    })
    .map(({ legs, runners }) =>
      runners.map(({ msOfKm, waitMs, form }) => {
        let [km, timeMs] = [0, waitMs];
        return legs.map((leg, at) => {
          km += leg.km;
          timeMs += Math.round(leg.km * msOfKm * leg.hill * (form.next().value ?? 1));
          return { point: `Point ${at + 1}`, km, timeMs, leadMs: null };
        });
      }),
    );

const anyRace = raceOf(4, 8);

const HOUR_MS = 3_600_000;

describe('a clock is not called wrong', () => {
  test.each(WITH_SPLITS.map((file) => [file.name, file] as const))('by %s', async (_, file) => {
    const runners = await marksIn(file);
    expect(runners.length).toBeGreaterThan(0);
    expect(wrongClocks(runners)).toEqual([]);
  });

  test('by points that stand close together, by hills or by a crowd at the start', () => {
    fc.assert(
      fc.property(raceOf(2, 8), (runners) => {
        expect(wrongClocks(runners)).toEqual([]);
      }),
      { seed: 68, numRuns: 50 },
    );
  });
});

test('a clock that is an hour ahead is found although points stand close together', () => {
  fc.assert(
    fc.property(anyRace, fc.nat(), (runners, nat) => {
      const at = 1 + (nat % ((runners[0]?.length ?? 0) - 2));
      const [clock] = wrongClocks(
        runners.map((marks) =>
          marks.map((mark, place) => ({
            ...mark,
            timeMs: mark.timeMs + (place === at ? 3_600_000 : 0),
          })),
        ),
      );
      expect(clock?.point).toBe(`Point ${at + 1}`);
      expect(Math.abs((clock?.minutes ?? 0) - 60)).toBeLessThan(10);
    }),
    { seed: 68, numRuns: 50 },
  );
});

/** The points that are called wrong if the clock of the point at `place` is an hour ahead. */
const namedIfAhead = (runners: Mark[][], place: number) =>
  wrongClocks(
    runners.map((marks) =>
      marks.map((mark, at) => (at === place ? { ...mark, timeMs: mark.timeMs + HOUR_MS } : mark)),
    ),
  ).map(({ at, point }) => point ?? at);

test('of two points that disagree by an hour, the point is found whose correction leaves a pace that people run', () => {
  fc.assert(
    fc.property(raceOf(2, 2), (runners) => {
      expect(namedIfAhead(runners, 0)).toEqual(['Point 1']);
      // The last point proves nothing if the runners need hours for its leg.
      expect(namedIfAhead(runners, 1)).toSatisfy(
        (named) => named.length === 0 || `${named}` === 'Point 2',
      );
    }),
    { seed: 68, numRuns: 50 },
  );
});

/** A race of 10 km with a point at km 5. The clocks are ahead by minutes. */
const tenKm = ({ start = 0, km5 = 0, finish = 0 }) =>
  Array.from({ length: 20 }, (_, runner) => {
    const timeMs = (km: number, minutes: number) => (minutes + km * (4 + runner / 10)) * 60_000;
    return [
      { point: 'Km 5', km: 5, timeMs: timeMs(5, km5 - start), leadMs: null },
      { point: null, km: 10, timeMs: timeMs(10, finish - start), leadMs: null },
    ];
  });

test.each([
  [{}, []],
  [{ km5: 60 }, [{ at: 'point', point: 'Km 5', minutes: 60 }]],
  [{ finish: 60 }, [{ at: 'finish', point: null, minutes: 60 }]],
  [{ start: -60 }, [{ at: 'start', point: null, minutes: -60 }]],
  [{ km5: 20 }, [{ at: 'point', point: 'Km 5', minutes: 20 }]],
])('of a start, a point and a finish, names the clock of %o', (ahead, expected) => {
  expect(wrongClocks(tenKm(ahead))).toMatchObject(expected);
});
