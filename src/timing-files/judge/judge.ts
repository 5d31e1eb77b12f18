import { type Column, columnsOf } from '../columns/column.ts';
import { classify } from '../columns/column-classes.ts';
import { OF_NUMBERS } from '../columns/column-times.ts';
import type { Columns } from '../read/columns.ts';
import { addLine, noLines } from '../read/lines.ts';
import { hasChangedTime } from '../read/milliseconds.ts';
import type { Parameters } from '../read/parameters.ts';
import { Pattern } from '../read/pattern.ts';
import { RowError } from '../read/reason-codes.ts';
import type { Result } from '../read/result.ts';
import { STATUS_RULES } from '../read/result-status.ts';
import type { FileRow } from '../read/results-file.ts';
import { copied, quoted } from '../read/text.ts';
import { parseTime } from '../read/time-formats.ts';
import { type Agreement, createAgreement } from './agreement.ts';
import { columnFindings, otherPoints } from './column-findings.ts';
import { areRaceTimes, type DistanceTimes, distanceWarnings } from './distances.ts';
import { createMarks, type Marks } from './marks.ts';
import { createMeasures } from './measures.ts';
import { createPlaces, type Places } from './places.ts';
import { resultFindings } from './result-findings.ts';
import { worded } from './sentences.ts';
import { aboutLines, asNote, type Finding, findingIf, REFUTED } from './warning.ts';
import type { WarningCode } from './warning-codes.ts';

/** Bibs of the event among the texts of a file, with the distance of each. Empty without a look-up. */
export type KnownBibs = ReadonlyMap<string, string | null>;

/** The number of first rows that decide the meanings of an upload's columns. More rows would delay a live file. */
const ROWS_LOOKED_AT = 12;
const COLUMNS_MAX = 100;
/** Repeated rows of so many bibs are compared. */
const BIBS_MAX = 200;

/**
 * Findings without a meaning for the times of a point: the times are parts of a race, and the runners may stop later.
 */
const ABOUT_FINISHES: ReadonlySet<WarningCode> = new Set<WarningCode>([
  'short_times',
  'no_race_time',
  'implausible_for_distance',
  'finished_despite_mark',
  'places_disagree',
  'times_disagree',
  'unplaced_rows',
  'placeholder_time',
  'splits_unlikely',
  'column_not_read',
]);

/** Findings about cells that do not hold for times of day and for moments. */
const ABOUT_CELLS: ReadonlySet<WarningCode> = new Set<WarningCode>([
  'time_of_day',
  'no_race_time',
  'gaps_unlikely',
  'splits_unlikely',
  'column_not_read',
]);

/** The judge's knowledge beside the rows. */
type Circumstances = {
  parameters: Parameters;
  /** Rows that a later row of the same bib replaces. */
  duplicates: number;
  /** The first of them, each with the row that replaces it. */
  repeated?: readonly (readonly [earlier: number, row: number])[];
  /** Whether the file ends without a newline. */
  isCut?: boolean;
  /** The columns of the rows, if known. Otherwise the first rows are looked at. */
  columns?: readonly Column[];
};

/**
 * Judges the results that an upload would store, and the cells beside the results, row by row in bounded memory.
 * Upload, preview and suggestion ask this judge.
 * @param known bibs of the event with their distances, after a look-up
 */
export function createJudge(known: KnownBibs = new Map()) {
  const measures = createMeasures();
  const first: FileRow[] = [];
  const distances = new Map<string, DistanceTimes>();
  const repeats = new Map<string, { count: number; timeMs: number }>();
  let marks: Marks | undefined;
  let places: Places | undefined;
  let agreement: Agreement | undefined;
  let last: FileRow | undefined;
  let areRising = true;
  /** Rows whose time a person has changed beside the milliseconds. */
  const changed = noLines();
  /** Rows of runners without a result that have a time. */
  const dropped = noLines();
  /** A row with the names of further columns, and the rows below. */
  const secondHeader = noLines();

  function measureEvent({ bib, chipTimeMs, gunTimeMs }: Result): void {
    const timeMs = chipTimeMs ?? gunTimeMs;
    const distance = known.get(bib);
    if (timeMs === null || !distance) return;
    const times = distances.get(distance) ?? {
      distance,
      count: 0,
      fastestMs: timeMs,
      slowestMs: timeMs,
    };
    times.count += 1;
    times.fastestMs = Math.min(times.fastestMs, timeMs);
    times.slowestMs = Math.max(times.slowestMs, timeMs);
    distances.set(distance, times);
  }

  function measureRepeats({ bib, chipTimeMs, gunTimeMs }: Result): void {
    const { count, timeMs } = repeats.get(bib) ?? { count: 0, timeMs: 0 };
    if (count === 0 && repeats.size === BIBS_MAX) return;
    const laterMs = chipTimeMs ?? gunTimeMs ?? 0;
    areRising &&= laterMs > timeMs;
    repeats.set(copied(bib), { count: count + 1, timeMs: laterMs });
  }

  /** Whether each runner has equally many rows, each later than the row before, as laps are. The last row counts. */
  const areLaps = (): boolean =>
    areRising && new Set(Array.from(repeats.values(), ({ count }) => count)).size === 1;

  return {
    measures,

    /** @param judged the result of the row, or the reason against storing the row */
    add(row: FileRow, judged: Result | RowError): void {
      measures.add(row.row, judged);
      last = row;
      if (secondHeader.count > 0 || isOtherHeader(row)) addLine(secondHeader, row.row);
      if (first.length < ROWS_LOOKED_AT) first.push(row);
      marks ??= createMarks(row.columns);
      marks.add(row, judged);
      places ??= createPlaces(row.columns);
      places.add(row, judged);
      agreement ??= createAgreement(row.columns);
      agreement.add(row, judged);
      if (hasChangedTime(row.columns.milliseconds, row.cells)) addLine(changed, row.row);
      if (judged instanceof RowError) return;
      if (!STATUS_RULES[judged.status].keepsTimes && hasTime(row)) addLine(dropped, row.row);
      if (known.size > 0) measureEvent(judged);
      measureRepeats(judged);
    },

    findings({ parameters, duplicates, repeated = [], isCut, columns }: Circumstances): Finding[] {
      if (!last) return [noRows(parameters)];
      const { timeFormat, timesOfDay, started } = parameters;
      const areMoments = timesOfDay !== undefined || started !== undefined;
      const of =
        columns ?? columnsOf({ header: last.columns.names.slice(0, COLUMNS_MAX), rows: first });
      const byDistance = [...distances.values()];
      const findings = [
        ...rowFindings(last),
        ...leftOutFor(last.columns),
        ...resultFindings(measures, timeFormat, areRaceTimes(byDistance, measures.times.count)),
        ...(marks?.findings() ?? []),
        ...(places?.findings(OF_NUMBERS.has(timeFormat)) ?? []),
        ...(agreement?.findings() ?? []),
        ...repeatedBibs(duplicates, repeated, areLaps() || duplicates < 3),
        ...distanceWarnings(byDistance).map((one) => ({
          ...one,
          against: measures.times.count,
        })),
        ...findingIf(
          secondHeader.count > 0,
          secondHeader.count,
          'second_header',
          { line: secondHeader.rows[0] ?? 0 },
          secondHeader.rows.slice(0, 1),
        ),
        ...lastLineCut(last, isCut),
        ...aboutLines('times_left_out', dropped).map(asNote),
        ...aboutLines('times_changed', changed).map(asNote),
        ...columnFindings(last, of, timeFormat, measures.reasons.get('missing_time')?.count ?? 0),
      ].filter(({ code }) => !areMoments || !ABOUT_CELLS.has(code));
      return parameters.point === undefined
        ? findings
        : [
            ...findings.filter(({ code }) => !ABOUT_FINISHES.has(code)),
            ...otherPoints(last, of, parameters),
          ];
    },
  };

  function repeatedBibs(
    count: number,
    repeated: NonNullable<Circumstances['repeated']>,
    isUsual: boolean,
  ): Finding[] {
    const share = count / measures.total;
    const pairs = repeated.slice(0, 5).map(([earlier, row]) => `line ${row}, not ${earlier}`);
    return findingIf(
      share > 0.05 || pairs.length > 0,
      share <= 0.05 || (isUsual && share < 0.3) ? 0 : count,
      pairs.length > 0 ? 'repeated_bibs:lines' : 'repeated_bibs',
      { count, total: measures.total, why: pairs.join('; ') },
      repeated
        .flat()
        .toSorted((one, other) => one - other)
        .slice(0, 20),
    );
  }

  /** Failing rows, and bibs that are no bibs. */
  function rowFindings({ columns: { names, bib } }: FileRow): Finding[] {
    const { total, errors, reasons, firstReason, unknownStatuses, firstBibs } = measures;
    const [most] = [...reasons.values()].sort((one, other) => other.count - one.count);
    // The cells of a column with a clear name are bibs, even cells that look like places.
    const isBibNamed = classify(names[bib[0] ?? -1] ?? '') === 'bib';
    const looks = isBibNamed ? undefined : bibsLookLike(firstBibs);
    return [
      ...findingIf(
        most !== undefined && errors >= total * 0.9,
        // Rows without any time are runners on the course.
        most === reasons.get('missing_time') ? 0 : errors,
        errors === total ? 'rows_fail_alike:all' : 'rows_fail_alike',
        { count: errors, total, why: firstReason },
        most?.rows,
      ),
      ...findingIf(
        unknownStatuses.size > 0,
        reasons.get('invalid_status')?.count ?? 0,
        'unknown_status_words',
        { words: [...unknownStatuses] },
        reasons.get('invalid_status')?.rows,
      ),
      ...findingIf(
        looks !== undefined,
        looks === 'places' && measures.times.isRestRising ? REFUTED : total,
        `bibs_unlikely:${looks ?? 'places'}`,
        {},
      ),
    ];
  }
}

/** Whether a cell of the times has one over zero. */
const hasTime = ({ cells, columns: { chipTime, gunTime, parameters } }: FileRow): boolean =>
  [...chipTime, ...gunTime].some(
    (index) => (parseTime(parameters?.timeFormat ?? 'clock', cells[index] ?? '') ?? 0) > 0,
  );

/** Whether a row is a second header, of different columns. */
function isOtherHeader({ cells, columns: { names, bib } }: FileRow): boolean {
  const [at = -1] = bib;
  const name = names[at];
  if (!name || cells[at]?.trim() !== name) return false;
  return cells.some((cell, index) => cell.trim() !== (names[index] ?? ''));
}

/** A file may still be on its way if the file ends without a newline, or in a row without all cells. */
function lastLineCut({ row, cells, columns: { names } }: FileRow, isCut = false): Finding[] {
  const isShort = cells.length < names.length;
  const values = { cells: cells.length, columns: names.length };
  const name = isShort ? 'last_line_cut:cells' : 'last_line_cut';
  return findingIf(isCut || isShort, 0, name, values, [row]);
}

/** An export before the first finisher is normal. A condition without a matching row may be a mistake. */
function noRows({ where }: Parameters): Finding {
  const conditions = where.map((one) => `where=${quoted(one)}`);
  const name = where.length === 0 ? 'no_rows' : 'no_rows:where';
  return { ...worded(name, { conditions }), rows: [], against: 0 };
}

/** The rows that `status_word` leaves out. */
const leftOutFor = ({ wordsLeftOut, leftOut: { count, rows } }: Columns): Finding[] =>
  findingIf(
    count > 0,
    0,
    'rows_left_out',
    { count, words: [...wordsLeftOut].slice(0, WORDS_SHOWN) },
    rows,
  );

const WORDS_SHOWN = 10;
const YEAR = new Pattern(/^(19|20)\d\d$/);
const AGE = new Pattern(/^\d\d?$/);

function bibsLookLike(bibs: readonly string[]): 'places' | 'years' | 'ages' | undefined {
  if (bibs.length < 5) return undefined;
  if (bibs.every((bib, at) => bib === String(at + 1))) return 'places';
  if (bibs.every((bib) => YEAR.test(bib))) return 'years';
  const isRepeating = new Set(bibs).size < bibs.length * 0.8;
  if (isRepeating && bibs.every((bib) => AGE.test(bib))) return 'ages';
  return undefined;
}
