import { classify } from '../columns/column-classes.ts';
import { KM_MIN } from '../columns/relation.ts';
import type { Columns } from '../read/columns.ts';
import { Pattern } from '../read/pattern.ts';
import { RowError } from '../read/reason-codes.ts';
import type { Result } from '../read/result.ts';
import type { FileRow } from '../read/results-file.ts';
import { parseTime } from '../read/time-formats.ts';
import { plainName } from '../read/words.ts';
import { disagreement } from './places.ts';
import { type Finding, findingIf } from './warning.ts';

/** Whether the times agree with the gaps, paces and times of day beside them, and with the sum of their splits. */
export type Agreement = ReturnType<typeof createAgreement>;

/** So many rows and columns are compared. */
const [ROWS_MAX, COLUMNS_MAX] = [1_000, 8];
const SECOND_MS = 1_000;

/** The time of a further column or the sum of the splits, beside the chip time and the gun time of a row. */
type Told = { row: number; finishesMs: readonly (number | null)[]; ms: number };

/** A value that all rows share if both times say the same. */
type Shared = { width: number; of(finishMs: number, ms: number): number };

/** Without a gap, a time is the time of the winner. Without a time, a time of day is the start. */
const DIFFERENCE: Shared = { width: 2 * SECOND_MS, of: (finishMs, ms) => finishMs - ms };
/** A time is the pace, in whole seconds, times the distance. */
const DISTANCE: Shared = {
  width: 0.01,
  of: (finishMs, ms) => (finishMs > ms * KM_MIN ? Math.log(finishMs / ms) : Number.NaN),
};
/** The sections of a race add up to the time, apart from fractions of a second. */
const REST: Shared = { width: 6 * SECOND_MS, of: DIFFERENCE.of };

export function createAgreement({ names }: Pick<Columns, 'names'>) {
  const beside = [...names.keys()]
    .filter((index) => classify(names[index] ?? '') === 'noResult')
    .slice(0, COLUMNS_MAX)
    .map((index) => ({ index, told: [] as Told[] }));
  const sums: Told[] = [];
  let rows = 0;

  return {
    add({ row, cells }: FileRow, judged: Result | RowError): void {
      if (rows === ROWS_MAX || judged instanceof RowError || judged.status !== 'FINISHED') return;
      rows += 1;
      const finishesMs = [judged.chipTimeMs, judged.gunTimeMs];
      for (const { index, told } of beside) {
        const cell = (cells[index] ?? '').trim();
        const ms = parseTime('apostrophes', cell.startsWith('+') ? cell.slice(1) : cell);
        if (ms) told.push({ row, finishesMs, ms });
      }
      const ms = judged.splitTimesMs.reduce((sum, one) => sum + one, 0);
      if (judged.splitTimesMs.length > 1) sums.push({ row, finishesMs, ms });
    },

    findings: (): Finding[] => [
      ...beside.flatMap(({ index, told }) => {
        const name = names[index] ?? '';
        const odd = contradicting(told, DIFFERENCE) ?? contradicting(told, DISTANCE);
        const moved = areMoved(name, told) ? told.map(({ row }) => row) : [];
        return against(odd ?? moved, 'times_disagree:column', name);
      }),
      ...against(contradicting(sums, REST) ?? [], 'times_disagree:splits', ''),
    ],
  };
}

const PACE = new Pattern(/\b(paces?|ritm[oei]|allure|passo|schnitt|tempokm|min (km|mi|mile))\b/);

/** Whether the order of paces contradicts the order of times, although paces of several distances explain nothing. */
function areMoved(name: string, told: readonly Told[]): boolean {
  const byPace = told.toSorted((one, other) => one.ms - other.ms);
  const placed = byPace.map(({ row, finishesMs: [chipMs = null, gunMs = null], ms }) => {
    return { row, place: ms, chipMs, gunMs, groups: [] };
  });
  return (
    told.length >= ROWS_MIN && PACE.test(plainName(name)) && disagreement(placed).share > DISORDER
  );
}

/** The rows that contradict the values of most rows; undefined if no values explain most rows. */
function contradicting(told: readonly Told[], shared: Shared): number[] | undefined {
  const odd = [0, 1].flatMap((at) => {
    const values = told.map(({ row, finishesMs, ms }) => ({
      row,
      value: shared.of(finishesMs[at] || Number.NaN, ms),
    }));
    const rows = oddAmong(
      values.filter(({ value }) => !Number.isNaN(value)),
      shared,
    );
    return rows ? [rows] : [];
  });
  return odd.toSorted((one, other) => one.length - other.length)[0];
}

const against = (
  rows: readonly number[],
  name: 'times_disagree:column' | 'times_disagree:splits',
  column: string,
): Finding[] =>
  findingIf(rows.length > 0, rows.length, name, { count: rows.length, column }, rows.slice(0, 20));

const ROWS_MIN = 5;
/** Several distances in no order contradict less. */
const DISORDER = 0.4;
/** The share of rows with a common value, and the share of rows that all common values must explain. */
const [COMMON, MOST] = [0.1, 0.8];

/** The rows far from each common value; undefined if no common values explain most rows. */
function oddAmong(values: readonly { row: number; value: number }[], shared: Shared) {
  const { width } = shared;
  const sorted = values.map(({ value }) => value).toSorted((one, other) => one - other);
  const least = Math.max(3, sorted.length * COMMON);
  const common: number[] = [];
  for (let at = 0; at < sorted.length; ) {
    const from = sorted[at] ?? 0;
    const next = sorted.findIndex((value) => value > from + width);
    const end = next < 0 ? sorted.length : next;
    if (end - at >= least) common.push(from + width / 2);
    at = end;
  }
  const able = shared === REST ? common.filter((one) => Math.abs(one) < width) : common;
  const within = (far: number) =>
    values.filter(({ value }) => able.some((one) => Math.abs(value - one) <= far));
  if (values.length < ROWS_MIN || within(width).length < values.length * MOST) return undefined;
  const near = new Set(within(2 * width));
  return values.filter((one) => !near.has(one)).map(({ row }) => row);
}
