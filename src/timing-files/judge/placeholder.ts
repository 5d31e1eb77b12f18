import { isPlace } from '../read/claim.ts';
import { addLine, noLines } from '../read/lines.ts';
import { copied } from '../read/text.ts';

/** So much beyond all others, a time is no result. */
const FAR = 1.5;
const HOUR_MS = 3_600_000;

export type Placeholder = ReturnType<typeof createPlaceholder>;

/**
 * The time that stands for "no result", as 99:59:59 does: the slowest one, if rows without a place share it or it is far
 * beyond the others. In bounded memory.
 */
export function createPlaceholder(times: ReadonlySet<number>, places = -1) {
  let [slowestMs, beforeMs] = [0, 0];
  let [hasPlaces, isPlaced] = [false, false];
  let slowest = { text: '', lines: noLines() };
  const textIn = (cells: readonly string[]): string =>
    [...times].map((index) => (cells[index] ?? '').trim()).find((cell) => cell !== '') ?? '';

  return {
    /** @param timeMs the time of a row that is stored as FINISHED */
    add(row: number, cells: readonly string[], timeMs: number): void {
      const isRanked = isPlace(cells[places] ?? '');
      hasPlaces ||= isRanked;
      if (timeMs < slowestMs) {
        beforeMs = Math.max(beforeMs, timeMs);
        return;
      }
      if (timeMs > slowestMs) {
        [beforeMs, slowestMs, isPlaced] = [slowestMs, timeMs, false];
        slowest = { text: copied(textIn(cells)), lines: noLines() };
      }
      isPlaced ||= isRanked;
      addLine(slowest.lines, row);
    },

    /** The cell and its rows. */
    found() {
      const { count } = slowest.lines;
      const isFar = beforeMs > 0 && slowestMs >= beforeMs * FAR;
      const isUnplaced = hasPlaces && !isPlaced;
      const isLastSecond = slowestMs % HOUR_MS === HOUR_MS - 1_000;
      const isWord = (isFar || isUnplaced) && (isLastSecond || count > 1);
      return isWord ? slowest : undefined;
    },
  };
}
