import { type Column, distinct, filledCells } from '../../columns/column.ts';
import { chooseSplits, unsureSplits } from '../../columns/split-columns.ts';
import { worded } from '../../judge/sentences.ts';
import { type Candidate, type Choices, labelOf, type Question, sure } from '../question.ts';

export const splits: Question = {
  code: 'splits_unlikely',
  parameters: ['splits'],
  /** The splits of a reading and, if some columns may be no splits, first the splits without these columns. */
  candidates({ bib, rows, columns, times: { chip, gun, started }, format, status }, { sent }) {
    const isOfMoments = started !== undefined || sent.started !== undefined;
    if (sent.point !== undefined || isOfMoments || (rows === undefined && repeats(bib)))
      return [sure({})];
    const finish = chip ?? gun;
    const used = [columns[bib.index], chip, gun, status.column].filter(
      (column) => column !== undefined,
    );
    const { splits: all, leftOut } = chooseSplits(columns, used, finish, format, gun);
    const unsure = sent.splits ? [] : unsureSplits(all, finish, format);
    const likely = all.filter((one) => !unsure.includes(one));
    return [likely, ...(unsure.length > 0 ? [all] : [])].map(
      (some): Candidate<Partial<Choices>> => sure({ splits: some, leftOut }),
    );
  },
  key: (choices) => choices.splits.map(({ ref }) => ref).join(),
  asks: (all) =>
    worded('splits_unlikely:question', {
      columns: unsureIn(all).map(({ name, ref }) => name || ref),
    }),
  answers: (choices, all) =>
    unsureIn(all)
      .map((one) => `${labelOf(one)} is ${isSplit(one, choices) ? 'a' : 'no'} split`)
      .join(', '),
};

/**
 * Whether runners have several rows. Of each runner, the last row counts, and its further times belong to this row
 * alone.
 */
function repeats(bib: Column): boolean {
  const cells = filledCells(bib);
  return distinct(cells).length < cells.length * 0.9;
}

/** The columns that are splits in some of the readings. Readings of different rows have different columns. */
function unsureIn(all: readonly Choices[]): Column[] {
  const columns = new Map(all.flatMap(({ splits }) => splits.map((one) => [one.index, one])));
  return [...columns.values()].filter((one) => !all.every((choices) => isSplit(one, choices)));
}

const isSplit = ({ index }: Column, { splits }: Choices): boolean =>
  splits.some((one) => one.index === index);
