import { FileError } from './file-error.ts';
import {
  MEANINGS,
  type Meaning,
  PARAMETER_OF,
  type Parameters,
  PLAIN,
  writeQuery,
} from './parameters.ts';
import { SPLIT_NAMES_MAX } from './result.ts';

/** The names by which a column is recognized, the weightier first (contract section 4.7). */
export const COLUMN_NAMES = {
  bib: ['dorsal', 'bib', 'bib_number', 'numero'],
  chipTime: ['chip_time', 'tiempo_chip', 'chip', 'tiempo', 'time', 'finish_time', 'resultado'],
  gunTime: ['gun_time', 'tiempo_pistola', 'pistola', 'gun'],
  status: ['estado', 'status'],
} as const satisfies Record<Meaning, readonly string[]>;

/** All splits that an upload may have, and room for what else an export tells. */
const COLUMNS_MAX = SPLIT_NAMES_MAX + 100;
const NAME_LENGTH_MAX = 100;

/** Which cells of a row mean what; each list of indexes is in order of preference. */
export type Columns = Record<Meaning, number[]> & {
  /** As written in the header, trimmed. */
  names: string[];
  splitNames: string[];
  /** Of the name at the same place in `splitNames`. */
  splitIndexes: number[];
  /** Rows that are read have one of the values, in lower case, in each of these columns. */
  where: { index: number; values: Set<string> }[];
  /** The parameters beside them; undefined where there is none, and the contract alone says how to read. */
  parameters: Parameters | undefined;
};

/**
 * Finds the columns by the parameters that name them, or else by the contract's names.
 * @throws FileError saying what was found and what is accepted.
 */
export function recognizeColumns(header: string[], parameters = PLAIN): Columns {
  const isHeaderless = parameters.headerLine === 0;
  const names = header.map((name) => (isHeaderless ? '' : name.trim()));
  checkNames(names);
  const columns = matchNames(names, parameters);
  const found = isHeaderless
    ? 'The file is read without a header, so columns are named by number, as in #2.'
    : `Found: ${names.slice(0, 20).join(', ')}.`;
  if (columns.bib.length === 0) {
    throw new FileError(
      `The header has no bib column (${COLUMN_NAMES.bib.join(', ')}). ${found}`,
      'no_bib_column',
    );
  }
  if (columns.chipTime.length + columns.gunTime.length + columns.status.length === 0) {
    throw new FileError(
      `The header has no time column (${[...COLUMN_NAMES.chipTime, ...COLUMN_NAMES.gunTime].join(', ')}) ` +
        `and no status column (${COLUMN_NAMES.status.join(', ')}). ${found}`,
      'no_time_column',
    );
  }
  return columns;
}

/** @throws FileError */
export function checkNames(names: readonly string[]): void {
  if (names.length > COLUMNS_MAX) {
    throw new FileError(
      `The header has ${names.length} columns; at most ${COLUMNS_MAX} are accepted.`,
    );
  }
  const long = names.find((name) => name.length > NAME_LENGTH_MAX);
  if (long !== undefined) {
    throw new FileError(
      `The header names a column with ${long.length} characters; ` +
        `at most ${NAME_LENGTH_MAX} are accepted.`,
    );
  }
  if (names.some((name) => name.includes('\0'))) {
    throw new FileError(
      'The header has NUL characters: this is no CSV in UTF-8 or latin-1, nor UTF-16 with its mark.',
    );
  }
}

/** How much of a header is understood; tells the right delimiter from the wrong ones. */
export function recognizedMeanings(header: string[], parameters = PLAIN): number {
  const names = header.map((name) => name.trim());
  const known = byContract(names);
  return MEANINGS.filter((meaning) => {
    const named = parameters.columns[meaning];
    return named === undefined ? known[meaning].length > 0 : namedIndexes(names, named).length > 0;
  }).length;
}

function matchNames(names: string[], parameters: Parameters): Columns {
  const known = byContract(names);
  const columns = { ...known };
  for (const meaning of MEANINGS) {
    const sent = parameters.columns[meaning];
    if (sent === undefined) continue;
    columns[meaning] = sent.trim() === '' ? [] : [theColumn(names, PARAMETER_OF[meaning], sent)];
    if (meaning !== 'status') giveUp(columns, columns[meaning], parameters);
  }
  refuseContradictions(names, columns);
  // What the contract takes for a bib, a time or a status is no split, even where another column
  // has that meaning.
  const taken = new Set([...Object.values(known), ...Object.values(columns)].flat());
  const splitIndexes = parameters.splits
    ? namedSplits(names, parameters.splits, columns)
    : [...names.keys()].filter((index) => !taken.has(index) && names[index] !== '');
  return {
    ...columns,
    names,
    splitIndexes,
    splitNames: splitIndexes.map((index) => names[index] || `column ${index + 1}`),
    where: parameters.where.length === 0 ? [] : conditions(names, parameters.where),
    parameters: writeQuery(parameters) === '' ? undefined : parameters,
  };
}

/** A column that a parameter names loses the meaning that its name would give it. */
function giveUp(columns: Record<Meaning, number[]>, named: number[], parameters: Parameters): void {
  for (const other of MEANINGS) {
    if (parameters.columns[other] !== undefined) continue;
    columns[other] = columns[other].filter((index) => !named.includes(index));
  }
}

/** The columns that the contract's names give a meaning. */
export function byContract(names: string[]): Record<Meaning, number[]> {
  const keys = names.map(toKey);
  const indexesOf = (meaning: Meaning) =>
    COLUMN_NAMES[meaning].flatMap((name) =>
      [...keys.keys()].filter((index) => keys[index] === name),
    );
  return {
    bib: indexesOf('bib'),
    chipTime: indexesOf('chipTime'),
    gunTime: indexesOf('gunTime'),
    status: indexesOf('status'),
  };
}

/** A column may be the status and a time at once, because some files write DNF in the place of a time. */
function refuseContradictions(names: string[], columns: Record<Meaning, number[]>): void {
  const exclusive = [
    ['bib', 'chipTime'],
    ['bib', 'gunTime'],
    ['bib', 'status'],
    ['chipTime', 'gunTime'],
  ] as const;
  for (const [one, other] of exclusive) {
    const both = columns[one].find((index) => columns[other].includes(index));
    if (both === undefined) continue;
    throw new FileError(
      `${PARAMETER_OF[one]} and ${PARAMETER_OF[other]} are the same column, ` +
        `${names[both] || `#${both + 1}`}: name another for one of them.`,
    );
  }
}

function namedSplits(
  names: string[],
  splits: readonly string[],
  columns: Record<Meaning, number[]>,
): number[] {
  const indexes = splits.map((split) => theColumn(names, 'split', split));
  const bib = indexes.find((index) => columns.bib.includes(index));
  if (bib === undefined) return [...new Set(indexes)];
  throw new FileError(`split names ${names[bib] || `#${bib + 1}`}, which is the bib column.`);
}

function conditions(names: string[], where: readonly string[]): Columns['where'] {
  const values = new Map<number, Set<string>>();
  for (const condition of where) {
    const { index, value } = parseCondition(names, condition);
    values.set(index, (values.get(index) ?? new Set()).add(value.trim().toLowerCase()));
  }
  return Array.from(values, ([index, accepted]) => ({ index, values: accepted }));
}

/** Names and values may have colons: the first colon counts that has a column's name before it. */
function parseCondition(names: string[], condition: string): { index: number; value: string } {
  for (let at = condition.indexOf(':'); at >= 0; at = condition.indexOf(':', at + 1)) {
    const [index] = namedIndexes(names, condition.slice(0, at));
    if (index !== undefined) return { index, value: condition.slice(at + 1) };
  }
  throw new FileError(
    `where is ${JSON.stringify(condition.slice(0, 60))}: expected a column, a colon and a value, ` +
      `as in Point:Finish. ${listColumns(names)}`,
  );
}

function theColumn(names: string[], parameter: string, sent: string): number {
  const [index, second] = namedIndexes(names, sent);
  if (index === undefined) {
    throw new FileError(
      `${parameter} names the column ${JSON.stringify(sent.slice(0, 60))}, which the file has not. ` +
        listColumns(names),
    );
  }
  if (second === undefined) return index;
  throw new FileError(
    `${parameter} names the column ${JSON.stringify(sent.slice(0, 60))}, and the file has several: ` +
      `say #${index + 1} or #${second + 1}.`,
  );
}

/** Columns by `#number`, by the name as it is written, or else by the same name written otherwise. */
export function namedIndexes(names: string[], sent: string): number[] {
  const wanted = sent.trim();
  const number = /^#(\d{1,4})$/.exec(wanted)?.[1];
  if (number !== undefined) {
    const index = Number(number) - 1;
    return index >= 0 && index < names.length ? [index] : [];
  }
  if (wanted === '') return [];
  const indexes = [...names.keys()];
  const exact = indexes.filter((index) => names[index] === wanted);
  const key = toKey(wanted);
  return exact.length > 0 ? exact : indexes.filter((index) => toKey(names[index] ?? '') === key);
}

const listColumns = (names: string[]): string => {
  const shown = names
    .slice(0, 30)
    .map((name, index) => (name ? `#${index + 1} ${name}` : `#${index + 1}`));
  return `Its columns: ${shown.join(', ')}${names.length > 30 ? ', …' : ''}.`;
};

/** "Tiempo chip" and "Número" are written in many ways; the key is the same for all of them. */
const toKey = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s-]+/g, '_');

/** The row as it was read; cells under a column without a name go by its number. */
export function echoCells({ names }: Columns, cells: string[]): Record<string, string> {
  const echo = new Map<string, string>();
  for (const [index, cell] of cells.entries()) {
    const name = names[index] || `column ${index + 1}`;
    // A name that stands twice in the header must not hide the first cell.
    echo.set(echo.has(name) ? `${name} (column ${index + 1})` : name, cell);
  }
  return Object.fromEntries(echo);
}
