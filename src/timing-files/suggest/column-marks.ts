import { Pattern } from '../read/pattern.ts';
import { parseStatus, type ResultStatus } from '../read/result-status.ts';
import { guessStatus, statusAtStart } from '../read/status-words.ts';
import { plainName, plainWords } from '../read/words.ts';

const FINISHER = new Pattern(
  /^(is )?(finisher|finished|completed|finalizado|llego|arrive|classified)$/,
);

/** Whether a column such as "Finisher" has yes or no in it. */
export const isFinisherFlag = (name: string): boolean => FINISHER.test(plainName(name));

const REGION = new Pattern(/^e?stad?t?[oe]?$/i);

/** Whether a column such as "State" can hold OK and IN for regions. */
export const isRegionName = (name: string): boolean => REGION.test(name);

const YES = new Set('true yes y si sim oui ja wahr vrai verdadero 1 x'.split(' '));
const NO = new Set('false no n non nein nao falsch faux falso nee 0'.split(' '));

/**
 * The status that a cell means, also if a reason stands behind it, as in `DNF knee`.
 * @param isFlag whether its column says yes or no to having finished
 */
export function meaningOfCell(cell: string, isFlag: boolean): ResultStatus | undefined {
  if (isFlag) {
    const word = plainWords(cell);
    if (YES.has(word)) return 'FINISHED';
    if (NO.has(word)) return 'DNF';
  }
  return parseStatus(cell) ?? guessStatus(cell) ?? statusAtStart(cell);
}
