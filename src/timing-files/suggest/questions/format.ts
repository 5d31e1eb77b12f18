import { type Column, filledCells, timesIn } from '../../columns/column.ts';
import { formatsIn, timesInOrder } from '../../columns/column-times.ts';
import { leastOf } from '../../columns/relation.ts';
import { spell } from '../../judge/distances.ts';
import { worded } from '../../judge/sentences.ts';
import { lengthKm } from '../../read/distance.ts';
import { Pattern } from '../../read/pattern.ts';
import { formatRaceTime } from '../../read/race-time.ts';
import { parseTime, type TimeFormat } from '../../read/time-formats.ts';
import {
  type Candidate,
  columnsUsed,
  mapped,
  type Question,
  sure,
  type TimeColumns,
} from '../question.ts';

export const format: Question = {
  code: 'time_format_unclear',
  parameters: ['chipTime', 'gunTime'],
  candidates({ bib, columns, times }, { sent, known }) {
    if (sent.timeFormat !== 'clock') return [sure({ format: sent.timeFormat })];
    const [finish] = columnsUsed(times);
    if (!finish) return [sure({ format: 'clock' })];
    const hasLength = [...known.values()].some((of) => of && lengthKm(of) !== undefined);
    const others = columns.filter((one) => one.index !== bib.index && one !== finish);
    const fastestMs = sent.fastestMs === undefined ? fastestOf(finish, columns) : undefined;
    const longer = { value: { format: 'clock', fastestMs } as const, penalty: 1, isGuess: true };
    return [
      ...mapped(formatCandidates(finish, others, hasLength), (chosen) => ({ format: chosen })),
      ...(fastestMs === undefined ? [] : [longer]),
    ];
  },
  key: (choices) => `${choices.format} ${choices.fastestMs}`,
  asks: () => worded('time_format_unclear', {}),
  answers: ({ times, format: chosen, fastestMs }, all) =>
    fastestMs === undefined
      ? readsAs(exampleOf(times, [...new Set(all.map((one) => one.format))]), chosen)
      : `times below ${formatRaceTime(fastestMs)} are a day longer`,
};

const FEW_HOURS = new Pattern(/^0?[1-9]:\d\d:\d\d/);
const [TEN_HOURS_MS, DAY_MS] = [36_000_000, 86_400_000];

/**
 * The possible formats of a result's times. `1:05:00` in a further column shows that the file writes hours. Only the
 * distance tells hundredths from seconds.
 */
function formatCandidates(
  finish: Column,
  others: readonly Column[],
  hasLength: boolean,
): Candidate<TimeFormat>[] {
  const [first = 'clock', ...more] = formatsIn(finish);
  const hasHours =
    first === 'minutes_seconds' &&
    others.some(
      (column) =>
        column.class !== 'noResult' && filledCells(column).some((cell) => FEW_HOURS.test(cell)),
    );
  // Times below 24 hours may be times of day.
  const isDoubtful = first !== 'days' && leastOf(timesIn(finish, first)) < DAY_MS;
  return [
    { value: first, penalty: hasHours ? 1 : 0 },
    ...more.flatMap((value): Candidate<TimeFormat>[] =>
      value !== 'hundredths'
        ? [sure(value)]
        : hasLength
          ? [{ value, penalty: 1, isGuess: isDoubtful }]
          : [],
    ),
  ];
}

/** The time of the first place, if the times behind it fall by a day at once. */
function fastestOf(finish: Column, columns: readonly Column[]): number | undefined {
  const times = timesInOrder(
    finish,
    columns.find((one) => one.class === 'place'),
  );
  const [first = 0] = times;
  const longer = times.map((ms) => (ms < first ? ms + DAY_MS : ms));
  const isSorted = (all: readonly number[]) => all.every((ms, at) => ms >= (all[at - 1] ?? 0));
  return first >= TEN_HOURS_MS && !isSorted(times) && isSorted(longer) ? first : undefined;
}

/** A cell with a different time in each format. */
function exampleOf({ chip, gun }: TimeColumns, formats: readonly TimeFormat[]): string {
  const column = chip ?? gun;
  const cells = column ? filledCells(column) : [];
  const isTold = (cell: string) =>
    new Set(formats.map((format) => parseTime(format, cell))).size === formats.length;
  return cells.find(isTold) ?? cells[0] ?? '';
}

function readsAs(example: string, format: TimeFormat): string {
  const timeMs = parseTime(format, example);
  return timeMs === undefined ? format : `${example} is ${spell(timeMs)}`;
}
