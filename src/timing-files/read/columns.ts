import { MILLISECONDS, type OwnFile, ownFile, RESULT_COLUMNS } from '../write/own-files.ts';
import { hasControls } from './encoding.ts';
import { FileError } from './file-error.ts';
import { addLine, type Lines, noLines } from './lines.ts';
import type { Milliseconds } from './milliseconds.ts';
import {
  MEANINGS,
  type Meaning,
  PARAMETER_OF,
  type Parameters,
  PLAIN,
  wordKey,
  writeQuery,
} from './parameters.ts';
import { Pattern } from './pattern.ts';
import { SPLIT_NAMES_MAX } from './result.ts';
import { quoted } from './text.ts';
import { withoutAccents } from './words.ts';

/** The names by which a column is recognized, the preferred first (contract section 4.7). */
export const COLUMN_NAMES = {
  bib: ['dorsal', 'bib', 'bib_number', 'numero'],
  chipTime: ['chip_time', 'tiempo_chip', 'chip', 'tiempo', 'time', 'finish_time', 'resultado'],
  gunTime: ['gun_time', 'tiempo_pistola', 'pistola', 'gun'],
  status: ['estado', 'status'],
} as const satisfies Record<Meaning, readonly string[]>;

/** The maximum of splits in an upload, plus the further columns of an export. */
export const COLUMNS_MAX = SPLIT_NAMES_MAX + 100;
const NAME_LENGTH_MAX = 100;

/** The meaning of each cell of a row. Each list of indexes begins with the preferred column. */
export type Columns = Record<Meaning, number[]> & {
  /** As written in the header, trimmed. */
  names: string[];
  splitNames: string[];
  /** An index for each name in `splitNames`. */
  splitIndexes: number[];
  /** The column of our own export with all splits of a result, as JSON. The column may be in `splitIndexes` too. */
  splitsObject: number | undefined;
  milliseconds: Milliseconds;
  where: Condition[];
  /** The columns that a person marked as irrelevant. */
  ignored: readonly number[];
  /** The words whose rows are left out, and the lines of these rows. */
  wordsLeftOut: ReadonlySet<string>;
  leftOut: Lines;
  /** The different words of the status so far. */
  statusWords: Set<string>;
  /** Columns with a common meaning and a common name. An upload refuses them if their cells differ. */
  twins: { meaning: Meaning; indexes: number[] }[];
  /** Whether `status_word` gives a number a meaning. */
  hasNumberWords: boolean;
  /** The column of each runner's start, if the chip time is the moment of the finish. */
  startAt: number | undefined;
  /** The columns with times of day. */
  ofDay: ReadonlySet<number>;
  /** Undefined if no parameter was sent. The file is then read by the contract. */
  parameters: Parameters | undefined;
};

/** A row is read if its cell in this column has one of the values, or, with `isNot`, none of the values. */
type Condition = {
  index: number;
  /** Whether the row is read if its cell has none of the values. */
  isNot?: boolean;
  /** In lower case. */
  values: Set<string>;
};

/**
 * Finds the columns by the parameters for columns, or by the contract's names.
 * @throws FileError with the found and the accepted columns
 */
export function recognizeColumns(header: string[], parameters = PLAIN): Columns {
  const isHeaderless = parameters.headerLine === 0;
  const names = header.map((name) => (isHeaderless ? '' : name.trim()));
  checkNames(names);
  const columns = matchNames(names, parameters);
  const found = names.slice(0, 20).join(', ');
  const accepted = COLUMN_NAMES.bib.join(', ');
  if (columns.bib.length === 0) {
    throw isHeaderless
      ? FileError.of('no_bib_number', { accepted })
      : FileError.of('no_bib_column', { accepted, names: found });
  }
  if (columns.chipTime.length + columns.gunTime.length + columns.status.length === 0) {
    throw noTimeColumn(parameters.point, isHeaderless, found);
  }
  return columns;
}

function noTimeColumn(sent: string | undefined, isHeaderless: boolean, names: string): FileError {
  const accepted = [...COLUMN_NAMES.chipTime, ...COLUMN_NAMES.gunTime].join(', ');
  const statuses = COLUMN_NAMES.status.join(', ');
  if (sent === undefined) {
    return isHeaderless
      ? FileError.of('no_time_number', { accepted, statuses })
      : FileError.of('no_time_column', { accepted, statuses, names });
  }
  const point = quoted(sent);
  return isHeaderless
    ? FileError.of('no_point_number', { accepted, point })
    : FileError.of('no_point_column', { accepted, point, names });
}

/** @throws FileError */
export function checkNames(names: readonly string[]): void {
  if (names.length > COLUMNS_MAX) {
    throw FileError.of('too_many_columns', { count: names.length, most: COLUMNS_MAX });
  }
  const long = names.find((name) => name.length > NAME_LENGTH_MAX);
  if (long !== undefined) {
    throw FileError.of('column_name_too_long', { length: long.length, most: NAME_LENGTH_MAX });
  }
  if (names.some((name) => name.includes('\0'))) throw FileError.of('nul_in_header');
  const misread = names.find(hasControls);
  if (misread !== undefined) {
    throw FileError.of('controls_in_header', { column: quoted(misread) });
  }
}

/** Counts the meanings in a header. The right delimiter gives the most. */
export function recognizedMeanings(header: readonly string[], parameters = PLAIN): number {
  const names = header.slice(0, COLUMNS_MAX).map((name) => name.trim());
  const known = byContract(names);
  const find = createColumnFinder(names);
  return MEANINGS.filter((meaning) => {
    const named = parameters.columns[meaning];
    return named === undefined ? known[meaning].length > 0 : find(named).length > 0;
  }).length;
}

function matchNames(names: string[], parameters: Parameters): Columns {
  const known = byContract(names);
  const columns = { ...known };
  const find = createColumnFinder(names);
  const { point } = parameters;
  const ignored = parameters.ignore.map((column) => theColumn(names, find, 'ignore', column));
  for (const meaning of MEANINGS) {
    columns[meaning] = columns[meaning].filter((index) => !ignored.includes(index));
  }
  const own = ownFile(names);
  refuseOtherPurpose(own, names, point);
  if (point !== undefined) {
    columns.status = [];
    const ofPoint = names.findIndex((name) => isNamedLike(point, name));
    if (ofPoint >= 0) Object.assign(columns, { chipTime: [ofPoint], gunTime: [] });
  }
  for (const meaning of MEANINGS) {
    const sent = parameters.columns[meaning];
    if (sent === undefined) continue;
    const isNone = sent.trim() === '';
    columns[meaning] = isNone ? [] : [theColumn(names, find, PARAMETER_OF[meaning], sent)];
    if (meaning !== 'status') giveUp(columns, columns[meaning], parameters);
  }
  refuseContradictions(names, columns);
  const beside = millisecondsBeside(names);
  const ofMilliseconds = new Set(beside.values());
  // A column with the contract's name for a bib, a time or a status is no split, even if a parameter gives the meaning
  // to another column.
  const taken = new Set([...Object.values(known), ...Object.values(columns)].flat());
  const splits = point === undefined ? parameters.splits : [];
  const splitIndexes = splits
    ? namedSplits(names, find, splits, columns)
    : [...names.keys()].filter(
        (index) =>
          !taken.has(index) &&
          !ignored.includes(index) &&
          names[index] !== '' &&
          !(own === 'results' && isResultColumn(names[index] ?? '')) &&
          !(own === 'results' && ofMilliseconds.has(index)),
      );
  // A person may have removed further columns of our export.
  const ofSplits = names.indexOf('splits');
  const hasSplitsObject =
    splitIndexes.includes(ofSplits) || (own === 'results' && !splits && ofSplits >= 0);
  const ofPoint = own === 'passings' && point !== undefined ? [`point:${point}`] : [];
  return {
    ...columns,
    names,
    splitIndexes,
    splitsObject: hasSplitsObject ? ofSplits : undefined,
    milliseconds: {
      beside,
      splits: new Map(splitIndexes.map((index) => [names[index] ?? '', index])),
      ofSplits: names.indexOf('splits_ms'),
    },
    ignored,
    splitNames: toldApart(splitIndexes.map((index) => names[index] || `column ${index + 1}`)),
    twins: twinsIn(names, columns),
    startAt:
      parameters.started === undefined
        ? undefined
        : theColumn(names, find, 'started', parameters.started),
    ofDay: timesOfDayIn(names, find, parameters),
    where: readConditions(names, { ...parameters, where: [...parameters.where, ...ofPoint] }),
    wordsLeftOut: new Set(
      [...parameters.statusWords].flatMap(([word, status]) => (status === '' ? word : [])),
    ),
    leftOut: noLines(),
    statusWords: new Set(),
    hasNumberWords: [...parameters.statusWords.keys()].some((word) => NUMBER.test(word)),
    parameters: writeQuery(parameters) === '' ? undefined : parameters,
  };
}

/** The column of milliseconds beside each column of times, by their names: `chip_time_ms` beside `chip_time`. */
export function millisecondsBeside(names: readonly string[]): Map<number, number> {
  const byKey = indexBy(names, toKey);
  return new Map(
    names.flatMap((name, index) => {
      const [at] = byKey.get(toKey(name) + MILLISECONDS) ?? [];
      return at === undefined ? [] : [[index, at] as const];
    }),
  );
}

const RESULT_COLUMN_NAMES: ReadonlySet<string> = new Set(RESULT_COLUMNS);

const isResultColumn = (name: string): boolean => RESULT_COLUMN_NAMES.has(name);

/**
 * The times of a point are no finish times, and finish times are no times of a point.
 * @throws FileError
 */
function refuseOtherPurpose(
  own: OwnFile | undefined,
  names: readonly string[],
  point: string | undefined,
): void {
  if (own === 'passings' && point === undefined) {
    throw FileError.of('export_of_passings');
  }
  if (own === 'results' && point !== undefined && !names.some((name) => isNamedLike(point, name))) {
    throw FileError.of('export_of_results', { point: quoted(point) });
  }
}

/** Repeated names get a number: `Lap`, `Lap (2)`. */
function toldApart(names: readonly string[]): string[] {
  const taken = new Set(names);
  const counts = new Map<string, number>();
  return names.map((name) => {
    let count = (counts.get(name) ?? 0) + 1;
    let unique = name;
    for (; count > 1 && taken.has(unique); count += 1) unique = `${name} (${count})`;
    counts.set(name, Math.max(count - 1, 1));
    taken.add(unique);
    return unique;
  });
}

const twinsIn = (names: readonly string[], columns: Record<Meaning, number[]>): Columns['twins'] =>
  MEANINGS.flatMap((meaning) => {
    const keys = columns[meaning].map((index) => toKey(names[index] ?? ''));
    return [...new Set(keys)]
      .map((key) => ({ meaning, indexes: columns[meaning].filter((_, at) => keys[at] === key) }))
      .filter(({ indexes }) => indexes.length > 1);
  });

/** @throws FileError if a parameter names no column of the file */
const timesOfDayIn = (
  names: readonly string[],
  find: ColumnFinder,
  { timesOfDay = [] }: Parameters,
): Set<number> =>
  new Set(
    timesOfDay === 'all'
      ? names.keys()
      : timesOfDay.map((column) => theColumn(names, find, 'time_of_day', column)),
  );

const NUMBER = new Pattern(/^\d+$/);

/** Removes the meaning by name from a column that a parameter names. */
function giveUp(columns: Record<Meaning, number[]>, named: number[], parameters: Parameters): void {
  for (const other of MEANINGS) {
    if (parameters.columns[other] !== undefined) continue;
    columns[other] = columns[other].filter((index) => !named.includes(index));
  }
}

/** The columns with a meaning by the contract's names. */
export function byContract(names: readonly string[]): Record<Meaning, number[]> {
  const byKey = indexBy(names, toKey);
  const indexesOf = (meaning: Meaning) =>
    COLUMN_NAMES[meaning].flatMap((name) => byKey.get(name) ?? []);
  return {
    bib: indexesOf('bib'),
    chipTime: indexesOf('chipTime'),
    gunTime: indexesOf('gunTime'),
    status: indexesOf('status'),
  };
}

/** A column may be the status and a time at once, because some files write DNF in place of a time. */
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
    throw FileError.of('same_column', {
      one: PARAMETER_OF[one],
      other: PARAMETER_OF[other],
      column: labelOf(names, both),
    });
  }
}

function namedSplits(
  names: string[],
  find: ColumnFinder,
  splits: readonly string[],
  columns: Record<Meaning, number[]>,
): number[] {
  const indexes = splits.map((split) => theColumn(names, find, 'split', split));
  const bib = indexes.find((index) => columns.bib.includes(index));
  if (bib === undefined) return [...new Set(indexes)];
  throw FileError.of('split_is_bib', { column: labelOf(names, bib) });
}

const labelOf = (names: readonly string[], index: number): string =>
  names[index] || `#${index + 1}`;

/**
 * Reads the conditions of `where` and `where_not`, by column.
 * @throws FileError if a condition names no column of the file
 */
export function readConditions(
  names: readonly string[],
  { where, whereNot }: Pick<Parameters, 'where' | 'whereNot'>,
): Condition[] {
  const nots = conditionsOf(names, whereNot).map((one) => ({ ...one, isNot: true }));
  return [...conditionsOf(names, where), ...nots];
}

function conditionsOf(names: readonly string[], where: readonly string[]): Condition[] {
  const find = createColumnFinder(names);
  const values = new Map<number, Set<string>>();
  for (const condition of where) {
    const { index, value } = readCondition(names, find, condition);
    values.set(index, (values.get(index) ?? new Set()).add(value.trim().toLowerCase()));
  }
  return Array.from(values, ([index, accepted]) => ({ index, values: accepted }));
}

/** Names and values may have colons. The condition is split at the first colon after a column's name. */
function readCondition(
  names: readonly string[],
  find: ColumnFinder,
  condition: string,
): { index: number; value: string } {
  for (let at = condition.indexOf(':'); at >= 0; at = condition.indexOf(':', at + 1)) {
    const [index] = find(condition.slice(0, at));
    if (index !== undefined) return { index, value: condition.slice(at + 1) };
  }
  throw FileError.of('where_wrong', { condition: quoted(condition), columns: listColumns(names) });
}

export const meets = (where: readonly Condition[], cells: readonly string[]): boolean =>
  where.every(
    ({ index, values, isNot = false }) =>
      values.has((cells[index] ?? '').trim().toLowerCase()) !== isNot,
  );

/**
 * Whether a row is read: the row meets all conditions, and no meaningless word of `status_word` leaves the row out.
 * Such a word counts as an empty cell, and leaves out the row if no other cell has a time or a status.
 */
export function isRead(columns: Columns, { line, cells }: { line: number; cells: string[] }) {
  if (!meets(columns.where, cells)) return false;
  const { wordsLeftOut, status, chipTime, gunTime } = columns;
  if (wordsLeftOut.size === 0) return true;
  const filled = [...status, ...chipTime, ...gunTime]
    .map((index) => (cells[index] ?? '').trim())
    .filter((cell) => cell !== '');
  const isLeftOut = filled.length > 0 && filled.every((cell) => wordsLeftOut.has(wordKey(cell)));
  if (isLeftOut) addLine(columns.leftOut, line);
  return !isLeftOut;
}

function theColumn(
  names: readonly string[],
  find: ColumnFinder,
  parameter: string,
  sent: string,
): number {
  const [index, second] = find(sent);
  if (index === undefined) {
    const columns = listColumns(names);
    throw FileError.of('unknown_column', { column: quoted(sent), parameter, columns });
  }
  if (second === undefined) return index;
  throw FileError.of('several_columns', {
    column: quoted(sent),
    parameter,
    first: index + 1,
    second: second + 1,
  });
}

const COLUMN_NUMBER = new Pattern(/^#(\d{1,4})$/);

/** Finds columns by `#number`, by the name as written, or by the name in another spelling. */
type ColumnFinder = (sent: string) => readonly number[];

export function createColumnFinder(names: readonly string[]): ColumnFinder {
  const byName = indexBy(names, (name) => name);
  const byKey = indexBy(names, toKey);
  return (sent) => {
    const wanted = sent.trim();
    const [, number] = COLUMN_NUMBER.groups(wanted);
    if (number !== undefined) {
      const index = Number(number) - 1;
      return index >= 0 && index < names.length ? [index] : [];
    }
    if (wanted === '' || wanted.length > NAME_LENGTH_MAX) return [];
    return byName.get(wanted) ?? byKey.get(toKey(wanted)) ?? [];
  };
}

function indexBy(names: readonly string[], keyOf: (name: string) => string): Map<string, number[]> {
  const indexes = new Map<string, number[]>();
  for (const [index, name] of names.entries()) {
    const key = keyOf(name);
    const found = indexes.get(key);
    if (found) found.push(index);
    else indexes.set(key, [index]);
  }
  return indexes;
}

const COLUMNS_SHOWN = 30;

function listColumns(names: readonly string[]): string {
  const shown = names
    .slice(0, COLUMNS_SHOWN)
    .map((name, index) => (name ? `#${index + 1} ${name}` : `#${index + 1}`));
  return `${shown.join(', ')}${names.length > COLUMNS_SHOWN ? ', …' : ''}`;
}

const BETWEEN_WORDS = new Pattern(/[\s-]+/g);

/** The key of a name is equal in all spellings: "Tiempo chip" and "TIEMPO-CHIP" have the same key. */
const toKey = (name: string): string =>
  BETWEEN_WORDS.replace(withoutAccents(name).toLowerCase(), '_');

/** Whether a column has the name of a point: a file of results has the times of a point in such a column. */
export const isNamedLike = (point: string, name: string): boolean => toKey(name) === toKey(point);

/** The row as read. A cell without a column name is listed by its column's number. */
export function echoCells({ names }: Columns, cells: string[]): Record<string, string> {
  // An object with a prototype takes no cell of this name, and is made faster.
  const echo: Record<string, string> = names.includes('__proto__') ? Object.create(null) : {};
  // An iterator makes an object for each cell.
  for (let index = 0; index < cells.length; index += 1) {
    const name = names[index] || `column ${index + 1}`;
    // A repeated name in the header must not hide the first cell.
    echo[Object.hasOwn(echo, name) ? `${name} (column ${index + 1})` : name] = cells[index] ?? '';
  }
  return echo;
}
