import { type Mark, type WrongClock, wrongClocks } from '../../../timing-files/judge/clocks.ts';
import { lengthKm } from '../../../timing-files/read/distance.ts';
import { foldedPoint, kmOn } from '../../../timing-files/read/point.ts';
import { parseRaceTime } from '../../../timing-files/read/race-time.ts';
import { notCompiled } from '../../db/planned.ts';
import type { RunQueries } from '../../http/endpoint.ts';
import type { SenderKind } from '../sender.ts';
import { textArray } from './column.ts';
import { findMarks, type MarksRow } from './find-marks.ts';

/** The rows of a file, in place of the stored times at their point. */
type Sent = {
  /** Null: the finish. */
  point: string | null;
  rows: readonly { bib_number: string | null; chip_time: string | null; gun_time: string | null }[];
};

/** The clocks that seem wrong, by the stored times, or by the rows of a file. */
export function clocksOf({ nowMs, points, runners }: MarksRow, sent?: Sent): WrongClock[] {
  const own = new Map(sent?.rows.map((row) => [row.bib_number, row.gun_time ?? row.chip_time]));
  return wrongClocks(
    runners.map(([bib, distance, startMs, stored]) => {
      const timeMs = parseRaceTime(own.get(bib) ?? '');
      const marks = [
        ...stored.filter(([point]) => !sent || keyOf(point) !== keyOf(sent.point)),
        ...(sent && timeMs ? [[sent.point, timeMs, nowMs] as const] : []),
      ];
      return marks.map(
        ([point, timeMs, atMs]): Mark => ({
          point,
          timeMs,
          km: point === null ? lengthKm(distance ?? '') : kmOn(points, point, distance),
          leadMs: startMs === null ? null : startMs + timeMs - atMs,
        }),
      );
    }),
  );
}

const keyOf = (point: string | null) => point && foldedPoint(point);

/** Reads the clocks that seem wrong, in a trip of its own: for uploads and previews of times of day alone. */
export async function readClocks(
  run: RunQueries,
  { eventId, by }: { eventId: string; by: SenderKind },
  sent?: Sent,
): Promise<WrongClock[]> {
  const bibs = textArray((sent?.rows ?? []).flatMap(({ bib_number }) => bib_number ?? []));
  const [, [marks]] = await run(notCompiled(), findMarks[by]({ eventId, bibs }));
  return marks ? clocksOf(marks, sent) : [];
}
