import { placeColumn } from '../columns/column-classes.ts';
import { isPlace } from '../read/claim.ts';
import type { Columns } from '../read/columns.ts';
import { addLine, type Lines, noLines } from '../read/lines.ts';
import { RowError } from '../read/reason-codes.ts';
import type { Result } from '../read/result.ts';
import type { FileRow } from '../read/results-file.ts';
import { quoted } from '../read/text.ts';
import { firstNumber } from './marked-column.ts';
import { type Finding, findingIf, REFUTED } from './warning.ts';

/** How the times of the results follow their places, in bounded memory. */
export type Places = ReturnType<typeof createPlaces>;

/** The order of so many placed rows is compared with their times. */
const PLACED_MAX = 1_000;

type Placed = { row: number; place: number; chipMs: number | null; gunMs: number | null };

export function createPlaces({ names }: Columns) {
  const placeAt = placeColumn(names);
  const placed: Placed[] = [];

  return {
    add({ row, cells }: FileRow, judged: Result | RowError): void {
      if (placeAt < 0 || placed.length === PLACED_MAX) return;
      if (judged instanceof RowError || judged.status !== 'FINISHED') return;
      const cell = (cells[placeAt] ?? '').trim();
      if (!isPlace(cell)) return;
      const { chipTimeMs, gunTimeMs } = judged;
      placed.push({ row, place: firstNumber(cell), chipMs: chipTimeMs, gunMs: gunTimeMs });
    },

    /** @param areNumbers whether the times are numbers without a unit */
    findings(areNumbers: boolean): Finding[] {
      const { pairs, isFalling, faster, falls, jumps } = orderOf(placed);
      const column = quoted(names[placeAt] ?? '');
      const areFalling = areNumbers && isFalling;
      const wrong = jumps.count > 0 ? jumps : falls;
      return [
        ...findingIf(
          areFalling,
          REFUTED,
          'no_race_time',
          `The times fall as the places in ${column} rise: they may be points, laps or kilometres.`,
          faster.rows,
        ),
        ...findingIf(
          !areFalling && (jumps.count > 0 || (falls.count >= FALLS_MIN && falls.count > pairs / 3)),
          Math.max(jumps.count, falls.count),
          'places_disagree',
          `${wrong.count === 1 ? '1 row is' : `${wrong.count} rows are`} much faster than the runner placed before ` +
            `in ${column}: check the column and the time_format.`,
          wrong.rows,
        ),
      ];
    },
  };
}

/** Chip and gun times may order the runners otherwise, by the wait at the start. */
const [FALL, JUMP] = [1.1, 5];
const FALLS_MIN = 3;

/** A shared place repeats, but not as many as in a table with the places of each category. */
const DIFFERENT = 0.8;

/**
 * How the times of the rows follow their places. Places of categories are compared only where one row follows the
 * other in the file.
 */
function orderOf(placed: readonly Placed[]) {
  const places = new Set(placed.map(({ place }) => place));
  const isOne = places.size > placed.length * DIFFERENT;
  const rows = isOne ? placed.toSorted((one, other) => one.place - other.place) : placed;
  const [faster, falls, jumps]: [Lines, Lines, Lines] = [noLines(), noLines(), noLines()];
  let pairs = 0;
  for (const [at, row] of rows.entries()) {
    const before = rows[at - 1];
    if (!before || (isOne ? row.place === before.place : row.place !== before.place + 1)) continue;
    pairs += 1;
    if (isFaster(row, before, 1)) addLine(faster, row.row);
    if (isFaster(row, before, FALL)) addLine(falls, row.row);
    if (isFaster(row, before, JUMP)) addLine(jumps, row.row);
  }
  const areMost = faster.count > pairs * MOST || (isOne && isSecondHalfFaster(rows));
  return { pairs, isFalling: pairs >= 4 && areMost, faster, falls, jumps };
}

const MOST = 0.8;

/** Whether most rows of the second half are faster than the row half of the runners before. */
function isSecondHalfFaster(rows: readonly Placed[]): boolean {
  const half = Math.ceil(rows.length / 2);
  const later = rows.slice(half);
  const faster = later.filter((row, at) => {
    const before = rows[at];
    return before !== undefined && isFaster(row, before, 1);
  });
  return faster.length > later.length * MOST;
}

const isFaster = (row: Placed, before: Placed, factor: number): boolean =>
  [
    [before.chipMs, row.chipMs],
    [before.gunMs, row.gunMs],
  ].every(([early, late]) => !early || !late || early > late * factor);
