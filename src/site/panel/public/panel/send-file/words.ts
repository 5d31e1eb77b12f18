import type { BibFormat } from '../../../../../timing-files/read/bib-formats.ts';
import type { FILE_PARAMETERS, TIME_OF_DAY } from '../../../../../timing-files/read/parameters.ts';
import type { ResultStatus } from '../../../../../timing-files/read/result-status.ts';
import type { TimeFormat } from '../../../../../timing-files/read/time-formats.ts';
import type { Preview, Upload } from '../api.ts';
import { quote, textOfFile as text } from '../formats.ts';

type Parameter = Exclude<keyof typeof FILE_PARAMETERS, 'point'>;
/** The parameters of a reading, in the order of the text. */
const PARAMETERS: readonly Parameter[] = [
  'sheet',
  'encoding',
  'header_line',
  'bib',
  'chip_time',
  'gun_time',
  'status',
  'split',
  'bib_format',
  'time_format',
  'time_of_day',
  'started',
  'fastest',
  'where',
  'where_not',
  'ignore',
  'status_word',
];

const QUOTED_MAX = 8;

/** The quoted parts in a sentence of the API: cells and names of the file. */
export const quotedIn = (sentence: string) =>
  Array.from(sentence.matchAll(/"(?:[^"\\]|\\.)*"/g), ([json]) => quote(JSON.parse(json)))
    .slice(0, QUOTED_MAX)
    .join(', ');

/** The reason of a failed row, with the found value. */
export function reasonOf({ reason_code, reason, bib_number }: Upload['failed'][number]) {
  const found = reason_code === 'unknown_bib' ? quote(bib_number ?? '') : quotedIn(reason);
  return [text(`reason.${reason_code}`), found].filter(Boolean).join(': ');
}

/** The differences between each reading and the rest. */
export function differencesOf(queries: readonly string[]) {
  const all = queries.map((query) => valuesIn(query));
  // A single reading differs from the file without parameters.
  const compared = all.length === 1 ? [...all, valuesIn('')] : all;
  const different = PARAMETERS.filter(
    (name) => new Set(compared.map((values) => values[name].join('\n'))).size > 1,
  );
  // A choice may differ from the file in no parameter.
  return all.map((values) => spelled(values, different) || text('asIs'));
}

/** How a file is read: the meaning of each column, and the further parameters of the query. */
export function readingOf({ columns }: Pick<Preview, 'columns'>, query: string) {
  const named = (['bib', 'chip_time', 'gun_time', 'status', 'split'] as const).flatMap(
    (meaning) => {
      const names = columns.filter(
        (column) => column.meaning === meaning && (meaning !== 'split' || hasTimes(column, query)),
      );
      const all = names.map(({ name }) => quote(name)).join(', ');
      return names.length === 0 ? [] : [`${text(`column.${meaning}`)}: ${all}`];
    },
  );
  const values = valuesIn(query);
  const beside = [
    'sheet',
    'encoding',
    'bib_format',
    'time_format',
    'where',
    'status_word',
  ] as const;
  const sent = beside.filter((name) => values[name].length > 0);
  return [...named, ...sent.map((name) => partOf(name, values[name]))].join(' · ');
}

/** Whether a column has times. A number is a time if the reader says so: further columns store no split. */
const hasTimes = ({ samples }: Preview['columns'][number], query: string) =>
  valuesIn(query).time_format.length > 0 || samples.some((sample) => /\d[:h'’]\d\d/.test(sample));

function valuesIn(query: string): Record<Parameter, string[]> {
  const sent = new URLSearchParams(query);
  return Object.fromEntries(PARAMETERS.map((name) => [name, sent.getAll(name)])) as Record<
    Parameter,
    string[]
  >;
}

/** A file without remarks needs no words about remarks. */
const spelled = (values: Record<Parameter, string[]>, names: readonly Parameter[]) =>
  names
    .filter((name) => name !== 'ignore' || values.ignore.length > 0)
    .map((name) => partOf(name, values[name]))
    .join(' · ');

/** The text of a parameter. */
function partOf(name: Parameter, values: readonly string[]): string {
  const [value] = values;
  if (name === 'bib_format') {
    return text(`bibs.${(value ?? 'exact') as BibFormat}`);
  }
  if (name === 'time_format') {
    return text(`format.${(value ?? 'clock') as TimeFormat | typeof TIME_OF_DAY}`);
  }
  if (name === 'status_word') {
    return values.length === 0 ? text('noStatusWord') : values.map(statusWord).join(', ');
  }
  if (name === 'where') {
    return value === undefined ? text('allRows') : text('onlyRows', { values: listOf(values) });
  }
  const label = text(`column.${name}`);
  if (value === undefined) return `${label}: ${text('asFile')}`;
  if (value.trim() === '' || (name === 'header_line' && Number(value) === 0)) {
    return `${label}: ${text('noneInFile')}`;
  }
  return `${label}: ${name === 'header_line' ? value : listOf(values)}`;
}

const listOf = (values: readonly string[]) => values.map(quote).join(', ');

/** @param pair such as `Abandon:DNF` */
function statusWord(pair: string) {
  const at = pair.lastIndexOf(':');
  const word = quote(pair.slice(0, at));
  // Nothing behind the colon: such rows stay without a result.
  if (at === pair.length - 1) return text('wordLeftOut', { word });
  const status = text(`status.${pair.slice(at + 1) as ResultStatus}`);
  return text('statusWord', { word, status });
}
