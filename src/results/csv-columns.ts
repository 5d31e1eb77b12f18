import { invalid } from '../errors.ts';
import type { ClaimedResult } from './judge.ts';
import { parseRaceTime } from './race-time.ts';

/** The names by which a column is recognized, the weightier first (contract section 4.7). */
export const COLUMN_NAMES = {
  bib: ['dorsal', 'bib', 'bib_number', 'numero'],
  chipTime: ['chip_time', 'tiempo_chip', 'chip', 'tiempo', 'time', 'finish_time', 'resultado'],
  gunTime: ['gun_time', 'tiempo_pistola', 'pistola', 'gun'],
  status: ['estado', 'status'],
} as const;

type Meaning = keyof typeof COLUMN_NAMES;

const COLUMNS_MAX = 200;
const NAME_LENGTH_MAX = 100;

/** Which cells of a row mean what; each list of indexes is in order of preference. */
export type Columns = Record<Meaning, number[]> & {
  /** As written in the header, trimmed. */
  names: string[];
  splitNames: string[];
  /** Of the name at the same place in `splitNames`. */
  splitIndexes: number[];
};

/**
 * Recognizes the columns by their names.
 * @throws ApiError VALIDATION_ERROR saying what was found and what is accepted.
 */
export function recognizeColumns(header: string[]): Columns {
  const columns = matchNames(header);
  if (header.length > COLUMNS_MAX) {
    throw invalid(`The header has ${header.length} columns; at most ${COLUMNS_MAX} are accepted.`);
  }
  const long = columns.names.find((name) => name.length > NAME_LENGTH_MAX);
  if (long !== undefined) {
    throw invalid(
      `The header names a column with ${long.length} characters; ` +
        `at most ${NAME_LENGTH_MAX} are accepted.`,
    );
  }
  if (columns.names.some((name) => name.includes('\0'))) {
    throw invalid('The header has NUL characters: this is no CSV in UTF-8 or latin-1.');
  }
  const found = `Found: ${columns.names.slice(0, 20).join(', ')}.`;
  if (columns.bib.length === 0) {
    throw invalid(`The header has no bib column (${COLUMN_NAMES.bib.join(', ')}). ${found}`);
  }
  if (columns.chipTime.length + columns.gunTime.length + columns.status.length === 0) {
    throw invalid(
      `The header has no time column (${[...COLUMN_NAMES.chipTime, ...COLUMN_NAMES.gunTime].join(', ')}) ` +
        `and no status column (${COLUMN_NAMES.status.join(', ')}). ${found}`,
    );
  }
  return columns;
}

/** How much of a header is understood; tells the right delimiter from the wrong ones. */
export function recognizedMeanings(header: string[]): number {
  const { bib, chipTime, gunTime, status } = matchNames(header);
  return [bib, chipTime, gunTime, status].filter((indexes) => indexes.length > 0).length;
}

function matchNames(header: string[]): Columns {
  const names = header.map((name) => name.trim());
  const keys = names.map(toKey);
  const indexesOf = (meaning: Meaning) =>
    COLUMN_NAMES[meaning].flatMap((name) =>
      [...keys.keys()].filter((index) => keys[index] === name),
    );
  const known: Record<Meaning, number[]> = {
    bib: indexesOf('bib'),
    chipTime: indexesOf('chipTime'),
    gunTime: indexesOf('gunTime'),
    status: indexesOf('status'),
  };
  const taken = new Set(Object.values(known).flat());
  const splitIndexes = [...names.keys()].filter(
    (index) => !taken.has(index) && names[index] !== '',
  );
  const splitNames = splitIndexes.map((index) => names[index] ?? '');
  return { ...known, names, splitNames, splitIndexes };
}

/** "Tiempo chip" and "Número" are written in many ways; the key is the same for all of them. */
const toKey = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s-]+/g, '_');

/** What the cells of a row claim. Where two columns mean the same, the first that holds counts. */
export function claimCells(columns: Columns, cells: string[]): ClaimedResult {
  return {
    bib: firstFilled(cells, columns.bib),
    chipTime: firstTime(cells, columns.chipTime),
    gunTime: firstTime(cells, columns.gunTime),
    status: firstFilled(cells, columns.status),
    splitNames: columns.splitNames,
    splitTimes: columns.splitIndexes.map((index) => cells[index]),
  };
}

/** Real files carry a transponder column named "Chip" beside "Time": the time is the one that counts. */
const firstTime = (cells: string[], indexes: number[]): string => {
  if (indexes.length < 2) return firstFilled(cells, indexes);
  const valid = indexes.find((index) => parseRaceTime(cells[index] ?? '') !== undefined);
  return valid === undefined ? firstFilled(cells, indexes) : (cells[valid] ?? '');
};

const firstFilled = (cells: string[], indexes: number[]): string => {
  const filled = indexes.find((index) => (cells[index] ?? '').trim() !== '');
  return filled === undefined ? '' : (cells[filled] ?? '');
};

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
