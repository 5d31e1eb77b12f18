import { type Column, filledCells } from '../../columns/column.ts';
import { formatsIn } from '../../columns/column-times.ts';
import { Pattern } from '../../read/pattern.ts';
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
  candidates({ bib, columns, times }, { sent }) {
    const others = columns.filter(({ index }) => index !== bib.index);
    const isOpen = sent.timeFormat === 'clock';
    const formats = isOpen ? formatCandidates(columnsUsed(times), others) : [sure(sent.timeFormat)];
    return mapped(formats, (chosen) => ({ format: chosen }));
  },
  key: (choices) => choices.format,
  asks: () => 'The times can be read in several ways.',
  answers: (choices, all) =>
    readsAs(exampleOf(choices.times, [...new Set(all.map((one) => one.format))]), choices.format),
};

const FEW_HOURS = new Pattern(/^0?[1-9]:\d\d:\d\d/);

/** The possible formats of a result's times. `1:05:00` in a further column shows that the file writes hours. */
function formatCandidates(
  [finish]: readonly Column[],
  columns: readonly Column[],
): Candidate<TimeFormat>[] {
  const formats = finish ? formatsIn(finish) : [];
  if (formats.length === 0) return [sure('clock')];
  const hasHours =
    formats[0] === 'minutes_seconds' &&
    columns.some(
      (column) =>
        column !== finish &&
        column.class !== 'noResult' &&
        filledCells(column).some((cell) => FEW_HOURS.test(cell)),
    );
  return formats.map((format) => ({
    value: format,
    penalty:
      (hasHours && format === 'minutes_seconds') || (format === 'hundredths' && formats.length > 1)
        ? 1
        : 0,
  }));
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
  if (timeMs === undefined) return format;
  const seconds = Math.floor(timeMs / 1_000);
  const parts = [
    `${Math.floor(seconds / 3_600)} h`,
    `${Math.floor(seconds / 60) % 60} min`,
    `${seconds % 60} s`,
  ];
  return `${example} is ${parts.filter((part) => !part.startsWith('0 ')).join(' ')}`;
}
