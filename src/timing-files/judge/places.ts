import { classify, placeColumn } from '../columns/column-classes.ts';
import { isPlace } from '../read/claim.ts';
import type { Columns } from '../read/columns.ts';
import { addLine, type Lines, linesOf, noLines } from '../read/lines.ts';
import { RowError } from '../read/reason-codes.ts';
import type { Result } from '../read/result.ts';
import type { FileRow } from '../read/results-file.ts';
import { copied } from '../read/text.ts';
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
      const found = leastDisagreement(placed);
      if (!found) return [];
      const { share, falling, alone } = found;
      const column = names[placeAt] ?? '';
      if (areNumbers && share > MOST) {
        return findingIf(true, REFUTED, 'no_race_time:places', { column }, falling.rows);
      }
      const isOther = share > DISAGREE;
      return findingIf(
        isOther || alone.count > 0,
        isOther ? placed.length : alone.count,
        isOther ? 'places_disagree:moved' : 'places_disagree:alone',
        { column, count: alone.count },
        isOther ? falling.rows : alone.rows,
      );
    },
  };
}

/** Chip and gun times may order the runners otherwise, by the wait at the start. */
const [NEAR, FAR] = [1.01, 5];

/** A shared place repeats, but not as many as in a table with the places of each category. */
const DIFFERENT = 0.8;

/**
 * The disagreement of all rows or, if their times do not follow their places, that of the groups which explain most.
 * Undefined if the rows say nothing.
 */
function leastDisagreement(placed: readonly Placed[]): Disagreement | undefined {
  const isOne = new Set(placed.map(({ place }) => place)).size > placed.length * DIFFERENT;
  const rows = isOne ? inOrder(placed) : [];
  const whole = rows.length > ROWS_MIN ? disagreement(rows) : undefined;
  if (whole && whole.share <= DISAGREE) return whole;
  const all = [...(whole ? [whole] : []), ...inGroups(placed)];
  return all.toSorted((one, other) => one.share - other.share)[0];
}

/** The rows with a place of their own, in the order of the places. */
const inOrder = (rows: readonly Placed[]): Placed[] =>
  rows
    .toSorted((one, other) => one.place - other.place)
    .filter(
      ({ place }, at, sorted) => place !== sorted[at - 1]?.place && place !== sorted[at + 1]?.place,
    );

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
    const sorted = Array.from(byGroup.values(), inOrder).filter((rows) => rows.length >= ROWS_MIN);
    const count = sorted.reduce((sum, rows) => sum + rows.length, 0);
    if (count < placed.length * COVERED) return [];
    const all = sorted.map(disagreement);
    const share = all.reduce((sum, one, at) => sum + one.share * (sorted[at]?.length ?? 0), 0);
    return [
      {
        share: share / count,
        falling: linesOf(all.map(({ falling }) => falling)),
        alone: linesOf(all.map(({ alone }) => alone)),
      },
    ];
  });
}

/** The number of rows compared with all rows. */
const COMPARED_MAX = 100;
/** A share of pairs beyond penalties and the wait at the start, and a share of nearly all pairs. */
const [DISAGREE, MOST] = [0.2, 0.8];

type Disagreement = {
  /** The share of pairs in which the later place is faster. */
  share: number;
  /** The rows that are faster than a row placed before. */
  falling: Lines;
  /** The rows that contradict nearly all rows, or are far faster than all rows placed before. */
  alone: Lines;
};

export function disagreement(rows: readonly Placed[]): Disagreement {
  const step = Math.ceil(rows.length / COMPARED_MAX);
  const compared = rows.filter((_, at) => at % step === 0);
  const [falling, alone] = [noLines(), noLines()];
  let [against, pairs] = [0, 0];
  for (const row of rows) {
    const before = compared.filter(({ place }) => place < row.place);
    const behind = compared.filter(({ place }) => place > row.place);
    const above = before.filter((other) => isFaster(row, other, NEAR)).length;
    const count = above + behind.filter((other) => isFaster(other, row, NEAR)).length;
    const isFar = before.length > 0 && before.every((other) => isFaster(row, other, FAR));
    if (above > 0) addLine(falling, row.row);
    if (isFar || count >= (before.length + behind.length) * MOST) addLine(alone, row.row);
    against += count;
    pairs += before.length + behind.length;
  }
  return { share: against / Math.max(pairs, 1), falling, alone };
}

const isFaster = (row: Placed, before: Placed, factor: number): boolean =>
  (!before.chipMs || !row.chipMs || before.chipMs > row.chipMs * factor) &&
  (!before.gunMs || !row.gunMs || before.gunMs > row.gunMs * factor);
