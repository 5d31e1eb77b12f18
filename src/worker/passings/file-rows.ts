import { RowError } from '../../timing-files/read/reason-codes.ts';
import type { Result, SentRow } from '../../timing-files/read/result.ts';
import type { FileRow } from '../../timing-files/read/results-file.ts';
import type { Paused } from '../../timing-files/read/turns.ts';
import type { Collector } from '../../timing-files/suggest/preview.ts';
import { createPassingBuilder, type PassingBatch } from './batch.ts';
import type { ClaimedPassing, Passing } from './passing.ts';

/** Collects the rows of a file with the times of a point. */
export function collectPassings(point: string): Collector<PassingBatch> {
  const batch = createPassingBuilder();
  return {
    add(row) {
      const judged = batch.add(atPoint(row, point));
      return judged instanceof RowError ? judged : asResult(judged);
    },
    get duplicates() {
      return batch.duplicates;
    },
    repeated: batch.repeated,
    finish: (readAgain) => batch.finish(() => rowsAtPoint(readAgain(), point)),
  };
}

function* rowsAtPoint(
  rows: Paused<FileRow>,
  point: string,
): Generator<SentRow<ClaimedPassing> | undefined> {
  for (const row of rows) yield row && atPoint(row, point);
}

/** A row of the file as a passing. Of two times, the chip time counts. */
const atPoint = (row: FileRow, point: string): SentRow<ClaimedPassing> => ({
  row: row.row,
  claim() {
    const { bib, chipTime, gunTime } = row.claim();
    return { bib, point, time: chipTime.trim() === '' ? gunTime : chipTime };
  },
  bib: () => row.bib(),
  echo: () => row.echo(),
});

/** A passing in the form for the judge of files. */
const asResult = ({ bib, timeMs }: Passing): Result => ({
  bib,
  status: 'FINISHED',
  chipTimeMs: timeMs,
  gunTimeMs: null,
  hasZeroTime: false,
  splitNames: [],
  splitTimesMs: [],
});
