import { splitsOfCell } from '../write/splits-cell.ts';
import { Pattern } from './pattern.ts';
import { formatRaceTime } from './race-time.ts';
import { parseTime, type TimeFormat } from './time-formats.ts';

/** Where our own files have their times in milliseconds. */
export type Milliseconds = {
  /** The column of milliseconds beside each column of times: `chip_time_ms` beside `chip_time`. */
  beside: ReadonlyMap<number, number>;
  /** The columns of splits by their names, and the column with the milliseconds of all splits as JSON. */
  splits: ReadonlyMap<string, number>;
  ofSplits: number;
};

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];

/** The times in milliseconds of a row, with the columns of the times. */
function* timesIn(
  { beside, splits, ofSplits }: Milliseconds,
  cells: readonly string[],
): Generator<readonly [index: number, timeMs: number]> {
  const inSplits = (splitsOfCell(cells[ofSplits] ?? '') ?? []).flatMap(([name, ms]) => {
    const index = splits.get(name);
    return index === undefined ? [] : [[index, ms] as const];
  });
  const inCells = Array.from(beside, ([index, at]) => [index, cells[at] ?? ''] as const);
  for (const [index, cell] of [...inCells, ...inSplits]) {
    const timeMs = parseTime('milliseconds', cell);
    if (timeMs !== undefined) yield [index, timeMs];
  }
}

const hasMilliseconds = ({ beside, ofSplits }: Milliseconds): boolean =>
  beside.size > 0 || ofSplits >= 0;

/** The cells with the whole times behind the shorter times of a spreadsheet or a page. */
export function withWholeTimes(of: Milliseconds, cells: string[]): string[] {
  if (!hasMilliseconds(of)) return cells;
  const whole = [...cells];
  for (const [index, timeMs] of timesIn(of, cells)) {
    if (isShown(cells[index] ?? '', timeMs)) whole[index] = formatRaceTime(timeMs);
  }
  return whole;
}

/** Whether a time of the row contradicts its milliseconds, so that a person has changed the time. */
export function hasChangedTime(of: Milliseconds, cells: readonly string[]): boolean {
  if (!hasMilliseconds(of)) return false;
  for (const [index, timeMs] of timesIn(of, cells)) {
    if (!isShown(cells[index] ?? '', timeMs)) return true;
  }
  return false;
}

const FRACTION = new Pattern(/[.,](\d+)/);

/** The forms in which a spreadsheet shows a time: missing is a part of the unit, or whole laps. */
const FORMS: readonly { form: Pattern; format: TimeFormat; unitMs: number; lapMs: number }[] = [
  // 22:11.4
  { form: new Pattern(/^\d{1,2}:\d\d([.,]\d+)?$/), format: 'clock', unitMs: 1_000, lapMs: HOUR_MS },
  // 1:22:11 AM, 1900-01-01 1:22:11
  { form: new Pattern(/:\d\d:\d\d/), format: 'am_pm', unitMs: 1_000, lapMs: DAY_MS },
  // 1:22
  { form: new Pattern(/^\d{1,2}:\d\d$/), format: 'hours_minutes', unitMs: 60_000, lapMs: DAY_MS },
  // 0.0570763
  { form: new Pattern(/^\d?[.,]\d{4,}$/), format: 'day_fraction', unitMs: DAY_MS, lapMs: DAY_MS },
];

/**
 * Whether a cell is a time as a spreadsheet or a page shows the time: rounded in either direction, with few digits of
 * the fraction or none, without hours, days or seconds, or as a part of a day.
 */
function isShown(cell: string, timeMs: number): boolean {
  const text = cell.trim();
  const [, digits = ''] = FRACTION.groups(text);
  return FORMS.some(({ form, format, unitMs, lapMs }) => {
    const shownMs = form.test(text) ? parseTime(format, text) : undefined;
    if (shownMs === undefined) return false;
    const apartMs = Math.abs(timeMs - shownMs) % lapMs;
    return Math.min(apartMs, lapMs - apartMs) < Math.max(unitMs / 10 ** digits.length, 1);
  });
}
