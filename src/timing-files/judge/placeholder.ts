import { isPlace } from '../read/claim.ts';
import { addLine, noLines } from '../read/lines.ts';
import { Pattern } from '../read/pattern.ts';
import { copied, startsWithDigit } from '../read/text.ts';

/** At this multiple of every other time, a time is no result. */
const FAR = 1.5;
const HOUR_MS = 3_600_000;
const ZERO = new Pattern(/^[0:.,]+$/);

export type Placeholder = ReturnType<typeof createPlaceholder>;

/**
 * The time that stands for "no result", such as 99:59:59: the slowest time, if rows without a place share the time or
 * the time is far beyond all others. In bounded memory.
 * @param times the columns of the times
 * @param places the column of the places, if any
 */
export function createPlaceholder(times: ReadonlySet<number>, places = -1) {
  let [slowestMs, beforeMs] = [0, 0];
  let [hasPlaces, isPlaced] = [false, false];
  let slowest = { text: '', lines: noLines() };
  /** The first cell that looks like a time and is no time, such as 99:99:99. */
  let failing = { text: '', lines: noLines() };

  const textIn = (cells: readonly string[]): string => {
    for (const index of times) {
      const cell = (cells[index] ?? '').trim();
      if (cell !== '') return cell;
    }
    return '';
  };

  function addFailing(row: number, text: string): void {
    if (!startsWithDigit(text) || !text.includes(':') || ZERO.test(text)) return;
    if (failing.text === '') failing = { text: copied(text), lines: noLines() };
    if (text === failing.text) addLine(failing.lines, row);
  }

  return {
    /** @param timeMs the time of a row stored as FINISHED; 0 for a failing row */
    add(row: number, cells: readonly string[], timeMs: number): void {
      if (timeMs === 0) {
        addFailing(row, textIn(cells));
        return;
      }
      const isRanked = places >= 0 && isPlace(cells[places] ?? '');
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

    /** The cell and the rows with the cell. */
    found() {
      const { count } = slowest.lines;
      const isFar = beforeMs > 0 && slowestMs >= beforeMs * FAR;
      const isUnplaced = hasPlaces && !isPlaced;
      const isLastSecond = slowestMs % HOUR_MS === HOUR_MS - 1_000;
      const reasons = [isFar, isUnplaced, isLastSecond, count > 1].filter(Boolean).length;
      const isWord = (isFar || isUnplaced) && (isLastSecond || count > 1) && reasons > 1;
      if (isWord) return { ...slowest, isStored: true };
      return failing.lines.count > 1 ? { ...failing, isStored: false } : undefined;
    },
  };
}
