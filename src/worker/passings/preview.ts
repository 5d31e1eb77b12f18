import type { Preview } from '../../timing-files/suggest/preview.ts';
import type { Compared } from '../results/upload/compare.ts';
import { describeReading } from '../results/upload/preview.ts';
import type { PassingsFilePreview } from './answer-schemas.ts';
import type { PassingBatch } from './batch.ts';

/** @returns undefined if the event is not there any more */
export function describePassings(
  { statuses: _, ...preview }: Preview<PassingBatch>,
  compared: readonly (Compared | undefined)[],
  point: string,
): PassingsFilePreview | undefined {
  const described = describeReading(preview, compared, 'passings');
  if (!described) return undefined;
  const { new: _new, changed: _changed, ...counts } = described.counts;
  return {
    ...described,
    counts,
    rows: preview.rows.map(({ row, bib_number, chip_time: time }) => ({
      row,
      bib_number,
      point,
      time,
    })),
  };
}
