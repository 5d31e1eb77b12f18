import { DOT } from '../../shared/dom.ts';
import type { Change } from '../api.ts';
import { outcomeOf, shortTime, textOfParts as text } from '../formats.ts';
import { TIMES } from '../runner/correction.ts';

type Changed = Pick<Change, 'bib_number' | 'before' | 'after'>;

/** A result before → the result now, on a line. */
export const changeText = ({ before, after }: Changed) =>
  outcomeOf(before) === outcomeOf(after)
    ? detailsOf(before, after).join(DOT)
    : `${outcomeOf(before)} → ${outcomeOf(after)}`;

/** The change of a result, made or expected: a bib, and the result before → the result now. */
export const ChangeItem = ({ bib_number, before, after }: Changed) => (
  <li class="row">
    <strong class="bib">{bib_number ?? '–'}</strong>
    <span>{`${outcomeOf(before)} → ${outcomeOf(after)}`}</span>
    <small class="soft">{detailsOf(before, after).join(DOT)}</small>
  </li>
);

/** The differing times, except the outcome's time. */
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
