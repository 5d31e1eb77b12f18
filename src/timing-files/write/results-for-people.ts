import { PEOPLE_COLUMNS } from './own-files.ts';

type PeopleLanguage = keyof typeof PEOPLE_COLUMNS;

type PeopleColumn = keyof (typeof PEOPLE_COLUMNS)[PeopleLanguage];

/** A result in the form of an export. */
type Result = Readonly<Record<PeopleColumn, string | number | null>> & {
  readonly splits: Readonly<Record<string, string>>;
};

/** A cell of a table. A time is `HH:MM:SS.mmm`. */
export type PeopleCell = string | number | { readonly time: string };

/** A header and its rows. */
export type PeopleTable = readonly (readonly PeopleCell[])[];

const COLUMNS = Object.keys(PEOPLE_COLUMNS.en) as PeopleColumn[];

/**
 * The results as a table for people: without ids, and with each split as a last column.
 * @param results in their order
 */
export function tableForPeople(results: readonly Result[], language: PeopleLanguage): PeopleTable {
  const earliest = new Map<string, string>();
  for (const { splits } of results) {
    for (const [name, time] of Object.entries(splits)) {
      if (time < (earliest.get(name) ?? '~')) earliest.set(name, time);
    }
  }
  const names = [...earliest].sort(([, one], [, other]) => (one < other ? -1 : 1));
  const splits = names.map(([name]) => name);
  return [
    [...COLUMNS.map((column) => PEOPLE_COLUMNS[language][column]), ...splits],
    ...results.map((result) => [
      ...COLUMNS.map((column) => cellOf(column, result[column])),
      ...splits.map((name) =>
        Object.hasOwn(result.splits, name) ? { time: result.splits[name] ?? '' } : '',
      ),
    ]),
  ];
}

function cellOf(column: PeopleColumn, value: string | number | null): PeopleCell {
  if (value === null) return '';
  if (column === 'chip_time' || column === 'gun_time') return { time: String(value) };
  // A runner with a time has finished.
  return column === 'status' && value === 'FINISHED' ? '' : value;
}
