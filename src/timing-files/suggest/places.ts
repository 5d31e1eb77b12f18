import { PLACE } from '../read/claim.ts';
import type { Columns } from '../read/columns.ts';
import { wordKey } from '../read/parameters.ts';
import { Pattern } from '../read/pattern.ts';
import { RowError } from '../read/reason-codes.ts';
import type { Result } from '../read/result.ts';
import type { FileRow } from '../read/results-file.ts';
import { quoted } from '../read/text.ts';
import { HYPHENS } from './column.ts';
import { classify } from './column-classes.ts';
import { addLine, type Lines, noLines } from './lines.ts';
import { addWord, COLUMNS_MARKED, counted, noWords, type Words, wordsOf } from './row-marks.ts';
import { type Finding, findingIf } from './warning.ts';

/** What the places in a file say about the results that are stored, in bounded memory. */
export type Places = ReturnType<typeof createPlaces>;

/** The order of so many placed rows is compared with their times. */
const PLACED_MAX = 1_000;

type Placed = { row: number; place: number; chipMs: number | null; gunMs: number | null };

export function createPlaces({ names, bib, chipTime, gunTime, status, parameters }: Columns) {
  const times = new Set([...bib, ...chipTime, ...gunTime]);
  const placeAt = names.findIndex((name) => classify(name) === 'place');
  /** The columns of places: the one that its name says or, without it, those that count 1, 2, 3, … so far. */
  let ranked = (placeAt >= 0 ? [placeAt] : [...names.slice(0, COLUMNS_MARKED).keys()])
    .filter((index) => !times.has(index))
    .map((index) => ({
      index,
      numbers: 0,
      slowestMs: 0,
      words: noWords(),
      blanks: { ...noLines(), leastMs: Number.POSITIVE_INFINITY },
    }));
  const placed: Placed[] = [];
  let finished = 0;

  /** Whether a cell says that the row is FINISHED. */
  const isSaid = (cell: string): boolean =>
    parameters?.statusWords.get(wordKey(cell)) === 'FINISHED';

  function addPlaces(row: FileRow, { chipTimeMs, gunTimeMs }: Result): void {
    const timeMs = chipTimeMs ?? gunTimeMs ?? 0;
    const isOpen = !status.some((at) => at !== placeAt && (row.cells[at] ?? '').trim() !== '');
    ranked = ranked.filter((one) => {
      const { index, words, blanks } = one;
      const isNamed = index === placeAt;
      const cell = (row.cells[index] ?? '').trim();
      if (isPlace(cell)) {
        one.numbers += 1;
        one.slowestMs = Math.max(one.slowestMs, timeMs);
        return isNamed || firstNumber(cell) === one.numbers;
      }
      if (HYPHENS.test(cell)) {
        addLine(blanks, row.row);
        blanks.leastMs = Math.min(blanks.leastMs, timeMs);
      } else if (isOpen && !isSaid(cell)) addWord(words, row, index);
      return isNamed || words.count + blanks.count <= one.numbers;
    });
  }

  function comparePlace({ row, cells }: FileRow, { chipTimeMs, gunTimeMs }: Result): void {
    const cell = (cells[placeAt] ?? '').trim();
    if (placed.length === PLACED_MAX || !PLACE.test(cell)) return;
    placed.push({ row, place: firstNumber(cell), chipMs: chipTimeMs, gunMs: gunTimeMs });
  }

  return {
    add(row: FileRow, judged: Result | RowError): void {
      if (judged instanceof RowError || judged.status !== 'FINISHED') return;
      finished += 1;
      addPlaces(row, judged);
      if (placeAt >= 0) comparePlace(row, judged);
    },

    /** @param areNumbers whether the times are numbers without a unit */
    findings(areNumbers: boolean): Finding[] {
      const { pairs, slower, falls, jumps } = orderOf(placed);
      const nameOf = (index: number) => quoted(names[index] || `#${index + 1}`);
      const column = nameOf(placeAt);
      const areFalling = slower.count > pairs * 0.8 && pairs >= 4;
      const [worded] = ranked.filter(
        ({ numbers, words }) => words.count > 0 && words.count < numbers,
      );
      const [unplaced] = ranked.filter(
        ({ blanks, slowestMs }) => blanks.leastMs < slowestMs && blanks.count < finished / 2,
      );
      return [
        ...findingIf(
          areFalling && areNumbers,
          Number.POSITIVE_INFINITY,
          'no_race_time',
          `The times fall as the places in ${column} rise: they may be points, laps or kilometres.`,
          slower.rows,
        ),
        ...findingIf(
          !(areFalling && areNumbers) &&
            (jumps.count > 0 || (falls.count >= FALLS_MIN && falls.count > pairs / 3)),
          Math.max(jumps.count, falls.count),
          'places_disagree',
          `${counted(jumps.count > 0 ? jumps : falls)} much faster than the runner placed before ` +
            `in ${column}: check the column and the time_format.`,
          (jumps.count > 0 ? jumps : falls).rows,
        ),
        ...(worded ? [wordsAmongPlaces(worded.words)] : []),
        ...(unplaced ? [withoutPlace(unplaced.blanks, nameOf(unplaced.index))] : []),
      ];
    },
  };
}

const wordsAmongPlaces = (words: Words): Finding => ({
  code: 'unplaced_rows',
  detail:
    `${counted(words)} stored as FINISHED, though no place stands where the others have one: ` +
    `${wordsOf(words)}. Name the column with the parameter status, and say what each word means, ` +
    'as in status_word=Abandon:DNF.',
  rows: words.rows,
  against: words.count,
});

const withoutPlace = (blanks: Lines, column: string): Finding => ({
  code: 'unplaced_rows',
  detail:
    `${counted(blanks)} stored as FINISHED without a place in ${column}, and faster than runners ` +
    'with one: they may have the time of their last point.',
  rows: blanks.rows,
  against: blanks.count,
});

const STARTS_WITH_NUMBER = new Pattern(/^[^\p{L}\d]*\d/u);
/** Whether a cell is a number, with signs or a few letters. */
const isPlace = (cell: string): boolean =>
  PLACE.test(cell) || (STARTS_WITH_NUMBER.test(cell) && !UNIT.test(cell));

/** `12 km` is how far a runner came. */
const UNIT = new Pattern(/\d\s*\p{L}{2}/u);
const FIRST_NUMBER = new Pattern(/\d+/);

const firstNumber = (cell: string): number => Number(FIRST_NUMBER.groups(cell)[0]);

/** Chip and gun times may order the runners otherwise, by the wait at the start. */
const [FALL, JUMP] = [1.1, 5];
const FALLS_MIN = 3;

/**
 * How the times of the rows follow their places. Places that repeat, as in categories, are compared only where one
 * row follows the other in the file.
 */
function orderOf(placed: readonly Placed[]) {
  const isOne = new Set(placed.map(({ place }) => place)).size === placed.length;
  const rows = isOne ? placed.toSorted((one, other) => one.place - other.place) : placed;
  const [slower, falls, jumps] = [noLines(), noLines(), noLines()];
  let pairs = 0;
  for (const [at, row] of rows.entries()) {
    const before = rows[at - 1];
    if (!before || (!isOne && row.place !== before.place + 1)) continue;
    pairs += 1;
    const isFaster = (factor: number) =>
      [
        [before.chipMs, row.chipMs],
        [before.gunMs, row.gunMs],
      ].every(([early, late]) => !early || !late || early > late * factor);
    if (isFaster(1)) addLine(slower, row.row);
    if (isFaster(FALL)) addLine(falls, row.row);
    if (isFaster(JUMP)) addLine(jumps, row.row);
  }
  return { pairs, slower, falls, jumps };
}
