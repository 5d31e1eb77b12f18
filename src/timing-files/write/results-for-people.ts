import type { Language } from './languages.ts';
import { MILLISECONDS, PEOPLE_COLUMNS } from './own-files.ts';
import { inWholeSeconds, msOf } from './whole-seconds.ts';

type PeopleColumn = keyof (typeof PEOPLE_COLUMNS)[Language];

/** A result in the form of an export. */
type Result = Readonly<Record<PeopleColumn, string | number | null>> & {
  readonly splits: Readonly<Record<string, string>>;
};

/** A cell of a table. A time is `HH:MM:SS`. */
export type PeopleCell = string | number | { readonly time: string };

/** A header and its rows. */
export type PeopleTable = readonly (readonly PeopleCell[])[];

const COLUMNS = Object.keys(PEOPLE_COLUMNS.en) as PeopleColumn[];

/**
 * The results as a table for people: without ids, and with a column for each split. Times are in whole seconds, and the
 * last columns have the milliseconds, so that the file can be sent back.
 * @param results in their order
 */
export function tableForPeople(results: readonly Result[], language: Language): PeopleTable {
  const earliest = new Map<string, string>();
  for (const { splits } of results) {
    for (const [name, time] of Object.entries(splits)) {
      if (time < (earliest.get(name) ?? '~')) earliest.set(name, time);
    }
  }
  const names = [...earliest].sort(([, one], [, other]) => (one < other ? -1 : 1));
  const splits = names.map(([name]) => name);
  return [
    [
      ...COLUMNS.map((column) => PEOPLE_COLUMNS[language][column]),
      ...splits,
      ...TIMES.map((column) => PEOPLE_COLUMNS[language][column] + MILLISECONDS),
      'splits_ms',
    ],
    ...results.map((result) => [
      ...COLUMNS.map((column) => cellOf(column, result[column])),
      ...splits.map((name) =>
        Object.hasOwn(result.splits, name) ? timeCell(result.splits[name] ?? '') : '',
      ),
      ...TIMES.map((column) => (result[column] === null ? '' : msOf(String(result[column])))),
      millisecondsOf(result.splits),
    ]),
  ];
}

const TIMES = ['chip_time', 'gun_time'] as const;

const timeCell = (time: string): PeopleCell => ({ time: inWholeSeconds(time) });

const millisecondsOf = (splits: Result['splits']): string => {
  const times = Object.entries(splits).map(([name, time]) => [name, msOf(time)]);
  return times.length > 0 ? JSON.stringify(Object.fromEntries(times)) : '';
};

function cellOf(column: PeopleColumn, value: string | number | null): PeopleCell {
  if (value === null) return '';
  if (column === 'chip_time' || column === 'gun_time') return timeCell(String(value));
  // A runner with a time has finished.
  return column === 'status' && value === 'FINISHED' ? '' : value;
}
