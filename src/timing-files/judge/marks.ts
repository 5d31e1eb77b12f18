import { BESIDE_RESULTS, classify } from '../columns/column-classes.ts';
import type { Columns } from '../read/columns.ts';
import { type Lines, linesOf, noLines } from '../read/lines.ts';
import { type Meaning, wordKey } from '../read/parameters.ts';
import { type ReasonCode, RowError } from '../read/reason-codes.ts';
import type { Result } from '../read/result.ts';
import type { FileRow } from '../read/results-file.ts';
import { startsWithDigit } from '../read/text.ts';
import {
  createMarkedColumn,
  isNumeric,
  LETTER,
  type MarkedColumn,
  type Tally,
  type Word,
} from './marked-column.ts';
import { createPlaceholder, type Placeholder } from './placeholder.ts';
import { worded } from './sentences.ts';
import { type Finding, findingIf } from './warning.ts';

/** The statements of the cells beside the results, in bounded memory. */
export type Marks = ReturnType<typeof createMarks>;

const COLUMNS_MAX = 100;
const EXAMPLES_MAX = 5;

/** Why a row without a time fails. */
const FOR_TIME: ReadonlySet<ReasonCode> = new Set<ReasonCode>(['missing_time', 'invalid_time']);

export const hasLetter = ({ text }: Pick<Word, 'text'>): boolean => LETTER.test(text);

type Read = Pick<Columns, Meaning | 'names' | 'ignored' | 'parameters'>;

/** Whether a column is about the result, and not about a person or a pace. */
const isAboutResult = (name: string): boolean => !BESIDE_RESULTS.has(classify(name));

const isFilled = (cell = ''): boolean => cell.trim() !== '';

/** @param isSample whether all columns and numbers count. A judge of each row looks at as few cells as possible */
export function createMarks(
  { names, bib, chipTime, gunTime, status, ignored, parameters }: Read,
  isSample = false,
) {
  const times = new Set([...chipTime, ...gunTime]);
  const isNamedStatus = (index: number) => classify(names[index] ?? '') === 'status';
  const columns = [...names.keys()]
    .filter((index) => !bib.includes(index) && !ignored.includes(index))
    .filter((index) => isSample || (!times.has(index) && isAboutResult(names[index] ?? '')))
    .toSorted((one, other) => Number(isNamedStatus(other)) - Number(isNamedStatus(one)))
    .slice(0, COLUMNS_MAX)
    .map((index) => createMarkedColumn(names[index] ?? '', index, isSample));
  const beside = columns.filter(({ index }) => !times.has(index));
  const place = beside.find((one) => one.class === 'place');
  const totals = { finished: 0, failing: 0 };
  const placeholder = createPlaceholder(times, place?.index);

  return {
    /** The columns of times, and the columns beside. */
    times: columns.filter(({ index }) => times.has(index)),
    beside,
    place,
    totals,
    placeholder,

    add({ row, cells }: Pick<FileRow, 'row' | 'cells'>, judged: Result | RowError): void {
      const isFailing = judged instanceof RowError;
      if (isFailing ? !FOR_TIME.has(judged.code) : judged.status !== 'FINISHED') return;
      totals[isFailing ? 'failing' : 'finished'] += 1;
      const timeMs = isFailing ? 0 : (judged.chipTimeMs ?? judged.gunTimeMs ?? 0);
      const isPlaced = place !== undefined && isNumeric((cells[place.index] ?? '').trim());
      placeholder.add(row, cells, timeMs);
      const marked = { row, isFailing, isSaid: false, isPlaced, timeMs };
      for (const column of columns) {
        const cell = cells[column.index] ?? '';
        if (column.skipsNumbers() && startsWithDigit(cell)) continue;
        marked.isSaid = status.some((at) => at !== column.index && isFilled(cells[at]));
        column.add(cell, marked);
      }
    },

    findings(): Finding[] {
      const remarked = beside.filter(
        (one) => one.class === 'status' && !status.includes(one.index),
      );
      const isRead = ({ text }: Word) => parameters?.statusWords.get(wordKey(text)) === 'FINISHED';
      /**
       * The columns of places: the column with a place's name or, without such a name, the columns that count 1, 2, 3,
       * …
       */
      const ranked = place ? [place] : beside.filter(countsRows);
      return [
        ...markFindings(beside),
        ...remarks(remarked, totals.finished / 2),
        ...timesThatAreWords(placeholder.found()),
        ...ranked.flatMap((one) => [
          ...wordsAmong(one, (word) => !isRead(word)),
          ...blanksAmong(one, totals.finished / 2),
        ]),
      ];
    },
  };
}

export const allWords = ({ words, numbers }: MarkedColumn): Word[] => [
  ...words.values(),
  ...numbers.values(),
];

/** Words of several columns with their rows: the rows of the column with the most rows. */
type Told = Lines & { words: string[]; columns: string[] };

function told(
  columns: readonly MarkedColumn[],
  wordsOf: (column: MarkedColumn) => readonly Word[],
  of: (tally: Tally) => Lines,
): Told {
  const some = columns.flatMap((column) => {
    const words = wordsOf(column).filter((word) => of(word).count > 0);
    return words.length === 0 ? [] : [{ column, words, lines: linesOf(words.map(of)) }];
  });
  const [most] = some.toSorted((one, other) => other.lines.count - one.lines.count);
  return {
    ...(most?.lines ?? noLines()),
    words: some.flatMap(({ words }) => words.slice(0, EXAMPLES_MAX).map(({ text }) => text)),
    columns: some.map(({ column }) => labelOf(column)),
  };
}

const valuesOf = ({ count, words, columns }: Told) => ({ count, words, columns });

/** Whether the numbers of the finishers count 1, 2, 3, … */
export const countsRows = ({ isCounting, hasTimes, number }: MarkedColumn): boolean =>
  isCounting && !hasTimes && number.finished.count > 1;

const labelOf = ({ name, index }: MarkedColumn): string => name || `#${index + 1}`;

/** Rows with a cell for a runner without a finish. @param what the word for a kind of column */
export function markFindings(
  all: readonly MarkedColumn[],
  what: 'column' | 'field' = 'column',
): Finding[] {
  const columns = all.filter((one) => isAboutResult(one.name));
  const marks = (column: MarkedColumn) => allWords(column).filter(column.isMark);
  const despite = told(columns, marks, ({ finished }) => finished);
  const failing = told(columns, marks, (tally) => tally.failing);
  const isField = what === 'field';
  return [
    ...findingIf(
      despite.count > 0,
      despite.count,
      isField ? 'finished_despite_mark:field' : 'finished_despite_mark',
      valuesOf(despite),
      despite.rows,
    ),
    ...findingIf(
      failing.count > 0,
      failing.count,
      isField ? 'column_not_read:failing_field' : 'column_not_read:failing',
      valuesOf(failing),
      failing.rows,
    ),
  ];
}

/** Finishers with a remark in a skipped column with a status' name. */
function remarks(columns: readonly MarkedColumn[], most: number): Finding[] {
  const unknown = ({ words }: MarkedColumn) =>
    [...words.values()].filter((word) => word.meaning === undefined && hasLetter(word));
  const some = told(columns, unknown, ({ finished }) => finished);
  return findingIf(
    some.count > 0 && some.count < most,
    0,
    'column_not_read:remark',
    valuesOf(some),
    some.rows,
  );
}

/** Finishers with a word in the column of places. */
function wordsAmong(places: MarkedColumn, isOpen: (word: Word) => boolean): Finding[] {
  const words = () => [...places.words.values()].filter(isOpen);
  const some = told([places], words, ({ unsaid }) => unsaid);
  return findingIf(
    some.count > 0 && some.count < places.number.finished.count,
    some.count,
    'unplaced_rows:words',
    valuesOf(some),
    some.rows,
  );
}

/** Finishers whose time stands for no result. */
const timesThatAreWords = (word: ReturnType<Placeholder['found']>): Finding[] =>
  word?.isStored
    ? [
        {
          ...worded('placeholder_time', { count: word.lines.count, word: word.text }),
          rows: word.lines.rows,
          against: word.lines.count,
        },
      ]
    : [];

/** Finishers without a place, in a file where most finishers have a place. */
function blanksAmong(places: MarkedColumn, most: number): Finding[] {
  const { finished, leastMs } = places.blank;
  return findingIf(
    finished.count > 0 && finished.count < most && places.number.finished.count > 0,
    finished.count,
    leastMs < places.number.mostMs ? 'unplaced_rows:faster' : 'unplaced_rows:behind',
    { count: finished.count, column: labelOf(places) },
    finished.rows,
  );
}
