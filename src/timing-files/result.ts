import { parseRaceTime, RACE_TIME_FORMS } from './race-time.ts';
import { RowError } from './reason-codes.ts';
import { parseStatus, RESULT_STATUSES, type ResultStatus } from './result-status.ts';
import { guessStatus } from './status-words.ts';

/** What a row says, whichever format it came in; what was not sent is blank. */
export type ClaimedResult = {
  bib: string;
  chipTime: string;
  gunTime: string;
  status: string;
  splitNames: readonly string[];
  /** Of the split at the same place in `splitNames`; what is no text is no time. */
  splitTimes: readonly unknown[];
};

/** A result that can be stored. */
export type Result = {
  bib: string;
  status: ResultStatus;
  chipTimeMs: number | null;
  gunTimeMs: number | null;
  splitNames: readonly string[];
  /** Of the split at the same place in `splitNames`. */
  splitTimesMs: readonly number[];
};

/** Of one row, and of all rows of an upload together. */
export const SPLIT_NAMES_MAX = 1_000;

/** Up to here, looking through the names of a row is faster than a set of them. */
const SHORT_LIST = 50;

/**
 * The result a row claims (contract sections 2 and 3.3).
 * @throws RowError
 */
export function judge(claimed: ClaimedResult): Result {
  const bib = claimed.bib.trim();
  if (bib === '') throw new RowError('The bib number is missing.', 'missing_bib');
  if (!isStorable(bib)) {
    throw new RowError('The bib number has characters that no text can hold.', 'invalid_bib');
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
    `The status ${quote(sent)} is none of ${RESULT_STATUSES.join(', ')}${hint}`,
    'invalid_status',
  );
}

function judgeTime(name: string, sent: string): number | null {
  const timeMs = parseRaceTime(sent);
  if (timeMs !== undefined) return timeMs;
  if (sent.trim() === '') return null;
  const meant = guessStatus(sent);
  const hint = meant ? ` If it means ${meant}, send that as the status.` : '';
  throw new RowError(
    `The ${name} ${quote(sent)} is not a time: expected ${RACE_TIME_FORMS}.${hint}`,
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
        `The split name ${quote(sentName)} has characters that no text can hold.`,
        'invalid_split',
      );
    }
    if (isTaken ? isTaken(name) : splitNames.includes(name)) continue;
    if (splitNames.length === SPLIT_NAMES_MAX) {
      throw new RowError(`The row has more than ${SPLIT_NAMES_MAX} splits.`, 'invalid_split');
    }
    splitNames.push(name);
    splitTimesMs.push(timeMs);
  }
  return { splitNames, splitTimesMs };
}

/** Tells of each name whether it came before. Only a long list is worth what this costs. */
function createIsTaken(): (name: string) => boolean {
  const taken = new Set<string>();
  return (name) => taken.size === taken.add(name).size;
}

/** Postgres takes no NUL in a text, UTF-8 no half of a surrogate pair. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

const quote = (text: string): string => JSON.stringify(text.trim().slice(0, 40));
