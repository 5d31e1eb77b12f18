import { flagOf, isRegionName, meaningOfCell } from '../columns/cell-meaning.ts';
import { HYPHENS } from '../columns/column.ts';
import { classify } from '../columns/column-classes.ts';
import { isPlace } from '../read/claim.ts';
import { addLine, type Lines, noLines } from '../read/lines.ts';
import { Pattern } from '../read/pattern.ts';
import type { ResultStatus } from '../read/result-status.ts';
import {
  copied,
  cutTo,
  isDigits,
  mayHaveLetters,
  plainDigits,
  startsWithDigit,
} from '../read/text.ts';
import { parseTime } from '../read/time-formats.ts';

/** The rows of a cell, by their outcome. */
export type Tally = {
  /** Rows stored as FINISHED, and such rows without a column that says so. */
  finished: Lines;
  unsaid: Lines;
  /** Failing rows, such as rows without a time. */
  failing: Lines;
  /** Rows stored as FINISHED with a place. */
  placed: number;
  /** The fastest and the slowest time of the rows stored as FINISHED. */
  leastMs: number;
  mostMs: number;
};

export type Word = Tally & {
  text: string;
  /** The probable status of the word. A sentence beside times and places means no status, whatever its words. */
  readonly meaning: ResultStatus | undefined;
};

/** The cells of a column, by kind, in bounded memory. */
export type MarkedColumn = ReturnType<typeof createMarkedColumn>;

/** A row, with its outcome. */
type MarkedRow = {
  row: number;
  isFailing: boolean;
  /** Whether a column says the status. */
  isSaid: boolean;
  isPlaced: boolean;
  timeMs: number;
};

const [NUMBERS_MAX, WORDS_MAX] = [12, 50];
const WORD_LENGTH = 100;

/** @param isSample whether all numbers count. Otherwise numbers of places, of yes and no, and of a count do */
export function createMarkedColumn(name: string, index: number, isSample: boolean) {
  const ofName = classify(name);
  const flag = flagOf(name);
  // Two letters may be a region, or anything.
  const least = (ofName === 'status' && !isRegionName(name)) || ofName === 'place' || flag ? 1 : 3;
  const hasNumbers = isSample || ofName === 'place' || flag !== undefined;
  const column = {
    name,
    index,
    class: ofName,
    blank: noTally(),
    /** All numbers, and the first different numbers. */
    number: noTally(),
    numbers: new Map<string, Word>(),
    /** The first different words. */
    words: new Map<string, Word>(),
    /** Whether a number is no place, as times are none. */
    hasTimes: false,
    /** Whether the numbers of the rows stored as FINISHED count 1, 2, 3, … */
    isCounting: true,

    /** Whether numbers have no meaning, as in a column of splits. */
    skipsNumbers: (): boolean => !hasNumbers && !column.isCounting,

    add(sent: string, row: MarkedRow): void {
      const cell = sent.trim();
      const known = column.words.get(cell);
      if (known) addTo(known, row);
      else if (cell === '') addTo(column.blank, row);
      else if (isNumeric(cell)) addNumber(cell, row);
      else if (HYPHENS.test(cell)) addTo(column.blank, row);
      else addTo(wordOf(column.words, cell, WORDS_MAX), row);
    },

    /** Whether a word means a runner without a finish. */
    isMark: ({ text, meaning }: Word): boolean => isMark(text, meaning),
  };

  const isMark = (text: string, meaning: ResultStatus | undefined): boolean =>
    meaning !== undefined && meaning !== 'FINISHED' && text.length >= least;

  function addNumber(cell: string, row: MarkedRow): void {
    addTo(column.number, row);
    if (isSample || flag) addTo(wordOf(column.numbers, cell, NUMBERS_MAX), row);
    column.hasTimes ||= !isPlace(cell);
    if (!row.isFailing && column.isCounting) {
      column.isCounting = firstNumber(cell) === column.number.finished.count;
    }
  }

  /** The tally of a word. After many words, only known words get a tally. */
  function wordOf(words: Map<string, Word>, cell: string, most: number): Word | undefined {
    const short = cutTo(WORD_LENGTH, cell);
    const known = words.get(short);
    if (known || words.size === 2 * most) return known;
    const status = meaningOfCell(short, flag);
    // Most columns have names or clubs: so many different words take the time of the whole file.
    if (words.size >= most && !isMark(short, status)) return undefined;
    const isRemark = isSentence(short);
    const word: Word = {
      ...noTally(),
      text: copied(short),
      get meaning() {
        return isRemark && isPlacedFinish(word) ? undefined : status;
      },
    };
    words.set(word.text, word);
    return word;
  }

  return column;
}

/** Whether each row of a word has a time and a place. */
export const isPlacedFinish = ({ finished, failing, placed }: Tally): boolean =>
  finished.count > 0 && placed === finished.count && failing.count === 0;

export const LETTER = new Pattern(/\p{L}/u);

/** Whether a text has three words with letters between spaces. */
export const isSentence = (text: string): boolean =>
  text.split(' ').filter((word) => LETTER.test(word)).length > 2;

export const noTally = (): Tally => ({
  finished: noLines(),
  unsaid: noLines(),
  failing: noLines(),
  placed: 0,
  leastMs: Number.POSITIVE_INFINITY,
  mostMs: 0,
});

function addTo(tally: Tally | undefined, { row, isFailing, isSaid, isPlaced, timeMs }: MarkedRow) {
  if (!tally) return;
  if (isFailing) {
    addLine(tally.failing, row);
    return;
  }
  addLine(tally.finished, row);
  if (!isSaid) addLine(tally.unsaid, row);
  if (isPlaced) tally.placed += 1;
  tally.leastMs = Math.min(tally.leastMs, timeMs);
  tally.mostMs = Math.max(tally.mostMs, timeMs);
}

const STARTS_WITH_NUMBER = new Pattern(/^[^\p{L}\d]*\d/u);
/** `12 km` is how far a runner came. */
const UNIT = new Pattern(/\d\s*\p{L}{2}/u);
const FIRST_NUMBER = new Pattern(/\d+/);

/** A number may begin as `T3` or `PT1H28M`, and with no other letter of ASCII. */
const WORD_START = new Set('ABCDEFGHIJKLMNOQRSUVWXYZabcdefghijklmnoqrsuvwxyz');

/** Whether a cell is a time or a number, with signs or a few letters. */
export const isNumeric = (cell: string): boolean =>
  !WORD_START.has(cell.charAt(0)) && mayBeNumeric(cell);

const mayBeNumeric = (cell: string): boolean =>
  (startsWithDigit(cell) && !mayHaveLetters(cell)) ||
  isPlace(cell) ||
  (STARTS_WITH_NUMBER.test(cell) && !UNIT.test(cell)) ||
  parseTime('apostrophes', cell) !== undefined;

export const firstNumber = (cell: string): number =>
  Number(isDigits(cell) ? cell : FIRST_NUMBER.groups(plainDigits(cell))[0]);
