import { classify } from '../columns/column-classes.ts';
import { isPlace } from '../read/claim.ts';
import { addLine, noLines } from '../read/lines.ts';
import type { Result } from '../read/result.ts';
import { quoted } from '../read/text.ts';
import { firstNumber } from './marked-column.ts';
import { type Finding, findingIf, REFUTED } from './warning.ts';

/** The order of so many placed rows is compared with their times. */
const PLACED_MAX = 1_000;

type Placed = { row: number; place: number; chipMs: number | null; gunMs: number | null };

/** How the times of the results follow their places, in bounded memory. */
export function createPlaces(names: readonly string[]) {
  const placeAt = names.findIndex((name) => classify(name) === 'place');
  const placed: Placed[] = [];

  return {
    /** @param result of a row that is stored as FINISHED */
    add(row: number, cells: readonly string[], { chipTimeMs, gunTimeMs }: Result): void {
      const cell = (cells[placeAt] ?? '').trim();
      if (placed.length === PLACED_MAX || !isPlace(cell)) return;
      placed.push({ row, place: firstNumber(cell), chipMs: chipTimeMs, gunMs: gunTimeMs });
    },

    /** @param areNumbers whether the times are numbers without a unit */
    findings(areNumbers: boolean): Finding[] {
      const { isFalling, faster, jumps } = orderOf(placed);
      const label = quoted(names[placeAt] ?? '');
      const areFalling = areNumbers && isFalling;
      return [
        ...findingIf(
          areFalling,
          REFUTED,
          'no_race_time',
          `The times fall as the places in ${label} rise: they may be points, laps or kilometres.`,
          faster.rows,
        ),
        ...findingIf(
          !areFalling && jumps.count > 0,
          jumps.count,
          'places_disagree',
          `${jumps.count === 1 ? '1 row is' : `${jumps.count} rows are`} much faster than the runner placed before ` +
            `in ${label}: check the column and the time_format.`,
          jumps.rows,
        ),
      ];
    },
  };
}

/** Chip and gun times may order the runners otherwise, by the wait at the start. */
const JUMP = 5;

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
  const [faster, jumps] = [noLines(), noLines()];
  let pairs = 0;
  for (const [at, row] of rows.entries()) {
    const before = rows[at - 1];
    if (!before || (isOne ? row.place === before.place : row.place !== before.place + 1)) continue;
    pairs += 1;
    if (isFaster(row, before, 1)) addLine(faster, row.row);
    if (isFaster(row, before, JUMP)) addLine(jumps, row.row);
  }
  const areMost = faster.count > pairs * MOST || (isOne && isSecondHalfFaster(rows));
  return { isFalling: pairs >= 4 && areMost, faster, jumps };
}

const MOST = 0.8;

/** Whether most rows of the second half are faster than the row half of the runners before. */
function isSecondHalfFaster(rows: readonly Placed[]): boolean {
  const half = Math.ceil(rows.length / 2);
  const faster = rows.filter((row, at) => at >= half && isFaster(row, rows[at - half] ?? row, 1));
  return faster.length > (rows.length - half) * MOST;
}

const isFaster = (row: Placed, before: Placed, factor: number): boolean =>
  [
    [before.chipMs, row.chipMs],
    [before.gunMs, row.gunMs],
  ].every(([early, late]) => !early || !late || early > late * factor);
