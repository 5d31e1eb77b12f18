import { parseRaceTime, RACE_TIME_FORMS } from './race-time.ts';
import { RowError } from './reason-codes.ts';
import { parseStatus, RESULT_STATUSES, type ResultStatus, STATUS_RULES } from './result-status.ts';
import { guessStatus, statusAtStart } from './status-words.ts';
import { quoted } from './text.ts';

/** The texts of a row of a JSON or CSV upload. Missing values are blank. */
export type ClaimedResult = {
  bib: string;
  chipTime: string;
  gunTime: string;
  status: string;
  splitNames: readonly string[];
  /** A time for each name in `splitNames`. A value that is no text is no time. */
  splitTimes: readonly unknown[];
};

/** A storable result. */
export type Result = {
  bib: string;
  status: ResultStatus;
  chipTimeMs: number | null;
  gunTimeMs: number | null;
  /** Whether one of the two times is zero. A zero time is left out. */
  hasZeroTime: boolean;
  splitNames: readonly string[];
  /** A time for each name in `splitNames`. */
  splitTimesMs: readonly number[];
};

export type SentRow<Claimed = ClaimedResult> = {
  /** Line of the file, or position in the array from 1 on. */
  row: number;
  /** @throws RowError for a value without the shape of a row */
  claim(): Claimed;
  /** The bib of the row, even if the rest of the row is wrong. */
  bib(): string | null;
  /** The row's values; undefined if the row is not an object. */
  echo(): Record<string, unknown> | undefined;
};

/** Rows of an upload as JSON. */
export const JSON_ROWS_MAX = 5_000;

/** The most splits of a row, and of all rows of an upload together. */
export const SPLIT_NAMES_MAX = 1_000;

/** Looking through a list of up to this length is faster than making a set. */
const SHORT_LIST = 50;

/** The result of a row, or the reason against storing the row. */
export const judgeRow = (sent: SentRow): Result | RowError => orRowError(() => judge(sent.claim()));

/** The outcome of a row, or the reason against storing the row. */
export function orRowError<T>(judge: () => T): T | RowError {
  try {
    return judge();
  } catch (error) {
    if (error instanceof RowError) return error;
    throw error;
  }
}

/**
 * Trims the bib of a row.
 * @throws RowError for a blank bib, or a bib that cannot be stored
 */
export function judgeBib(sent: string): string {
  const bib = sent.trim();
  if (bib === '') throw new RowError('The bib number is missing.', 'missing_bib');
  if (isStorable(bib)) return bib;
  throw new RowError(
    'The bib number has characters that cannot be stored, such as NUL.',
    'invalid_bib',
  );
}

/**
 * Checks a row and converts the row to a result (contract sections 2 and 3.3).
 * @throws RowError with the unreadable cell or value
 */
export function judge(claimed: ClaimedResult): Result {
  const bib = judgeBib(claimed.bib);
  const status = judgeStatus(claimed.status);
  const { splitNames, splitTimesMs } = judgeSplits(claimed);
  const { keepsTimes, hasPosition } = STATUS_RULES[status];
  if (!keepsTimes) {
    const noTimes = { chipTimeMs: null, gunTimeMs: null, hasZeroTime: false };
    return { bib, status, ...noTimes, splitNames, splitTimesMs };
  }

  // Timing software writes a zero for runners without a start or a finish, and for a missed start.
  const sentChipTimeMs = judgeTime('chip time', claimed.chipTime);
  const sentGunTimeMs = judgeTime('gun time', claimed.gunTime);
  const chipTimeMs = sentChipTimeMs || null;
  const gunTimeMs = sentGunTimeMs || null;
  const hasZeroTime = sentChipTimeMs === 0 || sentGunTimeMs === 0;
  if (hasPosition && chipTimeMs === null && gunTimeMs === null) throw noTime(status, hasZeroTime);
  return { bib, status, chipTimeMs, gunTimeMs, hasZeroTime, splitNames, splitTimesMs };
}

const noTime = (status: ResultStatus, hasZeroTime: boolean): RowError =>
  new RowError(
    `A ${status} row needs a chip time or a gun time${hasZeroTime ? ' over zero' : ''}.`,
    'missing_time',
  );

function judgeStatus(sent: string): ResultStatus {
  if (sent.trim() === '') return 'FINISHED';
  const status = parseStatus(sent);
  if (status) return status;
  const meant = statusAtStart(sent) ?? guessStatus(sent);
  const hint = meant ? `: did you mean ${meant}?` : '.';
  throw new RowError(
    `The status ${quoted(sent)} is none of ${RESULT_STATUSES.join(', ')}${hint}`,
    'invalid_status',
    sent.trim(),
  );
}

function judgeTime(name: string, sent: string): number | null {
  const timeMs = parseRaceTime(sent);
  if (timeMs !== undefined) return timeMs;
  if (sent.trim() === '') return null;
  const meant = guessStatus(sent);
  const hint = meant ? ` If it means ${meant}, send that as the status.` : '';
  throw new RowError(
    `The ${name} ${quoted(sent)} is not a time: expected ${RACE_TIME_FORMS}.${hint}`,
    'invalid_time',
  );
}

function judgeSplits({
  splitNames: sentNames,
  splitTimes: sentTimes,
}: ClaimedResult): Pick<Result, 'splitNames' | 'splitTimesMs'> {
  const splitNames: string[] = [];
  const splitTimesMs: number[] = [];
  const isTaken = sentNames.length > SHORT_LIST ? createIsTaken() : undefined;
  for (let at = 0; at < sentNames.length; at++) {
    const time = sentTimes[at];
    const timeMs = typeof time === 'string' ? parseRaceTime(time) : undefined;
    if (timeMs === undefined || timeMs === 0) continue;
    const sentName = sentNames[at] ?? '';
    const name = sentName.trim();
    if (name === '') continue;
    if (!isStorable(name)) {
      throw new RowError(
        `The split name ${quoted(sentName)} has characters that cannot be stored, such as NUL.`,
        'invalid_split',
      );
    }
    if (isTaken ? isTaken(name) : splitNames.includes(name)) {
      throw new RowError(
        `The row has two splits named ${quoted(name)}, which differ only in blanks around the name.`,
        'duplicate_split',
      );
    }
    if (splitNames.length === SPLIT_NAMES_MAX) {
      throw new RowError(`The row has more than ${SPLIT_NAMES_MAX} splits.`, 'invalid_split');
    }
    splitNames.push(name);
    splitTimesMs.push(timeMs);
  }
  return { splitNames, splitTimesMs };
}

/** Whether a name came before. A set costs more than a short list. */
function createIsTaken(): (name: string) => boolean {
  const taken = new Set<string>();
  return (name) => taken.size === taken.add(name).size;
}

/** Postgres refuses a NUL in a text, and UTF-8 has no half of a surrogate pair. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
