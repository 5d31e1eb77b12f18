import { addLine, type Lines, noLines } from '../read/lines.ts';
import { type ReasonCode, RowError } from '../read/reason-codes.ts';
import type { Result } from '../read/result.ts';
import { byStatus } from '../read/result-status.ts';
import { copied, cutTo } from '../read/text.ts';

const WORDS_MAX = 10;
const WORD_LENGTH = 100;
const DIFFERENT_MAX = 100;
const BIBS_LOOKED_AT = 100;
/** Splits are compared in so many rows, and in later rows only while some split is constant. */
const ROWS_FOR_SPLITS = 20;

/** The measures behind warnings, taken row by row in bounded memory. */
export type Measures = ReturnType<typeof createMeasures>;

export function createMeasures() {
  const measures = {
    /** All rows, the failing rows, and the remaining rows by status. */
    total: 0,
    errors: 0,
    statuses: byStatus(() => 0),
    /** The failing rows by reason, and the message of the first failing row. */
    reasons: new Map<ReasonCode, Lines>(),
    firstReason: '',
    unknownStatuses: new Set<string>(),
    firstBibs: [] as string[],
    /** Finish times. `rest` means the times after the first. */
    times: {
      count: 0,
      wholeMinutes: 0,
      leastMs: Number.POSITIVE_INFINITY,
      mostMs: 0,
      firstMs: 0,
      restMostMs: 0,
      isRestRising: true,
      /** The first different times. */
      different: new Set<number>(),
    },
    leastSplitMs: Number.POSITIVE_INFINITY,
    /** The shortest wait between the gun and the start line. */
    leastWaitMs: Number.POSITIVE_INFINITY,
    overDay: noLines(),
    zero: noLines(),
    gunBelowChip: noLines(),
    splitAfterFinish: noLines(),

    add(row: number, judged: Result | RowError): void {
      measures.total += 1;
      if (judged instanceof RowError) addError(row, judged);
      else addResult(row, judged);
    },

    /** The splits that were equal for all runners. */
    sameSplits: (): string[] =>
      [...splits].flatMap(([name, { isSame, count }]) => (isSame && count >= 3 ? [name] : [])),
  };

  function addError(row: number, { code, message, found }: RowError): void {
    measures.errors += 1;
    if (measures.reasons.size === 0) measures.firstReason = message;
    const alike = measures.reasons.get(code) ?? noLines();
    addLine(alike, row);
    measures.reasons.set(code, alike);
    if (code === 'invalid_status' && measures.unknownStatuses.size < WORDS_MAX) {
      measures.unknownStatuses.add(copied(cutTo(WORD_LENGTH, found)));
    }
  }

  function addResult(row: number, result: Result): void {
    measures.statuses[result.status] += 1;
    if (measures.firstBibs.length < BIBS_LOOKED_AT) measures.firstBibs.push(copied(result.bib));
    const finishMs = result.chipTimeMs ?? result.gunTimeMs;
    if (result.hasZeroTime) addLine(measures.zero, row);
    if (finishMs === null) return;
    measureTime(row, finishMs);
    measureSplits(row, result);
  }

  const splits = new Map<string, { firstMs: number; isSame: boolean; count: number }>();
  /** Splits that were equal in all rows so far. */
  let sameSplits = 0;

  function measureTime(row: number, finishMs: number): void {
    const { times } = measures;
    if (times.count === 0) times.firstMs = finishMs;
    else {
      times.isRestRising &&= finishMs >= times.restMostMs;
      times.restMostMs = Math.max(times.restMostMs, finishMs);
    }
    times.count += 1;
    if (times.different.size < DIFFERENT_MAX) times.different.add(finishMs);
    times.leastMs = Math.min(times.leastMs, finishMs);
    times.mostMs = Math.max(times.mostMs, finishMs);
    if (finishMs % 60_000 === 0) times.wholeMinutes += 1;
    if (finishMs > 86_400_000) addLine(measures.overDay, row);
  }

  function measureSplits(row: number, result: Result): void {
    const { chipTimeMs, gunTimeMs, splitTimesMs } = result;
    if (chipTimeMs !== null && gunTimeMs !== null) {
      measures.leastWaitMs = Math.min(measures.leastWaitMs, gunTimeMs - chipTimeMs);
      if (gunTimeMs < chipTimeMs) addLine(measures.gunBelowChip, row);
    }
    // A split may be counted from the gun, and so be later than the net time alone.
    const latestMs = Math.max(chipTimeMs ?? 0, gunTimeMs ?? 0);
    let isLate = false;
    for (const ms of splitTimesMs) {
      isLate ||= ms > latestMs;
      if (ms < measures.leastSplitMs) measures.leastSplitMs = ms;
    }
    if (isLate) addLine(measures.splitAfterFinish, row);
    if (measures.times.count <= ROWS_FOR_SPLITS || sameSplits > 0) compareSplits(result);
  }

  function compareSplits({ splitNames, splitTimesMs }: Result): void {
    for (const [at, name] of splitNames.entries()) {
      const ms = splitTimesMs[at] ?? 0;
      const split = splits.get(name);
      if (!split) {
        splits.set(name, { firstMs: ms, isSame: true, count: 1 });
        sameSplits += 1;
        continue;
      }
      split.count += 1;
      if (!split.isSame || ms === split.firstMs) continue;
      split.isSame = false;
      sameSplits -= 1;
    }
  }

  return measures;
}
