import { parseRaceTime, RACE_TIME_FORMS } from './race-time.ts';
import { RowError } from './reason-codes.ts';
import { parseStatus, RESULT_STATUSES, type ResultStatus } from './result-status.ts';
import { guessStatus } from './status-words.ts';
import { quoted } from './text.ts';

/** The texts of one row of a JSON or CSV upload. What was not sent is blank. */
export type ClaimedResult = {
  bib: string;
  chipTime: string;
  gunTime: string;
  status: string;
  splitNames: readonly string[];
  /** One for each name in `splitNames`. A value that is not a text is not a time. */
  splitTimes: readonly unknown[];
};

/** A result that can be stored. */
export type Result = {
  bib: string;
  status: ResultStatus;
  chipTimeMs: number | null;
  gunTimeMs: number | null;
  splitNames: readonly string[];
  /** One for each name in `splitNames`. */
  splitTimesMs: readonly number[];
};

/** A row as the client sent it. */
export type SentRow = {
  /** Line of the file, or position in the array from 1 on. */
  row: number;
  /** @throws RowError if it does not have the shape of a result */
  claim(): ClaimedResult;
  /** The bib of the row, even if the rest of the row is wrong. */
  bib(): string | null;
  /** The row's values; undefined if the row is not an object. */
  echo(): Record<string, unknown> | undefined;
};

/** The most splits of one row, and of all rows of an upload together. */
export const SPLIT_NAMES_MAX = 1_000;

/** Looking through a list of up to this length is faster than making a set. */
const SHORT_LIST = 50;

/** The result of a row, or why it cannot be stored. */
export function judgeRow(sent: SentRow): Result | RowError {
  try {
    return judge(sent.claim());
  } catch (error) {
    if (error instanceof RowError) return error;
    throw error;
  }
}

/**
 * Checks a row and converts it to a result that can be stored (contract sections 2 and 3.3).
 * @throws RowError with the cell or value that cannot be read
 */
export function judge(claimed: ClaimedResult): Result {
  const bib = claimed.bib.trim();
  if (bib === '') throw new RowError('The bib number is missing.', 'missing_bib');
  if (!isStorable(bib)) {
    throw new RowError(
      'The bib number has characters that cannot be stored, such as NUL.',
      'invalid_bib',
    );
  }

  const status = judgeStatus(claimed.status);
  const splits = judgeSplits(claimed);
  if (status !== 'FINISHED') return { bib, status, chipTimeMs: null, gunTimeMs: null, ...splits };

  const chipTimeMs = judgeTime('chip time', claimed.chipTime);
  const gunTimeMs = judgeTime('gun time', claimed.gunTime);
  if (chipTimeMs === null && gunTimeMs === null) {
    throw new RowError('A FINISHED row needs a chip time or a gun time.', 'missing_time');
  }
  return { bib, status, chipTimeMs, gunTimeMs, ...splits };
}

function judgeStatus(sent: string): ResultStatus {
  if (sent.trim() === '') return 'FINISHED';
  const status = parseStatus(sent);
  if (status) return status;
  const meant = guessStatus(sent);
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
    if (timeMs === undefined) continue;
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
