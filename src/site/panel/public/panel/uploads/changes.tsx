import { DOT } from '../../shared/dom.ts';
import type { Change } from '../api.ts';
import { outcomeOf, shortTime, textOfParts as text } from '../formats.ts';
import { TIMES } from '../runner/correction.ts';

type Changed = Pick<Change, 'bib_number' | 'before' | 'after'>;

/** What a result was → what it is, on one line. */
export const changeText = ({ before, after }: Changed) =>
  outcomeOf(before) === outcomeOf(after)
    ? detailsOf(before, after).join(DOT)
    : `${outcomeOf(before)} → ${outcomeOf(after)}`;

/** What became of a result, or would: a bib, and what was there → what is there now. */
export const ChangeItem = ({ bib_number, before, after }: Changed) => (
  <li class="row">
    <strong class="bib">{bib_number ?? '–'}</strong>
    <span>{`${outcomeOf(before)} → ${outcomeOf(after)}`}</span>
    <small class="soft">{detailsOf(before, after).join(DOT)}</small>
  </li>
);

/** The times that differ, beside the one that the outcome says. */
function detailsOf(before: Change['before'], after: Change['after']): string[] {
  if (!(before && after)) return [];
  const splits = [...new Set([...Object.keys(before.splits), ...Object.keys(after.splits)])];
  const said = outcomeOf(before) !== outcomeOf(after);
  const isSaid = (name: (typeof TIMES)[number]) =>
    said && name === ((after.chip_time ?? before.chip_time) ? 'chip_time' : 'gun_time');
  return [
    ...TIMES.filter((name) => !isSaid(name)).flatMap((name) =>
      difference(text(`figure.${name}`), before[name], after[name]),
    ),
    ...splits.flatMap((name) => difference(name, before.splits[name], after.splits[name])),
  ];
}

const difference = (name: string, before?: string | null, after?: string | null) =>
  before === after ? [] : [`${name} ${shortTime(before ?? '–')} → ${shortTime(after ?? '–')}`];
