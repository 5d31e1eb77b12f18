import { splitsOfCell } from '../write/splits-cell.ts';
import { readBib } from './bib-formats.ts';
import type { Columns } from './columns.ts';
import { withWholeTimes } from './milliseconds.ts';
import { type Parameters, wordKey } from './parameters.ts';
import { Pattern } from './pattern.ts';
import { isMoment, timeBetween } from './race-clock.ts';
import { formatRaceTime, parseRaceTime } from './race-time.ts';
import { RowError } from './reason-codes.ts';
import type { ClaimedResult } from './result.ts';
import { parseStatus, type ResultStatus, STATUS_RULES } from './result-status.ts';
import { type OfDay, sinceGun } from './since-gun.ts';
import { STATUS_LENGTH_MAX, statusAtStart, WORDS_MAX } from './status-words.ts';
import { copied, cutTo, isDigits, plainDigits, quoted, startsWithDigit } from './text.ts';
import { parseTime, TIME_FORMATS } from './time-formats.ts';

/**
 * The texts of a row by their meaning. If two columns mean the same, the first non-empty one counts.
 * @throws RowError for a cell that contradicts its parameter
 */
export function claimCells(columns: Columns, sent: string[]): ClaimedResult {
  const cells = withWholeTimes(columns.milliseconds, sent);
  const bib = bibIn(columns, cells);
  const { splitNames, splitTimes } = splitsIn(columns, cells);
  const status = firstFilled(cells, columns.status);
  const chipAt = firstTime(cells, columns.chipTime);
  const gunAt = firstTime(cells, columns.gunTime);
  const claimed = {
    bib,
    chipTime: sinceStart(columns.startAt, cells, cellAt(cells, chipAt)),
    gunTime: cellAt(cells, gunAt),
    status: columns.parameters ? status : (understood(columns, status) ?? status),
    splitNames,
    splitTimes,
  };
  if (!columns.parameters) return claimed;
  const isOfDay = (at: number | undefined) => at !== undefined && columns.ofDay.has(at);
  // The splits of one cell of our own export come first. They are no times of day.
  const ofCell = splitTimes.length - columns.splitIndexes.length;
  const ofDay = {
    chipTime: isOfDay(chipAt),
    gunTime: isOfDay(gunAt),
    split: (at: number) => isOfDay(columns.splitIndexes[at - ofCell]),
  };
  const translated = translate(claimed, columns, columns.parameters, ofDay);
  return columns.ofDay.size === 0 ? translated : sinceGun(translated, ofDay, columns.parameters);
}

/** The time between the start and the finish of a row; blank without a start. */
function sinceStart(startAt: number | undefined, cells: string[], finish: string): string {
  if (startAt === undefined || !isMoment(finish)) return finish;
  const timeMs = timeBetween(cellAt(cells, startAt), finish);
  return timeMs === undefined ? '' : formatRaceTime(timeMs);
}

/**
 * The status of a cell. Each new word takes as long as a whole row.
 * @throws RowError after so many different words that the column cannot hold statuses
 */
function understood({ statusWords }: Columns, cell: string): ResultStatus | undefined {
  if (cell === '') return undefined;
  if (statusWords.size < WORDS_MAX) statusWords.add(copied(cutTo(STATUS_LENGTH_MAX, cell)));
  else if (!statusWords.has(cutTo(STATUS_LENGTH_MAX, cell))) {
    throw new RowError(
      `The status ${quoted(cell)} is not read: the file has more than ${WORDS_MAX} different statuses.`,
      'invalid_status',
      cell.trim(),
    );
  }
  return statusIn(cell);
}

/** @throws RowError if the splits in a row of our own export differ from our form */
function splitsIn(
  { splitNames, splitIndexes, splitsObject }: Columns,
  cells: string[],
): Pick<CellsClaimed, 'splitNames' | 'splitTimes'> {
  const splitTimes = splitIndexes.map((index) => cells[index]);
  if (splitsObject === undefined) return { splitNames, splitTimes };
  const cell = cells[splitsObject] ?? '';
  // In a foreign file, a column with this name may have times.
  if (splitIndexes.includes(splitsObject) && !isSplitsObject(cell))
    return { splitNames, splitTimes };
  const splits = splitsFrom(cell);
  return {
    splitNames: [...splits.map(([name]) => name), ...splitNames],
    splitTimes: [...splits.map(([, time]) => time), ...splitTimes],
  };
}

/** Whether a cell has the splits of a result in the form of our export. */
export const isSplitsObject = (cell: string): boolean => cell.trimStart().startsWith('{');

function splitsFrom(cell: string): [name: string, time: string][] {
  const splits = splitsOfCell(cell);
  if (splits) return splits;
  throw new RowError(`The splits ${quoted(cell)} are no JSON, as in {"Km 10":"00:41:50.000"}.`);
}

/** The status of a cell in a column of statuses, which may go on: `DNF knee`, `aufgegeben km 20`. */
export const statusIn = (cell: string): ResultStatus | undefined =>
  cell === '' ? undefined : (parseStatus(cell) ?? statusAtStart(cell));

/** The bib of a row, even if the row has errors. */
export const bibOf = (columns: Columns, cells: string[]): string | null =>
  bibIn(columns, cells) || null;

const bibIn = ({ bib, parameters }: Columns, cells: string[]): string =>
  readBib(parameters?.bibFormat ?? 'exact', firstFilled(cells, bib));

/** The first cell with a time: real files have a transponder column "Chip" beside the column "Time". */
const firstTime = (cells: string[], indexes: number[]): number | undefined => {
  const valid = (index: number) => (parseRaceTime(cellAt(cells, index)) ?? 0) > 0;
  return (indexes.length < 2 ? undefined : indexes.find(valid)) ?? filledAt(cells, indexes);
};

const filledAt = (cells: string[], indexes: number[]): number | undefined =>
  indexes.find((index) => cellAt(cells, index).trim() !== '');

const firstFilled = (cells: string[], indexes: number[]): string =>
  cellAt(cells, filledAt(cells, indexes));

const cellAt = (cells: string[], index = -1): string => cells[index] ?? '';

type CellsClaimed = Omit<ClaimedResult, 'splitTimes'> & { splitTimes: (string | undefined)[] };

/** Translates the file's words and times into the contract's words and times. Times of day stay as they are. */
function translate(
  claimed: CellsClaimed,
  columns: Columns,
  parameters: Parameters,
  ofDay: OfDay,
): ClaimedResult {
  // In a column with the status too, and in the times of a point, the contract's words need no status_word.
  const isStatus = (indexes: number[]) =>
    parameters.point !== undefined || indexes.some((index) => columns.status.includes(index));
  const wordIn = (cell: string, indexes: number[]) =>
    sentMeaning(cell, parameters) ?? (isStatus(indexes) ? statusIn(cell) : undefined);

  const isNothing = (cell: string) => isBlank(cell) || columns.wordsLeftOut.has(wordKey(cell));
  const written = isNothing(claimed.status)
    ? (columns.status.length > 0 && parameters.statusWords.get('')) || ''
    : translateStatus(claimed.status, columns, parameters);
  const chipWord = wordIn(claimed.chipTime, columns.chipTime);
  const gunWord = wordIn(claimed.gunTime, columns.gunTime);
  const status = written === '' ? (chipWord ?? gunWord ?? '') : written;
  // A row with an unknown status fails because of the status.
  const known = status === '' ? 'FINISHED' : parseStatus(status);
  const keepsTimes = known !== undefined && STATUS_RULES[known].keepsTimes;
  const timeOf = (
    name: string,
    cell: string,
    word: ResultStatus | undefined,
    isOfDay: boolean,
  ): string => {
    if (isNothing(cell) || word !== undefined) return '';
    if (isOfDay) return cell;
    const time = asClock(parameters, cell, parameters.fastestMs);
    if (time === undefined && keepsTimes) throw noTime(name, cell, parameters);
    return time ?? '';
  };
  return {
    bib: claimed.bib,
    chipTime: timeOf('chip time', claimed.chipTime, chipWord, ofDay.chipTime),
    gunTime: timeOf('gun time', claimed.gunTime, gunWord, ofDay.gunTime),
    status,
    splitNames: claimed.splitNames,
    splitTimes: claimed.splitTimes.map((cell = '', at) => {
      if (ofDay.split(at)) return cell;
      return parameters.splits === undefined && WHOLE.test(cell.trim())
        ? ''
        : asClock(parameters, cell);
    }),
  };
}

/** An age or a place, unless the parameter split names its column. */
const WHOLE = new Pattern(/^\d+$/);

/** The status of a cell by `status_word`. */
const sentMeaning = (cell: string, { statusWords }: Parameters): ResultStatus | undefined =>
  (statusWords.size > 0 && cell.trim() !== '' && statusWords.get(wordKey(cell))) || undefined;

/** A status of the contract, an unknown word as written, or blank if the cell has no status. */
function translateStatus(cell: string, columns: Columns, parameters: Parameters): string {
  const status = sentMeaning(cell, parameters) ?? understood(columns, cell);
  if (status) return status;
  // A place or a time in the status column is no status, unless status_word gives numbers a meaning.
  const isNamed = parameters.columns.status !== undefined && !columns.hasNumberWords;
  const isPlaceOrTime = () => isPlace(cell) || parseTime(parameters.timeFormat, cell) !== undefined;
  return isNamed && isPlaceOrTime() ? '' : cell;
}

const PLACE_LENGTH_MAX = 6;
/** `1`, `1.`, `=3`, `3=`, `2nd`, `4/2892` */
const PLACE = new Pattern(
  /^[=tT]?\s*\d{1,6}\s*([.)ºª°=]|st|nd|rd|th|er|re|e|eme|ème|([ºª°.]\s*)?\/\s*\d+)?$/,
);

export function isPlace(cell: string): boolean {
  const text = cell.trim();
  return (isDigits(text) && text.length <= PLACE_LENGTH_MAX) || PLACE.test(plainDigits(text));
}

const BLANK = new Pattern(/^[-–—:.\s]*$/);

/** Whether a cell is empty. Files write hyphens in empty cells, as in `--:--`. */
const isBlank = (cell: string): boolean => !startsWithDigit(cell) && BLANK.test(cell.trim());

/** The time in the contract's form; undefined if the cell is no time. */
function asClock({ timeFormat }: Parameters, cell: string, leastMs = 0): string | undefined {
  if (timeFormat === 'clock' && leastMs === 0 && parseRaceTime(cell) !== undefined) return cell;
  const timeMs = parseTime(timeFormat, cell);
  if (timeMs === undefined) return undefined;
  return formatRaceTime(timeMs > 0 && timeMs < leastMs ? timeMs + DAY_MS : timeMs);
}

const DAY_MS = 86_400_000;

function noTime(name: string, cell: string, { timeFormat, point }: Parameters): RowError {
  const { example } = TIME_FORMATS[timeFormat];
  const hint = ' If it is a status, say what it means with status_word.';
  return new RowError(
    `The ${name} ${quoted(cell)} is not a time of the format ${timeFormat}, as in ${example}.` +
      (point === undefined ? hint : ''),
    'invalid_time',
  );
}
