import { Pattern } from '../read/pattern.ts';
import { parseStatus, type ResultStatus } from '../read/result-status.ts';
import { guessStatus, statusAtStart } from '../read/status-words.ts';
import { startsWithDigit } from '../read/text.ts';
import { plainName, plainWords } from '../read/words.ts';

const FINISHER = new Pattern(
  /^(is )?(finisher|finished|completed|finalizado|llego|arrive|classified)$/,
);

/** The meaning of a yes in a column such as "Finisher" or "DNF". */
export function flagOf(name: string): ResultStatus | undefined {
  if (FINISHER.test(plainName(name))) return 'FINISHED';
  const status = name.length > 3 ? undefined : guessStatus(name);
  // "Fin" may have places.
  return status === 'FINISHED' ? undefined : status;
}

const REGION = new Pattern(/^e?stad?t?[oe]?$/i);

/** Whether a column such as "State" can hold OK and IN for regions. */
export const isRegionName = (name: string): boolean => REGION.test(name);

const YES = new Set('true yes y si sim oui ja wahr vrai verdadero 1 x'.split(' '));
const NO = new Set('false no n non nein nao falsch faux falso nee 0'.split(' '));

/**
 * The status of a cell, also with a reason behind the status, as in `DNF knee`.
 * @param flag the meaning of a yes in the cell's column
 */
export function meaningOfCell(
  cell: string,
  flag: ResultStatus | undefined,
): ResultStatus | undefined {
  if (flag) {
    const word = plainWords(cell);
    if (YES.has(word)) return flag;
    if (NO.has(word)) return flag === 'FINISHED' ? 'DNF' : 'FINISHED';
  }
  // The words of a status come first.
  if (startsWithDigit(cell)) return undefined;
  return parseStatus(cell) ?? guessStatus(cell) ?? statusAtStart(cell);
}
