import type { Language } from './languages.ts';

/**
 * The columns of a file for people, before its splits, in each language of the panel. Columns for a plain upload have
 * names that the upload knows.
 */
export const PEOPLE_COLUMNS = {
  en: {
    position_distance: 'Place',
    position_distance_gender: 'Place by gender',
    position_distance_category: 'Place by category',
    bib_number: 'Bib',
    given_names: 'Given names',
    surnames: 'Surnames',
    gender: 'Gender',
    category: 'Category',
    distance: 'Distance',
    status: 'Status',
    chip_time: 'Chip time',
    gun_time: 'Gun time',
  },
  es: {
    position_distance: 'Puesto',
    position_distance_gender: 'Puesto por género',
    position_distance_category: 'Puesto por categoría',
    bib_number: 'Dorsal',
    given_names: 'Nombres',
    surnames: 'Apellidos',
    gender: 'Género',
    category: 'Categoría',
    distance: 'Distancia',
    status: 'Estado',
    chip_time: 'Tiempo chip',
    gun_time: 'Tiempo pistola',
  },
} as const satisfies Record<Language, object>;

const OF_PEOPLE = Object.values(PEOPLE_COLUMNS).map((columns) => Object.values(columns));

/**
 * The columns of our files of results except splits: the columns of the API's export, common columns of the panel's
 * export, and columns for people.
 */
export const RESULT_COLUMNS = [
  ...['inscription_id', 'bib_number', 'given_names', 'surnames', 'gender', 'category', 'distance'],
  ...['status', 'chip_time', 'gun_time', 'splits', 'rank_by', 'updated_at'],
  ...['position_overall', 'position_gender', 'position_category'],
  ...['position_distance', 'position_distance_gender', 'position_distance_category'],
  ...['chip_time_ms', 'gun_time_ms', 'splits_ms'],
  ...OF_PEOPLE.flat(),
] as const;

/** Columns that occur together only in our own files. */
const OF_RESULTS = ['inscription_id', 'bib_number', 'status', 'chip_time_ms', 'gun_time_ms'];
const OF_PASSINGS = ['inscription_id', 'bib_number', 'point', 'received_at', 'time_ms'];

/** The ending of a column with the milliseconds of another column's times. */
export const MILLISECONDS = '_ms';

/** The columns behind the rows of a file that failed to load. */
export const REJECTED_COLUMNS = ['line', 'reason', 'reason_code'] as const;

/** A row of an upload that failed to load. */
type Rejected = {
  row: number;
  reason_code?: string | undefined;
  item?: Readonly<Record<string, unknown>> | undefined;
};

/**
 * The rows that failed to load in their file's form, with the line and the reason of each row behind.
 * @param reasonOf the reason for a person
 */
export function rejectedTable<Row extends Rejected>(
  rejected: readonly Row[],
  reasonOf: (row: Row) => string,
): string[][] {
  const fields = [...new Set(rejected.flatMap(({ item = {} }) => Object.keys(item)))];
  const rows = rejected.map((row) => [
    ...fields.map((field) => textOf(row.item?.[field])),
    ...[String(row.row), reasonOf(row), row.reason_code ?? ''],
  ]);
  return [[...fields, ...REJECTED_COLUMNS], ...rows];
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value);

/** A file written by our API: an export of results or passings, or the rejected rows of a file. */
export type OwnFile = 'results' | 'passings' | 'rejected';

/** @param names of the columns, without the guard against formulas */
export function ownFile(names: readonly string[]): OwnFile | undefined {
  const has = (columns: readonly string[]) => columns.every((name) => names.includes(name));
  if (has(OF_RESULTS) || OF_PEOPLE.some(has)) return 'results';
  if (has(OF_PASSINGS)) return 'passings';
  const last = names.slice(-REJECTED_COLUMNS.length);
  return REJECTED_COLUMNS.every((name, at) => last[at] === name) ? 'rejected' : undefined;
}
