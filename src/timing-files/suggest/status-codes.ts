import { parseStatus, type ResultStatus } from '../read/result-status.ts';
import { plainName } from '../read/words.ts';
import { type Column, filledCells } from './column.ts';
import type { IsTimed } from './status-cells.ts';

type Words = ReadonlyMap<string, ResultStatus>;

const codes = (list: string): Words =>
  new Map(
    list.split(' ').flatMap((pair) => {
      const [code = '', name = ''] = pair.split(':');
      const status = parseStatus(name);
      return status ? [[code, status] as const] : [];
    }),
  );

/** The classifiers of OE2010 and similar software: OK, not started, gave up, mispunched, disqualified, too late. */
const OE = codes('0:FINISHED 1:DNS 2:DNF 3:DSQ 4:DSQ 5:DNF');
const ULTRA_SIGNUP = codes('1:FINISHED 2:DNF 3:DNS 5:DSQ');
const OE_NAMES = new Set(['classifier', 'wertung']);

/** Codes of a software, if the header is that software's and the codes fit the times. */
export function codesOf(
  column: Column,
  names: () => ReadonlySet<string>,
  isTimed: IsTimed,
): Words | undefined {
  if (column.class !== 'status') return undefined;
  const has = (list: string) => list.split(' ').every((name) => names().has(name));
  const isOe = OE_NAMES.has(plainName(column.name)) && has('block');
  const known = isOe ? OE : has('place first last status') ? ULTRA_SIGNUP : undefined;
  return known && fits(known, column, isTimed) ? known : undefined;
}

/** Whether all cells are codes, and the rows with a finisher's code are those with a time. */
const fits = (known: Words, column: Column, isTimed: IsTimed): boolean =>
  filledCells(column).length > 0 &&
  column.cells.every((cell, at) => {
    if (cell === '') return true;
    const status = known.get(cell);
    const mayHaveTime = status === 'DNF' || status === 'DSQ';
    return status !== undefined && (mayHaveTime || isTimed(at) === (status === 'FINISHED'));
  });
