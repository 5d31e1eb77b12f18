import type { Columns } from '../read/columns.ts';
import { Pattern } from '../read/pattern.ts';
import { RowError } from '../read/reason-codes.ts';
import type { Result } from '../read/result.ts';
import type { FileRow } from '../read/results-file.ts';
import { quoted } from '../read/text.ts';
import { classify } from './column-classes.ts';
import { flagOf, isRegionName, meaningOfCell } from './column-marks.ts';
import { addLine, type Lines, noLines } from './lines.ts';
import { type Finding, findingIf } from './warning.ts';

/** What words in the cells that are not read say about the results that are stored, in bounded memory. */
export type RowMarks = ReturnType<typeof createRowMarks>;

export const COLUMNS_MARKED = 100;
const EXAMPLES_MAX = 5;

/** Rows with a word, and the words by column. */
export type Words = Lines & { words: Map<string, Set<string>> };

export const noWords = (): Words => ({ ...noLines(), words: new Map() });

export function addWord(
  words: Words,
  { row, cells, columns: { names } }: FileRow,
  index: number,
): void {
  addLine(words, row);
  const label = names[index] || `#${index + 1}`;
  const some = words.words.get(label) ?? new Set<string>();
  if (some.size < EXAMPLES_MAX) some.add((cells[index] ?? '').trim());
  words.words.set(label, some);
}

export function createRowMarks({ names, bib, chipTime, gunTime, status }: Columns) {
  const times = new Set([...bib, ...chipTime, ...gunTime]);
  const watched = names.slice(0, COLUMNS_MARKED).flatMap((name, index) => {
    const ofName = classify(name);
    const isPossible = !times.has(index) && ofName !== 'person' && ofName !== 'noResult';
    // Two letters may be a region, or anything.
    const least = (ofName === 'status' && !isRegionName(name)) || ofName === 'place' ? 1 : 3;
    return isPossible ? [{ index, name, flag: flagOf(name), least }] : [];
  });
  const remarked = watched.filter(
    ({ index, name }) => classify(name) === 'status' && !status.includes(index),
  );
  const despite = noWords();
  const remarks = noWords();
  const failing = noWords();
  let finished = 0;

  /** The column in which a cell says that the runner did not finish. */
  const markedColumn = ({ cells }: FileRow) =>
    watched.find(({ index, flag, least }) => {
      const cell = cells[index];
      if (cell === undefined || (cell.length < least && !flag)) return false;
      return (meaningOfCell(cell, flag) ?? 'FINISHED') !== 'FINISHED';
    });

  function addMark(words: Words, row: FileRow): void {
    const column = markedColumn(row);
    if (column) addWord(words, row, column.index);
  }

  return {
    add(row: FileRow, judged: Result | RowError): void {
      if (judged instanceof RowError) addMark(failing, row);
      if (judged instanceof RowError || judged.status !== 'FINISHED') return;
      finished += 1;
      addMark(despite, row);
      for (const { index, flag } of remarked) {
        const cell = row.cells[index] ?? '';
        if (LETTER.test(cell) && !meaningOfCell(cell, flag)) addWord(remarks, row, index);
      }
    },

    findings: (): Finding[] => [
      ...findingIf(
        despite.count > 0,
        despite.count,
        'finished_despite_mark',
        `${counted(despite)} stored as FINISHED, though a cell says that the runner did not finish: ` +
          `${wordsOf(despite)}. Name its column with the parameter status.`,
        despite.rows,
      ),
      ...findingIf(
        failing.count > 0,
        failing.count,
        'column_not_read',
        `${failing.count === 1 ? '1 row fails' : `${failing.count} rows fail`}, though a cell has a status: ` +
          `${wordsOf(failing)}. Name its column with the parameter status.`,
        failing.rows,
      ),
      ...findingIf(
        despite.count === 0 && remarks.count > 0 && remarks.count < finished / 2,
        0,
        'column_not_read',
        `${counted(remarks)} stored as FINISHED, with a remark that is not read: ${wordsOf(remarks)}.`,
        remarks.rows,
      ),
    ],
  };
}

const LETTER = new Pattern(/\p{L}/u);

export const wordsOf = ({ words }: Words): string =>
  Array.from(words, ([label, some]) => {
    const shown = Array.from(some, quoted).join(', ');
    return `${shown} in the column ${quoted(label)}`;
  }).join('; ');

export const counted = ({ count }: Pick<Lines, 'count'>): string =>
  count === 1 ? '1 row is' : `${count} rows are`;
