import { type Column, filledCells } from '../columns/column.ts';
import { formatsIn } from '../columns/column-times.ts';
import { Pattern } from '../read/pattern.ts';
import type { TimeFormat } from '../read/time-formats.ts';
import { type Candidate, sure } from './candidate.ts';

const FEW_HOURS = new Pattern(/^0?[1-9]:\d\d:\d\d/);

/** The formats that the times of a result may have. `1:05:00` in another column shows that the file writes hours. */
export function formatCandidates(
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
    penalty: hasHours && format === 'minutes_seconds' ? 1 : 0,
  }));
}
