import type { AnyPreview } from './state.ts';

/** The meanings of a column. A remark is not stored. */
export const MEANINGS = ['bib', 'chip_time', 'gun_time', 'status', 'split', 'ignore'] as const;

export type Meaning = (typeof MEANINGS)[number];

/** The meanings in a file of a point. */
export const POINT_MEANINGS = ['bib', 'chip_time', 'ignore'] as const satisfies readonly Meaning[];

/** A file has at most one column of such a meaning. */
const SINGLE = ['bib', 'chip_time', 'gun_time', 'status'] as const satisfies readonly Meaning[];

const isSingle = (meaning: Meaning) => SINGLE.some((one) => one === meaning);

export const meaningsIn = ({ columns }: Pick<AnyPreview, 'columns'>): readonly Meaning[] =>
  columns.map(({ meaning }) => MEANINGS.find((one) => one === meaning) ?? 'ignore');

/** Gives a meaning to a column. An earlier column of a single meaning becomes a remark. */
export const withMeaning = (
  meanings: readonly Meaning[],
  column: number,
  meaning: Meaning,
): readonly Meaning[] =>
  meanings.map((one, at) => {
    if (at === column) return meaning;
    return one === meaning && isSingle(meaning) ? 'ignore' : one;
  });

/** The parameters of the columns, by which a suggestion may not differ from the reader's choice. */
const OF_COLUMNS = [...SINGLE, 'split', 'ignore'] as const;

/**
 * The query for reading a file with the reader's columns. Everything beside the columns is read as shown.
 * @param shown the query of the shown reading
 */
export function queryByHand(
  shown: string,
  { columns, header_line }: Pick<AnyPreview, 'columns' | 'header_line'>,
  meanings: readonly Meaning[],
  isOfPoint: boolean,
): string {
  const query = new URLSearchParams(shown);
  for (const name of OF_COLUMNS) query.delete(name);
  query.set('header_line', String(header_line));
  const columnsOf = (meaning: Meaning) =>
    meanings.flatMap((one, at) => (one === meaning ? [`#${at + 1}`] : []));
  for (const meaning of isOfPoint ? (['bib', 'chip_time'] as const) : SINGLE) {
    // A blank value: no column has the meaning.
    query.set(meaning, columnsOf(meaning)[0] ?? '');
  }
  if (!isOfPoint) {
    const splits = columnsOf('split');
    for (const column of splits.length > 0 ? splits : ['']) query.append('split', column);
  }
  const isEmpty = (at: number) => columns[at]?.name === '' && columns[at]?.samples.length === 0;
  meanings.forEach((meaning, at) => {
    if (meaning === 'ignore' && !isEmpty(at)) query.append('ignore', `#${at + 1}`);
  });
  return `${query}`;
}

/** Whether a suggestion reads the columns as asked. */
export function keepsColumns(asked: string, suggested: string) {
  const [one, other] = [asked, suggested].map((query) => {
    const sent = new URLSearchParams(query);
    return JSON.stringify(OF_COLUMNS.map((name) => sent.getAll(name)));
  });
  return one === other;
}
