import type { BoardRace } from './answer-schemas.ts';
import type { Row } from './ranking.ts';

type Histogram = NonNullable<BoardRace['finish_times']>;

/** Columns of finish times: few runners fill few columns. */
const COLUMNS_MAX = 40;
const columnsFor = (runners: number) =>
  Math.min(COLUMNS_MAX, Math.max(6, Math.round(2 * Math.sqrt(runners))));
/** Widths of a column, in seconds. A race of more than 40 days is cut. */
const STEPS = [10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 86_400];
const MINUTE = 60;
const MINUTES_MAX = 60;

/** The finish times of a race by gender. @param finishers in any order */
export function finishTimesOf(finishers: readonly Row[]): Histogram | null {
  const seconds = secondsOf(finishers, ({ finishMs }) => finishMs);
  const [least, most] = rangeOf(seconds.values());
  const columns = columnsFor(seconds.size);
  const step = STEPS.find((one) => (most - least) / one < columns - 1) ?? 86_400;
  return counted(seconds, Math.floor(least / step) * step, step, COLUMNS_MAX);
}

/** How many arrived in each minute of the hour before the last arrival, by gender. */
export function arrivalsPerMinute(finishers: readonly Row[]): Histogram | null {
  const seconds = secondsOf(finishers, ({ arrivedMs }) => arrivedMs);
  const [least, most] = rangeOf(seconds.values());
  const last = Math.floor(most / MINUTE) * MINUTE;
  const first = Math.max(Math.floor(least / MINUTE) * MINUTE, last - (MINUTES_MAX - 1) * MINUTE);
  return counted(seconds, first, MINUTE, MINUTES_MAX);
}

function secondsOf(rows: readonly Row[], msOf: (row: Row) => number | null): Map<Row, number> {
  const seconds = new Map<Row, number>();
  for (const row of rows) {
    const ms = msOf(row);
    if (ms !== null) seconds.set(row, ms / 1_000);
  }
  return seconds;
}

function rangeOf(numbers: Iterable<number>): [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const number of numbers) [least, most] = [Math.min(least, number), Math.max(most, number)];
  return [least, most];
}

/** @returns null without a value. Values before the first column and after the last one are left out */
function counted(
  seconds: ReadonlyMap<Row, number>,
  from: number,
  step: number,
  max: number,
): Histogram | null {
  const groups = new Map<string, number[]>();
  for (const [{ group }, second] of seconds) {
    const column = Math.floor((second - from) / step);
    if (column < 0 || column >= max) continue;
    const counts = groups.get(group.gender) ?? [];
    groups.set(group.gender, counts);
    counts[column] = (counts[column] ?? 0) + 1;
  }
  const columns = Math.max(0, ...[...groups.values()].map(({ length }) => length));
  if (columns === 0) return null;
  return {
    from,
    step,
    groups: [...groups]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([gender, counts]) => ({
        gender: gender || null,
        counts: Array.from({ length: columns }, (_, column) => counts[column] ?? 0),
      })),
  };
}
