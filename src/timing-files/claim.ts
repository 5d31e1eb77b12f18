import type { Columns } from './columns.ts';
import { type Parameters, wordKey } from './parameters.ts';
import { formatRaceTime, parseRaceTime } from './race-time.ts';
import { RowError } from './reason-codes.ts';
import type { ClaimedResult } from './result.ts';
import { parseStatus } from './result-status.ts';
import { parseTime, TIME_FORMATS } from './time-formats.ts';

/**
 * What the cells of a row claim. Where two columns mean the same, the first that holds counts.
 * @throws RowError where a parameter says how a cell is to be read, and it cannot be read so.
 */
export function claimCells(columns: Columns, cells: string[]): ClaimedResult {
  const claimed = {
    bib: firstFilled(cells, columns.bib),
    chipTime: firstTime(cells, columns.chipTime),
    gunTime: firstTime(cells, columns.gunTime),
    status: firstFilled(cells, columns.status),
    splitNames: columns.splitNames,
    splitTimes: columns.splitIndexes.map((index) => cells[index]),
  };
  return columns.parameters ? translate(claimed, columns, columns.parameters) : claimed;
}

/** The bib that a row names, whatever else is wrong with it. */
export const bibOf = (columns: Columns, cells: string[]): string | null =>
  firstFilled(cells, columns.bib).trim() || null;

/** Real files carry a transponder column named "Chip" beside "Time": the time is the one that counts. */
const firstTime = (cells: string[], indexes: number[]): string => {
  if (indexes.length < 2) return firstFilled(cells, indexes);
  const valid = indexes.find((index) => parseRaceTime(cells[index] ?? '') !== undefined);
  return valid === undefined ? firstFilled(cells, indexes) : (cells[valid] ?? '');
};

function firstFilled(cells: string[], indexes: number[]): string {
  for (const index of indexes) {
    const cell = cells[index] ?? '';
    if (cell.trim() !== '') return cell;
  }
  return '';
}

type CellsClaimed = Omit<ClaimedResult, 'splitTimes'> & { splitTimes: (string | undefined)[] };

/** What the file says in its own words, in the words of the contract. */
function translate(claimed: CellsClaimed, columns: Columns, parameters: Parameters): ClaimedResult {
  const { timeFormat, statusWords } = parameters;
  const wordOf = (cell: string) =>
    statusWords.size === 0 ? undefined : statusWords.get(wordKey(cell));
  // In a column that is the status too, the contract's words need no status_word.
  const isStatus = (indexes: number[]) => indexes.some((index) => columns.status.includes(index));
  const wordIn = (cell: string, indexes: number[]) =>
    wordOf(cell) ?? (isStatus(indexes) ? parseStatus(cell) : undefined);

  const told = translateStatus(claimed.status, parameters);
  const timeWords = [
    wordIn(claimed.chipTime, columns.chipTime),
    wordIn(claimed.gunTime, columns.gunTime),
  ];
  const [chipWord, gunWord] = timeWords;
  const status = told === '' ? (chipWord ?? gunWord ?? '') : told;
  const isFinished = status === '' || status === 'FINISHED';
  const timeOf = (what: string, cell: string, word: unknown): string => {
    if (isBlank(cell) || word !== undefined) return '';
    if (parseTime(timeFormat, cell) === undefined && isFinished)
      throw noTime(what, cell, parameters);
    return asClock(parameters, cell) ?? '';
  };
  return {
    bib: claimed.bib,
    chipTime: timeOf('chip time', claimed.chipTime, chipWord),
    gunTime: timeOf('gun time', claimed.gunTime, gunWord),
    status,
    splitNames: claimed.splitNames,
    splitTimes: claimed.splitTimes.map((cell) => asClock(parameters, cell ?? '')),
  };
}

/** A word of the contract, or what was written where it is unknown; blank where nothing says it. */
function translateStatus(cell: string, { statusWords, columns, timeFormat }: Parameters): string {
  if (isBlank(cell)) return '';
  const status = statusWords.get(wordKey(cell)) ?? parseStatus(cell);
  if (status) return status;
  const isPlaceOrTime = PLACE.test(cell) || parseTime(timeFormat, cell) !== undefined;
  // A column of places or times says nothing of those who have one, unless numbers are its words.
  const isNamed = columns.status !== undefined && ![...statusWords.keys()].some(isNumber);
  return isNamed && isPlaceOrTime ? '' : cell;
}

const isNumber = (word: string): boolean => /^\d+$/.test(word);

/** `1`, `1.`, `=3`, `2nd`, `4/2892` */
const PLACE =
  /^\s*[=tT]?\s*\d{1,6}\s*([.)ºª°]|st|nd|rd|th|er|re|e|eme|ème|[ºª°.]?\s*\/\s*\d+)?\s*$/;

/** Files write hyphens where there is nothing, as in `--:--`. */
const isBlank = (cell: string): boolean => /^[\s\-–—:.]*$/.test(cell);

/** The time as the contract writes it; undefined where the cell is none. */
function asClock({ timeFormat }: Parameters, cell: string): string | undefined {
  if (timeFormat === 'clock') return parseRaceTime(cell) === undefined ? undefined : cell;
  const timeMs = parseTime(timeFormat, cell);
  return timeMs === undefined ? undefined : formatRaceTime(timeMs);
}

function noTime(what: string, cell: string, { timeFormat }: Parameters): RowError {
  const [example = ''] = Object.keys(TIME_FORMATS[timeFormat].examples);
  return new RowError(
    `The ${what} ${JSON.stringify(cell.trim().slice(0, 40))} is no time of the format ${timeFormat}, ` +
      `as in ${example}. If it is a status, say what it means with status_word.`,
    'invalid_time',
  );
}
