import { formatRaceTime } from '../../timing-files/read/race-time.ts';
import type { Preview } from '../../timing-files/suggest/preview.ts';
import { namesOfLeft } from '../results/leave.ts';
import type { ReadRows } from '../results/upload/batch.ts';
import type { Compared } from '../results/upload/compare.ts';
import { describeReading, type Left } from '../results/upload/preview.ts';
import type { LeftPassing, PassingsFilePreview } from './answer-schemas.ts';
import type { PassingBatch } from './batch.ts';
import type { LeftRow, PreviewedLeftRow } from './leave.ts';

/** @returns undefined if the event no longer exists */
export async function describePassings(
  { statuses: _, ...preview }: Preview<PassingBatch>,
  compared: readonly (Compared | undefined)[],
  point: string,
  left: Left<PreviewedLeftRow> | undefined,
): Promise<PassingsFilePreview | undefined> {
  const described = await describeReading(preview, compared, 'passings', left);
  if (!described) return undefined;
  const { new: _new, changed: _changed, ...counts } = described.counts;
  return {
    ...described,
    counts,
    left: preview.shown && left ? [...leftAmong(preview.shown, left.left_rows)] : [],
    rows: preview.rows.map(({ row, bib_number, chip_time: time, replaced_by }) => ({
      row,
      replaced_by,
      bib_number,
      point,
      time,
    })),
  };
}

/** The left rows, in the form of the answer. */
export function* leftAmong(
  { loadable }: Pick<ReadRows, 'loadable'>,
  left: readonly (LeftRow | PreviewedLeftRow)[],
): Generator<LeftPassing> {
  for (const [ordinal, bib, reason, timeMs, sender, at, ...names] of left) {
    yield {
      row: loadable.rows[ordinal - 1] ?? 0,
      bib_number: bib,
      reason_code: reason,
      stored: timeMs === null ? null : { time: formatRaceTime(timeMs) },
      sender,
      at,
      ...namesOfLeft(names),
    };
  }
}
