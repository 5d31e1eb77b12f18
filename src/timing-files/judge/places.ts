import { classify, placeColumn } from '../columns/column-classes.ts';
import { isPlace } from '../read/claim.ts';
import type { Columns } from '../read/columns.ts';
import { addLine, type Lines, linesOf, noLines } from '../read/lines.ts';
import { RowError } from '../read/reason-codes.ts';
import type { Result } from '../read/result.ts';
import type { FileRow } from '../read/results-file.ts';
import { copied, quoted } from '../read/text.ts';
import { firstNumber } from './marked-column.ts';
import { type Finding, findingIf, REFUTED } from './warning.ts';

/** How the times of the results follow their places, in bounded memory. */
export type Places = ReturnType<typeof createPlaces>;

/** The order of so many placed rows is compared with their times. */
const PLACED_MAX = 1_000;

type Placed = {
  row: number;
  place: number;
  chipMs: number | null;
  gunMs: number | null;
  /** The cells of the columns in whose groups the places may count: gender, category, race, laps. */
  groups: readonly string[];
};

const GROUPS_MAX = 8;

export function createPlaces({ names, bib }: Columns) {
  const named = placeColumn(names);
  const placeAt = bib.includes(named) ? -1 : named;
  const groupsAt = [...names.keys()]
    .filter((index) => classify(names[index] ?? '') === 'person')
    .slice(0, GROUPS_MAX);
  const placed: Placed[] = [];

  return {
    add({ row, cells }: FileRow, judged: Result | RowError): void {
      if (placeAt < 0 || placed.length === PLACED_MAX) return;
      if (judged instanceof RowError || judged.status !== 'FINISHED') return;
      const cell = (cells[placeAt] ?? '').trim();
      if (!isPlace(cell)) return;
      const { chipTimeMs, gunTimeMs } = judged;
      const groups = groupsAt.map((index) => copied((cells[index] ?? '').trim()));
      placed.push({ row, place: firstNumber(cell), chipMs: chipTimeMs, gunMs: gunTimeMs, groups });
    },

    /** @param areNumbers whether the times are numbers without a unit */
    findings(areNumbers: boolean): Finding[] {
      const { pairs, isFalling, isOther, alone, faster, falls, jumps } = orderOf(placed);
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
          !areFalling && (isOther || alone.count > 0),
          isOther ? placed.length : alone.count,
          'places_disagree',
          isOther
            ? `The times do not follow the places in ${column}: rows or columns may have moved.`
            : `The time of ${alone.count === 1 ? '1 row' : `${alone.count} rows`} does not fit the place in ${column} beside the other rows.`,
          isOther ? faster.rows : alone.rows,
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
const [NEAR, FALL, JUMP] = [1.01, 1.1, 5];
const FALLS_MIN = 3;

/** A shared place repeats, but not as many as in a table with the places of each category. */
const DIFFERENT = 0.8;

/**
 * The order of the rows' times and places. Places of categories are compared only between consecutive rows of the file.
 */
function orderOf(placed: readonly Placed[]) {
  const places = new Set(placed.map(({ place }) => place));
  const isOne = places.size > placed.length * DIFFERENT;
  const rows = isOne ? placed.toSorted((one, other) => one.place - other.place) : placed;
  const { pairs, faster, falls, jumps } = neighbours(rows, isOne);
  const whole = isOne && pairs >= ROWS_MIN ? disagreement(rows.filter(isAlone)) : undefined;
  const found = leastDisagreement(whole, placed);
  const { share, alone } = found ?? NO_DISAGREEMENT;
  // Places of groups that the times follow say nothing between two groups.
  const areOfGroups = found !== undefined && found !== whole && share <= DISAGREE;
  const isFalling = pairs >= ROWS_MIN && (faster.count > pairs * MOST || share > MOST);
  return {
    pairs,
    isFalling,
    isOther: share > DISAGREE,
    alone,
    faster,
    falls: areOfGroups ? noLines() : falls,
    jumps: areOfGroups ? noLines() : jumps,
  };
}

/** The rows that are faster than the row placed before. @param isOne whether all rows have places of one list */
function neighbours(rows: readonly Placed[], isOne: boolean) {
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
  return { pairs, faster, falls, jumps };
}

/** The disagreement of all rows or, if their times do not follow their places, that of the groups which explain most. */
function leastDisagreement(
  whole: Disagreement | undefined,
  placed: readonly Placed[],
): Disagreement | undefined {
  if (whole && whole.share <= DISAGREE) return whole;
  const [least] = inGroups(placed).toSorted((one, other) => one.share - other.share);
  return whole && (!least || whole.share <= least.share) ? whole : least;
}

/** The rows of a group that say something, and the share of the rows that such groups must have. */
const ROWS_MIN = 4;
const COVERED = 0.6;

/** The disagreement of places and times within the groups of each column, and of each two columns. */
function inGroups(placed: readonly Placed[]): Disagreement[] {
  const [{ groups } = { groups: [] }] = placed;
  const able = [...groups.keys()].filter((at) => {
    const count = new Set(placed.map((one) => one.groups[at])).size;
    return count > 1 && count <= placed.length / ROWS_MIN;
  });
  const groupings = able.flatMap((one) => able.filter((at) => at >= one).map((at) => [one, at]));
  return groupings.flatMap((columns) => {
    const byGroup = new Map<string, Placed[]>();
    for (const row of placed) {
      const group = columns.map((at) => row.groups[at]).join('\n');
      const rows = byGroup.get(group);
      if (rows) rows.push(row);
      else byGroup.set(group, [row]);
    }
    const sorted = Array.from(byGroup.values(), (rows) =>
      rows.toSorted((one, other) => one.place - other.place).filter(isAlone),
    ).filter((rows) => rows.length >= ROWS_MIN);
    const count = sorted.reduce((sum, rows) => sum + rows.length, 0);
    if (count < placed.length * COVERED) return [];
    const all = sorted.map(disagreement);
    const share = all.reduce((sum, one, at) => sum + one.share * (sorted[at]?.length ?? 0), 0);
    return [{ share: share / count, alone: linesOf(all.map(({ alone }) => alone)) }];
  });
}

const MOST = 0.8;
type Disagreement = { share: number; alone: Lines };
const NO_DISAGREEMENT: Disagreement = { share: 0, alone: noLines() };

/** Whether the place is unique. */
const isAlone = ({ place }: Placed, at: number, rows: readonly Placed[]): boolean =>
  place !== rows[at - 1]?.place && place !== rows[at + 1]?.place;

/** The number of rows compared with all rows. */
const COMPARED_MAX = 100;
/** A share of pairs beyond penalties and the wait at the start. */
const DISAGREE = 0.2;

/** The share of pairs in which the later place is faster, and the rows that contradict nearly all rows. */
function disagreement(rows: readonly Placed[]): Disagreement {
  const step = Math.ceil(rows.length / COMPARED_MAX);
  const some = rows.filter((_, at) => at % step === 0);
  const counts = some.map(
    (row, at) =>
      some.filter((other, to) =>
        to > at ? isFaster(other, row, NEAR) : isFaster(row, other, NEAR),
      ).length,
  );
  const alone = noLines();
  for (const [at, row] of some.entries()) {
    if ((counts[at] ?? 0) >= (some.length - 1) * MOST) addLine(alone, row.row);
  }
  const pairs = some.length * (some.length - 1);
  return { share: counts.reduce((sum, count) => sum + count, 0) / Math.max(pairs, 1), alone };
}

const isFaster = (row: Placed, before: Placed, factor: number): boolean =>
  (!before.chipMs || !row.chipMs || before.chipMs > row.chipMs * factor) &&
  (!before.gunMs || !row.gunMs || before.gunMs > row.gunMs * factor);
